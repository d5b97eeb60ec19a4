"""Forms from UniMorph for the words of treebanks."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.treebank import Token
from kasu.minimal_sets.data.paradigms import Paradigms

LINES = """\
ბავშვი	ბავშვი	N;NOM;SG
ბავშვი	ბავშვმა	N;ERG;SG
ბავშვი	ბავშვებმა	N;ERG;PL
etxe	etxea	N;ABS;SG;DEF
etxe	etxeak	N;ERG;SG;DEF
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "kat"
    file.write_text(LINES, encoding="utf-8")
    return file


def word(form: str, lemma: str, feats: str, upos: str = "NOUN") -> Token:
    return Token("1", form, lemma, upos, "_", feats, "0", "root", "_", "_")


CHILD = word("ბავშვი", "ბავშვი", "Animacy=Anim|Case=Nom|Number=Sing")


def test_the_form_of_the_same_number(path):
    assert Paradigms(path, "Case", ["Erg"]).candidate(CHILD, "Erg") == "ბავშვმა"


def test_a_form_takes_the_first_letter_of_the_word(path):
    house = word("Etxea", "etxe", "Case=Abs|Definite=Def|Number=Sing")
    assert Paradigms(path, "Case", ["Erg"]).candidate(house, "Erg") == "Etxeak"


def test_a_word_that_is_not_in_its_paradigm_has_no_other_forms(path):
    paradigms = Paradigms(path, "Case", ["Erg"])
    assert paradigms.candidate(CHILD._replace(form="ბალღი"), "Erg") is None
    assert paradigms.candidate(CHILD._replace(upos="VERB"), "Erg") is None
    assert paradigms.candidate(CHILD._replace(feats="_"), "Erg") is None


def test_another_tag_set_is_named(path):
    path.write_text("mutil\tmutilak\tn,erg,sing\n", encoding="utf-8")
    with pytest.raises(KasuError, match=r"no form is tagged ERG \(Case=Erg\); expected the tags"):
        Paradigms(path, "Case", ["Erg"])


def test_a_value_without_a_tag_is_named(path):
    with pytest.raises(KasuError, match="no UniMorph tag is known for Case=Xyz"):
        Paradigms(path, "Case", ["Xyz"])

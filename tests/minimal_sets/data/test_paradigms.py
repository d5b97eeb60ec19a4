"""Forms from UniMorph for the words of treebanks."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import Token
from kasu.minimal_sets.data.paradigms import Paradigms, read_conventions

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


def test_the_log_counts_the_lines_of_each_file_that_are_left_out(path, caplog):
    caplog.set_level("INFO")
    more = path.with_name("more")
    more.write_text(LINES + 2 * "etxe\t-\tN;DAT;SG\n" + "etxe\tetxea\tN;ABS;SG;DEF\n", "utf-8")
    Paradigms([path, more], "Case", ["Erg"]).log_drops()
    said = "no form: 2, the same line again: 1"
    assert caplog.messages == [f"{more}: lines left out: {said}"]


def test_another_tag_set_is_named(path):
    path.write_text("mutil\tmutilak\tn,erg,sing\n", encoding="utf-8")
    with pytest.raises(KasuError, match=r"no form is tagged ERG \(Case=Erg\); expected the tags"):
        Paradigms(path, "Case", ["Erg"])


def test_a_value_without_a_tag_is_named(path):
    with pytest.raises(KasuError, match="no UniMorph tag is known for Case=Xyz"):
        Paradigms(path, "Case", ["Xyz"])


ENGLISH = """\
walk	walks	V;3;SG;PRS
walk	walked	V;PST
walk	walked	V;V.PTCP;PST
walk	walking	V;V.PTCP;PRS
walk	walk	V;NFIN
sing	sings	V;3;SG;PRS
sing	sang	V;PST
sing	sung	V;V.PTCP;PST
"""
FINITE = "Mood=Ind|Number=Sing|Person=3|Tense={}|VerbForm=Fin"


def verb(form: str, lemma: str, feats: str) -> Token:
    return word(form, lemma, feats, upos="VERB")


def test_the_tense_of_a_verb(path):
    # English marks person and number in the present only
    path.write_text(ENGLISH, encoding="utf-8")
    tenses = Paradigms(path, "Tense", ["Pres", "Past"])
    assert tenses.candidate(verb("sings", "sing", FINITE.format("Pres")), "Past") == "sang"
    assert tenses.candidate(verb("Sang", "sing", FINITE.format("Past")), "Pres") == "Sings"
    participle = verb("walked", "walk", "Tense=Past|VerbForm=Part")
    assert tenses.candidate(participle, "Pres") == "walking"
    assert tenses.candidate(verb("walk", "walk", "VerbForm=Inf"), "Past") is None


@pytest.mark.parametrize("agreement", ["{person};{number}", "NOM({person},{number})"])
def test_person_and_number_of_a_verb(path, agreement):
    forms = {"gehe": "1;SG", "gehst": "2;SG", "geht": "3;SG", "gehen": "3;PL"}
    lines = []
    for form, tags in forms.items():
        person, number = tags.split(";")
        told = agreement.format(person=person, number=number)
        lines.append(f"gehen\t{form}\tV;IND;PRS;{told}\n")
    lines.append("gehen\tgehe\tV;SBJV;PRS;" + agreement.format(person=3, number="SG") + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    goes = verb("geht", "gehen", FINITE.format("Pres"))
    assert Paradigms(path, "Person", ["1", "2", "3"]).candidate(goes, "2") == "gehst"
    assert Paradigms(path, "Number", ["Sing", "Plur"]).candidate(goes, "Plur") == "gehen"
    assert Paradigms(path, "Mood", ["Ind", "Sub"]).candidate(goes, "Sub") == "gehe"


def test_a_tense_that_unimorph_spells_as_tense_and_aspect(path):
    lines = "V;IND;PST;3;SG;IPFV\tcantaba", "V;IND;PST;3;SG;PFV\tcantó", "V;IND;PRS;3;SG\tcanta"
    cells = (line.split("\t") for line in lines)
    path.write_text("".join(f"cantar\t{form}\t{tags}\n" for tags, form in cells), encoding="utf-8")
    tenses = Paradigms(path, "Tense", ["Pres", "Past", "Imp"])
    sings = verb("canta", "cantar", FINITE.format("Pres"))
    assert [tenses.candidate(sings, tense) for tense in ("Past", "Imp")] == ["cantó", "cantaba"]


def test_a_word_in_capitals_keeps_them(path):
    child = word("ETXEA", "etxe", "Case=Abs|Definite=Def|Number=Sing")
    assert Paradigms(path, "Case", ["Erg"]).candidate(child, "Erg") == "ETXEAK"


def test_paradigms_of_another_part_of_speech_are_refused(path):
    paradigms = Paradigms(path, "Number", ["Sing", "Plur"])
    assert paradigms.candidate(verb("walks", "walk", FINITE.format("Pres")), "Plur") is None
    with pytest.raises(KasuError, match="kat: no paradigm of a VERB; expected the parts of speech"):
        paradigms.need_parts()
    paradigms.candidate(CHILD, "Plur")
    paradigms.need_parts()


@pytest.mark.parametrize("features", ["N;{ABS/ERG};SG", "N;ERG/ABS;SG", "N;SG;non{DAT}"])
def test_a_cell_of_several_cases_has_the_form_of_each(path, features):
    path.write_text(f"mendi\tmendia\tN;DAT;SG\nmendi\tmendik\t{features}\n", encoding="utf-8")
    hill = word("mendia", "mendi", "Case=Dat|Number=Sing")
    assert Paradigms(path, "Case", ["Erg", "Dat"]).candidate(hill, "Erg") == "mendik"


def test_a_composed_lemma_finds_a_decomposed_one(path):
    path.write_text("uvu\u0304\tuvus\tN;ERG;SG\nuvu\u0304\tuvu\u0304\tN;DAT;SG\n", encoding="utf-8")
    knee = word("uv\u016b", "uv\u016b", "Case=Dat|Number=Sing")
    assert Paradigms(path, "Case", ["Erg"]).candidate(knee, "Erg") == "uvus"


def test_a_turkish_form_is_capitalised_with_its_dot(path):
    path.write_text("incir\tincire\tN;DAT;SG\nincir\tincir\tN;NOM;SG\n", encoding="utf-8")
    fig = word("İncir", "incir", "Case=Nom|Number=Sing")
    assert Paradigms(path, "Case", ["Dat"], "tr").candidate(fig, "Dat") == "İncire"
    shout = fig._replace(form="İNCİR")
    assert Paradigms(path, "Case", ["Dat"], "tr").candidate(shout, "Dat") == "İNCİRE"


CONVENTIONS = Path(__file__).resolve().parents[3] / "resources/tagsets/unimorph_conventions.tsv"
WALKS = verb("walks", "walk", FINITE.format("Pres"))


def write_conventions(path: Path, *lines: str) -> Path:
    table = path.with_name("conventions.tsv")
    text = "\n".join(("language\ttags\tstands_for\tbut_not\tnote", *lines))
    table.write_text(text + "\n", encoding="utf-8")
    return table


def test_a_table_that_tags_the_odd_form_alone(path):
    path.write_text(ENGLISH, encoding="utf-8")
    with pytest.raises(KasuError, match=r"no form is tagged PL .*or a line of `conventions` for"):
        Paradigms(path, "Number", ["Sing", "Plur"], "en")
    paradigms = Paradigms(path, "Number", ["Sing", "Plur"], "en", CONVENTIONS)
    assert paradigms.candidate(WALKS, "Plur") == "walk"
    walk = verb("walk", "walk", FINITE.format("Pres").replace("Sing", "Plur"))
    assert paradigms.candidate(walk, "Sing") == "walks"
    # An infinitive stays one
    assert {"VerbForm": "Inf"} in paradigms.readings(walk, "walk")


def test_a_convention_has_exceptions_and_a_language(path):
    path.write_text("be\tbe\tV;NFIN\nbe\tis\tV;3;SG;PRS\nwalk\twalks\tV;3;SG;PRS\n"
                    "walk\twalk\tV;NFIN\n", encoding="utf-8")  # fmt: skip
    english = Paradigms(path, "Number", ["Sing", "Plur"], "en", CONVENTIONS)
    assert english.candidate(verb("is", "be", FINITE.format("Pres")), "Plur") is None
    with pytest.raises(KasuError, match="no form is tagged PL"):
        Paradigms(path, "Number", ["Sing", "Plur"], "sco", CONVENTIONS)
    own = write_conventions(path, "*\tV;NFIN\tV;PRS;PL\t\t")
    assert Paradigms(path, "Number", ["Plur"], "sco", own).candidate(WALKS, "Plur") == "walk"


@pytest.mark.parametrize(
    "line, message",
    [
        ("en\tV;NFIN\t\t\t", "conventions.tsv:2: no stands_for"),
        ("en\tVerb\tV;PRS\t\t", r"conventions.tsv:2: 'Verb'; expected tags of the UniMorph schema"),
        ("en\tV;NFIN\tV;{1/2\t\t", "conventions.tsv:2: 'V;{1/2'; expected tags"),
        ("en\tV;{1/2}\tV;PRS\t\t", "several tags"),
        ("en\tV;NFIN\tV;PRS\t\t\nen\tNFIN;V\tV;PST\t\t", "conventions.tsv:3: NFIN;V is"),
    ],
)
def test_a_bad_convention_is_named(path, line, message):
    with pytest.raises(KasuError, match=message):
        read_conventions(write_conventions(path, line), "en")


def test_readings_of_unimorph(path):
    path.write_text(ENGLISH + "put\tput\tV;PST\nput\tputs\tV;3;SG;PRS\n", encoding="utf-8")
    paradigms = Paradigms(path, "Tense", ["Pres", "Past"])
    assert paradigms.readings(WALKS, "Walked") == [
        {"Tense": "Past"}, {"Tense": "Past", "VerbForm": "Part"},
    ]  # fmt: skip
    assert paradigms.readings(WALKS._replace(upos="NOUN"), "walked") == []
    assert paradigms.readings(WALKS, "sang") == []


def test_local_cases(path):
    cells = ("talossa\tN;IN+ESS;SG", "talosta\tN;IN+ABL;SG", "talolla\tN;AT+ESS;SG")
    path.write_text("".join(f"talo\t{cell}\n" for cell in cells), encoding="utf-8")
    paradigms = Paradigms(path, "Case", ["Ine", "Ela", "Ade"])
    house = word("talossa", "talo", "Case=Ine|Number=Sing")
    assert [paradigms.candidate(house, case) for case in ("Ela", "Ade")] == ["talosta", "talolla"]


def test_a_form_of_several_words_is_no_candidate(path):
    path.write_text("a\ta\tN;NOM;SG\na\ta b\tN;ERG;SG\na\tab\tN;ERG;SG\n", encoding="utf-8")
    paradigms = Paradigms(path, "Case", ["Erg"])
    assert paradigms.candidate(word("a", "a", "Case=Nom|Number=Sing"), "Erg") == "ab"

"""A treebank's words found among the units of the analyser, and what networks read of them."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.agreement.data.annotations import labelled_words
from kasu.agreement.data.treebank import TREEBANK, align, analyse_treebank
from kasu.agreement.models.encoding import read_sentences
from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv

TAGSET = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml"
SETTINGS = {
    "variant": ["paper", "released"], "suffix_reading": "any", "suffix_source": "analysis",
    "no_article": "strip",
}  # fmt: skip
# 'The sellers gave the books to the customer'
CONLLU = """\
1	Saltzaileek	_	NOUN	_	Case=Erg|Number=Plur	4	nsubj	_	_
2	bezeroari	_	NOUN	_	Case=Dat|Number=Sing	4	iobj	_	_
3	liburuak	_	NOUN	_	Case=Abs|Number=Plur	4	obj	_	_
4	eman	_	VERB	_	VerbForm=Part	0	root	_	_
5	dizkiote	_	AUX	_	VerbForm=Fin	4	aux	_	SpaceAfter=No
6	.	_	PUNCT	_	_	4	punct	_	_

"""


@pytest.mark.parametrize(
    ("words", "units", "expected"),
    [
        (["etxea", "da", "."], ["etxea", "da", "."], [0, 1, 2]),
        (["ez", "ezik", "da"], ["ez ezik", "da"], [None, 2]),  # a unit of two words
        (["etxea-ren", "da"], ["etxea", "ren", "da"], [None, None, 1]),  # a word of two units
        (["—", "da"], ["da"], [1]),  # a word that is no unit
        (["da", "da"], ["da", "da"], [0, 1]),
        (["da"], ["zen", "da"], [None, 0]),  # a unit that is not in the text
    ],
)
def test_a_unit_is_one_word_or_none(words, units, expected):
    assert align(words, units) == expected


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=8), st.data())
def test_all_words_are_found_but_those_that_units_join(words, data):
    joined = [data.draw(st.booleans()) for _ in words[1:]]
    units, single = words[:1], [True] * len(words)
    for at, (word, joins) in enumerate(zip(words[1:], joined, strict=True), start=1):
        if joins:
            units[-1] += f" {word}"
            single[at - 1] = single[at] = False
        else:
            units.append(word)
    found = [at for at in align(words, units) if at is not None]
    assert found == [at for at, alone in enumerate(single) if alone]


@pytest.fixture
def analysed(tmp_path, dictionary):
    files = {}
    for split in ("train", "test"):
        files[split] = tmp_path / f"{split}.conllu"
        files[split].write_text(CONLLU, encoding="utf-8")
    paths = [tmp_path / name for name in ("treebank", "counts", "drops")]
    options = {"dictionary": dictionary, "tagset": TAGSET, "settings": SETTINGS}
    analyse_treebank(files, *paths, **options)
    return tmp_path


def test_a_treebank_is_read_as_the_corpus_is_with_its_annotation(analysed):
    table = pq.read_table(analysed / "treebank")
    assert table.schema.equals(TREEBANK)
    rows = table.to_pylist()
    assert [(row["item_id"], row["split"]) for row in rows] == [
        ("train:train:1|paper", "train"), ("train:train:1|released", "train"),
        ("test:test:1|paper", "test"), ("test:test:1|released", "test"),
    ]  # fmt: skip
    row = rows[0]
    assert row["stems"] == ["Saltzaile", "bezero", "liburu", "eman", "dizkiote", "."]
    assert row["suffixes"] == ["-ek", "-ari", "-ak", "none", "none", "none"]
    assert row["case"] == ["Erg", "Dat", "Abs", "none", "none", "none"]
    assert row["number"] == ["Plur", "Sing", "Plur", "none", "none", "none"]
    assert row["deprel"] == ["nsubj", "iobj", "obj", "root", "aux", "punct"]


def test_sentences_of_two_splits_with_one_name_are_told_apart(tmp_path, dictionary):
    for split in ("train", "test"):
        (tmp_path / f"{split}.conllu").write_text("# sent_id = s1\n" + CONLLU, encoding="utf-8")
    files = {split: tmp_path / f"{split}.conllu" for split in ("train", "test")}
    paths = [tmp_path / name for name in ("treebank", "counts", "drops")]
    options = {"dictionary": dictionary, "tagset": TAGSET, "settings": SETTINGS}
    analyse_treebank(files, *paths, **options)
    table = pq.read_table(tmp_path / "treebank")
    assert table["item_id"].to_pylist()[::2] == ["train:s1|paper", "test:s1|paper"]
    assert table["cluster"].to_pylist()[::2] == ["train:s1", "test:s1"]


def test_networks_read_what_is_left_without_suffixes(analysed):
    sentences = read_sentences(analysed / "treebank", "paper", "base", "suffix")
    shown = [word.token for word in sentences.types]
    assert shown == ["Saltzaile", "bezero", "liburu", "eman", "dizkiote", "."]


def test_words_and_losses_are_counted(analysed):
    counts = {row["step"]: row["count"] for row in read_tsv(analysed / "counts")}
    assert counts == {
        "train: sentences": "1", "train: words": "6", "test: sentences": "1", "test: words": "6",
    }  # fmt: skip
    words = labelled_words(analysed / "treebank", "paper").to_pylist()
    assert [row["position"] for row in words] == 2 * [*range(6)]
    assert words[6] == {
        "item_id": "test:test:1|paper", "position": 0, "split": "test", "upos": "NOUN",
        "case": "Erg", "number": "Plur", "deprel": "nsubj",
    }  # fmt: skip


def test_a_sentence_whose_text_is_withheld_is_a_counted_drop(tmp_path, dictionary):
    withheld = "# text = ____\n1\t_\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "test.conllu").write_text(withheld + CONLLU, encoding="utf-8")
    paths = [tmp_path / name for name in ("treebank", "counts", "drops")]
    options = {"dictionary": dictionary, "tagset": TAGSET, "settings": SETTINGS}
    analyse_treebank({"test": tmp_path / "test.conllu"}, *paths, **options)
    counts = {row["step"]: row["count"] for row in read_tsv(tmp_path / "counts")}
    drops = {row["reason"]: row["count"] for row in read_tsv(tmp_path / "drops")}
    assert (counts["test: words"], drops["withheld text"]) == ("6", "1")


def without_heads(text: str, *ids: str) -> str:
    rows = (line.split("\t") for line in text.splitlines())
    bare = ([*c[:6], "_", "_", *c[8:]] if c[0] in ids else c for c in rows)
    return "\n".join(map("\t".join, bare)) + "\n\n"


def test_words_without_a_head_have_no_relation_and_are_counted(tmp_path, dictionary):
    (tmp_path / "test.conllu").write_text(without_heads(CONLLU, "2", "6"), encoding="utf-8")
    paths = [tmp_path / name for name in ("treebank", "counts", "drops")]
    options = {"dictionary": dictionary, "tagset": TAGSET, "settings": SETTINGS}
    analyse_treebank({"test": tmp_path / "test.conllu"}, *paths, **options)
    row = pq.read_table(tmp_path / "treebank").to_pylist()[0]
    assert row["deprel"] == ["nsubj", "none", "obj", "root", "aux", "none"]
    counts = {row["step"]: row["count"] for row in read_tsv(tmp_path / "counts")}
    assert counts["test: sentences with words without a head"] == "1"


def test_a_treebank_without_heads_is_refused(tmp_path, dictionary):
    path = tmp_path / "test.conllu"
    path.write_text(without_heads(CONLLU, *"123456"), encoding="utf-8")
    paths = [tmp_path / name for name in ("treebank", "counts", "drops")]
    options = {"dictionary": dictionary, "tagset": TAGSET, "settings": SETTINGS}
    with pytest.raises(KasuError, match=r"test\.conllu: no word has a head; expected a parsed"):
        analyse_treebank({"test": path}, *paths, **options)
    assert not (tmp_path / "treebank").exists()

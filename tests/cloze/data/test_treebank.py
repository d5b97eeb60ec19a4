"""Candidate sentences: which words may be asked for, corrections, counts, bad treebanks."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.sentences import Word
from kasu.cloze.data.treebank import TreebankReader
from kasu.corpora.paradigms.unimorph import ParadigmCell, Paradigms
from kasu.corpora.treebanks.conversion import read_conversion

TABLE = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "ud_unimorph.tsv"
DOG = [
    ParadigmCell("dog", "dog", "V;NFIN"),
    ParadigmCell("dog", "dogs", "V;3;SG;PRS"),
    ParadigmCell("bark", "bark", "V;NFIN"),
]
SENTENCE = [
    "The the DET Definite=Def|PronType=Art",
    "dogs dog NOUN Number=Plur",
    "Bark bark VERB VerbForm=Inf",
    "may may AUX VerbForm=Fin",
]


@pytest.fixture
def reader():
    def make(**options) -> TreebankReader:
        conversion = read_conversion(TABLE, "en")
        return TreebankReader(conversion, Paradigms(DOG), **options)

    return make


def test_a_word_must_meet_a_cell(reader, conllu):
    (found,) = reader().read(conllu("a.conllu", SENTENCE), "dev")
    assert found.id == "a-1"
    assert found.words[:2] == [Word("The", "the", "DET;DEF"), Word("dogs", "dog", "N;PL")]
    assert found.hits == [2]


def test_as_released_form_and_lemma_are_enough(reader, conllu):
    (found,) = reader(variant="released").read(conllu("a.conllu", SENTENCE), "dev")
    assert found.hits == [1, 2]


def test_a_sentence_without_a_hit_is_no_candidate_but_is_read(reader, conllu):
    first, second = reader().read(conllu("a.conllu", SENTENCE[:1], SENTENCE), "dev")
    assert (first.hits, second.hits) == ([], [2])


def test_other_classes_are_never_asked_for(reader, conllu):
    words = ["bark bark AUX VerbForm=Inf", "x x VERB _"]
    (found,) = reader(variant="released").read(conllu("a.conllu", words), "dev")
    assert found.hits == []


@pytest.mark.parametrize(
    ("lemmata", "lemma"),
    [((), "Muisti#kapasiteetti"), (["no_boundaries"], "Muistikapasiteetti"),
     (["lower", "no_boundaries"], "muistikapasiteetti"), (["lower"], "muisti#kapasiteetti")],
)  # fmt: skip
def test_corrections_of_lemmata(reader, conllu, lemmata, lemma):
    words = ["muistikapasiteetit Muisti#kapasiteetti NOUN Number=Plur", "# # SYM _"]
    (found,) = reader(lemmata=lemmata).read(conllu("a.conllu", words), "dev")
    assert [word.lemma for word in found.words] == [lemma, "#"]


def test_words_that_cannot_be_asked_for_are_counted(reader, conllu):
    made = reader()
    words = ["dogs/cats dog NOUN Number=Plur", "bark _ VERB VerbForm=Inf", "a/b a/b X _"]
    (found,) = made.read(conllu("a.conllu", [*words, *SENTENCE]), "dev")
    assert found.hits == [5]
    assert found.words[1].lemma is None
    assert made.drops == {
        "noun, verb or adjective with a slash in its form": 1,
        "noun, verb or adjective without a lemma": 1,
    }


def test_coverage_by_split_and_class(reader, conllu):
    made = reader()
    list(made.read(conllu("a.conllu", SENTENCE), "dev"))
    list(made.read(conllu("b.conllu", [SENTENCE[2], "cat cat NOUN Case=Weird"]), "test"))
    rows = {(row["split"], row["upos"]): list(row.values())[2:] for row in made.coverage_rows()}
    assert rows == {
        # tokens, converted, lossless, classed, lemma, form, cell
        ("dev", "AUX"): [1, 1, 1, 0, 0, 0, 0],
        ("dev", "DET"): [1, 1, 0, 0, 0, 0, 0],
        ("dev", "NOUN"): [1, 1, 1, 1, 1, 1, 0],
        ("dev", "VERB"): [1, 1, 1, 1, 1, 1, 1],
        ("test", "NOUN"): [1, 0, 0, 1, 0, 0, 0],
        ("test", "VERB"): [1, 1, 1, 1, 1, 1, 1],
    }
    assert made.unknown == 1
    assert made.feature_rows() == [
        {"feature": "Case=Weird", "outcome": "unknown", "tokens": 1},
        {"feature": "PronType=Art", "outcome": "no counterpart", "tokens": 1},
    ]


def test_a_treebank_without_lemmata_is_refused(reader, conllu):
    path = conllu("a.conllu", ["dogs _ NOUN Number=Plur", "the the DET _"])
    with pytest.raises(KasuError) as raised:
        list(reader().read(path, "dev"))
    assert str(raised.value) == (
        f"{path}: no lemma in 1 nouns, verbs and adjectives; expected a treebank with lemmata"
    )


def test_paradigms_of_another_language_are_refused(reader, conllu):
    made = reader()
    cats = [f"cats{n} cat{n} NOUN Number=Plur" for n in range(18)]
    # Words equal to their lemma say little of the language
    list(made.read(conllu("a.conllu", [*cats, *SENTENCE, "Bark bark VERB VerbForm=Inf"]), "dev"))
    assert (made.inflected, made.inflected_found) == (19, 1)
    made.check_language("unimorph/eng", 0.05)
    with pytest.raises(KasuError) as raised:
        made.check_language("unimorph/eng", 0.06)
    assert str(raised.value) == (
        "unimorph/eng: 1 of 19 inflected words (5.26 %) of the treebank; "
        "expected 6.00 % or more (`least`)"
    )


def test_no_match_at_all_is_refused_unless_the_share_is_nought(reader):
    with pytest.raises(KasuError, match=r"0 of 0 inflected words \(0.00 %\)"):
        reader().check_language("x", 0.001)
    reader().check_language("x", 0)

"""A treebank as a corpus, its annotation in place of an analyser's readings."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.morphology.stream import read_parts
from kasu.corpora.morphology.tagset import read_tagset
from kasu.corpora.texts.sentences import build_corpus
from kasu.corpora.treebanks.annotated import extract_sentences, read_annotation, reading_of
from kasu.corpora.treebanks.treebank import Token, build_treebank, read_treebank
from kasu.files.tables import read_parquet, read_tsv

TAGSETS = Path(__file__).parents[3] / "resources" / "tagsets"
BASQUE, SUBJECT = (read_tagset(TAGSETS / f"ud-{name}.yaml") for name in ("basque", "subject"))
NAMES = ("ergative", "absolutive", "dative")

TEXT = """\
# sent_id = 1
1-2\tAux\t_\t_\t_\t_\t_\t_\t_\t_
1\tÀ\tà\tADP\t_\t_\t3\tcase\t_\t_
2\tles\tle\tDET\t_\tNumber=Plur\t3\tdet\t_\t_
3\tmortes\tmort\tVERB\t_\tNumber=Plur|VerbForm=Part\t4\tobl\t_\t_
4\tdort\t_\tVERB\t_\tMood=Ind|Number=Sing|VerbForm=Fin\t0\troot\t_\t_

# sent_id = 2
1\tDort\tdormir\tVERB\t_\tMood=Ind|Number=Sing|VerbForm=Fin\t0\troot\t_\t_
2\tslept\tsleep\tVERB\t_\tMood=Ind|Tense=Past|VerbForm=Fin\t1\tconj\t_\t_

# sent_id = 3
1\tDort\tdormir\tVERB\t_\tMood=Ind|Number=Sing|VerbForm=Fin\t0\troot\t_\t_
2\tslept\tsleep\tVERB\t_\tMood=Ind|Tense=Past|VerbForm=Fin\t1\tconj\t_\t_

# sent_id = 4
1\t!\t!\tPUNCT\t_\t_\t0\troot\t_\t_

"""


def word(form: str, lemma: str, upos: str, feats: str) -> Token:
    return Token("1", form, lemma, upos, "_", feats, "0", "root", "_", "_")


@pytest.mark.parametrize(
    ("form", "feats", "numbers"),
    [
        ("dizkiote", "Number[abs]=Plur|Number[dat]=Sing|Number[erg]=Plur|Person[erg]=3",
         ("plural", "plural", "singular")),
        ("daude", "Number[abs]=Plur|VerbForm=Fin", (None, "plural", None)),
        ("da", "Number[abs]=Sing|VerbForm=Fin", (None, "singular", None)),
    ],
)  # fmt: skip
def test_features_fill_the_slots_of_a_verb(form, feats, numbers):
    found = reading_of(word(form, "izan", "AUX", feats), BASQUE)
    assert tuple(BASQUE.slots[name].get(found[name]) for name in NAMES) == numbers
    assert found["pos"] == BASQUE.finite


@pytest.mark.parametrize("lemma", ["<", "->", "C++", "a\\b", "x#", "*"])
def test_any_lemma_can_be_read_from_the_reading(lemma):
    reading = reading_of(word(lemma, lemma, "SYM", "Case=Abs"), BASQUE)["reading"]
    assert tuple(read_parts(reading)[0]) == (lemma, ["SYM", "Case=Abs"])


def test_of_the_marks_of_a_slot_the_first_that_fits_counts():
    third = word("dute", "edun", "AUX", "Number[erg]=Plur|Person[erg]=3")
    first = word("dugu", "edun", "AUX", "Number[erg]=Plur|Person[erg]=1")
    assert reading_of(third, BASQUE)["ergative"] in BASQUE.third_plural
    assert reading_of(first, BASQUE)["ergative"] == "Number[erg]=Plur"


@pytest.mark.parametrize(
    ("form", "lemma", "upos", "feats", "suffix"),
    [
        ("gizona", "gizon", "NOUN", "Case=Abs|Definite=Def|Number=Sing", "-a"),
        ("gizonak", "gizon", "NOUN", "Case=Abs|Definite=Def|Number=Plur", "-ak"),
        ("gizonak", "gizon", "NOUN", "Case=Erg|Definite=Def|Number=Sing", "-ak"),
        ("gizonek", "gizon", "NOUN", "Case=Erg|Definite=Def|Number=Plur", "-ek"),
        ("gizonari", "gizon", "NOUN", "Case=Dat|Definite=Def|Number=Sing", "-ari"),
        ("gizonei", "gizon", "NOUN", "Case=Dat|Definite=Def|Number=Plur", "-ei"),
        ("Mikelek", "Mikel", "PROPN", "Case=Erg|Definite=Def|Number=Sing", None),
        ("batek", "bat", "NUM", "Case=Erg|Definite=Ind|Number=Sing", None),
        ("gizonean", "gizon", "NOUN", "Case=Ine|Definite=Def|Number=Sing", None),
        ("etorria", "etorri", "VERB", "Case=Abs|Definite=Def|Number=Sing", None),
    ],
)
def test_features_and_ending_give_the_nuclear_suffix(form, lemma, upos, feats, suffix):
    assert reading_of(word(form, lemma, upos, feats), BASQUE)["suffix"] == suffix


def test_a_finite_verb_agrees_and_a_participle_does_not():
    finite = word("dorment", "dormir", "VERB", "Mood=Ind|Number=Plur|VerbForm=Fin")
    participle = word("morts", "mourir", "VERB", "Number=Plur|VerbForm=Part")
    assert reading_of(finite, SUBJECT)["subject"] == "VerbForm=Fin|Number=Plur"
    assert (reading_of(participle, SUBJECT)["subject"], reading_of(participle, SUBJECT)["pos"]) == (
        None,
        "VERB",
    )


@pytest.mark.parametrize(
    ("upos", "feats", "tagset", "pos"),
    [
        ("VERB", "Mood=Ind|Tense=Past|VerbForm=Fin", SUBJECT, "VerbForm=Fin"),  # English *walked*
        ("VERB", "Mood=Ind|Number=Dual|VerbForm=Fin", SUBJECT, "VerbForm=Fin"),
        ("VERB", "Tense=Past|VerbForm=Part", SUBJECT, "VERB"),
        # In Basque a nominalised verb has VerbForm=Fin; only what fills a slot is finite
        ("VERB", "Case=Abs|VerbForm=Fin", BASQUE, "VERB"),
        ("AUX", "Number[abs]=Sing|VerbForm=Fin", BASQUE, "finite"),
        ("VERB", "VerbForm=Fin", replace(SUBJECT, finite="VERB|VerbForm=Fin"), "VERB|VerbForm=Fin"),
        ("AUX", "VerbForm=Fin", replace(SUBJECT, finite="VERB|VerbForm=Fin"), "AUX"),
    ],
)
def test_a_finite_verb_has_the_mark_or_fills_a_slot(upos, feats, tagset, pos):
    found = reading_of(word("x", "y", upos, feats), tagset)
    assert found["pos"] == pos
    assert read_parts(found["reading"])[0].tags[0] == pos


@pytest.fixture
def corpus(tmp_path) -> Path:
    (tmp_path / "x.conllu").write_text(TEXT)
    build_treebank(tmp_path / "x.conllu", tmp_path / "x.parquet", tmp_path / "x.tsv")
    parts = [tmp_path / name for name in ("parts.parquet", "parts.tsv", "drops.tsv")]
    extract_sentences(tmp_path / "x.parquet", *parts)
    build_corpus(parts[:1], tmp_path / "corpus.parquet", tmp_path / "c.tsv", tmp_path / "d.tsv")
    return tmp_path


def annotate(corpus: Path, tagset: Path) -> list[dict]:
    read_annotation(
        corpus / "corpus.parquet", [corpus / "x.parquet"], corpus / "analyses.parquet",
        corpus / "counts.tsv", tagset=tagset,
    )  # fmt: skip
    return read_parquet(corpus / "analyses.parquet").to_pylist()


def test_each_syntactic_word_of_a_sentence_that_the_corpus_kept_is_a_unit(corpus):
    rows = annotate(corpus, TAGSETS / "ud-subject.yaml")
    assert [(row["sentence_id"], row["unit"], row["surface"], row["lemma"]) for row in rows] == [
        ("x:1", 0, "À", "à"),
        ("x:1", 1, "les", "le"),
        ("x:1", 2, "mortes", "mort"),
        ("x:1", 3, "dort", "dort"),  # a word without a lemma
        ("x:2", 0, "Dort", "dormir"),  # of two equal sentences the first
        ("x:2", 1, "slept", "sleep"),
    ]
    assert rows[3]["reading"] == "dort<VerbForm=Fin><Mood=Ind><Number=Sing><VerbForm=Fin>"
    counts = {row["step"]: row["count"] for row in read_tsv(corpus / "counts.tsv")}
    assert counts == {
        "sentences": "2", "units": "6", "units that agree": "2",
        "finite verbs that show no number": "1",
    }  # fmt: skip


def test_a_sentence_without_a_word_is_a_counted_drop(corpus):
    assert read_tsv(corpus / "drops.tsv") == [{"reason": "no word", "count": "1"}]


@pytest.mark.parametrize("comment", ["# text = ____ __\n", ""])
def test_a_sentence_whose_text_is_withheld_is_a_counted_drop(tmp_path, comment):
    words = "1\t_\t_\tVERB\t_\tNumber=Sing\t0\troot\t_\t_\n2\t_\t_\tNOUN\t_\t_\t1\tobj\t_\t_\n"
    line = "1\t____\t____\tSYM\t_\t_\t0\troot\t_\t_\n"
    (tmp_path / "x.conllu").write_text(f"{comment}{words}\n{line}\n")
    parts = [tmp_path / name for name in ("parts.parquet", "counts.tsv", "drops.tsv")]
    extract_sentences(tmp_path / "x.conllu", *parts)
    assert read_parquet(parts[0])["text"].to_pylist() == ["____"]  # a line that someone drew
    assert read_tsv(parts[2]) == [{"reason": "withheld text", "count": "1"}]


def test_a_tagset_of_another_language_is_one_line(corpus):
    with pytest.raises(KasuError) as raised:
        annotate(corpus, TAGSETS / "ud-basque.yaml")
    assert str(raised.value) == (
        f"{TAGSETS / 'ud-basque.yaml'}: none of 6 words is Number[erg]=Plur|Person[erg]=3 or "
        "Number[erg]=Plur or Number[erg]=Sing; expected features of the treebank"
    )


@cache
def sentences(path: Path) -> list[list[dict]]:
    """The readings of each sentence of a file."""
    return [[reading_of(each, BASQUE) for each in found.words] for found in read_treebank(path)]


@pytest.fixture(params=["dev", "test"])
def part(mirror, request) -> tuple[str, list[list[dict]]]:
    path = mirror / f"ud/UD_Basque-BDT/eu_bdt-ud-{request.param}.conllu"
    return request.param, sentences(path)


def test_how_many_verbs_agree_in_the_sentences_of_basque_bdt(part):
    name, found = part
    verbs = Counter(min(sum(each["pos"] == BASQUE.finite for each in s), 3) for s in found)
    expected = {"dev": (1798, 972, 552, 247), "test": (1799, 949, 553, 267)}[name]
    assert (len(found), verbs[1], verbs[2], verbs[3]) == expected


def test_verbs_of_english_that_show_no_number_are_finite(mirror):
    """In *She says he left*, one verb agrees and two are finite."""
    agree = one_agrees = one_finite = 0
    for sentence in read_treebank(mirror / "ud/UD_English-EWT/en_ewt-ud-dev.conllu"):
        found = [reading_of(each, SUBJECT) for each in sentence.words]
        agreeing = sum(each["subject"] is not None for each in found)
        agree += agreeing > 0
        one_agrees += agreeing == 1
        finite = sum(each["pos"] == SUBJECT.finite for each in found)
        one_finite += agreeing == finite == 1
    assert (agree, one_agrees, one_finite) == (1177, 672, 540)


def test_the_labels_of_the_first_verbs_of_basque_bdt(mirror):
    found = sentences(mirror / "ud/UD_Basque-BDT/eu_bdt-ud-test.conllu")
    first = [v for s in found if (v := next((w for w in s if w["pos"] == BASQUE.finite), None))]
    labels = {
        slot: Counter(BASQUE.slots[slot].get(verb[slot], "none") for verb in first)
        for slot in NAMES
    }
    assert labels == {
        "ergative": {"none": 847, "singular": 618, "plural": 304},
        "absolutive": {"singular": 1350, "plural": 419},
        "dative": {"none": 1615, "singular": 120, "plural": 34},
    }


def test_third_person_plural_ergatives_without_a_word_in_ek(part):
    name, found = part
    marked = [s for s in found if any(each["ergative"] in BASQUE.third_plural for each in s)]
    without = [s for s in marked if not any(w["surface"].lower().endswith("ek") for w in s)]
    assert (len(without), len(marked)) == {"dev": (175, 330), "test": (156, 357)}[name]

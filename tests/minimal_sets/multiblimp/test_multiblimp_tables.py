"""The two lexicons of MultiBLiMP."""

from kasu.corpora.treebanks.treebank import read_conllu
from kasu.minimal_sets.multiblimp.tables import (
    NOUNS,
    UNKNOWN,
    VERBS,
    Row,
    Table,
    read_unimorph,
    read_words,
    to_unimorph,
)


def unimorph(tmp_path, text, language=""):
    path = tmp_path / "xyz"
    path.write_text(text, "utf-8")
    return read_unimorph([path], language)


def test_unimorph_is_read_as_the_authors_read_it(tmp_path):
    rows = unimorph(tmp_path, "go\tgoes\tV;PRS;{3/2};SG\n\ngo\tgone\tV.PTCP;PST\nbad line\n")
    assert rows == [
        Row("go", "goes", {"upos": "V", "Tense": "PRS", "Person": "3", "Number": "SG"}),
        Row("go", "goes", {"upos": "V", "Tense": "PRS", "Person": "2", "Number": "SG"}),
        Row("go", "gone", {"upos": "V", "VerbForm": "V.PTCP", "Tense": "PST"}),
    ]


def test_english_gets_a_plural_by_each_third_singular_and_six_forms_of_be(tmp_path):
    rows = unimorph(tmp_path, "go\tgoes\tV;3;SG;PRS\nco-act\tco-acts\tV;3;SG;PRS\n", "en")
    assert [(row.lemma, row.form, row.values["Number"]) for row in rows] == [
        ("go", "goes", "SG"), ("co-act", "co-acts", "SG"), ("go", "go", "PL"), ("be", "am", "SG"),
        ("be", "are", "SG"), ("be", "is", "SG"), ("be", "are", "PL"), ("be", "are", "PL"),
        ("be", "are", "PL"),
    ]  # fmt: skip


def test_greek_takes_the_first_of_several_forms(tmp_path):
    (row,) = unimorph(tmp_path, "μιλώ\tμιλάω, μιλώ\tV;PRS;1;SG\n", "el")
    assert row.form == "μιλάω"


def words(write_treebank, tokens):
    path = write_treebank({"s": tokens})
    return read_words(read_conllu(path))


def test_words_get_defaults_and_the_first_row_is_lost(write_treebank):
    rows = words(
        write_treebank,
        [
            ("Aa", "aa", "VERB", "VerbForm=Fin", 0, "root"),
            ("Goes", "go", "VERB", "Number=Sing|VerbForm=Fin", 1, "dep"),
            ("Ann", "Ann", "PROPN", "Number=Sing", 1, "dep"),
            ("x", "x", "NOUN", "Number=Sing|Typo=Yes", 1, "dep"),
        ],
    )
    values = {"upos": "V", "Number": "Sing", "VerbForm": "Fin", "Mood": "Ind", "Voice": "Act"}
    assert rows == [Row("go", "goes", values)]


def test_forms_and_readings_that_are_far_rarer_are_slips(write_treebank):
    go = [("goes", "go", "VERB", "Number=Sing", 1, "dep")]
    slips = [
        ("gose", "go", "VERB", "Number=Sing", 1, "dep"),
        ("goes", "go", "VERB", "Number=Plur", 1, "dep"),
    ]
    rows = words(write_treebank, [("a", "a", "NOUN", "Number=Sing", 0, "root"), *12 * go, *slips])
    assert {(row.form, row.values["Number"]) for row in rows} == {("goes", "Sing")}


ROWS = [
    Row("go", "goes", {"upos": "V", "Number": "SG", "Person": "3", "Tense": "PRS"}),
    Row("go", "go", {"upos": "V", "Number": "PL", "Person": "3", "Tense": "PRS"}),
    Row("go", "went", {"upos": "V", "Tense": "PST", "Number": "PL"}),
    Row("go", "go", {"upos": "N", "Number": "SG"}),
]
TOLD = {"lemma": "go", "Number": "Sing", "Person": "3", "Tense": "Pres"}


def test_another_value_has_the_same_features_or_does_not_state_them():
    table = Table(ROWS, VERBS, to_unimorph)
    assert table.others("goes", TOLD, "Number") == ({"go"}, {"SG"})
    assert table.others("Goes", TOLD, "Number") is None  # MB-14
    assert table.readings("go", TOLD, "Number") == {"PL"}


def test_what_a_row_leaves_open_fits_anything():
    """MB-5: the row of another mood is taken, where it does not state the tense."""
    open_row = Row("go", "gone", {"upos": "V", "Number": "PL"})
    table = Table([ROWS[0], open_row], VERBS, to_unimorph)
    assert table.others("goes", TOLD, "Number") == ({"gone"}, {"SG"})


def test_a_number_that_is_not_stated_is_unknown():
    table = Table([*ROWS, Row("go", "gone", {"upos": "V"})], VERBS, to_unimorph)
    assert table.readings("gone", {"lemma": "go"}, "Number") == {UNKNOWN}


def test_the_number_of_the_subject_counts_if_its_rarest_value_is_more_frequent():
    layered = [
        Row("a", f"a{n}{v}", {"upos": "V", "Number__subj": v})
        for n in range(3)
        for v in ("SG", "PL")
    ]
    table = Table([*ROWS, *layered], VERBS)
    assert table.feature(("Number", "Number__subj")) == "Number__subj"
    assert Table(ROWS, NOUNS).feature(("Number",)) is None  # one value

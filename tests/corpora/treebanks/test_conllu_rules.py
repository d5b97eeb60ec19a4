"""Rules of CoNLL-U and CoNLL-U Plus: cells, features, heads and columns."""

import logging

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.treebanks import conllu_rules
from kasu.corpora.treebanks.treebank import (
    build_treebank,
    format_sentence,
    read_conllu,
    read_treebank,
    write_conllu,
)
from kasu.files.tables import read_tsv

NAMES = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"


def sentences(folder, *lines, name="t.conllu"):
    path = folder / name
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return list(read_conllu(path))


def refused(folder, *lines, name="t.conllu"):
    with pytest.raises(KasuError) as error:
        sentences(folder, *lines, name=name)
    return str(error.value).removeprefix(str(folder / name))


def word(number, form, feats="_", head="_", deprel="_", misc="_"):
    return f"{number}\t{form}\t_\t_\t_\t{feats}\t{head}\t{deprel}\t_\t{misc}"


# Heads


def test_a_tagged_sentence_has_no_heads(tmp_path):
    (tagged,) = sentences(tmp_path, word(1, "Bat"), word(2, "bi"), word(3, "hiru"))
    assert [each.head for each in tagged.words] == ["_", "_", "_"]


def test_some_words_may_lack_a_head(tmp_path):
    lines = word(1, "on", head="2", deprel="mark"), word(2, "y"), word(3, "va", head="0")
    (partial,) = sentences(tmp_path, *lines)
    assert [each.head for each in partial.words] == ["2", "_", "0"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [word(1, "a", head="0", deprel="root"), word(2, "b", deprel="obj")],
            ":2: relation 'obj' of word 2, which has no head;"
            " expected _ in both HEAD and DEPREL, or in neither",
        ),
        (
            ["1-2\tab" + "\t_" * 8, word(1, "a"), word(2, "b", head="3", deprel="obj")],
            ":3: head '3' of word 2 does not exist; expected 0 to 2",
        ),
        (
            [word(1, "a"), word(2, "b", head="3"), word(3, "c", head="2")],
            ":2: word 2 heads itself, through [3, 2]; expected a tree below 0",
        ),
        ([word(1, "a", head="-")], ":1: head '-' of word 1 does not exist; expected 0 to 1"),
    ],
)
def test_heads_that_are_there_must_hold(tmp_path, lines, message):
    assert refused(tmp_path, *lines) == message


def test_sentences_without_all_heads_are_counted(tmp_path):
    parsed = [word(1, "a", head="0", deprel="root"), ""]
    tagged = [word(1, "b"), word(2, "c", head="0", deprel="root"), ""]
    counts = tmp_path / "counts.tsv"
    for lines, last in ((parsed + tagged * 2, "2"), (parsed, None)):
        (tmp_path / "t.conllu").write_text("\n".join(lines), encoding="utf-8")
        build_treebank(tmp_path / "t.conllu", tmp_path / "t.parquet", counts)
        rows = {row["step"]: row["count"] for row in read_tsv(counts)}
        assert rows.get("sentences with words without a head") == last


# Features


@pytest.mark.parametrize(
    ("feats", "message"),
    [
        ("Case=Dat|Case=Dat", "feature Case twice in FEATS (Case=Dat|Case=Dat)"),
        ("Mood=Ind|Tense=Past|mood=Sub", "feature mood twice in FEATS"),
        ("Number[psor]=Sing|A=b|Number[psor]=Plur", "feature Number[psor] twice in FEATS"),
        ("Poss", "'Poss' in FEATS (Poss); expected Name=Value, separated by |, or _ for none"),
        ("Case=|A=b", "'Case=' in FEATS"),
        ("=Nom", "'=Nom' in FEATS"),
        ("A=b|", "'' in FEATS"),
        ("A=b||C=d", "'' in FEATS"),
        ("_|A=b", "'_' in FEATS"),
    ],
)
def test_a_feature_is_named_once_with_a_value(tmp_path, feats, message):
    found = refused(tmp_path, word(1, "a"), word(2, "b", feats=feats), word(3, "c"))
    assert found.startswith(f":2: {message}")
    # Nor does a sentence with sound features before it hide the fault
    assert refused(tmp_path, word(1, "a", feats="A=b"), "", word(1, "b", feats=feats))[:3] == ":3:"


def test_the_feature_of_a_multiword_token_counts_too(tmp_path):
    lines = "1-2\tau\t_\t_\t_\tTypo=Yes|Typo=Yes\t_\t_\t_\t_", word(1, "à"), word(2, "le")
    assert refused(tmp_path, *lines).startswith(":1: feature Typo twice in FEATS")


@pytest.mark.parametrize(
    "feats", ["Number[psor]=Sing|Number=Plur", "Tense=Past|Case=Nom", "A=b=c", "Gender=Fem,Masc"]
)
def test_what_is_allowed_in_features(tmp_path, feats):
    assert sentences(tmp_path, word(1, "a", feats=feats))[0].tokens[0].feats == feats


def test_notes_may_name_a_thing_twice(tmp_path):
    notes = "CxnElt=1|CxnElt=2|flag|Translit="
    assert sentences(tmp_path, word(1, "a", misc=notes))[0].tokens[0].misc == notes


def test_the_memory_of_features_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(conllu_rules, "MOST_SOUND", 3)
    conllu_rules._SOUND.clear()
    sentences(tmp_path, *(word(at, "a", feats=f"A={at}") + "\n" for at in [1] * 3))
    for value in "bcdefg":
        sentences(tmp_path, word(1, "a", feats=f"A={value}"))
        assert len(conllu_rules._SOUND) <= 4


# Cells


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\ta\t\tX\t_\t_\t_\t_\t_\t_", "no lemma; expected a word, or _ where there is none"),
        ("1\ta\ta\tX\t_\t_\t_\t_\t_\t", "no misc; expected a word, or _ where there is none"),
        ("1\ta\ta\tNOUN \t_\t_\t_\t_\t_\t_", "a blank in UPOS: 'NOUN '; expected blanks in words"),
        ("1\ta\ta\tX\tN N\t_\t_\t_\t_\t_", "a blank in XPOS: 'N N'"),
        ("1\ta\ta\tX\t_\t_\t0\troot\xa0\t_\t_", "a blank in DEPREL: 'root\\xa0'"),
        ("1 \ta\ta\tX\t_\t_\t0\troot\t_\t_", "a blank in ID: '1 '"),
        (
            "1\ta\ta\tX\t_\t_\t_\t_\t_\t_ ",
            "a blank around MISC: '_ '; expected blanks within notes",
        ),
        ("1\ta\ta\tX\t_\t_\t_\t_\t_\tA=b\xa0", "a blank around MISC: 'A=b\\xa0'"),
        ("1\ta\ta\tX\t_\t_\t_\t_\t_\t SpaceAfter=No", "a blank around MISC: ' SpaceAfter=No'"),
        ("1\ta\ta\0\tX\t_\t_\t_\t_\t_\t_", "a NUL character"),
    ],
)
def test_a_cell_is_not_empty_and_has_no_blank(tmp_path, line, message):
    assert refused(tmp_path, "# a b", line).startswith(f":2: {message}")


def test_words_and_notes_may_have_blanks(tmp_path):
    (sentence,) = sentences(tmp_path, "1\t10 000\t10 000\tNUM\t_\t_\t_\t_\t_\tGloss=ten thousand")
    assert sentence.tokens[0].lemma == "10 000"


# Columns


@pytest.mark.parametrize(
    ("columns", "line", "expected"),
    [
        ("ID FORM", "1\tetxe", "1\tetxe" + "\t_" * 8),
        ("FORM ID UPOS", "etxe\t1\tNOUN", "1\tetxe\t_\tNOUN" + "\t_" * 6),
        ("ID MISC FORM", "1\tA=b|C=d\tize", "1\tize\t_\t_\t_\t_\t_\t_\t_\tA=b|C=d"),
        (
            "MISC DEPS DEPREL HEAD FEATS XPOS UPOS LEMMA FORM ID",
            "m\td\troot\t0\tA=b\tx\tX\tl\tf\t1",
            "1\tf\tl\tX\tx\tA=b\t0\troot\td\tm",
        ),
        (f"{NAMES} PARSEME:MWE", "1" + "\t_" * 9 + "\t1:LVC", "1" + "\t_" * 9),
        ("MY:X ID FORM", "*\t1\tetxe", "1\tetxe" + "\t_" * 8),
    ],
)
def test_columns_go_by_their_names(tmp_path, columns, line, expected):
    first, second = sentences(
        tmp_path, f"# global.columns = {columns}", "# text = x", line, "", line, name="t.conllup"
    )
    assert format_sentence(first).splitlines() == [
        f"# global.columns = {NAMES}", "# text = x", expected, "",
    ]  # fmt: skip
    assert format_sentence(second) == expected + "\n\n"


@pytest.mark.parametrize(
    "comment", ["# global.columns =", "# global.columns", "#global.columns = "]
)
def test_a_comment_that_names_no_columns_declares_none(tmp_path, comment):
    (sentence,) = sentences(tmp_path, comment, word(1, "hitz"))
    assert sentence.tokens[0].form == "hitz"


@pytest.mark.parametrize(
    "comment", ["#global.columns=", "# global.columns=", "#  global.columns  = "]
)
def test_blanks_of_the_comment_do_not_matter(tmp_path, comment):
    (sentence,) = sentences(tmp_path, f"{comment}FORM \tID", "hitz\t1")
    assert (sentence.tokens[0].id, sentence.tokens[0].form) == ("1", "hitz")


def test_columns_that_are_not_read_are_named_once(tmp_path, caplog):
    lines = ["# global.columns = ID A:B FORM C:D", "1\tx\ta\ty", "", "1\tx\tb\ty"]
    with caplog.at_level(logging.INFO, "kasu"):
        sentences(tmp_path, *lines, name="t.cupt")
    notes = [record.getMessage() for record in caplog.records if "not read" in record.getMessage()]
    assert notes == [f"{tmp_path / 't.cupt'}:1: columns that are not read: A:B, C:D"]


def test_a_file_with_other_columns_makes_a_round_trip_once_it_is_plain(tmp_path):
    path = tmp_path / "t.conllup"
    path.write_text("# global.columns = FORM ID\nbai\t1\n\nez\t1\n\n")
    build_treebank(path, tmp_path / "t.parquet", tmp_path / "counts.tsv")
    write_conllu(tmp_path / "plain.conllu", read_treebank(tmp_path / "t.parquet"))
    again = "".join(map(format_sentence, read_conllu(tmp_path / "plain.conllu")))
    assert (tmp_path / "plain.conllu").read_text() == again
    assert again.startswith(f"# global.columns = {NAMES}\n1\tbai\t_")


def test_two_files_in_one_may_name_the_same_columns(tmp_path):
    lines = ["# global.columns = ID FORM", "1\ta", ""] * 2
    assert [s.tokens[0].form for s in sentences(tmp_path, *lines)] == ["a", "a"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["# global.columns = ID FORM ID", "1\ta\t1"], ":1: ID twice in global.columns"),
        (["# global.columns = FORM A:B A:B", "a\tx\ty"], ":1: A:B twice in global.columns"),
        (["# global.columns = FORM LEMMA", "a\tb"], ":1: global.columns without ID (FORM LEMMA)"),
        (
            ["# global.columns = ID UPOS A:B", "1\tX\tb"],
            ":1: global.columns without FORM (ID UPOS A:B); expected ID, FORM and others of LEMMA",
        ),
        (["# global.columns = ID form", "1\ta"], ":1: global.columns without FORM (ID form)"),
        (
            ["# global.columns = id form", "1\ta"],
            ":1: global.columns without ID and FORM (id form)",
        ),
        (
            ["# global.columns = ID FORM UPOS", "1\ta\tX", "2\tb"],
            ":3: 2 columns; expected 3, tab-separated: ID FORM UPOS",
        ),
        (
            [f"# global.columns = {NAMES} A:B", word(1, "a")],
            f":2: 10 columns; expected 11, tab-separated: {NAMES} A:B",
        ),
        (
            [word(1, "a"), "", "# global.columns = ID FORM", "1\ta"],
            ":3: global.columns = ID FORM;"
            " expected in the first line of the file, and no others later",
        ),
        (
            ["# newdoc", "# global.columns = ID FORM", "1\ta"],
            ":1: global.columns = ID FORM;"
            " expected in the first line of the file, and no others later",
        ),
    ],
)
def test_columns_that_cannot_be_read_are_one_line(tmp_path, lines, message):
    assert refused(tmp_path, *lines).startswith(message)

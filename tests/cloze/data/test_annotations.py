"""Sheets for annotators, what they return, and their agreement."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.cloze.data.annotations import (
    AGREEMENT,
    SHEET,
    agreement_rows,
    kappa,
    make_item,
    plausible,
    read_annotations,
    read_cell,
    sheet_cell,
    sheet_rows,
)
from kasu.cloze.data.sentences import Word
from kasu.corpora.paradigms.unimorph import ParadigmCell, Paradigms
from kasu.files.tables import write_tsv

# "We saw the dog": dogs fits as well (§3.2)
WORDS = [
    Word("We", "we", "PRO"),
    Word("saw", "see", "V;IND;PST;FIN"),
    Word("the", "the", "DET"),
    Word("dog", "dog", "N;SG"),
]
DOG = Paradigms(
    ParadigmCell("dog", form, features)
    for form, features in (
        ("dog", "N;SG"), ("dogs", "N;PL"), ("dog's", "N;GEN;SG"),
        ("dogged", "V;PST"), ("dogged", "V;V.PTCP;PST"),
    )
)  # fmt: skip


@pytest.fixture
def item():
    return make_item("s1", WORDS, 3, DOG)


@pytest.fixture
def returned(tmp_path, item):
    """Read a sheet with these marks in order of the forms."""

    def read(*marks: str, name: str = "sheet.tsv", **changed: str):
        rows = [
            row | {"fits": mark} | changed
            for row, mark in zip(sheet_rows([item]), marks, strict=False)
        ]
        write_tsv(tmp_path / name, rows, SHEET)
        return read_annotations(tmp_path / name, [item])

    return read


def test_the_sheet_has_the_forms_of_the_class_of_the_word(item):
    shared = {"item": "s1:4", "sentence": "We saw the ___", "lemma": "dog"}
    assert list(sheet_rows([item])) == [
        shared | {"form": "dog", "features": "N;SG", "original": "x", "fits": "x"},
        shared | {"form": "dogs", "features": "N;PL", "original": "", "fits": ""},
        shared | {"form": "dog's", "features": "N;GEN;SG", "original": "", "fits": ""},
    ]


def test_participles_are_verbs():
    words = [Word("dogged", "dog", "V;PST;V.PTCP")]
    table = Paradigms(
        [ParadigmCell("dog", "dogged", "V.PTCP;PST"), ParadigmCell("dog", "dog", "V;NFIN")]
    )
    assert list(make_item("s", words, 0, table).forms) == ["dogged", "dog"]


def test_without_a_cell_of_the_class_all_forms_are_given():
    words = [Word("Dogged", "dog", "ADJ")]
    assert dict(make_item("s", words, 0, DOG).forms) == {
        "Dogged": ["V;PST", "V;V.PTCP;PST"],
        "dog": ["N;SG"],
        "dogs": ["N;PL"],
        "dog's": ["N;GEN;SG"],
    }


def test_marks_are_read_back(returned):
    assert returned("x", "X ", "") == {"s1:4": {"dog", "dogs"}}


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("etxe", '"etxe"'),
        ("", '""'),
        ("'tis", '"\'tis"'),
        ('"Bai," dio', '"""Bai,"" dio"'),
        ("-ak", '"\'-ak"'),
        ("=o", '"\'=o"'),
        ("+49", '"\'+49"'),
        ("@SUM(1)", '"\'@SUM(1)"'),
        ("＝1", '"\'＝1"'),
        ("－ak", '"\'－ak"'),
        (" \u00a0=1", '"\' \u00a0=1"'),
        ('"=1"', '"\'""=1"""'),
        ("'-ak", "\"''-ak\""),
        ("a-b;=1", '"a-b;=1"'),
    ],
)
def test_a_cell_is_quoted_and_one_that_would_run_has_an_apostrophe(text, cell):
    assert sheet_cell(text) == cell
    assert read_cell(cell) == text


@given(st.text(st.sampled_from(list("'\"=-@＋ \ufeffaé;,")), max_size=6))
def test_a_cell_makes_a_round_trip(text):
    cell = sheet_cell(text)
    assert read_cell(cell) == text
    (shown,) = next(csv.reader(io.StringIO(cell)))  # as any spreadsheet reads it
    assert shown.startswith("'") or not re.match(r"[\s'\"\ufeff]*[=@＋-]", shown)


ODD = ["dog", "-ak", "=o", "'-x", "'tis", '"Bai"', 'a"b', "a;=1", "x,@y", "＝", "''=", "-"]


@pytest.fixture
def odd():
    """An item with forms that begin or end as code of a spreadsheet does."""
    item = make_item("=s1", WORDS, 3, DOG)
    return item._replace(forms={form: ["N;SG"] for form in ODD})


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONE])
def test_what_a_spreadsheet_saves_is_read_back(tmp_path, odd, quoting):
    rows = [{name: sheet_cell(cell) for name, cell in row.items()} for row in sheet_rows([odd])]
    write_tsv(tmp_path / "sheet.tsv", rows, SHEET)
    with (tmp_path / "sheet.tsv").open(newline="") as file:
        opened = list(csv.reader(file, delimiter="\t"))
    assert all(len(row) == 7 for row in opened)
    marked = [
        opened[0],
        *([*row[:6], "x" if row[3] in ("'-ak", "''-x") else ""] for row in opened[1:]),
    ]
    with (tmp_path / "back.tsv").open("w", newline="") as file:
        quote = None if quoting == csv.QUOTE_NONE else '"'
        csv.writer(file, delimiter="\t", quoting=quoting, quotechar=quote).writerows(marked)
    assert read_annotations(tmp_path / "back.tsv", [odd]) == {"=s1:4": {"-ak", "'-x"}}


def test_apostrophes_may_be_gone(tmp_path, odd):
    rows = [row | {"fits": "x"} for row in sheet_rows([odd]) if row["form"] != "'-x"]
    fewer = odd._replace(forms={form: () for form in ODD if form != "'-x"})
    write_tsv(tmp_path / "back.tsv", rows, SHEET)
    assert read_annotations(tmp_path / "back.tsv", [fewer]) == {"=s1:4": {*ODD} - {"'-x"}}


def test_items_may_be_missing(item, returned):
    assert returned() == {}
    assert plausible(item, [{}]) == ("dog",)


@pytest.mark.parametrize(
    ("marks", "changed", "message"),
    [
        ("xx", {}, 'sheet.tsv: s1:4: no line for "dog\'s"; expected all forms of an item'),
        (["", "", ""], {}, "sheet.tsv: s1:4: no form that fits; expected one or more"),
        ("xyx", {}, "sheet.tsv:3: the mark 'y'; expected x or nothing"),
        ("x", {"item": "s9:1"}, "sheet.tsv:2: no item 's9:1'; expected items of sheet.tsv"),
        (
            "x",
            {"form": "cat"},
            "sheet.tsv:2: s1:4: no form 'cat'; expected one of dog, dogs, dog's",
        ),
        ("xx", {"form": "dog"}, "sheet.tsv:3: s1:4: 'dog' again; expected each form once"),
    ],
)
def test_a_bad_sheet_is_one_line(returned, marks, changed, message):
    with pytest.raises(KasuError) as raised:
        returned(*marks, **changed)
    assert str(raised.value).endswith(message)


def test_a_form_fits_if_more_than_half_marked_it(item, returned):
    one, both, genitive = returned("x", "", ""), returned("", "x", ""), returned("x", "x", "x")
    assert plausible(item, [one]) == ("dog",)
    assert plausible(item, [one, both]) == ("dog",)
    assert plausible(item, [one, both, genitive]) == ("dog", "dogs")
    assert plausible(item, [both]) == ("dog", "dogs")


def test_agreement_of_each_pair(item, returned):
    found = {
        "anna": returned("x", "x", ""),
        "ben": returned("x", "x", "x"),
        "cleo": returned("", "x", ""),
        "dora": {},
    }
    rows = [list(row.values()) for row in agreement_rows(found, [item])]
    assert [row[:2] for row in rows][:4] == [
        ["anna", "ben"], ["anna", "cleo"], ["anna", "dora"], ["ben", "cleo"],
    ]  # fmt: skip
    # items, forms, agreed, kappa, same sets: the form of the text does not count
    assert rows[0][2:] == [1, 2, 0.5, 0.0, 0.0]
    assert rows[1][2:] == [1, 2, 1.0, 1.0, 1.0]
    assert rows[2][2:] == [0, 0, None, None, None]
    assert list(agreement_rows(found, [item])[0]) == list(AGREEMENT)


def test_kappa_of_a_textbook_table():
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5."""
    judged = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10
    assert kappa(judged + [(False, False)] * 15) == pytest.approx(0.4)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_kappa_does_not_depend_on_who_is_first_nor_on_what_is_called_yes(judged):
    value = kappa(judged)
    for other in ([(b, a) for a, b in judged], [(not a, not b) for a, b in judged]):
        assert kappa(other) == (value if value is None else pytest.approx(value))
    assert value is None or -1 <= value <= 1
    assert kappa([(a, a) for a, _ in judged]) in (1, None)

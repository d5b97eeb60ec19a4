"""Benchmarks are read from every form of table; bad ones are refused in one line."""

import json

import pytest

from kasu.audits.data.items import read_benchmark
from kasu.base.errors import KasuError
from kasu.files.tables import read_csv

PAIR = {"sentence_good": "ni naiz", "sentence_bad": "ni da"}
CHOICE = {"context": ["a", "b"], "candidates": ["c", "d", "e"], "label": 1}
SET = {"masked": "[MASK] da", "form_nom": "hau", "form_erg": "honek", "grammatical": "nom"}


@pytest.mark.parametrize("rows", [[PAIR], [{"sen": "ni naiz", "wrong_sen": "ni da"}]])
def test_pairs(benchmark, rows):
    found = read_benchmark(benchmark(rows))
    assert (found.form, found.options, [*found.right]) == (
        "minimal pairs", (["ni naiz", "ni da"],), [0],
    )  # fmt: skip
    assert (found.names, found.contexts, [*found.columns]) == (("1",), ([],), [*rows[0]])


def test_sets(benchmark):
    found = read_benchmark(benchmark([SET, SET | {"grammatical": "erg"}]))
    assert found.options == (["hau da", "honek da"],) * 2
    assert found.strings == (["hau", "honek"],) * 2
    assert found.contexts == (["", " da"],) * 2
    assert ([*found.right], found.columns) == ([0, 1], ["form_nom", "form_erg"])


def test_the_column_of_the_right_form_may_say_so(benchmark):
    row = {"masked_text": "[MASK] da", "form_ungrammatical_erg": "honek"}
    found = read_benchmark(benchmark([row | {"form_grammatical_nom": "hau"}]))
    assert [*found.right] == [1]


@pytest.mark.parametrize("label", [1, "1", "d"])
def test_choices(benchmark, label):
    found = read_benchmark(benchmark([CHOICE | {"label": label}]))
    assert (found.form, [*found.right], found.contexts) == ("multiple choice", [1], (["a", "b"],))
    assert found.columns == ["candidate_1", "candidate_2", "candidate_3"]


@pytest.mark.parametrize(("suffix", "comma"), [("tsv", "\t"), ("csv", ",")])
def test_tables_have_lists_in_json(tmp_path, suffix, comma):
    path = tmp_path / f"items.{suffix}"
    cells = ['["a", "b"]', '["c", "d"]', "0"]
    if suffix == "csv":
        cells = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    path.write_text(f"{comma.join(('context', 'candidates', 'answer'))}\n{comma.join(cells)}\n")
    found = read_benchmark(path)
    assert (found.contexts, found.options, [*found.right]) == ((["a", "b"],), (["c", "d"],), [0])


def test_texts_wholly_in_quotation_marks_are_counted_in_a_plain_tsv(tmp_path, caplog):
    path = tmp_path / "items.tsv"
    path.write_text('sen\twrong_sen\n"Bai."\tEz "da"\n')
    assert read_benchmark(path).options == (['"Bai."', 'Ez "da"'],)
    assert caplog.messages == [f"{path}: texts that stand in quotation marks and keep them: 1"]


def test_phenomena_and_clusters(benchmark):
    rows = [PAIR | {"type": kind, "lemma": lemma} for kind, lemma in ("ax", "by", "ax", "bz")]
    path = benchmark(rows)
    found = read_benchmark(path)
    assert (found.by, {name: [*where] for name, where in found.groups.items()}) == (
        "type", {"a": [True, False, True, False], "b": [False, True, False, True]},
    )  # fmt: skip
    assert (found.cluster, [*found.clusters]) == ("lemma", [0, 1, 0, 2])
    alone = read_benchmark(path, by="", cluster="")
    assert (alone.groups, [*alone.clusters]) == ({}, [0, 1, 2, 3])


def test_matrices_are_of_their_variants_and_seeds(benchmark):
    cells = [(variant, seed) for variant in ("released", "paper") for seed in (1, 1, 2)]
    rows = [CHOICE | {"variant": variant, "seed": seed} for variant, seed in cells]
    found = read_benchmark(benchmark(rows))
    assert {name: [*where] for name, where in found.groups.items()} == {
        "released": [True] * 3 + [False] * 3, "paper": [False] * 3 + [True] * 3,
    }  # fmt: skip
    assert (found.by, found.cluster, [*found.clusters]) == ("variant", "seed", [0, 0, 1] * 2)


@pytest.mark.parametrize("item", [CHOICE, PAIR])
def test_one_variant_and_columns_of_other_items_are_no_default(benchmark, item):
    values = ["released"] * 4 if item is CHOICE else "wxyz"
    rows = [item | {"variant": value, "seed": value} for value in values]
    found = read_benchmark(benchmark(rows))
    assert (found.by, found.cluster, [*found.clusters]) == (None, None, [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([{"a": "b", "c": "d"}],
         "columns a, c; expected sentence_good and sentence_bad; or sen and wrong_sen; or masked, "
         "form_... and grammatical (or one form_grammatical_...); or context, candidates and "
         "label"),
        ([CHOICE, CHOICE | {"label": 3}],
         "item 2, label: 3; expected a candidate, or its place from 0 to 2"),
        ([CHOICE | {"label": "f"}],
         "item 1, label: 'f'; expected a candidate, or its place from 0 to 2"),
        ([CHOICE | {"label": True}],
         "item 1, label: True; expected a candidate, or its place from 0 to 2"),
        ([CHOICE | {"label": -1}],
         "item 1, label: -1; expected a candidate, or its place from 0 to 2"),
        ([CHOICE, CHOICE | {"candidates": ["c", "d"], "label": 0}],
         "item 2: 2 candidates; expected 3, as in the first item"),
        ([CHOICE | {"candidates": ["c"], "label": 0}],
         "item 1, candidates: 1 candidates; expected two or more"),
        ([CHOICE | {"candidates": ["c", 4]}], "item 1, candidates: 4; expected a text"),
        ([CHOICE | {"candidates": 4}], "item 1, candidates: 4; expected a list of texts"),
        ([CHOICE | {"candidates": "[c"}], "item 1, candidates: '[c'; expected a list in JSON"),
        ([PAIR | {"item_id": "x"}] * 2,
         "item x: another item has this item_id; expected one item each"),
        ([PAIR | {"sentence_bad": None}], "item 1, sentence_bad: None; expected a text"),
        ([SET | {"grammatical": "dat"}], "item 1, grammatical: 'dat'; expected one of nom, erg"),
        ([SET | {"masked": "hau da"}], "item 1: no [MASK]; expected exactly one"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(benchmark, rows, line):
    path = benchmark(rows)
    with pytest.raises(KasuError) as error:
        read_benchmark(path)
    assert str(error.value).replace(f"{path}: ", "", 1) == line


def test_a_column_that_is_not_there(benchmark):
    path = benchmark([PAIR])
    with pytest.raises(KasuError, match=r"no column 'x' .--by.; expected one of sentence_good"):
        read_benchmark(path, by="x")
    with pytest.raises(KasuError, match=r"no column 'x' .--cluster."):
        read_benchmark(path, cluster="x")


def test_csv(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('﻿a , b\n"x, ""y""","two\nlines"\n\n1,2\n', encoding="utf-8")
    assert read_csv(path) == [{"a": 'x, "y"', "b": "two\nlines"}, {"a": "1", "b": "2"}]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\n1\n", ":2: 1 cells; expected 2"),
        ("a,a\n", ":1: 'a' names two columns; expected a name for each"),
        ('a,b\n"x,y\n', ":2: no CSV (unexpected end of data); expected closed quotes"),
    ],
)
def test_bad_csv_is_one_line(tmp_path, text, line):
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(KasuError) as error:
        read_csv(path)
    assert str(error.value) == f"{path}{line}"


def test_no_traceback_on_any_scalar(benchmark):
    """Whatever JSON has in a place, the file is read or refused."""
    for value in (None, 1, 1.5, True, "", [], {}, [[]], ["a", None]):
        for row in (PAIR, SET, CHOICE):
            for column in row:
                try:
                    read_benchmark(benchmark([row, json.loads(json.dumps(row | {column: value}))]))
                except KasuError as error:
                    assert "\n" not in str(error)

"""Items from files, and malformed ones."""

import json

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import write_parquet, write_tsv
from kasu.lm.scoring.items import Item, read_items

PAIR = {"item_id": "p1", "sentence_good": "Etxea da .", "sentence_bad": "Etxeak da ."}
SET = {
    "item_id": "s1", "sentence_id": "wiki_1", "masked": "[MASK] da .", "form_nom": "Etxea",
    "form_erg": "Etxeak",
}  # fmt: skip


def write(tmp_path, *rows):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_pairs_from_all_file_formats(tmp_path):
    tsv, parquet = tmp_path / "items.tsv", tmp_path / "items.parquet"
    write_tsv(tsv, [PAIR], list(PAIR))
    table = pa.Table.from_pylist([PAIR])
    write_parquet(parquet, table, table.schema)
    for path in (write(tmp_path, PAIR), tsv, parquet):
        assert read_items(path) == [
            Item("p1", "sentence_good", "Etxea da ."),
            Item("p1", "sentence_bad", "Etxeak da ."),
        ]


def test_a_set_has_one_text_per_form(tmp_path):
    assert read_items(write(tmp_path, SET)) == [
        Item("s1", "form_nom", "Etxea da .", "[MASK] da .", "Etxea"),
        Item("s1", "form_erg", "Etxeak da .", "[MASK] da .", "Etxeak"),
    ]


def test_items_without_names_are_numbered_and_columns_can_be_chosen(tmp_path):
    path = write(tmp_path, *({"sentence_good": "a", "sentence_bad": "b"} for _ in range(2)))
    assert [item.item_id for item in read_items(path, ["sentence_bad"])] == ["1", "2"]


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([], "no items"),
        ([{"item_id": "1", "text": "a"}], "no columns to score"),
        ([PAIR, PAIR], "item p1: another item has this item_id"),
        ([SET | {"masked": "Etxea da ."}], r"item s1: no \[MASK\]; expected exactly one"),
        ([SET | {"masked": "[MASK] [MASK]"}], r"item s1: 2 \[MASK\]; expected exactly one"),
        ([SET | {"form_erg": " "}], "item s1, form_erg: ' '; expected a text"),
        ([PAIR | {"sentence_bad": None}], "item p1, sentence_bad: None; expected a text"),
        ([PAIR, {"item_id": "p2", "sentence_good": "a"}], "item p2: no column 'sentence_bad'"),
        ([[1]], "items.jsonl:1: list; expected one object per line"),
    ],
)
def test_a_wrong_item_ends_in_one_line(tmp_path, rows, error):
    with pytest.raises(KasuError, match=error):
        read_items(write(tmp_path, *rows))


def test_a_wrong_file_ends_in_one_line(tmp_path):
    path = write(tmp_path)
    path.write_text("no json\n")
    with pytest.raises(KasuError, match=r"items.jsonl:1: invalid JSON"):
        read_items(path)
    with pytest.raises(KasuError, match=r"ending in '\.txt'"):
        read_items(tmp_path / "items.txt")
    with pytest.raises(KasuError, match="no such file"):
        read_items(tmp_path / "none.tsv")


def test_other_names_of_columns(tmp_path):
    named = PAIR | {"sentence_id": "wiki_1"}
    assert [item.column for item in read_items(write(tmp_path, named))] == [
        "sentence_good", "sentence_bad",
    ]  # fmt: skip
    masked = {"item_id": "1", "masked_text": "[MASK] da .", "form_a": "Etxea", "sentence_x": "y"}
    assert read_items(write(tmp_path, masked)) == [
        Item("1", "form_a", "Etxea da .", "[MASK] da .", "Etxea")
    ]

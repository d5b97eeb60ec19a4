"""Items from files, and malformed ones."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet, write_tsv
from kasu.lm.scoring.items import ItemText, has_masks, read_items

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
            ItemText("p1", "sentence_good", "Etxea da ."),
            ItemText("p1", "sentence_bad", "Etxeak da ."),
        ]


def test_a_set_has_one_text_per_form(tmp_path):
    assert read_items(write(tmp_path, SET)) == [
        ItemText("s1", "form_nom", "Etxea da .", "[MASK] da .", "Etxea"),
        ItemText("s1", "form_erg", "Etxeak da .", "[MASK] da .", "Etxeak"),
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
        ItemText("1", "form_a", "Etxea da .", "[MASK] da .", "Etxea")
    ]


def columns_of(path, *chosen):
    return list(dict.fromkeys(item.column for item in read_items(path, chosen)))


@pytest.mark.parametrize("pair", [("sentence_good", "sentence_bad"), ("sen", "wrong_sen")])
def test_a_pair_is_scored_and_nothing_beside_it(tmp_path, caplog, pair):
    caplog.set_level("INFO", "kasu")
    right, wrong = pair
    row = {"sentence_source": "UD", right: "Etxea da .", wrong: "Etxeak da .", "sentence_length": 3}
    path = write(tmp_path, row)
    assert columns_of(path) == [right, wrong]
    line = f"{path}: scoring {right}, {wrong}; not sentence_source, sentence_length"
    assert caplog.messages == [line]


def test_of_two_pairs_that_of_blimp_is_scored(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    path = write(tmp_path, {"sen": "a", "wrong_sen": "b"} | PAIR)
    assert columns_of(path) == ["sentence_good", "sentence_bad"]
    assert caplog.messages == [f"{path}: scoring sentence_good, sentence_bad; not sen, wrong_sen"]


def test_the_second_order_of_a_pair_is_scored_with_it(tmp_path):
    again = {"sentence_good_order": "Da etxea .", "sentence_bad_order": "Da etxeak ."}
    path = write(tmp_path, PAIR | again | {"sentence_good_gloss": "It is a house ."})
    assert columns_of(path) == [
        "sentence_good", "sentence_bad", "sentence_good_order", "sentence_bad_order",
    ]  # fmt: skip


def test_numbers_are_no_sentences(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    path = tmp_path / "items.tsv"
    path.write_text("sentence_a\tsentence_b\tsentence_length\na\tb\t1\n2\tb\t2\n")
    assert columns_of(path) == ["sentence_a", "sentence_b"]
    assert caplog.messages == [
        f"{path}: scoring sentence_a, sentence_b; not sentence_length",
    ]


def test_numbers_are_no_forms_and_no_second_pair(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    numbers = {"form_frequency": 12, "form_rank": "3.5"}
    assert columns_of(write(tmp_path, SET | numbers)) == ["form_nom", "form_erg"]
    assert caplog.messages[0].endswith("form_nom, form_erg; not form_frequency, form_rank")
    lengths = {"sentence_good_length": "3", "sentence_bad_length": "4"}
    assert columns_of(write(tmp_path, PAIR | lengths)) == ["sentence_good", "sentence_bad"]
    # Items may be numerals, and words that Python reads as numbers
    pair = {"sentence_good": "12", "sentence_bad": "Ez ."}
    assert columns_of(write(tmp_path, pair)) == ["sentence_good", "sentence_bad"]
    words = SET | {"form_nom": "nan", "form_erg": "inf"}
    assert columns_of(write(tmp_path, words)) == ["form_nom", "form_erg"]


def test_a_column_without_a_name_is_no_sentence(tmp_path, caplog):
    """As pandas names the index, or a tab at the end of each line does."""
    caplog.set_level("INFO", "kasu")
    path = tmp_path / "items.tsv"
    for text in (
        "\tsentence_good\tsentence_bad\n0\ta\tb\n", "sen\twrong_sen\t\na\tb\t\n",
        "\tsentence_good\tsentence_bad\nx\ta\tb\n",
    ):  # fmt: skip
        path.write_text(text)
        assert len(columns_of(path)) == 2
    assert caplog.messages[-1] == f"{path}: scoring sentence_good, sentence_bad"


def test_other_sentences_beside_a_masked_one_are_said(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    path = write(tmp_path, PAIR | SET | {"masked_text": "[MASK]", "gloss": "x"})
    assert columns_of(path) == ["form_nom", "form_erg"]
    assert caplog.messages == [
        f"{path}: scoring form_nom, form_erg; not sentence_good, sentence_bad, masked_text",
    ]


def test_columns_that_are_not_asked_for_are_said(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    path = write(tmp_path, PAIR)
    assert columns_of(path, "sentence_bad") == ["sentence_bad"]
    assert caplog.messages == [f"{path}: scoring sentence_bad; not sentence_good"]


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"Sentence_Good": "a", "Sentence_Bad": "b"},
         "a column 'Sentence_Good'; expected sentence_good"),
        ({"sentence_good": "a", "sentence-bad": "b"},
         "a column 'sentence-bad'; expected sentence_bad"),
        ({"sen": "a", "wrongSen": "b"}, "a column 'wrongSen'; expected wrong_sen"),
        ({"sentence_a": "a", "Sentence_b": "b"}, "a column 'Sentence_b'; expected sentence_..."),
        ({"Masked": "[MASK] a", "form_a": "a"}, "a column 'Masked'; expected masked"),
        (SET | {"Grammatical": "nom"}, "a column 'Grammatical'; expected grammatical"),
        (SET | {"FORM_dat": "Etxeari"}, "a column 'FORM_dat'; expected form_..."),
        ({"masked": "[MASK] a", "form_a": "a", "Form b": "b"},
         "a column 'Form b'; expected form_..."),
        ({"sentence_a": "a", "sentence-b": "b"}, "a column 'sentence-b'; expected sentence_..."),
        ({"sentence_good": "a", "sentence_a": "b", "Sentence-Bad": "c"},
         "a column 'Sentence-Bad'; expected sentence_bad"),
    ],
)  # fmt: skip
def test_a_misspelt_column_ends_in_one_line(tmp_path, row, error):
    with pytest.raises(KasuError) as found:
        read_items(write(tmp_path, row))
    assert str(found.value) == f"{tmp_path}/items.jsonl: {error}"


def test_a_column_that_only_begins_alike_is_left_alone(tmp_path):
    row = SET | {"formality": "high", "Sentence_A": "a", "grammatical": "nom", "Format": "x"}
    assert columns_of(write(tmp_path, row)) == ["form_nom", "form_erg"]
    row = {"sentence_a": "a", "Sentence ID": "x1", "sentences": "2", "Sentencehood": "3"}
    assert columns_of(write(tmp_path, row)) == ["sentence_a"]


@pytest.mark.parametrize(
    ("row", "other"),
    [
        ({"sentence_a": "a", "sentence_b": "b"}, "SentenceID"),
        ({"sentence_a": "a", "sentence_b": "b"}, "Sentence type"),
        ({"sentence_a": "a", "sentence_b": "b"}, "sentence-bad"),
        (SET, "Form type"),
        (SET, "form-source"),
    ],
)
def test_a_column_that_is_not_needed_is_said(tmp_path, caplog, row, other):
    caplog.set_level("INFO", "kasu")
    columns_of(write(tmp_path, row | {other: "x"}))
    assert caplog.messages[0].endswith(f"; not {other}")


def test_a_column_of_numbers_is_not_taken_for_a_misspelt_one(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    path = write(tmp_path, {"sentence_a": "a", "Sentence_Length": 3})
    assert columns_of(path) == ["sentence_a"]
    assert caplog.messages == [f"{path}: scoring sentence_a; not Sentence_Length"]


def test_a_column_of_later_rows_alone_is_not_passed_over(tmp_path):
    path = write(tmp_path, {"sentence_a": "a"}, {"sentence_a": "a", "sentence_b": "b"})
    with pytest.raises(KasuError, match="item 1: no column 'sentence_b'; expected sentence_a"):
        read_items(path)
    path = write(tmp_path, PAIR, SET)
    with pytest.raises(KasuError, match="item p1: no column 'masked'"):
        read_items(path)
    assert has_masks(path)


def test_a_column_is_chosen_once(tmp_path):
    with pytest.raises(KasuError, match="columns: 'sentence_bad' twice; expected each once"):
        read_items(write(tmp_path, PAIR), ["sentence_bad", "sentence_bad"])


def test_two_equal_columns_end_in_one_line(tmp_path):
    tsv, lines = tmp_path / "items.tsv", tmp_path / "items.jsonl"
    tsv.write_text("sentence_good\tsentence_bad\tsentence_bad \na\tb\tc\n")
    lines.write_text('{"sentence_good": "a", "sentence_bad": "b", " sentence_bad": "c"}\n')
    parquet = tmp_path / "items.parquet"
    names = ["sentence_good", "sentence_bad", " sentence_bad"]
    pq.write_table(pa.table([["a"], ["b"], ["c"]], names=names), parquet)
    for path, where in ((tsv, f"{tsv}:1"), (parquet, parquet)):
        with pytest.raises(KasuError) as found:
            read_items(path)
        line = f"{where}: 'sentence_bad' names two columns; expected a name for each"
        assert str(found.value) == line
    with pytest.raises(KasuError, match=r"items\.jsonl:1: the key 'sentence_bad' twice or more"):
        read_items(lines)
    pq.write_table(pa.table([["a"], ["b"], ["c"]], names=[*names[:2], names[1]]), parquet)
    with pytest.raises(KasuError, match=r"'sentence_bad' names two columns"):
        read_items(parquet)


def test_blanks_around_the_name_of_a_column_are_stripped(tmp_path):
    tsv, lines = tmp_path / "items.tsv", tmp_path / "items.jsonl"
    tsv.write_text("sentence_good \t sentence_bad\na \t b\n")
    lines.write_text('{"sentence_good ": "a ", " sentence_bad": " b"}\n')
    parquet = tmp_path / "items.parquet"
    pq.write_table(pa.table([["a "], [" b"]], names=["sentence_good ", " sentence_bad"]), parquet)
    for path in (tsv, lines, parquet):
        items = [ItemText("1", "sentence_good", "a "), ItemText("1", "sentence_bad", " b")]
        assert read_items(path) == items


def test_texts_wholly_in_quotation_marks_are_counted_in_a_tsv(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    row = {"sentence_good": '"Bai."', "sentence_bad": '"Bai", dio "Ez".'}
    tsv = tmp_path / "items.tsv"
    tsv.write_text("\t".join(row) + "\n" + "\t".join(row.values()) + '\n"\t"Ez\n')
    assert [item.sentence for item in read_items(tsv)] == [*row.values(), '"', '"Ez']
    note = f"{tsv}: texts that stand in quotation marks and keep them: 1"
    assert caplog.messages[1:] == [note]
    caplog.clear()
    read_items(write(tmp_path, row))
    assert len(caplog.messages) == 1


def test_a_tsv_with_the_quoting_of_a_csv_is_read_without_it(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    tsv = tmp_path / "items.tsv"
    tsv.write_text('sen\twrong_sen\n"""Bai,"" dio."\t"""Bai"""\nEz .\tBai .\n')
    assert [item.sentence for item in read_items(tsv)] == ['"Bai," dio.', '"Bai"', "Ez .", "Bai ."]
    assert len(caplog.messages) == 1

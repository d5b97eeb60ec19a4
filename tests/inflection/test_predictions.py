"""The file of predictions: its order, and what does not fit the test set."""

import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, write_parquet
from kasu.inflection.data.triples import TRIPLES, Triple
from kasu.inflection.predictions import PREDICTIONS, read_predictions, write_predictions

TEST = [Triple("kasu", "kasua", "N;SG"), Triple("mutil", "mutilak", "N;PL")]


def items(triples=TEST):
    return TRIPLES.empty_table().from_pylist([triple._asdict() for triple in triples], TRIPLES)


def test_rows_are_grouped_by_variant_then_seed_in_the_order_of_the_test_set(tmp_path):
    found = {("b", 2): ["x", "y"], ("b", 1): ["v", "w"], ("a", 1): ["t", "u"]}
    write_predictions(tmp_path / "p.parquet", TEST, found)
    table = read_parquet(tmp_path / "p.parquet")
    assert table.schema == PREDICTIONS
    assert table["prediction"].to_pylist() == ["t", "u", "v", "w", "x", "y"]
    assert table["variant"].to_pylist() == ["a", "a", "b", "b", "b", "b"]
    assert table["seed"].to_pylist() == [1, 1, 1, 1, 2, 2]
    assert table["form"].to_pylist() == ["kasua", "mutilak"] * 3


def test_what_was_written_is_read(tmp_path):
    found = {(None, None): ["kasua", ""], ("b", 7): [" kasua ", "mutilak"]}
    write_predictions(tmp_path / "p.parquet", TEST, found)
    assert read_predictions(tmp_path / "p.parquet", items()) == found


def test_no_variant_is_a_file_without_a_row(tmp_path):
    write_predictions(tmp_path / "p.parquet", TEST, {})
    assert read_parquet(tmp_path / "p.parquet").schema == PREDICTIONS
    assert read_predictions(tmp_path / "p.parquet", items()) == {}


def test_a_form_for_each_item(tmp_path):
    message = "1 forms of variant a, seed None; expected 2, one a test item"
    with pytest.raises(KasuError, match=message):
        write_predictions(tmp_path / "p.parquet", TEST, {("a", None): ["x"]})
    assert not (tmp_path / "p.parquet").exists()


def written(path, rows):
    rows = [dict(zip(PREDICTIONS.names, row, strict=True)) for row in rows]
    write_parquet(path, rows, PREDICTIONS)
    return path


ROWS = [("kasu", "N;SG", "kasua", "x", "a", None), ("mutil", "N;PL", "mutilak", "y", "a", None)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS[:1], "parquet:2: not the next test item; expected all, in their order"),
        (ROWS[::-1], "parquet:1: not the next test item"),
        (ROWS + ROWS[:1], "parquet:4: not the next test item"),
        ([ROWS[0], (*ROWS[1][:2], "mutila", *ROWS[1][3:])], "parquet:2: not the next test item"),
        ([ROWS[0], (*ROWS[1][:4], "b", None)], "parquet:1: rows of a variant and seed apart"),
        (ROWS + ROWS, "parquet:3: rows of a variant and seed apart"),
    ],
)
def test_rows_that_do_not_fit_the_test_set_are_one_line(tmp_path, rows, message):
    with pytest.raises(KasuError, match=message):
        read_predictions(written(tmp_path / "p.parquet", rows), items())

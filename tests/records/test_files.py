"""The files of the record: the newest row of a figure holds, and what is gone states nothing."""

import pytest

from kasu.base.errors import KasuError
from kasu.base.paths import own
from kasu.files.tables import read_tsv
from kasu.records.files import (
    FINGERPRINTS,
    MEASURED,
    MEASURED_FOLDER,
    expect_record,
    fingerprints,
    key,
    newest,
    states,
)


def row(**cells):
    return dict.fromkeys(MEASURED, "") | {"config": "real", "table": "Table 4"} | cells


def test_the_last_row_of_a_figure_is_the_newest_and_the_youngest():
    rows = [
        row(system="a", value="1"),
        row(system="b", value="2"),
        row(system="a", value="3"),
    ]
    assert [(each["system"], each["value"]) for each in newest(rows).values()] == [
        ("b", "2"),
        ("a", "3"),
    ]


@pytest.mark.parametrize("column", ["config", "table", "system", "condition", "metric", "variant"])
def test_a_figure_is_named_by_its_key(column):
    assert key(row()) != key(row(**{column: "other"}))
    assert key(row()) == key(row(value="1", verdict="agrees", commit="c", why="w"))


@pytest.mark.parametrize(
    ("cells", "stated"),
    [({"value": "0.000000"}, True), ({"verdict": "holds"}, True), ({"commit": "c1"}, False)],
)
def test_a_row_without_value_and_verdict_says_that_a_figure_is_gone(cells, stated):
    assert states(row(**cells)) is stated


def test_a_fingerprint_is_a_difference_with_its_verdict(store, fingerprint):
    fingerprint()
    (made,) = fingerprints(store, "inflection")
    assert made == dict.fromkeys(MEASURED, "") | {
        "config": "systems", "table": FINGERPRINTS, "system": "uzh-01", "metric": "difference",
        "condition": "low|uzh-01|12 languages", "unit": "percent", "value": "0.01",
        "low": "-0.01", "high": "0.03", "verdict": "agrees", "evidence": "within 2 points",
        "commit": "f1",
    }  # fmt: skip
    assert fingerprints(store, "cloze") == []


def test_without_a_record_one_line_says_where_it_lies(tmp_path):
    with pytest.raises(KasuError) as error:
        expect_record(tmp_path)
    assert str(error.value) == (
        f"{tmp_path}: no record; an installed package does not hold it; expected Kasu's own "
        "folder, as cloned: its resources/measured is the record"
    )


def test_kasus_own_record_has_rows_of_every_study():
    store = own(MEASURED_FOLDER)
    expect_record(store)
    files = sorted((store / "figures").glob("*.tsv"))
    assert [file.stem for file in files] == [
        "agreement", "blm", "cloze", "inflection", "minimal_sets", "pretraining",
    ]  # fmt: skip
    assert all(newest(read_tsv(file, MEASURED)) for file in files)

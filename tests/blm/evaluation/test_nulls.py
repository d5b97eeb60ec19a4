"""Table 1 with the nulls beside networks and print."""

from kasu.blm.evaluation.nulls import BESIDE_NULLS, tabulate_nulls
from kasu.files.tables import read_tsv, write_tsv
from kasu.results.comparison import TABLE

CELL = "allTrain|train=type_I|test=type_II"


def shown(system: str, ours: float | None, **changes) -> dict:
    row = dict.fromkeys(TABLE) | {"paper": "p", "table": "Table 1", "unit": "fraction"}
    row |= {"system": system, "condition": CELL, "metric": "f1_mean", "variant": "released"}
    return row | {"ours": ours} | changes


def test_a_network_stands_beside_every_null(tmp_path):
    rows = [
        shown("FFNN", 0.5, published=0.65, low=0.4, high=0.6, n=231),
        shown("FFNN", 0.25, seed=1),
        shown("FFNN", 0.1, metric="f1_std"),
        shown("CNN", None, published=0.63, variant=None),
        shown("parallelogram", 1.0),
        shown("medoid", 0.75),
        shown("frequency", 0.2),
        shown("copy_unseen", 0.2),
        shown("random", 0.125),
        shown("oracle", 1.0),
        shown("medoid", 0.5, variant="paper"),
    ]
    write_tsv(tmp_path / "table_1.tsv", rows, TABLE)
    tabulate_nulls(tmp_path / "table_1.tsv", tmp_path / "nulls.tsv")
    (row,) = read_tsv(tmp_path / "nulls.tsv", BESIDE_NULLS)
    assert row == {
        "regime": "allTrain", "train": "type_I", "test": "type_II", "variant": "released",
        "system": "FFNN", "published": "0.65", "ours": "0.5", "low": "0.4", "high": "0.6",
        "n": "231", "parallelogram": "1.0", "medoid": "0.75", "frequency": "0.2",
        "copy_unseen": "0.2", "random": "0.125", "best_null": "parallelogram",
        "above_best": "-0.5",
    }  # fmt: skip

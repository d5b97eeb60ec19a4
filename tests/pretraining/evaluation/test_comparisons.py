"""Paired comparisons: which pairs are compared, in whatever order the files have them."""

import numpy as np
import pytest

from kasu.files.tables import read_parquet, write_parquet
from kasu.pretraining.data.pairs import PAIRS
from kasu.pretraining.evaluation.comparisons import common_kept, compare, paired_values
from kasu.pretraining.evaluation.pair_results import read_checkpoints


def test_pairs_are_matched_by_item_id(make_run, tmp_path):
    run = make_run("mBERT", [1, -1, 1, 1])
    rows = read_parquet(run.pairs).to_pylist()
    write_parquet(tmp_path / "turned.parquet", rows[:0:-1], PAIRS)
    other = make_run("IXAmBERT", [1, 1, -1, 1])._replace(pairs=tmp_path / "turned.parquet")
    scores = read_parquet(other.scores)
    write_parquet(other.scores, scores.slice(2), scores.schema)
    cells = read_checkpoints([run, other])
    by_name = {key.system: cell for key, cell in cells.items()}
    a, b, _ = paired_values(by_name["mBERT"], by_name["IXAmBERT"])
    # pair 1 is not in the other set
    assert a.tolist() == [0, 1, 1]
    assert b.tolist() == [1, 0, 1]


def test_only_nulls(make_run):
    cells = read_checkpoints([make_run("trigram", [1, 1], dropped=[0], definition="trigram")])
    ((_, _, common),) = common_kept(cells)
    assert common.tolist() == [False, True]


def test_no_row_without_common_pairs(make_run):
    runs = [make_run("a", [1, 1], dropped=[0]), make_run("b", [1, 1], dropped=[1])]
    assert compare(read_checkpoints(runs), seed=1) == []


def test_systems_are_compared_on_one_set(make_run):
    def rows_of(*variants: str) -> list[dict]:
        leads = {"a": [1] * 6, "b": [-1] * 6, "c": [1, -1] * 3}
        runs = [make_run(*each, variant=name) for name in variants for each in leads.items()]
        return compare(read_checkpoints(runs), seed=1)

    both, main = rows_of("", "mine"), rows_of("")
    assert [(row["a"], row["b"], row["variant"]) for row in both] == [
        ("a", "b", ""), ("a", "c", ""), ("b", "c", ""),
        ("a", "b", "mine"), ("a", "c", "mine"), ("b", "c", "mine"),
    ]  # fmt: skip
    # a further set does not change the correction
    assert both[:3] == main


def test_twins_of_every_segmentation_are_compared_with_the_text(make_run):
    runs = [
        make_run("BERT8L-eu5M", [1, 1], epoch=1),
        make_run("BERT8L-eu5M-lemma", [1, -1], epoch=1),
        make_run("BERT8L-eu5M-lemma", [1, -1], epoch=1, variant="released segmentation"),
    ]
    rows = compare(read_checkpoints(runs), seed=1)
    assert [(row["comparison"], row["variant"]) for row in rows] == [
        ("twins", ""), ("twins", "released segmentation"),
    ]  # fmt: skip


def test_runs_are_averaged(make_run):
    runs = [make_run("a", lead, seed=seed) for seed, lead in enumerate(([1, 1], [-1, 1]))]
    cells = read_checkpoints([*runs, make_run("b", [1, 1])])
    a, b = cells.values()
    values, others, _ = paired_values(a, b)
    assert values.tolist() == [0.5, 1.0] and np.all(others == 1)


def test_every_cell_of_a_row_by_hand(make_run):
    leads = {"a": [1] * 6, "b": [1, 1, 1, 1, -1, 1], "trigram": [-1] * 6}
    runs = [
        make_run(name, lead, dropped=[5] if name == "b" else [],
                 definition="trigram" if name == "trigram" else "pll_original")
        for name, lead in leads.items()
    ]  # fmt: skip
    rows = compare(read_checkpoints(runs), seed=1)
    assert [(row["a"], row["b"], row["n"]) for row in rows] == [
        ("a", "b", 5), ("a", "trigram", 6), ("b", "trigram", 5),
    ]  # fmt: skip
    first = rows[0]
    assert [first[name] for name in ("comparison", "condition", "variant")] == [
        "systems",
        "all",
        "",
    ]
    assert (first["accuracy_a"], first["accuracy_b"]) == (1.0, 0.8)
    assert first["difference"] == pytest.approx(0.2)
    assert first["mcnemar_p"] == 1.0
    # three tests: the smallest p counts three times, the next two times
    p = sorted(row["permutation_p"] for row in rows)
    assert sorted(row["holm_p"] for row in rows) == pytest.approx(
        [3 * p[0], max(3 * p[0], 2 * p[1]), max(3 * p[0], 2 * p[1], p[2])]
    )


def test_nulls_are_not_compared_with_each_other_and_twins_at_every_epoch(make_run):
    runs = [
        make_run(f"BERT8L-eu5M{twin}", [1, -1], epoch=epoch)
        for twin in ("", "-lemma")
        for epoch in (1, 2)
    ]
    runs += [make_run(name, [1, 1], definition="trigram") for name in ("t1", "t2")]
    rows = compare(read_checkpoints(runs), seed=1)
    assert [(row["comparison"], row["condition"], row["a"], row["b"]) for row in rows] == [
        ("systems", "all", "BERT8L-eu5M", "t1"),
        ("systems", "all", "BERT8L-eu5M", "t2"),
        ("twins", "epoch=1", "BERT8L-eu5M-lemma", "BERT8L-eu5M"),
        ("twins", "epoch=2", "BERT8L-eu5M-lemma", "BERT8L-eu5M"),
    ]


def test_systems_are_compared_at_their_last_epoch(make_run):
    runs = [
        make_run("BERT8L-eu5M", lead, epoch=epoch) for epoch, lead in ((1, [-1] * 4), (2, [1] * 4))
    ]
    (row,) = compare(read_checkpoints([*runs, make_run("mBERT", [1] * 4)]), seed=1)
    assert (row["accuracy_a"], row["accuracy_b"], row["permutation_p"]) == (1.0, 1.0, 1.0)

"""Reading scores into cells: several seeds, word orders, inconsistent files."""

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.pretraining.data.pairs import PAIRS
from kasu.pretraining.evaluation.pair_results import CheckpointOnPairs, read_checkpoints
from kasu.pretraining.models.trigram import NULL_SCORES


def test_seeds_share_a_cell(make_run):
    runs = [make_run("BERT8L-eu5M", [1, -1, 1], epoch=2, seed=seed, dropped=[seed])
            for seed in (0, 1)]  # fmt: skip
    cells = read_checkpoints([*runs, make_run("mBERT", [1, 1, 1])])
    assert list(cells) == [
        CheckpointOnPairs("BERT8L-eu5M", "", False, 2),
        CheckpointOnPairs("mBERT", "", False, None),
    ]
    cell = cells[CheckpointOnPairs("BERT8L-eu5M", "", False, 2)]
    assert cell.kept.tolist() == [[False, True, True], [True, False, True]]
    assert cell.solved.tolist() == [[True, False, True]] * 2
    value, low, high = cell.share(cell.solved, cell.kept, seed=1)
    assert value == 0.75 and low < 0.75 < high


def test_conditions():
    assert CheckpointOnPairs("x", "", False, None).condition == "all"
    assert CheckpointOnPairs("x", "", False, 64).condition == "epoch=64"


@pytest.mark.parametrize(
    ("key", "further"),
    [
        (CheckpointOnPairs("mBERT", "", False, None), False),
        (CheckpointOnPairs("mBERT", "mine", False, None), True),
        (CheckpointOnPairs("BERT8L-eu5M", "orders", True, 1), False),
        (CheckpointOnPairs("BERT8L-eu5M-lemma", "released segmentation", False, 1), False),
    ],
)
def test_further_sets(key, further):
    assert key.of_further_set == further


def test_second_word_order(make_run):
    cells = read_checkpoints([make_run("BERT8L-eu5M", [1, 1], epoch=1, again=[1, -1])])
    ((key, cell),) = cells.items()
    assert key.reordered
    assert np.array([run.solved for run in cell.reordered]).tolist() == [[True, False]]


def test_pair_without_a_score_is_not_kept(make_run):
    run = make_run("mBERT", [1, 1])
    rows = [row for row in read_parquet(run.scores).to_pylist() if row["item_id"] == "1"]
    write_parquet(run.scores, rows, NULL_SCORES)
    (cell,) = read_checkpoints([run]).values()
    assert cell.kept.tolist() == [[True, False]]
    assert cell.scored.tolist() == [[True, False]]


def test_inconsistent_scores(make_run):
    run = make_run("mBERT", [1, 1])
    with pytest.raises(KasuError, match="mBERT, all: two runs of seed None"):
        read_checkpoints([run, run])
    seeds = [run._replace(epoch=1, seed=seed) for seed in (1, 2, 2)]
    with pytest.raises(KasuError, match="two runs of seed 2; expected one of each seed"):
        read_checkpoints(seeds)
    rows = read_parquet(run.scores).to_pylist()
    mixed = [*rows, rows[0] | {"definition": "causal"}]
    write_parquet(run.scores, mixed, NULL_SCORES)
    with pytest.raises(KasuError, match="scores of causal, pll_original; expected one"):
        read_checkpoints([run])
    rows[0]["item_id"] = "77"
    write_parquet(run.scores, rows, NULL_SCORES)
    with pytest.raises(KasuError, match="item 77: no such pair"):
        read_checkpoints([run])


def test_an_accuracy_without_a_kept_pair_is_zero(make_run):
    (cell,) = read_checkpoints([make_run("mBERT", [1, 1], dropped=[0, 1])]).values()
    assert cell.accuracy == 0.0
    assert cell.share(cell.solved, cell.kept, seed=1) == (None, None, None)


def test_the_accuracy_is_over_kept_pairs_of_all_runs(make_run):
    margins, dropped = {1: [1, -1, 1, 1], 2: [-1, -1, 1, 1]}, {1: [3], 2: []}
    runs = [
        make_run("BERT8L-eu5M", margins[seed], epoch=1, seed=seed, dropped=dropped[seed])
        for seed in (1, 2)
    ]
    (cell,) = read_checkpoints(runs).values()
    assert cell.accuracy == 4 / 7


@pytest.mark.parametrize(("system", "definition"), [("trigram", "trigram"), ("mBERT", "causal")])
def test_a_null_or_model_that_cannot_tell_stands_at_chance(make_run, system, definition):
    (cell,) = read_checkpoints([make_run(system, [0, 0, 0, 1], definition=definition)]).values()
    assert cell.accuracy == 0.625
    assert cell.share(cell.solved, cell.kept, seed=1)[0] == 0.625


def test_near_copies_are_resampled_together(make_run):
    # 20 copies of one sentence, of which half are solved, say nothing of others
    run = make_run("mBERT", [1, -1] * 20)
    rows = read_parquet(run.pairs).to_pylist()
    widths = []
    for clusters in ([n for n in range(40)], [n % 2 for n in range(40)]):
        named = [row | {"source_id": f"s{at}"} for row, at in zip(rows, clusters, strict=True)]
        write_parquet(run.pairs, named, PAIRS)
        (cell,) = read_checkpoints([run]).values()
        _, low, high = cell.share(cell.solved, cell.kept, seed=1)
        widths.append(high - low)
    assert widths[0] == pytest.approx(0.3, abs=0.05)
    assert widths[1] == pytest.approx(0.997, abs=1e-3)


def test_a_pair_is_one_cluster_over_all_runs(make_run):
    runs = [make_run("BERT8L-eu5M", [1, -1] * 20, epoch=1, seed=seed) for seed in range(9)]
    (one,), (nine,) = (read_checkpoints(each).values() for each in (runs[:1], runs))
    assert nine.share(nine.solved, nine.kept, 1) == one.share(one.solved, one.kept, 1)


def test_cells_are_in_the_order_of_system_variant_and_epoch(make_run):
    given = [("b", None), ("a", 10), ("a", 2), ("a", None)]
    keys = read_checkpoints([make_run(system, [1, 1], epoch=epoch) for system, epoch in given])
    assert [(key.system, key.epoch) for key in keys] == [
        ("a", None), ("a", 2), ("a", 10), ("b", None),
    ]  # fmt: skip


def test_a_null_is_no_model(make_run):
    runs = [make_run("mBERT", [1, 1])]
    runs += [make_run(name, [1, 1], definition=name) for name in ("trigram", "fewer_characters")]
    assert {key.system: cell.null for key, cell in read_checkpoints(runs).items()} == {
        "mBERT": False, "trigram": True, "fewer_characters": True,
    }  # fmt: skip


def test_columns_of_pairs(make_run):
    (cell,) = read_checkpoints([make_run("mBERT", [1] * 6)]).values()
    assert cell.values("type") == ["E1", "E2", "E3"]
    assert cell.values("licence") == []
    assert cell.where("level", "B").tolist() == [False] * 3 + [True] * 3

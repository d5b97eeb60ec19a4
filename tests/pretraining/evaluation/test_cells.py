"""Reading scores into cells: several seeds, word orders, inconsistent files."""

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, write_parquet
from kasu.pretraining.evaluation.cells import Key, read_cells
from kasu.pretraining.models.trigram import NULL_SCORES


def test_seeds_share_a_cell(make_run):
    runs = [make_run("BERT8L-eu5M", [1, -1, 1], epoch=2, seed=seed, dropped=[seed])
            for seed in (0, 1)]  # fmt: skip
    cells = read_cells([*runs, make_run("mBERT", [1, 1, 1])])
    assert list(cells) == [Key("BERT8L-eu5M", "", False, 2), Key("mBERT", "", False, None)]
    cell = cells[Key("BERT8L-eu5M", "", False, 2)]
    assert cell.kept.tolist() == [[False, True, True], [True, False, True]]
    assert cell.solved.tolist() == [[True, False, True]] * 2
    value, low, high = cell.share(cell.solved, cell.kept, seed=1)
    assert value == 0.75 and low < 0.75 < high


def test_conditions():
    assert Key("x", "", False, None).condition == "all"
    assert Key("x", "", False, 64).condition == "epoch=64"


@pytest.mark.parametrize(
    ("key", "further"),
    [
        (Key("mBERT", "", False, None), False),
        (Key("mBERT", "mine", False, None), True),
        (Key("BERT8L-eu5M", "orders", True, 1), False),
        (Key("BERT8L-eu5M-lemma", "released segmentation", False, 1), False),
    ],
)
def test_further_sets(key, further):
    assert key.of_further_set == further


def test_second_word_order(make_run):
    cells = read_cells([make_run("BERT8L-eu5M", [1, 1], epoch=1, again=[1, -1])])
    ((key, cell),) = cells.items()
    assert key.reordered
    assert np.array([run.solved for run in cell.reordered]).tolist() == [[True, False]]


def test_pair_without_a_score_is_not_kept(make_run):
    run = make_run("mBERT", [1, 1])
    rows = [row for row in read_parquet(run.scores).to_pylist() if row["item_id"] == "1"]
    write_parquet(run.scores, rows, NULL_SCORES)
    (cell,) = read_cells([run]).values()
    assert cell.kept.tolist() == [[True, False]]
    assert cell.scored.tolist() == [[True, False]]


def test_inconsistent_scores(make_run):
    run = make_run("mBERT", [1, 1])
    with pytest.raises(KasuError, match="mBERT, all: two runs of seed None"):
        read_cells([run, run])
    rows = read_parquet(run.scores).to_pylist()
    mixed = [*rows, rows[0] | {"definition": "causal"}]
    write_parquet(run.scores, mixed, NULL_SCORES)
    with pytest.raises(KasuError, match="scores of causal, pll_original; expected one"):
        read_cells([run])
    rows[0]["item_id"] = "77"
    write_parquet(run.scores, rows, NULL_SCORES)
    with pytest.raises(KasuError, match="item 77: no such pair"):
        read_cells([run])

"""How often the right sentence of a pair has the higher score."""

import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import write_parquet, write_tsv
from kasu.lm.scoring.accuracy import (
    Accuracy,
    accuracy_lines,
    expect_column,
    pair_accuracies,
)
from kasu.lm.scoring.score import SCORES


@pytest.fixture
def scored(tmp_path):
    """Four pairs: right, wrong, a tie, and one that was dropped."""
    kinds = ("number", "case", "case", "case")
    rows = [{"sen": "a", "wrong_sen": "b", "phenomenon": kind} for kind in kinds]
    write_tsv(tmp_path / "pairs.tsv", rows, ("sen", "wrong_sen", "phenomenon"))
    values = {"1": (-1.0, -2.0), "2": (-2.0, -1.0), "3": (-1.0, -1.0)}
    scores = [
        dict.fromkeys(SCORES.names)
        | {"item_id": item, "column": column, "definition": "causal", "log_probability": value}
        for item, pair in values.items()
        for column, value in zip(("sen", "wrong_sen"), pair, strict=True)
    ]
    write_parquet(tmp_path / "s.parquet", scores, SCORES)
    return tmp_path / "pairs.tsv", tmp_path / "s.parquet"


def test_a_tie_is_wrong_and_phenomena_are_told_apart(scored):
    rows = [*pair_accuracies(*scored)]
    assert [(row.group, row.pairs, row.accuracy) for row in rows] == [
        ("all", 3, pytest.approx(1 / 3)), ("number", 1, 1.0), ("case", 2, 0.0),
    ]  # fmt: skip
    assert [*accuracy_lines(rows)][:2] == [
        "definition\tgroup\tpairs\taccuracy\tlow\thigh",
        # Wilson's interval of one in three
        "causal\tall\t3\t33.3\t6.1\t79.2",
    ]


def test_groups_by_another_column(scored):
    assert {row.group for row in pair_accuracies(*scored, by="sen")} == {"all"}
    expect_column(scored[0], "sen")
    with pytest.raises(KasuError, match="no column 'kind'; expected sen, wrong_sen, phenomenon"):
        expect_column(scored[0], "kind")


def test_items_that_are_no_pairs_have_no_accuracy(scored, tmp_path):
    write_tsv(tmp_path / "one.tsv", [{"sentence_good": "a"}], ("sentence_good",))
    assert [*pair_accuracies(tmp_path / "one.tsv", scored[1])] == []
    assert [*accuracy_lines([])] == []


def test_a_line_per_accuracy():
    row = Accuracy("causal", "all", 8, 0.75, 0.409, 0.9285)
    assert [*accuracy_lines([row])][1] == "causal\tall\t8\t75.0\t40.9\t92.8"

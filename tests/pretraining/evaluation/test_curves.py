"""Learning curves: points from scores and from the published tables."""

from pathlib import Path

import pytest

from kasu.base.tables import read_tsv, write_tsv
from kasu.pretraining.evaluation.cells import read_cells
from kasu.pretraining.evaluation.curves import write_curves
from kasu.pretraining.evaluation.scores import score_study
from kasu.pretraining.models.histories import HISTORY, read_losses

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
GOOD = [1.0] * 18


@pytest.fixture
def curves(tmp_path, make_run) -> list[dict[str, str]]:
    runs = [make_run("BERT8L-eu5M", GOOD, epoch=epoch) for epoch in (1, 2, 4)]
    runs.append(make_run("BERT8L-eu5M-lemma", GOOD, epoch=4))
    runs.append(make_run("BERT8L-eu5M", GOOD, epoch=4, again=GOOD))
    history = tmp_path / "h.tsv"
    write_tsv(history, ({"epoch": e, "step": e, "train_loss": 8 - e, "validation_loss": 5}
                        for e in (1, 2, 4)), tuple(HISTORY.values()))  # fmt: skip
    files = [tmp_path / name for name in ("s.parquet", "c.tsv")]
    losses = read_losses({"BERT8L-eu5M": {1: history}})
    score_study(read_cells(runs), losses, *files, seed=1)
    write_curves(files[0], PUBLISHED, tmp_path / "curves.tsv")
    return read_tsv(tmp_path / "curves.tsv")


def points(curves: list[dict], figure: str, panel: str, line: str) -> dict[str, tuple[str, str]]:
    return {
        row["epoch"]: (row["value"], row["published"])
        for row in curves
        if (row["figure"], row["panel"], row["line"]) == (figure, panel, line)
    }


def test_accuracy_next_to_the_published_one(curves):
    found = points(curves, "Figure 1", "BERT8L-eu5M", "accuracy")
    assert found["4"] == ("1.0", "0.481")
    assert found["8192"] == ("", "0.767")


def test_losses_are_scaled_over_the_epochs(curves):
    found = points(curves, "Figure 1", "BERT8L-eu5M", "train loss")
    assert [found[epoch][0] for epoch in "124"] == ["1.0", "0.6666666666666666", "0.0"]
    assert (found["1"][1], found["8192"][1]) == ("1.0", "0.0")
    flat = points(curves, "Figure 1", "BERT8L-eu5M", "dev loss")
    assert flat["1"][0] == "0.0"


def test_levels_types_orders_and_twins(curves):
    assert points(curves, "Figure 2", "BERT8L-eu5M", "level A")["2"] == ("1.0", "")
    assert points(curves, "Figure 4", "BERT8L-eu5M", "E1")["2"] == ("1.0", "")
    assert points(curves, "Figure 4", "BERT8L-eu5M-lemma", "E1")["4"] == ("1.0", "")
    twins = points(curves, "Figure 4", "BERT8L-eu5M, twins", "lemmatised")
    assert twins["4"] == ("1.0", "0.447")
    orders = points(curves, "Figure 3", "BERT8L-eu5M", "both orders")
    assert orders["4"] == ("", "0.463")
    released = points(curves, "Figure 3", "BERT8L-eu5M", "both orders, released")
    assert released["4"] == ("1.0", "")


def test_no_panel_of_a_system_that_was_not_scored(curves):
    assert {row["panel"] for row in curves if row["figure"] == "Figure 1"} == {"BERT8L-eu5M"}


def test_panels_are_ordered_as_in_the_paper(tmp_path, make_run):
    systems = ("BERT12L-eu5M", "BERT4L-eu125M", "BERT4L-eu25M", "BERT4L-eu25M-lemma")
    runs = [make_run(system, GOOD, epoch=1) for system in systems]
    files = [tmp_path / name for name in ("s.parquet", "c.tsv")]
    score_study(read_cells(runs), {}, *files, seed=1)
    write_curves(files[0], PUBLISHED, tmp_path / "curves.tsv")
    rows = read_tsv(tmp_path / "curves.tsv")
    assert list(dict.fromkeys(row["panel"] for row in rows if row["figure"] == "Figure 4")) == [
        "BERT4L-eu25M", "BERT4L-eu125M", "BERT12L-eu5M", "BERT4L-eu25M-lemma",
        "BERT4L-eu25M, twins", "BERT4L-eu125M, twins", "BERT12L-eu5M, twins",
    ]  # fmt: skip


def test_another_language_and_a_further_set(tmp_path, make_run):
    runs = [make_run("BERT4L-ka5M", GOOD, epoch=epoch) for epoch in (1, 2)]
    runs.append(make_run("BERT4L-ka5M", GOOD, epoch=2, variant="mine"))
    files = [tmp_path / name for name in ("s.parquet", "c.tsv")]
    score_study(read_cells(runs), {}, *files, seed=1)
    write_curves(files[0], PUBLISHED, tmp_path / "curves.tsv")
    rows = read_tsv(tmp_path / "curves.tsv")
    assert points(rows, "Figure 1", "BERT4L-ka5M", "accuracy") == {
        "1": ("1.0", ""),
        "2": ("1.0", ""),
    }
    assert not [row for row in rows if "mine" in row["line"]]

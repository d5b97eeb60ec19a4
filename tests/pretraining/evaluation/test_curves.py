"""Learning curves: points from scores and from the published tables."""

from pathlib import Path

import pytest

from kasu.files.tables import read_tsv, write_parquet, write_tsv
from kasu.pretraining.evaluation.curves import write_curves
from kasu.pretraining.evaluation.pair_results import read_checkpoints
from kasu.pretraining.evaluation.scores import score_study
from kasu.pretraining.models.histories import HISTORY, read_losses
from kasu.results.scores import SCORES

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
    score_study(read_checkpoints(runs), losses, *files, seed=1)
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
    score_study(read_checkpoints(runs), {}, *files, seed=1)
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
    score_study(read_checkpoints(runs), {}, *files, seed=1)
    write_curves(files[0], PUBLISHED, tmp_path / "curves.tsv")
    rows = read_tsv(tmp_path / "curves.tsv")
    assert points(rows, "Figure 1", "BERT4L-ka5M", "accuracy") == {
        "1": ("1.0", ""),
        "2": ("1.0", ""),
    }
    assert not [row for row in rows if "mine" in row["line"]]


def write_scores(path, *rows):
    empty = dict.fromkeys(SCORES.names) | {"paper": "bl2mp2024", "table": "Table 8", "runs": 1}
    write_parquet(path, [empty | row for row in rows], SCORES)


def curve_rows(tmp_path, *rows):
    """The points of ours that scores become."""
    write_scores(tmp_path / "s.parquet", *rows)
    write_curves(tmp_path / "s.parquet", PUBLISHED, tmp_path / "curves.tsv")
    return [
        (row["figure"], row["panel"], row["line"], row["kind"], row["epoch"], row["value"])
        for row in read_tsv(tmp_path / "curves.tsv")
        if row["value"]
    ]


def accuracy(system, condition, value, **more):
    return {"system": system, "condition": condition, "metric": "accuracy", "value": value} | more


def test_which_curves_a_score_is_a_point_of(tmp_path):
    base, twin = "BERT8L-ka5M", "BERT8L-ka5M-lemma"
    rows = [
        accuracy(base, "epoch=4", 0.1),
        accuracy(twin, "epoch=4", 0.2, variant="by hand"),
        accuracy(base, "epoch=4;level=A", 0.3),
        accuracy(twin, "epoch=4;level=A", 0.4),
        accuracy(twin, "epoch=4;type=E1", 0.5),
        accuracy(base, "epoch=4;type=E1;level=A", 0.6),
        accuracy(base, "all", 0.7),
        accuracy("mBERT", "epoch=4", 0.8),
        accuracy(base, "epoch=4", 0.9, paper="other"),
        accuracy(base, "epoch=8", None),
        {"system": base, "condition": "epoch=4", "metric": "kept", "value": 9.0},
        {"system": base, "condition": "epoch=4;type=E1", "metric": "dev_loss", "value": 9.0},
        {"system": base, "condition": "epoch=4", "metric": "accuracy_two_orders", "value": 0.95},
    ]
    assert curve_rows(tmp_path, *rows) == [
        ("Figure 1", base, "accuracy", "accuracy", "4", "0.1"),
        ("Figure 2", base, "level A", "accuracy", "4", "0.3"),
        ("Figure 3", base, "both orders", "accuracy", "4", "0.95"),
        ("Figure 4", twin, "E1", "accuracy", "4", "0.5"),
        ("Figure 4", f"{base}, twins", "lemmatised, by hand", "accuracy", "4", "0.2"),
        ("Figure 4", f"{base}, twins", "text", "accuracy", "4", "0.1"),
    ]


def test_a_point_is_that_over_the_most_seeds(tmp_path):
    base = "BERT8L-ka5M"
    rows = [accuracy(base, "epoch=4", value, runs=runs, seed=runs or None)
            for value, runs in ((0.1, 2), (0.2, 3), (0.3, 1), (0.4, None))]  # fmt: skip
    found = curve_rows(tmp_path, *rows)
    assert {row[5] for row in found} == {"0.2"}


def test_losses_are_scaled_within_each_line_and_twins_have_only_figure_4(tmp_path):
    rows = [
        {"system": system, "condition": f"epoch={epoch}", "metric": metric, "value": value}
        for system in ("BERT8L-ka5M", "BERT8L-ka5M-lemma")
        for metric, values in (("train_loss", (8.0, 5.0, 2.0)), ("dev_loss", (3.0, 3.0, 3.0)))
        for epoch, value in zip((1, 2, 4), values, strict=True)
    ]
    found = curve_rows(tmp_path, *rows)
    assert [row[4:] for row in found if row[:3] == ("Figure 2", "BERT8L-ka5M", "train loss")] == [
        ("1", "1.0"), ("2", "0.5"), ("4", "0.0"),
    ]  # fmt: skip
    assert {row[5] for row in found if row[2] == "dev loss"} == {"0.0"}
    assert {row[0] for row in found if row[1] == "BERT8L-ka5M"} == {
        "Figure 1", "Figure 2", "Figure 4",
    }  # fmt: skip
    assert {row[0] for row in found if row[1] == "BERT8L-ka5M-lemma"} == {"Figure 4"}


def test_a_curve_with_ties_is_drawn_by_our_rule_alone(tmp_path, make_run):
    files = [tmp_path / name for name in ("s.parquet", "c.tsv")]
    runs = [make_run("BERT8L-eu5M", [0.0] * 18, epoch=1)]
    score_study(read_checkpoints(runs), {}, *files, seed=1)
    write_curves(files[0], PUBLISHED, tmp_path / "curves.tsv")
    ours = [row for row in read_tsv(tmp_path / "curves.tsv") if row["value"]]
    assert {(row["line"], row["value"]) for row in ours if row["figure"] == "Figure 1"} == {
        ("accuracy", "0.5"),
    }  # fmt: skip

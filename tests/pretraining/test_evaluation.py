"""Scores of the study: keys of the published figures, filters, counts, losses."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.published import read_published
from kasu.base.scores import SCORES
from kasu.base.tables import read_parquet, read_tsv, write_tsv
from kasu.pretraining.cells import Run
from kasu.pretraining.evaluation import LOSSES, read_history, score_study

PUBLISHED = Path(__file__).resolve().parents[2] / "resources" / "published"
GOOD, MIXED = [1.0] * 18, [1.0, -1.0, 1.0] * 6
HISTORY = ("epoch", "step", "train_loss", "validation_loss")


def score(folder: Path, runs: list[Run], **settings) -> list[dict]:
    files = [folder / name for name in ("scores.parquet", "comparisons.tsv", "claims.tsv")]
    score_study(runs, *files, seed=1, **settings)
    return read_parquet(files[0]).to_pylist()


def find(rows: list[dict], **wanted: object) -> list[dict]:
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def one(rows: list[dict], **wanted: object) -> dict:
    (row,) = find(rows, **wanted)
    return row


def write_history(path: Path, *rows: tuple) -> Path:
    write_tsv(path, (dict(zip(HISTORY, row, strict=True)) for row in rows), HISTORY)
    return path


def every_system(make_run) -> list[Run]:
    """The nine models, their twins, word orders and Table 4, all at the published epochs."""
    runs = []
    keys = {figure.key for figure in read_published(PUBLISHED) if figure.paper == "bl2mp2024"}
    for _, table, system, condition, metric in sorted(keys):
        number = int(table.split()[1]) if table.startswith("Table") else 0
        if 5 <= number <= 13 and metric == "accuracy":
            runs.append(make_run(system, MIXED, epoch=int(condition[6:])))
        elif 14 <= number <= 16 and metric == "accuracy_single_order":
            runs.append(make_run(system, MIXED, epoch=int(condition[6:]), again=GOOD))
        elif number >= 17 and system.endswith("-lemma"):
            runs.append(make_run(system, GOOD, epoch=int(condition[6:])))
        elif number == 4 and "-eu" not in system.replace("-euscrawl", ""):
            runs.append(make_run(system, GOOD))
    return runs


def test_every_published_figure_has_one_of_ours(tmp_path, make_run, monkeypatch):
    monkeypatch.setattr("kasu.base.scores.cluster_bootstrap", lambda *_, **__: (0.0, 1.0))
    runs = every_system(make_run)
    histories = {}
    for system in {run.system for run in runs if run.epoch and not run.system.endswith("lemma")}:
        epochs = sorted({run.epoch for run in runs if run.system == system})
        path = tmp_path / f"{system}.tsv"
        histories[system] = write_history(path, *((e, 50 * e, 2.0, 3.0) for e in epochs))
    rows = score(
        tmp_path, runs, pairs=tmp_path / "pairs.parquet", histories=histories,
        parameters={"BERT4L": 16_100_000, "BERT8L": 51_100_000, "BERT12L": 123_900_000},
    )  # fmt: skip
    ours = {tuple(row[key] for key in SCORES.names[1:6]) for row in rows}
    missing = [figure.key for figure in read_published(PUBLISHED)
               if figure.paper == "bl2mp2024" and figure.key not in ours]  # fmt: skip
    assert missing == []


def test_accuracy_is_of_the_pairs_kept(tmp_path, make_run):
    rows = score(tmp_path, [make_run("mBERT", [1, -1, 0, 1], dropped=[3])])
    mine = {"table": "Table 4", "system": "mBERT", "condition": "all"}
    accuracy = one(rows, **mine, metric="accuracy")
    assert (accuracy["value"], accuracy["n"], accuracy["runs"]) == (pytest.approx(1 / 3), 3, 1)
    assert one(rows, **mine, metric="kept")["value"] == 3
    assert one(rows, **mine, metric="discarded_share")["value"] == 0.25
    assert one(rows, **mine, metric="ties")["value"] == 1
    assert one(rows, **mine, metric="accuracy_dropped")["value"] == 1.0


def test_uniform_model_gets_nothing(tmp_path, make_run):
    rows = score(tmp_path, [make_run("mBERT", [0.0] * 18)])
    assert one(rows, system="mBERT", condition="all", metric="accuracy")["value"] == 0.0
    assert one(rows, system="chance", metric="accuracy")["value"] == 0.5


def test_types_and_levels(tmp_path, make_run):
    # MIXED is wrong on E2 alone
    rows = score(tmp_path, [make_run("BERT8L-eu5M", MIXED, epoch=1024)])
    for kind, value in (("E1", 1.0), ("E2", 0.0), ("E3", 1.0)):
        condition = f"epoch=1024;type={kind}"
        for table in ("Figure 4", "section 5.2"):
            row = one(rows, table=table, condition=condition, metric="accuracy")
            assert (row["value"], row["n"]) == (value, 6)
    level = one(rows, table="Figure 2", condition="epoch=1024;level=A", metric="accuracy")
    assert level["value"] == pytest.approx(2 / 3)
    cell = one(rows, condition="epoch=1024;type=E2;level=C", metric="kept")
    assert cell["value"] == 2


def test_table_4_prints_the_best_and_the_last_checkpoint(tmp_path, make_run):
    runs = [make_run("BERT8L-eu25M", GOOD, epoch=1), make_run("BERT8L-eu25M", MIXED, epoch=2)]
    rows = score(tmp_path, runs)
    found = find(rows, table="Table 4", system="BERT8L-eu25M", condition="all", metric="accuracy")
    assert [(row["variant"], row["value"]) for row in found] == [
        ("best epoch", 1.0), ("last epoch", pytest.approx(2 / 3)),
    ]  # fmt: skip


def test_systems_on_the_pairs_that_all_keep(tmp_path, make_run):
    runs = [
        make_run("mBERT", [-1, *GOOD[1:]], dropped=[1]),
        make_run("IXAmBERT", GOOD, dropped=[2]),
        make_run("trigram-eu5M", MIXED, dropped=[3], definition="trigram"),
    ]
    rows = score(tmp_path, runs)
    common = find(rows, metric="accuracy_common")
    # a null is judged on the same pairs but has no say in which
    assert {row["system"]: (row["n"], round(row["value"], 4)) for row in common} == {
        "mBERT": (16, 0.9375), "IXAmBERT": (16, 1.0), "trigram-eu5M": (16, 0.6875),
    }  # fmt: skip


def test_twins_by_their_own_filter_and_on_common_pairs(tmp_path, make_run):
    runs = [
        make_run("BERT8L-eu5M", MIXED, epoch=2, dropped=[0]),
        make_run("BERT8L-eu5M-lemma", GOOD, epoch=2, dropped=[1]),
        make_run("BERT8L-eu5M-lemma", MIXED, epoch=2, variant="released segmentation"),
    ]
    rows = find(score(tmp_path, runs), table="Table 17", condition="epoch=2")
    twin = {"system": "BERT8L-eu5M-lemma"}
    own = find(rows, **twin, metric="accuracy")
    assert [(row["variant"], row["n"]) for row in own] == [
        ("released segmentation", 18), (None, 17),
    ]  # fmt: skip
    common = find(rows, **twin, metric="accuracy_common")
    assert [row["n"] for row in common] == [17, 16]
    base = {"system": "BERT8L-eu5M"}
    assert len(find(rows, **base, metric="accuracy_common")) == 2
    assert len(find(rows, **base, metric="accuracy")) == 1


def test_word_orders(tmp_path, make_run):
    run = make_run("BERT8L-eu5M", [1, 1, -1, 1], epoch=8, again=[1, -1, 1, 1], dropped=[3])
    rows = score(tmp_path, [run])
    for rule in ("released", "both_filtered"):
        found = find(rows, table="Table 14", variant=rule)
        assert {row["metric"]: (round(row["value"], 4), row["n"]) for row in found} == {
            "accuracy_single_order": (0.6667, 3), "accuracy_two_orders": (0.3333, 3),
        }  # fmt: skip
    gap = find(rows, table="section 5.4", metric="accuracy_gap", variant="released")
    assert gap[0]["value"] == pytest.approx(1 / 3)


def test_seeds_stand_apart(tmp_path, make_run):
    runs = [make_run("BERT8L-eu5M", margins, epoch=1, seed=seed)
            for seed, margins in enumerate((GOOD, MIXED))]  # fmt: skip
    rows = find(score(tmp_path, runs), table="Table 8", metric="accuracy")
    assert [(row["seed"], round(row["value"], 4), row["runs"]) for row in rows] == [
        (0, 1.0, 1), (1, 0.6667, 1), (None, 0.8333, 2),
    ]  # fmt: skip


def test_history_goes_with_scored_checkpoints(tmp_path, make_run):
    history = write_history(tmp_path / "h.tsv", (1, 50, 11.5, 11.5), (2, 100, 11.5, 11.4))
    rows = score(
        tmp_path, [make_run("BERT4L-eu5M", GOOD, epoch=1)], histories={"BERT4L-eu5M": history}
    )
    found = find(rows, table="Table 5", condition="epoch=1")
    losses = {row["metric"]: row["value"] for row in found}
    assert [losses[name] for name in LOSSES] == [50.0, 11.5, 11.5]
    assert not find(rows, condition="epoch=2")


def test_bad_history(tmp_path):
    with pytest.raises(KasuError, match="no column 'dev'"):
        read_history(write_history(tmp_path / "h.tsv"), {"epoch": "epoch", "dev_loss": "dev"})
    with pytest.raises(KasuError, match=r"h\.tsv:2: .*'x'"):
        read_history(write_history(tmp_path / "h.tsv", (1, 50, "x", 2)))


def test_comparisons_are_paired_and_corrected(tmp_path, make_run):
    score(tmp_path, [make_run("mBERT", GOOD), make_run("IXAmBERT", MIXED), make_run("x", GOOD)])
    rows = read_tsv(tmp_path / "comparisons.tsv")
    assert [(row["a"], row["b"], row["n"]) for row in rows] == [
        ("IXAmBERT", "mBERT", "18"), ("IXAmBERT", "x", "18"), ("mBERT", "x", "18"),
    ]  # fmt: skip
    assert float(rows[0]["mcnemar_p"]) == pytest.approx(2 / 2**6)
    assert float(rows[0]["holm_p"]) >= float(rows[0]["permutation_p"])


def test_same_bytes_again(tmp_path, make_run):
    runs = [make_run("mBERT", MIXED), make_run("BERT8L-eu5M", GOOD, epoch=1)]
    outputs = []
    for order in (runs, runs[::-1]):
        score(tmp_path, order)
        names = ("scores.parquet", "comparisons.tsv", "claims.tsv")
        outputs.append([(tmp_path / name).read_bytes() for name in names])
    assert outputs[0] == outputs[1]


def test_word_orders_of_which_no_pair_is_kept(tmp_path, make_run):
    rows = score(tmp_path, [make_run("BERT8L-eu5M", [1, 1], epoch=8, again=[1, 1], dropped=[0, 1])])
    assert not find(rows, table="Table 14") and not find(rows, table="section 5.4")

"""Scores of the study: keys of the published figures, counts, losses."""

from pathlib import Path

import pytest

from kasu.files.tables import read_tsv, write_parquet, write_tsv
from kasu.pretraining.data.pairs import PAIRS
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.evaluation.scores import count_pairs
from kasu.pretraining.models.histories import LOSSES
from kasu.results.comparison import beside
from kasu.results.published import read_published
from kasu.results.scores import SCORES

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
GOOD, MIXED = [1.0] * 18, [1.0, -1.0, 1.0] * 6
HISTORY = ("epoch", "step", "train_loss", "validation_loss")


def write_history(path: Path, *rows: tuple) -> Path:
    write_tsv(path, (dict(zip(HISTORY, row, strict=True)) for row in rows), HISTORY)
    return path


def every_system(make_run) -> list[ScoreFile]:
    """Runs of all published systems at the published epochs: plain, twins, word orders, Table 4."""
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


def test_every_published_figure_has_one_of_ours(tmp_path, make_run, monkeypatch, score):
    monkeypatch.setattr("kasu.results.statistics.cluster_interval", lambda *_, **__: (0.0, 1.0))
    runs = every_system(make_run)
    histories = {}
    for system in {run.system for run in runs if run.epoch and not run.system.endswith("lemma")}:
        epochs = sorted({run.epoch for run in runs if run.system == system})
        path = tmp_path / f"{system}.tsv"
        histories[system] = {1: write_history(path, *((e, 50 * e, 2.0, 3.0) for e in epochs))}
    rows = score(
        tmp_path, runs, pairs=tmp_path / "pairs.parquet", histories=histories,
        parameters={
            "BERT4L-eu5M": 16_100_000, "BERT8L-eu5M": 51_100_000, "BERT12L-eu5M": 123_900_000,
        },
    )  # fmt: skip
    ours = {tuple(row[key] for key in SCORES.names[1:6]) for row in rows}
    missing = [figure.key for figure in read_published(PUBLISHED)
               if figure.paper == "bl2mp2024" and figure.key not in ours]  # fmt: skip
    assert missing == []


def test_further_set_has_its_own_table(tmp_path, make_run, score, find):
    """Its item ids are 1, 2, ... too, but unrelated to those of the main set."""
    systems = {"BERT8L-eu5M": 1024, "mBERT": None}
    mine = [
        make_run(system, [-1.0] * 4, epoch=epoch, variant="mine", dropped=[0])
        for system, epoch in systems.items()
    ]
    further = mine[0].pairs.rename(tmp_path / "mine.parquet")
    mine = [run._replace(pairs=further) for run in mine]
    main = [make_run(system, GOOD, epoch=epoch) for system, epoch in systems.items()]
    alone, both = score(tmp_path, main), score(tmp_path, [*main, *mine])
    assert [row for row in both if row["table"] != "pairs mine"] == alone
    found = find(both, table="pairs mine", metric="accuracy_common")
    assert [(row["system"], row["n"], row["value"]) for row in found] == [
        ("BERT8L-eu5M", 3, 0.0), ("mBERT", 3, 0.0),
    ]  # fmt: skip
    assert len(find(both, table="pairs mine", condition="epoch=1024", metric="accuracy")) == 1
    assert find(both, table="pairs mine", condition="epoch=1024;level=A", metric="accuracy")


def test_another_language_has_no_printed_counterpart(tmp_path, make_run, score, one):
    runs = [make_run("BERT4L-ka5M", GOOD, epoch=1), make_run("BERT4L-ka5M-lemma", MIXED, epoch=1)]
    rows = score(tmp_path, runs, parameters={"BERT4L-ka5M": 16_000_000})
    assert one(rows, table="Figure 1", system="BERT4L-ka5M", metric="accuracy")["value"] == 1.0
    assert one(rows, table="section 5.1", metric="discarded_share")["runs"] == 1
    table = beside(rows, read_published(PUBLISHED), "bl2mp2024", "Table 4")
    found = [row for row in table if row["system"] == "BERT4L-ka5M" and row["metric"] == "accuracy"]
    assert [(row["ours"], row["published"]) for row in found] == [(1.0, None), (1.0, None)]


def test_a_uniform_model_stands_at_chance_and_by_the_papers_rule_at_zero(
    tmp_path, make_run, score, one
):
    rows = score(tmp_path, [make_run("mBERT", [0.0] * 18)])
    mine = {"system": "mBERT", "condition": "all", "metric": "accuracy"}
    assert one(rows, **mine, variant=None)["value"] == 0.5
    assert one(rows, **mine, variant="ties wrong")["value"] == 0.0
    assert one(rows, system="chance", metric="accuracy")["value"] == 0.5


def test_the_papers_rule_has_rows_of_its_own_only_for_systems_with_ties_beside_print(
    tmp_path, make_run, score, find
):
    runs = [
        make_run("mBERT", [1, -1]),
        make_run("XLM-R-base", [0, 1]),
        make_run("BERT4L-eu5M", [0, 1], epoch=1),
        make_run("trigram", [0, 1], definition="trigram"),
        make_run("BERTeus", [0, 1], variant="mine"),
    ]
    rows = score(tmp_path, runs)
    strict = [row for row in rows if (row["variant"] or "").endswith("ties wrong")]
    assert {(row["system"], row["variant"]) for row in strict} == {
        ("XLM-R-base", "ties wrong"), ("BERT4L-eu5M", "ties wrong"),
        ("BERT4L-eu5M", "best epoch; ties wrong"), ("BERT4L-eu5M", "last epoch; ties wrong"),
        ("trigram", "ties wrong"),
    }  # fmt: skip
    for system in ("XLM-R-base", "BERT4L-eu5M", "trigram", "BERTeus"):
        ties = find(rows, system=system, metric="ties")
        assert ties and {row["value"] for row in ties if row["n"] == 2} == {1}
    table = beside(rows, read_published(PUBLISHED), "bl2mp2024", "Table 4")
    found = [row for row in table if (row["system"], row["metric"]) == ("XLM-R-base", "accuracy")]
    assert [(row["variant"], row["ours"]) for row in found if row["condition"] == "all"] == [
        (None, 0.75), ("ties wrong", 0.5),
    ]  # fmt: skip


def test_types_and_levels(tmp_path, make_run, score, one):
    # MIXED is wrong on exactly the pairs of E2
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


def test_table_4_prints_the_best_and_the_last_checkpoint(tmp_path, make_run, score, find):
    bad = [-1.0] * 18
    margins = {1: MIXED, 2: GOOD, 4: bad, 8: [*bad[1:], 1.0]}
    runs = [make_run("BERT8L-eu25M", lead, epoch=epoch) for epoch, lead in margins.items()]
    rows = score(tmp_path, runs)
    found = find(rows, table="Table 4", system="BERT8L-eu25M", condition="all", metric="accuracy")
    assert [(row["variant"], row["value"]) for row in found] == [
        ("best epoch", 1.0), ("last epoch", pytest.approx(1 / 18)),
    ]  # fmt: skip


def test_systems_on_the_pairs_that_all_keep(tmp_path, make_run, score, find):
    runs = [
        make_run("mBERT", [-1, *GOOD[1:]], dropped=[1]),
        make_run("IXAmBERT", GOOD, dropped=[2]),
        make_run("trigram-eu5M", MIXED, dropped=[3], definition="trigram"),
    ]
    rows = score(tmp_path, runs)
    common = find(rows, metric="accuracy_common")
    # a null is scored on the same pairs without restricting them
    assert {row["system"]: (row["n"], round(row["value"], 4)) for row in common} == {
        "mBERT": (16, 0.9375), "IXAmBERT": (16, 1.0), "trigram-eu5M": (16, 0.6875),
    }  # fmt: skip


def test_twins_by_their_own_filter_and_on_common_pairs(tmp_path, make_run, score, find):
    runs = [
        make_run("BERT8L-eu5M", MIXED, epoch=2, dropped=[0]),
        make_run("BERT8L-eu5M-lemma", GOOD, epoch=2, dropped=[1]),
        make_run("BERT8L-eu5M-lemma", MIXED, epoch=2, variant="released segmentation"),
    ]
    rows = find(score(tmp_path, runs), table="Table 17", condition="epoch=2")
    twin = {"system": "BERT8L-eu5M-lemma"}
    own = find(rows, **twin, metric="accuracy")
    assert [(row["variant"], row["n"]) for row in own] == [
        (None, 17), ("released segmentation", 18),
    ]  # fmt: skip
    common = find(rows, **twin, metric="accuracy_common")
    assert [row["n"] for row in common] == [16, 17]
    base = {"system": "BERT8L-eu5M"}
    assert len(find(rows, **base, metric="accuracy_common")) == 2
    assert len(find(rows, **base, metric="accuracy")) == 1


def test_word_orders(tmp_path, make_run, score, find, one):
    run = make_run("BERT8L-eu5M", [1, 1, -1, 1], epoch=8, again=[1, -1, 1, 1], dropped=[3])
    rows = score(tmp_path, [run])
    for rule in ("released", "both_filtered"):
        found = find(rows, table="Table 14", variant=rule)
        assert {row["metric"]: (round(row["value"], 4), row["n"]) for row in found} == {
            "accuracy_single_order": (0.6667, 3), "accuracy_two_orders": (0.3333, 3),
        }  # fmt: skip
    gap = one(rows, table="section 5.4", metric="accuracy_gap", variant="released")
    assert gap["value"] == pytest.approx(1 / 3)
    assert 0 <= gap["low"] < gap["value"] < gap["high"] <= 1


@pytest.mark.parametrize(
    ("system", "epoch"), [("BERT8L-eu5M", 1024), ("BERT8L-eu125M", 512), ("BERT4L-eu5M", 2048)]
)
def test_the_cost_of_a_second_order_is_that_of_the_printed_epoch(
    tmp_path, make_run, system, epoch, score, one
):
    runs = [make_run(system, GOOD, epoch=each, again=GOOD) for each in (512, 1024, 2048)]
    rows = score(tmp_path, runs)
    gap = one(rows, table="section 5.4", system=system, variant="both_filtered")
    assert gap["note"] == f"epoch={epoch}; single minus both"
    assert gap["value"] == 0.0


def test_seeds_have_rows_of_their_own(tmp_path, make_run, score, find):
    runs = [make_run("BERT8L-eu5M", margins, epoch=1, seed=seed)
            for seed, margins in enumerate((GOOD, MIXED))]  # fmt: skip
    rows = find(score(tmp_path, runs), table="Table 8", metric="accuracy")
    assert [(row["seed"], round(row["value"], 4), row["runs"], row["note"]) for row in rows] == [
        (None, 0.8333, 2, "pairs of 2 seeds pooled"), (0, 1.0, 1, None), (1, 0.6667, 1, None),
    ]  # fmt: skip
    # Over all seeds stands the file of the first
    assert [row["predictions"] for row in rows] == [
        f"BERT8L-eu5M-1--{seed}-False.parquet" for seed in (0, 0, 1)
    ]


def test_losses_of_scored_checkpoints_only(tmp_path, make_run, score, find):
    history = write_history(tmp_path / "h.tsv", (1, 50, 11.5, 11.5), (2, 100, 11.5, 11.4))
    rows = score(
        tmp_path,
        [make_run("BERT4L-eu5M", GOOD, epoch=1)],
        histories={"BERT4L-eu5M": {7: history}},
    )
    found = find(rows, table="Table 5", condition="epoch=1")
    losses = {row["metric"]: row["value"] for row in found}
    assert [losses[name] for name in LOSSES] == [50.0, 11.5, 11.5]
    assert {row["seed"] for row in found if row["metric"] in LOSSES} == {7}
    assert not find(rows, condition="epoch=2")


def test_losses_of_each_seed_and_their_mean(tmp_path, make_run, score, find):
    runs = [
        make_run("BERT8L-eu5M", GOOD, epoch=epoch, seed=seed) for epoch in (1, 2) for seed in (3, 4)
    ]
    histories = {
        3: write_history(tmp_path / "3.tsv", (1, 50, 11, 4), (2, 100, 9, 6)),
        4: write_history(tmp_path / "4.tsv", (1, 50, 11, 6), (2, 100, 9, 10)),
    }
    rows = score(tmp_path, runs, histories={"BERT8L-eu5M": histories})
    found = find(rows, table="Table 8", condition="epoch=2", metric="dev_loss")
    assert [(row["seed"], row["value"], row["runs"]) for row in found] == [
        (None, 8.0, 2), (3, 6.0, 1), (4, 10.0, 1),
    ]  # fmt: skip
    assert [row["note"] for row in found] == ["mean of 2 seeds", None, None]
    assert {row["predictions"] for row in found} == {None}


def test_weights_are_those_with_the_largest_plain_text(tmp_path, make_run, score, find):
    counts = {
        "BERT8L-eu25M": 51_000_000, "BERT8L-eu5M": 40_000_000, "BERT8L-eu25M-lemma": 45_000_000,
        "BERT4L-eu5M": 16_000_000,
    }  # fmt: skip
    rows = score(tmp_path, [make_run("mBERT", GOOD)], parameters=counts)
    found = find(rows, table="section 4.2")
    assert [(row["system"], row["value"], row["note"]) for row in found] == [
        ("BERT4L", 16.0, "of BERT4L-eu5M"), ("BERT8L", 51.0, "of BERT8L-eu25M"),
    ]  # fmt: skip


def test_comparisons_are_paired_and_corrected(tmp_path, make_run, score):
    score(tmp_path, [make_run("mBERT", GOOD), make_run("IXAmBERT", MIXED), make_run("x", GOOD)])
    rows = read_tsv(tmp_path / "comparisons.tsv")
    assert [(row["a"], row["b"], row["n"]) for row in rows] == [
        ("IXAmBERT", "mBERT", "18"), ("IXAmBERT", "x", "18"), ("mBERT", "x", "18"),
    ]  # fmt: skip
    assert float(rows[0]["mcnemar_p"]) == pytest.approx(2 / 2**6)
    assert float(rows[0]["holm_p"]) >= float(rows[0]["permutation_p"])


def test_bytes_do_not_depend_on_the_order_of_runs(tmp_path, make_run, score):
    runs = [make_run("mBERT", MIXED), make_run("BERT8L-eu5M", GOOD, epoch=1)]
    outputs = []
    for order in (runs, runs[::-1]):
        score(tmp_path, order)
        names = ("scores.parquet", "comparisons.tsv")
        outputs.append([(tmp_path / name).read_bytes() for name in names])
    assert outputs[0] == outputs[1]


def test_word_orders_without_a_kept_pair(tmp_path, make_run, score, find):
    rows = score(tmp_path, [make_run("BERT8L-eu5M", [1, 1], epoch=8, again=[1, 1], dropped=[0, 1])])
    assert not find(rows, table="Table 14") and not find(rows, table="section 5.4")


def test_pairs_are_counted_by_type_and_level(tmp_path):
    kinds = [*[("E1", "A")] * 3, ("mine", None), (None, "B")]
    rows = [dict.fromkeys(PAIRS.names) | {"item_id": str(n), "type": kind, "level": level}
            for n, (kind, level) in enumerate(kinds)]  # fmt: skip
    write_parquet(tmp_path / "p.parquet", rows, PAIRS)
    found = [(row.system, row.condition, row.metric, row.value)
             for row in count_pairs(tmp_path / "p.parquet")]  # fmt: skip
    assert found == [
        ("E1 declension", "A", "pairs", 3), ("mine", "all", "pairs", 1), ("all", "B", "pairs", 1),
        ("total", "all", "pairs", 5),
    ]  # fmt: skip


def test_rows_are_sorted_and_a_row_over_all_seeds_comes_first(tmp_path, make_run, score, find):
    runs = [make_run("BERT8L-eu5M", GOOD, epoch=1, seed=seed) for seed in (2, 1)]
    rows = score(tmp_path, runs)
    keys = [tuple(row[name] for name in ("table", "system", "condition", "metric")) for row in rows]
    assert keys == sorted(keys)
    assert [row["seed"] for row in find(rows, table="Table 8", metric="kept")] == [None, 1, 2]
    assert {row["study"] for row in rows} == {"pretraining"}
    assert {row["paper"] for row in rows} == {"bl2mp2024"}


@pytest.mark.parametrize(
    ("system", "tables"),
    [
        ("BERT4L-eu5M", ("Table 5", "Figure 3", "Figure 4")),
        ("BERT4L-eu25M", ("Table 6", "Figure 3", "Figure 4")),
        ("BERT8L-eu5M", ("Table 8", "Table 14", "Table 17")),
        ("BERT8L-eu25M", ("Table 9", "Table 15", "Table 18")),
        ("BERT8L-eu125M", ("Table 10", "Table 16", "Table 19")),
        ("BERT12L-eu125M", ("Table 13", "Figure 3", "Figure 4")),
        ("BERT4L-ka5M", ("Figure 1", "Figure 3", "Figure 4")),
    ],
)
def test_the_table_of_each_system(tmp_path, make_run, system, tables, score, find):
    runs = [make_run(system, GOOD, epoch=2), make_run(system, GOOD, epoch=2, again=GOOD)]
    rows = score(tmp_path, [*runs, make_run(f"{system}-lemma", GOOD, epoch=2)])
    own, orders, twins = tables
    assert find(rows, table=own, system=system, condition="epoch=2", metric="accuracy")
    assert find(rows, table=orders, system=system, metric="accuracy_two_orders")
    assert find(rows, table=twins, system=f"{system}-lemma", metric="accuracy_common")

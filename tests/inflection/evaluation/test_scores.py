"""Scores by hand: cells, oracles, sign tests, means, tables; and on the released test sets."""

from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kasu.base.comparison import beside
from kasu.base.errors import KasuError
from kasu.base.published import read_published
from kasu.base.scores import SCORES, wilson
from kasu.base.tables import read_parquet, read_tsv, write_parquet, write_tsv
from kasu.inflection.data.triples import PAPER, SETTINGS, SPLITS, TRIPLES, Triple, read_triples
from kasu.inflection.evaluation.outcomes import ENSEMBLE, Cell, judge, read_cell
from kasu.inflection.evaluation.printed import read_printed
from kasu.inflection.evaluation.scores import (
    best_rows,
    count_rows,
    curves,
    score_cell,
    score_study,
)
from kasu.transduction.members.families import Run
from kasu.transduction.members.predictions import MISSING, Predicted, survey, write_predictions

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
NUMBERS = tuple(range(13, 20))


@pytest.fixture(scope="module")
def printed():
    return read_printed(PUBLISHED)


def rows_of(rows: list[dict], **where: object) -> list[dict]:
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def value(rows: list[dict], **where: object) -> float | None:
    (row,) = rows_of(rows, **where)
    return row["value"]


# A language in a setting

TEST = [
    Triple("kasu", "kasua", "N;SG"),
    Triple("kasu", "kasuak", "N;PL"),
    Triple("mutil", "mutil", "N;INDF"),
    Triple("etxe", "etxeak", "N;PL"),
]


def write_triples(path: Path, triples: list[Triple]) -> Path:
    write_parquet(path, [triple._asdict() for triple in triples], TRIPLES)
    return path


def read(folder: Path, train: list[Triple], runs: dict) -> Cell | None:
    gold = [triple.form for triple in TEST]
    predicted = {Run(*run): Predicted(forms) for run, forms in runs.items()}
    write_predictions(folder / "p.parquet", "a", "low", {"x": (gold, predicted)})
    paths = [write_triples(folder / f"{n}.parquet", t) for n, t in (("t", train), ("e", TEST))]
    return read_cell("low", "x", *paths, survey([folder / "p.parquet"]))


TRAIN = [Triple("ume", "umea", "N;SG"), Triple("ume", "umeak", "N;PL")]


def test_cell_by_hand(tmp_path):
    cell = read(tmp_path, TRAIN, {("v", 1): ["kasua", "kasua", "mutil", "etxak"]})
    assert cell.condition == "low|x"
    assert cell.known.tolist() == [True, True, False, True]
    assert cell.lemma.tolist() == [1, 1, 2, 0]
    assert cell.outputs["a", "v", 1].right.tolist() == [True, False, True, False]
    assert cell.outputs["a", "v", 1].distance.tolist() == [0, 1, 0, 1]
    assert cell.copied.right.tolist() == [False, False, True, False]
    assert cell.copied.distance.tolist() == [1, 2, 0, 2]


def test_a_language_without_the_setting_has_no_cell(tmp_path):
    assert read(tmp_path, [], {}) is None


def cell_of(known: str, setting="low", language="harmonic", members=1, **right: str) -> Cell:
    """`+` means known or right; `a_1` is system a with seed 1, `a__v` with variant v."""

    def guesses(marks: str):
        forms = ["x" if mark == "+" else "xy" for mark in marks]
        return judge(["x"] * len(marks), forms, members)

    outputs = {}
    for name, marks in right.items():
        system, _, rest = name.partition("_")
        variant = rest[1:] if rest.startswith("_") else None
        outputs[system, variant, int(rest) if rest.isdigit() else None] = guesses(marks)
    hits = np.array([mark == "+" for mark in known])
    n = len(known)
    return Cell(setting, language, np.arange(n), hits, guesses("-" * n), outputs)


def test_scores_of_a_cell(printed):
    rows = score_cell(cell_of("+++-", baseline="+-++", b="--++"), printed, 1)
    found = {(row["table"], row["system"], row["metric"]): row["value"] for row in rows}
    assert found == {
        ("Table 18", "baseline", "accuracy"): 0.75,
        ("Table 18", "baseline", "levenshtein"): 0.25,
        ("Table 19", "b", "accuracy"): 0.5,
        ("Table 19", "b", "levenshtein"): 0.5,
        ("Table 18", "copy", "accuracy"): 0.0,
        ("Table 18", "copy", "levenshtein"): 1.0,
        ("Table 19", "copy", "accuracy"): 0.0,
        ("Table 19", "copy", "levenshtein"): 1.0,
        ("Table 17", "oracle-fc", "accuracy"): 0.75,
        ("Table 17", ENSEMBLE, "accuracy"): 0.75,
    }
    assert {row["condition"] for row in rows} == {"low|harmonic"}
    assert {(row["study"], row["paper"]) for row in rows} == {("inflection", PAPER)}
    (first, *_) = rows
    assert first["low"] < 0.75 < first["high"]
    assert (first["n"], first["runs"], first["seed"], first["variant"]) == (4, 1, None, None)
    assert all(row.keys() == set(SCORES.names) for row in rows)


def test_published_oracle_e_says_why_it_has_no_figure_of_ours(printed):
    cell = cell_of("++", language="basque", baseline="+-")
    (row,) = rows_of(score_cell(cell, printed, 1), system="oracle-e")
    assert (row["table"], row["value"]) == ("Table 17", None)
    assert row["note"] == "not recomputable: needs every submission's output"


def test_all_right_has_wilsons_interval_and_no_interval_of_distance(printed):
    rows = score_cell(cell_of("++++", baseline="++++"), printed, 1)
    (accuracy,) = rows_of(rows, system="baseline", metric="accuracy")
    (distance,) = rows_of(rows, system="baseline", metric="levenshtein")
    assert (accuracy["low"], accuracy["high"]) == wilson(4, 4)
    assert (distance["value"], distance["low"], distance["high"]) == (0.0, None, None)


def test_seeds_have_rows_and_one_over_all(printed):
    rows = score_cell(cell_of("++++", b_1="++++", b_2="++--"), printed, 1)
    found = rows_of(rows, system="b", metric="accuracy")
    assert [(row["seed"], row["value"], row["runs"], row["n"]) for row in found] == [
        (None, 0.75, 2, 4),
        (1, 1.0, 1, 4),
        (2, 0.5, 1, 4),
    ]
    assert found[0]["note"] == "standard deviation over seeds 0.3536"


def test_a_vote_counts_its_members_and_says_if_the_paper_had_more(printed):
    cell = cell_of("-----+", members=5, b="++++++")
    for published, note in (({}, None), ({"b": {"low": 5}}, None), ({"b": {"low": 15}}, "5 of 15")):
        rows = rows_of(score_cell(cell, printed, 1, published), system="b")
        assert [row["runs"] for row in rows] == [5, 5]
        assert {row["note"] or None for row in rows} == {note and f"members {note}"}
    (accuracy,) = rows_of(
        score_cell(cell_of("------+", members=3, b="+++++++"), printed, 1, {"b": {"low": 15}}),
        system="b", metric="accuracy",
    )  # fmt: skip
    assert accuracy["note"] == "members 3 of 15; † better than oracle-fc"


def notes(printed, known: str, **right: str) -> dict[str, str | None]:
    rows = score_cell(cell_of(known, **right), printed, 1)
    return {
        row["system"]: row["note"]
        for row in rows_of(rows, metric="accuracy")
        if row["system"] in right
    }


def test_sign_tests(printed):
    # 6 : 0 has p = 0.031, 5 : 0 has p = 0.0625
    assert notes(printed, "------++++", a="++++++++++", b="----++++++") == {
        "a": "† better than oracle-fc; ‡ not different from oracle-e over the 2 systems run",
        "b": "‡ not different from oracle-e over the 2 systems run",
    }
    assert notes(printed, "-----+++++", a="++++++++++", b="------++++") == {
        "a": "‡ not different from oracle-e over the 2 systems run",
        "b": None,
    }


def test_a_system_worse_than_oracle_fc_has_no_flag(printed):
    assert notes(printed, "++++++++++", a="----------", b="++++++++++")["a"] is None


def test_a_system_alone_is_its_own_oracle_and_not_flagged(printed):
    assert notes(printed, "----", a="++++") == {"a": None}


def test_two_variants_of_a_system_are_one_system(printed):
    rows = score_cell(cell_of("----", baseline__a="++++", baseline__b="+++-"), printed, 1)
    assert [row["note"] for row in rows_of(rows, system="baseline", metric="accuracy")] == [
        None
    ] * 2
    assert rows_of(rows, system=ENSEMBLE) == []


def test_a_system_counts_once_in_oracle_e_with_its_first_variant(printed):
    # Were both variants of b counted, every item would be right
    rows = score_cell(cell_of("----", a="+---", b__v="++--", b__w="--++"), printed, 1)
    (row,) = rows_of(rows, system=ENSEMBLE)
    assert (row["value"], row["note"]) == (0.5, "over the 2 systems run")


def test_the_oracle_beside_a_run_holds_that_run_itself(printed):
    # Against oracle-e with the first variant, the second would be tested against 4 of 10
    right = {"a": "----------", "b__v": "++++------", "b__w": "++++++++++"}
    rows = score_cell(cell_of("+" * 10, **right), printed, 1)
    (row,) = rows_of(rows, system="b", variant="w", metric="accuracy")
    assert row["note"] == "‡ not different from oracle-e over the 2 systems run"


# The best, curves, counts


def score(language, accuracy, system="baseline", setting="low", **more) -> dict:
    return {
        "system": system, "condition": f"{setting}|{language}", "metric": "accuracy",
        "value": accuracy, "low": accuracy - 0.03, "high": accuracy + 0.04, "n": 100, "runs": 1,
        "variant": None, "seed": None, "note": None, **more,
    }  # fmt: skip


def test_best_of_ours_leaves_nulls_and_oracles_out(printed):
    rows = [
        score("basque", 0.2, variant="published"),
        score("basque", 0.3, "b"),
        score("basque", 0.3, "c"),
        score("basque", 0.9, "copy"),
        score("basque", 0.9, "oracle-fc"),
        score("basque", 0.9, ENSEMBLE),
        score("mine", 0.2, variant="published"),
    ]
    found = [
        (row["table"], row["system"], row["condition"], row["metric"], row["value"], row["note"])
        for row in best_rows(rows, printed)
    ]
    assert found == [
        ("Table 9", "basque", "low", "best_accuracy", 0.3, "ours: b"),
        ("Table 10", "mine", "low", "best_accuracy", 0.2, "ours: baseline (published)"),
    ]


def test_learning_curves_take_the_row_over_all_seeds():
    rows = [
        score("b", 0.1, seed=1),
        score("b", 0.2, runs=2),
        score("b", 0.5, setting="high"),
        score("a", 0.3, variant="v"),
        score("a", 0.3, "copy"),
        score("languages outside the paper", 0.3),
    ]
    assert [tuple(row.values()) for row in curves(rows)] == [
        ("a", "baseline", "v", 0.3, None, None),
        ("b", "baseline", None, 0.2, None, 0.5),
    ]


def test_counts_of_lemmata_and_forms(tmp_path, printed):
    files = {split: write_triples(tmp_path / f"{split}.parquet", []) for split in SPLITS}
    files["test"] = write_triples(tmp_path / "test.parquet", TEST)
    found = {(r["condition"], r["metric"]): r for r in count_rows("zulu", files, printed)}
    assert found["test", "lemmata"]["value"] == 3
    assert found["test", "forms"]["value"] == 4
    assert {row["table"] for row in found.values()} == {"Table 3"}
    assert sorted(found) == sorted((c, m) for c in ("test", "total") for m in ("forms", "lemmata"))
    assert found["total", "forms"]["value"] is None
    assert found["total", "forms"]["note"] == "not recomputable from the released samples"
    assert len(count_rows("harmonic", files, printed)) == 2


# Files


OUT = {"scores": "scores.parquet"} | {
    name: f"{name}.tsv"
    for name in ("comparisons", "claims", "learning_curves", "power", "failures")
}


EVERY = {"low": ("basque", "harmonic"), "medium": ("basque",)}


def run(
    folder: Path,
    released: bool = True,
    lacking: str = "",
    failed: bool = False,
    planned: dict | None = None,
) -> Path:
    """Two languages, Basque in two settings; two systems copy the lemma.

    Args:
        lacking: a language that the system `other` lacks at low.
        failed: whether it is reported as failed.
        planned: the languages of each system by setting; by default all.
    """
    languages = ("basque", "harmonic")
    for language in languages:
        for split in SPLITS:
            held = {"low": TRAIN, "medium": TRAIN * (language == "basque"), "high": []}
            path = folder / "datasets" / language / f"{split}.parquet"
            write_triples(path, held.get(split, TEST))
    gold = [triple.form for triple in TEST]
    copies = gold, {Run("v"): Predicted([triple.lemma for triple in TEST])}
    predictions, missing = [], []
    for system, setting in product(("baseline", "other"), SETTINGS):
        held = EVERY.get(setting, ())
        lost = lacking if (system, setting) == ("other", "low") else ""
        predictions.append(folder / "predictions" / system / f"{setting}.parquet")
        predicted = {language: copies for language in held if language != lost}
        write_predictions(predictions[-1], system, setting, predicted)
        rows = [dict(zip(MISSING, (system, setting, "m", lost, "no rule"), strict=True))]
        missing.append(folder / "predictions" / system / f"{setting}.missing.tsv")
        write_tsv(missing[-1], rows if lost and failed else [], MISSING)
    score_study(
        predictions, missing, {name: folder / "datasets" / name for name in languages}, PUBLISHED,
        {name: folder / OUT[name] for name in OUT},
        submitted=planned or dict.fromkeys(("baseline", "other"), EVERY), published_members={},
        released={"basque"} if released else set(), seed=1,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return run(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """The rows of a study that has no language of the paper."""
    folder = run(tmp_path_factory.mktemp("own"), released=False)
    return read_parquet(folder / "scores.parquet").to_pylist()


def test_study_is_scored_into_six_files(study):
    table = read_parquet(study / "scores.parquet")
    assert table.schema == SCORES
    rows = table.to_pylist()
    cell = {"condition": "medium|basque", "metric": "accuracy"}
    assert value(rows, system="baseline", variant="v", **cell) == 0.25
    assert value(rows, system="oracle-fc", **cell) == 0.75
    assert value(rows, system="basque", condition="low", metric="best_accuracy") == 0.25
    # two settings, two systems and the null
    assert len(read_tsv(study / "comparisons.tsv")) == 6
    assert len(read_tsv(study / "claims.tsv")) == 16
    assert read_tsv(study / "learning_curves.tsv")[0] == {
        "language": "basque", "system": "baseline", "variant": "v", "low": "0.25",
        "medium": "0.25", "high": "",
    }  # fmt: skip
    assert {row["assumption"] for row in read_tsv(study / "power.tsv")} == {
        "one is right wherever the other is",
        "assumed",  # both systems answer alike
    }
    assert read_tsv(study / "failures.tsv") == []


def test_a_language_that_failed_loses_no_other_and_is_counted(tmp_path):
    run(tmp_path, lacking="harmonic", failed=True)
    rows = read_parquet(tmp_path / "scores.parquet").to_pylist()
    accuracies = rows_of(rows, metric="accuracy", variant="v")
    conditions = {(row["system"], row["condition"]) for row in accuracies}
    assert ("baseline", "low|harmonic") in conditions
    assert ("other", "low|basque") in conditions
    assert ("other", "low|harmonic") not in conditions
    assert read_tsv(tmp_path / "failures.tsv") == [
        dict(zip(MISSING, ("other", "low", "m", "harmonic", "no rule"), strict=True))
    ]


def test_a_language_that_is_missing_and_did_not_fail_is_one_line(tmp_path):
    with pytest.raises(
        KasuError, match=r"predictions of other, low: none for harmonic; expected one for each"
    ):
        run(tmp_path, lacking="harmonic")


def test_a_language_that_was_not_planned_may_be_missing(tmp_path):
    planned = {"baseline": EVERY, "other": EVERY | {"low": ("basque",)}}
    run(tmp_path, lacking="harmonic", planned=planned)
    rows = read_parquet(tmp_path / "scores.parquet").to_pylist()
    found = {row["condition"] for row in rows_of(rows, system="other", metric="accuracy")}
    assert "low|basque" in found and "low|harmonic" not in found
    # Pairs share the items of one language
    pairs = [row for row in read_tsv(tmp_path / "comparisons.tsv") if row["setting"] == "low"]
    assert {(row["a"], row["b"]): row["languages"] for row in pairs} == {
        ("baseline", "other"): "1",
        ("baseline", "copy"): "2",
        ("other", "copy"): "1",
    }


def test_no_score_stands_twice(study):
    rows = read_parquet(study / "scores.parquet").to_pylist()
    key = ("table", "system", "condition", "metric", "variant", "seed")
    assert len({tuple(row[name] for name in key) for row in rows}) == len(rows)


def test_own_data_of_a_language_of_the_paper_are_kept_apart(own):
    named = {row["condition"].partition("|")[2] for row in own} | {row["system"] for row in own}
    assert "basque" not in named and "basque (own data)" in named


def test_all_printed_tables_can_be_built_without_a_language_of_the_paper(own):
    figures = read_published(PUBLISHED)
    for number in (2, 3, 8, 9, 10, *NUMBERS):
        table = beside(own, figures, PAPER, f"Table {number}")
        assert all(row["difference"] is None for row in table)
    assert {row["table"] for row in own} == {
        "Table 3", "Table 8", "Table 10", "Table 15", "Table 16", "Table 17", "Table 18",
        "Table 19",
    }  # fmt: skip


def test_scores_are_the_same_bytes_twice(study, tmp_path):
    one, two = study, run(tmp_path)
    files = [path.name for path in one.iterdir() if path.is_file()]
    assert len(files) == 6
    for name in files:
        assert (one / name).read_bytes() == (two / name).read_bytes()


# The released test sets


@pytest.mark.real
def test_oracle_fc_is_the_published_one_in_every_cell(mirror, tmp_path, printed):
    cells = 0
    for test in sorted((mirror / "sigmorphon2018" / "task1").glob("*/*-test")):
        language = test.name.removesuffix("-test")
        trains = [test.with_name(f"{language}-train-{setting}") for setting in SETTINGS]
        if language.endswith("-covered") or not trains[0].exists():
            continue
        items = write(tmp_path / "test.parquet", test)
        for setting, train in zip(SETTINGS, trains, strict=True):
            if train.exists():
                cell = read_cell(setting, language, write(tmp_path / "t.parquet", train), items)
                assert cell.known.mean() == printed.value("oracle-fc", setting, language)
                cells += 1
    assert cells == 264


def write(path: Path, released: Path) -> Path:
    columns = zip(*read_triples(released), strict=True)
    table = pa.table(dict(zip(TRIPLES.names, columns, strict=True)), TRIPLES)
    pq.write_table(table, path)
    return path

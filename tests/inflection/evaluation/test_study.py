"""The files of the study's scores."""

from itertools import product
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv, write_tsv
from kasu.inflection.data.triples import PAPER, SETTINGS, SPLITS
from kasu.inflection.evaluation.scores import score_study
from kasu.results.comparison import beside
from kasu.results.published import read_published
from kasu.results.scores import SCORES
from kasu.transduction.members.families import Run
from kasu.transduction.members.predictions import MISSING, Predicted, write_predictions

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
NUMBERS = tuple(range(13, 20))


def rows_of(rows: list[dict], **where: object) -> list[dict]:
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def value(rows: list[dict], **where: object) -> float | None:
    (row,) = rows_of(rows, **where)
    return row["value"]


OUT = {"scores": "scores.parquet"} | {
    name: f"{name}.tsv"
    for name in ("comparisons", "claims", "learning_curves", "power", "failures")
}


EVERY = {"low": ("basque", "harmonic"), "medium": ("basque",)}


def run(
    toy,
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
            held = {"low": toy.train, "medium": toy.train * (language == "basque"), "high": []}
            path = folder / "datasets" / language / f"{split}.parquet"
            toy.write(path, held.get(split, toy.test))
    gold = [triple.form for triple in toy.test]
    copies = gold, {Run("v"): Predicted([triple.lemma for triple in toy.test])}
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
        texts={"other": "high"},
        released={"basque"} if released else set(), seed=1,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def study(tmp_path_factory, toy):
    return run(toy, tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def own(tmp_path_factory, toy):
    """The rows of a study that has no language of the paper."""
    folder = run(toy, tmp_path_factory.mktemp("own"), released=False)
    return read_parquet(folder / "scores.parquet").to_pylist()


def test_study_is_scored_into_six_files(study):
    table = read_parquet(study / "scores.parquet")
    assert table.schema == SCORES
    rows = table.to_pylist()
    cell = {"condition": "medium|basque", "metric": "accuracy"}
    assert value(rows, system="baseline", variant="v", **cell) == 0.25
    assert value(rows, system="oracle-fc", **cell) == 0.75
    assert (
        value(rows, system="basque", condition="low|of the systems run", metric="best_accuracy")
        == 0.25
    )
    # two settings, two systems and the null
    assert len(read_tsv(study / "comparisons.tsv")) == 6
    assert len(read_tsv(study / "claims.tsv")) == 19
    assert read_tsv(study / "learning_curves.tsv")[0] == {
        "language": "basque", "system": "baseline", "variant": "v", "low": "0.25",
        "medium": "0.25", "high": "",
    }  # fmt: skip
    assert {row["assumption"] for row in read_tsv(study / "power.tsv")} == {
        "one is right wherever the other is",
        "assumed",  # both systems answer alike
    }
    assert read_tsv(study / "failures.tsv") == []


def test_a_language_that_failed_loses_no_other_and_is_counted(tmp_path, toy):
    run(toy, tmp_path, lacking="harmonic", failed=True)
    rows = read_parquet(tmp_path / "scores.parquet").to_pylist()
    accuracies = rows_of(rows, metric="accuracy", variant="v")
    conditions = {(row["system"], row["condition"]) for row in accuracies}
    assert ("baseline", "low|harmonic") in conditions
    assert ("other", "low|basque") in conditions
    assert ("other", "low|harmonic") not in conditions
    assert read_tsv(tmp_path / "failures.tsv") == [
        dict(zip(MISSING, ("other", "low", "m", "harmonic", "no rule"), strict=True))
    ]


def test_a_language_that_is_missing_and_did_not_fail_is_one_line(tmp_path, toy):
    with pytest.raises(
        KasuError, match=r"predictions of other, low: none for harmonic; expected one for each"
    ):
        run(toy, tmp_path, lacking="harmonic")


def test_a_language_that_was_not_planned_may_be_missing(tmp_path, toy):
    planned = {"baseline": EVERY, "other": EVERY | {"low": ("basque",)}}
    run(toy, tmp_path, lacking="harmonic", planned=planned)
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


def test_scores_are_the_same_bytes_twice(study, tmp_path, toy):
    one, two = study, run(toy, tmp_path)
    files = [path.name for path in one.iterdir() if path.is_file()]
    assert len(files) == 6
    for name in files:
        assert (one / name).read_bytes() == (two / name).read_bytes()

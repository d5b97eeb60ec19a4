"""Scores by language, their means, the best of each language, sizes: on a toy task, end to end."""

from dataclasses import replace
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.data.names import PAPER
from kasu.cloze.data.sentences import Word
from kasu.cloze.evaluation.printed import read_printed
from kasu.cloze.evaluation.scores import (
    LanguageResults,
    best_scores,
    mean_scores,
    measure,
    score_language,
    score_study,
    size_scores,
)
from kasu.files.tables import read_parquet, read_tsv, write_tsv
from kasu.results.scores import Score
from kasu.results.statistics import wilson
from kasu.transduction.members.families import Run
from kasu.transduction.members.predictions import MISSING, Predicted, write_predictions

PUBLISHED = Path(__file__).resolve().parents[3] / "resources/published"
ITEMS = [
    Word("dogs", "dog", None, ("dogs", "dog")),
    Word("Barking", "bark", None, ("Barking",)),
    Word("Dog", "dog", None, ("Dog",)),
]


@pytest.fixture(scope="module")
def printed():
    return read_printed(PUBLISHED)


def cell(annotated=True, **outputs):
    return LanguageResults("track1-low", "sv", ITEMS, annotated, outputs)


def told(rows):
    return {(row.condition, row.metric, row.seed): row.value for row in rows}


def test_outcomes_of_guesses():
    found = measure(ITEMS, ["dog", "barking", "Dog"], annotated=True)
    assert {key: values.tolist() for key, values in found.items()} == {
        ("original", "accuracy"): [False, True, True],
        ("original", "exact_accuracy"): [False, False, True],
        ("original", "levenshtein"): [1, 0, 0],
        ("plausible", "accuracy"): [True, True, True],
    }


def test_scores_of_one_system():
    rows = score_language(cell(copy={Run(): Predicted(["dog", "bark", "dog"])}), 1)
    assert told(rows) == pytest.approx({
        ("track1|original|low|sv", "accuracy", None): 1 / 3,
        ("track1|original|low|sv", "exact_accuracy", None): 0,
        ("track1|original|low|sv", "levenshtein", None): 4 / 3,
        ("track1|plausible|low|sv", "accuracy", None): 2 / 3,
    })  # fmt: skip
    assert {(row.table, row.n, row.runs) for row in rows} == {("by language", 3, 1)}
    assert all(row.low <= row.value <= row.high for row in rows)


def test_guesses_for_one_lemma_are_one_cluster():
    dogs = LanguageResults("track1-low", "sv", [ITEMS[0], ITEMS[2]], False,
                {"copy": {Run(): Predicted(["dogs", "x"])}})  # fmt: skip
    for row in score_language(dogs, 1):
        # Nothing follows from one cluster: Wilson's interval of one answer
        if row.metric.endswith("accuracy"):
            assert (row.low, row.high) == wilson(row.value, 1)


def test_a_vote_says_of_how_many_members_it_is():
    vote = {Run(): Predicted(["dogs", "x", "dog"], members=5)}
    assert {row.runs for row in score_language(cell(uzh=vote), 1)} == {5}


def test_without_annotation_there_is_no_plausible_form():
    rows = score_language(cell(annotated=False, copy={Run(): Predicted(["dog", "bark", "dog"])}), 1)
    assert {row.condition for row in rows} == {"track1|original|low|sv"}


def test_seeds_have_a_row_each_and_one_over_all():
    outputs = {
        Run("paper", 1): Predicted(["dogs", "barking", "dog"]),
        Run("paper", 2): Predicted(["dogs", "x", "x"]),
    }
    rows = [row for row in score_language(cell(uzh=outputs), 1) if row.metric == "accuracy"]
    assert told(rows)["track1|original|low|sv", "accuracy", None] == pytest.approx(2 / 3)
    assert told(rows)["track1|original|low|sv", "accuracy", 2] == pytest.approx(1 / 3)
    assert {row.variant for row in rows} == {"paper"}
    assert [row.runs for row in rows[:1] + rows[-1:]] == [2, 1]


def row(language, value, forms="original", **more):
    named = Score(
        "cloze", PAPER, table="by language", system="copy-bl",
        condition=f"track2|{forms}|low|{language}", metric="accuracy", value=value, low=value,
        high=value, n=10, runs=1,
    )  # fmt: skip
    return replace(named, **more)


def test_a_mean_over_all_languages_of_the_paper_stands_beside_the_printed_one(printed):
    seven = [row(name, 0.1) for name in printed.languages]
    (mean,) = mean_scores(seven, printed)
    assert (mean.table, mean.condition) == ("Table 11", "track2|original|low")
    assert (mean.n, mean.note) == (70, "mean over 7 languages")
    (mean,) = mean_scores(seven[1:], printed)
    assert mean.condition == "track2|original|low|part of the languages"


def test_means_of_plausible_forms_are_without_french(printed):
    six = [row(name, 0.1, "plausible") for name in printed.languages if name != "fr"]
    (mean,) = mean_scores(six, printed)
    assert (mean.condition, mean.note) == ("track2|plausible|low", "mean over 6 languages")


def test_other_languages_and_metrics_have_means_of_their_own(printed):
    own = [row("mine", 0.1), row("mine", 1.5, metric="levenshtein")]
    first, second = mean_scores(own, printed)
    assert first.condition == "track2|original|low|languages outside the paper"
    assert (first.table, second.table) == ("Table 11", "by language")


def test_the_best_of_a_language_is_a_system_and_no_null(printed):
    rows = [
        row("sv", 0.4),
        row("sv", 0.9, system="frequent"),
        row("sv", 0.8, system="uzh", variant="released", seed=1),
        row("sv", 0.5, system="uzh", variant="released", runs=3),
        row("sv", 0.6, system="uzh", variant="paper", runs=3),
        row("sv", 0.7, metric="exact_accuracy"),
    ]
    (best,) = best_scores(rows, printed)
    assert (best.table, best.system) == ("Table 12", "sv")
    # With the first variant, the default
    assert (best.value, best.note) == (0.5, "ours: uzh (released)")


def test_the_best_stands_beside_print_where_all_of_the_papers_systems_have_run(printed):
    systems = [*printed.means("track2-low", "original")]
    assert (len(systems), "uzh" in systems, "copy-bl" in systems) == (7, True, True)
    rows = [row("sv", 0.4, system=name) for name in systems]
    assert best_scores(rows, printed)[0].condition == "track2|original|low"
    for lacking in range(len(rows)):
        (best,) = best_scores(rows[:lacking] + rows[lacking + 1 :], printed)
        assert best.condition == "track2|original|low|of the systems run"
    (best,) = best_scores([row("mine", 0.4)], printed)
    assert best.condition == "track2|original|low"


def test_sizes(sentences):
    rows = size_scores("en", {"low": sentences[:1], "medium": [], "dev": sentences[:2],
                            "test": sentences})  # fmt: skip
    assert {(r.table, r.condition, r.metric): r.value for r in rows} == {
        ("Table 4", "train_low", "tokens"): 2,
        ("Table 4", "dev", "tokens"): 4,
        ("Table 4", "test", "tokens"): 5,
        ("Table 5", "dev", "target_lemmata"): 2,
        ("Table 5", "test", "target_lemmata"): 3,
        ("Table 5", "test", "most_plausible_forms"): 2,
    }


@pytest.fixture
def study(tmp_path, sentences):
    """Score a toy language under the name of a Swedish one; `forms` are those of copying."""
    splits = {"low": sentences, "dev": sentences, "test": sentences}
    write_dataset(tmp_path / "sv", splits, language="sv", sources=[])

    def run(forms, released=("sv",), failed=()):
        predicted = {"sv": (["dogs", "Barking", "Dog"], {Run(): Predicted(forms)})}
        path = tmp_path / "predictions.parquet"
        write_predictions(path, "copy-bl", "track1-low", predicted if forms else {})
        write_tsv(tmp_path / "missing.tsv", failed, MISSING)
        out = {name: tmp_path / name for name in ("scores", "claims", "failures")}
        score_study(
            [path],
            [tmp_path / "missing.tsv"],
            {"sv": tmp_path / "sv"},
            PUBLISHED,
            out,
            submitted={"copy-bl": {"track1-low": ["sv"]}},
            released=released,
            codes={"sv": "sv"},
            seed=1,
        )
        return read_parquet(out["scores"]).to_pylist(), out

    return run


@pytest.mark.parametrize(("code", "right"), [("tr", [1, 1, 0]), ("de", [1, 0, 1])])
def test_case_is_that_of_the_language(code, right):
    items = [Word(form, "x", None, (form,)) for form in ("Irmak", "Isı", "İki")]
    found = measure(items, ["Irmak", "ısı", "i\u0307ki"], annotated=False, code=code)
    assert found["original", "accuracy"].tolist() == right


def test_a_study_from_predictions_to_scores_and_claims(study):
    rows, out = study(["dog", "bark", "dog"])
    accuracy = [r for r in rows if (r["system"], r["metric"]) == ("copy-bl", "accuracy")]
    assert {(r["table"], r["condition"]) for r in accuracy} == {
        ("by language", "track1|original|low|sv"),
        ("by language", "track1|plausible|low|sv"),
        ("Table 11", "track1|original|low|part of the languages"),
        ("Table 11", "track1|plausible|low|part of the languages"),
    }
    assert len([r for r in rows if r["table"] == "Table 12"]) == 2
    claims = read_tsv(out["claims"])
    assert len(claims) == 13
    assert read_tsv(out["failures"]) == []


def test_ones_own_data_do_not_stand_beside_the_papers(study):
    rows, _ = study(["dog", "bark", "dog"], released=())
    assert {r["system"] for r in rows if r["table"] == "Table 4"} == {"sv (own data)"}
    assert "track1|original|low|sv (own data)" in {r["condition"] for r in rows}


def test_a_language_without_predictions_must_have_failed(study):
    line = "predictions of copy-bl, track1-low: none for sv"
    with pytest.raises(KasuError, match=line):
        study([])
    failed = dict(zip(MISSING, ("copy-bl", "track1-low", "1", "sv", "why"), strict=True))
    _, out = study([], failed=[failed])
    assert read_tsv(out["failures"]) == [failed]


def test_predictions_for_other_items_are_an_error(study, sentences, tmp_path):
    write_dataset(tmp_path / "sv", {"test": sentences[:1]}, language="sv", sources=[])
    with pytest.raises(KasuError, match="other items than the test set has"):
        study(["dog", "bark", "dog"])

"""Means over languages: which languages, which seeds, and what the note says of them."""

from dataclasses import replace

import pytest

from kasu.inflection.data.triples import PAPER
from kasu.inflection.evaluation.means import mean_scores
from kasu.inflection.evaluation.outcomes import ENSEMBLE
from kasu.results.scores import Score


def score(language, accuracy, system="baseline", setting="low", **more) -> Score:
    named = Score(
        "inflection", PAPER, system=system, condition=f"{setting}|{language}", metric="accuracy",
        value=accuracy, low=accuracy - 0.03, high=accuracy + 0.04, n=100, runs=1,
    )  # fmt: skip
    return replace(named, **more)


def means(printed, rows, *more) -> dict[str, tuple[float, str]]:
    """Value and note by condition, for rows of one system without seeds."""
    found = mean_scores(rows, printed, *more)
    return {row.condition: (pytest.approx(row.value), row.note) for row in found}


def test_a_mean_over_all_languages_stands_beside_the_printed_one(printed):
    task = printed.languages("low")
    for count, condition in ((103, "low"), (102, "low|part of the languages")):
        (row,) = mean_scores([score(name, 0.5) for name in task[:count]], printed)
        assert (row.table, row.condition) == ("Table 8", condition)
        assert row.note.startswith(f"mean over {count} of 103 languages")


def test_all_of_a_partial_submission_are_its_languages(printed):
    task = [n for n in printed.languages("low") if printed.value("ua-02", "low", n) is not None]
    assert len(task) == 97
    for count, condition in ((97, "low"), (96, "low|part of the languages")):
        (row,) = mean_scores([score(name, 0.5, "ua-02") for name in task[:count]], printed)
        assert row.condition == condition


def test_mean_says_what_the_paper_has_over_the_same_languages(printed):
    theirs = [printed.value("baseline", "low", name) for name in ("adyghe", "basque")]
    assert theirs == [0.59, 0.001]
    assert means(printed, [score("adyghe", 0.6), score("basque", 0.1)]) == {
        "low|part of the languages": (
            0.35,
            "mean over 2 of 103 languages; published over these: 29.55",
        )
    }
    ((_, note),) = means(printed, [score("basque", 5.0, metric="levenshtein")]).values()
    assert printed.value("baseline", "low", "basque", "levenshtein") == 6.52
    assert note.endswith("; published over these: 6.52")


def test_own_languages_have_a_separate_mean(printed):
    rows = [score("adyghe", 0.6), score("mine", 0.1), score("yours", 0.3)]
    found = means(printed, rows)
    assert found["low|languages outside the paper"] == (0.2, "mean over 2 languages")
    assert found["low|part of the languages"][0] == 0.6
    assert len(found) == 2


def test_a_partial_submission_is_averaged_over_what_was_submitted(printed):
    # ua-02 was not submitted for Adyghe
    rows = [score("adyghe", 0.6, "ua-02"), score("basque", 0.2, "ua-02")]
    found = means(printed, rows)
    assert {condition: value for condition, (value, _) in found.items()} == {
        "low|part of the languages": 0.2,
        "low|all languages of the task": 0.4,
    }


def test_the_note_counts_the_languages_that_failed(printed):
    failed = {("baseline", "low", "basque"), ("baseline", "low", "a"), ("other", "low", "adyghe")}
    found = means(printed, [score("adyghe", 0.5), score("b", 0.5)], failed)
    assert [note.rpartition("; ")[2] for _, note in found.values()] == ["1 failed", "1 failed"]


# Seeds and members


def by_seed(rows) -> dict:
    return {row.seed: (row.value, row.runs, row.note) for row in rows}


def test_each_seed_has_a_mean(printed):
    rows = [score("mine", 0.2, seed=1), score("mine", 0.4, seed=2), score("mine", 0.3, runs=2)]
    assert by_seed(mean_scores(rows, printed)) == {
        1: (0.2, 1, "mean over 1 language"),
        2: (0.4, 1, "mean over 1 language"),
        None: (0.3, 2, "mean over 1 language"),
    }


def test_a_language_with_one_seed_counts_in_the_mean_over_all(printed):
    rows = [
        score("mine", 0.2, seed=1),
        score("mine", 0.4, seed=2),
        score("mine", 0.3, runs=2),
        score("yours", 0.5, seed=1),
    ]
    assert by_seed(mean_scores(rows, printed)) == {
        1: (0.35, 1, "mean over 2 languages"),
        2: (0.4, 1, "mean over 1 language"),
        None: (0.4, 1, "mean over 2 languages; 1 to 2 seeds a language"),
    }


def test_a_mean_of_votes_says_how_many_members_they_had(printed):
    rows = [score("mine", 0.2, "uzh-01", runs=5), score("yours", 0.4, "uzh-01", runs=3)]
    published = {"uzh-01": {"low": 15}}
    (row,) = mean_scores(rows, printed, (), published)
    assert (row.runs, row.note) == (3, "mean over 2 languages; members 3 to 5 of 15")
    (row,) = mean_scores([score("mine", 0.2, "uzh-01", runs=15)], printed, (), published)
    assert row.note == "mean over 1 language"


def test_a_mean_of_a_system_that_read_text_says_so(printed):
    rows = [score("mine", 0.2, "uzh-01"), score("mine", 0.4, "ua-08")]
    means = mean_scores(rows, printed, (), {}, {"ua-08": "high"})
    assert {row.system: row.note for row in means} == {
        "uzh-01": "mean over 1 language",
        "ua-08": "mean over 1 language; read the forms of high as text",
    }


def test_oracle_e_says_over_how_many_systems_it_is(printed):
    rows = [score(name, 0.5, ENSEMBLE, note="over the 2 systems run") for name in ("x", "y")]
    (row,) = mean_scores(rows, printed)
    assert row.note == "mean over 2 languages; over the 2 systems run"
    rows[0] = replace(rows[0], note="over the 3 systems run")
    (row,) = mean_scores(rows, printed)
    assert row.note == "mean over 2 languages; over the systems run in each language"


def test_a_figure_that_cannot_be_recomputed_says_why(printed):
    rows = [
        replace(score("adyghe", 0.5, "oracle-e"), value=None, note="not recomputable")
        for _ in range(2)
    ]
    (row,) = mean_scores(rows, printed)
    assert (row.condition, row.value, row.note) == ("low", None, "not recomputable")

"""What was published of task 2 by language, and our scores beside it."""

from pathlib import Path

import pytest

from kasu.cloze.evaluation.fingerprints import fingerprint_task
from kasu.results.scores import SCORES
from kasu.transduction.fingerprints.tables import take_fingerprints

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
TASK = fingerprint_task(PUBLISHED)
ORIGINS = {"uzh": {"variant": "released", "alone": "uzh"}}


def score(system, condition, value, metric="accuracy"):
    return dict.fromkeys(SCORES.names) | {
        "system": system, "condition": condition, "metric": metric, "value": value,
        "variant": "released", "runs": 1,
    }  # fmt: skip


def test_columns_are_those_of_original_forms():
    columns = TASK.columns("track2-low")
    # Kann et al. 2018, Table 1
    assert columns["uzh"] == {
        "de": 0.5915, "en": 0.6808, "es": 0.3268, "fi": 0.2440, "fr": 0.2505, "ru": 0.2811,
        "sv": 0.3277,
    }  # fmt: skip
    # By Table 12, which names the best system of each language
    assert TASK.columns("track1-low")["uzh"] == {
        "de": 0.6006, "en": 0.6808, "es": 0.3478, "fi": 0.2490, "fr": 0.3503, "ru": 0.4076,
        "sv": 0.3330,
    }  # fmt: skip
    assert TASK.columns("track1-medium")["uzh"] == {"de": 0.639}


def test_a_system_stands_beside_its_column():
    theirs = TASK.columns("track2-low")["uzh"]
    rows = [
        score("uzh", f"track2|original|low|{name}", value + 0.01) for name, value in theirs.items()
    ]
    rows += [
        score("uzh", "track2|original|low|part of the languages", 0.5),
        score("uzh", "track2|plausible|low|de", 0.9),
        score("uzh", "track2|original|low|de", 0.9, metric="exact_accuracy"),
    ]
    target = {"system": "uzh", "setting": "track2-low", "margin": 0.035}
    ((row,), differences) = take_fingerprints(TASK, rows, [target], ORIGINS, {}, {})
    assert (row["languages"], row["verdict"], row["cap"]) == (7, "agrees", 0.04)
    assert row["difference"] == pytest.approx(0.01)
    assert [each["language"] for each in differences] == list(theirs)


# Accuracy of `frequent` on the released test sets, with the small training sets
FREQUENT = {
    "de": 0.5986, "en": 0.6677, "es": 0.3128, "fi": 0.2389, "fr": 0.2444, "ru": 0.2550,
    "sv": 0.3606,
}  # fmt: skip


@pytest.mark.parametrize(
    ("track", "verdict", "reason"),
    [
        ("track1", "agrees", "the interval lies within the margin"),
        # In four languages the published system is right as often as copying
        ("track2", "uninformative", "the null frequent agrees as well"),
    ],
)
def test_a_verdict_that_a_null_earns_says_nothing(track, verdict, reason):
    where = f"{track}|original|low"
    rows = [
        score("uzh", f"{where}|{name}", value + 0.01)
        for name, value in TASK.columns(f"{track}-low")["uzh"].items()
    ]
    rows += [
        score("frequent", f"{where}|{name}", value) | {"variant": None}
        for name, value in FREQUENT.items()
    ]
    target = {"system": "uzh", "setting": f"{track}-low", "margin": 0.035, "cap": 0.06}
    ((row,), _) = take_fingerprints(TASK, rows, [target], ORIGINS, {}, {})
    assert row["verdict"] == verdict
    assert row["reason"].startswith(reason)

"""A target beside its nulls and ablations: what a panel cannot see, and what earns nothing."""

import pytest

from kasu.cloze.evaluation.fingerprints import fingerprint_task as cloze_task
from kasu.cloze.families import FAMILIES as CLOZE_FAMILIES
from kasu.inflection.evaluation.fingerprints import fingerprint_task
from kasu.inflection.families import FAMILIES
from kasu.transduction.fingerprints.tables import take_fingerprints
from kasu.transduction.fingerprints.target import PublishedTask

NAMES = ("a", "b", "c", "d")
OWN = dict.fromkeys(NAMES, 0.5)
TASK = PublishedTask(
    "toy", "copy", lambda where: tuple(where.split("|")),
    lambda setting: {"uzh-01": OWN, "waseda-01": dict.fromkeys(NAMES, 0.3)},
    nulls=("copy",), ablations={"uzh-01": {"blind": "attention", "deaf": "its ear"}},
)  # fmt: skip
ORIGINS = {
    "uzh-01": {"variant": "whole", "alone": "uzh"},
    "uzh": {"variant": "whole", "alone": "uzh"},
}


def run(variant, shift, system="uzh-01", names=NAMES, spread=0.0):
    """Accuracies that differ from the column by a shift, up and down by a spread."""
    return [
        {
            "system": system, "variant": variant, "condition": f"low|{name}", "value": value,
            "metric": "accuracy", "seed": None, "runs": 5, "n": 1000,
        }
        for n, name in enumerate(names)
        for value in [0.5 + shift + spread * (-1) ** n]
    ]  # fmt: skip


def take(*scores, target=None):
    targets = [] if target is None else [{"system": "uzh-01", "setting": "low"} | target]
    scores = [row for rows in scores for row in rows]
    rows, by_language = take_fingerprints(TASK, scores, targets, ORIGINS, {}, {})
    assert len(by_language) == sum(row["languages"] for row in rows)
    return {row["variant"]: (row["verdict"], row["reason"], row["unseen"]) for row in rows}


SEES = "; would see a loss of 2.1 points"
WITHIN = "the interval lies within the margin"


def test_an_ablation_that_earns_the_word_too_is_told_and_earns_nothing():
    found = take(run("whole", 0.01), run("blind", -0.007), run("deaf", -0.09))
    assert found == {
        "whole": ("agrees", f"{WITHIN}; cannot see attention{SEES}", "attention"),
        "blind": ("uninformative", "agrees even without attention", "attention"),
        "deaf": ("uninformative", "agrees in kind even without its ear", "its ear"),
    }


def test_what_an_ablation_loses_is_seen():
    found = take(run("whole", 0.01), run("blind", -0.03), run("deaf", -0.15))
    assert found["whole"] == ("agrees", WITHIN + SEES, "")
    # The worse word is none for the system either
    reason = "agrees in kind even without attention"
    assert found["blind"] == ("uninformative", reason, "attention")
    assert found["deaf"][0] == "differs"
    assert found["deaf"][1].startswith("without its ear: waseda-01 is nearer")


def test_both_parts_are_named():
    found = take(run("whole", 0.01), run("blind", 0.0), run("deaf", -0.01))
    assert found["whole"][1:] == (
        f"{WITHIN}; cannot see attention or its ear{SEES}", "attention; its ear"
    )  # fmt: skip


def test_an_ablation_that_ran_in_fewer_languages_tells_nothing():
    """It would not be judged on the same languages."""
    found = take(run("whole", 0.01), run("blind", 0.0, names=NAMES[:3]))
    assert found == {"whole": ("agrees", WITHIN + SEES, "")}


def test_an_ablation_alone_has_a_row_if_asked_for():
    assert take(run("blind", 0.0)) == {}
    found = take(run("blind", 0.0), target={"variant": "blind"})
    assert found == {"blind": ("uninformative", "agrees even without attention", "attention")}


@pytest.mark.parametrize("step", [1, -1])
def test_an_ablation_that_is_stated_itself_keeps_its_bounds(step):
    scores = [*run("whole", 0.01), *run("blind", -0.03)]
    targets = [
        {"system": "uzh-01", "setting": "low"},
        {"system": "uzh-01", "setting": "low", "variant": "blind", "expected": -0.03},
    ]
    rows, _ = take_fingerprints(TASK, scores, targets[::step], ORIGINS, {}, {})
    found = {row["variant"]: row for row in rows}
    assert [found[name]["expected"] for name in ("whole", "blind")] == [0.0, -0.03]
    assert found["blind"]["reason"] == "agrees even without attention"


def test_a_wide_ablation_takes_a_word_away_though_it_earns_none_by_itself():
    whole, wide = run("whole", 0.01, spread=0.02), run("blind", 0.0, spread=0.045)
    found = take(whole, wide, target={"cap": None})
    assert found["whole"][0] == "consistent"
    assert found["whole"][2] == "attention"
    reason = "without attention: the interval is 16.5 points wide"
    assert found["blind"] == ("uninformative", reason, "")


@pytest.mark.parametrize(("shift", "unseen"), [(-0.015, "the vote of its members"), (-0.03, "")])
def test_a_member_alone_lacks_the_vote(shift, unseen):
    found = take(run("whole", 0.0), run("whole", shift, "uzh"))
    assert found["whole"][::2] == ("agrees", unseen)


def test_a_member_alone_is_no_ablation_of_itself():
    target = {"system": "uzh", "column": "uzh-01"}
    found = take(run("whole", 0.0, "uzh"), target=target)
    assert found["whole"] == ("agrees", WITHIN + SEES, "")


def test_where_a_null_earns_the_word_no_part_is_named():
    found = take(run("whole", 0.01), run("blind", 0.0), run(None, -0.01, "copy"))
    assert found["whole"] == ("uninformative", "the null copy agrees as well", "")


@pytest.mark.parametrize(
    ("task", "families"), [(fingerprint_task, FAMILIES), (cloze_task, CLOZE_FAMILIES)]
)
def test_ablations_are_variants_of_the_system_of_a_column(task, families):
    """And none of them stands for a submission by default."""
    for column, parts in task("resources/published").ablations.items():
        family = families.load(families.submissions[column.removeprefix("rerun ")])
        assert set(parts) <= set(family.variants), column
        if not column.startswith("rerun "):
            assert family.default not in parts
        assert all(parts.values())

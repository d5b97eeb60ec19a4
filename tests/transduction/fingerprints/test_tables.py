"""The table of fingerprints: its rows, bounds, members, spread over seeds, languages."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_parquet
from kasu.inflection.evaluation.fingerprints import fingerprint_task
from kasu.results.scores import SCORES
from kasu.transduction.fingerprints.dev import read_dev, with_mean
from kasu.transduction.fingerprints.tables import (
    DIFFERENCES,
    FINGERPRINTS,
    take_fingerprints,
    write_fingerprints,
)
from kasu.transduction.items import Answer
from kasu.transduction.members.answers import MEMBERS as MEMBERS_FILE
from kasu.transduction.members.answers import member_table
from kasu.transduction.members.families import Answers, Run

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
P4 = ("adyghe", "czech", "german", "lithuanian")
ORIGINS = {
    "uzh-01": {"variant": "released", "alone": "uzh-single"},
    "uzh-single": {"variant": "released", "alone": "uzh-single"},
    "ua-01": {"variant": None, "alone": "ua-01"},
}
MEMBERS = {"uzh-01": {"low": 15}}
TASK = fingerprint_task(PUBLISHED)


def score(system, language, value, variant="released", seed=None, runs=1, setting="low"):
    return dict.fromkeys(SCORES.names) | {
        "study": "inflection", "paper": "sigmorphon2018", "table": "Table 17", "system": system,
        "condition": f"{setting}|{language}", "metric": "accuracy", "value": value,
        "variant": variant, "seed": seed, "runs": runs,
    }  # fmt: skip


def votes(printed, shift=0.0, languages=P4, runs=5):
    """The printed column of uzh-01, shifted."""
    return [
        score("uzh-01", name, printed.value("uzh-01", "low", name) + shift, runs=runs)
        for name in languages
    ]


def take(printed, rows, *targets):
    return take_fingerprints(TASK, rows, targets, ORIGINS, MEMBERS, {})


def test_what_has_a_column_is_compared_under_the_default_bounds(printed):
    rows, differences = take(printed, votes(printed, 0.01))
    (row,) = rows
    assert set(row) == set(FINGERPRINTS)
    expected = {
        "system": "uzh-01", "variant": "released", "setting": "low", "column": "uzh-01",
        "languages": 4, "members": "5", "published_members": 15, "expected": 0.0, "margin": 0.02,
        "cap": 0.04, "seed_sd": None, "verdict": "agrees",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    assert (row["difference"], row["rms"]) == (pytest.approx(0.01), pytest.approx(0.01))
    assert [each["language"] for each in differences] == list(P4)
    assert set(differences[0]) == set(DIFFERENCES)


def test_oracles_nulls_and_systems_without_a_column_have_no_row(printed):
    rows = [
        score("oracle-fc", "adyghe", 0.5, variant=None),
        score("copy", "adyghe", 0.5, variant=None),
        score("uzh-single", "adyghe", 0.5),
        score("uzh-01", "harmonic", 0.5),
    ]
    assert take(printed, rows) == ([], [])


def test_copying_decides_what_a_column_can_show(printed):
    copies = [score("copy", name, 0.9, variant=None) for name in P4]
    ((row,), _) = take(printed, [*votes(printed), *copies])
    assert row["verdict"] == "uninformative"
    assert row["reason"].endswith("not above 0.9000 by copying")


@pytest.mark.parametrize(
    ("languages", "reason"),
    [
        (P4, "the null copy agrees as well"),
        (P4[:3], "the interval lies within the margin; would see a loss of 2.0 points"),
    ],
)
def test_a_null_counts_where_it_has_all_languages(printed, languages, reason):
    copies = [row | {"system": "copy", "variant": None} for row in votes(printed, -0.01, languages)]
    ((row,), _) = take(printed, [*votes(printed, 0.01), *copies])
    assert row["reason"] == reason


def test_a_null_is_not_compared_with_itself(printed):
    copies = [row | {"system": "copy", "variant": None} for row in votes(printed, -0.01)]
    target = {"system": "copy", "setting": "low", "column": "uzh-01"}
    ((row,), _) = take(printed, copies, target)
    assert row["verdict"] == "agrees"


def test_a_variant_that_is_not_the_default_is_compared_only_if_asked_for(printed):
    rows = [row | {"variant": "static"} for row in votes(printed)]
    assert take(printed, rows) == ([], [])
    target = {"system": "uzh-01", "setting": "low", "variant": "static"}
    ((row,), _) = take(printed, rows, target)
    assert row["variant"] == "static"
    assert len(take(printed, rows + votes(printed), target)[0]) == 2


def test_a_target_states_column_languages_and_bounds(printed):
    rows = [
        score("uzh-single", name, printed.value("uzh-01", "low", name) - 0.032, runs=members)
        for name, members in zip(P4, (1, 1, 5, 3), strict=True)
    ]
    target = {
        "system": "uzh-single", "setting": "low", "column": "uzh-01", "expected": -0.032,
        "margin": 0.01, "cap": 0.03, "why": "1 member, no vote",
    }  # fmt: skip
    ((row,), _) = take(printed, rows, target)
    assert (row["expected"], row["margin"], row["cap"]) == (-0.032, 0.01, 0.03)
    assert (row["members"], row["published_members"]) == ("1 to 5", 15)
    assert row["verdict"] == "agrees"
    found = "the interval lies within the margin; 1 member, no vote"
    assert row["reason"] == f"{found}; would see a loss of 0.3 points"
    some = target | {"languages": ["adyghe", "german"], "excluded": ["german"]}
    ((row,), differences) = take(printed, rows, some)
    assert [each["language"] for each in differences] == ["adyghe"]
    assert (row["low"], row["sd"], row["verdict"]) == (None, None, "uninformative")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"languages": P4[:2], "panel": "one"}, {"languages": P4[2:], "panel": "other"}),
        ({"languages": P4[:2], "panel": "one"}, {}),
        ({"excluded": P4[:1]}, {"excluded": P4[1:]}),
    ],
)
def test_targets_over_other_languages_have_ablations_of_their_own(printed, one, other):
    rows = [
        row | {"variant": variant}
        for variant in ("released", "patched", "static")
        for row in votes(printed)
    ]
    asked = {"system": "uzh-01", "setting": "low"}
    targets = [asked | {"variant": "released"} | one, asked | {"variant": "patched"} | other]
    task = replace(TASK, ablations={"uzh-01": {"static": "roll-outs"}})
    taken, differences = take_fingerprints(task, rows, targets, ORIGINS, MEMBERS, {})
    expected = [
        (variant, given.get("panel"), language)
        for given, variants in ((one, ("released", "static")), (other, ("patched", "static")))
        for variant in variants
        for language in given.get("languages", P4)
        if language not in given.get("excluded", ())
    ]
    assert [(row["variant"], row["panel"], row["language"]) for row in differences] == expected
    assert sum(row["languages"] for row in taken) == len(expected)


def test_what_a_team_published_afterwards_is_a_column_for_who_asks(printed):
    rows = [
        score("racai-01", name, value, setting="high", variant="corrected")
        for name, value in (("adyghe", 0.969), ("maltese", 0.92), ("uzbek", 0.35), ("votic", 0.72))
    ]
    target = {
        "system": "racai-01", "variant": "corrected", "setting": "high", "column": "rerun racai-01"
    }  # fmt: skip
    ((row,), differences) = take(printed, rows, target)
    # Dumitrescu & Boroș 2018, Table 1
    assert [each["published"] for each in differences] == [0.979, 0.91, 0.36, 0.73]
    assert row["difference"] == pytest.approx(-0.005)
    assert row["nearest_other"] == "waseda-01"
    # Of the three languages that were not submitted the task has no figure
    ((row,), differences) = take(printed, rows, target | {"column": "racai-01"})
    assert [each["language"] for each in differences] == ["adyghe", "maltese"]
    assert row["nearest_other"] == "bme-02"


HOLISTIC = {
    "system": "waseda-01", "variant": "holistic", "setting": "low", "split": "dev",
    "column": "dev waseda-01 holistic",
}  # fmt: skip


def on_dev(*accuracies, names=P4):
    """Accuracies of the variant on dev, of one seed each."""
    return {
        ("waseda-01", "holistic", "low"): {
            name: with_mean({1: value}) for name, value in zip(names, accuracies, strict=True)
        }
    }


def take_on_dev(scores, dev, target=HOLISTIC):
    return take_fingerprints(TASK, scores, [target], ORIGINS, MEMBERS, {}, dev)


def test_a_target_on_dev_compares_dev_with_what_teams_published_of_it():
    # What ran on test says nothing here
    rows = [score("waseda-01", name, 0.0, "holistic") for name in P4]
    ((row,), differences) = take_on_dev(rows, on_dev(0.726, 0.394, 0.542, 0.184))
    # Fam & Lepage 2018, Table 3
    assert [each["published"] for each in differences] == [0.716, 0.384, 0.542, 0.194]
    assert [each["ours"] for each in differences] == [0.726, 0.394, 0.542, 0.184]
    assert row["difference"] == pytest.approx(0.0025)
    # Four parts of Waseda's, and MSU's three systems
    assert (row["columns"], row["nearest_other"]) == (7, "dev msu-02")
    assert (row["items_low"], row["items_high"]) == (None, None)
    assert take_on_dev(rows, {}) == ([], [])


def test_a_target_on_dev_leaves_the_comparison_on_test(printed):
    target = {"system": "uzh-01", "setting": "low", "split": "dev", "column": "dev msu-02"}
    dev = {("uzh-01", "released", "low"): {name: with_mean({1: 0.5}) for name in P4}}
    rows, _ = take_on_dev(votes(printed), dev, target)
    assert [row["column"] for row in rows] == ["dev msu-02", "uzh-01"]


def test_on_dev_copying_is_as_on_test():
    copies = [score("copy", name, 0.9, variant=None) for name in P4]
    ((row,), _) = take_on_dev(copies, on_dev(0.726, 0.394, 0.542, 0.184))
    assert row["reason"].endswith("not above 0.9000 by copying")


def test_the_columns_of_dev_and_of_test_are_apart():
    for target, known in (
        (HOLISTIC | {"column": "waseda-01"}, "dev msu-02"),
        (HOLISTIC | {"split": "test"}, "waseda-01"),
    ):
        line = f"no column {target['column']!r}; expected one of .*{known}"
        with pytest.raises(KasuError, match=line):
            TASK.columns_for(target)


def test_accuracies_on_dev_are_those_of_members(tmp_path):
    gold = {"dev": ["a", "b"], "test": []}
    tables = [
        member_table(
            "toy", "low", language, Run("x", seed), gold,
            Answers([Answer([form, "b"]), Answer([form])], []),
        )
        for language in ("adyghe", "mine")
        for seed, form in ((1, "a"), (2, "c"))
    ]  # fmt: skip
    empty = member_table(
        "toy", "low", "czech", Run("x", 1), dict.fromkeys(gold, ()), Answers([], [])
    )
    write_parquet(tmp_path / "0.parquet", pa.concat_tables([*tables, empty]), MEMBERS_FILE)
    files = {"waseda-01": {"low": [tmp_path / "0.parquet"]}}
    found = read_dev(files, ["adyghe", "czech"])
    assert {key: list(cells) for key, cells in found.items()} == {
        ("waseda-01", "x", "low"): ["adyghe"]
    }
    assert found["waseda-01", "x", "low"]["adyghe"] == {
        1: {"value": 0.5, "runs": 1},
        2: {"value": 0.0, "runs": 1},
        None: {"value": 0.25, "runs": 2},
    }


def test_no_other_rerun_is_among_the_columns(printed):
    theirs = printed.reruns("high")["rerun msu-03"]
    rows = [score("racai-01", name, theirs[name], "corrected", setting="high") for name in P4]
    target = {
        "system": "racai-01", "variant": "corrected", "setting": "high", "column": "rerun racai-01"
    }  # fmt: skip
    ((row,), _) = take(printed, rows, target)
    assert "rerun" not in row["nearest_other"]


def test_null_is_no_margin_and_no_cap(printed):
    target = {"system": "uzh-01", "setting": "low", "margin": None, "cap": None}
    ((row,), _) = take(printed, votes(printed), target)
    assert (row["margin"], row["cap"], row["verdict"]) == (None, None, "agrees in kind")


def test_the_spread_over_own_seeds_bounds_that_over_languages(printed):
    """Of the members alone, in the compared languages that have three or more."""
    seeds = {"adyghe": (0.5, 0.54, 0.58), "german": (0.5, 0.5, 0.5), "czech": (0.1, 0.9)}
    singles = [
        score("uzh-single", name, value, seed=seed)
        for name, values in seeds.items()
        for seed, value in enumerate(values, start=1)
    ]
    singles += [score("uzh-single", "basque", v, seed=n) for n, v in enumerate((0, 0.5, 1), 1)]
    ((row,), _) = take(printed, votes(printed) + singles)
    # Variances 0.0016 and 0, of two degrees each; 5 members of ours and 15 of theirs
    assert row["seed_sd"] == pytest.approx(0.0008**0.5)
    # The 95 % point of F at 3 and 4 degrees is 6.5914
    assert row["seed_cap"] == pytest.approx((0.0008 * (1 / 5 + 1 / 15) * 6.5914) ** 0.5, rel=1e-4)
    assert row["cap"] == 0.04
    target = {"system": "uzh-01", "setting": "low", "cap": 0.1}
    ((row,), _) = take(printed, votes(printed) + singles, target)
    assert row["cap"] == 0.1


def test_the_interval_over_items_and_seeds_needs_both(printed):
    singles = [
        score("uzh-single", name, 0.5 + 0.02 * seed, seed=seed) for name in P4 for seed in (1, 2, 3)
    ]
    with_items = [row | {"n": 1000} for row in votes(printed)]
    for rows in (with_items, votes(printed) + singles):
        ((row,), _) = take(printed, rows)
        assert (row["items_low"], row["items_high"]) == (None, None)
    ((row,), _) = take(printed, with_items + singles)
    shares = [printed.value("uzh-01", "low", name) for name in P4]
    variances = [2 * p * (1 - p) / 1000 + 0.0004 * (1 / 5 + 1 / 15) for p in shares]
    assert row["items_high"] == pytest.approx(1.959964 * sum(variances) ** 0.5 / 4)
    assert row["items_low"] == pytest.approx(-row["items_high"])


def test_seeds_of_one_language_count_together(printed):
    theirs = printed.value("ua-01", "low", "adyghe")
    rows = [score("ua-01", "adyghe", theirs + d, None, n) for n, d in ((1, 0.02), (2, 0.04))]
    rows.append(score("ua-01", "adyghe", theirs + 0.03, None, None, 2))
    ((row,), _) = take(printed, rows)
    assert (row["members"], row["published_members"]) == ("2", 1)
    assert row["difference"] == pytest.approx(0.03)


def test_what_did_not_run_is_counted(printed):
    """Of a panel, or of what was to run; languages without a published figure do not count."""
    target = {
        "system": "uzh-01", "setting": "low", "panel": "p5", "languages": [*P4, "basque", "mine"],
    }  # fmt: skip
    ((row,), _) = take(printed, votes(printed), target)
    assert (row["panel"], row["languages"], row["wanted"]) == ("p5", 4, 5)
    assert row["verdict"] == "consistent"
    found = "the interval lies within the margin, but over 4 of 5 languages"
    assert row["reason"].startswith(found)
    ((row,), _) = take(printed, votes(printed), target | {"excluded": ["basque"]})
    assert (row["wanted"], row["verdict"]) == (4, "agrees")
    submitted = {"uzh-01": {"low": [*P4, "basque"], "medium": ["french"]}}
    for stated in ([], [{"system": "uzh-01", "setting": "low"}]):
        rows, _ = take_fingerprints(TASK, votes(printed), stated, ORIGINS, MEMBERS, submitted)
        assert (rows[0]["wanted"], rows[0]["verdict"]) == (5, "consistent")
    # It is told of what differs, too
    ((row,), _) = take(printed, votes(printed, -0.3), target)
    assert row["verdict"] == "differs"
    assert row["reason"].endswith("; 4 of 5 languages")


# One vote may stand for two submissions

BOTH = ORIGINS | {"uzh-02": ORIGINS["uzh-01"]}


def two_votes(printed, *, shift=0.0, column="uzh-02"):
    """The printed column of one submission as the vote that stands for both."""
    return [
        score(system, name, printed.value(column, "low", name) + shift, runs=5)
        for system in ("uzh-01", "uzh-02")
        for name in P4
    ]


@pytest.mark.parametrize(("column", "other"), [("uzh-02", "uzh-01"), ("uzh-01", "uzh-02")])
def test_one_vote_earns_one_verdict_at_the_nearer_column(printed, column, other):
    rows, _ = take_fingerprints(TASK, two_votes(printed, column=column), [], BOTH, MEMBERS, {})
    by_column = {row["column"]: row for row in rows}
    assert by_column[column]["verdict"] == "agrees"
    told = f"; one verdict, as {other} has the same accuracies"
    assert by_column[column]["reason"].endswith(told)
    assert by_column[other]["verdict"] == "uninformative"
    found = f"the same accuracies earn their verdict beside {column}, which is nearer"
    assert by_column[other]["reason"] == found


def test_votes_that_differ_in_one_language_earn_two(printed):
    scores = two_votes(printed)
    scores[0]["value"] += 0.001
    rows, _ = take_fingerprints(TASK, scores, [], BOTH, MEMBERS, {})
    assert [row["verdict"] for row in rows] == ["agrees", "agrees"]


def test_the_same_accuracies_differ_twice(printed):
    rows, _ = take_fingerprints(TASK, two_votes(printed, shift=-0.4), [], BOTH, MEMBERS, {})
    assert [row["verdict"] for row in rows] == ["differs", "differs"]


def test_a_column_that_the_paper_lacks_is_one_line(printed):
    target = {"system": "uzh-01", "setting": "low", "column": "uzh-03"}
    line = "config inflection.fingerprints: uzh-01, low: no column 'uzh-03'; expected one of base"
    with pytest.raises(KasuError, match=line):
        take(printed, votes(printed), target)


def test_files_and_the_same_bytes_twice(printed, tmp_path):
    write_parquet(tmp_path / "scores.parquet", votes(printed, 0.01), SCORES)
    for name in ("a", "b"):
        paths = (tmp_path / f"{name}.tsv", tmp_path / f"{name}-differences.tsv")
        scores = tmp_path / "scores.parquet"
        write_fingerprints(TASK, scores, *paths, [], ORIGINS, MEMBERS, {}, {})
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()
    (row,) = read_tsv(tmp_path / "a.tsv", FINGERPRINTS)
    assert row["verdict"] == "agrees"
    assert len(read_tsv(tmp_path / "a-differences.tsv", DIFFERENCES)) == 4

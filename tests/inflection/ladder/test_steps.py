"""The ladder: steps over languages with their sign tests, and the claimed order."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, norm

from kasu.files.tables import read_tsv
from kasu.inflection.data.triples import read_splits
from kasu.inflection.ladder.item_agreement import AGREEMENT
from kasu.inflection.ladder.published_outputs import ComparedOutputs, System
from kasu.inflection.ladder.steps import LADDER, SignTest, compare_outputs, ladder_rows
from kasu.results.verdicts import Claim, judge_claims

ORDER = ["static", "expert", "explored"]
NAMES = [f"language{number:02}" for number in range(12)]


def test_a_sign_test_drops_ties():
    found = SignTest.over({"a": 0.02, "b": 0.01, "c": 0.0, "d": -0.01, "e": 0.03})
    assert (found.wins, found.ties, found.losses, found.clusters) == (3, 1, 1, 5)
    # 2 * (1 + 4) / 2 ** 4
    assert found.p == 0.625
    # SD sqrt(0.001 / 4), t of 4 degrees of freedom 2.776
    assert found.value == pytest.approx(0.01)
    assert (found.low, found.high) == (
        pytest.approx(-0.009632, rel=1e-4),
        pytest.approx(0.029632, rel=1e-4),
    )


def test_float_error_is_a_tie():
    found = SignTest.over({"a": 0.3 - (0.1 + 0.2), "b": 0.1})
    assert (found.wins, found.ties, found.losses, found.p) == (1, 1, 0, 1.0)


def test_ties_alone_are_no_difference():
    found = SignTest.over(dict.fromkeys("abcdef", 0.0))
    assert (found.value, found.ties, found.p) == (0.0, 6, 1.0)


def test_the_smallest_difference_gives_ten_wins_of_twelve_four_times_in_five():
    values = np.array([0.01, -0.01] * 6)
    found = SignTest.over(dict(zip(NAMES, values, strict=True)))
    share = norm.cdf(found.smallest() / values.std(ddof=1))
    assert binom.sf(9, 12, share) == pytest.approx(0.8)
    # At a third of the level, as with two others undecided, eleven
    share = norm.cdf(found.smallest(0.05 / 3) / values.std(ddof=1))
    assert binom.sf(10, 12, share) == pytest.approx(0.8)
    # Five wins of five do not do
    assert SignTest.over(dict.fromkeys("abcde", 0.1)).smallest() == np.inf


def test_a_step_is_shown_by_simulation_as_often_as_its_power_says():
    spread = np.random.default_rng(1).normal(0, 1, (4000, 12))
    found = SignTest.over(dict(zip(NAMES, spread[0], strict=True)))
    true = found.smallest() / found.spread  # in standard deviations
    wins = (spread + true > 0).sum(axis=1)
    assert (wins >= 10).mean() == pytest.approx(0.8, abs=0.02)


# Rows


def forms(right, items=10):
    return [np.array(["right"] * right + ["wrong"] * (items - right))]


def outputs(**systems):
    """Systems by name: how many of ten items each has right, by language."""
    named = {
        "static": System("ours", "uzh", "static"),
        "expert": System("ours", "uzh", "expert"),
        "explored": System("ours", "uzh", "explored"),
        "released": System("ours", "uzh", "released"),
        "baseline": System("ours", "baseline", "published"),
        "CA_LCS_E": System("published", "CA-LCS-E", "static", False),
        "CA_D_E": System("published", "CA-D-E", "expert", False),
        "CA_RM_E": System("published", "CA-RM-E", None, False),
        "CA_cls": System("published", "CA-cls", "static", True),
    }
    gold = dict.fromkeys(NAMES, np.array(["right"] * 10))
    found = {
        named[system]: {name: forms(right) for name, right in zip(NAMES, rights, strict=False)}
        for system, rights in systems.items()
    }
    return ComparedOutputs(gold, found)


def pick(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def test_accuracies_by_language_and_their_mean():
    rows = pick(ladder_rows(outputs(static=[3, 5]), "uzh", ORDER), row="accuracy")
    assert all(set(row) == set(LADDER) for row in rows)
    assert [(row["language"], row["languages"], row["members"], row["value"]) for row in rows] == [
        ("language00", None, 1, 0.3),
        ("language01", None, 1, 0.5),
        (None, 2, 2, 0.4),
    ]


def test_each_side_has_its_steps_in_the_claimed_order():
    """The unrelated system, single published models and one without a variant are no rungs."""
    given = outputs(
        released=[5, 5, 5], explored=[6, 6, 6], static=[3, 4, 5], expert=[4, 4, 4],
        baseline=[1, 1, 1], CA_LCS_E=[5, 5], CA_D_E=[6, 4], CA_RM_E=[6, 4],
        CA_cls=[4, 4],
    )  # fmt: skip
    steps = pick(ladder_rows(given, "uzh", ORDER), row="step")
    assert [(row["side"], row["over"], row["variant"]) for row in steps] == [
        ("ours", "static", "expert"),
        ("ours", "static", "explored"),
        ("ours", "static", "released"),
        ("ours", "expert", "explored"),
        ("ours", "expert", "released"),
        ("ours", "explored", "released"),
        ("published", "static", "expert"),
    ]
    names = ("languages", "wins", "ties", "losses", "sign_p")
    assert [steps[0][name] for name in names] == [3, 1, 1, 1, 1.0]
    assert steps[1]["value"] == pytest.approx(0.2)
    assert [steps[6][name] for name in names] == [2, 1, 0, 1, 1.0]


def test_a_step_takes_the_languages_that_both_have():
    (step,) = pick(
        ladder_rows(outputs(static=[3, 4, 5], expert=[4]), "uzh", ORDER), row="step", side="ours"
    )
    assert (step["languages"], step["value"]) == (1, pytest.approx(0.1))
    assert (step["low"], step["high"]) == (None, None)


def verdicts(rows, side):
    return {
        row["row"]: (row["verdict"], row["evidence"])
        for row in rows
        if row["side"] == side and row["verdict"]
    }


def test_the_order_holds_if_each_step_does_in_enough_languages():
    given = outputs(static=[3] * 12, expert=[4] * 12, explored=[5] * 12)
    found = verdicts(ladder_rows(given, "uzh", ORDER), "ours")
    assert {row: verdict for row, (verdict, _) in found.items()} == {
        "order": "holds",
        "ends": "holds",
    }


def test_one_step_within_chance_leaves_the_order_undecided():
    """9 wins of 11 have p 0.065; 11 of 11 p 0.001, of the ends."""
    given = outputs(
        static=[3] * 12, expert=[4] * 9 + [3] + [2] * 2, explored=[5] * 9 + [4] + [4] * 2
    )
    found = verdicts(ladder_rows(given, "uzh", ORDER), "ours")
    assert found["order"][0] == "undecided"
    assert found["order"][1].startswith("9 won, 1 tied, 2 lost: difference +0.0583 ")
    assert (
        "p 0.065, corrected 0.065: within chance; as many clusters show 0.1138" in found["order"][1]
    )
    assert found["ends"][0] == "holds"


def test_a_step_against_the_order_fails_it():
    given = outputs(static=[3] * 12, expert=[4] * 12, explored=[2] * 12)
    found = verdicts(ladder_rows(given, "uzh", ORDER), "ours")
    assert (found["order"][0], found["ends"][0]) == ("fails", "fails")


def test_what_did_not_run_or_in_few_languages_is_untestable():
    given = outputs(static=[3] * 12, expert=[4] * 5, explored=[5] * 12)
    rows = ladder_rows(given, "uzh", ORDER)
    assert verdicts(rows, "ours")["order"] == ("untestable here", "fewer than 6 languages")
    assert verdicts(rows, "ours")["ends"][0] == "holds"
    missing = "no language has both static and expert"
    assert verdicts(rows, "published")["order"] == ("untestable here", missing)


# The published outputs

LANGUAGES = (
    "albanian", "armenian", "bulgarian", "catalan", "danish", "estonian", "french", "german",
    "hungarian", "italian", "polish", "spanish",
)  # fmt: skip
VOTES = {"CA-LCS-E": "static", "CA-D-E": "explored", "CA-R-E": "released", "CA-RM-E": None}
STEPS = ["static", "explored", "released"]


def compare(mirror, folder, name):
    year = mirror / "sigmorphon2017"
    datasets, published = {}, []
    for language in LANGUAGES:
        parts = {"low": "train-low", "dev": "dev", "test": "uncovered-test"}
        files = {split: year / f"task1/{language}-{part}" for split, part in parts.items()}
        read_splits(files, folder / language, language=language, sources=[])
        datasets[language] = folder / language / "test.parquet"
        runs = [*product(VOTES, [None]), *product(["CA-cls"], range(1, 6))]
        published += [
            {
                "system": system, "variant": VOTES.get(system, "static"), "seed": seed,
                "language": language,
                "path": year / f"outputs/low/{system}/{language}_{seed or 0}_test.tsv",
            }
            for system, seed in runs
        ]  # fmt: skip
    out = {part: folder / f"{name}-{part}.tsv" for part in ("ladder", "agreement", "drops")}
    compare_outputs(
        published, {}, datasets, out, family="uzh", variants={}, order=STEPS, margin=0.02
    )
    return out


@pytest.fixture(scope="module")
def compared(mirror, tmp_path_factory):
    return compare(mirror, tmp_path_factory.mktemp("ladder"), "one")


@pytest.mark.real
def test_the_published_means_and_steps(compared):
    """Means over the twelve languages, recomputed apart from this code.

    All 52 languages give 0.488, 0.503 and 0.517 for the first three, with steps of 0.015 and 0.013.
    """
    rows = read_tsv(compared["ladder"], LADDER)
    means = {row["system"]: row["value"] for row in rows if row["languages"] and row["members"]}
    assert {name: round(float(value), 5) for name, value in means.items()} == {
        "CA-LCS-E": 0.53525, "CA-D-E": 0.55092, "CA-R-E": 0.56033, "CA-RM-E": 0.5515,
        "CA-cls": 0.51973,
    }  # fmt: skip
    steps = {
        (row["over"], row["variant"]): (row["wins"], row["ties"], row["losses"])
        for row in pick(rows, row="step")
    }
    assert steps == {
        ("static", "explored"): ("9", "1", "2"),
        ("static", "released"): ("11", "1", "0"),
        ("explored", "released"): ("8", "0", "4"),
    }
    found = {row: verdict for row, (verdict, _) in verdicts(rows, "published").items()}
    assert found == {"order": "undecided", "ends": "holds"}


@pytest.mark.real
def test_no_line_of_the_published_outputs_is_dropped(compared):
    assert read_tsv(compared["drops"]) == []


@pytest.mark.real
def test_published_seeds_agree_and_other_systems_are_not_found_equal(compared):
    rows = [row for row in read_tsv(compared["agreement"], AGREEMENT) if row["languages"]]
    found = [(row["row"], row["b"], round(float(row["agreement"]), 4)) for row in rows]
    assert found == [
        ("seeds", "CA-cls", 0.7423),
        ("held out", "CA-cls, no. 1", 0.7446),
        ("held out", "CA-cls, no. 2", 0.7371),
        ("held out", "CA-cls, no. 3", 0.7444),
        ("held out", "CA-cls, no. 4", 0.7461),
        ("held out", "CA-cls, no. 5", 0.7394),
        ("other", "CA-D-E", 0.7233),
        ("other", "CA-R-E", 0.7134),
        ("other", "CA-RM-E", 0.7032),
    ]
    words = [row["verdict"] for row in rows]
    assert words[1:6] == ["holds", "undecided", "holds", "holds", "undecided"]
    assert words[6:] == ["undecided"] * 3


@pytest.mark.real
def test_the_same_bytes_twice_and_no_form_in_them(compared, mirror, tmp_path):
    again = compare(mirror, tmp_path, "two")
    for part, path in compared.items():
        assert path.read_bytes() == again[part].read_bytes()
        # Albanian, the first item
        assert "dashuruar" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("sign", "result"), [(1, "holds"), (-1, "fails")])
def test_the_sign_test_decides_the_direction_not_the_mean(sign, result):
    # One large difference turns the mean around
    found = SignTest.over({**{f"l{at}": sign * 0.01 for at in range(19)}, "one": sign * -0.5})
    assert found.value == pytest.approx(sign * -0.0155)
    assert found.p == pytest.approx(42 / 2**20)
    (row,) = judge_claims("paper", [Claim("above", "sign test", found)])
    assert row["result"] == result

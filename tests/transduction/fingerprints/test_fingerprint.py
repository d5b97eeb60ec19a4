"""Verdicts on hand-made columns, each with its figures; and on the published ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kasu.results.published import read_published
from kasu.results.reproduction import State
from kasu.transduction.fingerprints.fingerprint import Bounds, Fingerprint, Panel, team

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
LANGUAGES = [f"l{number}" for number in range(8)]
BOUNDS = Bounds(cap=0.04)


def column(*differences: float, base: float = 0.5) -> dict[str, float]:
    """Accuracies of eight languages, around 50 %; fewer differences repeat."""
    return {name: base + differences[n % len(differences)] for n, name in enumerate(LANGUAGES)}


OWN = column(0.0)
FAR = column(0.1, -0.1)
COLUMNS = {"uzh-01": OWN, "iitbhu-01": FAR}


def judge(ours, bounds=BOUNDS, **columns):
    named = {"uzh-01": OWN, "iitbhu-01": FAR} | {
        name.replace("_", "-"): values for name, values in columns.items()
    }
    return Fingerprint.of(ours, "uzh-01", named).judge(bounds)


def test_figures_by_hand():
    ours = column(0.03, -0.01)
    found = Fingerprint.of(ours, "uzh-01", COLUMNS)
    # Differences are 3 and -1 points, four times each: mean 1, squares 9 and 1
    assert found.mean == pytest.approx(0.01)
    assert found.sd == pytest.approx(0.02 * (8 / 7) ** 0.5)
    assert found.rms == pytest.approx(0.05**0.5 / 10)
    # Student's t of 7 degrees of freedom at 97.5 %: 2.3646
    half = 2.3646 * found.sd / 8**0.5
    assert found.interval == pytest.approx((0.01 - half, 0.01 + half), abs=1e-6)
    assert found.panel.published.mean() == 0.5
    assert found.rank == 1
    # To the other column: -7 and 9 points
    assert found.nearest.column == "iitbhu-01"
    assert found.nearest.rms == pytest.approx(0.0065**0.5)
    assert found.nearest.further == pytest.approx(0.0065**0.5 - 0.0005**0.5)


def test_agrees_where_the_interval_lies_within_the_margin():
    # The interval is 1 ± 0.4 points
    state, reason = judge(column(0.015, 0.005))
    assert (state, reason) == (State.AGREES, "the interval lies within the margin")


def test_agrees_around_the_expected_difference():
    ours = column(-0.035, -0.025)
    assert judge(ours)[0] is State.IN_KIND
    assert judge(ours, Bounds(expected=-0.03, cap=0.04))[0] is State.AGREES


def test_consistent_where_the_interval_is_wider_than_the_margin():
    # The mean is 0, the SD 3.2 points, the interval ± 2.7
    state, reason = judge(column(0.03, -0.03))
    assert (state, reason) == (State.CONSISTENT, "the interval holds the expected difference")


def test_agrees_in_kind_where_the_mean_is_off_and_the_reason_is_told():
    state, reason = judge(column(0.045, 0.035), Bounds(cap=0.04, why="1 member, no vote"))
    assert (state, reason) == (State.IN_KIND, "the mean is off; 1 member, no vote")


def test_differs_where_the_spread_exceeds_the_cap():
    # An SD of 4.28 points
    state, reason = judge(column(0.04, -0.04))
    assert (state, reason) == (State.DIFFERS, "SD 0.0428 above the cap 0.0400")
    assert judge(column(0.04, -0.04), Bounds(cap=0.05))[0] is State.CONSISTENT


def test_differs_where_another_team_is_nearer():
    state, reason = judge(column(0.015), waseda_01=column(0.02))
    assert (state, reason) == (State.DIFFERS, "waseda-01 is nearer: RMS 0.0050 against 0.0150")


def test_siblings_of_the_team_may_be_nearer():
    found = Fingerprint.of(column(0.015), "uzh-01", COLUMNS | {"uzh-02": column(0.02)})
    assert found.rank == 2
    assert found.nearest.column == "iitbhu-01"
    assert found.judge(BOUNDS)[0] is State.AGREES


def test_an_equally_near_column_is_not_nearer():
    assert judge(OWN, ua_01=OWN, bounds=Bounds(margin=0.0, cap=0.0))[0] is State.AGREES


def test_where_the_cap_reaches_another_team_the_own_column_is_nearer_by_a_point():
    # Ours is 1 point from its own column, and square to it the other: 1.80 or 2.24 points from ours
    ours, wide = column(0.01), Bounds(cap=0.08)
    state, reason = judge(ours, wide, waseda_01=column(0.015, -0.015))
    assert state is State.IN_KIND
    assert reason == "the interval lies within the margin, but waseda-01 is as near to 1 point"
    assert judge(ours, wide, waseda_01=column(0.02, -0.02))[0] is State.AGREES
    # Under a cap below the other's distance no point is asked for
    assert judge(ours, Bounds(cap=0.017), waseda_01=column(0.015, -0.015))[0] is State.AGREES
    # No cap is a wide one
    assert judge(ours, Bounds(), waseda_01=column(0.015, -0.015))[0] is State.IN_KIND


@pytest.mark.parametrize(
    ("expected", "other", "state", "reason"),
    [
        (0.0, 0.041, "agrees", "the interval lies within the margin"),
        (0.0, 0.039, "agrees in kind", "... but 26 % of the way to waseda-01"),
        # Away from the other
        (0.0, -0.039, "agrees", "the interval lies within the margin"),
        # What is expected is no way gone: of 1 point, or of 2 in the other direction
        (0.01, 0.03, "agrees", "the interval lies within the margin"),
        (-0.01, 0.06, "consistent", "... but 33 % of the way to waseda-01"),
    ],
)
def test_agrees_only_up_to_a_quarter_of_the_way_to_another_team(expected, other, state, reason):
    bounds = Bounds(expected=expected, margin=0.03 if expected < 0 else 0.02, cap=0.01)
    if state == "consistent":
        # An interval that holds what is expected: 1 ± 2 points
        bounds = Bounds(expected=expected, margin=0.045, cap=0.04)
    ours = column(0.034, -0.014) if state == "consistent" else column(0.01)
    found, why = judge(ours, bounds, waseda_01=column(other))
    assert (found, why.replace("the interval lies within the margin,", "...")) == (state, reason)


def test_a_mix_of_two_programs_goes_as_far_as_its_share():
    named = {"uzh-01": OWN, "waseda-01": column(0.08, -0.02, 0.03)}
    for share in (0.1, 0.3):
        ours = {
            name: (1 - share) * OWN[name] + share * named["waseda-01"][name] for name in LANGUAGES
        }
        assert Fingerprint.of(ours, "uzh-01", named).nearest.way(0.0) == pytest.approx(share)


def test_fewer_than_nine_tenths_of_the_languages_do_not_agree():
    reason = "the interval lies within the margin, but over 8 of 9 languages"
    assert judge(column(0.01), Bounds(cap=0.04, wanted=9)) == (State.IN_KIND, reason)
    assert judge(OWN, Bounds(cap=0.04, wanted=9)) == (State.CONSISTENT, reason)
    assert judge(OWN, Bounds(cap=0.04, wanted=8))[0] is State.AGREES
    # 18 of 20 are enough
    names = {f"l{n}": 0.5 for n in range(18)}
    found = Fingerprint.of(names, "uzh-01", {"uzh-01": names})
    assert found.judge(Bounds(wanted=20))[0] is State.AGREES


def test_a_spread_that_seeds_may_make_excuses_and_does_not_help():
    # An SD of 4.28 points
    ours, why = column(0.04, -0.04), "seeds differ"
    above = "SD 0.0428 above the cap 0.0400"
    assert judge(ours, Bounds(cap=0.04, chance=0.042)) == (State.DIFFERS, above)
    state, reason = judge(ours, Bounds(cap=0.04, chance=0.043, why=why))
    assert state is State.UNINFORMATIVE
    assert reason == f"{above}, as seeds alone may make it; {why}"
    # Within the cap it does not matter what seeds make
    assert judge(ours, Bounds(cap=0.05, chance=0.01))[0] is State.CONSISTENT


@pytest.mark.parametrize(("half", "word"), [(0.0559, "consistent"), (0.0561, "uninformative")])
def test_an_interval_wider_than_ten_points_shows_nothing(half, word):
    # The SD is half times √(8/7), the interval ± 2.3646 SDs by √8: 10 points at 0.05594 and 0.0559
    ours = column(half, -half)
    state, reason = Fingerprint.of(ours, "uzh-01", {"uzh-01": OWN}).judge(Bounds())
    assert state == word
    if word == "uninformative":
        assert reason == "the interval is 10.0 points wide"


def test_neither_excuse_saves_a_system_from_a_null():
    """A null takes a word away with any spread that seeds may make, and however wide."""
    ours = Fingerprint.of(column(0.01, -0.01), "uzh-01", {"uzh-01": OWN})
    null = Fingerprint.of(column(0.07, -0.07), "uzh-01", {"uzh-01": OWN})
    for bounds in (Bounds(cap=0.04, chance=0.08), Bounds()):
        assert ours.judge(bounds)[0] is State.AGREES
        assert ours.judge_beside({"copy": null}, bounds)[0] is State.AGREES
        weaker = replace(bounds, margin=0.0)
        assert ours.judge(weaker)[0] is State.CONSISTENT
        assert null.judge(weaker)[0] is State.UNINFORMATIVE
        found = ours.judge_beside({"copy": null}, weaker)
        assert found == (State.UNINFORMATIVE, "the null copy is consistent too")


def test_many_rows_are_measured_as_each_alone(columns):
    """Also where other columns lack languages."""
    named = columns["low"]
    names = [*named["uzh-01"]]
    panel = Panel.of(names, "uzh-01", named)
    differences = np.random.default_rng(3).normal(0, 0.05, (5, len(names)))
    for row, found in zip(differences, panel.measure(differences), strict=True):
        ours = {name: named["uzh-01"][name] + d for name, d in zip(names, row, strict=True)}
        alone = Fingerprint.of(ours, "uzh-01", named)
        for name in ("mean", "sd", "rms", "rank", "interval"):
            assert getattr(found, name) == pytest.approx(getattr(alone, name))
        near = min(
            (column for column in named if team(column) != "uzh"),
            key=lambda column: rms(ours, named[column]) - rms(ours, named["uzh-01"], named[column]),
        )
        assert found.nearest.column == alone.nearest.column == near


def rms(ours, theirs, among=None):
    names = [name for name in ours if name in theirs and name in (among or theirs)]
    return np.sqrt(np.mean([(ours[name] - theirs[name]) ** 2 for name in names]))


def test_without_a_margin_it_agrees_in_kind_at_best():
    state, reason = judge(column(0.015, 0.005), Bounds(margin=None, cap=0.04))
    assert (state, reason) == (State.IN_KIND, "no margin is stated")


def test_what_agrees_in_kind_is_off_by_a_quarter_of_the_way_from_copying_at_most():
    # Print is 50 %; the other team is 20 points away
    far = {"uzh-01": OWN, "iitbhu-01": column(0.2, -0.2)}

    def word(off, copied=None, bounds=BOUNDS):
        copies = None if copied is None else column(0.0, base=copied)
        return Fingerprint.of(column(off), "uzh-01", far, copies).judge(bounds)

    assert word(-0.125)[0] is word(0.125)[0] is State.IN_KIND
    reason = "the mean is off by 13.0 of 50.0 points from copying to print"
    assert word(-0.13) == word(0.13) == (State.DIFFERS, reason)
    assert word(-0.05, 0.3)[0] is State.IN_KIND
    assert word(-0.055, 0.3)[0] is State.DIFFERS
    loose = Bounds(margin=None, cap=0.04)
    assert word(-0.055, 0.3, loose)[0] is State.DIFFERS
    assert word(-0.055, 0.3, Bounds(expected=-0.03, cap=0.04))[0] is State.IN_KIND


def test_no_column_is_the_nearest_of_one():
    for columns in ({"uzh-01": OWN}, {"uzh-01": OWN, "uzh-02": FAR}):
        found = Fingerprint.of(column(-0.05), "uzh-01", columns)
        state, reason = found.judge(BOUNDS)
        assert state is State.DIFFERS
        assert reason == "the mean is off, and no other team's column is compared"
        assert found.judge(Bounds(margin=None, cap=0.04))[0] is State.UNINFORMATIVE
        assert Fingerprint.of(OWN, "uzh-01", columns).judge(BOUNDS)[0] is State.AGREES


def test_an_accuracy_that_is_no_number_shows_nothing():
    state, reason = judge(OWN | {"l0": float("nan")})
    assert (state, reason) == (State.UNINFORMATIVE, "an accuracy is no number")


def test_near_zero_and_few_languages_show_nothing():
    low = column(0.0, base=0.049)
    found = Fingerprint.of(low, "uzh-01", {"uzh-01": low})
    assert found.judge(BOUNDS) == (State.UNINFORMATIVE, "published mean 0.0490: near zero")
    two = {name: OWN[name] for name in LANGUAGES[:2]}
    reason = "fewer than 3 languages show no spread"
    assert judge(two) == (State.UNINFORMATIVE, reason)
    assert judge({"l0": 0.9}) == (State.UNINFORMATIVE, reason)


def test_rounding_of_print_is_allowed():
    bounds = Bounds(margin=0.0, cap=0.0)
    assert judge(column(0.00004, -0.00004), bounds)[0] is State.AGREES
    assert judge(column(0.0002), bounds)[0] is State.IN_KIND


def test_columns_are_compared_over_the_languages_that_both_have():
    # The other column has half of the languages, where it is nearer than the own one
    half = {name: 0.52 for name in LANGUAGES[:4]}
    ours = OWN | {name: 0.52 for name in LANGUAGES[:4]}
    found = Fingerprint.of(ours, "uzh-01", {"uzh-01": OWN, "racai-01": half})
    assert (found.nearest.rms, found.nearest.own) == pytest.approx((0.0, 0.02))
    assert found.judge(BOUNDS)[0] is State.DIFFERS
    # With fewer it is not compared
    few = {name: half[name] for name in LANGUAGES[:3]}
    assert Fingerprint.of(ours, "uzh-01", {"uzh-01": OWN, "racai-01": few}).nearest is None


def test_a_language_without_a_published_figure_does_not_count():
    found = Fingerprint.of(OWN | {"mine": 0.9}, "uzh-01", COLUMNS)
    assert len(found.differences) == 8


def test_teams():
    names = ("uzh-01", "tuebingen-oslo-03", "rerun racai-01", "baseline")
    assert [*map(team, names)] == ["uzh", "tuebingen-oslo", "racai", "baseline"]


# What the bounds catch, on published figures

CAPS = {"low": 0.04, "medium": 0.03}


@pytest.fixture(scope="module")
def columns():
    """The printed columns at low and medium, and MSU's rerun as `rerun <name>`."""
    found: dict[str, dict[str, dict[str, float]]] = {"low": {}, "medium": {}}
    for figure in read_published(PUBLISHED):
        setting, _, language = figure.condition.partition("|")
        paper = (figure.paper, figure.table == "dev")
        name = {("sigmorphon2018", False): "", ("sorokin2018", False): "rerun "}.get(paper)
        kept = name is not None and setting in found and language and figure.value is not None
        if kept and figure.metric == "accuracy" and not figure.system.startswith("oracle"):
            found[setting].setdefault(f"{name}{figure.system}", {})[language] = figure.value
    return found


def rerun(columns, ours, own):
    """Judge a column against one of MSU's rerun, which takes the place of their printed ones."""
    low = {n: c for n, c in columns["low"].items() if team(n) != "msu"}
    low |= {"msu-03": columns["low"]["rerun msu-03"], "msu-04": columns["low"]["rerun msu-04"]}
    return Fingerprint.of(ours, own, low)


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("uzh-01", "uzh"),
        ("tuebingen-oslo-03", "tuebingen-oslo"),
        ("rerun msu-03", "msu"),
        ("dev msu-02", "msu"),
        ("dev rerun msu-03", "msu"),
        ("dev waseda-01 augmented", "waseda"),
        ("baseline", "baseline"),
    ],
)
def test_a_column_is_of_a_team(column, name):
    assert team(column) == name


def test_msus_official_column_differs_from_their_rerun(columns):
    found = rerun(columns, columns["low"]["msu-04"], "msu-04")
    assert (round(found.mean, 3), round(found.sd, 3)) == (-0.077, 0.111)
    reason = "SD 0.1106 above the cap 0.0400"
    assert found.judge(Bounds(cap=CAPS["low"])) == (State.DIFFERS, reason)


def test_one_of_msus_systems_run_for_the_other_differs(columns):
    found = rerun(columns, columns["low"]["rerun msu-04"], "msu-03")
    assert round(found.sd, 3) == 0.047
    assert found.judge(Bounds(cap=CAPS["low"])) == (
        State.DIFFERS, "SD 0.0467 above the cap 0.0400"
    )  # fmt: skip


@pytest.mark.parametrize("setting", ["low", "medium"])
def test_a_sibling_agrees_and_another_team_differs(columns, setting):
    named = columns[setting]
    sibling = Fingerprint.of(named["uzh-02"], "uzh-01", named)
    assert sibling.judge(Bounds(cap=CAPS[setting]))[0] is State.AGREES
    for other in ("iitbhu-iiith-02", "waseda-01", "hamburg-01"):
        found = Fingerprint.of(named[other], "uzh-01", named)
        assert found.judge(Bounds(cap=CAPS[setting]))[0] is State.DIFFERS


def test_every_printed_column_is_nearest_to_itself(columns):
    for named in columns.values():
        printed = {name: values for name, values in named.items() if "rerun" not in name}
        for name, values in printed.items():
            found = Fingerprint.of(values, name, printed)
            assert (found.rank, found.rms, found.mean) == (1, 0.0, 0.0)


def test_a_systematic_loss_is_seen_in_the_mean(columns):
    """Without the vote an ensemble loses about 3 points in every language, give or take."""
    named = columns["low"]
    noise = np.random.default_rng(1).normal(-0.032, 0.015, len(named["uzh-01"]))
    pairs = zip(named["uzh-01"].items(), noise, strict=True)
    single = {name: value + loss for (name, value), loss in pairs}
    found = Fingerprint.of(single, "uzh-01", named)
    assert found.judge(Bounds(cap=0.04))[0] is State.IN_KIND
    assert found.judge(Bounds(expected=-0.032, cap=0.04))[0] is State.AGREES


@pytest.mark.parametrize(("copied", "expected"), [(0.3, "agrees"), (0.5, "uninformative")])
def test_a_column_that_copying_reaches_shows_nothing(copied, expected):
    null = dict.fromkeys(LANGUAGES, copied)
    state, reason = Fingerprint.of(OWN, "uzh-01", COLUMNS, null).judge(BOUNDS)
    assert state == expected
    if copied == 0.5:
        assert reason == "published mean 0.5000: not above 0.5000 by copying"
    # Where copying was not scored in all languages, it decides nothing
    assert Fingerprint.of(OWN, "uzh-01", COLUMNS, {"l1": 1.0}).judge(BOUNDS)[0] is State.AGREES

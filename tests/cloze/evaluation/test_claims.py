"""Claims on task 2: what the printed figures say of them, and what ours do."""

from dataclasses import replace
from pathlib import Path

import pytest

from kasu.cloze.data.names import PAPER
from kasu.cloze.evaluation.claims import test_claims as judge  # pytest would collect it
from kasu.cloze.evaluation.printed import Printed
from kasu.results.published import parse, read_published
from kasu.results.scores import Score

FIGURES = read_published(Path(__file__).resolve().parents[3] / "resources/published")


def judged(scores=(), best=None, **changes):
    """Claims with verdict and evidence.

    `changes` are other figures by system and condition, `best` another best system of Table 12 by
    language and condition.
    """
    noted = [
        replace(figure, note=f"system={best[key]}")
        if figure.metric == "best_accuracy"
        and (key := f"{figure.system} {figure.condition}") in (best or {})
        else figure
        for figure in FIGURES
    ]
    figures = [
        replace(figure, value=parse(changes[key], figure.unit), printed=changes[key])
        if (key := f"{figure.system} {figure.condition}") in changes
        and figure.metric in ("accuracy", "tokens")
        else figure
        for figure in noted
    ]
    return [
        (row["claim"], row["result"], row["evidence"]) for row in judge(scores, Printed(figures))
    ]


def find(claims, start):
    return next(claim[1:] for claim in claims if claim[0].startswith(start))


def test_all_claims_on_printed_figures_hold():
    claims = judged()
    assert [result for _, result, _ in claims] == ["holds"] * 7 + ["untestable here"] * 6


def test_claims_about_print_say_so():
    rows = judge([], Printed(FIGURES))
    assert [row["about"] for row in rows] == ["print"] * 7 + ["ours"] * 6


@pytest.mark.parametrize(
    ("start", "evidence"),
    [
        ("UZH is the only system", "above 36.62: uzh 42.42 of 6 systems"),
        ("In all but one case", "another system is best at track2-high"),
        ("The best system of track 1", "3.8 at low, 7.8 at medium, 13.6 at high"),
        ("In track 2", "high: neural-bl 3, copenhagen 3, bme-has 1; medium: uzh 5, copenhagen 2; "
         "low: uzh 6, copenhagen 1"),
    ],
)  # fmt: skip
def test_evidence(start, evidence):
    assert find(judged(), start) == ("holds", evidence)


def test_evidence_of_rankings():
    _, evidence = find(judged(), "Original and plausible")
    assert evidence.endswith("track2-medium 0.94, track2-high 0.90")


@pytest.mark.parametrize(
    ("change", "start"),
    [
        ({"nyu track2|original|low": "36.63"}, "UZH is the only system that beats copying at low, "
         "track2"),
        ({"neural-bl track2|original|high": "55.00"}, "In all but one case"),
        ({"uzh track1|plausible|low": "30.00"}, "Original and plausible"),
        ({"copenhagen track1|original|high": "68.58"}, "The best system of track 1"),
    ],
)  # fmt: skip
def test_another_figure_makes_a_claim_fail(change, start):
    assert find(judged(**change), start)[0] == "fails"


@pytest.mark.parametrize(
    ("best", "start"),
    [
        ({"sv track1|original|low": "CPH"}, "In track 1"),
        ({"sv track1|plausible|low": "CPH"}, "In track 1"),
        ({"en track2|original|high": "NBL"}, "In track 2"),
        ({"sv track2|original|low": "NBL"}, "In track 2"),
    ],
)
def test_another_best_system_makes_a_claim_fail(best, start):
    assert find(judged(best=best), start)[0] == "fails"
    assert find(judged(), start)[0] == "holds"


def score(system, condition, value, metric="accuracy"):
    return Score("cloze", PAPER, system=system, condition=condition, metric=metric, value=value)


def ran_at_low(**points: dict[str, float]) -> list[Score]:
    """Scores of systems by language, as points above copying, which has 20, 30 and so on."""
    copied = {name: 0.2 + place / 10 for place, name in enumerate(("de", "en", "es"))}
    rows = [
        score("copy-bl", f"track2|original|low|{name}", value) for name, value in copied.items()
    ]
    for system, gains in points.items():
        name = system.replace("_", "-")
        rows += [
            score(name, f"track2|original|low|{language}", copied[language] + gain / 100)
            for language, gain in gains.items()
        ]
    return rows


ONLY = "Of the systems that ran, only UZH beats copying at low, track2"


def test_only_uzh_of_those_that_ran_is_above_copying():
    rows = ran_at_low(
        uzh={"de": 0, "en": 1, "es": 5}, nyu={"de": 4, "es": -6}, frequent={"en": 3, "es": 1},
        nyu_single={"de": 9},
    )  # fmt: skip
    evidence = "points (languages): nyu -1.0 (2), uzh +2.0 (3), frequent +2.0 (2)"
    assert find(judged(rows), ONLY) == ("holds", evidence)
    assert find(judged(rows), ONLY.replace("track2", "track1"))[0] == "untestable here"
    another = ran_at_low(uzh={"de": 1}, nyu={"de": 4, "es": -3})
    evidence = "points (languages): nyu +0.5 (2), uzh +1.0 (1)"
    assert find(judged(another), ONLY) == ("fails", evidence)
    assert find(judged(ran_at_low(uzh={"de": 0, "en": 0}, nyu={"de": -1})), ONLY)[0] == "fails"


@pytest.mark.parametrize(
    ("points", "shown"),
    [
        ({"nyu": {"de": -1}, "frequent": {"de": 1}}, "nyu -1.0 (1), frequent +1.0 (1)"),
        ({"uzh": {"de": 1}, "frequent": {"de": 1}}, "uzh +1.0 (1), frequent +1.0 (1)"),
        ({}, "none"),
    ],
)
def test_without_uzh_or_any_other_the_claim_is_untestable(points, shown):
    expected = ("untestable here", f"uzh did not run beside another system: {shown}")
    assert find(judged(ran_at_low(**points)), ONLY) == expected


def test_all_seeds_and_the_first_variant_are_compared():
    rows = [
        *ran_at_low(uzh={"de": 1}),
        *(
            replace(score("nyu", "track2|original|low|de", 0.2 + gain), runs=runs, variant=variant)
            for gain, runs, variant in ((0.9, 1, "a"), (-0.02, 2, "a"), (0.9, 3, "b"))
        ),
    ]
    assert find(judged(rows), ONLY)[1] == "points (languages): nyu -2.0 (1), uzh +1.0 (1)"


def means(original: dict[str, float], plausible: dict[str, float]) -> list[Score]:
    return [
        score(name, f"track1|{forms}|low", value)
        for forms, values in (("original", original), ("plausible", plausible))
        for name, value in values.items()
    ]


ALIKE = "Original and plausible forms rank the systems that ran"


def test_our_rankings_by_original_and_plausible_forms():
    one = {"uzh": 0.4, "copy-bl": 0.3, "copenhagen": 0.2, "frequent": 0.35, "nyu-single": 0.9}
    two = {"uzh": 0.5, "copy-bl": 0.45, "copenhagen": 0.3, "frequent": 0.4}
    evidence = "track1-low 1.00 over 3 (frequent: place 2 and 3)"
    assert find(judged(means(one, two)), ALIKE) == ("holds", evidence)
    del two["frequent"]
    swapped = two | {"uzh": 0.4}
    evidence = "track1-low 0.50 over 3 (frequent: place 2)"
    assert find(judged(means(one, swapped)), ALIKE) == ("fails", evidence)
    few = {name: one[name] for name in ("uzh", "copy-bl", "frequent")}
    expected = "fewer than 3 systems ran in all languages of a track and size"
    assert find(judged(means(few, few)), ALIKE) == ("untestable here", expected)


def test_copying_must_have_every_printed_digit():
    scores = [
        score("copy-bl", "track1|original|low", 0.36622),
        score("copy-bl", "track2|original|low|de", 0.58948, "exact_accuracy"),
        score("copy-bl", "track2|original|low|de", 0.1),
        score("frequent", "track1|original|low", 0.1),
    ]
    start = "Copying has the accuracy"
    few = ("untestable here", "2 of 2 figures equal, but the claim is about 60")
    assert find(judged(scores), start) == few
    every = [
        score("copy-bl", each.condition, each.value, each.metric)
        for each in FIGURES
        if each.system == "copy-bl" and each.value is not None
    ]
    assert find(judged(every), start) == ("holds", "60 of 60 figures equal")
    assert find(judged(every[:53]), start)[0] == "untestable here"
    scores[0] = replace(scores[0], value=0.3661)
    assert find(judged(scores), start) == ("fails", "1 of 2 figures equal")


def test_sizes_must_be_the_printed_ones():
    scores = [score("sv", "train_low", 1007, "tokens"), score("sv", "test", 940, "target_lemmata")]
    scores.append(score("sv", "test", 5, "most_plausible_forms"))
    start = "The datasets have the sizes"
    few = ("untestable here", "2 of 2 counts equal, but the claim is about 49")
    assert find(judged(scores), start) == few
    every = [
        score(each.system, each.condition, each.value, each.metric)
        for each in FIGURES
        if each.table in ("Table 4", "Table 5") and each.paper == PAPER
    ]
    every.append(score("sv", "test", 5, "most_plausible_forms"))
    assert find(judged(every), start) == ("holds", "49 of 49 counts equal")
    scores[1] = replace(scores[1], value=941)
    assert find(judged(scores), start) == ("fails", "1 of 2 counts equal")


@pytest.mark.parametrize(
    ("language", "targets", "forms", "result"),
    [
        ("fr", 701, 5, ("fails", "no more than 700: none; most forms of a target: 5")),
        ("sv", 700, 5, ("fails", "no more than 700: sv 700; most forms of a target: 5")),
        ("sv", 940, 6, ("fails", "no more than 700: none; most forms of a target: 6")),
        ("mine", 3, 9, ("untestable here", "no cell of ours in a language of the task")),
    ],
)
def test_sizes_of_test_sets(language, targets, forms, result):
    scores = [
        score(language, "test", targets, "target_lemmata"),
        score(language, "test", forms, "most_plausible_forms"),
        score(language, "test", 9, "tokens"),
    ]
    assert find(judged(scores), "All test sets") == result


def test_all_test_sets_but_one_are_large_only_where_all_are_at_hand():
    sizes = dict.fromkeys(("de", "en", "es", "fi", "ru", "sv"), 701) | {"fr": 491}
    scores = [score(name, "test", size, "target_lemmata") for name, size in sizes.items()]
    scores += [score(name, "test", 5, "most_plausible_forms") for name in sizes]
    shown = "languages: no more than 700: fr 491; most forms of a target: 5"
    assert find(judged(scores), "All test sets") == ("holds", f"7 {shown}")
    few = [row for row in scores if row.system != "sv"]
    evidence = f"6 {shown}, but the claim is about 7"
    assert find(judged(few), "All test sets") == ("untestable here", evidence)

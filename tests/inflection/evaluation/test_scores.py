"""Scores by hand: cells, oracles, sign tests, tables."""

from dataclasses import replace

import numpy as np

from kasu.inflection.data.triples import PAPER, SPLITS
from kasu.inflection.evaluation.outcomes import ENSEMBLE, LanguageResults, judge
from kasu.inflection.evaluation.scores import best_scores, count_scores, curves, score_language
from kasu.results.scores import Score
from kasu.results.statistics import wilson


def rows_of(rows: list[Score], **where: object) -> list[Score]:
    return [row for row in rows if where.items() <= vars(row).items()]


# A language in a setting


def cell_of(
    known: str, setting="low", language="harmonic", members=1, **right: str
) -> LanguageResults:
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
    return LanguageResults(setting, language, np.arange(n), hits, guesses("-" * n), outputs)


def test_scores_of_a_cell(printed):
    rows = score_language(cell_of("+++-", baseline="+-++", b="--++"), printed, 1)
    found = {(row.table, row.system, row.metric): row.value for row in rows}
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
    assert {row.condition for row in rows} == {"low|harmonic"}
    assert {(row.study, row.paper) for row in rows} == {("inflection", PAPER)}
    (first, *_) = rows
    assert first.low < 0.75 < first.high
    assert (first.n, first.runs, first.seed, first.variant) == (4, 1, None, None)


def test_published_oracle_e_says_why_it_has_no_figure_of_ours(printed):
    cell = cell_of("++", language="basque", baseline="+-")
    (row,) = rows_of(score_language(cell, printed, 1), system="oracle-e")
    assert (row.table, row.value) == ("Table 17", None)
    assert row.note == "not recomputable: needs every submission's output"


def test_all_right_has_wilsons_interval_and_no_interval_of_distance(printed):
    rows = score_language(cell_of("++++", baseline="++++"), printed, 1)
    (accuracy,) = rows_of(rows, system="baseline", metric="accuracy")
    (distance,) = rows_of(rows, system="baseline", metric="levenshtein")
    assert (accuracy.low, accuracy.high) == wilson(4, 4)
    assert (distance.value, distance.low, distance.high) == (0.0, None, None)


def test_seeds_have_rows_and_one_over_all(printed):
    rows = score_language(cell_of("++++", b_1="++++", b_2="++--"), printed, 1)
    found = rows_of(rows, system="b", metric="accuracy")
    assert [(row.seed, row.value, row.runs, row.n) for row in found] == [
        (None, 0.75, 2, 4),
        (1, 1.0, 1, 4),
        (2, 0.5, 1, 4),
    ]


def test_a_vote_counts_its_members_and_says_if_the_paper_had_more(printed):
    cell = cell_of("-----+", members=5, b="++++++")
    for published, note in (({}, None), ({"b": {"low": 5}}, None), ({"b": {"low": 15}}, "5 of 15")):
        rows = rows_of(score_language(cell, printed, 1, published), system="b")
        assert [row.runs for row in rows] == [5, 5]
        assert {row.note or None for row in rows} == {note and f"members {note}"}
    (accuracy,) = rows_of(
        score_language(cell_of("------+", members=3, b="+++++++"), printed, 1, {"b": {"low": 15}}),
        system="b", metric="accuracy",
    )  # fmt: skip
    assert accuracy.note == "members 3 of 15; † better than oracle-fc"


def test_a_system_that_read_text_says_so(printed):
    texts = {"b": "high", "c": "high"}
    rows = score_language(cell_of("----", a="+---", b="++--"), printed, 1, texts=texts)
    for system, says in (("a", False), ("b", True)):
        noted = {
            "read the forms of high" in (row.note or "") for row in rows_of(rows, system=system)
        }
        assert noted == {says}


def notes(printed, known: str, **right: str) -> dict[str, str | None]:
    rows = score_language(cell_of(known, **right), printed, 1)
    return {row.system: row.note for row in rows_of(rows, metric="accuracy") if row.system in right}


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
    rows = score_language(cell_of("----", baseline__a="++++", baseline__b="+++-"), printed, 1)
    assert [row.note for row in rows_of(rows, system="baseline", metric="accuracy")] == [None] * 2
    assert rows_of(rows, system=ENSEMBLE) == []


def test_a_system_counts_once_in_oracle_e_with_its_first_variant(printed):
    # Were both variants of b counted, every item would be right
    rows = score_language(cell_of("----", a="+---", b__v="++--", b__w="--++"), printed, 1)
    (row,) = rows_of(rows, system=ENSEMBLE)
    assert (row.value, row.note) == (0.5, "over the 2 systems run")


def test_the_oracle_beside_a_run_holds_that_run_itself(printed):
    # Against oracle-e with the first variant, the second would be tested against 4 of 10
    right = {"a": "----------", "b__v": "++++------", "b__w": "++++++++++"}
    rows = score_language(cell_of("+" * 10, **right), printed, 1)
    (row,) = rows_of(rows, system="b", variant="w", metric="accuracy")
    assert row.note == "‡ not different from oracle-e over the 2 systems run"


# The best, curves, counts


def score(language, accuracy, system="baseline", setting="low", **more) -> Score:
    named = Score(
        "inflection", PAPER, system=system, condition=f"{setting}|{language}", metric="accuracy",
        value=accuracy, low=accuracy - 0.03, high=accuracy + 0.04, n=100, runs=1,
    )  # fmt: skip
    return replace(named, **more)


def best(rows, printed):
    return [
        (row.table, row.system, row.condition, row.metric, row.value, row.note)
        for row in best_scores(rows, printed)
    ]


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
    where = "low|of the systems run"
    assert best(rows, printed) == [
        ("Table 9", "basque", where, "best_accuracy", 0.3, "ours: b"),
        ("Table 10", "mine", "low", "best_accuracy", 0.2, "ours: baseline (published)"),
    ]


def test_the_best_of_a_few_systems_does_not_stand_beside_the_best_of_all(printed):
    systems = printed.competitors("low", "basque")
    assert len(systems) == 27 and systems[0] == "baseline"
    rows = [score("basque", number / 100, name) for number, name in enumerate(systems)]
    assert best(rows, printed) == [
        ("Table 9", "basque", "low", "best_accuracy", 0.26, f"ours: {systems[-1]}")
    ]
    for lacking in (0, 12, -1):
        ran = [row for row in rows if row.system != systems[lacking]]
        ((_, _, where, *_),) = best(ran, printed)
        assert where == "low|of the systems run"
        # A system of one's own, or a setting's null, is none of theirs
        ((_, _, where, *_),) = best([*ran, score("basque", 0.1, "mine")], printed)
        assert where == "low|of the systems run"


def test_a_system_stands_in_the_best_with_its_first_variant(printed):
    rows = [score("mine", 0.2, variant="published"), score("mine", 0.4, variant="insertion")]
    ((*_, value, note),) = best(rows, printed)
    assert (value, note) == (0.2, "ours: baseline (published)")


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


def test_counts_of_lemmata_and_forms(tmp_path, toy, printed):
    files = {split: toy.write(tmp_path / f"{split}.parquet", []) for split in SPLITS}
    files["test"] = toy.write(tmp_path / "test.parquet", toy.test)
    found = {(r.condition, r.metric): r for r in count_scores("zulu", files, printed)}
    assert found["test", "lemmata"].value == 3
    assert found["test", "forms"].value == 4
    assert {row.table for row in found.values()} == {"Table 3"}
    assert sorted(found) == sorted((c, m) for c in ("test", "total") for m in ("forms", "lemmata"))
    assert found["total", "forms"].value is None
    assert found["total", "forms"].note == "not recomputable from the released samples"
    assert len(count_scores("harmonic", files, printed)) == 2

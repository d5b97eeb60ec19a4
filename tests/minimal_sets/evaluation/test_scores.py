"""Scores: the cells of Table 3, nulls, averages, tense and aspect."""

import math

import pytest

from kasu.files.tables import read_parquet, read_tsv, write_parquet
from kasu.minimal_sets.data.paper import DECODERS, ENCODERS, PAPER, SETS
from kasu.minimal_sets.evaluation.groups import paper_groups
from kasu.minimal_sets.evaluation.scored_sets import ScoredSets, read_scored_sets
from kasu.minimal_sets.evaluation.scores import (
    score,
    score_study,
    score_text,
)
from kasu.minimal_sets.models.predictions import PREDICTIONS
from kasu.results.comparison import beside
from kasu.results.scores import Score


def item(name: str, right: str, scores: dict[str, float], **changes) -> list[dict]:
    """An item of 'toy' at word level: log probabilities of its forms."""
    blank = dict.fromkeys(PREDICTIONS.names) | {
        "set": "toy", "item_id": name, "sentence_id": name, "system": "mBERT",
        "definition": "word_released", "variant": "word_released", "level": "word", "words": 1,
    }  # fmt: skip
    return [
        blank
        | {"value": value, "grammatical": value == right, "form": value, "log_probability": given}
        | changes
        for value, given in scores.items()
    ]


def cells(folder, rows) -> ScoredSets:
    write_parquet(folder / "p.parquet", rows, PREDICTIONS)
    return read_scored_sets([folder / "p.parquet"])


def found(rows: list[Score], **where: object) -> Score:
    (row,) = (
        row for row in rows if all(getattr(row, key) == value for key, value in where.items())
    )
    return row


RIGHT, WRONG = {"nom": -2.0, "dat": -3.0, "erg": -1.0}, {"nom": -1.0, "dat": -3.0, "erg": -2.0}
TIE = {"nom": -1.0, "dat": -3.0, "erg": -1.0}


def test_a_cell_has_the_key_of_table_3(tmp_path):
    rows = item("a", "erg", RIGHT) + item("b", "erg", WRONG) + item("c", "erg", TIE)
    scored = score(cells(tmp_path, rows), 1)
    mine = {"system": "mBERT", "table": "Table 3"}
    row = found(scored, **mine, metric="accuracy", variant="word_released")
    assert (row.paper, row.condition) == (PAPER, "word-level|toy")
    assert (row.value, row.n) == (0.5, 3)
    assert row.note == "ties for the first place, counted as a guess among equals: 1"
    assert row.low <= row.value <= row.high
    assert found(scored, **mine, metric="ties").value == 1


def test_the_papers_rule_has_a_row_of_its_own_where_ours_differs(tmp_path):
    rows = item("a", "erg", RIGHT) + item("c", "erg", TIE)
    scored = score(cells(tmp_path, rows), 1)
    strict = found(scored, system="mBERT", variant="word_released; ties wrong")
    assert (strict.metric, strict.value, strict.n) == ("accuracy", 0.5, 2)
    scored = score(cells(tmp_path, item("a", "erg", RIGHT)), 1)
    assert not [row for row in scored if "ties wrong" in (row.variant or "")]


def test_released_results_keep_the_papers_rule(tmp_path):
    rows = item("a", "erg", RIGHT, variant="released_results")
    rows += item("c", "erg", TIE, variant="released_results")
    (row,) = (
        row for row in score(cells(tmp_path, rows), 1)
        if (row.system, row.metric, row.table) == ("mBERT", "accuracy", "Table 3")
    )  # fmt: skip
    assert (row.value, row.variant) == (0.5, "released_results")
    assert row.note == "ties for the first place, counted wrong: 1"


def test_a_null_is_judged_by_the_rule_of_what_it_stands_beside(tmp_path):
    null = {"system": "shortest form", "metric": "accuracy"}  # all forms have three letters
    clear = cells(tmp_path, item("a", "erg", RIGHT))
    assert found(score(clear, 1), **null).variant == ""
    tie = score(cells(tmp_path, item("a", "erg", TIE)), 1)
    released = item("a", "erg", RIGHT, variant="released_results")
    for rows, variant in (
        (tie, "ties wrong"),
        (score(cells(tmp_path, released), 1), "released_results"),
    ):
        strict = found(rows, **null, variant=variant)
        assert (strict.value, strict.note) == (0, "null; a tie is wrong, as in the paper")
        assert found(rows, **null, variant="").value == pytest.approx(1 / 3)
        assert not [row for row in rows if row.system == "chance" and row.variant]


def test_ties_of_nulls_are_counted_like_those_of_models(tmp_path):
    rows = item("a", "erg", RIGHT)  # three forms of three letters each
    scored = score(cells(tmp_path, rows), 1)
    assert found(scored, system="shortest form", metric="ties").value == 1
    assert found(scored, system="shortest form", metric="accuracy").value == pytest.approx(1 / 3)
    assert found(scored, system="always erg", metric="ties").value == 0


def test_pairwise_accuracies(tmp_path):
    scored = score(cells(tmp_path, item("a", "erg", RIGHT) + item("b", "erg", WRONG)), 1)
    assert found(scored, metric="accuracy_over_nom").value == 0.5
    assert found(scored, metric="accuracy_over_dat").value == 1
    assert not [row for row in scored if row.metric == "accuracy_over_erg"]


def test_nulls_stand_in_the_same_condition(tmp_path):
    scored = score(cells(tmp_path, item("a", "erg", RIGHT) + item("b", "erg", WRONG)), 1)
    nulls = {row.system: row.value for row in scored if row.note == "null"}
    assert nulls == {
        "chance": pytest.approx(1 / 3),
        "always erg": 1,
        "shortest form": pytest.approx(1 / 3),
    }
    assert {row.condition for row in scored if row.note == "null"} == {"word-level|toy"}


def test_by_tense_and_aspect(tmp_path):
    rows = item("a", "erg", RIGHT, aspect="Perf") + item("b", "erg", WRONG, aspect="Imp")
    rows += item("c", "erg", RIGHT)
    scored = [r for r in score(cells(tmp_path, rows), 1) if r.table == "tense and aspect"]
    assert [(row.condition, row.value, row.n) for row in scored] == [
        ("word-level|toy|aspect=Imp", 0, 1), ("word-level|toy|aspect=Perf", 1, 1),
    ]  # fmt: skip


def test_sentences_of_the_training_text_are_told_apart(tmp_path):
    rows = item("a", "erg", RIGHT, seen=True) + item("b", "erg", WRONG, seen=False)
    rows += item("c", "erg", RIGHT, seen=False) + item("d", "erg", WRONG, seen=False)
    scored = score(cells(tmp_path, rows), 1)
    row = found(scored, system="mBERT", metric="accuracy", table="Table 3")
    assert (row.value, row.note) == (
        0.5, "from sentences trained on: 1 of 4 items; 33.3 % without them",
    )  # fmt: skip
    seen = {row.condition: row.n for row in scored if row.table == "seen in training"}
    two = [given | {"set": name} for given in rows for name in ("one", "two")]
    pooled = found(
        score(cells(tmp_path, two), 1), system="mBERT", metric="accuracy",
        condition="word-level|dat/erg/nom: all sets",
    )  # fmt: skip
    assert pooled.note.endswith("from sentences trained on: 2 of 8 items; 33.3 % without them")
    assert seen == {"word-level|toy|seen=no": 3, "word-level|toy|seen=yes": 1}


def test_a_sentence_of_two_sets_is_one_cluster(tmp_path):
    rows = []
    for number in range(30):
        scores = RIGHT if number % 2 else WRONG
        for name in ("one", "two"):
            rows += item(f"{name}{number}", "erg", scores, set=name, sentence_id=str(number))
    scored = score(cells(tmp_path, rows), 1)
    single = found(scored, system="mBERT", condition="word-level|one", metric="accuracy")
    both = found(
        scored, system="mBERT", condition="word-level|dat/erg/nom: all sets", metric="accuracy"
    )
    assert both.n == 60
    # The second set repeats the first, so the interval stays as wide
    assert both.high - both.low == pytest.approx(single.high - single.low, abs=0.03)


def test_table_2_has_a_total_only_if_all_sets_are_there(tmp_path):
    every = [row for name in SETS for row in item(f"{name}1", "nom", WRONG, set=name)]
    rows = score(cells(tmp_path, every), 1)
    assert found(rows, table="Table 2", system="total").value == 7
    rows = score(cells(tmp_path, every[3:]), 1)
    assert not [row for row in rows if row.system == "total"]


def of_the_paper(tmp_path, sets: list[str]) -> list[Score]:
    rows = [
        row
        for name in sets
        for system in ENCODERS
        for number, scores in enumerate((RIGHT, WRONG, WRONG))
        for row in item(f"{name}{number}", SETS[name], scores, set=name, system=system)
    ]
    (group,) = paper_groups(cells(tmp_path, rows))
    return score_text(group, 1)


def test_averages_of_the_text_over_whole_cases(tmp_path):
    rows = of_the_paper(tmp_path, ["transitive-erg-nom-subj"])
    row = found(rows, table="section 7", metric="mean_accuracy")
    assert (row.system, row.condition) == ("all models", "word-level|erg")
    assert row.value == pytest.approx(1 / 3)
    assert row.note == "mean of 5 cells; of the rounded ones 33.00 %"
    mean = sum(map(math.exp, RIGHT.values())) / 3
    probability = found(rows, metric="mean_probability_all_three_forms")
    assert (probability.system, probability.value) == ("5 encoders", pytest.approx(mean))
    alone = found(rows, metric="mean_probability_right_form").value
    assert alone == pytest.approx((math.exp(-1) + 2 * math.exp(-2)) / 3)


def test_a_case_that_lacks_a_set_has_no_average(tmp_path):
    assert of_the_paper(tmp_path, ["transitive-nom-dat-obj"]) == []


def test_the_dative_is_printed_twice(tmp_path):
    rows = of_the_paper(tmp_path, ["transitive-nom-dat-obj", "transitive-dat-nom-subj"])
    tables = [row.table for row in rows if row.metric == "mean_accuracy"]
    assert tables == ["section 7", "section 7.1"]


def test_other_languages_have_scores_without_a_published_figure(tmp_path, published, outputs_in):
    rows = item("a", "abs", {"erg": -2, "abs": -1}, set="basque-abs", system="toy BERT")
    write_parquet(tmp_path / "p.parquet", rows, PREDICTIONS)
    outputs = outputs_in(tmp_path)
    score_study([tmp_path / "p.parquet"], outputs, seed=1)
    scored = read_parquet(outputs.scores).to_pylist()
    table = beside(scored, published, PAPER, "Table 3")
    (row,) = (row for row in table if row["system"] == "toy BERT" and row["metric"] == "accuracy")
    assert (row["condition"], row["ours"], row["printed"]) == ("word-level|basque-abs", 1, None)
    assert {(row["table"], row["predictions"]) for row in scored} == {
        ("Table 2", None), ("Table 3", "p.parquet"),
    }  # fmt: skip
    assert read_tsv(outputs.preferences) == []  # with two forms only one is wrong


def test_every_published_figure_has_its_key(tmp_path, published):
    rows = []
    for name in SETS:
        for system in (*ENCODERS, *DECODERS):
            for level in ("word", "sentence")[system in DECODERS :]:
                for number, scores in enumerate((RIGHT, WRONG, TIE)):
                    rows += item(
                        f"{name}{number}", SETS[name], scores, set=name, system=system,
                        level=level, variant="released_results", form_tokens=1 + number,
                        sentence_tokens=9 - number**2,
                    )  # fmt: skip
    made = cells(tmp_path, rows)
    scored = score(made, 1)
    for group in paper_groups(made):
        scored += score_text(group, 1)
    for table in ("Table 2", "Table 3", "section 7", "section 7.1", "section 7.3", "section 7.4"):
        for row in beside(map(vars, scored), published, PAPER, table):
            assert row["ours"] is not None, row


def test_accuracy_over_sets_is_of_one_collection(tmp_path):
    rows = [
        row
        for name in ("glc-subj", "glc-obj", "released-subj", "released-obj")
        for row in item(name, "erg", RIGHT, set=name)
    ]
    write_parquet(tmp_path / "p.parquet", rows, PREDICTIONS)
    collections = {row["set"]: row["set"].partition("-")[0] for row in rows}
    scored = score(read_scored_sets([tmp_path / "p.parquet"], collections), 1)
    pooled = {
        row.condition: row.n
        for row in scored
        if row.metric == "accuracy" and row.system == "mBERT" and "sets" in row.condition
    }
    assert pooled == {
        "word-level|glc, dat/erg/nom: all sets": 2,
        "word-level|glc, dat/erg/nom: erg sets": 2,
        "word-level|released, dat/erg/nom: all sets": 2,
        "word-level|released, dat/erg/nom: erg sets": 2,
    }


def test_claims_on_verbs_are_tested_on_the_sets_built_here(tmp_path, build, outputs_in):
    write_parquet(tmp_path / "p.parquet", item("a", "erg", RIGHT), PREDICTIONS)
    outputs = outputs_in(tmp_path)
    score_study(
        [tmp_path / "p.parquet"],
        outputs,
        seed=1,
        built=[build() / "items.parquet"],
        counterparts={"toy": "transitive-erg-nom-subj"},
    )
    claim = "The perfective triggers the ergative (§7.2)"
    (row,) = (row for row in read_tsv(outputs.claims) if row["claim"] == claim)
    assert (row["result"], row["evidence"]) == ("holds", "1 of 1 items")

"""How often the right sentence or form of an item has the highest score."""

import json

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_tsv
from kasu.lm.scoring.accuracy import (
    accuracies,
    accuracy_lines,
    accuracy_objects,
    expect_column,
    remarks,
)
from kasu.lm.scoring.score import SCORES
from kasu.results.statistics import wilson


@pytest.fixture
def scored(tmp_path):
    """Four pairs: right, wrong, a tie, and one that was dropped."""
    kinds = ("number", "case", "case", "case")
    rows = [{"sen": "a", "wrong_sen": "b", "phenomenon": kind} for kind in kinds]
    write_tsv(tmp_path / "pairs.tsv", rows, ("sen", "wrong_sen", "phenomenon"))
    values = [(-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0)]
    return tmp_path / "pairs.tsv", scores_of(("sen", "wrong_sen"), values)


def scores_of(columns, values, unknown=()):
    """The scores of items 1, 2, ..., one value per column; some items have unknown tokens."""
    scores = [
        dict.fromkeys(SCORES.names)
        | {"item_id": str(n), "column": column, "definition": "causal", "log_probability": value}
        | {"unknown": int(n in unknown)}
        for n, item in enumerate(values, 1)
        for column, value in zip(columns, item, strict=False)
    ]
    return pa.Table.from_pylist(scores, SCORES)


def test_a_tie_is_half_right_and_phenomena_are_told_apart(scored):
    rows = [*accuracies(*scored)]
    assert [(row.group, row.items, row.ties, row.accuracy) for row in rows] == [
        (None, 3, 1, 0.5), ("number", 1, 0, 1.0), ("case", 2, 1, 0.25),
    ]  # fmt: skip
    assert [*accuracy_lines(rows)][:2] == [
        "definition\tgroup\titems\tnot_judged\tunknown\tties\taccuracy\tlow\thigh",
        # Wilson's interval of one and a half in three
        "causal\tall\t3\t1\t0\t1\t50.0\t12.5\t87.5",
    ]


def test_an_item_that_was_left_out_counts_as_not_judged(scored):
    whole, number, case = accuracies(*scored)
    assert (whole.not_judged, number.not_judged, case.not_judged) == (1, 0, 1)
    assert whole.why_not == {"left out of the scores": 1}


def test_remarks_say_what_the_accuracy_hides(tmp_path, scored):
    values = [(-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0)]
    scores = scores_of(("sen", "wrong_sen"), values, unknown=(2, 3))
    assert [*remarks(accuracies(scored[0], scores))] == [
        "causal: 1 of 4 items not judged: left out of the scores",
        "causal: ties: 1 of 3 items; each counts one divided by the number of equals",
        "causal: 2 of 4 items have unknown tokens",
    ]
    unremarkable = scores_of(("sen", "wrong_sen"), [(-1.0, -2.0)] * 4)
    assert [*remarks(accuracies(scored[0], unremarkable))] == []


def test_json_has_the_numbers_of_the_table(scored):
    whole, *_ = map(json.loads, accuracy_objects(accuracies(*scored)))
    low, high = whole.pop("low"), whole.pop("high")
    assert (low, high) == pytest.approx((0.1253, 0.8747), abs=1e-4)
    assert whole == {
        "definition": "causal", "group": None, "items": 3, "not_judged": 1, "unknown": 0,
        "ties": 1, "accuracy": 0.5, "why_not": {"left out of the scores": 1},
    }  # fmt: skip


def test_items_of_a_lemma_count_together(tmp_path):
    rows = [
        {"sen": "a", "wrong_sen": "b", "phenomenon": kind, "lemma": f"l{at // 4}", "at": f"{at}"}
        for at, kind in enumerate("x" * 40 + "y" * 4)
    ]
    write_tsv(tmp_path / "pairs.tsv", rows, rows[0].keys())
    scores = scores_of(("sen", "wrong_sen"), [(-1.0, -2.0)] * 43)
    found = [*accuracies(tmp_path / "pairs.tsv", scores)]
    # Wilson's interval of eleven, ten and one items
    assert [*accuracy_lines(found)] == [
        "definition\tgroup\titems\tnot_judged\tunknown\tties\taccuracy\tlow\thigh\tcluster\tclusters",
        "causal\tall\t43\t1\t0\t0\t100.0\t74.1\t100.0\tlemma\t11",
        "causal\tx\t40\t0\t0\t0\t100.0\t72.2\t100.0\tlemma\t10",
        "causal\ty\t3\t1\t0\t0\t100.0\t20.7\t100.0\tlemma\t1",
    ]
    whole, *_ = map(json.loads, accuracy_objects(found))
    assert (whole["cluster"], whole["clusters"]) == ("lemma", 11)
    for cluster in ("at", ""):
        (row, *_) = accuracies(tmp_path / "pairs.tsv", scores, cluster=cluster)
        assert (row.cluster, row.clusters) == (None, None)
        assert (row.low, row.high) == wilson(43, 43)


def test_groups_by_another_column(scored):
    assert [row.group for row in accuracies(*scored, by="sen")] == [None]
    expect_column(scored[0], "sen")
    with pytest.raises(KasuError, match="no column 'kind'; expected sen, wrong_sen, phenomenon"):
        expect_column(scored[0], "kind")


def test_a_group_may_be_called_as_the_whole_is(tmp_path):
    rows = [{"sen": "a", "wrong_sen": "b", "phenomenon": kind} for kind in ("all", "all", "no")]
    write_tsv(tmp_path / "pairs.tsv", rows, rows[0].keys())
    values = [(-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0)]
    found = [*accuracies(tmp_path / "pairs.tsv", scores_of(("sen", "wrong_sen"), values))]
    assert [(row.group, row.items) for row in found] == [(None, 3), ("all", 2), ("no", 1)]
    lines = [line.split("\t")[1:3] for line in accuracy_lines(found)]
    assert lines[1:] == [["all", "3"], ["all", "2"], ["no", "1"]]
    groups = [json.loads(line)["group"] for line in accuracy_objects(found)]
    assert groups == [None, "all", "no"]
    assert len([*remarks(found)]) == 1


def test_items_without_a_group_are_one_group(tmp_path):
    path = tmp_path / "pairs.jsonl"
    kinds = ('"phenomenon": null, ', "", '"phenomenon": "", ', '"phenomenon": "a\\tb\\nc", ')
    path.write_text("".join(f'{{{kind}"sen": "a", "wrong_sen": "b"}}\n' for kind in kinds))
    found = [*accuracies(path, scores_of(("sen", "wrong_sen"), [(-1.0, -2.0)] * 4))]
    assert [(row.group, row.items) for row in found] == [(None, 4), ("", 3), ("a\tb\nc", 1)]
    assert [line.split("\t")[1] for line in accuracy_lines(found)][1:] == ["all", "", "a b c"]


def test_the_right_form_of_a_set_is_above_all_others(tmp_path):
    row = {"masked": "[MASK]", "grammatical": "nom"}
    row |= {"form_nom": "a", "form_dat": "b", "form_erg": "c"}
    write_tsv(tmp_path / "sets.tsv", [row] * 5, row.keys())
    # Right; below one of two; equal to one of two, and to both; scored without the others
    forms = ("form_nom", "form_dat", "form_erg")
    values = [(-1.0, -2.0, -3.0), (-2.0, -3.0, -1.0), (-1.0, -1.0, -2.0), (-1.0,) * 3, (-1.0,)]
    (found,) = accuracies(tmp_path / "sets.tsv", scores_of(forms, values))
    assert (found.items, found.ties, found.accuracy) == (
        4,
        2,
        pytest.approx((1 + 1 / 2 + 1 / 3) / 4),
    )
    assert found.why_not == {"only form_nom was scored": 1}


@pytest.mark.parametrize("grammatical", ["yes", "sentence_bad", "bad"])
def test_grammatical_of_a_pair_does_not_matter(tmp_path, grammatical):
    row = {"sentence_good": "a", "sentence_bad": "b", "grammatical": grammatical}
    write_tsv(tmp_path / "pairs.tsv", [row], row.keys())
    columns = ("sentence_good", "sentence_bad")
    scores = scores_of(columns, [(-1.0, -2.0)])
    (found,) = accuracies(tmp_path / "pairs.tsv", scores)
    assert (found.items, found.accuracy) == (1, 1)


def test_a_column_that_a_later_item_lacks_is_one_line(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"item_id": "p1", "kind": "case"}\n{"item_id": "p2"}\n')
    with pytest.raises(
        KasuError, match=r"pairs\.jsonl: item p2: no column 'kind'; expected item_id"
    ):
        expect_column(path, "kind")


def test_sets_whose_right_form_is_no_form_are_counted(tmp_path):
    names = ("nom", "abs", "")
    rows = [{"masked": "[MASK]", "form_nom": "a", "form_dat": "b", "grammatical": n} for n in names]
    write_tsv(tmp_path / "sets.tsv", rows, rows[0].keys())
    scores = scores_of(("form_nom", "form_dat"), [(-1.0, -2.0)] * 3)
    (found,) = accuracies(tmp_path / "sets.tsv", scores)
    assert (found.items, found.why_not) == (1, {"grammatical names none of the scored forms": 2})
    without = [{key: row[key] for key in row if key != "grammatical"} for row in rows]
    write_tsv(tmp_path / "sets.tsv", without, without[0].keys())
    (found,) = accuracies(tmp_path / "sets.tsv", scores)
    assert (found.items, found.why_not) == (0, {"no column grammatical": 3})


def test_items_that_do_not_say_what_is_right_have_no_accuracy(tmp_path):
    columns = ("sentence_a", "sentence_b")
    write_tsv(tmp_path / "two.tsv", [dict.fromkeys(columns, "a")], columns)
    rows = [*accuracies(tmp_path / "two.tsv", scores_of(columns, [(-1.0, -2.0)]))]
    assert [*accuracy_lines(rows)][1:] == ["causal\tall\t0\t1\t0\t0\t\t\t"]
    assert [*remarks(rows)] == [
        "causal: no accuracy: no scored text is known to be the right one",
    ]


def test_one_column_alone_has_no_accuracy(tmp_path):
    write_tsv(tmp_path / "one.tsv", [{"sentence_good": "a"}], ("sentence_good",))
    scores = scores_of(("sentence_good",), [(-1.0,)])
    rows = [*accuracies(tmp_path / "one.tsv", scores)]
    assert [*remarks(rows)] == ["causal: no accuracy: only sentence_good was scored"]
    (found,) = map(json.loads, accuracy_objects(rows))
    assert (found["items"], found["accuracy"], found["not_judged"]) == (0, None, 1)


def test_no_score_no_line(tmp_path, scored):
    scores = scores_of((), [])
    assert [*accuracies(scored[0], scores)] == []
    assert [*accuracy_lines([])] == []

"""How often the right sentence or form of an item has the highest score."""

import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import write_parquet, write_tsv
from kasu.lm.scoring.accuracy import (
    Accuracy,
    accuracies,
    accuracy_lines,
    expect_column,
)
from kasu.lm.scoring.score import SCORES


@pytest.fixture
def scored(tmp_path):
    """Four pairs: right, wrong, a tie, and one that was dropped."""
    kinds = ("number", "case", "case", "case")
    rows = [{"sen": "a", "wrong_sen": "b", "phenomenon": kind} for kind in kinds]
    write_tsv(tmp_path / "pairs.tsv", rows, ("sen", "wrong_sen", "phenomenon"))
    values = [(-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0)]
    return tmp_path / "pairs.tsv", write_scores(tmp_path, ("sen", "wrong_sen"), values)


def write_scores(folder, columns, values):
    """Write the scores of items 1, 2, ..., one value per column."""
    scores = [
        dict.fromkeys(SCORES.names)
        | {"item_id": str(n), "column": column, "definition": "causal", "log_probability": value}
        for n, item in enumerate(values, 1)
        for column, value in zip(columns, item, strict=False)
    ]
    write_parquet(folder / "s.parquet", scores, SCORES)
    return folder / "s.parquet"


def test_a_tie_is_wrong_and_phenomena_are_told_apart(scored):
    rows = [*accuracies(*scored)]
    assert [(row.group, row.items, row.accuracy) for row in rows] == [
        ("all", 3, pytest.approx(1 / 3)), ("number", 1, 1.0), ("case", 2, 0.0),
    ]  # fmt: skip
    assert [*accuracy_lines(rows)][:2] == [
        "definition\tgroup\titems\taccuracy\tlow\thigh",
        # Wilson's interval of one in three
        "causal\tall\t3\t33.3\t6.1\t79.2",
    ]


def test_groups_by_another_column(scored):
    assert {row.group for row in accuracies(*scored, by="sen")} == {"all"}
    expect_column(scored[0], "sen")
    with pytest.raises(KasuError, match="no column 'kind'; expected sen, wrong_sen, phenomenon"):
        expect_column(scored[0], "kind")


def test_the_right_form_of_a_set_is_above_all_others(tmp_path):
    row = {"masked": "[MASK]", "grammatical": "nom"}
    row |= {"form_nom": "a", "form_dat": "b", "form_erg": "c"}
    write_tsv(tmp_path / "sets.tsv", [row] * 3, row.keys())
    # Right; below one of two; scored without the others
    forms = ("form_nom", "form_dat", "form_erg")
    values = [(-1.0, -2.0, -3.0), (-2.0, -3.0, -1.0), (-1.0,)]
    (found,) = accuracies(tmp_path / "sets.tsv", write_scores(tmp_path, forms, values))
    assert (found.definition, found.items, found.accuracy) == ("causal", 2, 0.5)


@pytest.mark.parametrize("grammatical", ["yes", "sentence_bad", "bad"])
def test_grammatical_of_a_pair_does_not_matter(tmp_path, grammatical):
    row = {"sentence_good": "a", "sentence_bad": "b", "grammatical": grammatical}
    write_tsv(tmp_path / "pairs.tsv", [row], row.keys())
    columns = ("sentence_good", "sentence_bad")
    scores = write_scores(tmp_path, columns, [(-1.0, -2.0)])
    (found,) = accuracies(tmp_path / "pairs.tsv", scores)
    assert (found.items, found.accuracy) == (1, 1)


def test_a_column_that_a_later_item_lacks_is_one_line(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"item_id": "p1", "kind": "case"}\n{"item_id": "p2"}\n')
    with pytest.raises(
        KasuError, match=r"pairs\.jsonl: item p2: no column 'kind'; expected item_id"
    ):
        expect_column(path, "kind")


def test_items_that_do_not_say_what_is_right_have_no_accuracy(tmp_path):
    columns = ("sentence_a", "sentence_b")
    write_tsv(tmp_path / "two.tsv", [dict.fromkeys(columns, "a")], columns)
    scores = write_scores(tmp_path, columns, [(-1.0, -2.0)])
    assert [*accuracies(tmp_path / "two.tsv", scores)] == []
    assert [*accuracy_lines([])] == []


def test_a_line_per_accuracy():
    row = Accuracy("causal", "all", 8, 0.75, 0.409, 0.9285)
    assert [*accuracy_lines([row])][1] == "causal\tall\t8\t75.0\t40.9\t92.8"

"""Checks on bound nodes: spans, what lies inside them, comparisons."""

import pytest

from kasu.queries.checks import (
    comparison_check,
    inside_check,
    label_check,
    order_check,
    span_check,
    unequal_check,
)
from kasu.queries.graph import Graph
from kasu.queries.request import Condition, Label


@pytest.fixture
def graph(sentence):
    return Graph(sentence)


@pytest.mark.parametrize(
    ("node", "inside"), [(2, False), (3, False), (4, True), (5, True), (6, False), (7, False)]
)
def test_a_node_inside_an_edge_is_neither_of_its_ends(graph, node, inside):
    holds = inside_check(0, (1, 2))
    assert holds(graph, [node, 3, 6]) == inside
    assert holds(graph, [node, 6, 3]) == inside


@pytest.mark.parametrize(
    ("spans", "mark"),
    [
        ((1, 3, 3, 5), "<>"),  # they meet
        ((4, 5, 1, 3), "<>"),
        ((1, 4, 2, 5), "><"),
        ((3, 6, 2, 4), "><"),
        ((2, 3, 1, 5), "<<"),
        ((1, 3, 1, 5), "<<"),  # a common end
        ((3, 5, 1, 5), "<<"),
        ((1, 5, 2, 3), None),  # around the other
        ((1, 5, 1, 5), None),
        ((5, 1, 3, 2), None),
    ],
)
def test_two_spans_have_at_most_one_relation(graph, spans, mark):
    marks = ("<>", "><", "<<")
    held = [m for m in marks if span_check(m, (0, 1), (2, 3))(graph, list(spans))]
    assert held == ([mark] if mark else [])


@pytest.mark.parametrize(
    ("mark", "pairs"),
    [("<", [(1, 2)]), ("<<", [(1, 2), (1, 3)]), ("->>", [(3, 1), (3, 2), (2, 1)])],
)
def test_orders_of_two_nodes(graph, mark, pairs):
    holds = order_check(mark, 0, 1)
    places = [(1, 2), (1, 3), (1, 1), (3, 1), (3, 2), (2, 1)]
    assert [pair for pair in places if holds(graph, list(pair))] == pairs


@pytest.mark.parametrize(
    ("left", "mark", "right", "held"),
    [
        ("b", "=", "a", False),  # in either order of the alphabet
        ("a", "=", "b", False),
        ("a", "=", "a", True),
        ("b", "<>", "a", True),
        ("a", "<>", "b", True),
        ("a", "<>", "a", False),
        (2, "<", 10, True),
        ("a", "<", "b", False),  # texts are not ordered
        (None, "<>", "a", False),
        ("a", "=", None, False),
    ],
)
def test_values_compare_as_texts_or_numbers(graph, left, mark, right, held):
    check = comparison_check(lambda *_: left, mark, lambda *_: right)
    assert check(graph, []) == held


def test_two_nodes_are_different_words(graph):
    assert [unequal_check(0, 1)(graph, [2, other]) for other in (1, 2, 3)] == [True, False, True]


def test_labels_meet_all_conditions():
    values = Condition("label", "in", frozenset(("obl", "obl:agent")))
    typed = Condition("2", "present")
    texts = ("obl", "obl:agent", "nsubj:pass")
    assert [label_check(Label())(text) for text in texts] == [True, True, True]
    assert [label_check(Label((values,)))(text) for text in texts] == [True, True, False]
    assert [label_check(Label((typed,)))(text) for text in texts] == [False, True, True]
    assert [label_check(Label((values, typed)))(text) for text in texts] == [False, True, False]

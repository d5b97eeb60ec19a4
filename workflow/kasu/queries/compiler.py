"""Clauses of a request compiled to checks, links between nodes and lookups in indexes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from kasu.queries.checks import (
    Binding,
    Check,
    Reader,
    comment_check,
    comparison_check,
    distance_check,
    edge_check,
    feature_check,
    in_check,
    inside_check,
    label_check,
    node_check,
    order_check,
    out_check,
    span_check,
    structure_check,
)
from kasu.queries.graph import Graph
from kasu.queries.request import (
    Clause,
    Comment,
    Comparison,
    Distance,
    Edge,
    EdgeOrder,
    FeatureTest,
    HasEdge,
    Node,
    NumberTest,
    Order,
    Structure,
    Value,
)

Candidates = Callable[[Graph, Binding], Collection[int]]


class CompiledClause(NamedTuple):
    """A compiled clause: its nodes, and the check to run once they are bound."""

    nodes: frozenset[int]
    holds: Check


class Link(NamedTuple):
    """A way from a bound node to the words of another that fulfil a clause of both.

    A lower rank promises fewer. Positions outside the sentence do not count.
    """

    source: int
    target: int
    rank: int
    candidates: Candidates


class Lookup(NamedTuple):
    """What an index finds words by: values of a feature, or labels if `feature` is None."""

    node: int
    feature: str | None
    values: tuple[str, ...]


class Compiler:
    """Compiles clauses for nodes numbered as in a binding.

    Args:
        number: the number of each node by name.
        edges: the clauses of named edges.
    """

    def __init__(self, number: Mapping[str, int], edges: Mapping[str, Edge]) -> None:
        self.number, self.edges = number, edges

    def compile(self, clause: Clause) -> Iterator[CompiledClause]:
        """Yield the checks that lookups leave; an edge, order or comparison has its own first."""
        match clause:
            case Node(name, alternatives):
                node = self.number[name]
                # A single list of `feature = value` is a lookup, and needs no check
                if len(alternatives) > 1 or any(c.kind != "in" for c in alternatives[0]):
                    yield CompiledClause(frozenset((node,)), node_check(node, alternatives))
            case Edge(source, label, target):
                ends = self.number[source], self.number[target]
                yield CompiledClause(frozenset(ends), edge_check(*ends))
                # A label with listed values is a lookup; others are checked at the target
                if label.conditions and label.values() is None:
                    check = in_check(ends[1], label_check(label))
                    yield CompiledClause(frozenset((ends[1],)), check)
            case _:
                yield self._compile(clause)

    def _compile(self, clause: Clause) -> CompiledClause:
        match clause:
            case HasEdge(name, label, out):
                node = self.number[name]
                check = (out_check if out else in_check)(node, label_check(label))
                return CompiledClause(frozenset((node,)), check)
            case Order(mark, left, right):
                ends = self.number[left], self.number[right]
                return CompiledClause(frozenset(ends), order_check(mark, *ends))
            case Distance(signed, left, right, mark, number):
                ends = self.number[left], self.number[right]
                return CompiledClause(frozenset(ends), distance_check(signed, *ends, mark, number))
            case EdgeOrder(mark, left, right):
                return self._edge_order(mark, left, right)
            case Comparison(left, mark, right):
                (nodes, read), (others, other) = self._reader(left), self._reader(right)
                return CompiledClause(nodes | others, comparison_check(read, mark, other))
            case FeatureTest(value, condition):
                nodes, read = self._reader(value)
                return CompiledClause(nodes, feature_check(read, condition))
            case NumberTest(value, mark, number):
                nodes, read = self._reader(value)
                return CompiledClause(nodes, comparison_check(read, mark, lambda graph, at: number))
            case Comment(condition):
                return CompiledClause(frozenset(), comment_check(condition))
            case Structure(name):
                return CompiledClause(frozenset(), structure_check(name))
        raise TypeError(clause)

    def _ends(self, name: str) -> tuple[int, int]:
        """Return the nodes of a named edge."""
        edge = self.edges[name]
        return self.number[edge.source], self.number[edge.target]

    def _edge_order(self, mark: str, left: str, right: str) -> CompiledClause:
        around = self._ends(right)
        if left in self.edges:
            ends = self._ends(left)
            return CompiledClause(frozenset((*ends, *around)), span_check(mark, ends, around))
        node = self.number[left]
        return CompiledClause(frozenset((node, *around)), inside_check(node, around))

    def _reader(self, value: Value) -> tuple[frozenset[int], Reader]:
        """Return the nodes that a value depends on, and a function that reads it."""
        name = value.feature
        if value.owner in self.edges:
            source, target = self._ends(value.owner)
            nodes = frozenset((source, target))
            return nodes, lambda graph, at: graph.edge_feature(at[target], name)
        node = self.number[value.owner]
        if name == "__id__":
            return frozenset((node,)), lambda graph, at: at[node]
        return frozenset((node,)), lambda graph, at: graph.column(name)[at[node]]

    def links(self, clause: Clause) -> Iterator[Link]:
        """Yield the links between nodes that a clause offers, in both directions."""
        match clause:
            case Edge(source, _, target):
                above, below = self.number[source], self.number[target]
                # One head, but several children: the way up ranks first
                yield Link(below, above, 0, lambda graph, at: (graph.heads[at[below]],))
                yield Link(above, below, 1, lambda graph, at: graph.children[at[above]])
            case Order("<", left, right):
                first, second = self.number[left], self.number[right]
                yield Link(first, second, 0, lambda graph, at: (at[first] + 1,))
                yield Link(second, first, 0, lambda graph, at: (at[second] - 1,))
            # Equal features of two nodes, by the index; not features of edges or positions
            case Comparison(Value(left, a), "=", Value(right, b)) if not (
                {left, right} & set(self.edges) or "__id__" in (a, b)
            ):
                yield _equal_link(self.number[left], a, self.number[right], b)
                yield _equal_link(self.number[right], b, self.number[left], a)

    def lookups(self, clause: Clause) -> Iterator[Lookup]:
        """Yield the lookups in indexes that a clause demands."""
        match clause:
            case Node(name, (conditions,)):
                for condition in conditions:
                    if condition.kind == "in":
                        values = tuple(sorted(condition.values))
                        yield Lookup(self.number[name], condition.name, values)
            case Edge(_, label, target) if (labels := label.values()) is not None:
                yield Lookup(self.number[target], None, tuple(sorted(labels)))


def _equal_link(source: int, name: str, target: int, other: str) -> Link:
    """Link a node to those whose feature `other` equals its feature `name`."""

    def candidates(graph: Graph, at: Binding) -> Collection[int]:
        value = graph.column(name)[at[source]]
        return () if value is None else graph.index(other).get(value, ())

    return Link(source, target, 2, candidates)

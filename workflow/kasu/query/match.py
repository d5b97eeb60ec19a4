"""Find all matches of a request in a sentence, by indexes and along edges.

A request is compiled once. In each sentence the search starts at the node with the fewest
candidates by the indexes of features and labels. From there it follows edges and word order to the
other nodes, and it checks every clause as soon as its nodes are bound.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from kasu.corpora.treebank import Sentence
from kasu.query.checks import (
    Binding,
    Check,
    Reader,
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
    unequal_check,
)
from kasu.query.graph import Graph
from kasu.query.request import (
    Block,
    Clause,
    Comparison,
    Distance,
    Edge,
    EdgeOrder,
    FeatureTest,
    HasEdge,
    Node,
    NumberTest,
    Order,
    Request,
    Value,
    label_part,
)

Candidates = Callable[[Graph, Binding], Iterable[int]]


class Match(NamedTuple):
    """A match.

    nodes: the position of the word of each node, 0 for the anchor.
    edges: the position of the target of each named edge; in a tree it identifies the edge.
    """

    nodes: dict[str, int]
    edges: dict[str, int]


class Matcher:
    """A compiled request.

    Matches are sorted by the positions of the nodes, in order of the nodes. Nodes are bound to
    different words, except that a node whose name ends in `$` may share its word.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self._pattern = _Plan(request.pattern, (), {})
        self._filters = [
            (block.positive, _Plan(block, request.nodes, request.pattern.edges))
            for block in request.filters
        ]

    def matches(self, sentence: Sentence | Graph) -> list[Match]:
        """All matches in a sentence, sorted."""
        graph = sentence if isinstance(sentence, Graph) else Graph(sentence)
        # Most sentences stop here: by the indexes some node has no candidate
        if self._pattern.lacks(graph) or not self._fits(graph):
            return []
        kept = sorted(
            binding
            for binding in self._pattern.bindings(graph, [])
            if all(plan.exists(graph, binding) == positive for positive, plan in self._filters)
        )
        names, edges = self.request.nodes, self.request.pattern.edges.items()
        bound = (dict(zip(names, binding, strict=True)) for binding in kept)
        return [Match(at, {name: at[edge.target] for name, edge in edges}) for at in bound]

    def _fits(self, graph: Graph) -> bool:
        """Whether the conditions on the whole sentence hold."""
        request = self.request
        return all(map(graph.is_structure, request.structures)) and all(
            condition.holds(graph.metadata.get(condition.name)) for condition in request.metadata
        )


def search(request: Request, sentences: Iterable[Sentence]) -> Iterator[tuple[Sentence, Match]]:
    """Yield all matches, in order of the sentences."""
    matcher = Matcher(request)
    for sentence in sentences:
        for match in matcher.matches(sentence):
            yield sentence, match


class _Step(NamedTuple):
    """How to bind a node: the source of its candidates, and the clauses to check after it."""

    node: int
    candidates: Candidates
    checks: tuple[Check, ...]


class _Clause(NamedTuple):
    """A compiled clause: its nodes, and the check to run once they are bound."""

    nodes: frozenset[int]
    holds: Check


class _Link(NamedTuple):
    """A way from a bound node to the candidates of another; a lower rank promises fewer."""

    source: int
    target: int
    rank: int
    candidates: Candidates


class _Plan:
    """A compiled block: how to extend a binding of the nodes `above` to the nodes of the block."""

    def __init__(self, block: Block, above: tuple[str, ...], edges: dict[str, Edge]) -> None:
        self.names = (*above, *block.nodes)
        self.above = len(above)
        self.edges = edges | block.edges
        self.number = {name: number for number, name in enumerate(self.names)}
        self.clauses = [self._compile(clause) for clause in block.clauses]
        self.clauses += self._different()
        self.links = [link for clause in block.clauses for link in self._links(clause)]
        self.linked = any(link.source < self.above for link in self.links)
        self.keys = [
            _Key(self.number[name], feature, values)
            for clause in block.clauses
            for name, feature, values in _keys(clause)
            if self.number[name] >= self.above
        ]
        bound = frozenset(range(self.above))
        self.first = tuple(c.holds for c in self.clauses if c.nodes <= bound)
        self._steps: dict[int, tuple[_Step, ...]] = {}

    def lacks(self, graph: Graph) -> bool:
        """Whether some node has no candidate by an index."""
        for _, feature, values in self.keys:
            index = graph.by_label if feature is None else graph.index(feature)
            if index.keys().isdisjoint(values):
                return True
        return False

    def exists(self, graph: Graph, above: Binding) -> bool:
        """Whether the binding has an extension."""
        return next(self.bindings(graph, above), None) is not None

    def bindings(self, graph: Graph, above: Binding) -> Iterator[Binding]:
        """Yield all extensions of a binding, as new lists."""
        binding = [*above, *[-1] * (len(self.names) - self.above)]
        if not all(holds(graph, binding) for holds in self.first):
            return
        # With a link from a bound node, or nothing to bind, no start need be chosen
        if self.linked or len(self.names) == self.above:
            yield from _extend(graph, binding, self._steps_from(-1), 0)
            return
        start, positions = _fewest(graph, self.keys, self.above)
        if positions:
            yield from _extend(graph, binding, self._steps_from(start), 0, positions)

    def _steps_from(self, start: int) -> tuple[_Step, ...]:
        if start not in self._steps:
            self._steps[start] = tuple(self._order(start))
        return self._steps[start]

    def _order(self, start: int) -> Iterator[_Step]:
        """Plan the steps: at each, bind the node that promises the fewest candidates."""
        bound = set(range(self.above))
        while len(bound) < len(self.names):
            links = [k for k in self.links if k.source in bound and k.target not in bound]
            link = min(links, key=lambda link: link.rank, default=None)
            if start >= 0 and start not in bound:
                node, candidates = start, self._candidates(start)
            elif link:
                node, candidates = link.target, link.candidates
            else:
                # Nothing leads to the rest: prefer a node that an index finds
                free = [node for node in range(len(self.names)) if node not in bound]
                keyed = {key.node for key in self.keys}
                node = min(free, key=lambda node: node not in keyed)
                candidates = self._candidates(node)
            yield _Step(node, candidates, self._checks(bound, node))
            bound.add(node)

    def _candidates(self, node: int) -> Candidates:
        """Candidates, by the indexes, of a node to which no bound node leads."""
        keys = [key for key in self.keys if key.node == node]
        return lambda graph, at: _fewest(graph, keys, node)[1]

    def _checks(self, bound: set[int], node: int) -> tuple[Check, ...]:
        """The clauses that can be checked once `node` is bound, and not before."""
        return tuple(c.holds for c in self.clauses if node in c.nodes and c.nodes <= {*bound, node})

    def _different(self) -> Iterator[_Clause]:
        """Demand different words of all pairs of nodes, except pairs bound above and `$` nodes."""
        strict = [n for n, name in enumerate(self.names) if not name.endswith("$")]
        for place, left in enumerate(strict):
            for right in strict[max(place + 1, sum(n < self.above for n in strict)) :]:
                yield _Clause(frozenset((left, right)), unequal_check(left, right))

    # Clauses

    def _compile(self, clause: Clause) -> _Clause:
        match clause:
            case Node(name, alternatives):
                node = self.number[name]
                return _Clause(frozenset((node,)), node_check(node, alternatives))
            case Edge(source, label, target):
                ends = self.number[source], self.number[target]
                return _Clause(frozenset(ends), edge_check(*ends, label_check(label)))
            case HasEdge(name, label, out):
                node = self.number[name]
                check = (out_check if out else in_check)(node, label_check(label))
                return _Clause(frozenset((node,)), check)
            case Order(mark, left, right):
                ends = self.number[left], self.number[right]
                return _Clause(frozenset(ends), order_check(mark, *ends))
            case Distance(signed, left, right, mark, number):
                ends = self.number[left], self.number[right]
                return _Clause(frozenset(ends), distance_check(signed, *ends, mark, number))
            case EdgeOrder(mark, left, right):
                return self._edge_order(mark, left, right)
            case Comparison(left, mark, right):
                (nodes, read), (others, other) = self._reader(left), self._reader(right)
                return _Clause(nodes | others, comparison_check(read, mark, other))
            case FeatureTest(value, condition):
                nodes, read = self._reader(value)
                return _Clause(nodes, feature_check(read, condition))
            case NumberTest(value, mark, number):
                nodes, read = self._reader(value)
                return _Clause(nodes, comparison_check(read, mark, lambda graph, at: number))
        raise TypeError(clause)

    def _ends(self, name: str) -> tuple[int, int]:
        edge = self.edges[name]
        return self.number[edge.source], self.number[edge.target]

    def _edge_order(self, mark: str, left: str, right: str) -> _Clause:
        around = self._ends(right)
        if left in self.edges:
            ends = self._ends(left)
            return _Clause(frozenset((*ends, *around)), span_check(mark, ends, around))
        node = self.number[left]
        return _Clause(frozenset((node, *around)), inside_check(node, around))

    def _reader(self, value: Value) -> tuple[frozenset[int], Reader]:
        """The nodes that a value depends on, and a function that reads it: text, number or None."""
        name = value.feature
        if value.owner in self.edges:
            source, target = self._ends(value.owner)
            nodes = frozenset((source, target))
            if name == "length":
                return nodes, lambda graph, at: abs(at[target] - at[source])
            if name == "delta":
                return nodes, lambda graph, at: at[target] - at[source]
            return nodes, lambda graph, at: label_part(graph.labels[at[target]], name)
        node = self.number[value.owner]
        if name == "__id__":
            return frozenset((node,)), lambda graph, at: at[node]
        return frozenset((node,)), lambda graph, at: graph.column(name)[at[node]]

    # Ways from node to node

    def _links(self, clause: Clause) -> Iterator[_Link]:
        """The ways between nodes that a clause offers, in both directions."""
        match clause:
            case Edge(source, label, target):
                above, below = self.number[source], self.number[target]
                fits = label_check(label)
                yield _Link(below, above, 0, lambda graph, at: _positive(graph.heads[at[below]]))
                yield _Link(
                    above, below, 1,
                    lambda graph, at: [
                        c for c in graph.children[at[above]] if fits(graph.labels[c])
                    ],
                )  # fmt: skip
            case Order("<", left, right):
                first, second = self.number[left], self.number[right]
                yield _Link(
                    first, second, 0,
                    lambda graph, at: (at[first] + 1,) if at[first] + 1 < len(graph) else (),
                )  # fmt: skip
                yield _Link(second, first, 0, lambda graph, at: _positive(at[second] - 1))
            case Comparison(Value(left, a), "=", Value(right, b)) if not (
                {left, right} & set(self.edges) or "__id__" in (a, b)
            ):
                yield _equal_link(self.number[left], a, self.number[right], b)
                yield _equal_link(self.number[right], b, self.number[left], a)


def _extend(
    graph: Graph,
    binding: Binding,
    steps: Sequence[_Step],
    depth: int,
    positions: Iterable[int] | None = None,
) -> Iterator[Binding]:
    """Complete a binding from step `depth` on; `positions` are its candidates, if known."""
    if depth == len(steps):
        yield binding.copy()
        return
    node, candidates, checks = steps[depth]
    for position in candidates(graph, binding) if positions is None else positions:
        binding[node] = position
        if all(holds(graph, binding) for holds in checks):
            yield from _extend(graph, binding, steps, depth + 1)


class _Key(NamedTuple):
    """Candidates of a node by an index: of a feature, or of labels if `feature` is None."""

    node: int
    feature: str | None
    values: tuple[str, ...]


def _keys(clause: Clause) -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """The lookups that a clause allows: the node, the feature and the values that fit."""
    match clause:
        case Node(node, (conditions,)):
            for condition in conditions:
                if condition.kind == "in":
                    yield node, condition.name, tuple(sorted(condition.values))
        case Edge(_, label, target) if (values := label.values()) is not None:
            yield target, None, tuple(sorted(values))


def _fewest(graph: Graph, keys: Sequence[_Key], node: int) -> tuple[int, Sequence[int]]:
    """The node and candidates of the most selective key; without keys, `node` and all positions."""
    fewest: Sequence[int] = range(len(graph))
    for key in keys:
        index = graph.by_label if key.feature is None else graph.index(key.feature)
        if len(key.values) == 1:
            positions = index.get(key.values[0], ())
        else:
            positions = [at for value in key.values for at in index.get(value, ())]
        if len(positions) < len(fewest):
            node, fewest = key.node, positions
    return node, fewest


def _positive(position: int) -> tuple[int, ...]:
    return (position,) if position >= 0 else ()


def _equal_link(source: int, name: str, target: int, other: str) -> _Link:
    """From a node to those whose feature `other` equals its feature `name`."""

    def candidates(graph: Graph, at: Binding) -> Iterable[int]:
        value = graph.column(name)[at[source]]
        return () if value is None else graph.index(other).get(value, ())

    return _Link(source, target, 2, candidates)

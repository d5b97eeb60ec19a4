"""Find all matches of a request in a sentence, by indexes and along edges.

A request is compiled once. In each sentence the search starts at the node with the fewest
candidates by the indexes of features and labels. From there it follows edges and word order to the
other nodes, and it checks every clause as soon as its nodes are bound.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from kasu.corpora.treebanks.treebank import Sentence
from kasu.queries.checks import Binding, Check
from kasu.queries.compiler import Candidates, CompiledClause, Compiler, Link, Lookup
from kasu.queries.graph import MOST, Graph
from kasu.queries.request import Block, Edge, Request

Listed = dict[int, set[int]]  # candidates by node


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
        self._pattern = _Search(request.pattern, (), {})
        self._filters = [
            (block.positive, _Search(block, request.nodes, request.pattern.edges))
            for block in request.filters
        ]
        self._targets = [(name, edge.target) for name, edge in request.pattern.edges.items()]

    def matches(self, sentence: Sentence | Graph) -> list[Match]:
        """Return all matches in a sentence, sorted.

        Raises:
            KasuError: as `Graph.spend`, or a regular expression takes too long.
        """
        graph = sentence if isinstance(sentence, Graph) else Graph(sentence)
        # Most sentences stop here: the indexes have no candidate for some node
        listed = self._pattern.listed(graph)
        if listed is None or not self._fits(graph):
            return []
        kept = self._pattern.bindings(graph, [], listed)
        for positive, search in self._filters:
            kept = [binding for binding in kept if search.exists(graph, binding) == positive]
        return [self._match(binding) for binding in sorted(kept)]

    def _match(self, binding: Binding) -> Match:
        nodes = dict(zip(self.request.nodes, binding, strict=True))
        return Match(nodes, {name: nodes[target] for name, target in self._targets})

    def _fits(self, graph: Graph) -> bool:
        """Return whether the conditions on the whole sentence hold."""
        for name in self.request.structures:
            if not graph.is_structure(name):
                return False
        for condition in self.request.metadata:
            if not condition.holds(graph.metadata.get(condition.name)):
                return False
        return True


def search(request: Request, sentences: Iterable[Sentence]) -> Iterator[tuple[Sentence, Match]]:
    """Yield all matches, in order of the sentences."""
    matcher = Matcher(request)
    for sentence in sentences:
        for match in matcher.matches(sentence):
            yield sentence, match


class _Step(NamedTuple):
    """How to bind a node.

    candidates: from the nodes bound before it; None: by the indexes alone.
    checks: the clauses to check after it.
    others: the nodes bound before it whose words it may not have.
    """

    node: int
    candidates: Candidates | None
    checks: tuple[Check, ...]
    others: tuple[int, ...]


class _Search:
    """A compiled block: how to extend a binding of the nodes `above` to the nodes of the block."""

    def __init__(self, block: Block, above: tuple[str, ...], edges: dict[str, Edge]) -> None:
        self.names = (*above, *block.nodes)
        self.above = len(above)
        compiler = Compiler({name: n for n, name in enumerate(self.names)}, edges | block.edges)
        self.lookups: list[Lookup] = []
        self.clauses: list[CompiledClause] = []
        self.links: list[tuple[Link, CompiledClause]] = []
        for clause in block.clauses:
            compiled = list(compiler.compile(clause))
            self.lookups += compiler.lookups(clause)
            self.clauses += compiled
            self.links += [(link, compiled[0]) for link in compiler.links(clause)]
        self.strict = {n for n, name in enumerate(self.names) if not name.endswith("$")}
        self.linked = any(link.source < self.above for link, _ in self.links)
        bound = frozenset(range(self.above))
        self.first = tuple(c.holds for c in self.clauses if c.nodes <= bound)
        self._steps: dict[int | None, tuple[_Step, ...]] = {}

    def listed(self, graph: Graph) -> Listed | None:
        """Return the candidates of nodes with lookups; None if a node has no candidate."""
        listed: Listed = {}
        for node, feature, values in self.lookups:
            index = graph.index(feature)
            if len(values) == 1:
                found = index.get(values[0])
            else:
                found = set().union(*(index.get(value, ()) for value in values))
            # A node with several lookups must fit all of them
            if found and node in listed:
                found = found & listed[node]
            if not found:
                return None
            listed[node] = found
        return listed

    def exists(self, graph: Graph, above: Binding) -> bool:
        """Return whether the binding has an extension."""
        for holds in self.first:
            if not holds(graph, above):
                return False
        listed = self.listed(graph)
        if listed is None:
            return False
        for node, position in enumerate(above):
            if node in listed and position not in listed[node]:
                return False
        return bool(self.bindings(graph, above, listed, most=1))

    def bindings(
        self, graph: Graph, above: Binding, listed: Listed, most: int = MOST
    ) -> list[Binding]:
        """Return the extensions of a binding, `most` at most; by default all a search may try."""
        if len(self.names) == self.above:
            return [above]
        # The order of steps depends only on the node to start from: it is planned once for each
        start = self._start(listed)
        if start not in self._steps:
            self._steps[start] = tuple(self._order(start))
        binding = [*above, *[-1] * (len(self.names) - self.above)]
        found: list[Binding] = []
        _extend(graph, binding, self._steps[start], listed, found, most)
        return found

    def _start(self, listed: Listed) -> int | None:
        """Return the new node with the fewest candidates; None if a bound node links to one."""
        if self.linked:
            return None
        start, fewest = self.above, inf
        for node, positions in listed.items():
            if len(positions) < fewest and node >= self.above:
                start, fewest = node, len(positions)
        return start

    def _order(self, start: int | None) -> Iterator[_Step]:
        """Plan the steps: at each, bind the node that promises the fewest candidates."""
        indexed = {lookup.node for lookup in self.lookups}
        bound = set(range(self.above))
        while len(bound) < len(self.names):
            ways = [w for w in self.links if w[0].source in bound and w[0].target not in bound]
            # Prefer the start, then the way with the fewest candidates
            link, implied = min(ways, key=lambda way: way[0].rank, default=(None, None))
            candidates = None
            if start is not None and start not in bound:
                node, implied = start, None
            elif link:
                node, candidates = link.target, link.candidates
            else:
                # Nothing leads to the rest: prefer a node that an index finds
                free = [node for node in range(len(self.names)) if node not in bound]
                node = min(free, key=lambda node: node not in indexed)
            others = tuple(bound & self.strict) if node in self.strict else ()
            # What can be checked now and not before, except what the link has made sure
            checks = tuple(
                c.holds for c in self.clauses
                if node in c.nodes and c.nodes <= {*bound, node} and c is not implied
            )  # fmt: skip
            yield _Step(node, candidates, checks, others)
            bound.add(node)


def _extend(
    graph: Graph,
    binding: Binding,
    steps: Sequence[_Step],
    listed: Listed,
    found: list[Binding],
    most: int,
) -> None:
    """Complete a binding by the steps; add copies to `found` until there are `most`."""
    (node, candidates, checks, others), further = steps[0], steps[1:]
    positions = listed.get(node, graph.positions)
    if candidates:
        positions = positions.intersection(candidates(graph, binding))
    graph.spend(len(positions))
    for position in positions:
        # Entries of later nodes may be left from an earlier try, so only `others` count
        if position in binding and any(binding[other] == position for other in others):
            continue
        binding[node] = position
        for holds in checks:
            if not holds(graph, binding):
                break
        else:
            if further:
                _extend(graph, binding, further, listed, found, most)
            else:
                found.append(binding.copy())
            if len(found) >= most:
                return

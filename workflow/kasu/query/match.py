"""Find all matches of a request in a sentence, by indexes and along edges.

A request is compiled once. In each sentence the search starts at the node with the fewest
candidates by the indexes of features and labels. From there it follows edges and word order to the
other nodes, and it checks every clause as soon as its nodes are bound.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kasu.corpora.treebank import Sentence
from kasu.query.checks import Binding, Check, unequal_check
from kasu.query.compiler import Candidates, CompiledClause, Compiler, Key
from kasu.query.graph import Graph
from kasu.query.request import Block, Edge, Request


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

    def matches(self, sentence: Sentence | Graph) -> list[Match]:
        """All matches in a sentence, sorted.

        Raises:
            KasuError: as `Graph.spend`, or a regular expression takes too long.
        """
        graph = sentence if isinstance(sentence, Graph) else Graph(sentence)
        # Most sentences stop here: by the indexes some node has no candidate
        if self._pattern.lacks(graph) or not self._fits(graph):
            return []
        kept = sorted(
            binding
            for binding in self._pattern.bindings(graph, [])
            if all(search.exists(graph, binding) == positive for positive, search in self._filters)
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


class _Search:
    """A compiled block: how to extend a binding of the nodes `above` to the nodes of the block."""

    def __init__(self, block: Block, above: tuple[str, ...], edges: dict[str, Edge]) -> None:
        self.names = (*above, *block.nodes)
        self.above = len(above)
        compiler = Compiler({name: n for n, name in enumerate(self.names)}, edges | block.edges)
        self.clauses = [compiler.compile(clause) for clause in block.clauses]
        self.clauses += self._different()
        self.links = [link for clause in block.clauses for link in compiler.links(clause)]
        self.linked = any(link.source < self.above for link in self.links)
        keys = (key for clause in block.clauses for key in compiler.keys(clause))
        self.keys = [key for key in keys if key.node >= self.above]
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

    def _different(self) -> Iterator[CompiledClause]:
        """Demand different words of all pairs of nodes, except pairs bound above and `$` nodes."""
        strict = [n for n, name in enumerate(self.names) if not name.endswith("$")]
        for place, left in enumerate(strict):
            for right in strict[max(place + 1, sum(n < self.above for n in strict)) :]:
                yield CompiledClause(frozenset((left, right)), unequal_check(left, right))


def _extend(
    graph: Graph,
    binding: Binding,
    steps: Sequence[_Step],
    depth: int,
    positions: Sequence[int] | None = None,
) -> Iterator[Binding]:
    """Complete a binding from step `depth` on; `positions` are its candidates, if known."""
    if depth == len(steps):
        yield binding.copy()
        return
    node, candidates, checks = steps[depth]
    if positions is None:
        positions = candidates(graph, binding)
    graph.spend(len(positions))
    for position in positions:
        binding[node] = position
        if all(holds(graph, binding) for holds in checks):
            yield from _extend(graph, binding, steps, depth + 1)


def _fewest(graph: Graph, keys: Sequence[Key], node: int) -> tuple[int, Sequence[int]]:
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

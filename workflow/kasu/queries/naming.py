"""Names of nodes and edges in a request: collect what binds them, check that all are bound."""

from typing import NoReturn

from kasu.base.errors import KasuError
from kasu.queries.labels import BASIC, EDGE_FEATURES, ENHANCED_PREFIX
from kasu.queries.request import (
    Block,
    Clause,
    Comparison,
    Condition,
    Distance,
    Edge,
    EdgeOrder,
    FeatureTest,
    HasEdge,
    Node,
    NumberTest,
    Order,
    Value,
)
from kasu.queries.tokens import RequestWord

RESERVED = ("meta", "global")  # the comments and the structure of a sentence
MOST_NODES = 100  # of a block: plans and checks grow with their square, searches nest as deep


class Names:
    """The names that a block binds, in addition to those of the pattern (`above`)."""

    def __init__(self, where: object, above: "Names | None") -> None:
        self.where, self.above = where, above
        self.nodes: dict[str, None] = {}
        self.edges: dict[str, Edge] = {}

    def _complain(self, word: RequestWord, found: str, expected: str) -> NoReturn:
        raise KasuError(f"{self.where}:{word.line}:{word.column}", found, expected)

    def block(self, clauses: list[tuple[RequestWord, Clause]], positive: bool = True) -> Block:
        """Resolve the names in clauses, each given with its first word.

        Raises:
            KasuError: a name is bound twice, not at all, or as the wrong kind.
        """
        # Edges first: the meaning of `a << e` depends on whether e is one
        for word, clause in clauses:
            if isinstance(clause, Edge) and clause.name:
                if self.is_edge(clause.name):
                    self._complain(word, f"edge {clause.name!r} again", "another name")
                self.edges[clause.name] = clause
        resolved = [(word, self.resolve(word, clause)) for word, clause in clauses]
        for word, clause in resolved:
            if len(self.nodes) > MOST_NODES:
                self._complain(word, f"over {MOST_NODES} nodes", "fewer")
            for name in (*_nodes(clause), *_named(clause)):
                if name in RESERVED:
                    self._complain(word, f"{name!r} names a node or an edge", "another name")
            for name in _nodes(clause):
                if self.is_edge(name):
                    self._complain(word, f"{name!r} names an edge", "a node")
                if not self.is_node(name):
                    self.nodes[name] = None
        for word, clause in resolved:
            self.check(word, clause)
        return Block(tuple(c for _, c in resolved), tuple(self.nodes), self.edges, positive)

    def is_edge(self, name: str) -> bool:
        return name in self.edges or bool(self.above and self.above.is_edge(name))

    def is_node(self, name: str) -> bool:
        return name in self.nodes or bool(self.above and self.above.is_node(name))

    def resolve(self, word: RequestWord, clause: Clause) -> Clause:
        """Turn `a << e` into an order of edges if e is an edge."""
        if isinstance(clause, Order) and self.is_edge(clause.right):
            if clause.mark != "<<":
                self._complain(word, f"{clause.mark!r} of an edge", "<<, <> or ><")
            return EdgeOrder("<<", clause.left, clause.right)
        return clause

    def check(self, word: RequestWord, clause: Clause) -> None:
        """Check that the names in comparisons are bound."""
        match clause:
            case EdgeOrder(mark, left, right):
                if not self.is_edge(right) or not (
                    self.is_edge(left) or (mark == "<<" and self.is_node(left))
                ):
                    self._complain(word, f"{left} {mark} {right}", "names of edges")
            case Edge(_, label) | HasEdge(_, label):
                for condition in label.conditions:
                    self.check_relations(word, condition)
            case Comparison(left, _, right):
                self.check_value(word, left)
                self.check_value(word, right)
            case FeatureTest(value, condition):
                self.check_value(word, value)
                if self.is_edge(value.owner):
                    self.check_relations(word, condition)
            case NumberTest(value):
                self.check_value(word, value)

    def check_value(self, word: RequestWord, value: Value) -> None:
        if not (self.is_node(value.owner) or self.is_edge(value.owner)):
            found = f"no node or edge {value.owner!r} for {value.owner}.{value.feature}"
            expected = "one bound here (quote a value with a dot)"
            self._complain(word, found, expected)
        if self.is_edge(value.owner) and value.feature not in EDGE_FEATURES:
            found = f"{value.owner}.{value.feature} of an edge"
            self._complain(word, found, f"{', '.join(EDGE_FEATURES)} ({BASIC})")

    def check_relations(self, word: RequestWord, condition: Condition) -> None:
        """Check that a condition is about relations of the basic tree."""
        relations = sorted(condition.values)
        if condition.pattern:
            relations.append(condition.pattern.text)
        if enhanced := [name for name in relations if name.startswith(ENHANCED_PREFIX)]:
            self._complain(word, f"the enhanced relation {enhanced[0]!r}", f"others ({BASIC})")


def _named(clause: Clause) -> tuple[str, ...]:
    """Return the edge bound by a clause."""
    return (clause.name,) if isinstance(clause, Edge) and clause.name else ()


def _nodes(clause: Clause) -> tuple[str, ...]:
    """Return the nodes bound by a clause."""
    match clause:
        case Node(node) | HasEdge(node):
            return (node,)
        case Edge(source, _, target):
            return source, target
        case Order(_, left, right) | Distance(_, left, right):
            return left, right
    return ()

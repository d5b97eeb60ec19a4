"""Requests in the language of Grew: `pattern`, `with`, `without` and `global` blocks as data.

Each class documents the meaning of its clause, after https://grew.fr/doc/request and, where that
is silent, the source of grewlib 1.16; `meta` and `global` in other blocks came with 1.18.
`kasu.queries.parsing` reads requests, `kasu.queries.match` runs them.
"""

from dataclasses import dataclass, field

from kasu.base.errors import KasuError
from kasu.base.patterns import Pattern
from kasu.queries.labels import label_part

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Condition:
    """A condition on one feature of a node, an edge label or the comments of a sentence.

    kind: `in` (the value is among `values`), `not in` (it exists and is not among them), `matches`
    (the whole value fits `pattern`), `not matches` (it exists and does not), `present`, `absent`.
    """

    name: str
    kind: str
    values: frozenset[str] = frozenset()
    pattern: Pattern | None = None

    def holds(self, value: str | None) -> bool:
        """Return whether a value fits; None stands for a missing feature."""
        if value is None:
            return self.kind == "absent"
        match self.kind:
            case "in":
                return value in self.values
            case "not in":
                return value not in self.values
            case "matches" | "not matches":
                assert self.pattern is not None
                return self.pattern.fits(value) == (self.kind == "matches")
        return self.kind == "present"


@dataclass(frozen=True)
class Label:
    """Conditions on an edge label, all of which must hold; without conditions any label fits.

    A condition names `label`, the label as written (so `nsubj` excludes `nsubj:pass`), or one of
    its parts (so `1=nsubj` includes both).
    """

    conditions: tuple[Condition, ...] = ()

    def holds(self, label: str) -> bool:
        return all(
            condition.holds(label_part(label, condition.name)) for condition in self.conditions
        )

    def values(self) -> frozenset[str] | None:
        """Return the labels that fit if a condition lists them, else None."""
        lists = (c.values for c in self.conditions if c.name == "label" and c.kind == "in")
        return next(lists, None)


@dataclass(frozen=True)
class Node:
    """`N [upos=VERB]` or `N [upos=VERB]|[upos=AUX]`: all conditions of one alternative hold."""

    node: str
    alternatives: tuple[tuple[Condition, ...], ...]


@dataclass(frozen=True)
class Edge:
    """`N -[nsubj]-> M`, with or without a name."""

    source: str
    label: Label
    target: str
    name: str | None = None


@dataclass(frozen=True)
class HasEdge:
    """`N -[nsubj]-> *` (`out`) or `* -[nsubj]-> N`: `*` may be any node, bound or not."""

    node: str
    label: Label
    out: bool


@dataclass(frozen=True)
class Order:
    """`N < M` (immediately before), `N << M` (before), `N ->> M` (N dominates M at any depth)."""

    mark: str
    left: str
    right: str


@dataclass(frozen=True)
class Distance:
    """`length(N, M) = 3`, or `delta(N, M) > -2` (`signed`: positive if M follows N)."""

    signed: bool
    left: str
    right: str
    mark: str
    number: float


@dataclass(frozen=True)
class EdgeOrder:
    """How the spans of two named edges lie: crossing `><`, disjoint `<>`, left within right `<<`.

    With `<<` the left may also be a node, strictly between the ends of the edge.
    """

    mark: str
    left: str
    right: str


@dataclass(frozen=True)
class Value:
    """A feature of a node (`N.lemma`, `N.__id__`) or of a named edge (`e.label`, `e.2`)."""

    owner: str
    feature: str


@dataclass(frozen=True)
class Comparison:
    """`N.lemma = M.lemma`; both values must exist. `<`, `<=`, `>` and `>=` compare numbers."""

    left: Value
    mark: str
    right: Value


@dataclass(frozen=True)
class FeatureTest:
    """`N.upos = VERB`, `N.lemma = re"..."`, `e.label <> nsubj`: a condition on one value."""

    value: Value
    condition: Condition


@dataclass(frozen=True)
class NumberTest:
    """`N.__id__ < 4`: a number compared with a constant."""

    value: Value
    mark: str
    number: float


@dataclass(frozen=True)
class Comment:
    """`meta.speaker = S1`, `!meta.speaker`: a condition on a comment `key = value`."""

    condition: Condition


@dataclass(frozen=True)
class Structure:
    """`global.is_tree`, `global.is_not_projective`: a condition on all edges."""

    name: str


Clause = (
    Node | Edge | HasEdge | Order | Distance | EdgeOrder | Comparison | FeatureTest | NumberTest
    | Comment | Structure
)  # fmt: skip


@dataclass(frozen=True)
class Block:
    """The clauses of the pattern, or of a `with` or a `without` (not `positive`) block.

    nodes: names of the nodes that it adds to those of the pattern, in order of appearance.
    edges: the clauses of the named edges that it adds, by name.
    """

    clauses: tuple[Clause, ...]
    nodes: tuple[str, ...]
    edges: dict[str, Edge] = field(hash=False, default_factory=dict)
    positive: bool = True


@dataclass(frozen=True)
class Request:
    """A request: what to search for, filters on matches, and conditions on the whole sentence.

    pattern: the union of all `pattern` blocks; its nodes and edges make a match.
    filters: `with` and `without` blocks, each independent of the others. Nodes of the pattern
        stay bound in them; additional nodes are bound to other words.
    structures: `is_projective` and so on; metadata: conditions on comments `key = value`; both
        from `global` blocks and from the pattern.
    """

    text: str
    pattern: Block
    filters: tuple[Block, ...] = ()
    structures: tuple[str, ...] = ()
    metadata: tuple[Condition, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes of a match, in order of appearance."""
        return self.pattern.nodes

    @property
    def edges(self) -> tuple[str, ...]:
        """Names of the named edges of a match."""
        return tuple(self.pattern.edges)

    def need_node(self, name: str, where: object) -> None:
        """Check that the pattern has a node of that name.

        Raises:
            KasuError: it has none.
        """
        if name not in self.nodes:
            raise KasuError(where, f"no node {name!r} in the request", ", ".join(self.nodes))


def compare(left: float, mark: str, right: float) -> bool:
    """Compare two numbers by one of COMPARISONS."""
    match mark:
        case "=":
            return left == right
        case "<>":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right

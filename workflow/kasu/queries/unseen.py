"""What a request names and treebanks lack: a name that nothing has makes a condition void."""

from collections.abc import Iterable, Iterator

from kasu.corpora.treebanks.treebank import feature_name
from kasu.queries.graph import CELLS, FEATS, RAW_MISC, Graph
from kasu.queries.labels import PARTS, label_parts
from kasu.queries.request import (
    Block,
    Comment,
    Comparison,
    Condition,
    Edge,
    EdgeOrder,
    FeatureTest,
    HasEdge,
    Node,
    NumberTest,
    Order,
    Request,
    Structure,
    Value,
)

Demand = tuple[str, str, str]  # kind, name and value; without a value, that the name occurs


class Unseen:
    """The names and values of a request that no sentence so far has.

    Each name and value is looked up alone, also in a negation, a filter or one of several
    alternatives: all may occur, but never together.
    """

    def __init__(self, request: Request, shown: Iterable[str] = ()) -> None:
        """Seek what a request names, and names whose values are shown: `S.Case`, `meta.speaker`."""
        blocks = (request.pattern, *request.filters)
        edges = {name for block in blocks for name in block.edges}
        demands = [demand for block in blocks for demand in _demands(block, edges)]
        demands += _conditions("comment", request.metadata)
        for name in shown:
            owner, _, feature = name.partition(".")
            of_meta = ("comment", feature, "")
            of_word = Value(owner, feature_name(feature))
            demands += [of_meta] if owner == "meta" else _value(of_word, edges)
        self._sought = dict.fromkeys(demands)
        self._needs_heads = bool(request.structures) or any(map(_has_edges, blocks))
        names = {name for kind, name, _ in self._sought if kind == "feature"}
        self._reads_misc = any(n.partition("__")[0] not in FEATS for n in names - set(CELLS))
        self._sentences = self._bare = self._raw = 0
        self.unparsed = 0
        """Sentences with words without a head, if the request is about edges."""

    def see(self, graph: Graph) -> None:
        """Pass a sentence."""
        self._sentences += 1
        if self._needs_heads and graph.headless:
            self.unparsed += 1
            self._bare += graph.headless == len(graph.words)
        if self._reads_misc:
            self._raw += sum(map(len, graph.index(RAW_MISC).values()))
        if self._sought:
            for demand in [demand for demand in self._sought if _occurs(graph, *demand)]:
                del self._sought[demand]

    def missing(self) -> list[str]:
        """Return what no sentence has: `no word has Case=Erg`, `no label has deep`."""
        parsed = not self._bare or self._bare < self._sentences
        # A missing value is no news if the name never occurs, nor a label if there is no edge
        names = {(kind, name) for kind, name, value in self._sought if not value}
        sought = [
            (kind, name, value)
            for kind, name, value in self._sought
            if (parsed or kind not in ("label", "part")) and not (value and (kind, name) in names)
        ]
        return [*(["no word has a head"] * (not parsed)), *(_told(*demand) for demand in sought)]

    def notes(self) -> list[str]:
        """Return what no sentence has, and what the request cannot see in some."""
        notes = self.missing()
        if self.unparsed and self._bare < self._sentences:
            found = f"{self.unparsed:,} of {self._sentences:,} sentences have words without a head"
            notes.append(f"{found}, which no edge reaches")
        if self._raw:
            found = f"{self._raw:,} MISC cells name a feature twice"
            notes.append(f"{found}; each is the feature {RAW_MISC} and no other")
        return notes


def _demands(block: Block, edges: Iterable[str]) -> Iterator[Demand]:
    for clause in block.clauses:
        match clause:
            case Node(_, alternatives):
                for conditions in alternatives:
                    yield from _conditions("feature", conditions)
            case Edge(_, label) | HasEdge(_, label):
                for condition in label.conditions:
                    yield from _conditions(_part(condition.name), (condition,))
            case Comparison(left, _, right):
                yield from (demand for value in (left, right) for demand in _value(value, edges))
            case FeatureTest(value, condition):
                kind = _part(value.feature) if value.owner in edges else "feature"
                yield from _conditions(kind, (condition,))
            case NumberTest(value):
                yield from _value(value, edges)
            case Comment(condition):
                yield from _conditions("comment", (condition,))


def _part(name: str) -> str:
    return "label" if name == "label" else "part"


def _value(value: Value, edges: Iterable[str]) -> Iterator[Demand]:
    if value.owner not in edges and value.feature != "__id__":
        yield "feature", value.feature, ""
    elif value.feature in PARTS:
        yield "part", value.feature, ""


def _conditions(kind: str, conditions: Iterable[Condition]) -> Iterator[Demand]:
    for condition in conditions:
        if kind != "label" and (kind != "part" or condition.name in PARTS):
            yield kind, condition.name, ""
        for value in sorted(condition.values):
            yield kind, condition.name, value


def _has_edges(block: Block) -> bool:
    return any(
        isinstance(clause, Edge | HasEdge | EdgeOrder | Structure)
        or (isinstance(clause, Order) and clause.mark == "->>")
        for clause in block.clauses
    )


def _occurs(graph: Graph, kind: str, name: str, value: str) -> bool:
    match kind:
        case "label":
            return value in graph.index(None)
        case "part":
            parts = [label_parts(label).get(name) for label in graph.index(None)]
            return value in parts if value else any(part is not None for part in parts)
        case "comment":
            return graph.metadata.get(name) == value if value else name in graph.metadata
    return value in graph.index(name) if value else bool(graph.index(name))


def _told(kind: str, name: str, value: str) -> str:
    match kind:
        case "label":
            return f"no word has label {value}"
        case "part":
            return f"no label has {name}={value}" if value else f"no label has the part {name}"
        case "comment":
            what = f"{name} = {value}" if value else name
            return f"no sentence has the comment {what}"
    return f"no word has {name}={value}" if value else f"no word has feature {name}"

"""Why a request finds nothing: features and labels that do not occur in a treebank."""

from collections.abc import Iterable, Iterator

from kasu.corpora.treebank import Sentence
from kasu.query.graph import Graph
from kasu.query.request import Edge, Node, Request


def unseen(request: Request, sentences: Iterable[Sentence]) -> list[str]:
    """What the pattern demands and no sentence has: `feature Case`, `Case=Erg`, `label nsubj`.

    Each feature and label is looked up alone: all may occur, but never together.
    """
    sought = dict.fromkeys(_demands(request))
    for sentence in sentences:
        if not sought:
            break
        graph = Graph(sentence)
        for demand in [demand for demand in sought if _occurs(graph, *demand)]:
            del sought[demand]
    # A missing value is no news if the feature never occurs
    missing = {name for kind, name, _ in sought if kind == "feature"}
    return [
        f"{name}={value}" if kind == "value" else f"{kind} {name}"
        for kind, name, value in sought
        if kind != "value" or name not in missing
    ]


def _demands(request: Request) -> Iterator[tuple[str, str, str]]:
    for clause in request.pattern.clauses:
        if isinstance(clause, Node) and len(clause.alternatives) == 1:
            for condition in clause.alternatives[0]:
                if condition.kind != "absent":
                    yield "feature", condition.name, ""
                if condition.kind == "in" and len(condition.values) == 1:
                    yield "value", condition.name, min(condition.values)
        elif isinstance(clause, Edge) and len(values := clause.label.values() or ()) == 1:
            yield "label", min(values), ""


def _occurs(graph: Graph, kind: str, name: str, value: str) -> bool:
    if kind == "label":
        return name in graph.index(None)
    return value in graph.index(name) if kind == "value" else bool(graph.index(name))

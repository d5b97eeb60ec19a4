"""Clauses as functions of a sentence and the positions of its nodes."""

from collections.abc import Callable

from kasu.queries.graph import Graph
from kasu.queries.request import Condition, Label, compare

Binding = list[int]  # the position of each node of a block; -1: not bound yet
Check = Callable[[Graph, Binding], bool]
Reader = Callable[[Graph, Binding], str | float | None]


def label_check(label: Label) -> Callable[[str], bool]:
    """Return a test of labels that remembers its answers: a treebank has few labels."""
    if not label.conditions:
        return lambda text: True
    if (values := label.values()) is not None and len(label.conditions) == 1:
        return values.__contains__
    known: dict[str, bool] = {}

    def fits(text: str) -> bool:
        if text not in known:
            known[text] = label.holds(text)
        return known[text]

    return fits


def unequal_check(left: int, right: int) -> Check:
    """Check that two nodes are bound to different words."""
    return lambda graph, at: at[left] != at[right]


def node_check(node: int, alternatives: tuple[tuple[Condition, ...], ...]) -> Check:
    """Check that a word has the features of one of the alternatives."""
    if len(alternatives) == 1:
        return _features_check(node, alternatives[0])
    checks = [_features_check(node, conditions) for conditions in alternatives]
    return lambda graph, at: any(holds(graph, at) for holds in checks)


def _features_check(node: int, conditions: tuple[Condition, ...]) -> Check:
    # Most conditions list values: test those without a call of `holds`
    tests = [(c.name, c.values.__contains__ if c.kind == "in" else c.holds) for c in conditions]

    def holds(graph: Graph, at: Binding) -> bool:
        position = at[node]
        return all(test(graph.column(name)[position]) for name, test in tests)

    return holds


def edge_check(source: int, target: int) -> Check:
    """Check that an edge leads from one node to another."""
    return lambda graph, at: graph.heads[at[target]] == at[source]


def out_check(node: int, fits: Callable[[str], bool]) -> Check:
    """Check that an edge whose label fits leaves a node."""
    return lambda graph, at: any(fits(graph.labels[c]) for c in graph.children[at[node]])


def in_check(node: int, fits: Callable[[str], bool]) -> Check:
    """Check that an edge whose label fits reaches a node."""
    return lambda graph, at: graph.heads[at[node]] >= 0 and fits(graph.labels[at[node]])


def order_check(mark: str, left: int, right: int) -> Check:
    """Check that two nodes are in the order, or the relation of dominance, of `Order`."""
    if mark == "<":
        return lambda graph, at: at[left] + 1 == at[right]
    if mark == "<<":
        return lambda graph, at: at[left] < at[right]
    return lambda graph, at: graph.dominates(at[left], at[right])


def distance_check(signed: bool, left: int, right: int, mark: str, number: float) -> Check:
    """Check that two nodes are at the distance of `Distance`."""

    def holds(graph: Graph, at: Binding) -> bool:
        delta = at[right] - at[left]
        return compare(delta if signed else abs(delta), mark, number)

    return holds


def span_check(mark: str, ends: tuple[int, int], others: tuple[int, int]) -> Check:
    """Check that the spans of two edges lie as in `EdgeOrder`."""

    def holds(graph: Graph, at: Binding) -> bool:
        (a, b), (c, d) = (sorted((at[s], at[t])) for s, t in (ends, others))
        if b <= c or d <= a:
            return mark == "<>"
        # Equal spans contain each other: Grew does not count either as within the other
        if a <= c and d <= b:
            return False
        return mark == ("<<" if c <= a and b <= d else "><")

    return holds


def inside_check(node: int, around: tuple[int, int]) -> Check:
    """Check that a node lies strictly between the ends of an edge."""

    def holds(graph: Graph, at: Binding) -> bool:
        low, high = sorted((at[around[0]], at[around[1]]))
        return low < at[node] < high

    return holds


def comment_check(condition: Condition) -> Check:
    """Check that a comment of the sentence meets a condition."""
    return lambda graph, at: condition.holds(graph.metadata.get(condition.name))


def structure_check(name: str) -> Check:
    """Check that the edges have the structure of `Structure`."""
    return lambda graph, at: graph.is_structure(name)


def feature_check(read: Reader, condition: Condition) -> Check:
    """Check that a value meets a condition."""

    def holds(graph: Graph, at: Binding) -> bool:
        value = read(graph, at)
        return condition.holds(None if value is None else str(value))

    return holds


def comparison_check(read: Reader, mark: str, other: Reader) -> Check:
    """Check that two values exist and compare as `mark` says; texts only by `=` and `<>`."""

    def holds(graph: Graph, at: Binding) -> bool:
        left, right = read(graph, at), other(graph, at)
        if left is None or right is None:
            return False
        if mark in ("=", "<>") and isinstance(left, str) and isinstance(right, str):
            return (left == right) == (mark == "=")
        try:
            return compare(float(left), mark, float(right))
        except ValueError:
            return mark == "<>"  # not a number

    return holds

"""What a clause demands, as a function of a sentence and of the positions of its nodes."""

from collections.abc import Callable

from kasu.query.graph import Graph
from kasu.query.request import Condition, Label, compare

Binding = list[int]  # position of each node of a block; -1: not bound yet
Check = Callable[[Graph, Binding], bool]
Reader = Callable[[Graph, Binding], str | float | None]


def label_check(label: Label) -> Callable[[str], bool]:
    """Whether a label fits; there are few labels in a language."""
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
    return lambda graph, at: at[left] != at[right]


def node_check(node: int, alternatives: tuple[tuple[Condition, ...], ...]) -> Check:
    if len(alternatives) == 1:
        return _features_check(node, alternatives[0])
    checks = [_features_check(node, conditions) for conditions in alternatives]
    return lambda graph, at: any(holds(graph, at) for holds in checks)


def _features_check(node: int, conditions: tuple[Condition, ...]) -> Check:
    # Listed values are what most conditions ask for: no call for those
    tests = [(c.name, c.values.__contains__ if c.kind == "in" else c.holds) for c in conditions]

    def holds(graph: Graph, at: Binding) -> bool:
        position = at[node]
        return all(test(graph.column(name)[position]) for name, test in tests)

    return holds


def edge_check(source: int, target: int, fits: Callable[[str], bool]) -> Check:
    def holds(graph: Graph, at: Binding) -> bool:
        below = at[target]
        return graph.heads[below] == at[source] and fits(graph.labels[below])

    return holds


def out_check(node: int, fits: Callable[[str], bool]) -> Check:
    return lambda graph, at: any(fits(graph.labels[c]) for c in graph.children[at[node]])


def in_check(node: int, fits: Callable[[str], bool]) -> Check:
    return lambda graph, at: at[node] > 0 and fits(graph.labels[at[node]])


def order_check(mark: str, left: int, right: int) -> Check:
    if mark == "<":
        return lambda graph, at: at[left] + 1 == at[right]
    if mark == "<<":
        return lambda graph, at: at[left] < at[right]
    return lambda graph, at: graph.dominates(at[left], at[right])


def distance_check(signed: bool, left: int, right: int, mark: str, number: float) -> Check:
    def holds(graph: Graph, at: Binding) -> bool:
        delta = at[right] - at[left]
        return compare(delta if signed else abs(delta), mark, number)

    return holds


def span_check(mark: str, ends: tuple[int, int], others: tuple[int, int]) -> Check:
    def holds(graph: Graph, at: Binding) -> bool:
        (a, b), (c, d) = (sorted((at[s], at[t])) for s, t in (ends, others))
        if b <= c or d <= a:
            return mark == "<>"
        # Equal spans contain each other; Grew calls that containing, not within
        if a <= c and d <= b:
            return False
        return mark == ("<<" if c <= a and b <= d else "><")

    return holds


def inside_check(node: int, around: tuple[int, int]) -> Check:
    def holds(graph: Graph, at: Binding) -> bool:
        low, high = sorted((at[around[0]], at[around[1]]))
        return low < at[node] < high

    return holds


def comparison_check(read: Reader, mark: str, other: Reader) -> Check:
    def holds(graph: Graph, at: Binding) -> bool:
        left, right = read(graph, at), other(graph, at)
        if left is None or right is None:
            return False
        if mark in ("=", "<>") and isinstance(left, str) and isinstance(right, str):
            return (left == right) == (mark == "=")
        try:
            return compare(float(left), mark, float(right))
        except ValueError:
            return mark == "<>"  # a text is no number

    return holds

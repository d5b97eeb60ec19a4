"""Ensembles without a network: votes over members' answers, and choices by accuracy on dev."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")


def majority(answers: Sequence[Sequence[str]]) -> list[str]:
    """Return the most frequent form of each item; of ties, the earliest member's.

    Zurich drew one of them at random (Makarov & Clematide 2018). Its members differ in nothing but
    their seed, so the earliest is as good a draw.

    Args:
        answers: (members, items), each member's forms.
    """
    # `most_common` keeps equal counts in order of first occurrence
    return [Counter(forms).most_common(1)[0][0] for forms in zip(*answers, strict=True)]


def best_on_dev(accuracies: Mapping[K, float | None], count: int) -> list[K]:
    """Return the `count` members of highest accuracy on dev, best first, ties in their order.

    Where the language has no dev set, members come in their order.
    """
    return sorted(accuracies, key=lambda member: -(accuracies[member] or 0))[:count]

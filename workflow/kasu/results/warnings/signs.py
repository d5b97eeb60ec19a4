"""Signs that a result means nothing. Each function returns what is wrong, or None.

They are for systems that were trained, not for nulls. A few items show nothing; the width of their
intervals says so.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

LEAST = 20
"""The fewest items whose answers tell."""
NEARLY = 0.99
"""The share of equal answers, where one of two systems is wrong, from which they answer alike."""
OFTEN = 0.05
"""The share of items from which what befalls them is no accident."""

# Up to four characters, five times or more
_LOOP = re.compile(r"(.{1,4}?)\1{4,}", re.DOTALL)


def one_answer(answers: ArrayLike, gold: ArrayLike) -> str | None:
    """Tell whether a system answers the same to all items, though not all have the same answer.

    Args:
        answers, gold: (items).
    """
    given = np.asarray(answers)
    if len(given) < LEAST or (given != given[0]).any() or one_class(gold):
        return None
    return f"gives the same answer, '{given[0]}', to every item"


def one_class(gold: ArrayLike) -> str | None:
    """Tell whether all items have the same right answer; (items)."""
    right = np.asarray(gold)
    if len(right) < 2 or (right != right[0]).any():
        return None
    return f"the right answer to every item is '{right[0]}': a constant is right everywhere"


def like(answers: ArrayLike, others: ArrayLike, gold: ArrayLike, name: str) -> str | None:
    """Tell whether a system answers (items) as a null does, also where that is wrong.

    Two systems that are right everywhere answer alike too, so only items count that one of them
    has wrong.
    """
    given, same, right = np.asarray(answers), np.asarray(others), np.asarray(gold)
    counts = (given != right) | (same != right)
    if counts.sum() < LEAST or (given == same)[counts].mean() < NEARLY:
        return None
    return f"answers as {name} does in {NEARLY:.0%} of the items or more"


def often(count: int, items: int) -> bool:
    """Return whether something befalls so many items that it is no accident."""
    return count > 0 and count >= OFTEN * items


def unknown_text(unknown: int, items: int, kind: str) -> str | None:
    """Tell whether a tokenizer does not know text of many items.

    Args:
        kind: what the items are called: `pairs`.
    """
    if not often(unknown, items):
        return None
    return f"has no tokens for some text of many {kind}, and cannot tell unknown words apart"


def few(judged: int, items: int) -> str | None:
    """Tell whether fewer than half of the items are judged, so that these are a choice of items."""
    return None if judged * 2 >= items else "judges fewer than half of the items"


def repeats(answers: Sequence[str], gold: Sequence[str]) -> tuple[str, str] | None:
    """Tell whether a system often repeats a few characters where the right form does not.

    Returns:
        What is wrong; how often, with one such answer.
    """
    loops = [
        answer
        for answer, right in zip(answers, gold, strict=True)
        if _LOOP.search(answer) and not _LOOP.search(right)
    ]
    if len(answers) < LEAST or not often(len(loops), len(answers)):
        return None
    example = loops[0] if len(loops[0]) <= 20 else f"{loops[0][:20]}…"
    return "repeats itself without end", f"{len(loops):,} of {len(answers):,} items: {example}"


def equal_scores(scores: ArrayLike) -> str | None:
    """Tell whether scores (items, options) tell the options of no item apart.

    They are equal or one of them is not finite. An option that an item does not have is NaN in
    all items with fewer options, so use it on items with the same options.
    """
    given = np.asarray(scores, float)
    if not len(given):
        return None
    finite = np.isfinite(given).all(axis=1)
    if not finite.any():
        return "gives no item finite scores"
    if (given[finite] == given[finite, :1]).all():
        return "gives the options of every item the same score"
    return None

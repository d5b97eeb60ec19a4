"""Slide one string along the other: alignments that shift the whole string."""

from collections import defaultdict
from collections.abc import Sequence

from kasu.transduction.alignments.edit_distance import Columns


def slide(source: Sequence[str], target: Sequence[str]) -> tuple[int, int]:
    """Return the best offset of the source from the start of the target, and its cost.

    The source begins wholly before the target and moves right, symbol by symbol, until it is
    wholly after it. The cost of an offset is its number of unequal columns, including symbols
    against gaps; the first of the cheapest offsets is the best.

    Source: the baseline of Cotterell et al. (2018) §4.1, after Cotterell et al. (2017).
    """
    # The unequal columns of a place are all symbols of both sides, less one for each column where
    # two symbols meet, less one more where they agree. So the cheapest place gains most.
    n, m = len(source), len(target)
    short, long = sorted((n, m))
    # Columns where two symbols meet, for each place from wholly before to wholly after
    gains = [*range(short), *[short] * (long - short + 1), *range(short - 1, -1, -1)]
    # Every pair of equal symbols agrees at one place
    places = defaultdict(list)
    for place, symbol in enumerate(target, n):
        places[symbol].append(place)
    for place, symbol in enumerate(source):
        if symbol in places:
            for other in places[symbol]:
                gains[other - place] += 1
    most = max(gains)
    return gains.index(most) - n, n + m - most


def shifted(source: Sequence[str], target: Sequence[str], offset: int) -> Columns:
    """Return the columns of two strings where the source starts `offset` symbols after the target.

    At a negative offset it starts before the target.
    """
    first, last = min(offset, 0), max(offset + len(source), len(target))
    columns: Columns = []
    for place in range(first, last):
        upper = source[place - offset] if 0 <= place - offset < len(source) else None
        lower = target[place] if 0 <= place < len(target) else None
        if upper is not None or lower is not None:  # two gaps meet where the strings lie apart
            columns.append((upper, lower))
    return columns

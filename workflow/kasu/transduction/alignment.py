"""Aligners of lemma and form. Characters are code points; GAP in the data counts as a gap."""

from collections import defaultdict
from itertools import accumulate, repeat
from operator import ne

GAP = "_"
SUBSTITUTION = 1.1  # insertion and deletion cost 1.0


def align(lemma: str, form: str) -> tuple[str, str]:
    """Levenshtein alignment of the official baseline: two rows of equal length, padded with GAP.

    Match 0, substitution 1.1, insertion and deletion 1.0; of equal costs the first in the order
    diagonal, insertion (gap in the lemma), deletion. Costs are equal or not *as the original adds
    them up in floats*, so its rounding is part of the procedure: exact costs would align one pair
    in 28 otherwise. The original recurses from the left, memoised, and keeps of a pair of rests
    its total minus the cost at which they were first entered. Depth first and diagonal first, that
    entry is known beforehand, hence a table will do (see `_entries`).

    Source: the baseline of Cotterell et al. (2018) §4.1, after Cotterell et al. (2017).
    """
    n, m = len(lemma), len(form)
    entries = _entries(lemma, form)
    costs = _costs(lemma, form, entries)
    upper, lower = [], []
    i = j = 0
    while i < n and j < m:
        entry = entries[i][j]
        diagonal = (entry if lemma[i] == form[j] else entry + SUBSTITUTION) + costs[i + 1][j + 1]
        insertion = entry + 1.0 + costs[i][j + 1]
        deletion = entry + 1.0 + costs[i + 1][j]
        if diagonal <= insertion and diagonal <= deletion:
            upper.append(lemma[i])
            lower.append(form[j])
            i, j = i + 1, j + 1
        elif insertion <= deletion:
            upper.append(GAP)
            lower.append(form[j])
            j += 1
        else:
            upper.append(lemma[i])
            lower.append(GAP)
            i += 1
    above, below = lemma[i:], form[j:]  # one of them is empty
    return (
        "".join(upper) + above + GAP * len(below),
        "".join(lower) + below + GAP * len(above),
    )


def _entries(lemma: str, form: str) -> list[list[float]]:
    """Cost at which the recursion first enters the rests lemma[i:], form[j:]; (n + 1, m + 1).

    It gets to (i, j) down the diagonal to the smaller of the two, then straight on. Where one side
    is exhausted there is no way straight on: there it comes by a diagonal step from the row, or
    column, before the last.
    """
    n, m = len(lemma), len(form)
    diagonal = 0.0
    row = _counted(diagonal, m)
    entries = [row]
    for i in range(1, n + 1):
        if i <= m:
            if lemma[i - 1] != form[i - 1]:
                diagonal += SUBSTITUTION
            row = [cost + 1.0 for cost in row[:i]] + _counted(diagonal, m - i)
        else:
            row = [cost + 1.0 for cost in row]
        entries.append(row)
    for j in range(n + 1, m + 1):
        if n:
            before = entries[n - 1][j - 1]
            entries[n][j] = before if lemma[-1] == form[j - 1] else before + SUBSTITUTION
    for i in range(m + 1, n + 1):
        if m:
            before = entries[i - 1][m - 1]
            entries[i][m] = before if lemma[i - 1] == form[-1] else before + SUBSTITUTION
    return entries


def _counted(cost: float, steps: int) -> list[float]:
    return list(accumulate(repeat(1.0, steps), initial=cost))


def _costs(lemma: str, form: str, entries: list[list[float]]) -> list[list[float]]:
    """Cost from the rests lemma[i:], form[j:] on, rounded as the recursion keeps it."""
    n, m = len(lemma), len(form)
    below = [entry + (m - j) - entry for j, entry in enumerate(entries[n])]
    costs = [below]
    backwards = form[::-1]
    for i in range(n - 1, -1, -1):
        letter = lemma[i]
        entry_row = entries[i][::-1]
        after = entry_row[0] + (n - i) - entry_row[0]
        row = [after]
        keep = row.append
        crosswise = below[m]
        for entry, other, straight in zip(
            entry_row[1:], backwards, below[m - 1 :: -1] if m else (), strict=True
        ):
            best = (entry if other == letter else entry + SUBSTITUTION) + crosswise
            step = entry + 1.0
            if (insertion := step + after) < best:
                best = insertion
            if (deletion := step + straight) < best:
                best = deletion
            after = best - entry
            keep(after)
            crosswise = straight
        row.reverse()
        below = row
        costs.append(row)
    costs.reverse()
    return costs


def overhangs(lemma: str, form: str) -> tuple[int, int]:
    """Slide the form along the lemma; count gaps at the start and at the end where they agree most.

    The lemma first stands whole before the form and moves right, letter by letter, until it stands
    whole behind it. The cost of a place is its number of unequal columns, letters against gaps
    included; the first of the cheapest counts. Gaps of both rows are added up, columns of gaps
    alone left out.

    Source: as `align`.
    """
    if not lemma or not form or GAP in lemma or GAP in form:
        return _overhangs_of_rows(lemma, form)
    # Cost: letters of both, less the columns where two letters stand, less those that agree.
    n, m = len(lemma), len(form)
    short, long = sorted((n, m))
    gains = [*range(short), *[short] * (long - short + 1), *range(short - 1, -1, -1)]
    places = defaultdict(list)
    for place, letter in enumerate(form, n):
        places[letter].append(place)
    for place, letter in enumerate(lemma):
        if letter in places:
            for other in places[letter]:
                gains[other - place] += 1
    start = gains.index(max(gains)) - n  # of the lemma, counted from the form's
    return abs(start), abs(start + n - m)


def _overhangs_of_rows(lemma: str, form: str) -> tuple[int, int]:
    """The same with rows written out: a letter may be a GAP, a row may be gaps from end to end."""
    n, m = len(lemma), len(form)
    places = [(GAP * k + lemma + GAP * (m - k), GAP * n + form) for k in range(m + 1)]
    places += [(GAP * m + lemma, GAP * (n - k) + form + GAP * k) for k in range(n + 1)]
    upper, lower = min(places, key=lambda rows: sum(map(ne, *rows)))
    columns = [pair for pair in zip(upper, lower, strict=True) if pair != (GAP, GAP)]
    rows = ["".join(row) for row in zip(*columns, strict=True)]
    before = sum(len(row) - len(row.lstrip(GAP)) for row in rows)
    return before, sum(len(row) - len(row.rstrip(GAP)) for row in rows)

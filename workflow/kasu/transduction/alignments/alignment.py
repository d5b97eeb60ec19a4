"""Align lemma and form. Characters are code points; a GAP in the data counts as a gap."""

from itertools import accumulate, repeat
from operator import ne

from kasu.transduction.alignments.slide import slide

GAP = "_"
SUBSTITUTION = 1.1  # insertion and deletion cost 1.0


def align(lemma: str, form: str) -> tuple[str, str]:
    """Align as the official baseline does: two rows of equal length, padded with GAP.

    A match costs 0, a substitution 1.1, an insertion or deletion 1.0; ties go to the first of
    diagonal, insertion (gap in the lemma), deletion. What counts as a tie depends on how the
    original adds up floats, so its rounding is part of the procedure: exact costs would align one
    pair in 28 differently. The original is a memoised recursion from the left. It carries the cost
    spent so far, and stores for each pair of suffixes the total minus the cost at which it first
    entered that pair. As it goes depth first and diagonal first, all entry costs are known
    beforehand (`_entries`), and a table replaces the recursion.

    Source: the baseline of Cotterell et al. (2018) §4.1, after Cotterell et al. (2017).
    """
    n, m = len(lemma), len(form)
    entries = _entries(lemma, form)
    costs = _costs(lemma, form, entries)
    upper, lower = [], []
    # Walk from the start, taking the cheapest step by the recursion's own comparison
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
    """Return the cost at which the recursion first enters each pair of suffixes, (n + 1, m + 1).

    It reaches (i, j) down the diagonal to the smaller of both, then straight on by insertions or
    deletions. It never goes straight on along an edge, where one suffix is empty; it first enters
    those cells by a diagonal step from the last row or column but one.
    """
    n, m = len(lemma), len(form)
    diagonal = 0.0
    row = _count_up(diagonal, m)
    entries = [row]
    for i in range(1, n + 1):
        if i <= m:
            if lemma[i - 1] != form[i - 1]:
                diagonal += SUBSTITUTION
            # Deletions from the row above, the diagonal, then insertions
            row = [cost + 1.0 for cost in row[:i]] + _count_up(diagonal, m - i)
        else:
            row = [cost + 1.0 for cost in row]
        entries.append(row)
    # The edges beyond the diagonal
    for j in range(n + 1, m + 1):
        if n:
            before = entries[n - 1][j - 1]
            entries[n][j] = before if lemma[-1] == form[j - 1] else before + SUBSTITUTION
    for i in range(m + 1, n + 1):
        if m:
            before = entries[i - 1][m - 1]
            entries[i][m] = before if lemma[i - 1] == form[-1] else before + SUBSTITUTION
    return entries


def _count_up(cost: float, steps: int) -> list[float]:
    """Return `cost` and `steps` more costs, each 1.0 higher, rounded at every sum."""
    return list(accumulate(repeat(1.0, steps), initial=cost))


def _costs(lemma: str, form: str, entries: list[list[float]]) -> list[list[float]]:
    """Return the cost of aligning each pair of suffixes as the recursion has it, (n + 1, m + 1).

    It stores (entry + rest) - entry, which differs from the rest by its rounding.
    """
    n, m = len(lemma), len(form)
    # The last row: the lemma is used up, and the rest of the form is inserted
    below = [entry + (m - j) - entry for j, entry in enumerate(entries[n])]
    costs = [below]
    form_backwards = form[::-1]
    # Upwards row by row, each from right to left, so that the three cells ahead are known
    for i in range(n - 1, -1, -1):
        letter = lemma[i]
        entry_row = entries[i][::-1]
        # The last column: the form is used up, and the rest of the lemma is deleted
        right = entry_row[0] + (n - i) - entry_row[0]
        row = [right]
        append = row.append
        diagonal = below[m]
        for entry, other, down in zip(
            entry_row[1:], form_backwards, below[m - 1 :: -1] if m else (), strict=True
        ):
            # The totals of the three steps, each added up in the order of the original
            best = (entry if other == letter else entry + SUBSTITUTION) + diagonal
            # Insertion and deletion cost the same: the one with less after it
            step = entry + 1.0 + (right if right < down else down)
            right = (step if step < best else best) - entry
            append(right)
            diagonal = down
        row.reverse()
        below = row
        costs.append(row)
    costs.reverse()
    return costs


def overhangs(lemma: str, form: str) -> tuple[int, int]:
    """Slide the lemma along the form; at the best place, count the gaps at start and end.

    The lemma begins wholly before the form and moves right, letter by letter, until it is wholly
    after it. The cost of a place is its number of unequal columns, including letters against gaps;
    the first of the cheapest places is the best. The gaps of both rows are added up; columns of
    gaps only are left out.

    Source: as `align`.
    """
    if not lemma or not form or GAP in lemma or GAP in form:
        return _overhangs_of_rows(lemma, form)
    start, _ = slide(lemma, form)
    return abs(start), abs(start + len(lemma) - len(form))


def _overhangs_of_rows(lemma: str, form: str) -> tuple[int, int]:
    """Return `overhangs` from rows written out, for words that are empty or contain a GAP."""
    n, m = len(lemma), len(form)
    places = [(GAP * k + lemma + GAP * (m - k), GAP * n + form) for k in range(m + 1)]
    places += [(GAP * m + lemma, GAP * (n - k) + form + GAP * k) for k in range(n + 1)]
    upper, lower = min(places, key=lambda rows: sum(map(ne, *rows)))
    columns = [pair for pair in zip(upper, lower, strict=True) if pair != (GAP, GAP)]
    rows = ["".join(row) for row in zip(*columns, strict=True)]
    before = sum(len(row) - len(row.lstrip(GAP)) for row in rows)
    return before, sum(len(row) - len(row.rstrip(GAP)) for row in rows)

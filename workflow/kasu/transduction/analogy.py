"""Proportional analogies between words: walk is to walks as talk is to talks.

Source: Lepage (1998), as Fam & Lepage (2018 §4.1) define them.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from rapidfuzz.distance import Indel

from kasu.transduction.alignments.edit_distance import suffix_costs
from kasu.transduction.items import Item


def holds(a: str, b: str, c: str, d: str) -> bool:
    """Tell whether a is to b as c is to d.

    It is if a is as far from b as c from d, a as far from c as b from d, and every character occurs
    as often in a and d as in b and c. A distance counts insertions and deletions.
    """
    return (
        Counter(a) + Counter(d) == Counter(b) + Counter(c)
        and Indel.distance(a, b) == Indel.distance(c, d)
        and Indel.distance(a, c) == Indel.distance(b, d)
    )


def solve(a: str, b: str, c: str) -> str | None:
    """Return the word that is to c as b is to a; None if none is found.

    The definition does not fix the answer: 35 words are to illustrate as releasing is to release.
    One walk from the ends of the three words to their starts decides. It writes what b and c have
    beyond a, and of a what both have kept. Every answer `holds`.
    """
    if len(c) > len(b):
        b, c = c, b
    if Counter(a) - Counter(b) - Counter(c):
        return None
    # Of a length that leaves nothing to write, or else by the walk
    d = "" if len(a) == len(b) + len(c) else _walk(a[::-1], b[::-1], c[::-1])
    return d if d is not None and holds(a, b, c, d) else None


def _walk(a: str, b: str, c: str) -> str | None:
    """Solve an analogy of words that are written backwards; the answer is written forwards."""
    # Edits between what is left of a and what is left of the other word
    to_b, to_c = suffix_costs(a, b), suffix_costs(a, c)
    i = j = k = 0
    written = []
    while i < len(a) and (j < len(b) or k < len(c)):
        in_b = j < len(b) and a[i] == b[j]
        in_c = k < len(c) and a[i] == c[k]
        if in_b and in_c:
            written.append(a[i])
            i, j, k = i + 1, j + 1, k + 1
            continue
        # Where one has kept the character of a, the other inserts before it deletes, if inserting
        # is on a shortest way from a
        if in_b or in_c:
            from_b = in_c
            if from_b:
                inserts = j < len(b) and to_b[i][j + 1] < to_b[i][j]
            else:
                inserts = k < len(c) and to_c[i][k + 1] < to_c[i][k]
            if not inserts:
                i, j, k = i + 1, j + in_b, k + in_c
                continue
        # Else one inserts: the one that is left, or that keeps the character of a later
        elif j == len(b) or k == len(c):
            from_b = j < len(b)
        else:
            in_b, in_c = to_b[i + 1][j] > to_b[i][j], to_c[i + 1][k] > to_c[i][k]
            if not (in_b or in_c):
                return None
            # Of two, the one that deletes less of what is left of a
            less = to_b[i][j] - (len(b) - j) < to_c[i][k] - (len(c) - k)
            from_b = in_b and (less or not in_c)
        if from_b:
            written.append(b[j])
            j += 1
        else:
            written.append(c[k])
            k += 1
    # Nothing of a is left: the shorter rest is nearer to the end
    ends = b[j:], c[k:]
    written.extend(ends if len(ends[0]) < len(ends[1]) else ends[::-1])
    return "".join(written)[::-1]


class Analogies:
    """Analogies with the pairs of a training set."""

    def __init__(self, train: Sequence[Item]) -> None:
        # Lemma and form by features and each suffix of the lemma, the empty one included
        self._pairs = defaultdict[tuple[tuple[str, ...], str], list[tuple[str, str]]](list)
        for item in train:
            lemma, form = "".join(item.source), "".join(item.target or "")
            for start in range(len(lemma) + 1):
                self._pairs[item.tags, lemma[start:]].append((lemma, form))

    def inflect(self, item: Item) -> str:
        """Return the most frequent solution, the first of several; without any, the lemma."""
        lemma = "".join(item.source)
        suffixes = ((item.tags, lemma[start:]) for start in range(len(lemma) + 1))
        pairs = next((self._pairs[key] for key in suffixes if key in self._pairs), [])
        solutions = (solve(known, form, lemma) for known, form in pairs)
        counts = Counter(form for form in solutions if form is not None)
        return next((form for form, _ in counts.most_common(1)), lemma)

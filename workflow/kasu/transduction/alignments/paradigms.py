"""Abstract paradigms: what two words share becomes variables, and the rest tells them apart.

*write* and *writing* share *writ*: their paradigm is `1+e#1+ing`. A paradigm that fits another
lemma inflects it: `1+e#1+ing` turns *bake* into *baking*.

A longest common subsequence says what is shared. Its longest stretches without a gap in either word
are the variables, in order; what lies around them are the constants. Words often share several
subsequences, each in several places: `fewest_cuts` and `apart` are two choices among all of them.

Source: Ahlberg et al. (2014), who define paradigms; Sorokin (2016).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from kasu.job.run import log
from kasu.transduction.alignments.edit_distance import Pairs, suffix_costs

MOST = 10_000
"""How many assignments `Paradigm.fill` makes of one lemma at most. No pair of the shared task has
more than 816 with its own paradigm."""

K = TypeVar("K", bound=Hashable)

Place = tuple[int, int]
Step = Callable[[Place, Place | None], int]
"""The cost of a place of the subsequence, given the next one; None after the last."""

Choice = Callable[[str, str], Pairs]
"""A function that chooses the places of a longest common subsequence in a lemma and a form."""


class Paradigm(NamedTuple):
    """A pair of patterns with the same variables, given by what stands around them.

    Attributes:
        lemma: the constants of the lemma, one more than there are variables: the first stands
            before all variables, the last after them. A constant may be empty.
        form: the constants of the form likewise.
    """

    lemma: tuple[str, ...]
    form: tuple[str, ...]

    def __str__(self) -> str:
        return "#".join(map(_pattern, self))

    def fill(self, lemma: str) -> Iterator[tuple[tuple[str, ...], str]]:
        """Fit a lemma in each way that leaves no variable empty; stop after MOST ways.

        Yields:
            The values of the variables, and the form with these values. Assignments come with short
            values of the first variable first, then of the second, and so on.
        """
        ways = islice(self._fits(lemma), MOST)
        return ((values, self.inflected(values)) for values in ways)

    def inflected(self, values: Sequence[str]) -> str:
        """Return the form in which the variables have these values."""
        return self.form[0] + "".join(
            value + constant for value, constant in zip(values, self.form[1:], strict=True)
        )

    def count(self, lemma: str) -> int:
        """Count all ways to fit a lemma, also those after MOST, without making them."""
        found = self._places(lemma)
        if found is None:
            return int(self.lemma == (lemma,))
        start, places, _ = found
        # By where the next variable begins: in how many ways those before it fit
        ways = {start: 1}
        for constant, fitting in zip(self.lemma[1:], places, strict=False):
            ended = {
                place: sum(count for begin, count in ways.items() if begin < place)
                for place in fitting
            }
            ways = {place + len(constant): count for place, count in ended.items()}
        return sum(ways.values())

    def _fits(self, lemma: str) -> Iterator[tuple[str, ...]]:
        """Fit a lemma in each way; yield the values of the variables."""
        found = self._places(lemma)
        if found is None:
            return iter([()] if self.lemma == (lemma,) else [])
        start, places, end = found
        if not places:
            return iter([(lemma[start:end],)])
        return self._extended(lemma, (), start, places, end)

    def _extended(
        self, lemma: str, values: tuple[str, ...], start: int, places: list[list[int]], end: int
    ) -> Iterator[tuple[str, ...]]:
        """Give the variables from `start` on their values, after the values of those before."""
        if len(values) == len(places):
            yield (*values, lemma[start:end])
            return
        constant = self.lemma[len(values) + 1]
        for place in places[len(values)]:
            if place > start:
                longer = (*values, lemma[start:place])
                yield from self._extended(lemma, longer, place + len(constant), places, end)

    def _places(self, lemma: str) -> tuple[int, list[list[int]], int] | None:
        """Find where the constants of the lemma may stand.

        Returns:
            Where the first variable begins; for each constant between variables, its places from
            which all that follows fits too, rising; and where the last variable ends. None if the
            lemma does not fit or there are no variables.
        """
        first, *inner, last = self.lemma if len(self.lemma) > 1 else (lemma, lemma)
        start, end = len(first), len(lemma) - len(last)
        if not (start < end and lemma.startswith(first) and lemma.endswith(last)):
            return None
        places: list[list[int]] = []
        latest = end  # where the variable before must have ended
        for constant in reversed(inner):
            # The variable after the constant has one character or more
            latest -= len(constant) + 1
            fitting = [
                place for place in range(start + 1, latest + 1) if lemma.startswith(constant, place)
            ]
            if not fitting:
                return None
            latest = fitting[-1]
            places.append(fitting)
        places.reverse()
        return start, places, end


def _pattern(constants: Sequence[str]) -> str:
    """Write one side of a paradigm, as `1+e`; empty constants are left out."""
    first, *others = constants
    parts = [first]
    for variable, constant in enumerate(others, 1):
        parts += [str(variable), constant]
    return "+".join(filter(None, parts))


def abstract(lemma: str, form: str, choose: Choice) -> Paradigm:
    """Return the paradigm of a lemma and its form; `choose` chooses what they share."""
    lemma_constants: list[str] = []
    form_constants: list[str] = []
    i = j = 0  # where the present variable has ended in both
    for next_i, next_j in choose(lemma, form):
        # A gap on either side ends a variable; the first begins after any gap, or none
        if next_i > i or next_j > j or not lemma_constants:
            lemma_constants.append(lemma[i:next_i])
            form_constants.append(form[j:next_j])
        i, j = next_i + 1, next_j + 1
    return Paradigm((*lemma_constants, lemma[i:]), (*form_constants, form[j:]))


def fewest_cuts(lemma: str, form: str) -> Pairs:
    """Choose the longest common subsequence with the fewest variables.

    Ties go to the smallest sum of its spans in both words; to the fewest cuts between variables at
    which one word has no gap; to the fewest words that go on after it; then to the leftmost.

    Source: the program of Sorokin (2018), whose last tie is open.
    """
    # One number orders by all of that: no cost of a lesser kind adds up to one of a greater
    gap = len(lemma) + len(form) + 3
    span = gap * gap
    cut = span * gap

    def step(place: Place, after: Place | None) -> int:
        i, j = place
        if after is None:
            return (i + 1 < len(lemma)) + (j + 1 < len(form))
        skipped, inserted = after[0] - i - 1, after[1] - j - 1
        if not (skipped or inserted):
            return 0
        return cut + span * (skipped + inserted) + gap * (not (skipped and inserted))

    return _cheapest(lemma, form, step)[1]


def apart(lemma: str, form: str) -> Pairs:
    """Choose the leftmost longest common subsequence without adjacent variables in the lemma.

    If none is without them, choose the leftmost of all. *Leftmost* means in the lemma first.

    Source: the team AX Semantics (2018) §2. Its other penalties are the same for all.
    """

    def step(place: Place, after: Place | None) -> int:
        return after is not None and after[0] == place[0] + 1 and after[1] > place[1] + 1

    cost, pairs = _cheapest(lemma, form, step)
    return _cheapest(lemma, form, lambda place, after: 0)[1] if cost else pairs


def _cheapest(lemma: str, form: str, step: Step) -> tuple[int, Pairs]:
    """Return the longest common subsequence of lowest cost, and that cost.

    Of equally cheap ones, the first place that differs is leftmost in the lemma, then in the form.
    """
    best: dict[Place, tuple[int, Place | None]] = {}  # the cost from a place on, and the next one
    ahead: Sequence[Place] = ()
    for places in reversed(_shared(lemma, form)):
        for place in places:
            i, j = place
            # A place further on is always cheapest from itself; the first of equals stays
            best[place] = min(
                ((step(place, after) + best[after][0], after) for after in ahead
                 if after[0] > i and after[1] > j),
                default=(step(place, None), None),
            )  # fmt: skip
        ahead = places
    if not ahead:
        return 0, []
    first = min(ahead, key=lambda each: (best[each][0], each))
    pairs: Pairs = []
    chosen: Place | None = first
    while chosen is not None:
        pairs.append(chosen)
        chosen = best[chosen][1]
    return best[first][0], pairs


def _shared(lemma: str, form: str) -> list[list[Place]]:
    """Return the places where any longest common subsequence has its first symbol, second, ...

    Each list is sorted.
    """
    n, m = len(lemma), len(form)
    after = suffix_costs(lemma, form)
    before = suffix_costs(lemma[::-1], form[::-1])  # from the ends
    edits = after[0][0]
    length = (n + m - edits) // 2
    shared: list[list[Place]] = [[] for _ in range(length)]
    columns = defaultdict(list)
    for j, symbol in enumerate(form):
        columns[symbol].append(j)
    for i, symbol in enumerate(lemma):
        costs_after, costs_before = after[i + 1], before[n - i]
        for j in columns.get(symbol, ()):
            rest = costs_after[j + 1]
            if costs_before[m - j] + rest == edits:
                # As many symbols follow as the two rests share
                follow = (n - i - 1 + m - j - 1 - rest) // 2
                shared[length - 1 - follow].append((i, j))
    return shared


def frequent(
    words: Iterable[tuple[K, str, str]], choose: Choice, most: int
) -> dict[K, list[Paradigm]]:
    """Return the paradigms of each MSD, the most frequent first, at most so many.

    Of equally frequent ones, the first in the data comes first.

    Args:
        words: MSD, lemma and form of each item.
    """
    counts: dict[K, Counter[Paradigm]] = defaultdict(Counter)
    for key, lemma, form in words:
        counts[key][abstract(lemma, form, choose)] += 1
    return {
        key: [paradigm for paradigm, _ in found.most_common(most)] for key, found in counts.items()
    }


def candidates(lemma: str, paradigms: Iterable[Paradigm]) -> list[str]:
    """Return the distinct forms of a lemma by each paradigm in each way that fits, in order."""
    return list(dict.fromkeys(form for each in paradigms for _, form in each.fill(lemma)))


def forms_of(
    items: Iterable[tuple[K, str]], paradigms: Mapping[K, Sequence[Paradigm]]
) -> list[list[str]]:
    """Return the candidates of each item, perhaps none.

    The log says how many items a paradigm fits in more ways than are tried.

    Args:
        items: MSD and lemma of each.
        paradigms: by MSD, as of `frequent`.
    """
    found, cut = [], 0
    for key, lemma in items:
        known = paradigms.get(key, ())
        cut += any(each.count(lemma) > MOST for each in known)
        found.append(candidates(lemma, known)[:MOST])
    if cut:
        log.info("a paradigm fits %d items in more than %d ways; the first count", cut, MOST)
    return found

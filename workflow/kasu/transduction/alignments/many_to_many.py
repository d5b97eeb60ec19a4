"""Align chunks of source and target: a few symbols of the one with a few, or none, of the other.

A chunk of the source yields a chunk of the target with a probability p(y | x), which expectation
maximisation learns from unaligned pairs. Each pair then gets its best alignment.

Source: Jiampojamarn et al. (2007); tags, copies and the precise alignment as in the released
program of Nicolai et al. (2018).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Chunk = tuple[str, ...]
Step = tuple[Chunk, str]
"""A chunk of the source and the target that it yields, which may be empty."""

Alignment = list[Step]
"""The steps of a pair. Their chunks together are its source, their targets its target."""

Pair = tuple[Sequence[str], str]
"""The symbols of a source, and a target, whose symbols are its characters."""

Edge = tuple[int, int, int]

PASSES = 100
CHANGE = 0.01  # of the probabilities of a chunk, on average: less ends the training
FIRST_SHARE = 0.999999  # of copies, before any are counted
DECADES = 250  # powers of ten between scales of paths; a float has 300 either way
MOST_DECADES = 40  # for each symbol


def is_tag(symbol: str) -> bool:
    """Tell whether a symbol of a source is a tag. Characters are single; tags must be longer."""
    return len(symbol) > 1


def is_copy(step: Step) -> bool:
    """Tell whether a step yields its own chunk."""
    return step[0] == tuple(step[1])


class Lattice(NamedTuple):
    """All alignments of a pair, as paths.

    Attributes:
        end: the last node. Paths go from node 0 to it; an edge goes to a node of higher number.
        symbols: how many symbols source and target have.
        edges: start, end and number of the step of each edge on a path, by rising start.
    """

    end: int
    symbols: int
    edges: list[Edge]


class StepModel:
    """Probabilities p(y | x) of steps, learnt from lattices.

    Args:
        copy: multiply the probability of a step by the share of copies if it copies its chunk, by
            the rest if it does not. Steps with a tag are not counted and stay as they are.
    """

    def __init__(self, *, copy: bool = False) -> None:
        self.steps: list[Step] = []
        self._copy = copy
        self._numbers: dict[Step, int] = {}
        self._chunks: dict[Chunk, int] = {}
        self._chunk_of: list[int] = []  # by step
        self._rates: list[float] = []

    def number(self, step: Step) -> int:
        """Return the number of a step; a new one is added."""
        number = self._numbers.get(step)
        if number is None:
            number = self._numbers[step] = len(self.steps)
            self.steps.append(step)
            self._chunk_of.append(self._chunks.setdefault(step[0], len(self._chunks)))
        return number

    def probability(self, chunk: Sequence[str], target: str) -> float:
        """Return p(y | x); 0 for a step that no pair has."""
        number = self._numbers.get((tuple(chunk), target))
        return 0.0 if number is None else self._rates[number]

    def fit(self, lattices: Sequence[Lattice], passes: int = PASSES) -> None:
        """Learn from lattices in so many passes at most; at first each known step counts once."""
        scales = [0] * len(lattices)
        self._rates = [0.0] * len(self.steps)
        self._maximise([1.0] * len(self.steps), FIRST_SHARE)
        for _ in range(passes):
            counts = [0.0] * len(self.steps)
            for place, lattice in enumerate(lattices):
                scales[place] = self._expect(lattice, counts, scales[place])
            if self._maximise(counts) <= CHANGE * len(self._chunks):
                break

    def _maximise(self, counts: list[float], share: float | None = None) -> float:
        """Set the probabilities by counts; return the sum of their changes."""
        old = self._rates
        sums = [0.0] * len(self._chunks)
        for chunk, count in zip(self._chunk_of, counts, strict=True):
            sums[chunk] += count
        self._rates = [
            count and count / sums[chunk]
            for chunk, count in zip(self._chunk_of, counts, strict=True)
        ]
        if self._copy:
            self._prefer_copies(counts, share)
        return sum(abs(new - before) for new, before in zip(self._rates, old, strict=True))

    def _prefer_copies(self, counts: list[float], share: float | None) -> None:
        """Multiply by the share of copies, given or counted, or by the rest."""
        untagged = [
            (number, is_copy(step))
            for number, step in enumerate(self.steps)
            if not any(map(is_tag, step[0]))
        ]
        if share is None:
            whole = sum(counts[number] for number, _ in untagged)
            copies = sum(counts[number] for number, copied in untagged if copied)
            share = copies / whole if whole else 0.0
        for number, copied in untagged:
            self._rates[number] *= share if copied else 1 - share

    def _expect(self, lattice: Lattice, counts: list[float], scale: int) -> int:
        """Add to the counts how often each step is expected, by forward and backward sums.

        A lattice whose paths are all improbable adds nothing.

        Args:
            scale: by how many times DECADES paths are to grow, so that sums of floats can hold
                them; another number is tried until they do.

        Returns:
            the number that did.
        """
        end, symbols, edges = lattice
        while abs(scale) * DECADES <= MOST_DECADES * symbols:
            rates = self._rates
            if scale:
                # Each path has all symbols of the pair, so the same factor for each leaves the
                # shares of paths as they are
                rates = self._scaled(edges, 10.0 ** (DECADES * scale / symbols))
            forward = [0.0] * (end + 1)
            forward[0] = 1.0
            for start, stop, number in edges:
                forward[stop] += forward[start] * rates[number]
            total = forward[end]
            if total <= 10.0**-DECADES:
                scale += 1
            elif not total < 10.0**DECADES:  # it may be no number
                scale -= 1
            else:
                break
        else:
            return 0
        backward = [0.0] * (end + 1)
        backward[end] = 1 / total
        for start, stop, number in reversed(edges):
            rest = rates[number] * backward[stop]
            backward[start] += rest
            counts[number] += forward[start] * rest
        return scale

    def _scaled(self, edges: list[Edge], factor: float) -> list[float]:
        """Return the probabilities of the steps of edges, times a factor for each symbol."""
        rates = list(self._rates)
        for number in {number for _, _, number in edges}:
            chunk, target = self.steps[number]
            rates[number] *= factor ** (len(chunk) + len(target))
        return rates

    def best(self, lattice: Lattice, weigh: Callable[[Edge], int]) -> Alignment | None:
        """Return the path of the highest sum of w ln p; of equals, the first by short chunks.

        Args:
            weigh: returns the weight of an edge; 0 bars it.

        Returns:
            the steps of the path; None if every path is barred or improbable.
        """
        scores = [-math.inf] * (lattice.end + 1)
        scores[0] = 0.0
        back: list[Edge | None] = [None] * (lattice.end + 1)
        for edge in lattice.edges:
            start, stop, number = edge
            rate = self._rates[number]
            if scores[start] == -math.inf or not rate:
                continue
            weight = weigh(edge)
            score = scores[start] + weight * math.log(rate)
            if weight and score > scores[stop]:
                scores[stop], back[stop] = score, edge
        if scores[lattice.end] == -math.inf:
            return None
        steps: Alignment = []
        last = back[lattice.end]
        while last:
            steps.append(self.steps[last[2]])
            last = back[last[0]]
        return steps[::-1]


class ManyToMany:
    """An aligner of chunks, as `StepModel` without more.

    Args:
        source: symbols of a chunk of the source at most.
        target: symbols of what it yields at most. It may also yield nothing.
        tagged: symbols of what it yields at most if there is a tag in it.
        copy: as of `StepModel`.
        empty_source: let an empty chunk yield symbols, too.
    """

    def __init__(
        self,
        source: int,
        target: int,
        tagged: int,
        *,
        copy: bool = False,
        empty_source: bool = False,
    ) -> None:
        self._source, self._target, self._tagged = source, target, tagged
        self._least = 0 if empty_source else 1
        self._model = StepModel(copy=copy)
        self.probability = self._model.probability

    def fit(self, pairs: Sequence[Pair], passes: int = PASSES) -> list[Alignment | None]:
        """Learn from pairs; align each. A pair has None if no steps, or improbable ones, spell it.

        At first, each step counts once whose chunk and target occur in a pair.

        Args:
            passes: of expectation maximisation, at most.
        """
        lattices = [self._lattice(*pair) for pair in pairs]
        self._model.fit(lattices, passes)
        return [self._model.best(lattice, self._weigh) for lattice in lattices]

    def _weigh(self, edge: Edge) -> int:
        """Weigh a step by its longer side; bar those of equal length that single steps can make."""
        chunk, target = self._model.steps[edge[2]]
        barred = len(chunk) == len(target) > 1 and not any(map(is_tag, chunk))
        return 0 if barred else max(len(chunk), len(target))

    def _lattice(self, source: Sequence[str], target: str) -> Lattice:
        """Return the alignments of a pair. A node is a place in both, source before target."""
        width = len(target) + 1
        edges = [
            (i * width + j, (i + len(chunk)) * width + j + size, number)
            for i in range(len(source) + 1)
            for j in range(width)
            for chunk, size, number in self._steps(source, target, i, j)
        ]
        end = (len(source) + 1) * width - 1
        return Lattice(end, len(source) + len(target), _on_paths(edges, end))

    def _steps(
        self, source: Sequence[str], target: str, i: int, j: int
    ) -> Iterator[tuple[Chunk, int, int]]:
        """Yield the chunk, the length of its target and the number of each step from a place."""
        for stop in range(i + self._least, min(i + self._source, len(source)) + 1):
            chunk = tuple(source[i:stop])
            most = self._tagged if any(map(is_tag, chunk)) else self._target
            for size in range(not chunk, min(most, len(target) - j) + 1):
                yield chunk, size, self._model.number((chunk, target[j : j + size]))


def _on_paths(edges: Sequence[Edge], end: int) -> list[Edge]:
    """Return the edges, given by rising start, that lie on a path from 0 to the end."""
    reached = {0}
    for start, stop, _ in edges:
        if start in reached:
            reached.add(stop)
    useful, kept = {end}, []
    for edge in reversed(edges):
        if edge[0] in reached and edge[1] in useful:
            useful.add(edge[0])
            kept.append(edge)
    return kept[::-1]


def precise(pairs: Sequence[Pair]) -> list[Alignment | None]:
    """Align each symbol of the source with nothing, or as many symbols of the target as fit.

    First single symbols are aligned with single ones, and with nothing, on either side. Then each
    symbol of the target that was aligned with nothing joins the step to its left or to its right,
    by probabilities learnt anew.

    Source: Nicolai et al. (2018), "precision alignment".
    """
    columns = ManyToMany(1, 1, 1, empty_source=True).fit(pairs)
    return join_columns(columns)


def join_columns(columns: Sequence[Alignment | None]) -> list[Alignment | None]:
    """Join steps with an empty chunk to a neighbour, left or right; None stays, also without one.

    A path is weighed by how many columns each step joins.
    """
    model = StepModel()
    lattices = [_joining(model, each or []) for each in columns]
    model.fit(lattices)
    return [
        model.best(lattice, lambda edge: edge[1] - edge[0]) if each is not None else None
        for lattice, each in zip(lattices, columns, strict=True)
    ]


def _joining(model: StepModel, columns: Alignment) -> Lattice:
    """Return the ways to join columns into steps with one symbol of the source each."""
    edges = []
    for start in range(len(columns)):
        chunk: Chunk = ()
        target = ""
        for stop in range(start + 1, len(columns) + 1):
            symbol, yielded = columns[stop - 1]
            chunk, target = chunk + symbol, target + yielded
            if len(chunk) > 1:
                break
            if chunk:
                edges.append((start, stop, model.number((chunk, target))))
    symbols = sum(len(chunk) + len(target) for chunk, target in columns)
    return Lattice(len(columns), symbols, _on_paths(edges, len(columns)))

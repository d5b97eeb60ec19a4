"""Transduce chunk by chunk: a linear model of steps, searched with a beam, trained by margins.

A hypothesis covers its source from left to right by steps, each a chunk of one symbol or a few with
what it yields. Its score is the sum of the weights of its features:

- each n-gram of symbols around a chunk, with its place, together with what the chunk yields;
- each stretch of the steps before a step, with its place, together with the step;
- whether a step copies its chunk;
- what `extra` finds in the whole output so far.

Source: DirecTL+ (Jiampojamarn et al. 2008, 2010), with the released program of Nicolai et al.
(2018). The program takes sources in the order of a hash table, ours in that of first occurrence. On
dev it counts errors by aligned chunks, ours by characters.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple, cast

from pydantic import TypeAdapter
from rapidfuzz.distance import Levenshtein

from kasu.transduction.alignments.many_to_many import Alignment, Chunk, Pair, Step, is_copy, is_tag
from kasu.transduction.linear.margins import smallest_step

BEAM = 20
NBEST = 10  # hypotheses that must keep a margin
PASSES = 99

Key = tuple[Hashable, str]
"""A feature together with what it speaks for: a target, the code of a step, or nothing."""

Weights = dict[Hashable, dict[str, float]]
"""Weights by feature, then by what it speaks for."""

_Learnt = tuple[list[Step], dict[str, dict[str, float]]]

Extra = Callable[[str, bool], Iterable[Hashable]]
"""A function of the output so far, and whether it is finished, to further features.

A hypothesis has the features of its present output alone: with each step those of the output before
are taken back.
"""


class Sizes(NamedTuple):
    """How far features reach.

    Attributes:
        context: symbols to either side of a chunk.
        ngram: symbols of an n-gram at most; the chunk counts as one.
        joint: steps before a step.
    """

    context: int
    ngram: int
    joint: int


class Hypothesis(NamedTuple):
    """A way to transduce a source, and its score."""

    score: float
    steps: Alignment

    @property
    def form(self) -> str:
        """What the steps yield."""
        return "".join(target for _, target in self.steps)


class _Partial(NamedTuple):
    """A hypothesis of a part of the source.

    Attributes:
        total: its score.
        base: its score without extra features.
        codes: a boundary, then the code of each step.
        output: what the steps yield; without extra features it is not kept.
    """

    total: float
    base: float
    codes: str
    output: str


Part = tuple[int, int, str]
"""What decides some features of a hypothesis: the place and size of a chunk with the code of its
step, or, of size 0, the codes of a step and of those before it."""


class _Reference(NamedTuple):
    """An aligned pair: its codes, what its steps yield, and its parts."""

    codes: str
    targets: list[str]
    parts: Counter[Part]


BOUNDARY, UNKNOWN = "\0", "\1"
LEFT, RIGHT = "\0", "\2"
FIRST = 3  # number of the first symbol


class Phrasal:
    """A transducer with the steps of aligned pairs.

    A chunk may yield what it yields there. A single symbol that is a chunk nowhere may yield
    nothing or, if it is no tag, itself.

    Symbols and steps are coded as characters, so that a context or a history is a string.

    Args:
        aligned: pairs of the training set.
        sizes: of features.
        extra: finds further features.
        beam: how many hypotheses are kept at each place of a source.
    """

    def __init__(
        self,
        aligned: Iterable[Alignment],
        sizes: Sizes,
        *,
        extra: Extra | None = None,
        beam: int = BEAM,
    ) -> None:
        self._sizes, self._extra, self._beam = sizes, extra, beam
        self._symbols: dict[str, str] = {}
        self._codes: dict[Step, str] = {}
        self._steps: list[Step] = [((), "")]  # by code; the first is the boundary
        self._shapes: dict[tuple[int, int, int], list[tuple[str, int, int]]] = {}
        # The aligned pairs of each source
        self._references: dict[Chunk, list[str]] = {}
        counts: dict[Chunk, Counter[str]] = defaultdict(Counter)
        for steps in aligned:
            source = tuple(symbol for chunk, _ in steps for symbol in chunk)
            for symbol in source:
                self._symbols.setdefault(symbol, chr(FIRST + len(self._symbols)))
            codes = "".join(map(self._code, steps))
            self._references.setdefault(source, []).append(BOUNDARY + codes)
            for step, code in zip(steps, codes, strict=True):
                counts[step[0]][code] += 1
        # The most frequent first, as of equal scores the first is the best
        self._known = {
            chunk: [code for code, _ in codes.most_common()] for chunk, codes in counts.items()
        }
        self._longest = max(map(len, self._known), default=1)
        self._aligned = len(self._steps)
        self.weights: Weights = {}

    def learnt(self) -> str:
        """Return as JSON what `load` needs: the steps that searches have added, and the weights."""
        return json.dumps([self._steps[self._aligned :], self.weights])

    def load(self, learnt: str) -> None:
        """Take what another transducer of the same pairs has learnt, if it has no `extra`.

        Raises:
            ValueError: the text is none of `learnt`.
        """
        steps, weights = TypeAdapter(_Learnt).validate_json(learnt)
        self.weights = cast(Weights, weights)
        for step in steps:
            self._known.setdefault(step[0], []).append(self._code(step))

    def _code(self, step: Step) -> str:
        """Return the code of a step; a new one is added."""
        code = self._codes.get(step)
        if code is None:
            code = self._codes[step] = chr(len(self._steps))
            self._steps.append(step)
        return code

    def _step(self, code: str) -> Step:
        return self._steps[ord(code)]

    def candidates(self, chunk: Chunk) -> list[str]:
        """Return the codes of the steps that a chunk may make."""
        known = self._known.get(chunk)
        if known is None and len(chunk) == 1:
            targets = [""] if is_tag(chunk[0]) else [chunk[0], ""]
            known = self._known[chunk] = [self._code((chunk, target)) for target in targets]
        return known or []

    # Features

    def _encode(self, source: Sequence[str]) -> str:
        return "".join(self._symbols.get(symbol, UNKNOWN) for symbol in source)

    def _ngrams(self, text: str, start: int, size: int) -> list[str]:
        """Return the n-grams around a chunk of a coded source, each after its place."""
        context = self._sizes.context
        left = text[max(start - context, 0) : start]
        right = text[start + size : start + size + context]
        if len(left) < context:
            left = LEFT + left
        if len(right) < context:
            right += RIGHT
        window = left + text[start : start + size] + right
        shape = len(left), size, len(right)
        slices = self._shapes.get(shape)
        if slices is None:
            slices = self._shapes[shape] = [*self._slices(*shape)]
        return [place + window[first:last] for place, first, last in slices]

    def _slices(self, left: int, size: int, right: int) -> Iterator[tuple[str, int, int]]:
        """Yield the place, start and end of each n-gram of a window; places count tokens."""
        ends = [*range(left + 1), *range(left + size, left + size + right + 1)]
        for first in range(left + 1 + right):
            for last in range(first + 1, min(first + self._sizes.ngram, left + 1 + right) + 1):
                yield f"{first - left}:{last - left - 1}:", ends[first], ends[last]

    def _histories(self, codes: str) -> list[str]:
        """Return the stretches of the steps so far that speak for the next one."""
        count = len(codes)
        most = min(self._sizes.joint, count)
        return [
            f"J{i}:{codes[count - i : count - j + 1]}"
            for i in range(1, most + 1)
            for j in range(1, i + 1)
        ]

    def _parts(self, codes: str) -> Counter[Part]:
        """Return what decides the features of a hypothesis: each step, by its place and history.

        Hypotheses share most of their parts, whose features cancel out.
        """
        parts: Counter[Part] = Counter()
        start = 0
        for place in range(1, len(codes)):
            size = len(self._step(codes[place])[0])
            parts[start, size, codes[place]] += 1
            if self._sizes.joint:
                # Wherever it stands
                parts[0, 0, codes[max(place - self._sizes.joint, 0) : place + 1]] += 1
            start += size
        return parts

    def _features(self, text: str, part: Part) -> Iterator[Key]:
        """Yield the features of a part."""
        start, size, codes = part
        code = codes[-1]
        if not size:
            yield from ((history, code) for history in self._histories(codes[:-1]))
            return
        step = self._step(code)
        yield from ((ngram, step[1]) for ngram in self._ngrams(text, start, size))
        if self._sizes.joint:
            yield "J0:", code
        if is_copy(step):
            yield "COPY", ""

    def _extra_features(self, output: str, finished: bool) -> Iterator[Key]:
        if self._extra:
            # In a tuple, no feature of `extra` is one of ours
            yield from (((feature,), "") for feature in self._extra(output, finished))

    def features(self, source: Sequence[str], steps: Alignment) -> Counter[Key]:
        """Return all features of a finished hypothesis, with their counts."""
        text = self._encode(source)
        codes = BOUNDARY + "".join(map(self._code, steps))
        found: Counter[Key] = Counter()
        for part, count in self._parts(codes).items():
            for key in self._features(text, part):
                found[key] += count
        found.update(self._extra_features(self._output(codes), True))
        return found

    def _output(self, codes: str) -> str:
        return "".join(self._step(code)[1] for code in codes[1:])

    # Search

    def nbest(self, source: Sequence[str], count: int) -> list[Hypothesis]:
        """Return the best hypotheses, best first; without a beam, the best of all."""
        return [
            Hypothesis(found.total, [self._step(code) for code in found.codes[1:]])
            for found in self._search(tuple(source), max(count, self._beam))[:count]
        ]

    def _search(self, source: Chunk, beam: int) -> list[_Partial]:
        """Return the best hypotheses of a source, as many as the beam is wide, best first."""
        text = self._encode(source)
        found: list[list[_Partial]] = [[_Partial(0.0, 0.0, BOUNDARY, "")]]
        # By history, what it adds to the scores of steps
        spoken: dict[str, dict[str, float]] = {}
        for end in range(1, len(source) + 1):
            grown: list[tuple[float, float, _Partial, str]] = []
            for size in range(1, min(self._longest, end) + 1):
                options = self._options(text, source[end - size : end], end - size)
                for before in found[end - size] if options else ():
                    history = before.codes[max(len(before.codes) - self._sizes.joint, 0) :]
                    added = spoken.get(history)
                    if added is None:
                        added = spoken[history] = self._spoken(history)
                    base = before.base
                    for local, code in options:
                        score = base + local + added.get(code, 0.0)
                        grown.append((score, score, before, code))
            if self._extra:
                grown = [
                    (base + self._judge(before, code, end == len(source)), base, before, code)
                    for _, base, before, code in grown
                ]
            # The sort is stable: of equal scores the first stay
            grown.sort(key=itemgetter(0), reverse=True)
            found.append(
                [
                    _Partial(total, base, before.codes + code, self._after(before, code))
                    for total, base, before, code in grown[:beam]
                ]
            )
        return found[-1]

    def _options(self, text: str, chunk: Chunk, start: int) -> list[tuple[float, str]]:
        """Return the score and code of each step that a chunk may make, whatever came before."""
        codes = self.candidates(chunk)
        if not codes:
            return []
        weights = self.weights
        scores: dict[str, float] = {}
        for ngram in self._ngrams(text, start, len(chunk)):
            if ngram in weights:
                for target, weight in weights[ngram].items():
                    scores[target] = scores.get(target, 0.0) + weight
        alone = weights.get("J0:", {}) if self._sizes.joint else {}
        copy = weights.get("COPY", {}).get("", 0.0)
        options = []
        for code in codes:
            step = self._step(code)
            score = scores.get(step[1], 0.0) + alone.get(code, 0.0)
            options.append((score + copy if is_copy(step) else score, code))
        return options

    def _spoken(self, codes: str) -> dict[str, float]:
        """Return what the last steps add to the score of each next one."""
        scores: dict[str, float] = {}
        for history in self._histories(codes):
            for code, weight in self.weights.get(history, {}).items():
                scores[code] = scores.get(code, 0.0) + weight
        return scores

    def _judge(self, before: _Partial, code: str, finished: bool) -> float:
        """Return the weight of the extra features of an output, one step on."""
        return sum(
            self.weights.get(feature, {}).get(label, 0.0)
            for feature, label in self._extra_features(self._after(before, code), finished)
        )

    def _after(self, before: _Partial, code: str) -> str:
        return before.output + self._step(code)[1] if self._extra else ""

    # Training

    def train(self, dev: Sequence[Pair] = (), passes: int = PASSES) -> list[float]:
        """Train by margins (MIRA); the weights become the sum of those after each pass.

        The training ends at the first pass with no fewer errors than the one before, which is left
        out of the sum. Errors are edits between the best outputs and the forms of dev or, without
        dev, the sum of what `update` returns.

        Returns:
            the errors of each pass.
        """
        best: Weights = {}
        errors: list[float] = []
        for _ in range(passes):
            missed = sum(map(self.update, self._references))
            summed = _sum(best, self.weights)
            if dev:
                present, self.weights = self.weights, summed
                missed = sum(self._edits(*pair) for pair in dev)
                self.weights = present
            errors.append(missed)
            if len(errors) > 1 and errors[-1] >= errors[-2]:
                break
            best = summed
        self.weights = best
        return errors

    def _edits(self, source: Sequence[str], form: str) -> int:
        return Levenshtein.distance(self.nbest(source, 1)[0].form, form)

    def update(self, source: Chunk) -> float:
        """Give the pairs of a source the margins that they lack, by the smallest change of weights.

        Each of the NBEST hypotheses must score less than the pair most like it, by its loss and 1.

        Returns:
            the loss of the best hypothesis before the change, times its number of steps or the
            pair's, whichever is greater.
        """
        text = self._encode(source)
        of_part = cache(lambda part: [*self._features(text, part)])
        references = [
            _Reference(codes, self._targets(codes), self._parts(codes))
            for codes in self._references[source]
        ]
        rows, sides = [], []
        error = None
        for found in self._search(source, max(NBEST, self._beam))[:NBEST]:
            targets = self._targets(found.codes)
            losses = [loss(targets, each.targets) for each in references]
            lost = min(losses)
            right = references[losses.index(lost)]
            if error is None:
                error = lost * (max(len(found.codes), len(right.codes)) - 1)
            row = self._difference(of_part, right, found.codes)
            rows.append(row)
            sides.append(lost + 1 - self._score(row) if lost else 0.0)
        self._add(smallest_step(rows, sides))
        return error or 0.0

    def _targets(self, codes: str) -> list[str]:
        """Return what steps yield, without those that yield nothing."""
        return [target for target in (self._step(code)[1] for code in codes[1:]) if target]

    def _difference(
        self, of_part: Callable[[Part], list[Key]], right: _Reference, codes: str
    ) -> dict[Key, float]:
        """Return how often each feature is found in a pair, less in another hypothesis.

        Args:
            of_part: returns the features of a part.
        """
        row: dict[Key, float] = {}
        other = self._parts(codes)
        for parts, sign in ((right.parts - other, 1), (other - right.parts, -1)):
            for part, count in parts.items():
                for key in of_part(part):
                    row[key] = row.get(key, 0.0) + sign * count
        if self._extra:
            for each, sign in ((right.codes, 1), (codes, -1)):
                for key in self._extra_features(self._output(each), True):
                    row[key] = row.get(key, 0.0) + sign
        return {key: count for key, count in row.items() if count}

    def _score(self, row: dict[Key, float]) -> float:
        weights = self.weights
        return sum(
            count * weights[feature].get(label, 0.0)
            for (feature, label), count in row.items()
            if feature in weights
        )

    def _add(self, change: dict[Key, float]) -> None:
        for (feature, label), value in change.items():
            labels = self.weights.setdefault(feature, {})
            labels[label] = labels.get(label, 0.0) + value


def _sum(one: Weights, other: Weights) -> Weights:
    """Return the sum of weights."""
    found = {feature: dict(labels) for feature, labels in one.items()}
    for feature, labels in other.items():
        sums = found.setdefault(feature, {})
        for label, weight in labels.items():
            sums[label] = sums.get(label, 0.0) + weight
    return found


def loss(targets: Sequence[str], right: Sequence[str]) -> float:
    """Return the edit distance of two lists of targets, by the length of the longer."""
    return Levenshtein.distance(targets, right) / max(len(targets), len(right), 1)

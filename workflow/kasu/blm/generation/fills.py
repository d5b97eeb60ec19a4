"""Words for the slots of type II (An et al. 2023 §2.1, Figure 11; BLM-6, S-10).

A Request asks for other words at one slot of one sentence. A source of Fills answers it: a lexicon
(here) or a masked language model (`masked_fills`).
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from kasu.blm.generation.spelling import key
from kasu.blm.generation.substitutions import Entry, Lexicon, Pair
from kasu.corpora.texts.tokens import is_alphabetic
from kasu.job.run import seed_of


class Request(NamedTuple):
    """A request for other words in the slot between `before` and `after`.

    Attributes:
        before, after: the sentence left and right of the slot, spelt as in the data.
        slot: one of the slots of `kasu.blm.generation.slots`.
        word: the word in the slot, in the number of this sentence.
        original: the same word in both numbers, as far as known.
        kind: noun, name, matrix_verb or relative_verb.
        number: sg or pl, the form that this sentence needs.
        gender: the gender that a fill must have; empty: any.
        onset: how a fill must begin so that elisions stay right; empty: any.
        group: the lexicon's group of `word`, `<frame>` or `<frame>:<form>`; empty: unknown.
        avoid: the other words of the seed, in lower case.
    """

    before: str
    after: str
    slot: str
    word: str
    original: Pair
    kind: str
    number: str
    gender: str
    onset: str
    group: str
    avoid: frozenset[str]

    def objection(self, entry: Entry) -> str | None:
        """Return why a lexicon entry cannot fill the slot, None if it can; ignores the group."""
        forms = {key(entry.singular), key(entry.plural)}
        if forms & {key(self.word), *map(key, self.original)}:
            return "equal to the original"
        if entry.kind == "noun" and len(forms) == 1:
            return "no paired number form"
        if self.gender and entry.gender and not set(self.gender) & set(entry.gender):
            return "another gender"
        if self.onset and entry.onset != self.onset:
            return "elision broken"
        if forms & self.avoid:
            return "elsewhere in the seed"
        return None


class Fills(Protocol):
    """A source of fills. `rejected` counts the words that it skipped, by reason."""

    rejected: Counter[str]

    def fills(self, requests: Sequence[Request], count: int) -> list[list[Pair]]:
        """Return up to `count` pairs for each request, best first."""
        ...


def judge(word: str, request: Request, lexicon: Lexicon) -> Pair | str:
    """Return the number pair of a proposed word, or the reason to reject it (S-10).

    For models, which propose single forms: the lexicon must list the form in the number and case,
    or form of the verb, required.
    """
    if not is_alphabetic(word):
        return "not alphabetic"
    if key(word) in {key(request.word), *map(key, request.original)}:
        return "equal to the original"
    known = lexicon.find_all(word, request.kind)
    paired = [entry for entry in known if entry.number_of(word) in ("", request.number)]
    if not paired:
        return "no paired number form"
    form = request.group.partition(":")[2]
    fitting = [entry for entry in paired if entry.form == form]
    if not fitting:
        return f"another {'form of the verb' if request.kind.endswith('verb') else 'case'}"
    return request.objection(fitting[0]) or fitting[0].pair


class LexiconFills:
    """Fills drawn from a lexicon, independently for each sentence and alike on every machine.

    An entry qualifies if kind, gender, onset and group agree and it repeats no word of the seed.
    For a word whose group is unknown, since the lexicon lacks it, any frame will do, but only words
    that are marked for no case.

    Attributes:
        rejected: how many entries did not qualify, by reason, counted once per word to replace; and
            how many of these words have no known group.
    """

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self.lexicon, self.seed = lexicon, seed
        self.rejected: Counter[str] = Counter()
        self._pools: dict[tuple, list[Pair]] = {}

    def fills(self, requests: Sequence[Request], count: int) -> list[list[Pair]]:
        """Return up to `count` pairs for each request, drawn at random."""
        return [self._draw(request, count) for request in requests]

    def _draw(self, request: Request, count: int) -> list[Pair]:
        # The pool depends on the word and what a fill must keep, the draw on the sentence
        word = request[3:]
        if word not in self._pools:
            self._pools[word] = self._pool(request)
        draw = random.Random(seed_of(self.seed, request.before, request.after))  # noqa: S311
        pool = self._pools[word]
        return draw.sample(pool, min(count, len(pool)))

    def _pool(self, request: Request) -> list[Pair]:
        """Collect the qualified pairs."""
        pool = []
        another = "frame or form" if request.kind.endswith("verb") else "group or case"
        for entry in self.lexicon.entries:
            if entry.kind != request.kind:
                continue
            if reason := request.objection(entry):
                self.rejected[reason] += 1
            elif entry.group == request.group or not (request.group or entry.form):
                pool.append(entry.pair)
            else:
                self.rejected[f"another {another}"] += 1
        if pool and not request.group:
            self.rejected["group unknown: words of any group"] += 1
        return pool

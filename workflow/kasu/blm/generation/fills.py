"""Words for the slots of type II (An et al. 2023 §2.1, Figure 11; BLM-6, S-10).

A Request asks for other words at one slot of one sentence. Whatever implements Fills answers: the
lexicon, here, or a masked language model.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from kasu.base.run import seed_of
from kasu.blm.generation.spelling import key
from kasu.blm.generation.substitutions import Entry, Lexicon, Pair


class Request(NamedTuple):
    """Other words for the word between `before` and `after`.

    Attributes:
        before, after: the sentence left and right of the slot, as it is spelt in the data.
        slot: one of the slots of `kasu.blm.generation.slots`.
        word: what stands there, in the number of this sentence.
        original: the same word in both numbers, as far as it is known.
        kind: noun, name, matrix_verb or relative_verb.
        number: sg or pl, the form that this sentence wants.
        gender: what the fill must have; empty: any.
        onset: how the fill must begin, so that elisions stay right; empty: any.
        group: the lexicon's class of `word`, `<frame>:<form>` for verbs; empty: unknown.
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
        """Why a known word does not serve, None if it does. Does not look at the group."""
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
    """What proposes fills. `rejected` counts what it passed over, by reason."""

    rejected: Counter[str]

    def fills(self, requests: Sequence[Request], count: int) -> list[list[Pair]]:
        """For each request the `count` best pairs, best first; fewer where there are no more."""
        ...


def judge(word: str, request: Request, lexicon: Lexicon) -> Pair | str:
    """The number pair of a proposed word, or the reason to pass it over (S-10).

    For models, which propose single forms: the lexicon must list the form in the number wanted.
    """
    if not word.isalpha():
        return "not alphabetic"
    if key(word) in {key(request.word), *map(key, request.original)}:
        return "equal to the original"
    known = lexicon.find_all(word, request.kind)
    paired = [entry for entry in known if entry.number_of(word) in ("", request.number)]
    if not paired:
        return "no paired number form"
    form = request.group.partition(":")[2]
    fitting = [entry for entry in paired if entry.group.partition(":")[2] == form]
    if not fitting:
        return "another form of the verb"
    return request.objection(fitting[0]) or fitting[0].pair


class LexiconFills:
    """Fills drawn from a lexicon, each sentence its own: no model, the same on every machine.

    An entry serves where kind, gender and onset agree and no word of the seed is repeated. Those
    of the same group come first; other groups follow for nouns only.

    Attributes:
        rejected: how many entries did not serve, by reason; once for each word to replace.
    """

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self.lexicon, self.seed = lexicon, seed
        self.rejected: Counter[str] = Counter()
        self._pools: dict[tuple, tuple[list[Pair], list[Pair]]] = {}

    def fills(self, requests: Sequence[Request], count: int) -> list[list[Pair]]:
        """The first `count` pairs for each request (fewer where there are no more)."""
        return [self._rank(request, count) for request in requests]

    def _rank(self, request: Request, count: int) -> list[Pair]:
        word = request[3:]  # all but the sentence itself
        if word not in self._pools:
            self._pools[word] = self._pool(request)
        draw = random.Random(seed_of(self.seed, request.before, request.after))  # noqa: S311
        ranked = []
        for pool in self._pools[word]:
            ranked += draw.sample(pool, min(count - len(ranked), len(pool)))
        return ranked

    def _pool(self, request: Request) -> tuple[list[Pair], list[Pair]]:
        """The pairs of the same group, then those of others that serve too."""
        same, other = [], []
        for entry in self.lexicon.entries:
            if entry.kind != request.kind:
                continue
            if reason := request.objection(entry):
                self.rejected[reason] += 1
            elif not request.group or entry.group == request.group:
                same.append(entry.pair)
            elif request.kind == "noun":
                other.append(entry.pair)
            else:
                self.rejected["another frame or form"] += 1
        return same, other

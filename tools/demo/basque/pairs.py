"""Basque minimal pairs in the form of BL2MP: sentences with and without one error, in two orders.

Types: E1 declension (an argument in a wrong case, or without its determiner), E2 verb (an auxiliary
for the wrong number or arguments), E3 order (two words swapped, or the negation missing). Levels:
A one short clause, B a longer one, C two clauses.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from articles import SEED, Article
from grammar import Sentence, decline, decline_name, parse
from lexicon import DEMO, Frame, words
from mistakes import ERRORS, Argument, Clause, Error, auxiliary_first, noun_last, swap
from phrases import QUALITIES, TENSES, NoFit, Phrases

PAIRS = DEMO / "pairs.jsonl"
LEVELS = ("A", "B", "C")
COUNTS = {"E1 declension": (14, 13, 13), "E2 verb": (13, 14, 13), "E3 order": (13, 13, 14)}
# The fewest and the most words of a sentence
_LENGTHS = {"A": (4, 5), "B": (6, 9), "C": (10, 14)}
_SLOTS = {"nor": "A", "nori": "DA", "nork": "EA", "norinork": "EDA"}
_THEMES = sorted({theme for noun in words("noun") for theme in noun.themes})
_TOWNS = tuple(decline_name(place.word, "gel") for place in words("place", of_class="town"))


class Pairer(Phrases):
    """Writes pairs of clauses of a level."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, _THEMES, _TOWNS)
        self.level = "A"

    def argument(self, classes: frozenset[str]) -> Argument:
        """A noun of the theme with the article, an adjective or a determiner."""
        noun = self.noun(classes)
        number = "s" if noun.only_singular else self.rng.choice("sp")
        shape = self.rng.choice(["plain", "plain", "adjective", "determiner"])
        if shape == "adjective" and QUALITIES.keys() & noun.classes:
            return Argument(noun, number, adjective=self.quality(noun))
        if shape == "determiner" and number == "s" and not noun.only_singular:
            return Argument(noun, number, determiner=self.rng.choice(["bat", "bat", "hau"]))
        return Argument(noun, number)

    def clause(self, kind: str, tense: str, number: int = 1) -> Clause:
        """A clause without error; `kind` is a valency, or `not` for a negated nork.

        The two orders swap the arguments (*irakasleak liburua*, *liburua irakasleak*), or the
        subject and a place. The auxiliary stays last, or after *ez*.
        """
        valency = "nork" if kind == "not" else kind
        frame = self.frame(valency, "u" if kind == "not" else "")
        if (valency == "norinork" and not frame.object) or "t" in frame.marks:
            raise NoFit
        nouns = {"E": frame.agent, "D": frame.recipient, "A": frame.object}
        if valency in ("nor", "nori"):
            nouns["A"] = frame.agent
        arguments = {slot: self.argument(nouns[slot]) for slot in _SLOTS[valency]}
        clause = Clause(frame, tense, number, arguments, {}, ((), ()))
        parts = {slot: clause.marked(slot, slot) for slot in arguments}
        aspect = TENSES[tense][0]
        parts |= {"verb": [getattr(frame, aspect)], "aux": clause.auxiliary(**clause.agreement)}
        parts |= {"ez": ["ez"], "time": [], "place": self._place(frame)}
        if self.level == "B":
            parts["time"] = self.adverb(tense).split()
        if kind == "not":
            noun = arguments["A"].noun
            parts["A"] = [f"{decline(noun.word, 'part', '', noun.trill)}~{number}A.part"]
            numbers = clause.agreement | {"A": "s"}
            parts["aux"] = clause.auxiliary(**numbers)
        return replace(clause, parts=parts, orders=self._orders(kind, parts))

    def _place(self, frame: Frame) -> list[str]:
        case = next((c for c in ("ine", "abl", "all") if c in frame.marks), "")
        if case:
            return self.place(case, frame.object).split()
        return self.place("ine").split() if self.level == "B" and "l" in frame.marks else []

    def _orders(self, kind: str, parts: dict[str, list[str]]) -> tuple[tuple[str, ...], ...]:
        opening = ("time",) if parts["time"] else ()
        place = ("place",) if parts["place"] else ()
        if kind == "not":
            first = (*opening, "E", "ez", "aux", *place, "A", "verb")
            return first, swap(first, "E", "A")
        slots = tuple(_SLOTS[kind])
        if kind == "nor":
            orders = [("A", "place"), ("place", "A")]
        else:
            moved = self.rng.choice([slots[::-1], slots[1:] + slots[:1]])
            orders = [(slots[0], *place, *slots[1:]), (moved[0], *place, *moved[1:])]
        return tuple((*opening, *order, "verb", "aux") for order in orders)

    def pair(self, error: Error, kinds: str) -> list[tuple[Sentence, Sentence]]:
        """A good and a bad sentence in each of two orders.

        Raises:
            NoFit: the words drawn do not allow such a clause, error or length.
        """
        rng = self.rng
        self.theme, tense = rng.choice(self.themes), rng.choice(["pres", "past", "perf", "fut"])
        self.used.clear()
        self.habit = tense == "pres"
        # The erroneous clause must open the sentence for `auxiliary_first`, since an auxiliary may
        # follow *eta*, and close it for `noun_last`, whose subject follows the verb
        fixed: dict[Error, int] = {auxiliary_first: 1, noun_last: 2}
        wrong = fixed.get(error, rng.choice([1, 2]))
        wrong = wrong if self.level == "C" else 1
        good = self.clause(rng.choice(kinds.split()), tense, wrong)
        if error is noun_last:
            good = _subject_last(good)
        bad = error(good, rng)
        other = None
        if self.level == "C":
            other = self.clause(rng.choice(list(_SLOTS)), tense, 3 - wrong)
        halves = [[_sentence(half, other, order) for half in (good, bad)] for order in (0, 1)]
        least, most = _LENGTHS[self.level]
        if not least <= len(halves[0][0].text.split()) <= most:
            raise NoFit
        return [(one, two) for one, two in halves]


def _subject_last(clause: Clause) -> Clause:
    """The clause with its subject after the verb in the second order.

    Right after a bare noun it would form a compound with it (*ospitale langileek*).
    """
    order = tuple(part for part in clause.orders[0] if part != "E")
    return replace(clause, orders=(clause.orders[0], (*order, "E")))


def _sentence(clause: Clause, other: Clause | None, order: int) -> Sentence:
    texts = [clause.text(order)] + ([other.text(0)] if other else [])
    if clause.number == 2:
        texts.reverse()
    return parse(" eta ".join(texts) + ".")


@dataclass(frozen=True)
class Pair:
    """A pair in both orders, with its type and level."""

    type: str
    level: str
    good: Sentence
    bad: Sentence
    good_reorder: Sentence
    bad_reorder: Sentence

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The four sentences."""
        return self.good, self.bad, self.good_reorder, self.bad_reorder

    def line(self) -> str:
        """The pair as a line of JSON, with the fields of BL2MP."""
        names = ("sentence_good", "sentence_bad", "sentence_good_reorder", "sentence_bad_reorder")
        texts = dict(zip(names, (sentence.text for sentence in self.sentences), strict=True))
        item = {name: texts[name] for name in names[:2]} | {"type": self.type, "level": self.level}
        return json.dumps(item | {name: texts[name] for name in names[2:]}, ensure_ascii=False)


def write_pairs(articles: list[Article]) -> Iterator[Pair]:
    """Yield all pairs by type and level; no sentence occurs in an article or another pair."""
    seen = {sentence.text for article in articles for sentence in article.sentences()}
    writer = Pairer(random.Random(SEED + 1))
    for type_, counts in COUNTS.items():
        for writer.level, count in zip(LEVELS, counts, strict=True):
            written = 0
            while written < count:
                errors = ERRORS[type_]
                try:
                    (good, bad), (moved, wrong) = writer.pair(*errors[written % len(errors)])
                except NoFit:
                    continue
                pair = Pair(type_, writer.level, good, bad, moved, wrong)
                texts = {sentence.text for sentence in pair.sentences}
                if len(texts) == 4 and not texts & seen:
                    seen |= texts
                    written += 1
                    yield pair

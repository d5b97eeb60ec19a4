"""Marked noun phrases and verb groups with the words of a theme."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from grammar import decline, finite, subordinate
from lexicon import FRAMES, Frame, Word, words

NUMERALS = ("bi", "hiru", "lau", "bost", "sei", "hamar", "hainbat", "zenbait")
PLACES = frozenset({"institution", "square", "eatery", "harbour", "park", "house"})
# The form of the participle and the tense of the auxiliary
TENSES = {
    "pres": ("habitual", "pres"),
    "habitual": ("habitual", "past"),
    "past": ("participle", "past"),
    "perf": ("participle", "pres"),
    "fut": ("future", "pres"),
}
# The class of adjectives that fit a class of nouns
QUALITIES = {
    "person": "person", "group": "group", "animal": "animal", "food": "food", "drink": "food",
    "crop": "crop", "text": "text", "song": "text", "film": "text", "building": "building",
    "institution": "building", "landscape": "place", "park": "place", "square": "place",
    "field": "place", "road": "road", "ware": "thing", "shoe": "thing", "vehicle": "machine",
    "machine": "machine", "tool": "thing", "instrument": "thing", "picture": "picture",
    "event": "event", "show": "event", "medicine": "medicine",
}  # fmt: skip


class NoFit(Exception):
    """No frame or word of the theme fits."""


@cache
def nouns_of(theme: str, classes: frozenset[str]) -> list[Word]:
    """The nouns of a theme in one of the classes."""
    return [w for w in words("noun") if theme in w.themes and w.classes & classes]


@dataclass(frozen=True)
class Phrase:
    """A marked noun phrase, the number that the verb shows for it, and its noun."""

    text: str
    number: str
    word: Word


Slot = Phrase | tuple[str, str]  # how a slot is filled, or its number and why it is empty


def mark_of(number: str) -> str:
    """The mark of a head with the article, by number."""
    return {"s": "sg", "p": "pl"}[number]


class Phrases:
    """Chooses words and builds phrases for one subject.

    `themes` limit the words; `origins` are genitives that link people to the place (*Arbietako*);
    `focus` is a word to prefer as object.
    """

    def __init__(
        self,
        rng: random.Random,
        themes: Sequence[str],
        origins: Sequence[str],
        focus: str = "",
    ) -> None:
        self.rng, self.themes, self.origins, self.focus = rng, themes, origins, focus
        self.theme, self.habit = themes[0], False
        self.used: list[Word] = []

    # Words

    def nouns(self, classes: frozenset[str]) -> list[Word]:
        """The nouns of the theme in one of the classes."""
        return nouns_of(self.theme, classes)

    def noun(self, classes: frozenset[str]) -> Word:
        """A noun of the theme in one of the classes, new to the sentence, preferably the focus."""
        fitting = [word for word in self.nouns(classes) if word not in self.used]
        if not fitting:
            raise NoFit
        if self.focus and self.rng.random() < 0.6:
            fitting = [word for word in fitting if word.word == self.focus] or fitting
        self.used.append(self.rng.choice(fitting))
        return self.used[-1]

    def frame(self, valency: str, marks: str = "", takes: Word | None = None) -> Frame:
        """A frame of the valency whose roles the theme can fill; `takes` must fit as object."""
        fitting = [
            frame
            for frame in FRAMES
            if frame.valency == valency
            and set(marks) <= frame.marks
            and not (self.habit and "e" in frame.marks)
            and (not takes or takes.classes & frame.object)
            and all(
                not classes or self.nouns(classes)
                for classes in (frame.agent, frame.object, frame.recipient)
            )
        ]
        if not fitting:
            raise NoFit
        if self.focus and not takes and self.rng.random() < 0.5:
            about = [f for f in fitting if any(w.word == self.focus for w in self.nouns(f.object))]
            fitting = about or fitting
        return self.rng.choice(fitting)

    def adverb(self, tense: str) -> str:
        """An adverbial of time for the tense."""
        return self.rng.choice(words("adverb", of_class=tense)).word

    def quality(self, word: Word) -> Word:
        """An adjective that fits the word."""
        kinds = {QUALITIES[name] for name in word.classes if name in QUALITIES}
        fitting = [w for w in words("adjective") if w.classes & kinds]
        if not fitting:
            raise NoFit
        return self.rng.choice(fitting)

    # Phrases

    def phrase(self, word: Word, slot: str, clause: int = 1, number: str = "") -> Phrase:
        """A noun phrase: with the article, an adjective, a numeral, *bat* or a demonstrative."""
        rng, mark = self.rng, f"~{clause}{slot}."
        origin = ""
        if {"person", "group"} & word.classes and slot != "D" and rng.random() < 0.3:
            origin = rng.choice(self.origins) + " "
        number = "s" if word.only_singular else number or rng.choice("sssppp")
        shape = "plain" if word.only_singular else rng.choices(
            ["plain", "adjective", "numeral", "bat", "this"], [62, 15, 9, 9, 5]
        )[0]  # fmt: skip
        if shape == "numeral" and number == "p":
            form = decline(word.word, slot, "", word.trill)
            return Phrase(f"{origin}{rng.choice(NUMERALS)} {form}{mark}ind", "p", word)
        if shape == "bat" and number == "s":
            form = decline("bat", slot, "")
            return Phrase(f"{origin}{word.word} {form}{mark}sg", "s", word)
        if shape == "this":
            forms = {"A": "hau hauek", "E": "honek hauek", "D": "honi hauei"}[slot].split()
            text = f"{word.word} {forms[number == 'p']}{mark}{mark_of(number)}"
            return Phrase(text, number, word)
        last, before = word, ""
        if shape == "adjective":
            last, before = self.quality(word), word.word + " "
        form = decline(last.word, slot, number, last.trill)
        return Phrase(f"{origin}{before}{form}{mark}{mark_of(number)}", number, word)

    def place(self, case: str, classes: frozenset[str] = PLACES) -> str:
        """A place of the theme in a local case, sometimes with its location."""
        word = self.noun(classes)
        origin = self.rng.choice(["", "", self.rng.choice(self.origins) + " "])
        return origin + decline(word.word, case, "s", word.trill)

    # Simple clauses

    def verb(self, frame: Frame, tense: str, clause: int = 1, link: str = "", **slots: Slot) -> str:
        """The marked verb group; a slot is a Phrase, or (number, reason) if no word fills it."""
        aspect, time = TENSES[tense]
        numbers = {s: v.number if isinstance(v, Phrase) else v[0] for s, v in slots.items()}
        dropped = "".join(
            f",{slot}.{value[0]}:{value[1]}"
            for slot, value in slots.items()
            if not isinstance(value, Phrase)
        )
        form = finite(time, **numbers)
        form = subordinate(form, link) if link else form
        return f"{getattr(frame, aspect)} {form}~{clause}V{dropped}"

    def adjuncts(self, frame: Frame, tense: str) -> tuple[str, str]:
        """A time and a place, either of them possibly empty."""
        time = self.adverb(tense) if self.rng.random() < 0.45 else ""
        place = ""
        if "l" in frame.marks and self.rng.random() < 0.35:
            place = self.place("ine")
        return time, place

    def order(self, time: str, place: str, subject: str, objects: str, verb: str) -> str:
        """The parts of a clause in one of the usual orders."""
        orders = {
            (time, subject, place, objects, verb): 9,
            (subject, time, place, objects, verb): 4,
            (time, place, objects, subject, verb): 3,
            (time, subject, place, verb, objects): 3,
            (place, time, subject, objects, verb): 2,
        }
        parts = self.rng.choices(list(orders), list(orders.values()))[0]
        return " ".join(filter(None, parts))

    def agent(self, frame: Frame, clause: int = 1) -> Phrase:
        """An ergative subject of the frame."""
        return self.phrase(self.noun(frame.agent), "E", clause)

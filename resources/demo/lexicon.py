"""The demo's words: lexicon.tsv (nouns, adjectives, adverbials, names) and verbs.tsv (frames)."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Word:
    """An entry of lexicon.tsv. Flags: r (the final r doubles), m (mass noun), u (one of a kind)."""

    word: str
    kind: str
    flags: str
    classes: frozenset[str]
    themes: frozenset[str]

    @property
    def trill(self) -> bool:
        """Whether the final r is doubled before a vowel."""
        return "r" in self.flags

    @property
    def only_singular(self) -> bool:
        """Whether the word is used in the singular alone."""
        return bool(set("mu") & set(self.flags))


@dataclass(frozen=True)
class Frame:
    """A line of verbs.tsv: a verb with the classes of its arguments.

    Valency: nor (absolutive), nori (absolutive, dative), nork (ergative, absolutive), norinork (all
    three). `agent` is the absolutive of nor and nori, else the ergative. Marks: o (its object
    comes to be or to hand), u (does something with an object that is there), w (done because the
    object is good), l (takes a place), p (said without an agent), i (said of people in general),
    s (announced), e (happens once), t (sets a time), and for motion and rest the case of the place:
    ine, abl, all, whose classes then stand under `object`.
    """

    participle: str
    habitual: str
    future: str
    valency: str
    agent: frozenset[str]
    object: frozenset[str]
    recipient: frozenset[str]
    marks: frozenset[str]


def _rows(name: str) -> list[dict[str, str]]:
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


def _set(cell: str) -> frozenset[str]:
    return frozenset(filter(None, cell.split(",")))


WORDS = [
    Word(row["word"], row["kind"], row["flags"], _set(row["classes"]), _set(row["themes"]))
    for row in _rows("lexicon.tsv")
]
FRAMES = [
    Frame(
        row["participle"], row["habitual"], row["future"], row["valency"],
        *(_set(row[key]) for key in ("agent", "object", "recipient", "marks")),
    )
    for row in _rows("verbs.tsv")
]  # fmt: skip


@cache
def words(kind: str, of: str = "") -> list[Word]:
    """The words of a kind, or those of its class `of`."""
    return [word for word in WORDS if word.kind == kind and (not of or of in word.classes)]

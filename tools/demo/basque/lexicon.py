"""The demo's words: lexicon.tsv (nouns, adjectives, adverbials, names) and verbs.tsv (frames)."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEMO = HERE.parents[2] / "resources" / "demo"


@dataclass(frozen=True)
class Word:
    """An entry of lexicon.tsv.

    Flags: r (the final r doubles before a vowel), m (mass noun), u (unique).
    """

    word: str
    kind: str
    flags: str
    classes: frozenset[str]
    themes: frozenset[str]

    @property
    def trill(self) -> bool:
        """Whether the final r doubles before a vowel."""
        return "r" in self.flags

    @property
    def only_singular(self) -> bool:
        """Whether the word is used only in the singular."""
        return bool(set("mu") & set(self.flags))


@dataclass(frozen=True)
class Frame:
    """A line of verbs.tsv: a verb with the classes of its arguments.

    Valency: nor (absolutive), nori (absolutive, dative), nork (ergative, absolutive), norinork (all
    three). `agent` is the absolutive of nor and nori, else the ergative.

    Marks: o (creates or obtains its object), u (uses an existing object), w (done because the
    object is good), l (can have a place), p (can be passive), i (can be impersonal), s (can be
    announced), e (happens once), t (marks a time). Verbs of motion and rest have the case of the
    place as mark (ine, abl, all) and its classes as `object`.
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
def words(kind: str, of_class: str = "") -> list[Word]:
    """The words of a kind, or only those of a class."""
    return [w for w in WORDS if w.kind == kind and (not of_class or of_class in w.classes)]

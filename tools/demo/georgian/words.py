"""The words of the Georgian demo, read from the tables in this folder, and the forms of its nouns.

Classes are plain names (`human`, `thing`, `field`, …): a use of a verb lists those of its subject
and object, so that sentences make sense.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENDINGS = {"Nom": "ი", "Erg": "მა", "Dat": "ს", "Gen": "ის"}


@dataclass(frozen=True)
class Noun:
    """A line of nouns.tsv.

    oblique: the stem without its last vowel, if the genitive and the plural drop it.
    plural: whether the demo uses its plural.
    """

    lemma: str
    oblique: str
    plural: bool
    classes: frozenset[str]

    @property
    def animacy(self) -> str:
        """The value of the feature Animacy."""
        return "Anim" if self.classes & {"human", "animal"} else "Inan"

    def form(self, case: str, number: str) -> str:
        """Its form in a case (Nom, Erg, Dat, Gen) and a number (Sing, Plur)."""
        stem = self.lemma.removesuffix("ი")
        consonant = stem != self.lemma
        short = self.oblique or (stem.removesuffix("ა"))
        if number == "Plur":
            return f"{short}ებ{ENDINGS[case]}"
        if case == "Nom":
            return self.lemma
        if case == "Gen":
            return (short if consonant else self.lemma[:-1]) + ENDINGS[case]
        return stem + (ENDINGS[case] if consonant else ENDINGS[case][0])


@dataclass(frozen=True)
class Verb:
    """A line of verbs.tsv: a finite form with its frame and features.

    treebank: the treebank that attests this form in this frame; GLC has exactly these features,
        GNC lacks Aspect, Subcat and Voice.
    repeats: "no" for a state or a single event, which excludes adverbs of frequency.
    """

    form: str
    lemma: str
    frame: str
    features: str
    treebank: str
    repeats: str

    def feature(self, name: str) -> str:
        """The value of a feature that the verb has."""
        return dict(part.split("=") for part in self.features.split("|"))[name]


@dataclass(frozen=True)
class Use:
    """A line of uses.tsv: a verb with the classes of its subject, object and place.

    needs_place: whether it makes little sense without a place.
    """

    verb: Verb
    subjects: frozenset[str]
    objects: frozenset[str]
    places: frozenset[str]
    needs_place: bool


@dataclass(frozen=True)
class Pronoun:
    """A line of pronouns.tsv: a personal pronoun of the third person in one case."""

    form: str
    lemma: str
    case: str
    number: str


@dataclass(frozen=True)
class Adjective:
    """A line of adjectives.tsv: attributive singular forms by case, and the nouns it suits."""

    lemma: str
    forms: dict[str, str]
    nouns: frozenset[str]


@dataclass(frozen=True)
class Adverb:
    """A line of adverbs.tsv, with the tenses that it suits; `repeats` if it is of frequency."""

    form: str
    features: str
    tenses: frozenset[str]
    repeats: bool

    def suits(self, verb: Verb) -> bool:
        """Whether it can modify this verb."""
        return verb.feature("Tense") in self.tenses and not (self.repeats and verb.repeats == "no")


@dataclass(frozen=True)
class Place:
    """A line of places.tsv: a noun, and the postposition that is written together with it."""

    form: str
    lemma: str
    postposition: str
    classes: frozenset[str]


def _rows(name: str) -> list[dict[str, str]]:
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


def _set(cell: str) -> frozenset[str]:
    return frozenset(filter(None, cell.split(",")))


NOUNS = [
    Noun(row["lemma"], row["oblique"], row["plural"] == "yes", _set(row["classes"]))
    for row in _rows("nouns.tsv")
]
VERBS = {row["form"]: Verb(**row) for row in _rows("verbs.tsv")}
USES = [
    Use(
        VERBS[row["verb"]],
        *(_set(row[key]) for key in ("subjects", "objects", "places")),
        row["needs_place"] == "yes",
    )
    for row in _rows("uses.tsv")
]
PRONOUNS = [Pronoun(**row) for row in _rows("pronouns.tsv")]
ADJECTIVES = [
    Adjective(row["lemma"], {c: row[c] for c in ("Nom", "Dat", "Erg")}, _set(row["nouns"]))
    for row in _rows("adjectives.tsv")
]
ADVERBS = [
    Adverb(row["form"], row["features"], _set(row["tenses"]), row["repeats"] == "yes")
    for row in _rows("adverbs.tsv")
]
PLACES = [
    Place(row["form"], row["lemma"], row["postposition"], _set(row["classes"]))
    for row in _rows("places.tsv")
]


@cache
def nouns(classes: frozenset[str], plural: bool = False) -> tuple[Noun, ...]:
    """The nouns in any of these classes; with `plural`, those whose plural is used."""
    return tuple(n for n in NOUNS if n.classes & classes and (n.plural or not plural))

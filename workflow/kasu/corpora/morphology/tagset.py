"""The meaning of an analyser's tags: finite verbs, agreement slots, nuclear suffixes."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from streamparser import SReading
from typing_extensions import TypedDict

from kasu.base.errors import KasuError
from kasu.files.maps import read_map

ALL_SLOTS = ("ergative", "absolutive", "dative", "subject")
"""The arguments that a verb of any language may agree with; a dataset has columns for those of its
own."""
NUMBERS = ("singular", "plural")


class Article(TypedDict):
    """How the article is tagged."""

    lemma: str
    tag: str


@dataclass(frozen=True, eq=False)  # hashed by identity, for caches
class Tagset:
    """The tags of one analyser, read from `resources/tagsets/<name>.yaml`.

    Attributes:
        finite: tag of a finite verb (BASQUE-3).
        slots: for each agreement slot, the number that each of its tags stands for.
        polite: slot tags whose number is a matter of definition (*zu*, BASQUE-7).
        third_plural: slot tags of the third person plural (BASQUE-19).
        familiar, allocutive: tags of readings avoided when one is chosen (BASQUE-4).
        auxiliaries: texts of the readings preferred when one is chosen (BASQUE-4, released).
        nominal: parts of speech that can carry a nuclear suffix (BASQUE-2).
        article: lemma and tag of the article.
        suffixes: for each nuclear suffix, its pairs of article number and case postposition.

    For a treebank the tags are UD features (`Number[erg]=Sing`) and parts of speech, or several
    joined by `|`. A word is a finite verb if it has `finite` or fills a slot.
    """

    finite: str
    slots: dict[str, dict[str, str]]
    polite: list[str]
    third_plural: list[str]
    familiar: list[str]
    allocutive: list[str]
    auxiliaries: list[str]
    nominal: list[str]
    article: Article
    suffixes: dict[str, list[tuple[str, str]]]

    def slot_tags(self, tags: list[str]) -> dict[str, str | None]:
        """Return the tag in each agreement slot of a finite verb; None for an unmarked slot."""
        return {
            slot: next((tag for tag in tags if tag in numbers), None)
            for slot, numbers in self.slots.items()
        }

    def marks(self) -> dict[str, list[str]]:
        """Return what a reading can show, by column of an analysis."""
        slots = {slot: list(numbers) for slot, numbers in self.slots.items()}
        return {"pos": [self.finite], **slots, "suffix": list(self.suffixes)}

    def nuclear_suffix(self, reading: list[SReading]) -> str | None:
        """Return the nuclear suffix of a reading, or None (BASQUE-2)."""
        if not reading[0].tags or reading[0].tags[0] not in self.nominal:
            return None
        at = max((i for i, part in enumerate(reading) if self._is_article(part)), default=None)
        if at is None:
            return None
        case = "+".join(part.baseform for part in reading[at + 1 :])
        for suffix, marks in self.suffixes.items():
            if any(number in reading[at].tags and case == post for number, post in marks):
                return suffix
        return None

    def marked_slots(self, tags: list[str]) -> dict[str, str | None]:
        """Return the mark in each agreement slot of a treebank's word; None for an unmarked slot.

        Of the marks that fit, the first counts.
        """
        return {
            slot: next((mark for mark in marks if self.fits(mark, tags)), None)
            for slot, marks in self.slots.items()
        }

    @staticmethod
    def fits(mark: str, tags: list[str]) -> bool:
        """Return whether a treebank's word has a mark: a tag, or all of several joined by `|`."""
        return set(mark.split("|")) <= set(tags)

    def marked_suffix(self, surface: str, tags: list[str]) -> tuple[str | None, str]:
        """Return the nuclear suffix of a treebank's word, and its parts as an analyser writes them.

        Its features name the article, the number and the case. Pronouns and names may have the
        same features and another ending (*hark*, *Mikelek*): they have a case and no article.
        """
        if not set(self.nominal) & set(tags):
            return None, ""
        cases = dict.fromkeys(case for marks in self.suffixes.values() for _, case in marks)
        case = next((each for each in cases if each in tags), None)
        if case is None:
            return None, ""
        if self.article["tag"] in tags:
            for suffix, marks in self.suffixes.items():
                ends = surface.casefold().endswith(suffix.strip("-"))
                if ends and any(number in tags and case == each for number, each in marks):
                    return suffix, f"+{self.article['lemma']}<{self.article['tag']}>+{case}<case>"
        return None, f"+{case}<case>"

    def _is_article(self, part: SReading) -> bool:
        return part.baseform == self.article["lemma"] and self.article["tag"] in part.tags


def read_tagset(path: str | Path) -> Tagset:
    """Read a tagset file.

    Raises:
        KasuError: as `read_map`; a key is missing or unknown, its value is of the wrong kind, or a
            slot is none of ALL_SLOTS or its number none of NUMBERS.
    """
    values = read_map(path, as_text=True)
    keys = set(Tagset.__dataclass_fields__)
    if wrong := sorted(set(values) ^ keys):
        state = "missing" if wrong[0] in keys else "unknown"
        raise KasuError(path, f"key {wrong[0]!r} {state}", ", ".join(sorted(keys)))
    try:
        tagset = TypeAdapter(Tagset).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        expected = first["msg"].removeprefix("Input should be ")
        raise KasuError(f"{path}, {where}", str(first["input"])[:60], expected) from error
    _check_slots(tagset, path)
    return tagset


def _check_slots(tagset: Tagset, path: str | Path) -> None:
    for slot, marks in tagset.slots.items():
        if slot not in ALL_SLOTS:
            raise KasuError(f"{path}, slots", repr(slot), f"some of {', '.join(ALL_SLOTS)}")
        for mark, number in marks.items():
            if number not in NUMBERS:
                found = f"{number!r} of {mark}"
                raise KasuError(f"{path}, slots.{slot}", found, " or ".join(NUMBERS))

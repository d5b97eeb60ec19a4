"""What the readings of a lexical unit say: its lemma, verb number and nuclear suffix."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kasu.agreement.data.tasks import LICENSED, MASKED, NO_SUFFIX, SUFFIXES
from kasu.corpora.morphology.stream import read_parts
from kasu.corpora.morphology.tagset import ALL_SLOTS, Tagset


class Reading(NamedTuple):
    """One reading of a lexical unit: a row of the analysis.

    Attributes:
        text: the whole reading; None if the analyser does not know the word.
        suffix: nuclear suffix, None without an article.
        slots: the tag of each of ALL_SLOTS, None where the verb does not mark it.
    """

    lemma: str
    pos: str | None
    text: str | None
    suffix: str | None
    slots: tuple[str | None, ...]


class Unit(NamedTuple):
    """A lexical unit and its readings, in the analyser's order."""

    surface: str
    readings: list[Reading]


def is_finite(reading: Reading, tagset: Tagset) -> bool:
    """Return whether a reading is a finite synthetic verb or auxiliary (BASQUE-3)."""
    return reading.pos == tagset.finite


def shows_number(reading: Reading, tagset: Tagset) -> bool:
    """Return whether a reading is a finite verb that marks the number of an argument."""
    return is_finite(reading, tagset) and any(reading.slots)


def choose_reading(unit: Unit, variant: str, tagset: Tagset) -> Reading:
    """Choose the reading that represents a unit (BASQUE-4).

    `paper` takes the first reading without familiar person or allocutive. `released` does what the
    authors' script does: if the unit mentions an auxiliary, in its form or in any part of any
    reading, the first reading that mentions one and has neither familiar person nor allocutive;
    else the first reading without allocutive. Both fall back on the first reading.
    """
    unwanted = tagset.familiar + tagset.allocutive
    texts = [unit.surface, *(_text(reading) for reading in unit.readings)]
    if variant == "paper":
        fitting = [reading for reading in unit.readings if not _has(reading, unwanted)]
    elif any(_mentions_auxiliary(text, tagset) for text in texts):
        fitting = [
            reading
            for reading in unit.readings
            if _mentions_auxiliary(_text(reading), tagset) and not _has(reading, unwanted)
        ]
    else:
        fitting = [reading for reading in unit.readings if not _has(reading, tagset.allocutive)]
    return fitting[0] if fitting else unit.readings[0]


def _text(reading: Reading) -> str:
    return reading.text or ""


def _has(reading: Reading, tags: Sequence[str]) -> bool:
    return any(f"<{tag}>" in _text(reading) for tag in tags)


def _mentions_auxiliary(text: str, tagset: Tagset) -> bool:
    return any(lemma in text for lemma in tagset.auxiliaries)


def slots_of(tagset: Tagset) -> list[str]:
    """Return the slots of a tagset that are labelled, in the order of ALL_SLOTS."""
    return [slot for slot in ALL_SLOTS if slot in tagset.slots]


def slot_tag(reading: Reading, slot: str) -> str | None:
    """Return the tag of a slot, None where the reading does not mark it."""
    return reading.slots[ALL_SLOTS.index(slot)]


def label_slots(reading: Reading, tagset: Tagset, polite: str) -> dict[str, str]:
    """Label each slot of a verb: singular, plural or none (BASQUE-7).

    A reading that is not finite has no slots.

    Args:
        polite: the number that the polite second person counts as, singular or plural.
    """
    labels = {}
    for slot in slots_of(tagset):
        tag = slot_tag(reading, slot)
        number = tagset.slots[slot].get(tag, "none") if tag else "none"
        labels[slot] = polite if tag in tagset.polite else number
    return labels


def licensed_suffixes(labels: Mapping[str, str]) -> list[str]:
    """Return the nuclear suffixes that the arguments of a verb can have (BASQUE-20).

    Args:
        labels: from `label_slots`.
    """
    found = {
        suffix
        for slot, numbers in LICENSED.items()
        for suffix, number in numbers.items()
        if labels.get(slot) == number
    }
    return [suffix for suffix in SUFFIXES if suffix in found]


def nuclear_suffix(
    unit: Unit, tagset: Tagset, suffix_reading: str, suffix_source: str = "analysis"
) -> str:
    """Classify the suffix of a unit: -a, -ak, -ek, -ari, -ei, none or masked (BASQUE-8, S-2, S-3).

    A word is masked if the analyser does not know it and it ends in one of the suffixes. A final
    -a is not a suffix if the lemma of some reading ends in it (*uda*).

    Args:
        suffix_reading: `any`: the first reading with an article decides; `first`: the first
            reading does.
        suffix_source: `analysis`: the readings decide; `surface`: the ending does, and the readings
            only about -a.
    """
    # By the surface, any ending but -a decides alone
    if suffix_source == "surface":
        ending = _ending(unit.surface, [each for each in tagset.suffixes if each != "-a"])
        if ending:
            return ending
    if unit.readings[0].text is None:
        ends = tuple(suffix.strip("-") for suffix in tagset.suffixes)
        return MASKED if unit.surface.casefold().endswith(ends) else NO_SUFFIX
    readings = unit.readings[:1] if suffix_reading == "first" else unit.readings
    suffix = next((reading.suffix for reading in readings if reading.suffix), NO_SUFFIX)
    if suffix == "-a" and any(reading.lemma.endswith("a") for reading in unit.readings):
        return NO_SUFFIX
    # The ending has decided already on all suffixes but -a
    return NO_SUFFIX if suffix_source == "surface" and suffix != "-a" else suffix


def _ending(surface: str, suffixes: Iterable[str]) -> str | None:
    """Return the longest of the suffixes that a word shows after a stem; None if it shows none."""
    for suffix in sorted(suffixes, key=len, reverse=True):
        stem = surface.casefold().removesuffix(suffix.strip("-"))
        if stem and stem != surface.casefold():
            return suffix
    return None


def strip_suffix(unit: Unit, suffix: str, tagset: Tagset, strip_bare: bool) -> str:
    """Remove the nuclear suffix of a unit (T-strip); what is left of *neskak* is *neska*.

    Args:
        suffix: from `nuclear_suffix`. A masked unit loses the ending that it shows.
        strip_bare: whether a noun or name with case and no article (*batek*) becomes its lemma.
    """
    surface, lemma = unit.surface, unit.readings[0].lemma
    if suffix == NO_SUFFIX:
        bare = strip_bare and _is_bare(unit.readings[0], tagset)
        return _as_capital(lemma, surface) if bare else surface
    if suffix != MASKED:
        with_it = (reading.lemma for reading in unit.readings if reading.suffix == suffix)
        lemma = next(with_it, lemma)
    ending = _ending(surface, tagset.suffixes if suffix == MASKED else [suffix])
    if ending is None:
        return _as_capital(lemma, surface) if suffix != MASKED else surface
    stem = surface[: -len(ending.strip("-"))]
    if suffix == MASKED:
        return stem
    # A final a of the lemma merges with the suffix, and a final r is doubled before it
    merged = (stem, stem + "a", stem.removesuffix("r"))
    return next((each for each in merged if each.casefold() == lemma.casefold()), stem)


def _is_bare(reading: Reading, tagset: Tagset) -> bool:
    """Return whether a nominal has a nuclear case without an article (S-4).

    Nominals are nouns, names, pronouns and numerals.
    """
    if reading.pos not in tagset.nominal or reading.text is None or "+" not in reading.text:
        return False
    _, *lemmas = (part.baseform for part in read_parts(reading.text))
    cases = {case for marks in tagset.suffixes.values() for _, case in marks if case}
    return bool(lemmas) and lemmas[-1] in cases and tagset.article["lemma"] not in lemmas


def _as_capital(lemma: str, surface: str) -> str:
    return lemma[:1].upper() + lemma[1:] if surface[:1].isupper() else lemma


def finite_units(units: Sequence[Unit], tagset: Tagset) -> list[int]:
    """Find the positions of units with a finite reading, chosen or not (BASQUE-5)."""
    return [
        at
        for at, unit in enumerate(units)
        if any(is_finite(reading, tagset) for reading in unit.readings)
    ]

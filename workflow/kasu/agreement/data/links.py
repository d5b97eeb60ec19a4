"""Words linked to one of the two verbs of their sentence (BASQUE-20).

Ravfogel et al. (2018 §7.1) take sentences of two verbs in which words can be linked to a verb
without a parser; they do not say how. Here a word is linked to a verb if that verb licenses its
suffix and the other one does not: an ergative in *-ek* never belongs to *da*. The closest verb is
the one with fewer words in between. A word that is equally far from both is left out.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from kasu.files.tables import read_parquet


class Verbs(NamedTuple):
    """The two verbs of a sentence.

    Attributes:
        forms: the form of each, in small letters.
        places: the position of each.
        linked: suffix -> position of the only verb that licenses it.
    """

    forms: tuple[str, str]
    places: tuple[int, int]
    linked: Mapping[str, int]

    def is_closest(self, suffix: str, at: int) -> bool | None:
        """Return whether the verb linked to a word is the closer one.

        None if no verb is linked to the word, or if both are equally close.

        Args:
            suffix: of the word, as it is or as it is predicted.
            at: the position of the word.
        """
        one, other = (abs(place - at) for place in self.places)
        if suffix not in self.linked or one == other:
            return None
        return self.linked[suffix] == self.places[int(other < one)]


# One row per word whose own suffix links it to one of two verbs. `forms` are the forms of both
# verbs; `closest` is whether the linked verb is the closer one
LINKS = pa.schema(
    [
        ("item_id", pa.string()),
        ("position", pa.int32()),
        ("forms", pa.list_(pa.string())),
        ("closest", pa.bool_()),
    ]
)


def find_verbs(tokens: list[str], finite: list[bool], licensed: list[str]) -> Verbs | None:
    """Find the verbs of a sentence that has exactly two, both verbs in their chosen readings too.

    None for any other sentence.

    Args:
        licensed: of each unit, the suffixes that it licenses as a verb, joined by spaces.
    """
    places = [at for at, verb in enumerate(finite) if verb]
    # A verb licenses something: it marks an absolutive
    if len(places) != 2 or not all(licensed[at] for at in places):
        return None
    one, other = places
    suffixes = [set(licensed[at].split()) for at in places]
    # A suffix that both license, or neither, links no word
    linked = {
        suffix: one if suffix in suffixes[0] else other for suffix in suffixes[0] ^ suffixes[1]
    }
    return Verbs((tokens[one].casefold(), tokens[other].casefold()), (one, other), linked)


def read_verbs(dataset: str | Path, variant: str) -> dict[str, Verbs]:
    """Read the verbs of each sentence that has two, by item_id."""
    return {item_id: verbs for item_id, verbs, _ in _read(dataset, variant)}


def linked_words(dataset: str | Path, variant: str) -> pa.Table:
    """Read the words that their own suffix links to a verb (LINKS), in the order of the dataset."""
    rows = [
        {"item_id": item_id, "position": at, "forms": verbs.forms, "closest": closest}
        for item_id, verbs, suffixes in _read(dataset, variant)
        for at, suffix in enumerate(suffixes)
        if (closest := verbs.is_closest(suffix, at)) is not None
    ]
    return pa.Table.from_pylist(rows, LINKS)


def _read(dataset: str | Path, variant: str) -> Iterator[tuple[str, Verbs, list[str]]]:
    """Yield id, verbs and suffixes of each sentence of two verbs."""
    columns = ["item_id", "suffixes", "tokens", "finite", "licensed"]
    items = read_parquet(dataset, columns, [("variant", "==", variant)])
    for item_id, suffixes, *sentence in zip(
        *(items[name].to_pylist() for name in columns), strict=True
    ):
        if (found := find_verbs(*sentence)) is not None:
            yield item_id, found, suffixes

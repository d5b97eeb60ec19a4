"""A substitution lexicon: number pairs with gender and beginning (BLM-6, S-10).

It is also what tells Kasu of a language which words are determiners, and so on: no word of any
language stands in the code.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.tables import read_tsv
from kasu.blm.generation.spelling import key

COLUMNS = ("kind", "singular", "plural", "gender", "onset", "group")
FILLED = ("noun", "name", "matrix_verb", "relative_verb")
KINDS = (*FILLED, "determiner", "function")


class Pair(NamedTuple):
    """A word in both numbers."""

    singular: str
    plural: str


class Entry(NamedTuple):
    """A row of a lexicon.

    Attributes:
        kind: one of KINDS; a function word is neither subject nor verb.
        singular, plural: the number pair; equal where the form does not show number (names,
            participles, function words).
        gender: letters of the genders it can have; empty where there is none, or both.
        onset: how it begins, in any names, if the word before depends on it (elision). For a
            determiner and a function word: how the word behind it must begin; empty for any.
        group: fills keep it; for verbs `<frame>:<form>`, for nouns `person` and others. For a
            function word: the form of the verb behind it (an auxiliary's `participle`).
    """

    kind: str
    singular: str
    plural: str
    gender: str
    onset: str
    group: str

    @property
    def pair(self) -> Pair:
        return Pair(self.singular, self.plural)

    def number_of(self, word: str) -> str:
        """sg or pl, whichever form the word is or ends like; empty if they are equal."""
        if key(self.singular) == key(self.plural):
            return ""
        singular, plural = (_shared_ending(word, form) for form in self.pair)
        return "pl" if plural > singular else "sg"


class Lexicon:
    """Look words up, as entries of given kinds."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(dict.fromkeys(entries))
        self._by_form: dict[str, list[Entry]] = defaultdict(list)
        self._onsets: dict[str, set[str]] = defaultdict(set)
        for entry in self.entries:
            for form in dict.fromkeys((key(entry.singular), key(entry.plural))):
                self._by_form[form].append(entry)
            if entry.kind in FILLED:
                self._onsets[key(entry.singular)[0]].add(entry.onset)

    def find_all(self, word: str, *kinds: str) -> list[Entry]:
        """The entries with this form among the kinds, in the order of the file."""
        return [entry for entry in self._by_form.get(key(word), ()) if entry.kind in kinds]

    def find(self, word: str, *kinds: str) -> Entry | None:
        """The first of them."""
        return next(iter(self.find_all(word, *kinds)), None)

    def shown_by(self, word: str, column: str) -> str:
        """What a determiner or function word shows of the word behind it: gender or onset.

        Empty where its entries disagree, as those of a plural that all genders share.
        """
        shown = {getattr(e, column) for e in self.find_all(word, "determiner", "function")}
        return shown.pop() if len(shown) == 1 else ""

    def like(self, word: str, kind: str, form: str = "", least: int = 1) -> Entry | None:
        """The entry of a word, or that of the kind with the longest common ending.

        Args:
            form: prefer a verb's entries with this form (`participle`); empty: any.
            least: letters that the ending must have.
        """
        known = self.find_all(word, kind)
        if fitting := [e for e in known if e.group.partition(":")[2] == form] or known:
            return fitting[0]
        best, longest = None, least - 1
        for entry in self.entries:
            if entry.kind == kind:
                shared = max(_shared_ending(word, form) for form in entry.pair)
                if shared > longest:
                    best, longest = entry, shared
        return best

    def onset_of(self, word: str) -> str:
        """How a word begins, by its entry or else as all entries with its first letter do.

        Empty where these disagree or there is none.
        """
        if entry := self.find(word, *FILLED):
            return entry.onset
        known = self._onsets.get(key(word)[:1], set())
        return next(iter(known)) if len(known) == 1 else ""


def _shared_ending(word: str, form: str) -> int:
    shared = 0
    for ours, theirs in zip(reversed(key(word)), reversed(key(form)), strict=False):
        if ours != theirs:
            break
        shared += 1
    return shared


def read_lexicon(path: str | Path) -> Lexicon:
    """Read a lexicon (COLUMNS).

    Raises:
        KasuError: a missing column, an unknown kind, an empty form.
    """
    entries = []
    for line, row in enumerate(read_tsv(path, COLUMNS), 2):
        entry = Entry(*(row[column].strip() for column in COLUMNS))
        if entry.kind not in KINDS:
            raise KasuError(f"{path}:{line}, column kind", repr(entry.kind), ", ".join(KINDS))
        for column in ("singular", "plural"):
            if not getattr(entry, column):
                raise KasuError(f"{path}:{line}, column {column}", "an empty cell", "a form")
        entries.append(entry)
    return Lexicon(entries)

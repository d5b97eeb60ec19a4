"""A substitution lexicon: number pairs with gender and onset (BLM-6, S-10).

It also lists the determiners and function words of a language: the code contains no words of any
language.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.blm.generation.spelling import key
from kasu.files.tables import read_tsv

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
        gender: letters of the genders it can have; empty if it has none, or any.
        onset: a label for how it begins, where the word before depends on it (elision). For a
            determiner or function word: how the next word must begin; empty: any.
        group: what fills must keep, `<frame>` or `<frame>:<form>`: for verbs what follows them and
            their tense, for nouns `person` and others and their case (`thing:adessive`). For a
            function word: the form of the verb after it (an auxiliary's `participle`).
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

    @property
    def frame(self) -> str:
        return self.group.partition(":")[0]

    @property
    def form(self) -> str:
        return self.group.partition(":")[2]

    def number_of(self, word: str) -> str:
        """Return sg or pl, whichever form shares more of the word's ending; empty if equal."""
        if key(self.singular) == key(self.plural):
            return ""
        singular, plural = (_shared_ending(word, form) for form in self.pair)
        return "pl" if plural > singular else "sg"


class Lexicon:
    """Look up words as entries of given kinds."""

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
        """Return the entries of these kinds that have this form, in the order of the file."""
        return [entry for entry in self._by_form.get(key(word), ()) if entry.kind in kinds]

    def find(self, word: str, *kinds: str) -> Entry | None:
        """Return the first entry of these kinds that has this form."""
        return next(iter(self.find_all(word, *kinds)), None)

    def shown_by(self, word: str, column: str) -> str:
        """Return what a determiner or function word shows of the next word: gender or onset.

        Empty where its entries disagree, as for a plural that all genders share.
        """
        shown = {getattr(e, column) for e in self.find_all(word, "determiner", "function")}
        return shown.pop() if len(shown) == 1 else ""

    def like(self, word: str, kind: str, form: str = "", least: int = 1) -> Entry | None:
        """Return the entry of a word, or the one of that kind with the longest common ending.

        Args:
            form: prefer entries of a verb in this form (`participle`); empty: any.
            least: the fewest letters that the ending may have.
        """
        known = self.find_all(word, kind)
        if fitting := [e for e in known if e.form == form] or known:
            return fitting[0]
        best, longest = None, least - 1
        for entry in self.entries:
            if entry.kind == kind:
                shared = max(_shared_ending(word, known_form) for known_form in entry.pair)
                if shared > longest:
                    best, longest = entry, shared
        return best

    def onset_of(self, word: str) -> str:
        """Return the onset of a word: of its entry, or of all entries with its first letter.

        Empty where these disagree or there is none.
        """
        if entry := self.find(word, *FILLED):
            return entry.onset
        known = self._onsets.get(key(word)[:1], set())
        return next(iter(known)) if len(known) == 1 else ""


def _shared_ending(word: str, form: str) -> int:
    """Count the letters of the longest common ending."""
    shared = 0
    for letter, other in zip(reversed(key(word)), reversed(key(form)), strict=False):
        if letter != other:
            break
        shared += 1
    return shared


def read_lexicon(path: str | Path) -> Lexicon:
    """Read a lexicon (COLUMNS).

    Raises:
        KasuError: there is no row; a column is missing, a kind is unknown; a form is empty or
            holds a NUL; a noun's form has both numbers.
    """
    entries: dict[int, Entry] = {}
    for line, row in enumerate(read_tsv(path, COLUMNS), 2):
        entry = entries[line] = Entry(*(row[column].strip() for column in COLUMNS))
        if entry.kind not in KINDS:
            raise KasuError(f"{path}:{line}, column kind", repr(entry.kind), ", ".join(KINDS))
        for column in ("singular", "plural"):
            if not getattr(entry, column):
                raise KasuError(f"{path}:{line}, column {column}", "an empty cell", "a form")
            if "\0" in getattr(entry, column):
                raise KasuError(f"{path}:{line}, column {column}", "a NUL character", "a form")
    if not entries:
        raise KasuError(path, "no word", "one or more rows below the header")
    _check_numbers(path, entries)
    return Lexicon(entries.values())


def _check_numbers(path: str | Path, entries: Mapping[int, Entry]) -> None:
    """Check that no form of a noun is a singular in one row and a plural in another.

    A sentence with it would have two states. A form may have another number in another case.

    Args:
        entries: by line.
    """
    lines: dict[tuple[str, str, str], int] = {}
    for line, entry in entries.items():
        if entry.kind != "noun" or key(entry.singular) == key(entry.plural):
            continue
        for column, other in (("singular", "plural"), ("plural", "singular")):
            form = getattr(entry, column)
            if first := lines.get((other, key(form), entry.form)):
                found = f"{form!r}, the {other} of line {first}"
                raise KasuError(f"{path}:{line}, column {column}", found, "a form of one number")
            lines.setdefault((column, key(form), entry.form), line)

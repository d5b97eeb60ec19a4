"""Parse a sentence back into its form, whatever words fill the slots."""

import re
from collections.abc import Iterator, Sequence

from kasu.blm.generation.grammar import CLAUSES, Form
from kasu.blm.generation.seeds import ATTRACTORS, NUMBERS, Seed
from kasu.blm.generation.slots import find_slots
from kasu.blm.generation.spelling import APOSTROPHES, COMMAS, key
from kasu.blm.generation.substitutions import FILLED, Lexicon


class Decoder:
    """Parse sentences that were generated from known seeds.

    A slot may hold any word. Where the words around it do not show its number, the lexicon must;
    an ambiguous sentence has no form.
    """

    def __init__(self, seeds: Sequence[Seed], lexicon: Lexicon) -> None:
        # By how a sentence ends, since few seeds share a verb: the parsers to try, and its number
        self._by_ending: dict[str, list[tuple[_Parser, str]]] = {}
        for parser in (_Parser(seed, lexicon) for seed in seeds):
            for ending, verb in parser.ends.items():
                self._by_ending.setdefault(ending, []).append((parser, verb))
        self._lengths = sorted({len(ending) for ending in self._by_ending})
        self._known: dict[str, Form | None] = {}

    def read(self, text: str) -> Form | None:
        """Return the form of a sentence; None if no seed produces it or it is ambiguous."""
        if text not in self._known:
            forms = {
                form
                for length in self._lengths
                for parser, verb in self._by_ending.get(text[-length:], ())
                for form in parser.read(text[:-length], verb)
            }
            self._known[text] = forms.pop() if len(forms) == 1 else None
        return self._known[text]


class _Parser:
    """Parse the sentences of one seed: each of its chunks is a regular expression."""

    def __init__(self, seed: Seed, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        slots = {
            slot.name: slot for clause in CLAUSES for slot in find_slots(seed, clause, lexicon)
        }
        # By chunk, the spans of words that type II replaces: there the pattern takes any word
        holes: dict[str, list[tuple[int, int]]] = {}
        for slot in slots.values():
            for column, span in slot.spans.items():
                holes.setdefault(column, []).append(span)
        # Slots whose number varies (subject and attractor), by chunk
        self.nouns = {
            column: slot for slot in slots.values() if not slot.number for column in slot.spans
        }
        self.patterns = {
            column: _pattern(text, sorted(holes.get(column, ())))
            for column, text in seed.chunks.items()
        }
        self.ends = {f"{seed.chunks[f'verb_{n}']} {seed.chunks['stop']}": n for n in NUMBERS}

    def read(self, text: str, verb: str) -> Iterator[Form]:
        """Yield every form that a text can have before a verb of this number."""
        if text.endswith(" "):
            for begin in self._ends_of(text, 0, "prefix", optional=True):
                for parts in self._subjects(text, begin):
                    yield Form(*parts, verb)

    def _subjects(self, text: str, begin: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Parse subject, attractors and perhaps a relative clause, to the end of the text."""
        for number in NUMBERS:
            relative = "relative_pl" if number == "pl" else "relative"
            for end_of_subject in self._ends_of(text, begin, f"subject_{number}"):
                for attractors, end in self._attractors(text, end_of_subject, ()):
                    if len(text) in self._ends_of(text, end, relative, optional=True):
                        yield number, attractors

    def _attractors(
        self, text: str, begin: int, before: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """Parse the attractors after those in `before`, and where each parse ends.

        Another PP may follow, and more after it; a conjunct or the last attractor repeated ends the
        list.
        """
        if before:
            yield before, begin
            for end in self._ends_of(text, begin, before[-1]):
                # Repeated word for word: the same chunk with another word is no repetition
                if text[:begin].rstrip().endswith(text[begin:end].rstrip()):
                    yield (*before, before[-1]), end
        if len(before) == len(ATTRACTORS):
            return
        for number in NUMBERS:
            at = len(before) + 1
            for end in self._ends_of(text, begin, f"pp{at}_{number}"):
                yield from self._attractors(text, end, (*before, f"pp{at}_{number}"))
            for end in self._ends_of(text, begin, f"conjunct{at}_{number}"):
                yield (*before, f"conjunct{at}_{number}"), end

    def _ends_of(self, text: str, begin: int, column: str, optional: bool = False) -> list[int]:
        """Find where a chunk from `begin` can end; at `begin` itself if the chunk is optional."""
        ends = [begin] if optional else []
        match = self.patterns[column].match(text, begin)
        if match and self._fits(column, match):
            ends.append(match.end())
        return ends

    def _fits(self, column: str, match: re.Match) -> bool:
        """Return whether the word in a noun's slot can have the number of its chunk."""
        if column not in self.nouns:
            return True
        # The seed's own word shows its number by its form; for another word the lexicon decides
        word, slot = match[1], self.nouns[column]
        if key(word) in map(key, slot.forms.values()):
            return key(word) == key(slot.forms[column])
        entry = self.lexicon.find(word, *FILLED)
        return entry is None or entry.number_of(word) in ("", column[-2:])


def _pattern(text: str, holes: Sequence[tuple[int, int]]) -> re.Pattern:
    """Compile a pattern of a chunk with any word in its holes, and of the space after it.

    Where a comma follows the chunk there is no space.
    """
    pattern, done = "", 0
    for begin, end in holes:
        pattern += re.escape(text[done:begin]) + rf"([^\s{APOSTROPHES}{COMMAS}]+)"
        done = end
    pattern += re.escape(text[done:])
    # No space follows an elided word
    then = "" if text[-1] in APOSTROPHES else f"(?: |(?=[{COMMAS}]))"
    return re.compile(pattern + then, re.IGNORECASE)

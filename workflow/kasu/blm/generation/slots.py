"""The slots of type II: where a seed has them and what a fill must keep (BLM-6, S-10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.blm.generation.fills import Fills, Request
from kasu.blm.generation.grammar import CLAUSES, STATES, form_of, sentence
from kasu.blm.generation.seeds import Seed
from kasu.blm.generation.spelling import key, spans
from kasu.blm.generation.substitutions import Entry, Lexicon, Pair
from kasu.job.run import log

SLOTS: Mapping[str, tuple[str, ...]] = {
    "main": ("subject", "attractor"),
    "completive": ("matrix_subject", "matrix_verb", "subject", "attractor"),
    "relative": ("relative_subject", "relative_verb", "subject", "attractor"),
}
"""What type II replaces in each clause type, one slot at a time (BLM-6)."""

RANKS = 5  # fills per slot
PERSON = "person"  # the group of nouns and names that can say and think
# The columns of a seed that contain a slot, and which of their marked words it is
_PLACES: Mapping[str, tuple[tuple[str, ...], int]] = {
    "subject": (("subject_sg", "subject_pl"), 0),
    "attractor": (("pp1_sg", "pp1_pl", "conjunct1_sg", "conjunct1_pl"), 0),
    "matrix_subject": (("prefix",), 0),
    "matrix_verb": (("prefix",), 1),
    "relative_subject": (("relative", "relative_pl"), 0),
    "relative_verb": (("relative", "relative_pl"), 1),
}
_ENDING = 3  # an ending of this many letters shows the gender of an unknown noun
_HOLE = "\ue000"  # stands in for the slot; a private-use character that occurs in no text


@dataclass(frozen=True)
class Slot:
    """A slot of a seed: where its word is, and what a fill must keep.

    Attributes:
        spans: by column, begin and end of the word.
        forms: by column, the word.
        kind: noun, name, matrix_verb or relative_verb.
        number: sg or pl; empty where it varies with the column.
        gender, onset, group: as in Request.
    """

    seed: Seed
    name: str
    spans: Mapping[str, tuple[int, int]]
    forms: Mapping[str, str]
    kind: str
    number: str
    gender: str
    onset: str
    group: str

    def fill(self, pair: Pair) -> Seed:
        """Put another word in the slot, in every chunk that has it and in the chunk's number."""
        form = {column: pair[self.number_in(column) == "pl"] for column in self.spans}
        return self.seed.with_word(form, self.spans)

    def number_in(self, column: str) -> str:
        """Return the number of the word in a chunk."""
        return self.number or column[-2:]

    def requests(self, clause: str) -> list[Request]:
        """Build the request for the grammatical sentence of each of STATES, in order."""
        hollow = self.fill(Pair(_HOLE, _HOLE))
        forms = list(self.forms.values())
        original = Pair(forms[0], forms[0] if self.number else forms[1])
        avoid = self.seed.words - {form.casefold() for form in forms}
        requests = []
        for state in STATES:
            before, _, after = sentence(hollow, clause, form_of(state)).partition(_HOLE)
            varying = state.subject if self.name == "subject" else state.first
            number = self.number or varying
            word = original[number == "pl"]
            requests.append(
                Request(
                    before, after, self.name, word, original, self.kind, number,
                    self.gender, self.onset, self.group, avoid,
                )
            )  # fmt: skip
        return requests


def find_slots(seed: Seed, clause: str, lexicon: Lexicon) -> list[Slot]:
    """Find the slots of a seed in a clause type, in the order of SLOTS.

    The noun of a chunk is the word that the seeds file marks, or the last. Subject and verb of a
    prefix or relative clause are the marked words; where none is marked, the first word that is
    neither determiner nor function word, and the last word after it that the lexicon lists as a
    verb (or else the last that is no function word).

    Raises:
        KasuError: a prefix or relative clause has no such words.
    """
    return [_slot(seed, name, lexicon) for name in SLOTS[clause]]


def _slot(seed: Seed, name: str, lexicon: Lexicon) -> Slot:
    columns, at = _PLACES[name]
    clausal = columns[0] in ("prefix", "relative")
    verb = f"{columns[0].replace('prefix', 'matrix')}_verb"
    places = {}
    for column in columns:
        words = _clause_words(seed, column, verb, lexicon) if clausal else _noun_of(seed, column)
        places[column] = words[at]
    forms = {column: seed.chunks[column][slice(*span)] for column, span in places.items()}
    words_before = [_word_before(seed.chunks[c], span[0]) for c, span in places.items()]
    texts = list(forms.values())
    if at:
        kept = _describe_verb(texts, words_before, verb, lexicon)
    else:
        kept = _describe_noun(texts, words_before, clausal, lexicon)
    return Slot(seed, name, places, forms, *kept)


def _noun_of(seed: Seed, column: str) -> Sequence[tuple[int, int]]:
    nouns = seed.marks[column] or spans(seed.chunks[column])[-1:]
    if not nouns:
        raise KasuError(f"{seed.place}, column {column}", f"{seed.chunks[column]!r}", "a noun")
    return nouns


def _clause_words(
    seed: Seed, column: str, verb: str, lexicon: Lexicon
) -> Sequence[tuple[int, int]]:
    """Find subject and verb of a prefix or relative clause."""
    marks, text = seed.marks[column], seed.chunks[column]
    if not marks:
        # The first content word is the subject; the verb is the last that the lexicon lists as
        # one, or else the last content word
        content = [
            span for span in spans(text)
            if not lexicon.find(text[slice(*span)], "determiner", "function")
        ]  # fmt: skip
        verbs = [span for span in content[1:] if lexicon.find(text[slice(*span)], verb)]
        marks = [*content[:1], *(verbs or content[1:])[-1:]]
    if len(marks) != 2:
        found = f"{len(marks)} words for subject and verb in {text!r}"
        raise KasuError(f"{seed.place}, column {column}", found, "two, marked as [word]")
    return marks


def _word_before(text: str, begin: int) -> str:
    before = spans(text[:begin])
    return text[slice(*before[-1])] if before else ""


class _Kept(NamedTuple):
    """What a fill must keep, as in Slot."""

    kind: str
    number: str
    gender: str
    onset: str
    group: str


def _describe_noun(forms: list[str], before: list[str], clausal: bool, lexicon: Lexicon) -> _Kept:
    """Describe a noun or name by its lexicon entry and by the words before it."""
    determiner = lexicon.find(before[0], "determiner")
    known = [entry for form in forms for entry in lexicon.find_all(form, "noun", "name")]
    # A form may belong to several entries: prefer one with both forms of the slot
    same = (entry for entry in known if {*map(key, entry.pair)} == {*map(key, forms)})
    entry = next(same, known[0] if known else None)
    kind, group = (entry.kind, entry.group) if entry else ("noun", "")
    number = ""
    if clausal:
        kind = kind if entry or determiner else "name"
        group = _person(entry, lexicon)  # only persons say, think and like
        # Its number is fixed: shown by the determiner, or by the form, or else singular
        number = determiner.number_of(before[0]) if determiner else ""
        number = number or (entry.number_of(forms[0]) if entry else "") or "sg"
    # Gender: of the entry if unambiguous; else as a determiner shows; else of the noun with the
    # longest common ending
    of_entry = entry.gender if entry else ""
    shown = [lexicon.shown_by(word, "gender") for word in before]
    gender = of_entry if len(of_entry) == 1 else _first([*shown, of_entry])
    if not gender and (similar := lexicon.like(forms[0], "noun", least=_ENDING)):
        gender = similar.gender
    # Onset: as a word before the noun shows, or else, after a determiner, that of the noun itself
    onsets = [lexicon.shown_by(word, "onset") for word in before]
    if determiner:
        onsets.append(lexicon.onset_of(forms[0]))
    return _Kept(kind, number, gender, _first(onsets), group)


def _person(entry: Entry | None, lexicon: Lexicon) -> str:
    """Return the group of persons in the case of a noun.

    If the lexicon has no person, the noun keeps its own group.
    """
    if not any(e.frame == PERSON for e in lexicon.entries if e.kind in ("noun", "name")):
        return entry.group if entry else ""
    return f"{PERSON}:{entry.form}" if entry and entry.form else PERSON


def _describe_verb(forms: list[str], before: list[str], kind: str, lexicon: Lexicon) -> _Kept:
    """Describe a verb by its lexicon entry, or that of the verb with the longest common ending."""
    auxiliary = lexicon.find(before[0], "function")
    entry = lexicon.like(forms[0], kind, auxiliary.group if auxiliary else "")
    number, group = "sg", ""
    if entry:
        number, group = entry.number_of(forms[0]) or "sg", entry.group
    onset = _first([lexicon.shown_by(word, "onset") for word in before])
    return _Kept(kind, number, "", onset, group)


def _first(values: Sequence[str]) -> str:
    """Return the first value that is not empty, or an empty one."""
    return next((value for value in values if value), "")


_Filled = list[list[Pair]]  # [state] -> pairs, best first; empty for a slot that is left out


def ask_fills(
    slots: Mapping[str, Sequence[Sequence[Slot]]], source: Fills, ranks: int
) -> dict[str, list[list[_Filled]]]:
    """Request the fills of all slots at once.

    A slot with too few fills in one of its sentences is left out and counted in `source.rejected`.

    Args:
        slots: by clause type, the slots of each seed.

    Returns:
        By clause type: [seed][slot][state] -> `ranks` pairs, best first; [] for a slot left out.

    Raises:
        KasuError: a seed has no slot left.
    """
    requests = [
        (slot, request)
        for clause in CLAUSES
        for seed in slots[clause]
        for slot in seed
        for request in slot.requests(clause)
    ]
    answers = source.fills([request for _, request in requests], ranks)
    # Answers come in the order of the requests: fold them back into the shape of `slots`
    remaining = zip(requests, answers, strict=True)
    filled = {
        clause: [
            [_enough([next(remaining) for _ in STATES], source, ranks) for _ in seed]
            for seed in slots[clause]
        ]
        for clause in CLAUSES
    }
    for row, (slot, *_) in enumerate(slots[CLAUSES[0]]):
        if not any(pairs for clause in CLAUSES for pairs in filled[clause][row]):
            expected = "one, by more words of the same group in the lexicon"
            raise KasuError(slot.seed.place, f"no slot with {ranks} fills", expected)
    return filled


def _enough(
    answers: Sequence[tuple[tuple[Slot, Request], list[Pair]]], source: Fills, ranks: int
) -> _Filled:
    """Take the first `ranks` fills in each sentence of a slot; none if a sentence has fewer."""
    (slot, request), fewest = min(answers, key=lambda answer: len(answer[1]))
    if len(fewest) >= ranks:
        return [pairs[:ranks] for _, pairs in answers]
    source.rejected[f"slot left out: fewer than {ranks} words"] += 1
    text = f"{request.before}[{request.word}]{request.after}"
    group = f"of group {request.group!r}" if request.group else "of its unknown group"
    log.warning("%s, slot %s left out: %d fills %s in %r, %d are needed",
                slot.seed.place, slot.name, len(fewest), group, text, ranks)  # fmt: skip
    return []

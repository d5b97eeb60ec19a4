"""Check that the wrong forms of an item are ungrammatical in its sentence (S-13).

In a language that drops arguments, a noun in another case may be another argument: *Gizonak ikusi
du* "the man saw it" and *Gizona ikusi du* "s/he saw the man" are both grammatical. A case is ruled
out by the agreement of the verb, if the verb marks that argument, or by an overt argument in it.
"""

from collections.abc import Mapping, Set
from typing import NamedTuple

from kasu.corpora.treebanks.treebank import Token, feature_name, features
from kasu.minimal_sets.data.forms import Lexicon
from kasu.minimal_sets.data.paradigms import Paradigms
from kasu.queries.graph import Graph
from kasu.queries.labels import label_part

# Reasons to drop an item
NO_CANDIDATE = "no candidate form"
EQUAL = "equal to the right form"
FORMS_EQUAL = "forms equal"
SYNCRETISM = "syncretism"
LICENSED = "licensed wrong form"
NO_AGREEMENT = "no agreement marked"
DUPLICATE = "another item has this masked sentence"

ARGUMENTS = ("nsubj", "obj", "iobj")
MARKED = ("Number", "Gender", "Person")
SPEAKERS = ("1", "2")
NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
OPEN = frozenset({"Tense", "Aspect", "Evident", "Polarity", "Degree"})
"""What a speaker chooses of a word that agrees with another."""
MARKS = ("Typo", "Style")


class Clause(NamedTuple):
    """What the verb of a target agrees with, and its other overt arguments.

    slots: case -> the features (of MARKED) that the verb marks of its argument in that case.
    arguments: case -> the verb's overt arguments in that case, without the target.
    """

    slots: dict[str, dict[str, str]]
    arguments: dict[str, list[Token]]


def read_clause(
    graph: Graph, verb: int, target: int, feature: str, agreement: Mapping[str, str]
) -> Clause | None:
    """Return the clause of a verb; None if neither the verb nor its auxiliaries mark agreement.

    Args:
        agreement: case -> the feature of the verb that marks the number of the argument in that
            case: `{"Erg": "Number[erg]", ...}`, or `{"Nom": "Number"}`. Gender and person are read
            from the same layer. The verb is read first, then its auxiliaries in order; the first
            that marks anything counts.
    """
    children = graph.children[verb]
    auxiliaries = [at for at in children if _relation(graph, at) == "aux"]
    marked = (_read_slots(graph, at, agreement) for at in (verb, *auxiliaries))
    slots = next(filter(None, marked), None)
    if slots is None:
        return None
    arguments: dict[str, list[Token]] = {}
    for at in children:
        case = graph.column(feature)[at]
        if case and at != target and _relation(graph, at) in ARGUMENTS:
            arguments.setdefault(case, []).append(graph.words[at - 1])
    return Clause(slots, arguments)


def has_argument(graph: Graph) -> bool:
    """Return whether a word has one of ARGUMENTS, the relations that `read_clause` looks for."""
    return any(label_part(label, "1") in ARGUMENTS for label in graph.index(None))


def _relation(graph: Graph, position: int) -> str:
    """Return the relation of a node to its head, without its subtype."""
    return label_part(graph.labels[position], "1") or ""


def _read_slots(graph: Graph, at: int, agreement: Mapping[str, str]) -> dict[str, dict[str, str]]:
    slots = {}
    for case, name in agreement.items():
        layer = feature_name(name).removeprefix("Number")
        marked = {feature: graph.column(feature + layer)[at] for feature in MARKED}
        if marked["Number"]:
            slots[case] = {feature: value for feature, value in marked.items() if value}
    return slots


def reject(
    word: Token,
    wrong: Mapping[str, str],
    lexicon: Lexicon,
    clause: Clause | None,
    paradigms: Paradigms | None = None,
) -> str | None:
    """Return the reason to drop an item, or None if its wrong forms are ungrammatical.

    Each wrong form is judged under every reading that it has as a form of the target's lemma and
    part of speech (`Lexicon.readings`, `Paradigms.readings`), and that the target's place in the
    sentence allows (`fits_slot`):

    - A reading with the right value makes it a `syncretism`, unless the verb marks another number
      or gender for that argument. A row of UniMorph without the feature has every value.
    - A reading in another case makes it a `licensed wrong form` if it agrees with what the verb
      marks for that case and no other overt argument is in that case. Another argument in that
      case could only swap places with the target: then the form is licensed if that argument has
      a reading in the right case that agrees with the verb. If the verb does not mark the case,
      only such a swap can license the form. The right argument may always be dropped.

    A reading without number or gender agrees with any; one without person does not agree with
    first or second person singular. Without a clause only the first rule applies, for any number.

    Args:
        word: the target as it stands in the sentence.
        wrong: value -> wrong form.
        paradigms: further readings, of UniMorph.
    """
    folded = [lexicon.folded(form) for form in wrong.values()]
    if lexicon.folded(word.form) in folded:
        return EQUAL
    if len(set(folded)) < len(folded):
        return FORMS_EQUAL
    # All readings of all wrong forms: first with the right value, then with the others
    right = features(word.feats)
    readings = [
        reading
        for form in wrong.values()
        for reading in (
            *treebank_readings(lexicon, word, form, {lexicon.feature}, right),
            *(paradigms.readings(word, form) if paradigms else ()),
        )
        if fits_slot(reading, right, word.upos, lexicon.feature)
    ]
    value = right[lexicon.feature]
    for reading in readings:
        if may_be(reading, lexicon.feature, value) and (
            reading == right or clause is None or _agrees(reading, value, clause, True)
        ):
            return SYNCRETISM
    if clause and any(_is_licensed(reading, value, clause, lexicon) for reading in readings):
        return LICENSED
    return None


def treebank_readings(
    lexicon: Lexicon, word: Token, form: str, names: Set[str], right: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the readings of a form by the treebank, without what an annotator left out.

    A reading that states less of `names` than the target counts in another tense alone (*cost* as a
    past).

    Args:
        word: the target as annotated.
        right: its features, which may be completed.
    """
    stated = names & features(word.feats).keys()
    return [
        reading
        for reading in lexicon.readings(word, form)
        if stated <= reading.keys() or reading.get("Tense") not in (None, right.get("Tense"))
    ]


def fits_slot(
    reading: Mapping[str, str], right: Mapping[str, str], upos: str, feature: str
) -> bool:
    """Return whether a word of this reading may stand where the target stands.

    The reading has the target's features, as far as both state them. The place leaves open what
    changes, and what a speaker is free to choose: of a noun or pronoun everything but its case, of
    other words OPEN. So *go* as a subjunctive, an infinitive or with *I* does not fit the place of
    *goes*, and *put* as a past fits that of *puts*. A reading that is marked as a slip or as of a
    style (MARKS), unlike the target, does not fit.

    Args:
        reading, right: features of the reading and of the target.
        feature: the one that changes.
    """
    if any(reading.get(name) not in (None, right.get(name)) for name in MARKS):
        return False
    reading, right = _with_verb_form(reading), _with_verb_form(right)
    names = {"Case"} if upos in NOMINAL else right.keys() - OPEN
    return all(may_be(reading, name, right[name]) for name in names & right.keys() - {feature})


def _with_verb_form(reading: Mapping[str, str]) -> Mapping[str, str]:
    """Return the reading of a verb with its form: what has a mood is finite."""
    return {"VerbForm": "Fin", **reading} if "Mood" in reading else reading


def may_be(reading: Mapping[str, str], feature: str, value: str) -> bool:
    """Return whether a reading has a value of a feature, or has none; `Masc,Fem` is either."""
    stated = reading.get(feature)
    return stated is None or stated == value or not _either(stated).isdisjoint(_either(value))


def _either(value: str) -> set[str]:
    return set(value.split(","))


def _agrees(reading: Mapping[str, str], case: str, clause: Clause, unmarked: bool) -> bool:
    """Return whether a reading agrees with what the verb marks for a case.

    `unmarked` is the answer if the verb does not mark the case.
    """
    if case not in clause.slots:
        return unmarked
    slot = dict(clause.slots[case])
    # First or second person singular takes a reading of that very person
    person = slot.pop("Person", None)
    if person in SPEAKERS and slot["Number"] == "Sing" and reading.get("Person") != person:
        return False
    return all(may_be(reading, feature, value) for feature, value in slot.items())


def _is_licensed(
    reading: Mapping[str, str], right_case: str, clause: Clause, lexicon: Lexicon
) -> bool:
    """Return whether the sentence is grammatical under this reading of the wrong form."""
    cases = _either(reading.get(lexicon.feature, right_case)) - {right_case}
    return any(_is_licensed_as(case, reading, right_case, clause, lexicon) for case in cases)


def _is_licensed_as(
    case: str, reading: Mapping[str, str], right_case: str, clause: Clause, lexicon: Lexicon
) -> bool:
    rivals = clause.arguments.get(case, ())
    # If the verb does not mark the case, the reading needs a rival to swap places with
    if not _agrees(reading, case, clause, bool(rivals)):
        return False
    # Every rival must be able to take the target's place
    return all(
        any(
            swapped.get(lexicon.feature) == right_case
            and _agrees(swapped, right_case, clause, True)
            for swapped in lexicon.readings(rival, rival.form)
        )
        for rival in rivals
    )

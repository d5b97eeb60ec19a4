"""Whether the wrong forms of an item are wrong in its sentence (S-13).

In a language that leaves arguments out, a noun in another case may be another argument: *Gizonak
ikusi du* "the man saw it" and *Gizona ikusi du* "s/he saw the man" are both right. What rules a
case out is the agreement of the verb, if it marks that argument, or that the argument is there.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kasu.corpora.treebank import Token, features
from kasu.minimal_sets.data.forms import Lexicon
from kasu.query.graph import Graph

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


class Clause(NamedTuple):
    """What the verb of a target marks, and which of it other words fill.

    slots: for each case whose argument the verb marks, what it says of that argument (MARKED).
    filled: for each case, the other overt arguments of the verb that have it.
    """

    slots: dict[str, dict[str, str]]
    filled: dict[str, list[Token]]


def read_clause(
    graph: Graph, verb: int, target: int, feature: str, agreement: Mapping[str, str]
) -> Clause | None:
    """The clause of a verb, None if neither the verb nor an auxiliary of it marks agreement.

    Args:
        agreement: for each case, the feature of the verb that marks the number of the argument in
            it: `{"Erg": "Number[erg]", ...}`, or `{"Nom": "Number"}`. The verb itself is asked
            first, then its dependents `aux` in their order. Gender and person are read from the
            features of the same layer.
    """
    children = graph.children[verb]
    auxiliaries = [at for at in children if graph.labels[at].partition(":")[0] == "aux"]
    slots = next(filter(None, (_slots(graph, at, agreement) for at in (verb, *auxiliaries))), None)
    if slots is None:
        return None
    filled: dict[str, list[Token]] = {}
    for at in children:
        case = graph.column(feature)[at]
        if case and at != target and graph.labels[at].partition(":")[0] in ARGUMENTS:
            filled.setdefault(case, []).append(graph.words[at - 1])
    return Clause(slots, filled)


def feature_name(name: str) -> str:
    """A layered feature as Grew writes it: `Number[erg]` is `Number__erg`."""
    return name.replace("[", "__").replace("]", "")


def _slots(graph: Graph, at: int, agreement: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found = {}
    for case, name in agreement.items():
        layer = feature_name(name).removeprefix("Number")
        told = {marked: graph.column(marked + layer)[at] for marked in MARKED}
        if told["Number"]:
            found[case] = {marked: value for marked, value in told.items() if value}
    return found


def reject(
    word: Token, wrong: Mapping[str, str], lexicon: Lexicon, clause: Clause | None
) -> str | None:
    """Why an item is none, or None if its wrong forms are wrong.

    A wrong form is judged by all features that it may have as a form of its lemma
    (`Lexicon.readings`):

    - with the right case it is rejected as `syncretism`, unless the verb marks the number or
      gender of that argument, and it is another one;
    - with another case it is rejected as `licensed wrong form` if the verb marks an argument in
      that case with the number and gender of the reading, and no other overt argument has that
      case. If one has, it could only make room by itself being what the target was: the form is
      rejected if it has such a reading, which the verb does not rule out. In a case that the verb
      does not mark, an argument is only thought possible where another could so make room; the
      right argument may always be understood.

    A reading without a number or a gender fits any; one without a person does not fit a slot of
    the first or second person singular. Without agreement (`clause` is None) only the first rule
    holds, for any number.

    Args:
        word: the target as it stands; `wrong`: the wrong form for each value.
    """
    folded = [form.casefold() for form in wrong.values()]
    if word.form.casefold() in folded:
        return EQUAL
    if len(set(folded)) < len(folded):
        return FORMS_EQUAL
    right = features(word.feats)
    readings = [told for form in wrong.values() for told in lexicon.readings(word.lemma, form)]
    value = right[lexicon.feature]
    for told in readings:
        if told[lexicon.feature] == value and (
            told == right or clause is None or _fits(told, value, clause, True)
        ):
            return SYNCRETISM
    if clause and any(_licensed(told, value, clause, lexicon) for told in readings):
        return LICENSED
    return None


def _fits(told: Mapping[str, str], case: str, clause: Clause, unmarked: bool) -> bool:
    """Whether a reading agrees with the verb in the slot of a case; `unmarked` if it has none."""
    if case not in clause.slots:
        return unmarked
    slot = dict(clause.slots[case])
    person = slot.pop("Person", None)
    if person in SPEAKERS and slot["Number"] == "Sing" and told.get("Person") != person:
        return False
    return all(told.get(marked, value) == value for marked, value in slot.items())


def _licensed(told: Mapping[str, str], right: str, clause: Clause, lexicon: Lexicon) -> bool:
    case = told[lexicon.feature]
    arguments = clause.filled.get(case, ())
    # Without a slot in that case and without an argument to change places with, none is missing
    if case == right or not _fits(told, case, clause, bool(arguments)):
        return False
    return all(
        any(
            other[lexicon.feature] == right and _fits(other, right, clause, True)
            for other in lexicon.readings(argument.lemma, argument.form)
        )
        for argument in arguments
    )

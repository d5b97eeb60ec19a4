"""Clauses of the minimal pairs, and the errors put into them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grammar import decline, finite
from lexicon import Frame, Word
from phrases import TENSES, NoFit, mark_of

# Verbs that never take an ergative; others can (*sartu da*, *sartu du*)
_NEVER_ERGATIVE = ("joan", "etorri", "iritsi")
# Auxiliaries that can open a clause as another word: "your", and forms of "say"
_OPENING = ("zuen", "dio", "diote", "zioten")
_DETERMINERS = {
    "bat": dict(E="batek", D="bati", A="bat"),
    "hau": dict(E="honek", D="honi", A="hau"),
}


@dataclass(frozen=True)
class Argument:
    """A noun phrase for any case: a noun, perhaps with an adjective or a determiner."""

    noun: Word
    number: str
    adjective: Word | None = None
    determiner: str = ""

    def words(self, case: str) -> list[str]:
        """Its words in the case; the last one has the suffix."""
        if self.determiner:
            return [self.noun.word, _DETERMINERS[self.determiner][case]]
        last = self.adjective or self.noun
        form = decline(last.word, case, self.number, last.trill)
        return [self.noun.word, form] if self.adjective else [form]


@dataclass(frozen=True)
class Clause:
    """A clause with at most one error; its parts are E, D, A, time, place, ez, verb and aux."""

    frame: Frame
    tense: str
    number: int
    arguments: dict[str, Argument]
    parts: dict[str, list[str]]
    orders: tuple[tuple[str, ...], ...]  # two

    def text(self, order: int) -> str:
        """Its marked words in one of its two orders."""
        return " ".join(word for part in self.orders[order] for word in self.parts[part])

    def change(self, **parts: list[str]) -> "Clause":
        """The clause with some parts replaced."""
        return replace(self, parts=self.parts | parts)

    def marked(self, slot: str, case: str) -> list[str]:
        """The argument of a slot, in any case but marked for the slot."""
        *before, head = self.arguments[slot].words(case)
        return [*before, f"{head}~{self.number}{slot}.{mark_of(self.arguments[slot].number)}"]

    def auxiliary(self, **numbers: str) -> list[str]:
        """The marked auxiliary for these slots and numbers."""
        return [f"{finite(TENSES[self.tense][1], **numbers)}~{self.number}V"]

    @property
    def agreement(self) -> dict[str, str]:
        """The number of each slot."""
        return {slot: argument.number for slot, argument in self.arguments.items()}


Error = Callable[[Clause, random.Random], Clause]


def other_case(slot: str, case: str) -> Error:
    """Put the argument of a slot into a wrong case.

    A plural ergative does not become absolutive if the object is plural too: two forms in -ak in a
    row could be grammatical.
    """

    def error(clause: Clause, _: random.Random) -> Clause:
        plural = [s for s, number in clause.agreement.items() if number == "p"]
        if (slot, case) == ("E", "A") and {"E", "A"} <= set(plural):
            raise NoFit
        return clause.change(**{slot: clause.marked(slot, case)})

    return error


def without_determiner(clause: Clause, rng: random.Random) -> Clause:
    """*Ikaslek* for *ikasle batek*; not of nouns in -a, since *neskak* has the article."""
    fitting = [
        slot
        for slot, argument in clause.arguments.items()
        if slot != "A" and argument.determiner and not argument.noun.word.endswith("a")
    ]
    if not fitting:
        raise NoFit
    slot = rng.choice(fitting)
    noun = clause.arguments[slot].noun
    return clause.change(
        **{slot: [f"{decline(noun.word, slot, '', noun.trill)}~{clause.number}{slot}.ind"]}
    )


def other_number(slot: str) -> Error:
    """Use the auxiliary for the other number of a slot."""

    def error(clause: Clause, _: random.Random) -> Clause:
        numbers = clause.agreement
        return clause.change(
            aux=clause.auxiliary(**numbers | {slot: "p" if numbers[slot] == "s" else "s"})
        )

    return error


def other_arguments(clause: Clause, _: random.Random) -> Clause:
    """Use an auxiliary that lacks the dative or ergative, or that adds an ergative.

    It never adds a dative, which could be unexpressed (*liburua irakurri dio*).
    """
    numbers = clause.agreement
    if clause.frame.valency == "nor":
        if clause.frame.participle not in _NEVER_ERGATIVE:
            raise NoFit
        numbers["E"] = "s"
    else:
        del numbers["D" if "D" in numbers else "E"]
    return clause.change(aux=clause.auxiliary(**numbers))


def noun_last(clause: Clause, _: random.Random) -> Clause:
    """*Berria liburu*, *bat liburu*.

    Not of persons, since a bare *ikasle* can mean "as a pupil", nor of nouns in -a, since *gazta*
    can be a phrase of its own.
    """
    noun, *rest = clause.parts["A"]
    bare = clause.arguments["A"].noun
    if not rest or "person" in bare.classes or bare.word.endswith("a"):
        raise NoFit
    return clause.change(A=[*rest, noun])


def auxiliary_first(clause: Clause, _: random.Random) -> Clause:
    """Swap the auxiliary and the first word: no dialect opens a clause with an auxiliary.

    Not with forms that can open a clause as another word.
    """
    first = {order[0] for order in clause.orders}
    auxiliary = clause.parts["aux"][0].partition("~")[0]
    if auxiliary in _OPENING or any(len(clause.parts[part]) != 1 for part in first):
        raise NoFit
    return replace(clause, orders=tuple(swap(o, o[0], "aux") for o in clause.orders))


def negation_second(clause: Clause, _: random.Random) -> Clause:
    """*Du ez* for *ez du*."""
    return replace(clause, orders=tuple(swap(o, "ez", "aux") for o in clause.orders))


def no_negation(clause: Clause, _: random.Random) -> Clause:
    """Drop *ez*, but keep the partitive (*arrainik*) and the order of a negative clause."""
    return clause.change(ez=[])


def swap(order: Sequence[str], one: str, other: str) -> tuple[str, ...]:
    """The order with two parts swapped."""
    return tuple({one: other, other: one}.get(part, part) for part in order)


# Errors of each type, used in turn, with the valencies they apply to; `not` is a negated nork
ERRORS: dict[str, tuple[tuple[Error, str], ...]] = {
    "E1 declension": (
        (other_case("E", "A"), "nork norinork"),
        (without_determiner, "nork norinork nori"),
        (other_case("A", "E"), "nor nork"),
        (other_case("A", "D"), "nork"),
        (without_determiner, "nork norinork nori"),
        (other_case("D", "A"), "norinork nori"),
    ),
    "E2 verb": (
        (other_number("E"), "nork norinork"),
        (other_number("A"), "nor nork nori"),
        (other_number("D"), "norinork nori"),
        (other_arguments, "nor nork norinork nori"),
    ),
    "E3 order": (
        (noun_last, "nork norinork"),
        (no_negation, "not"),
        (auxiliary_first, "nor nork nori norinork"),
        (negation_second, "not"),
        (noun_last, "nork norinork"),
        (no_negation, "not"),
    ),
}

"""Clauses of the minimal pairs, and the errors that are made in them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grammar import decline, finite
from lexicon import Frame, Word
from phrases import TENSES, NoFit, mark_of

# Verbs that take an ergative in no use; others can (*sartu da*, *sartu du*).
_NEVER_ERGATIVE = ("joan", "etorri", "iritsi")
# "Your", and forms of "say".
_OPENING = ("zuen", "dio", "diote", "zioten")
_DETERMINERS = {
    "bat": dict(E="batek", D="bati", A="bat"),
    "hau": dict(E="honek", D="honi", A="hau"),
}


@dataclass(frozen=True)
class Argument:
    """A noun phrase that can take any case: a noun, then an adjective, a determiner or nothing."""

    noun: Word
    number: str
    adjective: Word | None = None
    determiner: str = ""

    def words(self, case: str) -> list[str]:
        """Its words in the case; the last one bears the suffix."""
        if self.determiner:
            return [self.noun.word, _DETERMINERS[self.determiner][case]]
        last = self.adjective or self.noun
        form = decline(last.word, case, self.number, last.trill)
        return [self.noun.word, form] if self.adjective else [form]


@dataclass(frozen=True)
class Clause:
    """A clause with one error or none: its parts by name (E, D, A, time, place, ez, verb, aux)."""

    frame: Frame
    tense: str
    number: int
    arguments: dict[str, Argument]
    parts: dict[str, list[str]]
    orders: tuple[tuple[str, ...], tuple[str, ...]]

    def text(self, order: int) -> str:
        """Its marked words in the first or the second order."""
        return " ".join(word for part in self.orders[order] for word in self.parts[part])

    def change(self, **parts: list[str]) -> "Clause":
        """The clause with other words for some parts."""
        return replace(self, parts=self.parts | parts)

    def marked(self, slot: str, case: str) -> list[str]:
        """The argument of the slot in any case, marked for the slot."""
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
    """The argument of a slot in a wrong case.

    A plural ergative is not put into the absolutive beside a plural object: two forms in -ak could
    be read as one phrase beside another.
    """

    def error(clause: Clause, _: random.Random) -> Clause:
        plural = [s for s, number in clause.agreement.items() if number == "p"]
        if (slot, case) == ("E", "A") and {"E", "A"} <= set(plural):
            raise NoFit
        return clause.change(**{slot: clause.marked(slot, case)})

    return error


def without_determiner(clause: Clause, rng: random.Random) -> Clause:
    """*Ikaslek* for *ikasle batek*. Nouns in -a are left out: *neskak* has the article."""
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
    """An auxiliary for the other number of a slot."""

    def error(clause: Clause, _: random.Random) -> Clause:
        numbers = clause.agreement
        return clause.change(
            aux=clause.auxiliary(**numbers | {slot: "p" if numbers[slot] == "s" else "s"})
        )

    return error


def other_arguments(clause: Clause, _: random.Random) -> Clause:
    """An auxiliary without the dative or ergative that is there, or with an ergative that is not.

    A dative is never added: it may be unsaid (*liburua irakurri dio*).
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

    Of objects that are no persons, as a bare *ikasle* can mean "as a pupil", and whose noun does
    not end in -a, as *gazta* may be a phrase alone.
    """
    noun, *rest = clause.parts["A"]
    bare = clause.arguments["A"].noun
    if not rest or "person" in bare.classes or bare.word.endswith("a"):
        raise NoFit
    return clause.change(A=[*rest, noun])


def auxiliary_first(clause: Clause, _: random.Random) -> Clause:
    """The auxiliary and the first word change places: no dialect opens a clause with it.

    Forms that may open one in another sense are left out.
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
    """*Arrainik* and the order of a negative clause, without *ez*."""
    return clause.change(ez=[])


def swap(order: Sequence[str], one: str, other: str) -> tuple[str, ...]:
    """The parts with two of them in each other's place."""
    return tuple({one: other, other: one}.get(part, part) for part in order)


# Errors of each type, taken in turn, with the valencies that show them; `not` is a negated nork.
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

"""Families of systems and what they have to offer: one module in `kasu.inflection.systems` each.

A family trains *members*, which differ in a seed, a configuration or a variant, and keeps their
n-best answers for dev and test. A *submission* is a function of these answers: each member on its
own, a vote, the best on dev. It needs no torch and no further training.

Plans read a family's members and submissions, so its module imports torch inside functions only.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, cast

from kasu.inflection.data.triples import Triple

BLOCK = 5  # members at most that one job trains


class Answer(NamedTuple):
    """The n-best forms for one item, best first, with their scores if the family has any."""

    forms: Sequence[str]
    scores: Sequence[float] = ()


class Answers(NamedTuple):
    """The answers of one member, one per item of dev and of test."""

    dev: Sequence[Answer]
    test: Sequence[Answer]


class Member(NamedTuple):
    """A trained member in one language; `dev_accuracy` is None if the language has no dev set."""

    dev: Sequence[Answer]
    test: Sequence[Answer]
    dev_accuracy: float | None


Run = tuple[str | None, int | None]
"""Variant and seed of a submission's predictions; None where there is none."""

Submission = Callable[[Mapping[str, Member]], Mapping[Run, Sequence[str]]]
"""From the members of a family in one language, by name, to a form for each test item."""


class Family(Protocol):
    """What a module of `kasu.inflection.systems` defines."""

    SUBMISSIONS: Mapping[str, Submission]
    """By name, as the paper prints it."""

    def members(
        self, setting: str, options: Mapping[str, object], seeds: Sequence[int]
    ) -> list[str]:
        """The names of all members.

        Args:
            setting: `low`, `medium` or `high`.
            options: the family's section of the config, empty without one.
            seeds: the config's seeds.
        """
        ...

    def train(
        self,
        train: Sequence[Triple],
        dev: Sequence[Triple],
        test: Sequence[tuple[str, str]],
        members: Sequence[str],
        options: Mapping[str, object],
    ) -> Mapping[str, Answers]:
        """Train members on one language; answer its dev and test items.

        Args:
            dev: for decisions on training, never to train on; may be empty.
            test: lemma and features of each item.

        Raises:
            KasuError: the data of this language cannot be used.
        """
        ...


def load_family(name: str) -> Family:
    """Import a family by the name of its module."""
    return cast(Family, importlib.import_module(f"kasu.inflection.systems.{name}"))


def blocks(members: Sequence[str]) -> list[tuple[str, ...]]:
    """Divide members into blocks, one job each; further members make new blocks at the end."""
    return [tuple(members[start : start + BLOCK]) for start in range(0, len(members), BLOCK)]

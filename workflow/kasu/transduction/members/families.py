"""Families of systems and what they have to offer: one module each in a study's `systems`.

A family trains *members*, which differ in variant and seed, and keeps their n-best answers for dev
and test. A *submission* is a function of these answers: each member on its own, a vote, the best on
dev. It needs no torch and no further training.

Plans read a family's constants, so its module imports torch inside functions only.
"""

import importlib
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, cast, get_args

from kasu.base.errors import KasuError
from kasu.transduction.items import Answer, Item
from kasu.transduction.voting import majority

MemberCount = Literal[1, 3, 5, 10, 12, 15, 20, 30, 40, 50]
"""How many members a family may have in a language. Those from one of these numbers to the next are
a block, which one job trains, so that further members are further jobs."""

Stack = Literal["auto", "always", "never"]


class Run(NamedTuple):
    """A member of a family, or the predictions of a submission.

    `variant` is None if the family has none. `seed` counts from 1; it is None where nothing is
    drawn, and in predictions made from several members.
    """

    variant: str | None = None
    seed: int | None = None


class Data(NamedTuple):
    """One language in one setting. Dev serves decisions on training; it may be empty.

    Test items have no target. `code` is that of the language, for upper and lower case; empty if
    no family of the study needs it.
    """

    language: str
    setting: str
    train: Sequence[Item]
    dev: Sequence[Item]
    test: Sequence[Item]
    code: str = ""


class Session(NamedTuple):
    """Where a family trains.

    Attributes:
        work: folder for states of the training, empty unless an earlier job was killed under the
            same data, options and code.
        device: `auto`, `cpu` or `cuda`.
        stack: whether networks are trained in one pass: `always`, `never`, or on a GPU (`auto`).
    """

    work: Path
    device: str = "auto"
    stack: Stack = "auto"


class Answers(NamedTuple):
    """The answers of one member, one per item of dev and of test."""

    dev: Sequence[Answer]
    test: Sequence[Answer]


class Member(NamedTuple):
    """A trained member in one language; `dev_accuracy` is None if the language has no dev set."""

    dev: Sequence[Answer]
    test: Sequence[Answer]
    dev_accuracy: float | None


Pooling = Callable[[Sequence[str], str, int | None], Sequence[Sequence[str]]]
"""From the languages of a setting, the setting and a member's seed to the pools that divide them.
A member has a model for each pool."""


def together(languages: Sequence[str], setting: str, seed: int | None) -> list[Sequence[str]]:
    """The pooling in which a member learns from all languages at once."""
    return [languages]


Submission = Callable[[Sequence[Member]], Sequence[str]]
"""From members of one variant in one language, by seed, to a form for each test item."""


def alone(members: Sequence[Member]) -> list[str]:
    """The submission in which each member stands on its own: the best form for each item.

    Every other submission is made from all members of a variant together.
    """
    (member,) = members
    return [answer.forms[0] for answer in member.test]


def vote(members: Sequence[Member]) -> list[str]:
    """The submission in which members vote; of equally frequent forms, the earliest member's."""
    return majority([alone([member]) for member in members])


class Family(Protocol):
    """What a module of a study's `systems` defines.

    If it has sizes or rates of its own, `Settings`, a `Section` with the paper's values as its
    defaults, becomes a section of the study's, under the family's name. `FILES` may name the
    settings that are paths of files which training reads. `POOLS` may say in which settings members
    learn from several languages at once, and from which: a Pooling by setting (see
    kasu.transduction.members.pooled).
    """

    VARIANTS: Mapping[str, object]
    """What differs between variants, by name; the first is the default. Empty without variants."""

    MEMBERS: Mapping[str, int | None]
    """How many members were published, by setting; None where nothing is drawn."""

    SUBMISSIONS: Mapping[str, Submission]
    """By name, as the paper prints it. `OF_VARIANT` may name the variant of a submission, by its
    name, where that is not the default."""

    def train(
        self,
        data: Data,
        members: Sequence[Run],
        options: Mapping[str, object],
        session: Session,
    ) -> Mapping[Run, Answers | KasuError]:
        """Train members on one language; answer its dev and test items.

        A member whose training diverges has its error in place of its answers.

        Args:
            options: the family's settings, empty if it has none.

        Raises:
            KasuError: no member can be trained on this language.
        """
        ...


@dataclass(frozen=True)
class Families:
    """The families of a study: the modules of a package."""

    package: str

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, sorted: a file of the folder is a family."""
        (folder,) = importlib.import_module(self.package).__path__
        return tuple(sorted(path.stem for path in Path(folder).glob("[a-z]*.py")))

    def load(self, name: str) -> Family:
        """Import a family by the name of its module."""
        return cast(Family, importlib.import_module(f"{self.package}.{name}"))

    def is_pooled(self, name: str) -> bool:
        """Whether members of a family learn from several languages at once in any setting."""
        return bool(self._pools(name))

    def pooling(self, name: str, setting: str) -> Pooling | None:
        """How the languages of a setting are pooled; None if members learn from one at a time."""
        return self._pools(name).get(setting)

    def _pools(self, name: str) -> Mapping[str, Pooling]:
        return getattr(self.load(name), "POOLS", {})

    def has_networks(self, name: str) -> bool:
        """Whether members of a family are networks."""
        return hasattr(self.load(name), "network")

    def submissions(self, name: str) -> dict[str, Submission]:
        """The submissions of a family.

        If all are made from several members, each member is also submitted alone, under the
        family's own name.
        """
        published = dict(self.load(name).SUBMISSIONS)
        return published if alone in published.values() else {name: alone} | published


def variant_of(family: Family, submission: str) -> str | None:
    """The variant that stands for a submission; None if the family has none."""
    own: Mapping[str, str] = getattr(family, "OF_VARIANT", {})
    return own.get(submission, next(iter(family.VARIANTS), None))


def check_variant(family: Family, name: str, variant: str, where: str) -> None:
    """Check that a family has a variant.

    Args:
        name: of the family.
        where: what names the variant, for the error.

    Raises:
        KasuError: it has not.
    """
    if variant not in family.VARIANTS:
        found = f"no variant {variant!r} of {name}"
        expected = "one of " + ", ".join(family.VARIANTS) if family.VARIANTS else "none"
        raise KasuError(where, found, expected)


def makes(family: Family, submission: str, run: Run) -> bool:
    """Whether a submission may be made from a member: some are of one variant only."""
    own: Mapping[str, str] = getattr(family, "OF_VARIANT", {})
    return own.get(submission, run.variant) == run.variant


def list_members(
    family: Family, setting: str, variants: Sequence[str] = (), count: int | None = None
) -> list[Run]:
    """The members of a family in a setting.

    Args:
        variants: by default the family's own default.
        count: how many seeds; by default as many as were published, or 1 in a setting without
            a publication. A family that draws nothing has one member, without a seed.
    """
    draws_nothing = set(family.MEMBERS.values()) == {None}
    published = family.MEMBERS.get(setting, None if draws_nothing else 1)
    seeds: Sequence[int | None] = (None,)
    if published is not None:
        seeds = range(1, (count or published) + 1)
    named: Sequence[str | None] = variants or list(family.VARIANTS)[:1] or [None]
    return [Run(variant, seed) for variant in named for seed in seeds]


def block_of(run: Run) -> int:
    """The number of a member's block, from 0."""
    return bisect_left(get_args(MemberCount), run.seed or 1)

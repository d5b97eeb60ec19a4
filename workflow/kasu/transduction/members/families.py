"""Families of systems and what they have to offer: one file each in a study's `systems`.

A family trains *members*, which differ in variant and seed, and keeps their n-best answers for dev
and test. A *submission* is a function of these answers: each member on its own, a vote, the best on
dev. It needs no torch and no further training.

A file ends in `FAMILY`, an object that says all of this. Plans read it, so functions import torch
when they are called, and nothing outside them does.
"""

import importlib
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError

from kasu.base.errors import KasuError
from kasu.config.settings import Section
from kasu.transduction.items import Answer, Item
from kasu.transduction.voting import best_on_dev, majority

MemberCount = Literal[1, 3, 5, 10, 12, 15, 20, 30, 40, 50]
"""How many members a family may have in a language. The members from one of these numbers to the
next are a block, which one job trains, so that further members are further jobs."""

Stack = Literal["auto", "always", "never"]


class Run(NamedTuple):
    """A member of a family, or the predictions of a submission.

    `variant` is None if the family has none. `seed` counts from 1; it is None where nothing is
    drawn, and in predictions made from several members.
    """

    variant: str | None = None
    seed: int | None = None


class Data(NamedTuple):
    """One language in one setting.

    Dev serves decisions on training; it may be empty. Test items have no target. `code` is the code
    of the language, for upper and lower case; it is empty if no family of the study needs it.
    `text` has the forms of the setting that the family `reads`, in their order.
    """

    language: str
    setting: str
    train: Sequence[Item]
    dev: Sequence[Item]
    test: Sequence[Item]
    code: str = ""
    text: Sequence[str] = ()


class Session(NamedTuple):
    """The folder and device on which a family trains.

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
"""A function of the languages of a setting, the setting and a member's seed. It returns the pools
that divide the languages; a member has a model for each pool."""


def together(languages: Sequence[str], setting: str, seed: int | None) -> list[Sequence[str]]:
    """Pool all languages, so that a member learns from all at once."""
    return [languages]


Submission = Callable[[Sequence[Member]], Sequence[str]]
"""A function of the members of one variant in one language, sorted by seed. It returns a form for
each test item."""


def alone(members: Sequence[Member]) -> list[str]:
    """Return the best form for each item: the submission in which a member stands on its own.

    Every other submission is made from all members of a variant together.
    """
    (member,) = members
    return [answer.forms[0] for answer in member.test]


def vote(members: Sequence[Member]) -> list[str]:
    """Let members vote; of equally frequent forms, the form of the earliest member wins."""
    return majority([alone([member]) for member in members])


def vote_by_dev(members: Sequence[Member], most: int | None = None) -> list[str]:
    """Let the `most` members of highest accuracy on dev vote, by default all.

    Of equally frequent forms, the form of the best member wins.
    """
    accuracies = {place: member.dev_accuracy for place, member in enumerate(members)}
    return vote([members[place] for place in best_on_dev(accuracies, most or len(members))])


Train = Callable[
    [Data, Sequence[Run], Mapping[str, object], Session], Mapping[Run, Answers | KasuError]
]
"""A function that trains members of a family: see `Family.train`."""


@cache
def _type_of(annotation: Any) -> TypeAdapter:
    """Return what checks a part of a family; a quoted annotation is that of a function."""
    kind: Any = Callable if isinstance(annotation, str) else annotation
    return TypeAdapter(kind, config=ConfigDict(arbitrary_types_allowed=True, strict=True))


@dataclass(frozen=True, kw_only=True, eq=False)
class Family(ABC):
    """A family of systems: what its file says, and what follows from it.

    Attributes:
        module: `__name__` of the file.
        members: how many members were published, by setting; None where nothing is drawn.
        submissions: functions from members to forms, by the name that the paper prints.
        variants: what differs between variants, by name; the first is the default. Empty without
            variants.
        of_variant: the variant of a submission, by its name, where it is not the default.
        settings: sizes and rates, with the paper's values as defaults: a section of the study's,
            under the family's name. None without any.
        files: the settings that are paths of files which training reads.
        pools: how languages are pooled, in each setting in which members learn from several at
            once (see kasu.transduction.members.pooled).
        has_networks: whether members are networks, which a GPU trains faster.
        reads: the setting whose training set is text for members of other settings: they read its
            forms, and neither lemmata nor features. None if members read their own setting alone.
    """

    module: str = field(kw_only=False)
    members: Mapping[str, int | None]
    submissions: Mapping[str, Submission]
    variants: Mapping[str, object] = field(default_factory=dict)
    of_variant: Mapping[str, str] = field(default_factory=dict)
    settings: type[Section] | None = None
    files: Sequence[str] = ()
    pools: Mapping[str, Pooling] = field(default_factory=dict)
    has_networks: bool = False
    reads: str | None = None

    def __post_init__(self) -> None:
        """Check the type of each part, and the names that one part takes from another.

        Raises:
            KasuError: a part has another type, or the other part does not have such a name.
        """
        for part in fields(self):
            try:
                kind: Any = part.type
                _type_of(kind).validate_python(getattr(self, part.name))
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, [part.name, *first["loc"]]))
                expected = first["msg"].removeprefix("Input should be ")
                if first["type"] == "sequence_str":  # of which the message says what is wrong
                    expected = "a list"
                found = f"{where}: {first['input']!r}"
                raise KasuError(self.module, found, expected) from error
        keys = self.settings.model_fields if self.settings else ()
        self.check_names("of_variant", self.of_variant, self.submissions)
        self.check_names("of_variant", self.of_variant.values(), self.variants)
        self.check_names("files", self.files, keys)
        if self.reads and self.pools:
            raise KasuError(
                self.module, f"reads: {self.reads!r}", "none where languages are pooled"
            )

    def check_names(self, part: str, names: Iterable[str], known: Collection[str]) -> None:
        """Check the names in a part of the family.

        Raises:
            KasuError: a name is not among the known ones.
        """
        for name in names:
            if name not in known:
                expected = f"one of {', '.join(known)}" if known else "none"
                raise KasuError(self.module, f"{part}: unknown name {name!r}", expected)

    @abstractmethod
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

    @property
    def name(self) -> str:
        """The name of the family, which is the name of its file."""
        return self.module.rpartition(".")[2]

    @property
    def all_submissions(self) -> dict[str, Submission]:
        """The submissions of the family.

        If all are made from several members, each member is also submitted alone, under the
        family's own name.
        """
        published = dict(self.submissions)
        return published if alone in published.values() else {self.name: alone} | published

    @property
    def default(self) -> str | None:
        """The default variant; None if the family has none."""
        return next(iter(self.variants), None)

    def variant_of(self, submission: str) -> str | None:
        """Return the variant that stands for a submission; None if the family has none."""
        return self.of_variant.get(submission, self.default)

    def makes(self, submission: str, run: Run) -> bool:
        """Return whether a submission may be made from a member: some are of one variant only."""
        return self.of_variant.get(submission, run.variant) == run.variant

    def check_variant(self, variant: str, where: str) -> None:
        """Check that the family has a variant.

        Args:
            where: the place that names the variant, for the error.

        Raises:
            KasuError: the family does not have it.
        """
        if variant not in self.variants:
            found = f"no variant {variant!r} of {self.name}"
            expected = "one of " + ", ".join(self.variants) if self.variants else "none"
            raise KasuError(where, found, expected)

    def list_members(
        self, setting: str, variants: Sequence[str] = (), count: int | None = None
    ) -> list[Run]:
        """List the members of the family in a setting.

        Args:
            variants: by default the family's own default.
            count: how many seeds; by default as many as were published, or 1 in a setting without
                a publication. A family that draws nothing has one member, without a seed.
        """
        draws_nothing = set(self.members.values()) == {None}
        published = self.members.get(setting, None if draws_nothing else 1)
        seeds: Sequence[int | None] = (None,)
        if published is not None:
            seeds = range(1, (count or published) + 1)
        named: Sequence[str | None] = variants or [self.default]
        return [Run(variant, seed) for variant in named for seed in seeds]


@dataclass(frozen=True, kw_only=True, eq=False)
class CustomFamily(Family):
    """A family with a function of its own that trains members: rules, say.

    Attributes:
        trained_by: the function; its arguments are the arguments of `Family.train`.
    """

    trained_by: Train

    def train(
        self,
        data: Data,
        members: Sequence[Run],
        options: Mapping[str, object],
        session: Session,
    ) -> Mapping[Run, Answers | KasuError]:
        """Train members by the family's own function."""
        return self.trained_by(data, members, options, session)


@dataclass(frozen=True)
class Families:
    """The families of a study: the files of a package.

    Attributes:
        settings: the settings of the study, which are all that a family may name; empty: any.
    """

    package: str
    settings: Sequence[str] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the families, sorted: each file of the folder is a family."""
        (folder,) = importlib.import_module(self.package).__path__
        return tuple(sorted(path.stem for path in Path(folder).glob("[a-z]*.py")))

    @property
    def submissions(self) -> dict[str, str]:
        """The family of each submission, by its name."""
        return {name: family for family in self.names for name in self.load(family).all_submissions}

    def load(self, name: str) -> Family:
        """Import a family by the name of its file.

        Raises:
            KasuError: the file cannot be imported, has no family, or one that lacks a part or
                names no setting of the study.
        """
        module = f"{self.package}.{name}"
        try:
            family = getattr(importlib.import_module(module), "FAMILY", None)
        except TypeError as error:
            if "Family.__init__() " not in str(error):
                raise
            raise KasuError(module, str(error), "what docs/add-a-system.md lists") from error
        except (ImportError, NameError, SyntaxError) as error:
            raise KasuError(module, str(error), "a file that Python can import") from error
        if not isinstance(family, Family):
            raise KasuError(module, "no FAMILY", "a file that ends in FAMILY = ...")
        if self.settings:
            family.check_names("members", family.members, self.settings)
            family.check_names("pools", family.pools, self.settings)
            family.check_names("reads", filter(None, [family.reads]), self.settings)
        return family


def block_of(run: Run) -> int:
    """Return the number of a member's block, from 0."""
    return bisect_left(get_args(MemberCount), run.seed or 1)

"""Families whose members can be saved: what a member has learnt answers at once, or later.

What is learnt is one object. The same method answers dev and test in the workflow, and words when
the object was saved and loaded.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from kasu.base.errors import KasuError
from kasu.job.run import log
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.bundles import Bundles
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, Data, Family, Run, Session

if TYPE_CHECKING:
    from torch import Tensor

State = Mapping[str, "Tensor | str"]
"""What is saved of what a member has learnt, besides training items: tensors and texts by name."""

S = TypeVar("S", bound="Tensor | str")


class Learnt(Protocol):
    """What a member has learnt. Networks are such objects."""

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the best forms of each item.

        Args:
            width: of the beam that finds them; without a beam, the most forms of an item.
        """
        ...

    def state_dict(self) -> State:
        """Return what has to be saved."""
        ...


@dataclass(frozen=True)
class Rules:
    """What is learnt where all follows from the training items: a function from item to form."""

    inflect: Callable[[Item], str]

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the one form of each item."""
        return [Answer([self.inflect(item)]) for item in items]

    def state_dict(self) -> State:
        """Return nothing, as the training items say all."""
        return {}


@dataclass(frozen=True)
class Incomplete:
    """What is learnt, less its answers to a last batch that is not full: they are empty."""

    learnt: Learnt
    batch: int

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the answers; those that are dropped are empty."""
        kept, answers = full(items, self.batch), self.learnt.answer(items, width)
        return [*answers[:kept], *[Answer([""])] * (len(items) - kept)]

    def state_dict(self) -> State:
        """Return what has to be saved."""
        return self.learnt.state_dict()


def full(items: Sequence[Item], batch: int) -> int:
    """Return how many items full batches have."""
    return len(items) // batch * batch


def join_states(parts: Mapping[str, Mapping[str, S]]) -> dict[str, S]:
    """Return the states of parts, by the name of each, as one."""
    return {f"{part}.{name}": each for part, state in parts.items() for name, each in state.items()}


def part_of(state: State, part: str) -> State:
    """Return the state of a part from what `join_states` returned."""
    start = f"{part}."
    return {
        name.removeprefix(start): each for name, each in state.items() if name.startswith(start)
    }


def as_given(data: Data) -> Data:
    """Return the data as they are, for families without a `prepare` of their own."""
    return data


@dataclass(frozen=True, kw_only=True, eq=False)
class LearningFamily(Family):
    """A family that says what its members have learnt.

    Attributes:
        width: with which members answer dev and test (see `Learnt.answer`).
        prepare: a function that returns the data that members learn from and answer, where these
            are not the data as given.
        needs_items: whether members answer from training items, which are then saved too.
    """

    width: int = 1
    prepare: Callable[[Data], Data] = as_given
    needs_items: bool = True

    @abstractmethod
    def learn(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> Mapping[Run, Learnt | KasuError]:
        """Train members; return what each has learnt, or the error of a training that diverges.

        Args:
            data: as `prepare` returns them.
        """

    @abstractmethod
    def load(self, data: Data, member: Run, options: Mapping[str, object], state: State) -> Learnt:
        """Return what a member has learnt, from its state.

        Args:
            data: without dev and test, as `prepare` returns them. Where the family needs no items,
                there is one for each bundle of features, whose lemma has all characters.

        Raises:
            KeyError, IndexError, RuntimeError, TypeError, ValueError: the state is of another
                system, or of another version.
        """

    def train(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> dict[Run, Answers | KasuError]:
        """Train members; return their answers, or the error of a training that diverges."""
        data = self.prepare(data)
        log_unknown(data)
        found: dict[Run, Answers | KasuError] = {}
        for member, learnt in self.learn(data, members, options, session).items():
            if isinstance(learnt, KasuError):
                found[member] = learnt
            else:
                answers = (learnt.answer(items, self.width) for items in (data.dev, data.test))
                found[member] = Answers(*answers)
        return found


Learn = Callable[
    [Data, Sequence[Run], Mapping[str, object], Session], Mapping[Run, Learnt | KasuError]
]
"""A function that trains members of a family: see `LearningFamily.learn`."""

Load = Callable[[Data, Run, Mapping[str, object], State], Learnt]
"""A function that returns what a member has learnt: see `LearningFamily.load`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelFamily(LearningFamily):
    """A family with functions of its own that train members and load them.

    Attributes:
        learnt_by: the function that trains; its arguments are those of `learn`.
        loaded_by: the function that loads; its arguments are those of `load`. None where all
            follows from the training items: members then learn from them again.
    """

    learnt_by: Learn
    loaded_by: Load | None = None

    def learn(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> Mapping[Run, Learnt | KasuError]:
        """Train members by the family's own function."""
        return self.learnt_by(data, members, options, session)

    def load(self, data: Data, member: Run, options: Mapping[str, object], state: State) -> Learnt:
        """Load a member by the family's own function."""
        if self.loaded_by:
            return self.loaded_by(data, member, options, state)
        learnt = self.learnt_by(data, [member], options, Session(Path()))[member]
        if isinstance(learnt, KasuError):
            raise learnt
        return learnt


def log_unknown(data: Data) -> None:
    """Log how many dev and test items have what training lacks."""
    asked = [*data.dev, *data.test]
    bundles = Bundles(item.tags for item in data.train)
    counted = count_unknown(asked, *alphabets(data.train), bundles)
    what = "dev and test items" if data.test else "dev items"
    log.info("%s, %s: of %d %s, %s", data.language, data.setting, len(asked), what, counted)


def count_unknown(
    asked: Sequence[Item], characters: Alphabet, tags: Alphabet, bundles: Bundles
) -> str:
    """Say in words how many items have what training lacks.

    An item with a feature that training lacks does not also count for its bundle.
    """
    known = [item for item in asked if not tags.foreign(item.tags)]
    bundled = sum(item.tags in bundles for item in known)
    spelled = sum(not characters.foreign(item.source) for item in asked)
    return (
        f"training lacks features of {len(asked) - len(known)}, bundles of {len(known) - bundled}"
        f" and characters of {len(asked) - spelled}"
    )

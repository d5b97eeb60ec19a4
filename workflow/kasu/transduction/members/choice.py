"""A member that is the best of several: the one that is right most often on dev."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from kasu.base.errors import KasuError
from kasu.job.run import log
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Data, Run
from kasu.transduction.members.learning import Learnt, State, join_states, part_of

PART = "part"


@dataclass(frozen=True)
class Chosen:
    """The part that answers for a member, by its name."""

    part: str
    learnt: Learnt

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the answers of the part."""
        return self.learnt.answer(items, width)

    def state_dict(self) -> State:
        """Return the name of the part and its state."""
        return {PART: self.part, **join_states({self.part: self.learnt.state_dict()})}


def choose(
    parts: Mapping[str, Learnt | KasuError], accuracy: Callable[[str], float]
) -> Chosen | KasuError:
    """Return the best part, the first of equals; if all diverge, the error of the first.

    Args:
        parts: by name, what each has learnt.
        accuracy: of a part on dev; it is asked where there is a choice.
    """
    kept = {part: each for part, each in parts.items() if not isinstance(each, KasuError)}
    if not kept:
        return next(each for each in parts.values() if isinstance(each, KasuError))
    best = max(kept, key=accuracy) if len(kept) > 1 else next(iter(kept))
    return Chosen(best, kept[best])


def choose_on_dev(
    system: str,
    data: Data,
    members: Mapping[Run, Mapping[str, Run]],
    found: Mapping[Run, Learnt | KasuError],
    counted: Callable[[Run, str], int] | None = None,
) -> dict[Run, Chosen | KasuError]:
    """Return the best part of each member on dev; log which one answers.

    Args:
        system: its name in the log.
        members: the parts of each member by name, as runs; members may share them.
        found: what each of these runs has learnt.
        counted: how many items of dev count for a part of a member, the first ones; by default all.
    """

    @cache
    def accuracy(run: Run, count: int) -> float:
        return share_right(cast(Learnt, found[run]), data.dev[:count])

    def best(member: Run, parts: Mapping[str, Run]) -> Chosen | KasuError:
        count = counted or (lambda *_: len(data.dev))
        chosen = choose(
            {part: found[run] for part, run in parts.items()},
            lambda part: accuracy(parts[part], count(member, part)),
        )
        if isinstance(chosen, Chosen):
            log.info("%s, %s, %s: %s answers", system, data.language, data.setting, chosen.part)
        return chosen

    return {member: best(member, parts) for member, parts in members.items()}


def chosen_part(state: State, parts: Sequence[str]) -> tuple[str, State]:
    """Return the name and the state of the part that was chosen, one of `parts`.

    Raises:
        KeyError: the state is not that of a `Chosen`.
        ValueError: another part was chosen.
    """
    part = str(state[PART])
    if part not in parts:
        raise ValueError(part)
    return part, part_of(state, part)


def share_right(learnt: Learnt, items: Sequence[Item], width: int = 1) -> float:
    """Return the share of items whose first form is right; 0 without an item."""
    pairs = zip(learnt.answer(items, width), items, strict=True)
    right = sum(answer.forms[0] == "".join(item.target or "") for answer, item in pairs)
    return right / max(len(items), 1)

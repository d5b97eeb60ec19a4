"""Imitation learning: a model that acts by itself in training, and an expert that corrects it.

First a trajectory is drawn step by step, without a gradient (roll-in). Then the model scores the
known trajectory in one pass, and learns what would have been right at each step: what the expert
says, or what a comparison of the model's own continuations says (roll-out).

Source: Makarov & Clematide (2018) §4.1, after Chang et al. (2015).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from rapidfuzz.distance import Levenshtein
from torch import Tensor

from kasu.transduction.alphabet import END, START
from kasu.transduction.edits.actions import COPY, ActionAlphabet, consuming
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position
from kasu.transduction.items import Item
from kasu.transduction.search import Decoder, State, device_of, greedy, take


def decay(k: float, epochs: int) -> float:
    """The share of the expert's steps in roll-in after that many epochs."""
    return k / (k + math.exp(epochs / k))


def set_loss(log_probs: Tensor, optimal: Tensor) -> Tensor:
    """Minus the log probability of a set of actions, (…).

    Args:
        log_probs: (…, V).
        optimal: (…, V), true for the actions of the set, of which there is one or more.
    """
    return -log_probs.masked_fill(~optimal, -torch.inf).logsumexp(-1)


class Lesson(NamedTuple):
    """What a model learns from one item: the actions taken, and what was right at each step."""

    actions: list[int]
    optimal: list[list[int]]


class Actor(Decoder, Protocol):
    """A decoder of edit actions."""

    alphabet: ActionAlphabet


class Teacher(Protocol):
    """Gives lessons."""

    def lesson(
        self, actor: Actor, state: State, item: Item, epoch: int, generator: torch.Generator
    ) -> Lesson:
        """The lesson of an item in an epoch, the first of which is 1.

        Args:
            state: the actor's first, of one row.
        """
        ...


@dataclass(frozen=True)
class Alignments:
    """A teacher with one sequence of actions per item, whatever the model does."""

    actions: Mapping[Item, Sequence[str]]

    def lesson(
        self, actor: Actor, state: State, item: Item, epoch: int, generator: torch.Generator
    ) -> Lesson:
        ids = actor.alphabet.encode(self.actions[item])
        return Lesson(ids, [[action] for action in ids])


class Trajectory(NamedTuple):
    """A sequence of actions, with what was known before each of them.

    Attributes:
        actions: ids; the last one is END unless the limit was reached.
        states: of the actor, after it has read the actions before.
        positions: of the oracle.
    """

    actions: list[int]
    states: list[State]
    positions: list[Position]


@dataclass(frozen=True)
class Expert:
    """A teacher that knows the optimal actions in every position.

    Attributes:
        limit: the maximal number of actions.
        k: of `decay`; other steps of roll-in are sampled from the model. None: the expert's alone.
        uniform: the expert draws from all optimal actions; else it takes the model's favourite.
        rolled_out: the share of items for which roll-outs say what is optimal.
        beta: what a roll-out pays for each unit of Levenshtein distance to the target.
    """

    limit: int
    k: float | None = None
    uniform: bool = False
    rolled_out: float = 0.0
    beta: float = 0.0

    @torch.no_grad()
    def lesson(
        self, actor: Actor, state: State, item: Item, epoch: int, generator: torch.Generator
    ) -> Lesson:
        oracle = DynamicOracle(item.source, item.target or "")
        sampled = self.sampled(epoch)
        numbers = torch.rand(1 + self.limit, 2, generator=generator, device=generator.device)
        (rolls_out, _), *draws = numbers.tolist()
        trajectory = self.roll_in(actor, state, oracle, sampled, draws)
        if rolls_out < self.rolled_out:
            optimal = self.roll_out(actor, oracle, trajectory)
        else:
            optimal = [oracle.optimal(position) for position in trajectory.positions]
        return Lesson(trajectory.actions, [actor.alphabet.encode(each) for each in optimal])

    def sampled(self, epoch: int) -> float:
        """The probability of a step that is sampled from the model."""
        return 0.0 if self.k is None else 1 - decay(self.k, epoch - 1)

    def roll_in(
        self,
        actor: Actor,
        state: State,
        oracle: DynamicOracle,
        sampled: float,
        draws: Sequence[Sequence[float]],
    ) -> Trajectory:
        """Draw a trajectory.

        Args:
            sampled: the probability of a step that is sampled from the model.
            draws: two numbers between 0 and 1 for each step: who takes it, and which action.
        """
        drawn = Trajectory([], [], [])
        position, action, device = Position(), START, device_of(state)
        for who, which in draws:
            log_probs, state = actor.step(state, torch.tensor([action], device=device))
            # A model that has diverged has nothing to sample from; training ends at its loss
            if who < sampled and not log_probs.isnan().any():
                # On a GPU, such sums may differ from run to run
                sums = log_probs[0].cpu().exp().cumsum(0)
                action = int((sums <= which * sums[-1]).sum())
            else:
                optimal = actor.alphabet.encode(oracle.optimal(position))
                favourite = 0 if len(optimal) == 1 else int(log_probs[0, optimal].argmax())
                action = optimal[int(which * len(optimal)) if self.uniform else favourite]
            drawn.actions.append(action)
            drawn.states.append(state)
            drawn.positions.append(position)
            if action == END:
                break
            position = oracle.after(position, *actor.alphabet.decode([action]))
        return drawn

    def roll_out(
        self, actor: Actor, oracle: DynamicOracle, trajectory: Trajectory
    ) -> list[list[str]]:
        """The optimal actions at each step, if the model goes on greedily after them.

        The model completes all candidates of all steps in one batch. The cost of a candidate is
        the number of edits, its own and those that follow, plus `beta` times the distance of what
        is written in the end to the target.
        """
        choices = [oracle.candidates(position) for position in trajectory.positions]
        rows = [
            (step, action)
            for step, candidates in enumerate(choices[: self.limit - 1])
            for action in candidates
            if len(candidates) > 1
        ]
        if not rows:
            return [oracle.optimal(position) for position in trajectory.positions]
        steps = [step for step, _ in rows]
        states = _joined(trajectory.states)
        device = device_of(states)
        states = take(states, torch.tensor(steps, device=device))
        first = torch.tensor(actor.alphabet.encode(action for _, action in rows), device=device)
        found = greedy(actor, states, [self.limit - step - 1 for step in steps], first)
        costs: list[dict[str, float]] = [{} for _ in choices]
        for (step, action), (ids, _) in zip(rows, found, strict=True):
            before = actor.alphabet.decode(trajectory.actions[:step])
            following = [action, *actor.alphabet.decode(ids)]
            distance = Levenshtein.distance(
                consuming(oracle.source, before + following), oracle.target
            )
            edits = len(following) - following.count(COPY)
            costs[step][action] = edits + self.beta * distance
        return [
            [action for action in priced if priced[action] == min(priced.values())]
            or oracle.optimal(position)
            for priced, position in zip(costs, trajectory.positions, strict=True)
        ]


def _joined(states: Sequence[State]) -> State:
    """The rows of several states in one."""
    first = states[0]
    if isinstance(first, Tensor):
        return torch.cat(states)
    parts = [_joined(each) for each in zip(*states, strict=True)]
    return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)

"""Imitation learning: a model that acts by itself in training, and an expert that corrects it.

First a trajectory is drawn step by step, without a gradient (roll-in). Then the model scores the
known trajectory in one pass, and learns what would have been right at each step. That is what an
oracle says, or a comparison of the model's own continuations (roll-out). The expert's steps of a
trajectory are among the right ones.

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
    """Return the expert's share of the steps in roll-in after that many epochs."""
    return k / (k + math.exp(epochs / k))


def set_loss(log_probs: Tensor, optimal: Tensor) -> Tensor:
    """Return the negative log probability of a set of actions, (…).

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
        """Return the lesson of an item in an epoch, the first of which is 1.

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
        log_probs: its log probabilities, (1, V) each.
        positions: of the oracle.
        optimal: the actions that are right.
    """

    actions: list[int]
    states: list[State]
    log_probs: list[Tensor]
    positions: list[Position]
    optimal: list[list[str]]

    def cut(self, steps: int) -> None:
        """Keep the first steps."""
        for part in (self.actions, self.states, self.log_probs, self.positions, self.optimal):
            del part[steps:]


class Conditions(NamedTuple):
    """What the trajectories of an item are drawn under.

    Attributes:
        state: the actor's before its first action, of one row.
        sampled: the probability of a step that is sampled from the model.
        draws: for each step two numbers between 0 and 1: who takes it, and which action.
    """

    actor: Actor
    state: State
    oracle: DynamicOracle
    sampled: float
    draws: Sequence[Sequence[float]]


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
        # All draws at once, whatever the model does: the first decides on roll-outs
        numbers = torch.rand(1 + self.limit, 2, generator=generator, device=generator.device)
        (rolls_out, _), *draws = numbers.tolist()
        given = Conditions(actor, state, oracle, self.sampled(epoch), draws)
        trajectory = Trajectory([], [], [], [], [])
        self.roll_in(given, trajectory)
        if rolls_out < self.rolled_out:
            self.revise(given, trajectory)
        optimal = [actor.alphabet.encode(each) for each in trajectory.optimal]
        return Lesson(trajectory.actions, optimal)

    def sampled(self, epoch: int) -> float:
        """Return the probability of a step that is sampled from the model."""
        return 0.0 if self.k is None else 1 - decay(self.k, epoch - 1)

    def roll_in(self, given: Conditions, trajectory: Trajectory) -> None:
        """Draw a trajectory to its end; what is right at a step is what the oracle says.

        Args:
            trajectory: empty, or its beginning.
        """
        actor, state, oracle, _, draws = given
        actions, device = trajectory.actions, device_of(state)
        # A trajectory that was cut goes on from its last state
        if actions:
            state = trajectory.states[-1]
        for step in range(len(actions), len(draws)):
            position, previous = Position(), START
            if actions:
                previous = actions[-1]
                taken = actor.alphabet.decode([previous])
                position = oracle.after(trajectory.positions[-1], *taken)
            log_probs, state = actor.step(state, torch.tensor([previous], device=device))
            optimal = oracle.optimal(position)
            action = self.act(given, step, log_probs, optimal)
            actions.append(action)
            trajectory.states.append(state)
            trajectory.log_probs.append(log_probs)
            trajectory.positions.append(position)
            trajectory.optimal.append(optimal)
            if action == END:
                break

    def act(self, given: Conditions, step: int, log_probs: Tensor, optimal: Sequence[str]) -> int:
        """Choose the action of a step: the model's or the expert's.

        Args:
            log_probs: of the model, (1, V).
            optimal: the expert takes one of these.
        """
        who, which = given.draws[step]
        # A model that has diverged has nothing to sample from; training ends at its loss
        if who < given.sampled and not log_probs.isnan().any():
            # On a GPU, such sums may differ from run to run
            sums = log_probs[0].cpu().exp().cumsum(0)
            return int((sums <= which * sums[-1]).sum())
        # The expert's step: any optimal action, or the model's favourite among them
        ids = given.actor.alphabet.encode(optimal)
        favourite = 0 if len(ids) == 1 else int(log_probs[0, ids].argmax())
        return ids[int(which * len(ids)) if self.uniform else favourite]

    def revise(self, given: Conditions, trajectory: Trajectory) -> None:
        """Let roll-outs say what is right, step by step, in place of the oracle.

        All steps are rolled out in one batch. Where the expert then goes another way, what follows
        is drawn and rolled out anew, so that it is the trajectory of an expert who rolls out before
        each step.
        """
        known = 0
        while known < len(trajectory.actions):
            for step, optimal in enumerate(self.roll_out(given, trajectory, known), known):
                known = step + 1
                if optimal == trajectory.optimal[step]:
                    continue
                trajectory.optimal[step] = optimal
                action = self.act(given, step, trajectory.log_probs[step], optimal)
                if action != trajectory.actions[step]:
                    trajectory.cut(known)
                    trajectory.actions[step] = action
                    self.roll_in(given, trajectory)
                    break

    def roll_out(
        self, given: Conditions, trajectory: Trajectory, begin: int = 0
    ) -> list[list[str]]:
        """Return the optimal actions of each step from `begin` on, if the model goes on greedily.

        The model completes all candidates of all steps in one batch. The cost of a candidate is
        the number of edits, its own and those that follow, plus `beta` times the distance of what
        is written in the end to the target.
        """
        actor, oracle = given.actor, given.oracle
        positions = trajectory.positions[begin:]
        # One row for each candidate where there is a choice, and room to go on
        rows = [
            (step, action)
            for step, position in enumerate(positions[: self.limit - 1 - begin], begin)
            if len(candidates := oracle.candidates(position)) > 1
            for action in candidates
        ]
        if not rows:
            return trajectory.optimal[begin:]
        # Each row starts from the state before its step, reads its candidate, then goes on greedily
        steps = [step for step, _ in rows]
        states = _joined(trajectory.states)
        device = device_of(states)
        states = take(states, torch.tensor(steps, device=device))
        first = torch.tensor(actor.alphabet.encode(action for _, action in rows), device=device)
        found = greedy(actor, states, [self.limit - step - 1 for step in steps], first)
        costs: list[dict[str, float]] = [{} for _ in trajectory.positions]
        for (step, action), (ids, _) in zip(rows, found, strict=True):
            # What would be written: by the trajectory so far, the candidate and what follows
            before = actor.alphabet.decode(trajectory.actions[:step])
            following = [action, *actor.alphabet.decode(ids)]
            distance = Levenshtein.distance(
                consuming(oracle.source, before + following), oracle.target
            )
            edits = len(following) - following.count(COPY)
            costs[step][action] = edits + self.beta * distance
        # Where there was no choice, the oracle answers
        return [
            [action for action in priced if priced[action] == min(priced.values())]
            or oracle.optimal(position)
            for priced, position in zip(costs[begin:], positions, strict=True)
        ]


def _joined(states: Sequence[State]) -> State:
    """Join the rows of several states."""
    first = states[0]
    if isinstance(first, Tensor):
        return torch.cat(states)
    parts = [_joined(each) for each in zip(*states, strict=True)]
    return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)

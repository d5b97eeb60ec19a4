"""Search for the most probable outputs of a decoder: greedy, or with a beam."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from kasu.transduction.alphabet import END, START

State = Any
"""What a decoder knows of its items: nested tuples of one tensor or more, whose rows are items."""


TOGETHER = 256
"""Items that networks decode as one batch."""


class Decoder(Protocol):
    """Anything that gives the probabilities of the next symbol."""

    def step(self, state: State, previous: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        ...


class Hypothesis(NamedTuple):
    """An output without START and END, and the sum of its log probabilities, that of END too."""

    ids: list[int]
    score: float


def take(state: State, rows: Tensor) -> State:
    """Take rows of a state, each any number of times."""
    if isinstance(state, Tensor):
        return state[rows]
    parts = [take(part, rows) for part in state]
    return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)


def device_of(state: State) -> torch.device:
    """Return the device of a state."""
    while not isinstance(state, Tensor):
        state = state[0]
    return state.device


@torch.no_grad()
def greedy(
    decoder: Decoder, state: State, limits: Sequence[int], previous: Tensor | None = None
) -> list[Hypothesis]:
    """Search greedily: take the most probable symbol at every step.

    Args:
        state: of one row per item.
        limits: the maximal number of symbols of each item, 1 or more; END does not count.
        previous: (B,), the symbol that each item goes on from; START if None.
    """
    found = [Hypothesis([], 0.0) for _ in limits]
    device = device_of(state)
    rows = torch.arange(len(limits), device=device)
    left = torch.tensor(limits, device=device)
    if previous is None:
        previous = torch.full_like(rows, START)
    while len(rows):
        log_probs, state = decoder.step(state, previous)
        best, previous = log_probs.max(1)
        going = previous != END
        for row, symbol, score in zip(*map(Tensor.tolist, (rows, previous, best)), strict=True):
            ids, total = found[row]
            found[row] = Hypothesis(ids + [symbol] * (symbol != END), total + score)
        left -= 1
        going &= left > 0
        # Finished items leave, and cost nothing further
        if not going.all():
            keep = going.nonzero().squeeze(1)
            rows, left, previous = rows[keep], left[keep], previous[keep]
            state = take(state, keep)
    return found


@torch.no_grad()
def beam(
    decoder: Decoder, state: State, limits: Sequence[int], width: int
) -> list[list[Hypothesis]]:
    """Search with a beam: return up to `width` outputs for each item, best first.

    A finished hypothesis leaves the beam, which is narrower by one from then on. Hypotheses that
    reach the limit unfinished count only for an item without a finished one.

    Args:
        state: of one row per item.
        limits: as in `greedy`.
    """
    found: list[list[Hypothesis]] = [[] for _ in limits]
    rows = list(range(len(limits)))  # the items that are not done
    beams: list[list[list[int]]] = [[[]] * width for _ in limits]
    device = device_of(state)
    places = torch.arange(len(limits), device=device).repeat_interleave(width)
    state, previous = take(state, places), torch.full_like(places, START)
    # All places in a beam start alike, so only one of them may go on
    scores = torch.full((len(limits), width), -torch.inf, dtype=torch.float64, device=device)
    scores[:, 0] = 0
    steps = 0
    while rows:
        steps += 1
        log_probs, state = decoder.step(state, previous)
        # The best `width` of all continuations of an item: (B, width · V)
        totals = scores.unsqueeze(2) + log_probs.view(len(rows), width, -1)
        scores, places = totals.flatten(1).topk(width)
        parents, symbols = places // totals.shape[2], places % totals.shape[2]
        going = []
        for at, row in enumerate(rows):
            # Each finished hypothesis has narrowed the beam by one
            free = width - len(found[row])
            best = zip(*map(Tensor.tolist, (scores[at], parents[at], symbols[at])), strict=True)
            grown: list[Hypothesis | None] = []
            for score, parent, symbol in best:
                ids, alive = beams[row][parent], len(grown) < free and score > -torch.inf
                if alive and symbol == END:
                    found[row].append(Hypothesis(ids, score))
                grown.append(Hypothesis([*ids, symbol], score) if alive and symbol != END else None)
            left = list(filter(None, grown))
            if steps == limits[row]:
                found[row], left = found[row] or left, []
            dead = [each is None for each in grown]
            # They stay in the beam, but read nothing that a decoder could not act on
            scores[at, dead], symbols[at, dead] = -torch.inf, END
            beams[row] = [each.ids if each else [] for each in grown]
            going.append(bool(left))
        # Finished items leave; each hypothesis takes the state of its parent
        keep = torch.tensor(going, device=device).nonzero().squeeze(1)
        rows = [row for row, goes in zip(rows, going, strict=True) if goes]
        state = take(state, (keep.unsqueeze(1) * width + parents[keep]).flatten())
        previous, scores = symbols[keep].flatten(), scores[keep]
    return [sorted(each, key=lambda hypothesis: -hypothesis.score) for each in found]


def search(
    decoder: Decoder,
    state: State,
    limits: Sequence[int],
    width: int,
    *,
    normalised: bool = False,
) -> list[list[Hypothesis]]:
    """Return the best outputs of each item by a beam of `width`; greedily if that is 1.

    Args:
        normalised: rank them by their mean log probability per symbol, END included, and give it
            as their score.
    """
    if width == 1:
        found = [[best] for best in greedy(decoder, state, limits)]
    else:
        found = beam(decoder, state, limits, width)
    if not normalised:
        return found
    means = ([Hypothesis(ids, score / (len(ids) + 1)) for ids, score in each] for each in found)
    return [sorted(each, key=lambda hypothesis: -hypothesis.score) for each in means]

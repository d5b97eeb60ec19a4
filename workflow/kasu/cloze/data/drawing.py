"""Training and test sets drawn from candidate sentences (§3.2)."""

import heapq
from collections.abc import Callable, Iterable, Sequence

from kasu.cloze.data.treebank import Candidate
from kasu.job.run import seed_of

BUDGETS = {"low": 1_000, "medium": 10_000, "high": 100_000}
"""Tokens of a training set; with its last sentence it reaches them."""
TEST_TARGETS = 1_000


def draw(
    candidates: Iterable[Candidate], budget: int, cost: Callable[[Candidate], int], seed: int
) -> list[Candidate]:
    """Draw sentences at random until they cost as much as the budget, or all; in drawn order.

    The place of a sentence in the order follows from its id alone, so a treebank that grows keeps
    its order. No more sentences are held than are drawn.
    """
    # Of the sentences seen so far, those that come first in the order
    drawn: list[tuple[int, int, Candidate]] = []
    total = 0
    for number, candidate in enumerate(candidates):
        priority = seed_of("cloze sentence", seed, candidate.id)
        # Negated: the top of the heap is the sentence that comes last, the first to go
        heapq.heappush(drawn, (-priority, -number, candidate))
        total += cost(candidate)
        while total - cost(drawn[0][2]) >= budget:
            total -= cost(heapq.heappop(drawn)[2])
    return [candidate for _, _, candidate in sorted(drawn, key=lambda each: each[:2], reverse=True)]


def head(drawn: Sequence[Candidate], budget: int) -> list[Candidate]:
    """Return the first sentences, until their tokens reach the budget, or all.

    They are a smaller training set.
    """
    taken, total = [], 0
    for candidate in drawn:
        if total >= budget:
            break
        taken.append(candidate)
        total += tokens(candidate)
    return taken


def tokens(candidate: Candidate) -> int:
    """Count the tokens of a sentence."""
    return len(candidate.words)


def choose_hit(candidate: Candidate, seed: int) -> int:
    """Choose the place of the one word that the test asks for in a sentence."""
    return candidate.hits[seed_of("cloze target", seed, candidate.id) % len(candidate.hits)]

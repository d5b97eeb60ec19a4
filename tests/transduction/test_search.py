"""Searches over a decoder whose probabilities are a table."""

from itertools import pairwise, product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.alphabet import END, START
from kasu.transduction.search import Hypothesis, beam, greedy, search, take

A, B = 4, 5


class Table:
    """The probabilities of a symbol given the one before, different for every item."""

    def __init__(self, seed: int, items: int) -> None:
        weights = torch.randn(items, 6, 6, generator=torch.Generator().manual_seed(seed))
        weights[:, :, [0, START, 3]] = -torch.inf  # never predicted
        self.log_probs = weights.log_softmax(2)

    def state(self):
        return (self.log_probs,)

    def step(self, state, previous):
        (table,) = state
        return table[torch.arange(len(previous)), previous], state

    def score(self, item: int, ids: list[int], limit: int) -> float:
        read = [START, *ids, END] if len(ids) < limit else [START, *ids]
        table = self.log_probs[item].double()
        return sum(table[pair].item() for pair in pairwise(read))


def outputs(limit: int) -> list[list[int]]:
    return [list(ids) for length in range(limit) for ids in product((A, B), repeat=length)]


@given(st.integers(0, 999))
def test_greedy_takes_the_best_symbol_at_each_step(seed):
    table = Table(seed, 1)
    (found,) = greedy(table, table.state(), [6])
    read = START
    for symbol in [*found.ids, END][:6]:
        assert table.log_probs[0, read].argmax() == symbol
        read = symbol
    assert found.score == pytest.approx(table.score(0, found.ids, 6), abs=1e-5)


@given(st.integers(0, 999))
def test_a_beam_of_one_is_greedy(seed):
    table = Table(seed, 3)
    limits = [1, 4, 7]
    found = beam(table, table.state(), limits, 1)
    assert [each for (each,) in found] == greedy(table, table.state(), limits)


@given(st.integers(0, 999))
def test_a_wide_beam_finds_the_best_outputs_of_all(seed):
    table = Table(seed, 2)
    found = beam(table, table.state(), [4, 4], 40)
    for item, best in enumerate(found):
        every = sorted(outputs(4), key=lambda ids: -table.score(item, ids, 4))
        assert [each.ids for each in best] == every
        assert best[0].score == pytest.approx(table.score(item, every[0], 4), abs=1e-5)


def test_items_do_not_change_one_another():
    table = Table(7, 5)
    limits = [3, 9, 1, 5, 2]
    together = beam(table, table.state(), limits, 3)
    for item, limit in enumerate(limits):
        alone = beam(table, take(table.state(), torch.tensor([item])), [limit], 3)
        assert alone == [together[item]]


def test_an_output_ends_at_its_limit():
    class Endless:
        def step(self, state, previous):
            log_probs = torch.full((len(previous), 6), -torch.inf)
            log_probs[:, A] = -1.0
            return log_probs, state

    state = (torch.zeros(1),)  # one item
    assert greedy(Endless(), state, [3]) == [Hypothesis([A, A, A], -3.0)]
    assert beam(Endless(), state, [3], 2) == [[Hypothesis([A, A, A], -3.0)]]


def test_places_without_a_hypothesis_read_nothing_that_is_impossible():
    """A pointer would move past the end of its source."""
    read = []

    class Noted(Table):
        def step(self, state, previous):
            read.extend(previous.tolist())
            return super().step(state, previous)

    noted = Noted(3, 1)
    noted.log_probs[:, :, B] = -torch.inf
    found = beam(noted, noted.state(), [5], 4)
    assert set(read) == {START, A, END}
    assert all(set(each.ids) <= {A} for each in found[0])


def test_no_items_have_no_outputs():
    table = Table(1, 0)
    assert greedy(table, table.state(), []) == []
    assert beam(table, table.state(), [], 4) == []


@pytest.mark.parametrize("width", [1, 8])
def test_outputs_may_be_ranked_by_their_mean(width):
    table = Table(3, 2)
    plain = search(table, table.state(), [4, 4], width)
    means = search(table, table.state(), [4, 4], width, normalised=True)
    for one, other in zip(plain, means, strict=True):
        expected = {tuple(each.ids): each.score / (len(each.ids) + 1) for each in one}
        assert {tuple(each.ids): each.score for each in other} == expected
        scores = [each.score for each in other]
        assert scores == sorted(scores, reverse=True)

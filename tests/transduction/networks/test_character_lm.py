from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.transduction.alphabet import UNKNOWN, Alphabet
from kasu.transduction.items import Answer, Item
from kasu.transduction.networks.character_lm import CharacterLM, rank

CHARACTERS, TAGS = Alphabet("ab"), Alphabet(["V", "V_PST"])
PAST = ("V", "V_PST")


def model(**more) -> CharacterLM:
    torch.manual_seed(3)
    sizes = {"history": 2, "layers": 2, "size": 5, "feature": 3, "dense": 4}
    return CharacterLM(CHARACTERS, TAGS, **sizes | more)


def test_all_strings_are_one():
    """The strings of up to two characters, and all that begin with two."""
    made = model()
    symbols = "ab?"  # the last is UNKNOWN
    strings = ["", *symbols, *map("".join, product(symbols, repeat=2))]
    ended = made.log_prob(strings, [PAST] * len(strings)).exp()
    beginnings = torch.zeros(0, dtype=torch.float64)
    for pair in product(CHARACTERS.encode(symbols), repeat=2):
        state, log_prob, previous = made.start(torch.tensor([TAGS.encode(PAST)])), 0.0, 1
        for each in pair:
            log_probs, state = made.step(state, torch.tensor([previous]))
            log_prob, previous = log_prob + log_probs[0, each].item(), each
        log_probs, _ = made.step(state, torch.tensor([previous]))
        log_probs[0, 2] = -torch.inf  # those that end here are counted already
        longer = torch.tensor([log_prob]).exp() * log_probs.exp().sum()
        beginnings = torch.cat([beginnings, longer.detach()])
    assert len(ended) == 13
    assert ended.sum().item() + beginnings.sum().item() == pytest.approx(1, abs=1e-6)


def test_backward_is_forward_on_reversed_strings():
    forward, backward = model(), model(backward=True)
    found = backward.log_prob(["abb", "ba"], [PAST, ()])
    assert torch.equal(found, forward.log_prob(["bba", "ab"], [PAST, ()]))
    assert not torch.equal(found, forward.log_prob(["abb", "ba"], [PAST, ()]))
    batches = backward.batch([Item("", PAST, "abb")]), forward.batch([Item("", PAST, "bba")])
    assert backward.loss(batches[0]) == forward.loss(batches[1])


@settings(max_examples=10)
@given(st.lists(st.text("ab?", max_size=6), min_size=1, max_size=5))
def test_padding_makes_no_difference(strings):
    made = model()
    together = made.log_prob(strings, [PAST] * len(strings))
    alone = [made.log_prob([each], [PAST]).item() for each in strings]
    assert together.tolist() == pytest.approx(alone, abs=1e-5)


def test_the_loss_is_a_mean_over_characters():
    made = model()
    items = [Item("", PAST, "abb"), Item("", (), "")]
    total = made.log_prob(["abb", ""], [PAST, ()]).sum().item()
    assert made.loss(made.batch(items)).item() == pytest.approx(-total / 5, abs=1e-5)


def test_an_unknown_character_is_one_symbol():
    made = model()
    assert CHARACTERS.encode("ž") == [UNKNOWN]
    one, other = made.log_prob(["až", "aš"], [PAST, PAST]).tolist()
    assert one == other > -100


def test_features_make_a_difference_and_unknown_ones_none():
    made = model()
    made.features.weight.data.abs_()  # so that each feature passes the ReLU
    strings = ["ab"] * 4
    found = made.log_prob(strings, [PAST, ("V",), ("V", "V_FUT"), ("N",)]).tolist()
    assert found[0] != found[1]
    assert found[1] == found[2] != found[3]


def test_states_are_those_of_single_steps():
    made = model()
    ids, tags = made.batch([Item("", PAST, "abba")])
    state = made.start(tags)
    for place, output in enumerate(made.states(ids, tags)[0]):
        state = made.advance(state, ids[:, place])
        assert torch.allclose(state.hidden[-2][0], output, atol=1e-6)


def test_a_step_reads_the_last_characters_only_through_its_history():
    made = model(history=3)
    assert made.cell.layers[0].kernel.input_size == 3 * len(CHARACTERS) + 3
    state = made.start(torch.tensor([[0]]))
    for each in (1, 4, 5, 4):
        state = made.advance(state, torch.tensor([each]))
    assert state.read.tolist() == [[4, 5, 4]]


class Model:
    """A language model to which a form costs its length, times a factor."""

    def __init__(self, factor):
        self.factor, self.tags = factor, []

    def log_prob(self, strings, tags):
        self.tags = list(tags)
        return torch.tensor([-self.factor * len(form) for form in strings])


def test_the_sum_of_both_models_ranks():
    models = [Model(3.0), Model(-1.0)]
    forms = [["abc", "a", "ab", "xy"], ["a"]]
    found = rank(models, [Item("q", PAST), Item("r", ())], forms, 5)
    assert found[0] == Answer(["a", "ab", "xy", "abc"], [-2.0, -4.0, -4.0, -6.0])
    assert found[1] == Answer(["a"], [-2.0])
    assert models[0].tags == [PAST] * 4 + [()]


def test_as_many_forms_as_asked_for_are_kept():
    forms = ["a" * count for count in range(1, 9)]
    (found,) = rank([Model(1.0)], [Item("q", ())], [forms], 5)
    assert found.forms == forms[:5]
    (found,) = rank([Model(1.0)], [Item("q", ())], [forms], 7)
    assert found.forms == forms[:7]

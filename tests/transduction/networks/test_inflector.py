"""The inflector: characters, then features, are read; a GRU attends to them and writes."""

import pytest
import torch

from kasu.transduction.alphabet import END, START, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.inflector import Inflector

TOUCH = Item("touch", ("V", "V.PTCP", "PRS"), "touching")
PLAN = Item("plan", ("N", "PL"), "plans")
CHARACTERS, TAGS = Alphabet("touchingplas"), Alphabet(["V", "V.PTCP", "PRS", "N", "PL"])


def network() -> Inflector:
    torch.manual_seed(6)
    return Inflector(CHARACTERS, TAGS, embedding=4, size=5).eval()


def test_characters_and_then_features_are_read_without_boundaries():
    batch = network().batch([TOUCH, PLAN])
    touch, plan = batch.source.tolist()
    assert len(touch) == 8
    tags = [len(CHARACTERS) + number for number in TAGS.encode(["N", "PL"])]
    assert plan == [*CHARACTERS.encode("plan"), *tags, 0, 0]
    assert batch.target is not None
    # Nine symbols to be written, the end among them
    assert batch.target[0].tolist() == [START, *CHARACTERS.encode("touching"), END]


def test_a_word_of_nothing_is_an_end():
    assert network().batch([Item("", ())]).source.tolist() == [[END]]


def test_the_loss_is_the_mean_over_symbols():
    made = network()
    alone = [made.loss(made.batch([each])).item() for each in (TOUCH, PLAN)]
    expected = (9 * alone[0] + 6 * alone[1]) / 15
    assert made.loss(made.batch([TOUCH, PLAN])).item() == pytest.approx(expected, abs=1e-6)


def test_it_starts_from_a_vector_that_is_learnt():
    made = network()
    state = made.start(made.batch([TOUCH, PLAN]))
    assert torch.equal(state.hidden[0], made.first.expand(2, -1))
    made.loss(made.batch([TOUCH])).backward()
    assert made.first.grad is not None
    assert made.first.grad.any()


def test_features_are_told_from_characters():
    made = Inflector(Alphabet("ab"), Alphabet(["a", "b"]), embedding=4, size=5)
    one, two = made.answer([Item("ab", ()), Item("a", ("b",))])
    assert one.scores != two.scores


def test_answers_do_not_depend_on_the_other_items():
    made = network()
    together = made.answer([TOUCH, PLAN])
    for item, answer in zip((TOUCH, PLAN), together, strict=True):
        (alone,) = made.answer([item])
        assert alone.forms == answer.forms
        assert alone.scores == pytest.approx(answer.scores, abs=1e-5)


def test_an_answer_ends_ten_symbols_after_twice_the_lemma():
    assert network().limits([PLAN, Item("", ())]) == [18, 10]

"""The network that reads a lemma and both sides of its sentence."""

import pytest
import torch
from torch import nn

from kasu.cloze.context.sides import Sides
from kasu.cloze.context.subwords import learn_subwords
from kasu.cloze.networks.three_encoders import ThreeEncoders
from kasu.transduction.alphabet import END, START, UNKNOWN, Alphabet
from kasu.transduction.items import Context, Item, Token

BUSH = [Token(form, None, ()) for form in ("Bush", "made", "plans", "to", "leave", ".")]
SUBWORDS = learn_subwords({each.form: 2 for each in BUSH}, 3)


def item(place: int, tokens=BUSH, lemma: str = "plan") -> Item:
    return Item(lemma, (), "plans", Context(tokens, place))


def network(**changes) -> ThreeEncoders:
    torch.manual_seed(5)
    sizes = {"embedding": 4, "size": 6, "dropout": 0.0} | changes
    return ThreeEncoders(Alphabet("plans"), SUBWORDS, **sizes)


def log_probs(made: ThreeEncoders, *items: Item) -> torch.Tensor:
    """Log probabilities after START, for each item."""
    with torch.no_grad():
        batch = made.batch(items)
        return made.decoder.step(made.start(batch), batch.target[:, 0])[0]


def test_both_sides_are_read_from_left_to_right_by_units():
    batch = network().batch([item(2)])
    ids = SUBWORDS.encode
    assert batch.before.tolist() == [[*ids("Bush"), *ids("made")]]
    assert batch.after.tolist() == [[*ids("to"), *ids("leave"), *ids(".")]]
    assert batch.source.tolist() == [[START, *Alphabet("plans").encode("plan"), END]]


def test_a_side_without_words_is_one_boundary_and_a_hidden_word_one_unknown_unit():
    batch = network().batch([item(0, BUSH[:1])])
    assert (batch.before.tolist(), batch.after.tolist()) == ([[START]], [[START]])
    hidden = [Token(None, None, ()), *BUSH[1:3]]
    assert network().batch([item(2, hidden)]).before[0, 0] == UNKNOWN


def test_with_nothing_but_boundaries_the_sentence_makes_no_difference():
    made = network().eval()
    made.sides = Sides(lambda token: [], first=[START], last=[START])
    one, two = log_probs(made, item(2)), log_probs(made, item(0, BUSH[3:]))
    assert torch.equal(one, two)
    assert not torch.equal(log_probs(network().eval(), item(2)), one)


@pytest.mark.parametrize("place", range(6))
def test_every_other_word_is_read_and_the_word_itself_is_not(place):
    made = network().eval()
    changed = [*BUSH]
    changed[place] = Token("plan", "x", ("N",))
    one, two = log_probs(made, item(2)), log_probs(made, item(2, changed))
    assert torch.equal(one, two) == (place == 2)


def test_padding_and_other_items_change_nothing():
    made = network().eval()
    items = [item(2), item(0, BUSH[:1], "p"), item(5, [*BUSH, *BUSH])]
    together = log_probs(made, *items)
    for row, each in zip(together, items, strict=True):
        torch.testing.assert_close(row, log_probs(made, each)[0])


def test_the_loss_is_a_sum_over_symbols_and_a_mean_over_items():
    made = network()
    items = [item(2), item(1, lemma="pla")._replace(target="l")]
    alone = [made.loss(made.batch([each])).item() for each in items]
    assert made.loss(made.batch(items)).item() == pytest.approx(sum(alone) / 2, abs=1e-5)
    batch = made.batch(items[1:])
    state, total = made.start(batch), 0.0
    for previous, following in zip(batch.target[0, :-1], batch.target[0, 1:], strict=True):
        found, state = made.decoder.step(state, previous[None])
        total -= found[0, following].item()
    assert alone[1] == pytest.approx(total, abs=1e-5)


def test_it_starts_from_the_final_states_of_the_lemma():
    made = network().eval()
    batch = made.batch([item(2)])
    _, (last, _) = made.lemma.network.layers[0].kernel(made.lemma.table(batch.source[0]))
    output, cell = made.start(batch).hidden
    expected = made.first(torch.cat([last[0], last[1]])[None]).tanh()
    torch.testing.assert_close(output, expected)
    assert not cell.any()


def test_tables_are_shared_by_lemma_and_decoder_and_by_both_sides():
    made = network()
    assert made.lemma.table is made.decoder.table
    assert made.before.table is made.after.table
    assert made.before.network is not made.after.network
    tables = {id(each.weight) for each in made.modules() if isinstance(each, nn.Embedding)}
    assert len(tables) == 2


def test_dropout_is_of_all_that_is_read_attended_to_and_written():
    made = network(dropout=0.5)
    batch = made.batch([item(2)], seed=3)
    source, before, after, target, *masks = made.inputs(batch)
    units = before.shape[1], after.shape[1]
    assert units[0] != units[1]
    assert [tuple(mask.shape[1:]) for mask in masks] == [
        (6, 4), (units[0], 4), (units[1], 4), (6, 4),
        (6, 12), (units[0], 12), (units[1], 12), (6, 6),
    ]  # fmt: skip
    assert {*torch.cat([mask.flatten() for mask in masks]).tolist()} == {0.0, 2.0}
    whole = made(source, before, after, target, *(torch.ones_like(mask) for mask in masks))
    for number, mask in enumerate(masks):
        # Each of them has a part in the loss
        some = [torch.ones_like(each) for each in masks]
        some[number] = mask
        assert made(source, before, after, target, *some) != whole
    assert all(bool((mask == 1).all()) for mask in made.eval().inputs(batch)[4:])

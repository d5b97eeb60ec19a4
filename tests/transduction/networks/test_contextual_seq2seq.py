"""The network of the baseline of task 2."""

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq

ITEMS = [Item("kale", ("N", "PL"), "kaleak"), Item("ur", ("N",), "ur")]
TAGS = Alphabet(["N", "PL"])


class Features(nn.Module):
    """Two features of an item, or PAD, as its context."""

    def __init__(self):
        super().__init__()
        self.width, self.table = 6, nn.Embedding(len(TAGS), 3, sparse=True)
        self.register_buffer("unknown", torch.tensor([UNKNOWN]), persistent=False)

    def ids(self, items):
        return torch.tensor([[*TAGS.encode(item.tags), PAD][:2] for item in items])

    def forward(self, ids):
        return self.table(ids).flatten(1)


def network(dropout: float = 0.5, unknown: float = 0.5) -> ContextualSeq2Seq:
    torch.manual_seed(4)
    rates = {"dropout": dropout, "unknown": unknown}
    return ContextualSeq2Seq(Alphabet("kaleur"), Features(), embedding=4, size=5, **rates)


def test_the_loss_is_that_of_all_symbols_both_boundaries_among_them():
    made = network().eval()
    batch = made.batch(ITEMS[1:])
    u, r = Alphabet("kaleur").encode("ur")
    assert batch.source.tolist() == batch.target.tolist() == [[START, u, r, START]]
    state, total, previous = made.start(batch), 0.0, START
    for symbol in (START, u, r, END):
        log_probs, state = made.decoder.step(state, torch.tensor([previous]))
        total -= log_probs[0, symbol].item()
        previous = symbol
    assert made.loss(batch).item() == pytest.approx(total, abs=1e-5)


def test_the_loss_of_a_batch_is_the_mean_over_items():
    made = network().eval()
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(sum(alone) / 2, abs=1e-5)


def test_the_context_reaches_every_character():
    made = network().eval()
    batch = made.batch([ITEMS[0], ITEMS[0]._replace(tags=("PL", "N"))])
    one, other = made.start(batch).memory.values
    assert (one != other).any(1).all()


def test_training_reads_some_of_the_context_as_unknown():
    made = network(unknown=0.5)
    read = torch.cat([made.inputs(made.batch(ITEMS, seed))[2] for seed in range(200)])
    whole = made.batch(ITEMS).context.repeat(200, 1)
    assert (read[whole == PAD] == PAD).all()
    replaced = read[whole != PAD] != whole[whole != PAD]
    assert (read[whole != PAD][replaced] == UNKNOWN).all()
    assert 0.4 < replaced.float().mean() < 0.6
    made.eval()
    assert torch.equal(made.inputs(made.batch(ITEMS, 1))[2], whole[:2])


def test_training_drops_the_same_units_at_all_steps():
    made = network(dropout=0.5)
    masks = made.inputs(made.batch(ITEMS, 1))[3:]
    # Of characters, previous outputs and the context in two directions; of the decoder
    shapes = [(2, 4), (2, 5), (2, 6), (4,), (10,), (5,)]
    assert [tuple(mask.shape) for mask in masks] == shapes
    assert {value for mask in masks for value in mask.flatten().tolist()} == {0.0, 2.0}
    made.eval()
    masks = made.inputs(made.batch(ITEMS, 1))[3:]
    assert {value for mask in masks for value in mask.flatten().tolist()} == {1.0}


def test_what_the_encoder_drops_of_the_context_is_not_read():
    made = network()
    source, _, context, *masks = made.inputs(made.batch(ITEMS, 1))
    masks[2] = torch.zeros_like(masks[2])
    expected = made._encode(source, made.context(context), *masks[:3]).outputs
    made.context.table.weight.data += 1
    assert torch.equal(made._encode(source, made.context(context), *masks[:3]).outputs, expected)


def test_answers_have_twice_the_length_of_the_lemma_at_most():
    made = network()
    assert made.limits([*ITEMS, Item("", ())]) == [8, 4, 1]
    # One of the symbols is START
    made.decoder.vocabulary.bias.data[START] = 9.0
    (answer,) = made.eval().answer(ITEMS[1:])
    assert answer.forms == [""]


def test_weights_are_drawn_as_dynet_draws_them():
    made = network()
    kernel = made.encoder.layers[0].kernel
    assert max(each.abs().max() for each in made.around) <= (6 / (20 + 4 + 6)) ** 0.5
    assert (kernel.bias_ih_l0[5:10] == 1).all()
    assert made.table.weight.abs().max() <= (3 / 4) ** 0.5
    assert made.decoder.cell.constant.abs().max() <= (6 / (20 + 4 + 10)) ** 0.5

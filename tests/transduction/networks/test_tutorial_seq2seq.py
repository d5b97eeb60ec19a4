"""The tutorial's network with a context: what is read, and what it learns from its own answers."""

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import END, START, UNKNOWN, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.items import Item
from kasu.transduction.networks.tutorial_seq2seq import TutorialSeq2Seq
from kasu.transduction.search import greedy

ITEMS = [
    Item("kale", ("PL",), "kaleak"),
    Item("mendi", ("ERG",), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS = Alphabet("kalemndiur")


class Feature(nn.Module):
    """The first feature of an item as its context."""

    def __init__(self):
        super().__init__()
        self.tags, self.width, self.table = Alphabet(["ERG", "PL"]), 3, nn.Embedding(6, 3)
        self.register_buffer("unknown", torch.tensor([UNKNOWN]), persistent=False)

    def ids(self, items):
        return pad([self.tags.encode(item.tags) or [START] for item in items])

    def forward(self, ids):
        return self.table(ids[:, 0])


def network(**changes) -> TutorialSeq2Seq:
    torch.manual_seed(11)
    made = {"dropout": 0.0, "unknown": 0.0, "forced": 1.0, "limit": 12, "masked": True} | changes
    return TutorialSeq2Seq(CHARACTERS, Feature(), embedding=4, size=6, **made)


def test_every_character_is_read_with_the_context_from_left_to_right():
    made = network().eval()
    batch = made.batch(ITEMS[:1])
    assert batch.source.tolist() == [[START, *CHARACTERS.encode("kale"), END]]
    around = made.context.table(torch.tensor([5])).expand(6, -1)
    read = torch.cat([made.table(batch.source[0]), around], 1)
    outputs, (last,) = made.encoder.layers[0].kernel(read)
    state = made.start(batch)
    torch.testing.assert_close(state.values[0], outputs)
    torch.testing.assert_close(state.hidden[0], last)


def test_the_loss_is_a_sum_over_symbols_and_a_mean_over_items():
    made = network()
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(sum(alone) / 3, abs=1e-5)
    batch = made.batch(ITEMS[:1])
    log_probs = made.decoder.teacher(made.start(batch), batch.target[:, :-1], torch.ones(1, 7, 4))
    right = log_probs[0, range(7), batch.target[0, 1:]]
    assert alone[0] == pytest.approx(-right.sum().item(), abs=1e-5)


@pytest.mark.parametrize(("forced", "share"), [(0.0, 0), (0.5, 0.5), (1.0, 1)])
def test_a_share_of_the_items_reads_the_target(forced, share):
    made = network(forced=forced)
    batches = [made.batch(ITEMS[:1], seed) for seed in range(100)]
    read = [torch.equal(batch.target[:, :-1], made.inputs(batch)[3]) for batch in batches]
    assert sum(read) / 100 == pytest.approx(share, abs=0.1)


def test_of_its_own_it_reads_what_it_answers():
    made = network(forced=0.0)
    batch = made.batch(ITEMS[:1])
    read = made.inputs(batch)[3][0].tolist()
    ids = greedy(made.decoder, made.start(batch), [6])[0].ids
    assert read[: len(ids) + 1] == [START, *ids]


def test_its_own_answers_are_those_for_the_context_that_it_reads():
    made = network(forced=0.0, unknown=1.0)
    batch = made.batch(ITEMS[:1])
    _, _, context, read, _ = made.inputs(batch)
    assert context.tolist() == [[UNKNOWN]]
    made.unknown = 0.0
    # As if its feature were unknown
    same = made.inputs(made.batch([ITEMS[0]._replace(tags=("X",))]))
    assert torch.equal(read, same[3])


def test_on_dev_all_is_known_and_nothing_dropped():
    made = network(forced=0.0, unknown=1.0, dropout=0.5).eval()
    batch = made.batch(ITEMS)
    _, _, context, read, mask = made.inputs(batch)
    assert torch.equal(context, batch.context)
    assert torch.equal(read, batch.target[:, :-1])
    assert mask.eq(1).all()


def test_an_answer_has_no_more_characters_than_the_limit():
    assert network().limits(ITEMS) == [12] * 3


def test_answers_do_not_depend_on_the_other_items():
    made = network().eval()
    together = made.answer(ITEMS, 3)
    for item, answer in zip(ITEMS, together, strict=True):
        assert made.answer([item], 3)[0].forms == answer.forms

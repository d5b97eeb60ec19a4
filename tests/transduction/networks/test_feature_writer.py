"""A contextual network that also writes features."""

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import PAD, START, UNKNOWN, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.feature_writer import FeatureWriter, WritingFeatures

ITEMS = [Item("kale", ("N", "PL"), "kaleak"), Item("ur", ("N",), "ur")]
TAGS = Alphabet(["N", "PL"])
N, PL = TAGS.encode(["N", "PL"])


class Initial(nn.Module):
    """The first character of an item as its context."""

    def __init__(self):
        super().__init__()
        self.width, self.table = 6, nn.Embedding(10, 6, sparse=True)
        self.register_buffer("unknown", torch.tensor([UNKNOWN]), persistent=False)

    def ids(self, items):
        return torch.tensor([Alphabet("kaleur").encode(item.source[:1]) for item in items])

    def forward(self, ids):
        return self.table(ids).flatten(1)


def network(weights=(0.7, 0.3), writer=None) -> WritingFeatures:
    torch.manual_seed(4)
    writer = writer or FeatureWriter(TAGS, 5, 6, 3)
    sizes = {"embedding": 4, "size": 5, "dropout": 0.0, "unknown": 0.0}
    return WritingFeatures(Alphabet("kaleur"), Initial(), writer, weights, **sizes)


def test_features_are_written_one_by_one_between_boundaries():
    numbered = FeatureWriter(TAGS, 5, 6, 3).number([*ITEMS, Item("e", ())])
    assert numbered.tolist() == [[START, N, PL, START], [START, N, START, PAD], [PAD] * 4]


def test_the_loss_of_features_is_that_of_all_symbols_both_boundaries_among_them():
    writer, context = FeatureWriter(TAGS, 5, 6, 3), torch.ones(1, 6)
    first = writer.cell.products(writer.table(torch.tensor([START])))
    _, hidden = writer.cell.advance(first, writer.cell.zeros(1))
    state, total, previous = writer.start(context, hidden), 0.0, torch.tensor([START])
    for symbol in torch.tensor([START, N, PL, START]):
        log_probs, state = writer.step(state, previous)
        total -= log_probs[0, symbol].item()
        previous = symbol.unsqueeze(0)
    features = writer.number(ITEMS[:1])
    assert writer.loss(context, features).item() == pytest.approx(total, abs=1e-5)


def test_training_weights_two_losses_and_validation_takes_that_of_forms():
    made = network(weights=(0.7, 0.3))
    batch = made.batch(ITEMS)
    with torch.no_grad():
        forms = made.loss(batch)
    features = made.features.loss(made.context(batch.context), batch.features)
    assert made.train().loss(batch).item() == pytest.approx(
        0.7 * forms.item() + 0.3 * features.item(), abs=1e-5
    )


def test_an_item_without_features_teaches_its_form_alone():
    made = network(weights=(1.0, 1.0))
    batch = made.batch([ITEMS[1]._replace(tags=())])
    both = made.train().loss(batch).item()
    with torch.no_grad():
        assert both == pytest.approx(made.loss(batch).item(), abs=1e-6)


def test_the_loss_of_features_reaches_the_context_and_no_character():
    made = network(weights=(0.0, 1.0))
    made.loss(made.batch(ITEMS)).backward()
    assert made.context.table.weight.grad.to_dense().any()
    assert not made.encoder.layers[0].kernel.weight_ih_l0.grad.any()


def test_its_weights_are_drawn_once_as_dynet_draws_them():
    writer = FeatureWriter(TAGS, 5, 6, 3)
    before = [weight.clone() for weight in writer.parameters()]
    assert writer.table.weight.abs().max() <= 1  # sqrt(3 / 3)
    assert (writer.cell.layers[0].kernel.bias_ih_l0[5:10] == 1).all()
    network(writer=writer)
    pairs = zip(before, writer.parameters(), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)

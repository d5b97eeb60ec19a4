import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from kasu.transduction.alphabet import END, PAD, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.two_headed import NetworkSizes, TwoHeaded

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])


def network(layers: int = 2, together: int = 2) -> TwoHeaded:
    torch.manual_seed(4)
    parts = NetworkSizes(5, 6, 2), NetworkSizes(3, 4, 3), NetworkSizes(5, 7, layers)
    return TwoHeaded(CHARACTERS, TAGS, *parts, dropout=0.5, together=together)


@pytest.mark.parametrize("layers", [1, 2])
def test_the_decoder_starts_from_the_first_slices_of_final_states(layers):
    made = network(layers).eval()
    batch = made.batch(ITEMS[:1])
    source, tags = (
        # As torch stacks them: layers, and both directions of each
        [torch.cat([part[:, :, :size], part[:, :, size:]], 1) for part in finals]
        for size, finals in (
            (6, made.encoders[0](made.tables[0](batch.source))[1:]),
            (4, made.encoders[1](made.tables[1](batch.tags))[1:]),
        )
    )
    hidden = made.start(batch).hidden
    assert len(hidden) == 2 * layers
    for layer in range(layers):  # from the first layer alone: forwards, then backwards
        for part in (0, 1):
            final = torch.cat([source[part][0, layer], tags[part][0, layer]])
            expected = made.first[part](final)
            torch.testing.assert_close(hidden[2 * layer + part][0], expected)


def stacked(layers) -> nn.LSTM:
    """Layers as one network of torch, with their weights."""
    kernels = [layer.kernel for layer in layers]
    first, both = kernels[0], kernels[0].bidirectional
    made = nn.LSTM(
        first.input_size, first.hidden_size, len(kernels), batch_first=True, bidirectional=both
    )
    for number, kernel in enumerate(kernels):
        for name, weight in kernel.named_parameters():
            setattr(made, name.replace("l0", f"l{number}"), weight)
    return made


def test_a_loss_is_that_of_networks_of_torch():
    made = network().eval()
    batch = made.batch(ITEMS)
    encoded, finals = [], []
    for layers, table, ids in zip(
        made.encoders, made.tables, (batch.source, batch.tags), strict=False
    ):
        outputs, final = stacked(layers.layers)(table(ids))
        encoded.append(outputs.unflatten(2, (2, -1)).sum(2))
        finals.append([part[:2] for part in final])
    start = [
        first(torch.cat(pair, 2))
        for first, pair in zip(made.first, zip(*finals, strict=True), strict=True)
    ]
    read = made.tables[2](batch.target[:, :-1])
    outputs, _ = stacked(made.decoder.cell.layers)(read, tuple(start))
    contexts = [
        (outputs @ attention.key(values).mT).softmax(2) @ values
        for attention, values in zip(made.decoder.attentions, encoded, strict=True)
    ]
    scores = made.decoder.vocabulary(made.decoder.see(torch.cat([outputs, *contexts], 2)).tanh())
    expected = cross_entropy(scores.flatten(0, 1), batch.target[:, 1:].flatten(), ignore_index=PAD)
    torch.testing.assert_close(made.loss(batch), expected)


def test_padding_is_read():
    made = network().eval()
    alone, _ = (made.start(made.batch(items)) for items in (ITEMS[2:], ITEMS))
    together = made.start(made.batch(ITEMS))
    assert not torch.allclose(alone.hidden[0][0], together.hidden[0][2])
    assert together.memories[0].padding.count_nonzero() == 0


def test_an_answer_depends_on_what_it_is_batched_with():
    both, one = (network(together=count).eval().answer(ITEMS[1:]) for count in (2, 1))
    assert both[0].scores == pytest.approx(one[0].scores)  # the longest has no padding
    assert both[1].scores != pytest.approx(one[1].scores)


def test_sources_and_features_end_and_do_not_start():
    batch = network().batch(ITEMS)
    assert batch.source[2].tolist() == [*CHARACTERS.encode("ur"), END, 0, 0, 0]
    assert batch.tags.tolist() == [
        [*TAGS.encode(item.tags), END] + [0] * (2 - len(item.tags)) for item in ITEMS
    ]


def test_an_answer_has_four_characters_for_each_position_at_most():
    assert network().limits(ITEMS) == [24, 24, 24]


def test_dropout_is_of_training_alone():
    made = network()
    batch = made.batch(ITEMS, seed=3)
    assert made.loss(batch) != made.eval().loss(batch)
    masks = made.train().inputs(batch)[5:]
    # Embeddings; lemma, features and decoder between layers
    assert [mask.shape[2] for mask in masks] == [5, 3, 5, 12, 8, 8, 7]
    assert all(set(mask.unique().tolist()) == {0, 2} for mask in masks)

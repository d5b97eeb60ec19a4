import pytest
import torch
from torch import nn

from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.batch import pad
from kasu.transduction.layers.encoder import Encoder, OrderedEncoder, places


def encoder() -> Encoder:
    torch.manual_seed(5)
    return Encoder(nn.Embedding(9, 3), Recurrent("lstm", 3, 4, directions=2))


def test_a_sequence_alone_and_in_a_batch_is_encoded_alike():
    network = encoder()
    rows = [[4, 5, 6, 7], [8, 4]]
    together, alone = network(pad(rows)), network(pad(rows[1:]))
    assert together.outputs.shape == (2, 4, 8)
    assert together.mask.tolist() == [[True] * 4, [True, True, False, False]]
    assert torch.allclose(together.outputs[1, :2], alone.outputs[0], atol=1e-6)
    for one, other in zip(together.final, alone.final, strict=True):
        assert torch.allclose(one[1], other[0], atol=1e-6)


def test_final_states_of_two_directions_are_added_up():
    network = encoder()
    final = network(pad([[4, 5]])).final
    summed = network.summed(final)
    assert [part.shape for part in summed] == [(1, 4), (1, 4)]
    assert torch.equal(summed[0], final[0][:, :4] + final[0][:, 4:])


def test_masks_drop_embeddings_and_outputs():
    network = encoder()
    ids = pad([[4, 5]])
    dropped = network(ids, torch.zeros(1, 2, 3))
    assert torch.equal(dropped.outputs, network(pad([[7, 8]]), torch.zeros(1, 2, 3)).outputs)
    assert not network(ids, 1.0, torch.zeros(1, 2, 8)).outputs.any()


MASK = torch.tensor([[True] * 5, [True] * 4 + [False], [True] + [False] * 4])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("forward", [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]),
        ("backward", [[4, 3, 2, 1, 0], [3, 2, 1, 0, 4], [0, 1, 2, 3, 4]]),
        ("outside_in", [[0, 4, 1, 3, 2], [0, 3, 1, 2, 4], [0, 1, 2, 3, 4]]),
    ],
)
def test_orders_of_reading(order, expected):
    assert places(MASK, order).tolist() == expected


def test_outputs_of_all_orders_stand_at_the_position_that_they_have_read():
    torch.manual_seed(1)
    encoder = OrderedEncoder("gru", nn.Embedding(9, 3), 4, ("forward", "outside_in"))
    ids = torch.tensor([[4, 5, 6, 7, 8]])
    outputs, mask, (final,) = encoder(ids)
    assert (outputs.shape, mask.all(), final.shape) == ((1, 5, 8), True, (1, 8))
    read, hidden, _ = encoder.networks[1](encoder.table(ids[:, [0, 4, 1, 3, 2]]))
    torch.testing.assert_close(outputs[:, [0, 4, 1, 3, 2], 4:], read)
    torch.testing.assert_close(final[:, 4:], hidden[-1])
    read, hidden, _ = encoder.networks[0](encoder.table(ids))
    torch.testing.assert_close(outputs[:, :, :4], read)


def test_every_order_leaves_out_padding():
    torch.manual_seed(1)
    encoder = OrderedEncoder("gru", nn.Embedding(9, 3), 4, ("backward", "outside_in"))
    alone, padded = encoder(torch.tensor([[4, 5, 6]])), encoder(torch.tensor([[4, 5, 6, 0, 0]]))
    torch.testing.assert_close(padded.outputs[:, :3], alone.outputs)
    torch.testing.assert_close(padded.final[0], alone.final[0])

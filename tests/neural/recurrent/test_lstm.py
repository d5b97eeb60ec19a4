"""The LSTM over a whole sequence: torch's figures, masks, and the backward pass written by hand."""

import pytest
import torch

from kasu.neural.recurrent.layers import DropoutMasks
from kasu.neural.recurrent.lstm import LstmSequence
from kasu.neural.recurrent.networks import Recurrent, use_plain


def some(*shape: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


def test_the_backward_pass_is_that_of_the_forward_pass():
    given = [some(3, 2, 2, 12), some(2, 2, 3), some(2, 2, 3), some(2, 12, 3)]
    assert torch.autograd.gradcheck(LstmSequence.apply, [each.requires_grad_() for each in given])


@pytest.mark.parametrize("kind", ["lstm", "gru", "coupled"])
def test_masks_of_ones_change_nothing(kind):
    network = Recurrent(kind, 4, 3, directions=2).double()
    ones = DropoutMasks(some(2, 4).abs().clamp(1, 1), some(2, 3).abs().clamp(1, 1))
    mask = torch.tensor([[True] * 5, [True] * 2 + [False] * 3])
    plain, kept = (network(some(2, 5, 4), mask, masks=each) for each in ((), (ones,)))
    torch.testing.assert_close(plain, kept)


@pytest.mark.parametrize("kind", ["lstm", "gru", "coupled"])
@pytest.mark.parametrize("plain", [False, True])
def test_what_is_dropped_is_not_read(kind, plain):
    network = Recurrent(kind, 2, 2, directions=2).double()
    if plain:
        use_plain(network)
    # The first direction reads one half of each input, the second the other; neither remembers
    kept = DropoutMasks(torch.eye(2).double(), torch.zeros(2, 2).double())
    x = some(1, 4, 2)
    outputs, *_ = network(x, masks=(kept,))
    for at, columns in ((0, slice(0, 2)), (1, slice(2, 4))):
        changed = x.clone()
        changed[:, :, 1 - at] = 7
        others, *_ = network(changed, masks=(kept,))
        torch.testing.assert_close(outputs[..., columns], others[..., columns])
        assert not torch.allclose(outputs, others)


def test_previous_outputs_are_dropped_as_torch_would_without_their_weights():
    network = Recurrent("lstm", 3, 2, directions=2).double()
    keep = DropoutMasks(torch.ones(2, 3).double(), torch.tensor([[0.0, 2.0], [1.0, 0.0]]).double())
    x = some(2, 4, 3)
    found, *_ = network(x, masks=(keep,))
    kernel = network.layers[0].kernel
    with torch.no_grad():
        kernel.weight_hh_l0 *= keep.previous[0]
        kernel.weight_hh_l0_reverse *= keep.previous[1]
    torch.testing.assert_close(found, network(x)[0])

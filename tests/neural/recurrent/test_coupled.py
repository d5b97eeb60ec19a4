"""The coupled LSTM: DyNet's figures, and the backward pass written by hand."""

import pytest
import torch

from kasu.neural.recurrent.coupled import CoupledSequence
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell

# Computed by CoupledLSTMBuilder of DyNet 2.1 (the package dyNET38)
START = [[0.1, 0.4], [0.3, -0.2]]
FROM_START = [[0.194444, -0.068672], [0.393021, -0.318113]]
HIDDENS = [[0.15384, -0.037552], [0.255533, 0.174183], [-0.054695, 0.314503]]
CELLS = [[0.270432, -0.155234], [0.457043, 0.292794], [-0.175534, 0.520323]]


@pytest.fixture
def cell():
    cell = RecurrentCell("coupled", 2, 2).double()
    layer = cell.layers[0]
    given = {
        "input": [[-0.5, 0.2], [-0.2, 0.5], [0.5, 0.1], [-0.3, 0.4], [0.4, 0.0], [-0.4, 0.3]],
        "hidden": [[0.1, -0.3], [0.4, 0.0], [0.0, -0.4], [0.3, -0.1], [-0.1, -0.5], [0.2, -0.2]],
        "peephole": [[-0.4, 0.3], [-0.1, -0.5], [-0.5, 0.2], [-0.2, 0.5]],
        "bias": [[0.2, -0.2, 0.1, -0.3, 0.5, 0.1]],
    }
    for name, values in given.items():
        getattr(layer, name).data = torch.tensor([values], dtype=torch.float64)
    return cell


def test_it_computes_what_dynet_computes(cell):
    state, x = cell.zeros(1), torch.tensor([[1, -1], [0.5, 2], [-2, 0]], dtype=torch.float64)
    outputs, _ = cell.run(x.unsqueeze(0), state)
    torch.testing.assert_close(outputs.tolist(), [HIDDENS], rtol=0, atol=1e-6)
    for each, hidden, carried in zip(x, HIDDENS, CELLS, strict=True):
        _, state = cell.step(each.unsqueeze(0), state)
        torch.testing.assert_close(
            [part.tolist() for part in state], [[hidden], [carried]], rtol=0, atol=1e-6
        )


def test_it_starts_from_a_state_as_dynet_does(cell):
    x = torch.tensor([[1, -1]], dtype=torch.float64)
    start = tuple(torch.tensor([part], dtype=torch.float64) for part in START)
    for _, state in (cell.step(x, start), cell.run(x.unsqueeze(0), start)):
        found = [part.squeeze(0).tolist() for part in state]
        torch.testing.assert_close(found, FROM_START, rtol=0, atol=1e-6)


def test_the_backward_pass_is_that_of_the_forward_pass():
    generator = torch.Generator().manual_seed(1)
    shapes = [(3, 2, 2, 9), (2, 2, 3), (2, 2, 3), (2, 9, 3), (2, 6, 3)]
    given = [
        torch.randn(shape, dtype=torch.float64, generator=generator).requires_grad_()
        for shape in shapes
    ]
    assert torch.autograd.gradcheck(CoupledSequence.apply, given)


def test_weights_are_drawn_as_dynet_draws_them():
    torch.manual_seed(1)
    layer = Recurrent("coupled", 100, 50, directions=2).layers[0]
    drawn = {name: weight.abs().max().item() for name, weight in layer.named_parameters()}
    assert drawn == {
        "input": pytest.approx((6 / 150) ** 0.5, rel=1e-3),
        "hidden": pytest.approx((6 / 100) ** 0.5, rel=1e-3),
        "peephole": pytest.approx((6 / 100) ** 0.5, rel=1e-3),
        "bias": 0,
    }


def test_a_constant_input_counts_as_columns_of_the_matrix_of_inputs():
    torch.manual_seed(1)
    layer = RecurrentCell("coupled", 40, 50, constant=60).layers[0]
    for weight in (layer.input, layer.constant):
        assert weight.abs().max().item() == pytest.approx((6 / 150) ** 0.5, rel=1e-2)

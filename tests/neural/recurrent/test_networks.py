"""Recurrent networks: the kernel and the plain path agree, padding changes nothing."""

import copy

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.func import functional_call, stack_module_state, vmap

from kasu.neural.recurrent.networks import Recurrent, RecurrentCell, use_plain

KINDS = ("lstm", "gru", "coupled")
SHAPES = [
    {"layers": 1, "directions": 1},
    {"layers": 2, "directions": 1},
    {"layers": 1, "directions": 2},
    {"layers": 2, "directions": 2},
    {"layers": 2, "directions": 2, "join": "sum"},
]
MASK = torch.arange(6) < torch.tensor([[6], [1], [4]])


def network(kind, dtype=torch.float64, **shape):
    torch.manual_seed(1)
    return Recurrent(kind, 3, 4, **shape).to(dtype)


def with_plain(model):
    plain = copy.deepcopy(model)
    use_plain(plain)
    return plain


def some(*shape, dtype=torch.float64):
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float64, 1e-12), (torch.float32, 1e-6)])
def test_kernel_and_plain_path_agree(kind, shape, mask, dtype, bound):
    fast = network(kind, dtype, **shape)
    plain = with_plain(fast)
    x = some(3, 6, 3, dtype=dtype)
    for one, other in zip(fast(x, mask), plain(x, mask), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=bound)


@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("kind", KINDS)
def test_kernel_and_plain_path_have_the_same_gradients(kind, mask):
    fast = network(kind, layers=2, directions=2)
    plain = with_plain(fast)
    for model in (fast, plain):
        outputs, final, cell = model(some(3, 6, 3), mask)
        loss = (outputs.square().sum() + final.sin().sum()) * 0.1
        (loss if cell is None else loss + cell.cos().sum()).backward()
    pairs = zip(fast.parameters(), plain.parameters(), strict=True)
    assert all(torch.allclose(one.grad, other.grad, 0, 1e-12) for one, other in pairs)


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_no_two_weights_share_the_memory_of_a_gradient(kind, directions):
    """Clipping scales gradients in place."""
    network_of_steps = RecurrentCell(kind, 3, 4).double()
    models = network(kind, directions=directions), with_plain(network(kind, directions=directions))
    sum(model(some(3, 6, 3))[0].sum() for model in models).backward()
    network_of_steps.step(some(2, 3), network_of_steps.zeros(2))[0].sum().backward()
    for model in (*models, network_of_steps):
        places = [weight.grad.data_ptr() for weight in model.parameters()]
        assert len(set(places)) == len(places)


@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_last_output_alone_is_that_of_the_whole(kind, shape, mask):
    whole = network(kind, **shape)
    alone = copy.deepcopy(whole)
    plain = with_plain(whole)
    lengths = torch.tensor([6, 6, 6] if mask is None else [6, 1, 4])
    x = some(3, 6, 3)
    between = [some(3, 6, whole.width)] * (shape["layers"] - 1)
    expected = whole(x, mask, between)[0][torch.arange(3), lengths - 1]
    expected.sin().sum().backward()
    for model in (alone, plain):
        found = model.last(x, mask, between)
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)
        found.sin().sum().backward()
        for one, other in zip(model.parameters(), whole.parameters(), strict=True):
            # Previous outputs of the second direction are zeros, so that its weights may have none
            gradient = torch.zeros_like(one) if one.grad is None else one.grad
            torch.testing.assert_close(gradient, other.grad, rtol=0, atol=1e-12)


def test_the_last_output_gives_no_two_weights_the_memory_of_a_gradient():
    model = network("lstm", directions=2)
    model.last(some(3, 6, 3)).sum().backward()
    places = [each.grad.data_ptr() for each in model.parameters() if each.grad is not None]
    assert len(set(places)) == len(places) == 7


@pytest.mark.parametrize("kind", KINDS)
def test_the_kinds_are_three_networks(kind):
    others = [network(other)(some(1, 2, 3))[0] for other in KINDS if other != kind]
    assert not any(torch.allclose(network(kind)(some(1, 2, 3))[0], other) for other in others)


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 2), st.sampled_from(KINDS)
)
def test_padding_changes_neither_outputs_nor_final_states(lengths, more, kind):
    longest = max(lengths) + more
    mask = torch.arange(longest) < torch.tensor(lengths).unsqueeze(1)
    x = some(len(lengths), longest, 3).masked_fill(~mask.unsqueeze(2), 1e3)
    for model in (network(kind, layers=2, directions=2), with_plain(network(kind, directions=2))):
        outputs, *finals = model(x, mask)
        assert (outputs[~mask] == 0).all()
        for row, length in enumerate(lengths):
            alone, *alone_finals = model(x[row : row + 1, :length])
            torch.testing.assert_close(outputs[row, :length], alone[0], rtol=0, atol=1e-12)
            for final, alone in zip(finals, alone_finals, strict=True):
                if final is not None:
                    torch.testing.assert_close(final[:, row], alone[:, 0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_final_states_are_the_last_outputs(kind):
    outputs, final, cell = network(kind, directions=2)(some(3, 6, 3), MASK)
    assert torch.equal(final[0, :, :4], outputs[torch.arange(3), [5, 0, 3], :4])
    assert torch.equal(final[0, :, 4:], outputs[:, 0, 4:])
    assert (cell is None) == (kind == "gru")


@pytest.mark.parametrize("kind", KINDS)
def test_directions_are_put_side_by_side_or_added(kind):
    beside, added = (network(kind, directions=2, join=join) for join in ("concat", "sum"))
    assert (beside.width, added.width) == (8, 4)
    for one, other in zip(beside(some(2, 5, 3)), added(some(2, 5, 3)), strict=True):
        if one is not None:
            assert torch.equal(one[..., :4] + one[..., 4:], other)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mask_between_layers_multiplies_what_the_next_layer_reads(kind):
    model, x = network(kind, layers=2), some(2, 5, 3)
    lower, _, _ = network(kind, layers=1)(x)
    kept = torch.tensor([0.0, 2.0, 2.0, 0.0]).expand(2, 1, 4)
    upper = model.layers[1]((lower * kept).transpose(0, 1), None)[0].squeeze(2).transpose(0, 1)
    assert torch.equal(model(x, None, [kept])[0], upper)
    assert torch.equal(model(x, None, [torch.ones(2, 5, 4)])[0], model(x)[0])


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("constant", [0, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_is_a_repeated_step(kind, constant, layers):
    torch.manual_seed(1)
    cell = RecurrentCell(kind, 3, 4, layers=layers, constant=constant).double()
    x = some(2, 5, 3)
    projected = cell.project(some(2, constant)) if constant else None
    start = tuple(some(2, 4) for _ in cell.zeros(2))
    for model in (cell, with_plain(cell)):
        outputs, last = model.run(x, start, projected)
        state = start
        for step in range(5):
            output, state = cell.step(x[:, step], state, projected)
            torch.testing.assert_close(outputs[:, step], output, rtol=0, atol=1e-12)
        for one, other in zip(last, state, strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_multiplies_masks_between_layers(kind):
    torch.manual_seed(1)
    cell, x = RecurrentCell(kind, 3, 4, layers=2).double(), some(2, 5, 3)
    start = cell.zeros(2)
    outputs, _ = cell.run(x, start, between=[torch.zeros(2, 5, 4)])
    # The upper layer reads nothing, so all inputs are alike to it
    other, _ = cell.run(some(2, 5, 3) + 1, start, between=[torch.zeros(2, 5, 4)])
    assert torch.equal(outputs, other)
    whole, _ = cell.run(x, start, between=[torch.ones(2, 5, 4)])
    assert torch.equal(whole, cell.run(x, start)[0])
    assert not torch.allclose(whole, outputs)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_does_what_a_network_does(kind):
    torch.manual_seed(1)
    cell = RecurrentCell(kind, 3, 4, layers=2).double()
    outputs, last = cell.run(some(2, 5, 3), cell.zeros(2))
    expected, final, cells = network(kind, layers=2)(some(2, 5, 3))
    torch.testing.assert_close(outputs, expected, rtol=0, atol=1e-12)
    hidden = last if kind == "gru" else last[::2]
    torch.testing.assert_close(torch.stack(hidden), final, rtol=0, atol=1e-12)
    if cells is not None:
        torch.testing.assert_close(torch.stack(last[1::2]), cells, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_constant_input_is_one_more_part_of_every_input(kind):
    cell, whole = RecurrentCell(kind, 3, 4, constant=2).double(), RecurrentCell(kind, 5, 4).double()
    weights = dict(cell.named_parameters())
    constant_weight = weights.pop("layers.0.constant")
    for weight, part in zip(whole.parameters(), weights.values(), strict=True):
        if weight.shape != part.shape:
            part = torch.cat([part, constant_weight.view(*part.shape[:-1], 2)], -1)
        weight.data = part.data
    x, constant = some(2, 5, 3), some(2, 2)
    projected = cell.project(constant)
    expected, _ = whole.run(
        torch.cat([x, constant.unsqueeze(1).expand(2, 5, 2)], 2), whole.zeros(2)
    )
    torch.testing.assert_close(cell.run(x, cell.zeros(2), projected)[0], expected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_of_zeros_has_the_parts_and_type_of_the_cell(kind):
    cell = RecurrentCell(kind, 3, 4, layers=2).double()
    expected = torch.zeros(5, 4, dtype=torch.float64)
    assert len(cell.zeros(5)) == (2 if kind == "gru" else 4)
    assert all(torch.equal(part, expected) for part in cell.zeros(5))
    assert all(part.dtype == torch.float64 for part in cell.zeros(5))


class Whole(torch.nn.Module):
    """An encoder, and a cell that runs and steps from its final state."""

    def __init__(self, kind):
        super().__init__()
        self.encoder = Recurrent(kind, 3, 2, layers=2, directions=2)
        self.cell = RecurrentCell(kind, 3, 4, constant=4)

    def forward(self, x, mask):
        outputs, final, cell = self.encoder(x, mask)
        state = (final[0],) if cell is None else (final[0], cell[1])
        projected = self.cell.project(final[1])
        _, state = self.cell.run(x, state, projected)
        return outputs.sum() + self.cell.step(x[:, 0], state, projected)[0].sum()


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_compute_unless_plain_operations_are_asked_for(kind):
    model, cell = network(kind, layers=2), RecurrentCell(kind, 3, 4)
    assert not any(layer.plain for layer in (*model.layers, *cell.layers))
    assert all(layer.plain for layer in with_plain(model).layers)


@pytest.mark.parametrize("kind", KINDS)
def test_plain_networks_can_be_batched(kind):
    torch.manual_seed(1)
    models = [Whole(kind).double() for _ in range(3)]
    for model in models:
        use_plain(model)
    weights, buffers = stack_module_state(models)
    x, masks = some(3, 3, 6, 3), torch.stack([MASK, MASK[[1, 2, 0]], MASK[[2, 0, 1]]])
    together = vmap(lambda *state: functional_call(models[0], state[:2], state[2:]))(
        weights, buffers, x, masks
    )
    for model, each, mask, value in zip(models, x, masks, together, strict=True):
        assert model(each, mask).item() == pytest.approx(value.item(), abs=1e-12)

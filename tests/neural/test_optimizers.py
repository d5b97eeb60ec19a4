import copy

import pytest
import torch
from torch import nn

from kasu.neural import optimizers
from kasu.neural.optimizers import adadelta, adam, clip_norm


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 3), nn.Linear(3, 2, bias=False)).double()


def step(model, optimizer, seed):
    """Update a model as training does; the last layer has a gradient only at some steps."""
    model.zero_grad()
    rows = torch.randint(5, (3,), generator=torch.Generator().manual_seed(seed))
    model(rows).sin().sum().backward()
    optimizer.step()


def test_sparse_tables_get_lazy_adam():
    model = nn.Sequential(nn.Embedding(5, 2, sparse=True), nn.Linear(2, 1))
    dense, sparse = adam(0.5)(model)
    assert isinstance(sparse, torch.optim.SparseAdam)
    assert [weight.shape for weight in sparse.param_groups[0]["params"]] == [(5, 2)]
    assert len(dense.param_groups[0]["params"]) == 2
    assert dense.param_groups[0]["lr"] == sparse.param_groups[0]["lr"] == 0.5
    before = model[0].weight.detach().clone()
    model(torch.tensor([1])).sum().backward()
    sparse.step()
    moved = (model[0].weight != before).any(dim=1)
    assert moved.tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("piece", [7, 1 << 16])
def test_adadelta_is_that_of_torch(monkeypatch, piece):
    monkeypatch.setattr(optimizers, "_PIECE", piece)
    flat, plain = network(), network()
    (ours,) = adadelta()(flat)
    theirs = torch.optim.Adadelta(plain.parameters(), rho=0.95, eps=1e-6)
    for seed in range(10):
        step(flat, ours, seed)
        step(plain, theirs, seed)
    start = network()
    for one, other, first in zip(
        flat.parameters(), plain.parameters(), start.parameters(), strict=True
    ):
        assert torch.equal(one, other)
        assert not torch.equal(one, first)


def test_adadelta_takes_a_missing_gradient_for_zeros():
    model = network()
    (optimizer,) = adadelta()(model)
    step(model, optimizer, 1)
    before = [weight.detach().clone() for weight in model.parameters()]
    model.zero_grad()
    optimizer.step()
    assert all(map(torch.equal, model.parameters(), before))


def test_the_state_of_adadelta_continues_a_training():
    whole = network()
    (optimizer,) = adadelta()(whole)
    for seed in range(3):
        step(whole, optimizer, seed)
    kept = copy.deepcopy((whole.state_dict(), optimizer.state_dict()))
    step(whole, optimizer, 3)
    resumed = network()
    (optimizer,) = adadelta()(resumed)
    resumed.load_state_dict(kept[0])
    optimizer.load_state_dict(kept[1])
    step(resumed, optimizer, 3)
    assert all(map(torch.equal, resumed.parameters(), whole.parameters()))


def test_large_gradients_are_scaled_down_together():
    model = nn.Linear(2, 1)
    for gradients, expected in [(([3.0, 0.0], 4.0), ([1.5, 0.0], 2.0)), (([1.0, 0.0], 2.0),) * 2]:
        model.weight.grad = torch.tensor([gradients[0]])
        model.bias.grad = torch.tensor([gradients[1]])
        clip_norm(2.5)(model.parameters())
        assert model.weight.grad[0].tolist() == pytest.approx(expected[0])
        assert model.bias.grad.item() == pytest.approx(expected[1])

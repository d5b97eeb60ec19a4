import pytest
import torch
from torch import nn

from kasu.neural.optimizers import adadelta, adam, clip_norm, nadam, rmsprop


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


def test_the_decay_of_adam_is_the_gradient_of_a_penalty():
    weights = [nn.Linear(2, 1) for _ in range(2)]
    weights[1].load_state_dict(weights[0].state_dict())
    x = torch.tensor([[0.5, 0.0]])  # the second weight is moved by the penalty alone
    for layer, decay in zip(weights, (0.1, 0.0), strict=True):
        (optimizer,) = adam(0.01, decay=decay)(layer)
        for _ in range(3):
            layer.zero_grad()
            penalty = sum(each.square().sum() for each in layer.parameters())
            (layer(x).sum() + (0.05 * penalty if decay == 0 else 0)).backward()
            optimizer.step()
    assert torch.allclose(weights[0].weight, weights[1].weight, atol=1e-6)


def test_adadelta_has_the_defaults_of_dynet():
    model = nn.Linear(1, 1, bias=False).double()
    nn.init.zeros_(model.weight)
    (optimizer,) = adadelta()(model)
    model.weight.grad = torch.ones(1, 1, dtype=torch.float64)
    optimizer.step()
    # sqrt(epsilon) / sqrt((1 - rho) + epsilon)
    assert model.weight.item() == pytest.approx(-(1e-6**0.5) / (0.05 + 1e-6) ** 0.5)


def test_adadelta_leaves_rows_of_tables_alone_that_a_step_has_not_read():
    model = nn.Sequential(nn.Embedding(3, 1), nn.Linear(1, 1, bias=False)).double()
    nn.init.zeros_(model[0].weight)
    dense, rows = adadelta()(model)
    assert [each.shape for each in dense.param_groups[0]["params"]] == [(1, 1)]
    for read in (0, 1, 1, 0):
        model[1].weight.data.fill_(1.0)  # every gradient of a row is 1
        model.zero_grad()
        model(torch.tensor([read])).sum().backward()
        rows.step()
    # Each of the two rows was read twice, and knows nothing of the other's steps
    first = (1e-6 / (0.05 + 1e-6)) ** 0.5
    squares, steps = 0.95 * 0.05 + 0.05, 0.05 * first**2
    second = ((steps + 1e-6) / (squares + 1e-6)) ** 0.5
    expected = pytest.approx(-(first + second))
    assert model[0].weight.flatten().tolist() == [expected, expected, 0.0]


def test_large_gradients_are_scaled_down_together():
    model = nn.Linear(2, 1)
    for gradients, expected in [(([3.0, 0.0], 4.0), ([1.5, 0.0], 2.0)), (([1.0, 0.0], 2.0),) * 2]:
        model.weight.grad = torch.tensor([gradients[0]])
        model.bias.grad = torch.tensor([gradients[1]])
        clip_norm(2.5)(model.parameters())
        assert model.weight.grad[0].tolist() == pytest.approx(expected[0])
        assert model.bias.grad.item() == pytest.approx(expected[1])


def test_rmsprop_has_the_defaults_of_keras():
    model = nn.Linear(1, 1, bias=False).double()
    nn.init.zeros_(model.weight)
    (optimizer,) = rmsprop(0.5)(model)
    model.weight.grad = torch.full((1, 1), 2.0, dtype=torch.float64)
    optimizer.step()
    # The mean of squares begins at 0 and takes a tenth of the first
    assert model.weight.item() == pytest.approx(-0.5 * 2 / (0.4**0.5 + 1e-7))


def test_nadam_has_the_defaults_of_keras():
    model = nn.Linear(1, 1, bias=False).double()
    nn.init.zeros_(model.weight)
    (optimizer,) = nadam(0.002)(model)
    model.weight.grad = torch.full((1, 1), 2.0, dtype=torch.float64)
    optimizer.step()
    # Dozat (2016): the momentum of step t is 0.9 (1 - 0.96^(0.004 t) / 2)
    now, following = (0.9 * (1 - 0.96 ** (0.004 * t) / 2) for t in (1, 2))
    step = (1 - now) * 2 / (1 - now) + following * 0.1 * 2 / (1 - now * following)
    assert model.weight.item() == pytest.approx(-0.002 * step / (2 + 1e-7), rel=1e-6)


def test_of_sparse_gradients_the_rows_that_there_are_are_scaled():
    model = nn.Sequential(nn.Embedding(5, 2, sparse=True), nn.Linear(2, 1, bias=False))
    model[1].weight.data = torch.tensor([[3.0, 4.0]])
    model[0].weight.data.fill_(0.0)
    # A row that is read twice has one gradient, of norm 10
    model(torch.tensor([1, 1])).sum().backward()
    clip_norm(1.0)(model.parameters())
    assert model[0].weight.grad.to_dense()[1].tolist() == pytest.approx([0.6, 0.8])
    assert model[1].weight.grad.tolist() == [[0.0, 0.0]]


def test_lazy_adam_takes_dense_gradients_for_sparse_ones():
    weights = []
    for dense in (False, True):
        torch.manual_seed(1)
        table = nn.Embedding(5, 2, sparse=True)
        optimizer = adam(0.5)(nn.Sequential(table, nn.Linear(2, 1)))[1]
        for row in (1, 3, 3):
            table.zero_grad()
            table(torch.tensor([row])).square().sum().backward()
            if dense:
                table.weight.grad = table.weight.grad.to_dense()
            optimizer.step()
        weights.append(table.weight)
    assert torch.equal(*weights)


def test_lazy_adam_is_that_of_torch():
    torch.manual_seed(1)
    tables = [nn.Embedding.from_pretrained(torch.ones(9, 2), False, sparse=True) for _ in range(2)]
    ours = adam(0.1)(nn.Sequential(tables[0], nn.Linear(2, 1)))[1:]
    optimizers = [*ours, torch.optim.SparseAdam(tables[1].parameters(), 0.1)]
    for rows in ([1, 3, 3], [8], [3, 1, 8, 0], [2, 5]):  # in and out of order, twice and once
        slopes = torch.randn(len(rows), 2)
        for table, optimizer in zip(tables, optimizers, strict=True):
            table.zero_grad()
            (table(torch.tensor(rows)) * slopes).sum().backward()
            optimizer.step()
    torch.testing.assert_close(tables[0].weight, tables[1].weight)
    assert not torch.equal(tables[0].weight[3], torch.ones(2))


def test_a_table_that_no_batch_has_read_stays_as_it_is():
    table = nn.Embedding(3, 2, sparse=True)
    before = table.weight.detach().clone()
    *_, sparse = adam(0.5)(nn.Sequential(table, nn.Linear(2, 1)))
    sparse.step()
    assert torch.equal(table.weight, before)


@pytest.mark.parametrize(("coasting", "further"), [(False, [0, 0]), (True, [0.67008, 0.51795])])
def test_weights_without_a_gradient_may_go_on(coasting, further):
    model = nn.Linear(1, 1, bias=False)
    (optimizer,) = adam(1.0, coasting=coasting)(model)
    model.weight.grad = torch.full((1, 1), -3.0)
    moved = []
    for _ in range(3):
        before = model.weight.item()
        optimizer.step()
        moved.append(model.weight.item() - before)
        model.weight.grad = None
    # By Adam's formula: 0.9 / 1.9 over the root of 0.999 / 1.999, and so on
    assert moved == pytest.approx([1, *further], abs=1e-4)


def test_rows_of_tables_do_not_go_on_but_steps_are_counted():
    table, other = nn.Embedding(3, 2, sparse=True), nn.Embedding(3, 2, sparse=True)
    *_, sparse = adam(0.5, coasting=True)(nn.ModuleList([table, other, nn.Linear(2, 1)]))
    (table(torch.tensor([1])).sum() + other(torch.tensor([1])).sum()).backward()
    sparse.step()
    weights = table.weight.detach().clone()
    table.weight.grad = None
    sparse.step()
    assert torch.equal(table.weight, weights)
    assert [sparse.state[each.weight]["step"].item() for each in (table, other)] == [2, 2]

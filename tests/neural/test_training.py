from types import SimpleNamespace

import pytest
import torch
from torch import nn

from kasu.base.errors import KasuError
from kasu.neural.resume import Work
from kasu.neural.training import _Run, best_epoch, fit, make_optimizers


def run_fit(tmp_path, scores, loss=None, **changes):
    """Train one weight towards 3; `scores` are those of the epochs."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    given = iter(scores)
    settings = {"epochs": 10, "patience": 2, "learning_rate": 0.1} | changes
    weights, history = fit(
        model,
        lambda epoch: [[1.0], [2.0]],
        loss or (lambda batch: (model(torch.tensor(batch)) - 3 * batch[0]).square().mean()),
        lambda: {"score": next(given)},
        name="m",
        work=Work(tmp_path / "work", {}, 600),
        after_step=lambda batch: None,
        **settings,
    )
    return weights, history


def test_it_stops_when_the_score_no_longer_rises(tmp_path):
    _, history = run_fit(tmp_path, [0.1, 0.3, 0.2, 0.3, 0.9])
    assert [row["score"] for row in history] == [0.1, 0.3, 0.2, 0.3]


def test_the_weights_of_the_best_epoch_are_kept(tmp_path):
    best, _ = run_fit(tmp_path / "a", [0.1, 0.3, 0.2, 0.2])
    after_two, _ = run_fit(tmp_path / "b", [0.1, 0.3], epochs=2)
    assert best["weight"].tolist() == after_two["weight"].tolist()


def test_the_train_loss_is_the_mean_of_the_items(tmp_path):
    _, history = run_fit(tmp_path, [0.1], epochs=1, learning_rate=0.0)
    assert history[0]["train_loss"] == (9 + 36) / 2


def test_a_finished_run_is_not_trained_again(tmp_path):
    weights, history = run_fit(tmp_path, [0.1, 0.3], epochs=2)
    again, same = run_fit(tmp_path, [], epochs=2)
    assert again["weight"].tolist() == weights["weight"].tolist()
    assert same == history


def test_a_loss_that_is_nan_names_epoch_and_step(tmp_path):
    parameter = torch.zeros(1, requires_grad=True)
    losses = iter([1.0, 2.0, float("nan")])
    with pytest.raises(KasuError, match="training of m: loss nan at epoch 2, step 1"):
        run_fit(tmp_path, [0.1], lambda batch: (parameter * 0).sum() + next(losses))


def test_the_earliest_of_equal_epochs_is_best():
    rows = [{"epoch": number, "score": score} for number, score in enumerate([1, 3, 2, 3], 1)]
    assert best_epoch(rows) == 2


def test_sparse_tables_get_lazy_adam():
    model = nn.Sequential(nn.Embedding(5, 2, sparse=True), nn.Linear(2, 1))
    dense, sparse = make_optimizers(model, 0.5)
    assert isinstance(sparse, torch.optim.SparseAdam)
    assert [weight.shape for weight in sparse.param_groups[0]["params"]] == [(5, 2)]
    assert len(dense.param_groups[0]["params"]) == 2
    before = model[0].weight.detach().clone()
    model(torch.tensor([1])).sum().backward()
    sparse.step()
    moved = (model[0].weight != before).any(dim=1)
    assert moved.tolist() == [False, True, False, False, False]


class OnGpu(nn.Linear):
    """A model that claims to be on the second GPU."""

    def parameters(self, recurse=True):
        yield SimpleNamespace(device=torch.device("cuda:1"))


def test_the_state_holds_the_generator_of_the_models_own_gpu(monkeypatch):
    restored = []
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda device: f"state of {device}")
    monkeypatch.setattr(torch.cuda, "set_rng_state", lambda *given: restored.append(given))
    run = _Run(OnGpu(1, 1), [], "m")
    state = run.state()
    assert state["cuda_random"] == "state of cuda:1"
    run.restore(state)
    assert restored == [("state of cuda:1", torch.device("cuda:1"))]


def test_a_run_on_the_processor_opens_no_gpu(monkeypatch):
    opened = []
    for name in ("get_rng_state", "get_rng_state_all", "set_rng_state", "set_rng_state_all"):
        monkeypatch.setattr(torch.cuda, name, lambda *given, name=name: opened.append(name))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    run = _Run(nn.Linear(1, 1), [], "m")
    state = run.state()
    drawn = torch.rand(3).tolist()
    run.restore(state)
    assert torch.rand(3).tolist() == drawn
    # A state made on a GPU, continued without one
    run.restore(state | {"cuda_random": torch.zeros(16, dtype=torch.uint8)})
    assert opened == []


class Killed(Exception):
    """The run was cut off."""


def train_network(folder, scores, *, kill_after=None, **changes):
    """Train a small network with dropout on batches of unequal size; count its steps."""
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    batches = [torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 1.0], [0.0, 1.0], [2.0, 2.0]])]
    steps, given = [], dict(enumerate(scores, 1))
    epochs = []

    def validate():
        assert not model.training
        return {"score": given[epochs[-1]], "more": 7.0}

    def after_step(batch):
        assert model.training
        steps.append((epochs[-1], len(batch)))
        if len(steps) == kill_after:
            raise Killed

    weights, history = fit(
        model,
        lambda epoch: epochs.append(epoch) or batches,
        lambda batch: (model(batch).sum(1) - batch.sum(1)).square().mean(),
        validate,
        name="m",
        work=Work(folder, {}, changes.pop("every", 600)),
        after_step=after_step,
        **{"epochs": 3, "patience": 9, "learning_rate": 0.1} | changes,
    )
    return weights, history, steps


@pytest.mark.parametrize("kill_after", [2, 3, 4])
def test_a_run_cut_off_after_a_step_ends_in_the_same_weights(tmp_path, kill_after):
    scores = [0.1, 0.3, 0.2]
    whole, history, steps = train_network(tmp_path / "whole", scores)
    assert steps == [(1, 1), (1, 3), (2, 1), (2, 3), (3, 1), (3, 3)]
    with pytest.raises(Killed):
        train_network(tmp_path / "cut", scores, every=0, kill_after=kill_after)
    again, same, rest = train_network(tmp_path / "cut", scores, every=0)
    # the state was saved before the step after which it was cut off
    assert rest == steps[kill_after - 1 :]
    assert same == history
    assert all(torch.equal(again[name], whole[name]) for name in whole)


def test_a_history_holds_epoch_loss_and_measures(tmp_path):
    _, history, _ = train_network(tmp_path, [0.1, 0.3], epochs=2, learning_rate=0.0)
    assert [list(row) for row in history] == [["epoch", "train_loss", "score", "more"]] * 2
    assert [(row["epoch"], row["score"], row["more"]) for row in history] == [
        (1, 0.1, 7.0), (2, 0.3, 7.0),
    ]  # fmt: skip


def test_the_train_loss_weighs_batches_by_their_items(tmp_path):
    weight = torch.zeros(1, requires_grad=True)
    model = nn.Linear(1, 1)
    losses = {1: 8.0, 3: 4.0}
    _, history = fit(
        model, lambda epoch: [[0], [0, 0, 0]], lambda batch: weight.sum() + losses[len(batch)],
        lambda: {"score": 0.0}, name="m", epochs=2, patience=9, learning_rate=0.1,
        work=Work(tmp_path, {}, 600), after_step=lambda batch: None,
    )  # fmt: skip
    assert [row["train_loss"] for row in history] == [5.0, 5.0]


@pytest.mark.parametrize(("patience", "epochs"), [(1, 3), (2, 4), (3, 5), (9, 6)])
def test_patience_counts_epochs_without_a_better_score(tmp_path, patience, epochs):
    _, history = run_fit(tmp_path, [0.1, 0.3, 0.3, 0.2, 0.1, 0.1], patience=patience, epochs=6)
    assert len(history) == epochs

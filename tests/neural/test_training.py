from types import SimpleNamespace

import pytest
import torch
from torch import nn

from kasu.base.errors import KasuError
from kasu.job.run import Progress
from kasu.neural.optimizers import adam, clip_norm
from kasu.neural.resume import Work
from kasu.neural.stopping import Halve, Patience
from kasu.neural.training import Training, _Run, fit, fit_all


class Killed(Exception):
    """The run was cut off."""


def run_fit(tmp_path, scores, loss=None, *, patience=2, epochs=10, rate=0.1, **changes):
    """Train one weight towards 3; `scores` are those of the epochs."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    given = iter(scores)
    weights, history = fit(
        model,
        lambda epoch: [[1.0], [2.0]],
        loss or (lambda batch: (model(torch.tensor(batch)) - 3 * batch[0]).square().mean()),
        lambda: {"score": next(given)},
        name="m",
        stop=Patience(patience, epochs),
        optimizers=adam(rate),
        work=Work(tmp_path / "work", {}, 600),
        **changes,
    )
    return weights, history


def test_training_lowers_the_loss(tmp_path):
    weights, _ = run_fit(tmp_path, range(100), epochs=100)
    assert weights["weight"].item() == pytest.approx(3, abs=0.1)


def test_it_stops_when_the_score_no_longer_rises(tmp_path):
    _, history = run_fit(tmp_path, [0.1, 0.3, 0.2, 0.3, 0.9])
    assert [row["score"] for row in history] == [0.1, 0.3, 0.2, 0.3]


def test_the_weights_of_the_best_epoch_are_kept(tmp_path):
    best, _ = run_fit(tmp_path / "a", [0.1, 0.3, 0.2, 0.3])
    after_two, _ = run_fit(tmp_path / "b", [0.1, 0.3], epochs=2)
    assert best["weight"].tolist() == after_two["weight"].tolist()


def test_the_train_loss_is_the_mean_of_the_items(tmp_path):
    _, history = run_fit(tmp_path, [0.1], epochs=1, rate=0.0)
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


def run_of(model):
    return _Run(Training(model, None, None, "m", None, lambda model: [], None, None))


def test_a_last_step_that_diverges_names_epoch_and_step():
    run = run_of(nn.Linear(1, 1))
    run.check_weights()
    run.model.bias.data.fill_(torch.inf)
    line = "training of m: infinite weights at epoch 1, step 0; expected finite ones"
    with pytest.raises(KasuError, match=line):
        run.check_weights()


def test_a_reload_brings_the_best_weights_and_half_the_rate_and_keeps_the_running_means():
    model = nn.Linear(2, 1)
    run = _Run(Training(model, None, None, "m", None, adam(0.1), None, None))
    (optimizer,) = run.optimizers
    ((first, second),) = (optimizer.param_groups[0]["params"],)

    def step(epoch, score):
        model(torch.tensor([[1.0, float(epoch)]])).square().sum().backward()
        optimizer.step()
        run.items = 1
        run.end_epoch({"score": score})

    step(1, 1.0)
    best = {name: weight.clone() for name, weight in model.state_dict().items()}
    step(2, 0.0)
    means = [optimizer.state[each]["exp_avg"].clone() for each in (first, second)]
    assert not torch.equal(model.weight, best["weight"])
    run.reload()
    assert all(torch.equal(weight, best[name]) for name, weight in model.state_dict().items())
    assert optimizer.param_groups[0]["lr"] == 0.05
    for weight, mean in zip((first, second), means, strict=True):
        assert torch.equal(optimizer.state[weight]["exp_avg"], mean)
        assert optimizer.state[weight]["step"] == 2
    # What is trained further are the weights of the model, and not those that are kept
    step(3, 0.0)
    assert not torch.equal(model.weight, best["weight"])
    assert torch.equal(run.best["weight"], best["weight"])


class OnGpu(nn.Linear):
    """A model that claims to be on the second GPU."""

    def parameters(self, recurse=True):
        yield SimpleNamespace(device=torch.device("cuda:1"))


def test_the_state_holds_the_generator_of_the_models_own_gpu(monkeypatch):
    restored = []
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda device: f"state of {device}")
    monkeypatch.setattr(torch.cuda, "set_rng_state", lambda *given: restored.append(given))
    run = run_of(OnGpu(1, 1))
    state = run.state()
    assert state["cuda_random"] == "state of cuda:1"
    run.restore(state)
    assert restored == [("state of cuda:1", torch.device("cuda:1"))]


def test_a_run_on_the_processor_opens_no_gpu(monkeypatch):
    opened = []
    for name in ("get_rng_state", "get_rng_state_all", "set_rng_state", "set_rng_state_all"):
        monkeypatch.setattr(torch.cuda, name, lambda *given, name=name: opened.append(name))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    run = run_of(nn.Linear(1, 1))
    state = run.state()
    drawn = torch.rand(3).tolist()
    run.restore(state)
    assert torch.rand(3).tolist() == drawn
    # A state made on a GPU, continued without one
    run.restore(state | {"cuda_random": torch.zeros(16, dtype=torch.uint8)})
    assert opened == []


def cut_off():
    raise Killed


def run_out_of_memory():
    torch.empty(10**15)


def train_network(
    folder,
    scores,
    *,
    kill_after=None,
    epochs=3,
    rate=0.1,
    every=600,
    fail=None,
    stop=None,
    progress=None,
):
    """Train a small network with dropout on batches of unequal size; count its steps."""
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    batches = [torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 1.0], [0.0, 1.0], [2.0, 2.0]])]
    steps, given = [], dict(enumerate(scores, 1))
    begun = []

    def validate():
        assert not model.training
        return {"score": given[begun[-1]], "more": 7.0}

    def size(batch):
        assert model.training
        steps.append((begun[-1], len(batch)))
        if len(steps) == kill_after:
            (fail or cut_off)()
        return len(batch)

    weights, history = fit(
        model,
        lambda epoch: begun.append(epoch) or batches,
        lambda batch: (model(batch).sum(1) - batch.sum(1)).square().mean(),
        validate,
        name="m",
        stop=stop or Patience(9, epochs),
        optimizers=adam(rate),
        work=Work(folder, {}, every),
        progress=progress,
        size=size,
    )
    return weights, history, steps


# The best epochs are 1 and 5: reloads after epochs 3 and 7, the end after 9
HALVED, SCORES = Halve(2, 0.1, 0.02), [5, 0, 0, 4, 6, 1, 1, 1, 1, 9]


@pytest.mark.parametrize("kill_after", [6, 7, 8, 9, 14, 15, 16])
def test_a_run_cut_off_around_a_reload_ends_in_the_same_weights(tmp_path, kill_after):
    whole, history, steps = train_network(tmp_path / "whole", SCORES, stop=HALVED)
    assert len(history) == 9
    with pytest.raises(Killed):
        train_network(tmp_path / "cut", SCORES, stop=HALVED, every=0, kill_after=kill_after)
    again, same, rest = train_network(tmp_path / "cut", SCORES, stop=HALVED, every=0)
    assert rest == steps[kill_after - 1 :]
    assert same == history
    assert all(torch.equal(again[name], whole[name]) for name in whole)


def test_a_run_out_of_memory_keeps_its_state_and_goes_on_from_there(tmp_path):
    scores = [0.1, 0.3, 0.2]
    whole, history, steps = train_network(tmp_path / "whole", scores)
    with pytest.raises(RuntimeError, match="DefaultCPUAllocator"):
        train_network(tmp_path / "cut", scores, every=0, kill_after=4, fail=run_out_of_memory)
    again, same, rest = train_network(tmp_path / "cut", scores, every=0)
    assert rest == steps[3:]
    assert same == history
    assert all(torch.equal(again[name], whole[name]) for name in whole)


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


def test_the_progress_of_a_resumed_run_counts_earlier_steps_but_not_in_the_rate(tmp_path):
    scores = [0.1, 0.3, 0.2]
    with pytest.raises(Killed):
        train_network(tmp_path, scores, every=0, kill_after=4)
    progress = Progress("m", 12, "items")
    train_network(tmp_path, scores, progress=progress)
    # Three steps were saved: an epoch of 1 + 3 items, and 1 item of the next
    assert (progress.before, progress.done) == (5, 12)


def test_a_history_holds_epoch_loss_and_measures(tmp_path):
    _, history, _ = train_network(tmp_path, [0.1, 0.3], epochs=2, rate=0.0)
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
        lambda: {"score": 0.0}, name="m", stop=Patience(9, 2), optimizers=adam(0.1),
        work=Work(tmp_path, {}, 600),
    )  # fmt: skip
    assert [row["train_loss"] for row in history] == [5.0, 5.0]


def test_gradients_are_clipped_before_a_step(tmp_path):
    seen = []

    def clip(parameters):
        (weight,) = parameters
        seen.append(weight.grad.item())
        weight.grad.zero_()

    weights, _ = run_fit(tmp_path, [0.1], epochs=1, clip=clip)
    assert weights["weight"].item() == 0
    assert seen == [-6, -24]


def test_a_resumed_run_asks_its_stop_before_it_goes_on(tmp_path):
    scores, asked = iter([0.1, 0.3, None, 0.2]), []

    class Noting(Patience):
        def after(self, history):
            asked.append(len(history))
            return super().after(history)

    def validate():
        score = next(scores)
        if score is None:
            raise Killed
        return {"score": score}

    def train():
        torch.manual_seed(1)
        model = nn.Linear(1, 1)
        return fit(
            model, lambda epoch: [torch.ones(2, 1)], lambda batch: model(batch).square().mean(),
            validate, name="m", stop=Noting(9, 3), optimizers=adam(0.1),
            work=Work(tmp_path, {}, 0),
        )  # fmt: skip

    with pytest.raises(Killed):
        train()
    assert asked == [1, 2]
    _, history = train()
    assert asked == [1, 2, 2, 3]
    assert [row["score"] for row in history] == [0.1, 0.3, 0.2]


def trainings(steps, epochs=(1, 3, 2), fail=None):
    """Trainings of three small models on batches of their own; `steps` gets what is trained on."""

    def training(number):
        torch.manual_seed(number)
        model = nn.Linear(2, 1)
        batches = [torch.full((1, 2), float(number)), torch.ones(2, 2)][: 1 + number % 2]

        def size(batch):
            steps.append(number)
            if len(steps) == fail:
                raise Killed
            return len(batch)

        return Training(
            model, lambda epoch: batches, lambda: {"score": -model.weight.abs().sum().item()},
            str(number), Patience(9, epochs[number]), adam(0.1), clip_norm(0.5), size=size,
        )  # fmt: skip

    return [training(number) for number in range(3)]


def gradients(models, batches):
    values = []
    for model, batch in zip(models, batches, strict=True):
        model.zero_grad()
        value = (model(batch).sum(1) - batch.sum(1)).square().mean()
        value.backward()
        values.append(value.item())
    return values


def same(trained, other):
    (weights, history), (others, same_history) = trained, other
    return history == same_history and all(
        torch.equal(weights[key], others[key]) for key in weights
    )


def test_models_train_side_by_side_as_they_would_alone(tmp_path):
    steps = []
    together = fit_all(trainings(steps), gradients, Work(tmp_path / "all", {}, 600))
    # 1, 2 and 1 batches an epoch, 1, 3 and 2 epochs: who is done leaves
    assert steps == [0, 1, 2, 1, 2, 1, 1, 1, 1]
    for number, trained in enumerate(together):
        work = Work(tmp_path / str(number), {}, 600)
        (alone,) = fit_all([trainings([])[number]], gradients, work)
        assert same(trained, alone)


def test_a_model_that_diverges_costs_no_other(tmp_path):
    def diverging(models, batches):
        values = gradients(models, batches)
        return [float("inf") if len(batch) == 2 else value
                for batch, value in zip(batches, values, strict=True)]  # fmt: skip

    first, error, last = fit_all(trainings([]), diverging, Work(tmp_path / "a", {}, 600))
    assert str(error).startswith("training of 1: loss inf at epoch 1, step 2")
    expected = fit_all(trainings([]), gradients, Work(tmp_path / "b", {}, 600))
    assert same(first, expected[0])
    assert same(last, expected[2])


@pytest.mark.parametrize("fail", [2, 5, 6, 8])
def test_models_that_were_cut_off_side_by_side_end_in_the_same_weights(tmp_path, fail):
    expected = fit_all(trainings([]), gradients, Work(tmp_path / "whole", {}, 600))
    with pytest.raises(Killed):
        fit_all(trainings([], fail=fail), gradients, Work(tmp_path / "cut", {}, 0))
    steps = []
    again = fit_all(trainings(steps), gradients, Work(tmp_path / "cut", {}, 0))
    assert len(steps) < 9
    assert all(map(same, again, expected))

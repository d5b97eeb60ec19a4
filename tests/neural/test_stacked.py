"""Models trained together are those that are trained apart."""

from typing import ClassVar

import pytest
import torch
from torch import nn

from kasu.neural.dropout import keep
from kasu.neural.optimizers import adadelta, adam, clip_norm
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.neural.resume import Work
from kasu.neural.stacked import Stacked
from kasu.neural.stopping import Patience
from kasu.neural.training import Training, fit, fit_all


class Network(nn.Module):
    """Reads a sequence and writes another."""

    PADDING: ClassVar = {"possible": -torch.inf}

    def __init__(self, symbols, kind):
        super().__init__()
        self.table = nn.Embedding(symbols, 3)
        self.encoder = Recurrent(kind, 3, 4, directions=2, join="sum")
        self.decoder = RecurrentCell(kind, 3, 4, constant=4)
        self.output = nn.Linear(4, symbols)
        self.register_buffer("possible", torch.zeros(symbols))

    def inputs(self, batch):
        return [*batch]

    def forward(self, source, target, *masks):
        """Mean cross-entropy of the target; symbol 0 is padding."""
        _, final, cell = self.encoder(self.table(source) * masks[0], source != 0)
        state = (final[0],) if cell is None else (final[0], cell[0])
        read = self.table(target[:, :-1]) * masks[1]
        outputs, _ = self.decoder.run(read, state, self.decoder.project(final[0]))
        log_probs = (self.output(outputs) + self.possible).log_softmax(2)
        picked = log_probs.gather(2, target[:, 1:].unsqueeze(2)).squeeze(2)
        return -(picked * (target[:, 1:] != 0)).sum(1).mean()


class Batch(tuple):
    """The inputs of a network."""

    def __len__(self):
        return self[0].shape[0]


def make_batch(rows, symbols, generator):
    """Random sequences, and masks for them; the first is the longest."""

    def sequences():
        longest = int(torch.randint(2, 6, (), generator=generator))
        lengths = torch.randint(1, longest, (rows, 1), generator=generator)
        lengths[0] = longest
        ids = torch.randint(1, symbols, (rows, longest), generator=generator)
        return ids * (torch.arange(longest) < lengths)

    source, target = sequences(), sequences()
    masks = (keep((*source.shape, 3), 0.3, generator), keep((rows, 1, 3), 0.3, generator))
    return Batch((source, target, *masks))


def training(number, kind, optimizers):
    """One of three trainings; the alphabets have 5, 8 and 6 symbols, the second stops early."""
    torch.manual_seed(number)
    symbols, generator = (5, 8, 6)[number], torch.Generator().manual_seed(number)
    model = Network(symbols, kind).double()
    batches = [make_batch(rows, symbols, generator) for rows in (2, 1 + number % 2, 3)[number:]]
    scores = iter(([1, 2, 3, 4], [2, 1], [4, 3, 2, 1])[number])
    return Training(
        model, lambda epoch: batches, lambda: {"score": next(scores)}, str(number),
        Patience((9, 1, 9)[number], 4), optimizers, clip_norm(0.5),
    )  # fmt: skip


@pytest.mark.parametrize("optimizers", [adam(0.1), adadelta()])
@pytest.mark.parametrize("kind", ["lstm", "gru", "coupled"])
def test_stacked_models_end_as_separate_ones_do(tmp_path, kind, optimizers):
    trainings = [training(number, kind, optimizers) for number in range(3)]
    stacked = Stacked(trainings[1].model)
    together = fit_all(trainings, stacked, Work(tmp_path / "all", {}, 600))
    assert [len(history) for _, history in together] == [4, 2, 4]
    for number, (weights, history) in enumerate(together):
        alone = training(number, kind, optimizers)
        expected, own_history = fit(
            alone.model, alone.batches, lambda batch: alone.model(*batch), alone.validate,  # noqa: B023
            name="m", stop=alone.stop, optimizers=alone.optimizers, clip=alone.clip,
            work=Work(tmp_path / str(number), {}, 600),
        )  # fmt: skip
        assert weights.keys() == expected.keys()
        for name in weights:
            torch.testing.assert_close(weights[name], expected[name], rtol=0, atol=1e-9)
        for row, own in zip(history, own_history, strict=True):
            assert row == pytest.approx(own, abs=1e-9)


def test_losses_come_in_the_order_of_the_models():
    batches = [training(number, "gru", adam(0.1)).batches(1)[0] for number in range(3)]
    models = [training(number, "gru", adam(0.1)).model for number in range(3)]
    assert [len(batch) for batch in batches] == [2, 2, 3]
    order = [1, 2, 0]
    stacked = Stacked(models[0])
    losses = stacked([models[n] for n in order], [batches[n] for n in order])
    assert losses == pytest.approx([models[n](*batches[n]).item() for n in order], abs=1e-12)


def test_symbols_of_larger_alphabets_are_improbable_only_by_the_padding():
    batches = [training(number, "gru", adam(0.1)).batches(1)[0] for number in range(2)]
    models = [training(number, "gru", adam(0.1)).model for number in range(2)]
    expected = [model(*batch).item() for model, batch in zip(models, batches, strict=True)]
    stacked = Stacked(models[0])
    stacked.padding = {}
    losses = stacked(models, batches)
    assert losses[0] > expected[0] + 0.1
    assert losses[1] == pytest.approx(expected[1], abs=1e-12)


class Sum(nn.Module):
    """Adds up its weights, of which padding must be none."""

    PADDING: ClassVar = {}

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(1.0, 1 + size))

    def inputs(self, batch):
        return [batch]

    def forward(self, x):
        return (self.weight.sum() * x).sum()


def test_smaller_weights_are_padded_with_zeros():
    models = [Sum(2), Sum(3)]
    assert Stacked(models[0])(models, torch.tensor([[2.0], [1.0]])) == [6, 6]
    assert [model.weight.grad.tolist() for model in models] == [[2, 2], [1, 1, 1]]


def test_weights_shared_in_a_model_stay_shared():
    batch = training(0, "gru", adam(0.1)).batches(1)[0]
    models = [training(0, "gru", adam(0.1)).model for _ in range(2)]
    for model in models:
        model.decoder.layers[0].kernel.bias_hh_l0 = model.encoder.layers[0].kernel.bias_hh_l0
    Stacked(models[0])(models, [batch, batch])
    separate = training(0, "gru", adam(0.1)).model
    separate.decoder.layers[0].kernel.bias_hh_l0 = separate.encoder.layers[0].kernel.bias_hh_l0
    separate(*batch).backward()
    for model in models:
        for one, other in zip(model.parameters(), separate.parameters(), strict=True):
            torch.testing.assert_close(one.grad, other.grad, rtol=0, atol=1e-12)

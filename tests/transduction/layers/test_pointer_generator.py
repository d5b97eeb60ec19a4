import pytest
import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Recurrent, use_plain
from kasu.transduction.alphabet import PAD, START
from kasu.transduction.batch import pad
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.layers.pointer_generator import PointerGenerator, PointerGeneratorState
from kasu.transduction.search import take

SYMBOLS = 9


class Network(nn.Module):
    """A decoder and what it attends to."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(8)
        table = nn.Embedding(SYMBOLS, 3)
        self.encoders = nn.ModuleList(
            Encoder(table, Recurrent("lstm", 3, 4, directions=2)) for _ in "ab"
        )
        self.decoder = PointerGenerator(table, 6, [8, 8], 5)

    def start(self, source: Tensor, copied: Tensor | None = None) -> PointerGeneratorState:
        encoded = [encoder(source) for encoder in self.encoders]
        hidden = self.decoder.cell.zeros(len(source))
        return self.decoder.start(hidden, encoded, source if copied is None else copied)


@pytest.fixture
def network() -> Network:
    return Network()


def test_a_known_output_is_scored_as_step_by_step(network):
    state = network.start(pad([[4, 5, 6], [7, 8]]))
    target = torch.tensor([[START, 4, 7], [START, 5, 5]])
    at_once = network.decoder.teacher(state, target)
    for position in range(3):
        log_probs, state = network.decoder.step(state, target[:, position])
        assert torch.allclose(log_probs, at_once[:, position], atol=1e-6)


def test_a_known_output_is_scored_alike_in_plain_operations(network):
    target = torch.tensor([[START, 4, 7], [START, 5, 5]])
    found, gradients = [], []
    for plain in (False, True):
        if plain:
            use_plain(network)
        network.zero_grad()
        state = network.start(pad([[4, 5, 6], [7, 8]]))
        log_probs = network.decoder.teacher(state, target)
        log_probs[..., 5].sum().backward()
        found.append(log_probs)
        gradients.append([weight.grad.clone() for weight in network.parameters()])
    assert torch.allclose(*found, atol=1e-6)
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_contexts_enter_the_cell_as_one_input_with_the_symbol(network):
    """The products with the values, computed beforehand, are those with the contexts."""
    decoder = network.decoder
    state = network.start(pad([[4, 5, 6]]))
    read = decoder.table(torch.tensor([7]))
    contexts = [
        attention(state.hidden[0], memory) @ memory.values[0]
        for attention, memory in zip(decoder.attentions, state.memories, strict=True)
    ]
    projected = decoder.cell.project(torch.cat(contexts, 1))
    expected, _ = decoder.cell.step(read, state.hidden, projected)
    _, after = decoder.step(state, torch.tensor([7]))
    assert torch.allclose(after.hidden[0], expected, atol=1e-6)


def test_probabilities_sum_to_one_over_foreign_symbols_too(network):
    state = network.start(pad([[4, 3, 3]]), pad([[4, 9, 10]]))
    log_probs, _ = network.decoder.step(state, torch.tensor([START]))
    assert log_probs.shape == (1, SYMBOLS + 2)
    assert log_probs.exp().sum().item() == pytest.approx(1, abs=1e-5)


def test_a_foreign_symbol_that_was_written_is_read_as_unknown(network):
    state = network.start(pad([[4, 3]]), pad([[4, 9]]))
    after_foreign, _ = network.decoder.step(state, torch.tensor([9]))
    after_unknown, _ = network.decoder.step(state, torch.tensor([3]))
    assert torch.equal(after_foreign, after_unknown)


def test_items_do_not_change_one_another(network):
    source = pad([[4, 5, 6, 7], [8, 4]])
    assert source[1, 2] == PAD
    together = network.decoder.teacher(network.start(source), torch.tensor([[START, 5]] * 2))
    state = network.start(source[1:, :2])
    alone = network.decoder.teacher(state, torch.tensor([[START, 5]]))
    assert torch.allclose(together[1:], alone, atol=1e-6)


def test_rows_of_a_state_can_be_taken(network):
    state = network.start(pad([[4, 5, 6, 7], [8, 4]]))
    log_probs, _ = network.decoder.step(state, torch.tensor([START, START]))
    taken, _ = network.decoder.step(take(state, torch.tensor([1, 1])), torch.tensor([START] * 2))
    assert torch.allclose(taken, log_probs[[1, 1]], atol=1e-6)


def test_dropout_falls_on_the_symbols_read(network):
    state = network.start(pad([[4, 5, 6]]))
    mask = torch.zeros(1, 2, 3)
    one = network.decoder.teacher(state, torch.tensor([[START, 4]]), mask)
    other = network.decoder.teacher(state, torch.tensor([[START, 8]]), mask)
    assert torch.equal(one, other)
    assert not torch.allclose(one, network.decoder.teacher(state, torch.tensor([[START, 4]])))

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import START
from kasu.transduction.layers.attention import Luong
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.luong import LuongDecoder

TARGET = torch.tensor([[START, 4, 5, 4], [START, 6, 6, 5]])


def some(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(2))


def started(feeding: bool, layers: int = 1, **kind):
    torch.manual_seed(3)
    table = nn.Embedding(7, 3)
    decoder = LuongDecoder(table, 5, [4, 2], layers=layers, feeding=feeding, **kind).double()
    mask = torch.tensor([[True, True, True], [True, False, False]])
    encoded = [Encoded(some(2, 3, width), mask, ()) for width in (4, 2)]
    hidden = (some(2, 5),) * sum(layer.parts for layer in decoder.cell.layers)
    return decoder, decoder.start(hidden, encoded)


@pytest.mark.parametrize("kind", [{}, {"kind": "gru", "additive": True}])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("feeding", [False, True])
def test_a_known_output_is_read_as_step_by_step(feeding, layers, kind):
    decoder, state = started(feeding, layers, **kind)
    together = decoder.teacher(state, TARGET)
    for step, previous in enumerate(TARGET.T):
        log_probs, state = decoder.step(state, previous)
        torch.testing.assert_close(log_probs, together[:, step])


@pytest.mark.parametrize(("feeding", "matters"), [(False, False), (True, True)])
def test_what_was_seen_is_read_only_where_it_is_fed(feeding, matters):
    decoder, state = started(feeding)
    assert torch.equal(state.contexts, torch.zeros(2, 6))
    one, after = decoder.step(state, TARGET[:, 0])
    other, _ = decoder.step(state._replace(contexts=some(2, 6)), TARGET[:, 0])
    assert torch.equal(one, other) != matters
    # The contexts, of 4 and 2 numbers
    torch.testing.assert_close(after.contexts, decoder.attend(state, TARGET[:, :1])[:, 0, 5:])


@pytest.mark.parametrize("feeding", [False, True])
def test_dropped_outputs_query_and_write_but_the_next_step_reads_the_whole(feeding):
    decoder, state = started(feeding)
    attended = decoder.attend(state, TARGET, kept=torch.zeros(2, 4, 5))
    assert attended[:, :, :5].count_nonzero() == 0
    # Without a query, all that is real counts the same
    expected = torch.cat([each.values[0].mean(0) for each in state.memories])
    torch.testing.assert_close(attended[0, :, 5:], expected.expand(4, -1))
    read = decoder.table(TARGET[:, 0])
    whole = torch.cat([read, state.contexts], 1) if feeding else read
    _, hidden = decoder.cell.step(whole, state.hidden)
    _, after = decoder._advance(state, read, torch.zeros(2, 5))
    assert all(torch.equal(*pair) for pair in zip(after.hidden, hidden, strict=True))


def test_the_formula_written_out():
    decoder, state = started(feeding=False)
    output, _ = decoder.cell.step(decoder.table(TARGET[:, 0]), state.hidden)
    contexts = []
    for attention, memory in zip(decoder.attentions, state.memories, strict=True):
        # The second item has one position
        scores = memory.values[0] @ attention.key.weight.mT @ output[0]
        weights = scores.exp() / scores.exp().sum()
        contexts.append(torch.stack([weights @ memory.values[0], memory.values[1, 0]]))
    seen = decoder.see(torch.cat([output, *contexts], 1)).tanh()
    expected = decoder.vocabulary(seen).log_softmax(1)
    torch.testing.assert_close(decoder.step(state, TARGET[:, 0])[0], expected)


def test_keys_may_have_a_bias():
    assert Luong(3, 2).key.bias is None
    assert Luong(3, 2, bias=True).key.bias.shape == (3,)

"""The decoder that attends by its whole state."""

import pytest
import torch
from torch import nn

from kasu.neural.recurrent.networks import use_plain
from kasu.transduction.alphabet import END, START
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.state_decoder import DecoderDropoutMasks, StateDecoder
from kasu.transduction.search import greedy

TARGET = torch.tensor([[START, START, 5, 4], [START, START, 6, 5]])
WHOLE = DecoderDropoutMasks(torch.ones(3), torch.ones(4), torch.ones(5))
MASKS = DecoderDropoutMasks(
    torch.tensor([0.0, 2, 2]), torch.tensor([2.0, 0, 0, 2]), torch.tensor([2.0, 2, 0, 0, 2])
)


def some(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(2))


def encoded() -> Encoded:
    return Encoded(some(2, 3, 4), torch.tensor([[True, True, True], [True, False, False]]), ())


def decoder() -> StateDecoder:
    torch.manual_seed(3)
    return StateDecoder(nn.Embedding(7, 3), 5, 4)


def test_a_known_output_is_read_as_step_by_step():
    made = decoder()
    state = made.start(encoded())
    together = made.teacher(state, TARGET, WHOLE)
    for step, previous in enumerate(TARGET.T):
        log_probs, state = made.step(state, previous)
        boundary = END if step else START
        torch.testing.assert_close(log_probs[:, boundary], together[:, step, START])
        torch.testing.assert_close(log_probs[:, END + 1 :], together[:, step, END + 1 :])


@pytest.mark.parametrize(
    ("bias", "written"),
    [
        ({START: 9.0}, [START]),
        # END itself is none of the symbols that it writes
        ({END: 9.0, 5: 7.0}, [5, 5, 5]),
    ],
)
def test_an_answer_ends_at_its_second_boundary(bias, written):
    made = decoder()
    for symbol, value in bias.items():
        made.vocabulary.bias.data[symbol] = value
    answers = greedy(made, made.start(encoded()), [3, 3])
    assert [answer.ids for answer in answers] == [written, written]


def test_masks_drop_the_same_in_plain_operations():
    made = decoder()
    expected = made.teacher(made.start(encoded(), MASKS), TARGET, MASKS)
    whole = made.teacher(made.start(encoded(), WHOLE), TARGET, WHOLE)
    use_plain(made)
    found = made.teacher(made.start(encoded(), MASKS), TARGET, MASKS)
    torch.testing.assert_close(found, expected)
    assert not torch.allclose(found, whole)


@pytest.mark.parametrize(
    ("at", "values"), [(0, torch.zeros(3)), (1, torch.zeros(4)), (2, torch.zeros(5))]
)
def test_what_is_dropped_is_not_read(at, values):
    """Weights of what is dropped may be anything, but for those by which it attends."""
    made = decoder()
    kept = DecoderDropoutMasks(
        *(values if number == at else mask for number, mask in enumerate(WHOLE))
    )
    expected = made.teacher(made.start(encoded(), kept), TARGET, kept)
    kernel, layer = made.cell.layers[0].kernel, made.cell.layers[0]
    weight = (kernel.weight_ih_l0, layer.constant, kernel.weight_hh_l0)[at]
    weight.data += 1
    torch.testing.assert_close(made.teacher(made.start(encoded(), kept), TARGET, kept), expected)
    weight = (layer.constant, kernel.weight_hh_l0, kernel.weight_ih_l0)[at]
    weight.data += 1
    assert not torch.allclose(made.teacher(made.start(encoded(), kept), TARGET, kept), expected)


def test_output_and_cell_attend():
    made = decoder()
    state = made.start(encoded())
    first, _ = made.step(state, TARGET[:, 0])
    for part in range(2):
        hidden = [*state.hidden]
        hidden[part] = hidden[part] + 1
        asked = torch.cat(hidden, 1)
        before = made.attention(torch.cat(state.hidden, 1), state.memory)
        assert not torch.allclose(made.attention(asked, state.memory), before)
    assert made.attention.query.bias is None
    assert first.shape == (2, 7)


def test_it_has_read_a_boundary_before_its_first_step():
    made = decoder()
    start = made.table(torch.tensor([START, START]))
    _, expected = made.cell.step(start, made.cell.zeros(2), made.cell.project(torch.zeros(2, 4)))
    torch.testing.assert_close(made.start(encoded()).hidden, expected)


def test_padding_is_not_attended_to():
    made, one, other = decoder(), encoded(), encoded()
    other.outputs[1, 1:] = 9
    log_probs = [made.step(made.start(each), TARGET[:, 0])[0] for each in (one, other)]
    torch.testing.assert_close(*log_probs)

import torch
from torch import nn

from kasu.transduction.alphabet import START
from kasu.transduction.layers.attention_decoder import AttentionDecoder
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.networks.seq2seq import own_answers

TARGET = torch.tensor([[START, 4, 5, 4], [START, 6, 6, 5]])


def some(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(2))


def started(kind: str = "gru"):
    torch.manual_seed(3)
    decoder = AttentionDecoder(kind, nn.Embedding(7, 3), 5, 4)
    mask = torch.tensor([[True, True, True], [True, False, False]])
    hidden = decoder.cell.zeros(2)
    return decoder, decoder.start(hidden, Encoded(some(2, 3, 4), mask, ()))


def test_a_known_output_is_read_as_step_by_step():
    for kind in ("gru", "lstm"):
        decoder, state = started(kind)
        together = decoder.teacher(state, TARGET, torch.ones(2, 4, 3))
        for step, previous in enumerate(TARGET.T):
            log_probs, state = decoder.step(state, previous)
            torch.testing.assert_close(log_probs, together[:, step])


def test_what_it_reads_of_its_own_is_what_it_answers():
    decoder, state = started()
    mask = torch.bernoulli(torch.full((2, 4, 3), 0.5)) * 2
    own = own_answers(decoder, state, TARGET[:, 0], mask)
    read = torch.cat([TARGET[:, :1], own[:, :-1]], 1)
    assert torch.equal(own, decoder.teacher(state, read, mask).argmax(2))


def test_padding_is_not_attended_to():
    decoder, state = started()
    values = state.memory.values.clone()
    values[1, 1:] = 9
    other = state._replace(memory=state.memory._replace(values=values))
    one, two = (decoder.step(each, TARGET[:, 0])[0] for each in (state, other))
    torch.testing.assert_close(one, two)

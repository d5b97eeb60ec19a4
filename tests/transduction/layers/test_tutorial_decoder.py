"""The tutorial's decoder: one step after the paper, and a known target."""

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import START
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.tutorial_decoder import TutorialDecoder

TARGET = torch.tensor([[START, 4, 5, 4], [START, 6, 6, 5]])
MASK = torch.tensor([[True, True, True, True], [True, True, False, False]])
OUTPUTS = torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(9))
LAST = torch.stack([OUTPUTS[0, 3], OUTPUTS[1, 1]])


def decoder(limit: int = 6, *, masked: bool = True) -> TutorialDecoder:
    torch.manual_seed(10)
    return TutorialDecoder(nn.Embedding(7, 3), 5, limit, masked=masked)


def started(made: TutorialDecoder, outputs: torch.Tensor = OUTPUTS):
    return made.start(Encoded(outputs, MASK, (LAST,)))


@pytest.mark.parametrize("masked", [True, False])
def test_a_known_target_is_read_as_step_by_step(masked):
    made = decoder(masked=masked)
    state = started(made)
    together = made.teacher(state, TARGET, torch.ones(2, 4, 3))
    for step, previous in enumerate(TARGET.T):
        log_probs, state = made.step(state, previous)
        torch.testing.assert_close(log_probs, together[:, step])


def test_a_step_is_that_of_the_paper():
    made = decoder()
    embedded = made.table(torch.tensor([START]))
    log_probs, after = made.step(started(made), torch.tensor([START, START]))
    # The first item, without padding
    query = torch.cat([embedded, LAST[:1]], 1)
    weights = (made.attention.score(query)[:, :4]).softmax(1)
    read = torch.relu(made.combine(torch.cat([embedded, weights @ OUTPUTS[0]], 1)))
    cell = nn.GRUCell(5, 5)
    cell.load_state_dict(
        {name[:-3]: weight for name, weight in made.cell.layers[0].kernel.state_dict().items()}
    )
    hidden = cell(read, LAST[:1])
    torch.testing.assert_close(after.hidden[:1], hidden)
    torch.testing.assert_close(log_probs[:1], made.vocabulary(hidden).log_softmax(1))


def test_what_stands_at_a_position_changes_no_weight():
    made = decoder()
    kept = []
    attention = made.attention.forward
    made.attention.forward = lambda *given: kept.append(attention(*given)) or kept[-1]
    for outputs in (OUTPUTS, OUTPUTS[:, [2, 0, 1, 3]]):
        made.step(started(made, outputs), TARGET[:, 0])
    assert torch.equal(*kept)


def test_positions_beyond_the_limit_are_not_attended_to():
    made = decoder(limit=3)
    other = OUTPUTS.clone()
    other[0, 3] = 9
    one, two = (made.step(started(made, each), TARGET[:, 0])[0] for each in (OUTPUTS, other))
    assert torch.equal(one, two)
    other[0, 2] = 9
    three, _ = made.step(started(made, other), TARGET[:, 0])
    assert not torch.equal(one[0], three[0])


def test_dropout_is_of_the_embedded_symbols():
    made = decoder()
    none = torch.zeros(2, 4, 3)
    one, two = (made.teacher(started(made), each, none) for each in (TARGET, TARGET[:, [0] * 4]))
    assert torch.equal(one, two)

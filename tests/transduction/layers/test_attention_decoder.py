import torch
from torch import nn

from kasu.transduction.alphabet import START
from kasu.transduction.layers.attention_decoder import AttentionDecoder, MemoriesDecoder
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


def test_outputs_that_write_are_dropped_and_the_next_step_has_them_whole():
    decoder, state = started()
    none, kept = torch.ones(2, 4, 3), torch.ones(2, 4, 5)
    whole = decoder.teacher(state, TARGET, none)
    assert torch.equal(decoder.teacher(state, TARGET, none, kept), whole)
    kept[:, 1] = 0
    dropped = decoder.teacher(state, TARGET, none, kept)
    same = [torch.equal(dropped[:, step], whole[:, step]) for step in range(4)]
    assert same == [True, False, True, True]
    torch.testing.assert_close(dropped[0, 1], decoder.vocabulary.bias.log_softmax(0))


def remembering(*values: int) -> MemoriesDecoder:
    torch.manual_seed(3)
    return MemoriesDecoder(nn.Embedding(7, 3), 5, values)


def encoded(*shape: int) -> Encoded:
    mask = torch.arange(shape[1]) < torch.tensor([[shape[1]], [1]])
    return Encoded(some(*shape), mask, ())


def test_with_one_memory_it_is_the_decoder_of_one():
    one, state = started("lstm")
    several = remembering(4)
    both, apart = one.cell.layers[0].kernel, several.cell.layers[0].kernel
    pairs = [
        (several.table, one.table), (several.attentions[0], one.attention),
        (several.vocabulary, one.vocabulary),
    ]  # fmt: skip
    for part, same in pairs:
        part.load_state_dict(same.state_dict())
    with torch.no_grad():
        embedded, context = both.weight_ih_l0.split([3, 4], 1)
        apart.weight_ih_l0.copy_(embedded)
        several.cell.constant.copy_(context)
        for name in ("weight_hh_l0", "bias_ih_l0", "bias_hh_l0"):
            getattr(apart, name).copy_(getattr(both, name))
    hidden = tuple(some(2, 5) for _ in range(2))
    state = state._replace(hidden=hidden)
    other = several.start(hidden, [encoded(2, 3, 4)])
    for previous in TARGET.T:
        (found, state), (same, other) = one.step(state, previous), several.step(other, previous)
        torch.testing.assert_close(found, same)


def test_each_of_several_memories_is_attended_to_and_no_padding():
    decoder = remembering(4, 2)
    memories, hidden = [encoded(2, 3, 4), encoded(2, 6, 2)], decoder.cell.zeros(2)
    whole = decoder.step(decoder.start(hidden, memories), TARGET[:, 0])[0]
    for number, memory in enumerate(memories):
        for place in (0, 2):
            values = memory.outputs.clone()
            values[:, place] += 1
            changed = [*memories]
            changed[number] = memory._replace(outputs=values)
            found = decoder.step(decoder.start(hidden, changed), TARGET[:, 0])[0]
            # Of the second row, all but the first position is padding
            same = [torch.equal(*rows) for rows in zip(found, whole, strict=True)]
            assert same == [False, place == 2]


def test_several_memories_are_read_step_by_step_as_together():
    decoder = remembering(4, 2)
    state = decoder.start(decoder.cell.zeros(2), [encoded(2, 3, 4), encoded(2, 6, 2)])
    together = decoder.teacher(state, TARGET, torch.ones(2, 4, 3))
    for step, previous in enumerate(TARGET.T):
        log_probs, state = decoder.step(state, previous)
        torch.testing.assert_close(log_probs, together[:, step])

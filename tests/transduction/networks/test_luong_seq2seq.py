import math

import pytest
import torch

from kasu.transduction.alphabet import END, PAD, START, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.actor_critic import Rewards
from kasu.transduction.networks.luong_seq2seq import LuongSeq2Seq

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])
LENGTH = 10


def network(dropout: float = 0.0) -> LuongSeq2Seq:
    torch.manual_seed(4)
    return LuongSeq2Seq(
        CHARACTERS, TAGS, embedding=5, size=6, dropout=dropout, discount=0.9, length=LENGTH
    )


def test_features_come_before_the_source():
    row = network().batch(ITEMS[:1]).source[0].tolist()
    tags = [len(CHARACTERS) + each for each in TAGS.encode(["N", "PL"])]
    assert row == [*tags, *CHARACTERS.encode("kale"), END, PAD, PAD, PAD]


def test_longer_sources_stay_whole():
    assert network().batch([Item("kalemendi", ("N", "PL"), "")]).source.shape == (1, 12)


def test_weights_are_drawn_as_in_the_program():
    made = LuongSeq2Seq(
        CHARACTERS, TAGS, embedding=24, size=30, dropout=0.5, discount=0.9, length=LENGTH
    )
    for table in (made.table, made.decoder.table):
        assert 0.9 * 0.5 < table.weight.abs().max() <= 0.5  # the root of 6 / 24
    kernel = made.encoder.layers[0].kernel
    for weight, columns, rows in (
        (kernel.weight_ih_l0, 24, 120),
        (made.decoder.attentions[0].key.weight, 30, 30),
        (made.critic.layers[0].weight, 60, 60),
    ):
        bound = (6 / (columns + rows)) ** 0.5
        assert 0.95 * bound < weight.abs().max() <= bound
    biases = [weight for name, weight in made.named_parameters() if "bias" in name]
    assert len(biases) == 12
    assert not any(bias.any() for bias in biases)


def test_what_precedes_a_target_and_what_pads_a_source_are_zeros():
    made = network()
    for table, zeroed in ((made.table, PAD), (made.decoder.table, START)):
        embedded = table(torch.arange(5))
        assert [row for row, each in enumerate(embedded) if not each.any()] == [zeroed]


def test_padding_is_attended_to_as_zeros():
    made = network()
    batch = made.batch(ITEMS[2:])
    assert (batch.source == PAD).sum() == 7  # "ur" and the end
    state = made.start(batch)
    (memory,) = state.memories
    assert memory.values[0, 3:].count_nonzero() == 0
    assert memory.padding.count_nonzero() == 0
    attended = made.decoder.attend(state, batch.target[:, :1])
    scores = memory.values[0] @ made.decoder.attentions[0].key.weight.mT @ attended[0, 0, :6]
    weights = scores.softmax(0)
    torch.testing.assert_close(attended[0, 0, 6:], weights @ memory.values[0])
    assert weights[3:].sum() > 0.5


def test_dropout_is_of_outputs():
    made = network(dropout=0.5).train()
    _, _, target, read, kept = made.inputs(made.batch(ITEMS))
    assert read.shape == (3, LENGTH, 12)
    assert kept.shape == (3, target.shape[1] - 1, 6)
    inputs = made.inputs(made.batch(ITEMS))
    for mask in (3, 4):
        whole = [torch.ones_like(each) if at == mask else each for at, each in enumerate(inputs)]
        assert made(*whole) != made(*inputs)
    made.teacher = Rewards()
    _, _, _, read, kept, _ = made.inputs(made.batch(ITEMS))
    assert 0.3 < (read == 0).float().mean() < 0.7
    assert (kept == 1).all()


def test_items_do_not_depend_on_each_other():
    made = network()
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(sum(alone) / 3, abs=1e-6)
    for item, answer in zip(ITEMS, made.answer(ITEMS, 3), strict=True):
        assert made.answer([item], 3)[0].forms == answer.forms


def test_the_critic_learns_only_with_a_teacher():
    made = network()
    assert not any(weight.requires_grad for weight in made.critic.parameters())
    made.teacher = Rewards()
    assert all(weight.requires_grad for weight in made.critic.parameters())


def test_rewards_are_for_its_own_answers():
    made = network()
    made.teacher = Rewards()
    batch = made.batch(ITEMS)
    _, _, target, *_, own = made.inputs(batch)
    read = torch.cat([target[:, :1], own[:, :-1]], 1)
    state = made.start(batch)
    assert torch.equal(own, made.decoder.teacher(state, read).argmax(2))


def test_the_loss_of_rewards_written_out():
    made = network()
    made.teacher = Rewards(steps=1, discount=0.5)
    log_probs = torch.log(torch.tensor([[[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.8, 0.1, 0.1]]]))
    estimates = torch.tensor([[0.4, 0.6, 9.0]])
    made.critic.forward = lambda vectors: estimates
    own, following = torch.tensor([[2, 0, 1]]), torch.tensor([[2, 1, 0]])
    found = made._rewarded(log_probs, torch.zeros(1, 3, 12), own, following)
    # Right: 1 and half of the next estimate, 1.3, is 0.9 more than expected. Wrong and last:
    # 0 is 0.6 less. The third step is padding, which does not count
    logs = [math.log(0.7), math.log(0.5)]
    expected = [0.9**2 - 0.9 * logs[0], 0.6**2 + 0.6 * logs[1]]
    assert found[0, :2].tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("teacher", [None, Rewards()])
def test_losses_are_per_position_of_the_padded_length(teacher):
    made = network()
    made.teacher = teacher
    once = made.loss(made.batch(ITEMS))
    made.length *= 2
    # Twice the padding changes what the encoder reads, so it is read as before
    made.batch = network().batch
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(once.item() / 2)


def test_the_actor_does_not_learn_from_the_critics_error():
    made = network()
    made.teacher = Rewards(steps=1, discount=0.5)
    # Estimates at their most, though all is right: no advantage counts
    made.critic.layers[-1].bias.data.fill_(5)
    source, positions, target, *masks, own = made.inputs(made.batch(ITEMS))
    made(source, positions, torch.cat([target[:, :1], own], 1), *masks, own).backward()
    assert made.table.weight.grad.count_nonzero() == 0
    assert made.critic.layers[0].weight.grad.count_nonzero() > 0


def test_answers_are_ranked_by_their_mean_per_symbol():
    for answer in network().answer(ITEMS, 4):
        assert answer.scores == sorted(answer.scores, reverse=True)
        # One symbol of seventeen
        assert all(-6 < score < 0 for score in answer.scores)

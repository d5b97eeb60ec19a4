import pytest
import torch

from kasu.transduction.alphabet import END, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.actor_critic import Rewards
from kasu.transduction.networks.luong_seq2seq import LuongSeq2Seq

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])


def network(dropout: float = 0.0) -> LuongSeq2Seq:
    torch.manual_seed(4)
    return LuongSeq2Seq(CHARACTERS, TAGS, embedding=5, size=6, dropout=dropout, discount=0.9)


def test_features_come_before_the_source():
    row = network().batch(ITEMS[:1]).source[0].tolist()
    tags = [len(CHARACTERS) + each for each in TAGS.encode(["N", "PL"])]
    assert row == [*tags, *CHARACTERS.encode("kale"), END]


def test_items_do_not_depend_on_each_other():
    made = network()
    lengths = [len(item.target) + 1 for item in ITEMS]
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    mean = sum(loss * length for loss, length in zip(alone, lengths, strict=True)) / sum(lengths)
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(mean, abs=1e-6)
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
    _, target, *masks, own = made.inputs(batch)
    read = torch.cat([target[:, :1], own[:, :-1]], 1)
    state = made.start(batch)
    assert torch.equal(own, made.decoder.teacher(state, read, masks[2]).argmax(2))


def test_the_loss_of_rewards_written_out():
    made = network()
    made.teacher = Rewards(steps=1, discount=0.5)
    log_probs = torch.log(torch.tensor([[[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.8, 0.1, 0.1]]]))
    estimates = torch.tensor([[0.4, 0.6, 9.0]])
    made.critic.forward = lambda vectors: estimates
    own, following = torch.tensor([[2, 0, 1]]), torch.tensor([[2, 1, 0]])
    found = made._rewarded(log_probs, torch.zeros(1, 3, 6), own, following)
    # Right: 1 and half of the next estimate, 1.3, is 0.9 more than expected. Wrong and last:
    # 0 is 0.6 less. The third step is padding
    actor = -0.9 * torch.log(torch.tensor(0.7)) + 0.6 * torch.log(torch.tensor(0.5))
    assert found.item() == pytest.approx((actor.item() + 0.9**2 + 0.6**2) / 2, abs=1e-6)


def test_the_actor_does_not_learn_from_the_critics_error():
    made = network()
    made.teacher = Rewards(steps=1, discount=0.5)
    # Estimates at their most, though all is right: no advantage counts
    made.critic.layers[-1].bias.data.fill_(5)
    source, target, *masks, own = made.inputs(made.batch(ITEMS))
    made(source, torch.cat([target[:, :1], own], 1), *masks, own).backward()
    assert made.encoder.table.weight.grad.count_nonzero() == 0
    assert made.critic.layers[0].weight.grad.count_nonzero() > 0


def test_answers_are_ranked_by_their_mean_per_symbol():
    for answer in network().answer(ITEMS, 4):
        assert answer.scores == sorted(answer.scores, reverse=True)
        # One symbol of seventeen
        assert all(-6 < score < 0 for score in answer.scores)

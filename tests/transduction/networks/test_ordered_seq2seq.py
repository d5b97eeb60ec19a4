import pytest
import torch

from kasu.transduction.alphabet import END, START, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.ordered_seq2seq import OrderedSeq2Seq

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])


def network(forced: float = 0.5) -> OrderedSeq2Seq:
    torch.manual_seed(4)
    return OrderedSeq2Seq(
        CHARACTERS, TAGS, ("forward", "outside_in"), embedding=4, size=6, dropout=0, forced=forced
    )


def test_the_loss_is_a_sum_over_symbols_and_a_mean_over_items():
    made = network(forced=1)
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(sum(alone) / 3, abs=1e-5)
    batch = made.batch(ITEMS[:1])
    mask = torch.ones(1, 7, 4)
    log_probs = made.decoder.teacher(made.start(batch), batch.target[:, :-1], mask)
    right = log_probs[0, range(7), batch.target[0, 1:]]
    assert alone[0] == pytest.approx(-right.sum().item(), abs=1e-5)


@pytest.mark.parametrize(("forced", "share"), [(0.0, 0), (0.5, 0.5), (1.0, 1)])
def test_a_share_of_the_items_reads_the_target(forced, share):
    made = network(forced)
    batches = [made.batch(ITEMS, seed) for seed in range(100)]
    read = [(batch.target[:, :-1] == made.inputs(batch)[3]).all(1) for batch in batches]
    assert torch.stack(read).float().mean().item() == pytest.approx(share, abs=0.1)


def test_on_dev_all_read_the_target():
    made = network(forced=0).eval()
    batch = made.batch(ITEMS)
    assert torch.equal(made.inputs(batch)[3], batch.target[:, :-1])


def test_an_item_is_over_where_it_has_read_its_own_end():
    made = network()
    source, tags, target, _, mask = made.inputs(made.batch(ITEMS[:1]))
    read = torch.tensor([[START, 5, END, 6, 6, 6, 6]])
    other = torch.tensor([[START, 5, END, 7, END, 8, 9]])
    losses = [made(source, tags, target, each, mask).item() for each in (read, other)]
    assert losses[0] == losses[1]
    two = made(source, tags, target[:, :3], read[:, :2], mask[:, :2]).item()
    assert losses[0] == pytest.approx(two)


def test_answers_do_not_depend_on_the_other_items():
    made = network().eval()
    together = made.answer(ITEMS, 3)
    for item, answer in zip(ITEMS, together, strict=True):
        assert made.answer([item], 3)[0].forms == answer.forms

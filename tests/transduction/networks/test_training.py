"""Training of a small network on a language of two suffixes."""

import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from torch import nn

from kasu.job.run import Progress
from kasu.neural.optimizers import adam
from kasu.neural.recurrent.networks import Recurrent
from kasu.neural.resume import Work, read_state
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Answer, Item
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.layers.pointer_generator import PointerGenerator
from kasu.transduction.networks import training
from kasu.transduction.networks.seq2seq import TwoEncoders
from kasu.transduction.networks.training import (
    Recipe,
    accuracy,
    bucket_size,
    by_length,
    share_of_right_symbols,
    train,
)

LEMMAS = ["".join(letters) for letters in product("bdk", "aeo", "lnr")]
ITEMS = [
    Item(lemma, tags, lemma + end)
    for lemma in LEMMAS
    for tags, end in ((("SG",), "a"), (("PL",), "ak"))
]


def make() -> TwoEncoders:
    characters, tags = Alphabet("bdkaeolnr"), Alphabet(["SG", "PL"])
    table = nn.Embedding(len(characters), 6)
    encoders = (
        Encoder(each, Recurrent("lstm", 6, 8, directions=2))
        for each in (table, nn.Embedding(len(tags), 6))
    )
    decoder = PointerGenerator(table, 8, [16, 16], 8)
    return TwoEncoders(characters, tags, *encoders, decoder, dropout=0.2)


def recipe(epochs: int = 3, **changes) -> Recipe:
    given = {"batch_size": 10, "epochs": epochs, "stop": Patience(epochs, epochs)}
    return Recipe(**given | {"optimizers": adam(0.01)} | changes)


def weights(network: TwoEncoders) -> list[list[float]]:
    return [weight.flatten().tolist() for weight in network.state_dict().values()]


def trained(folder, given: Recipe, seed: int = 1) -> TwoEncoders:
    (network,) = train(make, ITEMS, given, {f"toy-{seed}": ("toy", seed)}, Work(folder, {}, 60))
    return network


def test_accuracy_counts_first_answers():
    items = [Item("a", (), "x"), Item("b", (), "y")]
    assert accuracy([Answer(["x", "y"]), Answer(["x", "y"])], items) == 0.5


class Counter:
    """A network to which the first symbol of each target is the most probable one.

    All symbols have a probability of a half.
    """

    def batch(self, items, seed, epoch):
        return items

    def count_right(self, batch):
        symbols = sum(len(item.target) for item in batch)
        return len(batch), symbols, symbols * math.log(2)


def test_right_symbols_are_counted_over_all_batches():
    items = [Item("", (), "ab"), Item("", (), "abcdef")] * 200
    assert share_of_right_symbols(Counter(), items) == pytest.approx((400 + 0.5) / 1600)


def test_an_epoch_may_be_chosen_by_right_symbols(tmp_path, monkeypatch):
    shares = iter([0.1, 0.9, 0.5])
    monkeypatch.setattr(
        "kasu.transduction.networks.training.share_of_right_symbols", lambda *_: next(shares)
    )
    best = trained(tmp_path / "best", recipe(validated=ITEMS[:4], measure="symbols"))
    assert weights(best) == weights(trained(tmp_path / "two", recipe(epochs=2)))


@pytest.mark.parametrize(
    ("items", "size"), [(0, 1), (1, 1), (60, 6), (100, 10), (101, 11), (1000, 32)]
)
def test_a_batch_has_a_tenth_of_the_items_at_most(items, size):
    assert bucket_size(items, 32) == size


def test_batches_of_similar_length():
    lengths = [5, 3, 9, 1, 7, 2, 8, 4, 6]
    order = by_length(lengths, 2)(np.random.default_rng(1))
    assert sorted(order) == list(range(9))
    batches = [sorted(lengths[row] for row in order[at : at + 2]) for at in range(0, 9, 2)]
    # Pairs in a random order; what is left over comes last
    assert sorted(batches[:4]) == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert batches[4] == [9]
    assert order != by_length(lengths, 2)(np.random.default_rng(2))


def test_the_key_decides_all_that_is_drawn(tmp_path):
    torch.manual_seed(1)
    one = weights(trained(tmp_path / "one", recipe()))
    torch.manual_seed(2)
    assert weights(trained(tmp_path / "same", recipe())) == one
    assert weights(trained(tmp_path / "other", recipe(), seed=2)) != one


def test_the_best_epoch_on_dev_is_kept(tmp_path):
    given = recipe(6, validated=ITEMS[:8])
    network = trained(tmp_path, given)
    state = read_state(tmp_path / "toy-1.pt")
    scores = [row["score"] for row in state["history"]]
    assert accuracy(network.answer(ITEMS[:8]), ITEMS[:8]) == max(scores)


def test_without_dev_the_last_epoch_is_kept(tmp_path):
    three = weights(trained(tmp_path / "three", recipe(3)))
    four = weights(trained(tmp_path / "four", recipe(4)))
    assert three != four
    state = read_state(tmp_path / "four" / "toy-1.pt")
    assert [row["epoch"] for row in state["history"]] == [1, 2, 3, 4]


def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch):
    expected = weights(trained(tmp_path / "whole", recipe()))
    loss = TwoEncoders.loss
    calls = []

    def interrupted(self, batch):
        calls.append(batch)
        if len(calls) == 9:  # in the second epoch, which begins with the seventh batch
            raise KeyboardInterrupt
        return loss(self, batch)

    monkeypatch.setattr(TwoEncoders, "loss", interrupted)
    work = Work(tmp_path / "broken", {}, every=0)  # a state after every step
    with pytest.raises(KeyboardInterrupt):
        train(make, ITEMS, recipe(), {"toy-1": ("toy", 1)}, work)
    work = Work(tmp_path / "broken", {}, every=0)
    (network,) = train(make, ITEMS, recipe(), {"toy-1": ("toy", 1)}, work)
    assert weights(network) == expected
    assert len(calls) < 9 + 18


def test_a_training_that_diverges_is_one_line(tmp_path):
    error = trained(tmp_path, recipe(20, optimizers=adam(1e38)))
    assert re.match(r"training of toy-1: loss nan at epoch \d+, step \d+;", str(error))


def test_the_epoch_of_the_lowest_loss_on_dev_is_kept(tmp_path):
    given = recipe(6, validated=ITEMS[:8], measure="loss", batch_size=5)
    network = trained(tmp_path, given)
    state = read_state(tmp_path / "toy-1.pt")
    best = max(row["score"] for row in state["history"])
    # Nothing is dropped on dev; a batch counts by its items
    network.eval()
    losses = [
        network.loss(network.batch(ITEMS[start:end])).item() for start, end in ((0, 5), (5, 8))
    ]
    assert (5 * losses[0] + 3 * losses[1]) / 8 == pytest.approx(-best, rel=1e-6)


def test_the_loss_on_dev_may_be_taken_with_the_dropout_of_training(tmp_path):
    plain, dropped = (
        recipe(3, validated=ITEMS[:8], measure=measure, batch_size=5, optimizers=adam(0.0))
        for measure in ("loss", "dropped_loss")
    )
    histories = []
    for name, given in (("plain", plain), ("dropped", dropped), ("again", dropped)):
        network = trained(tmp_path / name, given)
        assert not network.training  # whether answers drop nothing
        histories.append(read_state(tmp_path / name / "toy-1.pt")["history"])
    expected, found, again = ([row["score"] for row in history] for history in histories)
    one, other, _ = ([row["train_loss"] for row in history] for history in histories)
    assert one == other
    # Without learning, the loss stays; what is dropped is drawn anew in each epoch
    assert len(set(expected)) == 1
    assert len({*expected, *found}) == 4
    assert found == again


def test_items_may_keep_their_order_and_have_others_after_them(tmp_path, monkeypatch):
    read = []
    batch = TwoEncoders.batch

    def listened(self, items, seed=0, epoch=0):
        read.append([item.source for item in items])
        return batch(self, items, seed, epoch)

    monkeypatch.setattr(TwoEncoders, "batch", listened)
    made = [Item("lan", ("SG",), "lan")]
    trained(tmp_path, recipe(2, shuffled=False, made=made, batch_size=50))
    lemmas = [item.source for item in ITEMS]
    assert read == [lemmas[:50], [*lemmas[50:], "lan"]] * 2


@pytest.mark.parametrize("stacked", [False, True])
def test_a_second_training_starts_from_what_the_first_has_kept(tmp_path, stacked):
    # No item has "?", so the first epoch is the best
    held = {"validated": [Item("lan", ("SG",), "?")], "measure": "loss"}
    given = recipe(3, **held, then=recipe(2, **held, optimizers=adam(0.0)))
    keys = {f"toy-{seed}": ("toy", seed) for seed in (1, 2)}
    train(make, ITEMS, given, keys, Work(tmp_path, {}, 60), stacked=stacked)
    for name in keys:
        first, second = (
            [row["score"] for row in read_state(tmp_path / f"{name}{end}.pt")["history"]]
            for end in ("", "-then")
        )
        assert first[0] > first[1] > first[2]
        assert second == [first[0]] * 2


@pytest.mark.parametrize("validated", [[], [Item("lan", ("SG",), "?")]])
def test_a_second_training_that_scores_the_same_is_kept(tmp_path, validated):
    first = recipe(1, validated=validated)
    network = trained(tmp_path, replace(first, then=first))
    last = read_state(tmp_path / "toy-1-then.pt")["best"]
    assert weights(network) == [weight.flatten().tolist() for weight in last.values()]


@pytest.mark.parametrize("stacked", [False, True])
def test_the_better_of_two_trainings_is_kept(tmp_path, stacked):
    def given(rate):
        then = recipe(2, optimizers=adam(rate), validated=ITEMS[:8], measure="loss")
        return recipe(3, validated=ITEMS[:8], measure="loss", then=then)

    def train_two(folder, given):
        keys = {f"toy-{seed}": ("toy", seed) for seed in (1, 2)}
        work = Work(tmp_path / folder, {}, 60)
        return [weights(each) for each in train(make, ITEMS, given, keys, work, stacked=stacked)]

    first = train_two("first", recipe(3, validated=ITEMS[:8], measure="loss"))
    better, worse = train_two("better", given(0.01)), train_two("worse", given(10.0))
    # What is no better is thrown away
    assert worse == first
    assert all(one != other for one, other in zip(better, first, strict=True))
    states = {path.name for path in (tmp_path / "better").glob("*.pt")}
    assert states == {"toy-1.pt", "toy-1-then.pt", "toy-2.pt", "toy-2-then.pt"}


def test_what_diverges_at_first_has_no_second_training(tmp_path):
    given = recipe(20, optimizers=adam(1e38), then=recipe(2))
    assert re.match(r"training of toy-1: loss nan", str(trained(tmp_path, given)))
    # One that diverges later is an error, too
    given = recipe(1, then=recipe(20, optimizers=adam(1e38)))
    assert re.match(r"training of toy-1-then: loss nan", str(trained(tmp_path / "x", given)))


def test_an_epoch_may_draw_a_share_of_the_items(tmp_path, monkeypatch):
    drawn = {}
    batch = TwoEncoders.batch

    def noted(self, items, seed=0, epoch=0):
        drawn.setdefault(epoch, []).extend(items)
        return batch(self, items, seed, epoch)

    monkeypatch.setattr(TwoEncoders, "batch", noted)
    trained(tmp_path, recipe(epochs=20, batch_size=100, share=0.3))
    sizes = [len(items) for items in drawn.values()]
    assert len(sizes) == 20
    assert 0.25 < sum(sizes) / (20 * len(ITEMS)) < 0.35
    assert len(set(sizes)) > 3  # each item is drawn by itself
    assert drawn[1] != drawn[2]
    assert all(len(set(items)) == len(items) for items in drawn.values())


def test_an_epoch_draws_one_item_at_least(tmp_path):
    (network,) = train(
        make, ITEMS, recipe(share=0.0), {"toy-1": ("toy", 1)}, Work(tmp_path, {}, 60)
    )
    assert not isinstance(network, Exception)


def test_an_epoch_may_have_an_order_of_its_own(tmp_path, monkeypatch):
    seen = []
    batch = TwoEncoders.batch
    monkeypatch.setattr(
        TwoEncoders, "batch", lambda self, items, *rest: seen.append(items) or batch(self, items)
    )
    orders = iter([[3, 1], [0, 1, 2]])
    trained(tmp_path, recipe(2, batch_size=2, order=lambda draw: next(orders)))
    places = [[ITEMS.index(item) for item in items] for items in seen]
    assert places == [[3, 1], [0, 1], [2]]


@pytest.mark.parametrize(
    ("changes", "total"),
    [
        ({}, 3 * 54),
        ({"share": 0.5}, 3 * 27),
        # Words that are learnt elsewhere do not count
        ({"made": ITEMS, "order": lambda draw: [0, 1]}, 3 * 2),
    ],
)
def test_progress_counts_what_epochs_learn(tmp_path, monkeypatch, changes, total):
    made = []

    class Kept(Progress):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(training, "Progress", Kept)
    trained(tmp_path, recipe(**changes))
    assert [each.total for each in made] == [total]
    if "share" not in changes:
        assert made[0].done == total

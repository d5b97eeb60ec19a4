"""Networks of several languages as one."""

import numpy as np
import pytest
import torch
from torch import nn

from kasu.neural.optimizers import adam
from kasu.transduction.items import Item, named
from kasu.transduction.networks.by_language import ByLanguage, take_turns


class Toy(nn.Module):
    """A network whose loss depends on weights of its own and on shared ones."""

    def __init__(self, shared):
        super().__init__()
        self.shared, self.own = shared, nn.Linear(1, 1)
        self.table = nn.Embedding(2, 1, sparse=True)

    def batch(self, items, seed=0, epoch=0):
        return items

    def loss(self, batch):
        assert all(item.tags == ("N",) for item in batch)
        return self.shared(self.own(self.table(torch.tensor([1])))).sum()


@pytest.fixture
def pair():
    shared = nn.Linear(1, 1)
    return ByLanguage({"de": Toy(shared), "ka.demo": Toy(shared)})


def test_an_item_trains_its_language_and_what_all_share(pair):
    before = {name: weight.clone() for name, weight in pair.state_dict().items()}
    batch = pair.batch([named(Item("ur", ("N",)), "ka.demo")])
    assert len(batch) == 1
    optimizers = adam(0.1)(pair)
    pair.loss(batch).backward()
    for optimizer in optimizers:
        optimizer.step()
    moved = {name for name, weight in pair.state_dict().items() if (weight != before[name]).any()}
    shared = {f"networks.{n}.shared.{part}" for n in (0, 1) for part in ("weight", "bias")}
    own = {"networks.1.own.weight", "networks.1.own.bias", "networks.1.table.weight"}
    assert moved == shared | own


def test_a_batch_is_of_one_language(pair):
    items = [named(Item("ur", ("N",)), language) for language in ("de", "ka.demo")]
    with pytest.raises(ValueError, match="too many values"):
        pair.batch(items)


def test_languages_take_turns_sentence_by_sentence():
    # Places 0 to 5 are of one language, 6 to 8 of the other, which has fewer sentences
    sentences = [["a", "b"], ["c"], ["d", "e"], ["f"]], [["x"], ["y", "z"]]
    drawn = [take_turns(sentences, np.random.default_rng(seed)) for seed in range(20)]
    for places in drawn:
        text = "".join("abcdefxyz"[at] for at in places)
        first, second = (text.index(each) for each in "xy")
        assert "yz" in text
        assert len(set(places)) == len(places)
        # One sentence of each language in each turn
        turns = text.replace("ab", "s").replace("de", "s").replace("c", "s").replace("f", "s")
        turns = turns.replace("yz", "t").replace("x", "t")
        assert {turns[:2], turns[2:]} <= {"st", "ts"}
        assert first != second
    assert len({tuple(each) for each in drawn}) > 10

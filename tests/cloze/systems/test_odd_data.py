"""What every network of the task does with odd data: sensible answers, or one clear line."""

import math
from pathlib import Path

import pytest

from kasu.cloze.families import FAMILIES
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data, Run, Session

CONFIGURATIONS = str(Path(__file__).parent / "configurations.tsv")  # of small networks
SMALL = {
    "hidden": 6, "embedding": 6, "feature": 3, "character": 4, "epochs": 1,
    "patience": 1, "least_rate": 0.0005, "configurations": CONFIGURATIONS,
}  # fmt: skip
NETWORKS = [name for name in FAMILIES.names if FAMILIES.load(name).has_networks]


def covered(item: Item) -> Item:
    """An item as dev and test show it in track 2."""
    if not item.context:
        return item
    tokens = [Token(each.form, None, ()) for each in item.context.tokens]
    tokens[item.context.place] = Token(None, "".join(item.source), ())
    return Item(item.source, (), None, Context(tokens, item.context.place))


def train(family, folder, data, runs):
    known = family.settings.model_fields
    options = {key: value for key, value in SMALL.items() if key in known}
    return family.train(data, runs, options, Session(folder, "cpu"))


@pytest.mark.parametrize("setting", ["track1-low", "track2-medium"])
@pytest.mark.parametrize("name", NETWORKS)
def test_every_item_has_an_answer(name, setting, odd_items, expect_answers, tmp_path):
    items, dev, test = odd_items
    family = FAMILIES.load(name)
    (run,) = family.list_members(setting, (), 1)
    asked = [covered(item) for item in test]
    found = train(family, tmp_path, Data("toy", setting, items, dev, asked), [run])
    expect_answers(found[run], dev, test)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_member_that_diverges_is_one_line_and_costs_no_other(name, tmp_path, spoil_first):
    family = spoil_first(FAMILIES.load(name), math.nan)
    variant, setting = family.default, next(iter(family.members))
    runs = [Run(variant, 1), Run(variant, 2)]
    words = [Item(lemma, ("N", "PL"), f"{lemma}ak") for lemma in ("bal", "dan", "kel")]
    data = Data("toy", setting, words, words, words)
    diverged, kept = train(family, tmp_path, data, runs).values()
    member = "-".join(filter(None, (name, "toy", setting, variant, "1")))
    assert f"training of {member}: loss nan" in str(diverged)
    assert [len(answers) for answers in kept] == [3, 3]

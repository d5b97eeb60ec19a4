"""What every family does with odd data: sensible answers, or one clear line."""

import math
import re
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.families import FAMILIES
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.members.joined import JoinedFamily
from kasu.transduction.members.networks import NetworkFamily

CONFIGURATIONS = str(Path(__file__).parent / "configurations.tsv")  # of one small network
SMALL = {
    "hidden": 6, "embedding": 6, "feature": 3, "widest": 6, "encoder": 6, "dense": 6,
    "epochs": 1, "model_epochs": 1, "copying": 1, "steps": 5, "refined": 1, "draws": 1,
    "configurations": CONFIGURATIONS, "tried": 1,
}  # fmt: skip
# Votes train nothing
SYSTEMS = [name for name in FAMILIES.names if not isinstance(FAMILIES.load(name), JoinedFamily)]
# Those whose members are one network each
NETWORKS = [name for name in SYSTEMS if isinstance(FAMILIES.load(name), NetworkFamily)]


def train(family, folder, data, runs):
    known = getattr(family.settings, "model_fields", {})
    options = {key: value for key, value in SMALL.items() if key in known}
    return family.train(data, runs, options, Session(folder, "cpu"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_item_has_an_answer(name, odd_items, expect_answers, tmp_path):
    items, dev, test = ([item._replace(context=None) for item in part] for part in odd_items)
    family = FAMILIES.load(name)
    setting = next(iter(family.members))
    (run,) = family.list_members(setting, (), 1)
    asked = [item._replace(target=None) for item in test]
    found = train(family, tmp_path, Data("toy", setting, items, dev, asked), [run])
    expect_answers(found[run], dev, test)


@pytest.mark.parametrize("name", NETWORKS)
def test_no_training_items_are_one_line(name, tmp_path):
    family = FAMILIES.load(name)
    setting = next(iter(family.members))
    asked = [Item("bal", ("N",))]
    with pytest.raises(KasuError, match=f"toy, {setting}: no training items; expected one or more"):
        train(family, tmp_path, Data("toy", setting, [], [], asked), family.list_members(setting))


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_member_that_diverges_is_one_line_and_costs_no_other(name, value, tmp_path, spoil_first):
    family = spoil_first(FAMILIES.load(name), value)
    variant, setting = family.default, next(iter(family.members))
    runs = [Run(variant, 1), Run(variant, 2)]
    words = [Item(lemma, ("N", "PL"), f"{lemma}ak") for lemma in ("bal", "dan", "kel")]
    data = Data("toy", setting, words, words, words)
    diverged, kept = train(family, tmp_path, data, runs).values()
    # Of a variant, or of a member's first network
    assert re.match(rf"training of {name}-toy-{setting}(-\w+)?-1: loss nan", str(diverged))
    assert [len(answers) for answers in kept] == [3, 3]

"""What every family does with odd data: sensible answers, or one clear line."""

import math
from pathlib import Path

import pytest
import torch

from kasu.base.errors import KasuError
from kasu.inflection.families import FAMILIES
from kasu.inflection.settings import SYSTEMS
from kasu.transduction.items import Item, read_item
from kasu.transduction.members.families import Data, Run, Session, list_members

CONFIGURATIONS = str(Path(__file__).parent / "configurations.tsv")  # of one small network
SMALL = {
    "hidden": 6, "embedding": 6, "feature": 3, "widest": 6, "epochs": 1,
    "configurations": CONFIGURATIONS,
}  # fmt: skip
NETWORKS = [name for name in SYSTEMS if hasattr(FAMILIES.load(name), "network")]

WORDS = [read_item(lemma, "N;PL", f"{lemma}ak") for lemma in ("bal", "dan", "kel", "ner")]
LONG = Item("ab" * 100, ("N",), "ba" * 100)  # 200 characters
ONE_CHARACTER = [Item("a" * count, ("N",), "a" * (count + 1)) for count in (1, 2, 3)]
UNSEEN = [Item("bal", ("V", "DU")), Item("bal", ()), Item("xyz", ("N", "PL")), Item("", ("N",))]


def options_of(name: str) -> dict[str, int | str]:
    """Small sizes, as far as a family has them."""
    known = getattr(getattr(FAMILIES.load(name), "Settings", None), "model_fields", {})
    return {key: value for key, value in SMALL.items() if key in known}


def train(name, folder, data, runs):
    return FAMILIES.load(name).train(data, runs, options_of(name), Session(folder, "cpu"))


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(
    ("items", "dev", "test"),
    [
        pytest.param(ONE_CHARACTER, ONE_CHARACTER, ONE_CHARACTER, id="one character"),
        pytest.param([*WORDS, LONG], [LONG], [LONG], id="200 characters"),
        pytest.param(WORDS, WORDS, [LONG], id="200 characters in test"),
        pytest.param(WORDS[:1], WORDS, WORDS, id="one training item"),
        pytest.param(WORDS, WORDS[:1], WORDS, id="one dev item"),
        pytest.param(WORDS, [], WORDS, id="no dev"),
        pytest.param(WORDS, WORDS, [], id="no test"),
        pytest.param(WORDS, WORDS, UNSEEN, id="unseen"),
        pytest.param([Item("bal", (), "balak")], [], [Item("bal", ())], id="no features"),
    ],
)
def test_every_item_has_an_answer(name, items, dev, test, tmp_path):
    family = FAMILIES.load(name)
    setting = next(iter(family.MEMBERS))
    (run,) = list_members(family, setting, (), 1)
    asked = [item._replace(target=None) for item in test]
    found = train(name, tmp_path, Data("toy", setting, items, dev, asked), [run])[run]
    assert not isinstance(found, KasuError)
    assert [len(answers) for answers in found] == [len(dev), len(test)]
    for answer in (*found.dev, *found.test):
        assert answer.forms
        assert all(isinstance(form, str) for form in answer.forms)
        assert all(math.isfinite(score) for score in answer.scores)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_member_that_diverges_is_one_line_and_costs_no_other(name, value, tmp_path, monkeypatch):
    family, drawn = FAMILIES.load(name), []
    network = family.network

    def spoil_first(*arguments):
        drawn.append(network(*arguments))
        if len(drawn) == 1:
            for weight in drawn[0].parameters():
                torch.nn.init.constant_(weight, value)
        return drawn[-1]

    monkeypatch.setattr(family, "network", spoil_first)
    variant, setting = next(iter(family.VARIANTS), None), next(iter(family.MEMBERS))
    runs = [Run(variant, 1), Run(variant, 2)]
    data = Data("toy", setting, [*WORDS, LONG], WORDS, WORDS)
    diverged, kept = train(name, tmp_path, data, runs).values()
    member = "-".join(filter(None, (name, "toy", setting, variant, "1")))
    assert f"training of {member}: loss nan" in str(diverged)
    assert [len(answers) for answers in kept] == [4, 4]

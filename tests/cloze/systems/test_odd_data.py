"""What every network of the task does with odd data: sensible answers, or one clear line."""

import math

import pytest
import torch

from kasu.base.errors import KasuError
from kasu.cloze.families import FAMILIES
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data, Run, Session, list_members

SMALL = {"hidden": 6, "embedding": 6, "feature": 3, "character": 4, "epochs": 1}
NETWORKS = [name for name in FAMILIES.names if hasattr(FAMILIES.load(name), "network")]


def among(lemma: str, form: str, *forms: str, place: int = 0) -> Item:
    """An item in a sentence of these other words."""
    tokens = [Token(each, each.lower(), ("X",)) for each in forms]
    tokens.insert(place, Token(form, lemma, ("N", "PL")))
    return Item(lemma, ("N", "PL"), form, Context(tokens, place))


def covered(item: Item) -> Item:
    """An item as dev and test show it in track 2."""
    assert item.context
    tokens = [Token(each.form, None, ()) for each in item.context.tokens]
    tokens[item.context.place] = Token(None, "".join(item.source), ())
    return Item(item.source, (), item.target, Context(tokens, item.context.place))


WORDS = [
    among(lemma, f"{lemma}ak", "Das", "ist", place=place)
    for place, lemma in enumerate(("bal", "dan", "kel"))
]
LONG = among("ab" * 100, "ba" * 100, "und")  # 200 characters
ONE_CHARACTER = [among("a" * count, "a" * (count + 1), "a", place=1) for count in (1, 2, 3)]
ALONE = [among("bal", "balak")]  # a sentence of one word
UNSEEN = [
    among("bal", "balak", "Žena", "x" * 60, place=1),
    Item("", (), "", Context([Token(None, "", ())], 0)),
    Item("bal", (), "balak"),  # no sentence
]


def train(name, folder, data, runs):
    known = FAMILIES.load(name).Settings.model_fields
    options = {key: value for key, value in SMALL.items() if key in known}
    return FAMILIES.load(name).train(data, runs, options, Session(folder, "cpu"))


@pytest.mark.parametrize("setting", ["track1-low", "track2-medium"])
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize(
    ("items", "dev", "test"),
    [
        pytest.param(ONE_CHARACTER, ONE_CHARACTER, ONE_CHARACTER, id="one character"),
        pytest.param([*WORDS, LONG], [LONG], [LONG], id="200 characters"),
        pytest.param(WORDS[:1], WORDS, WORDS, id="one training item"),
        pytest.param(ALONE, ALONE, ALONE, id="a sentence of one word"),
        pytest.param(WORDS, [], WORDS, id="no dev"),
        pytest.param(WORDS, WORDS, [], id="no test"),
        pytest.param(WORDS, WORDS[:1], UNSEEN, id="unseen"),
        pytest.param([covered(item) for item in WORDS], WORDS[:1], WORDS, id="no features"),
    ],
)
def test_every_item_has_an_answer(name, setting, items, dev, test, tmp_path):
    (run,) = list_members(FAMILIES.load(name), setting, (), 1)
    asked = [covered(item)._replace(target=None) if item.context else item for item in test]
    found = train(name, tmp_path, Data("toy", setting, items, dev, asked), [run])[run]
    assert not isinstance(found, KasuError)
    assert [len(answers) for answers in found] == [len(dev), len(test)]
    for answer in (*found.dev, *found.test):
        assert answer.forms
        assert all(isinstance(form, str) for form in answer.forms)
        assert all(math.isfinite(score) for score in answer.scores)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_member_that_diverges_is_one_line_and_costs_no_other(name, tmp_path, monkeypatch):
    family, drawn = FAMILIES.load(name), []
    network = family.network

    def spoil_first(*arguments):
        drawn.append(network(*arguments))
        if len(drawn) == 1:
            for weight in drawn[0].parameters():
                torch.nn.init.constant_(weight, math.nan)
        return drawn[-1]

    monkeypatch.setattr(family, "network", spoil_first)
    variant, setting = next(iter(family.VARIANTS), None), next(iter(family.MEMBERS))
    runs = [Run(variant, 1), Run(variant, 2)]
    diverged, kept = train(name, tmp_path, Data("toy", setting, WORDS, WORDS, WORDS), runs).values()
    member = "-".join(filter(None, (name, "toy", setting, variant, "1")))
    assert f"training of {member}: loss nan" in str(diverged)
    assert [len(answers) for answers in kept] == [3, 3]

from itertools import product

import pytest

from kasu.inflection.systems import iitbhu
from kasu.neural.stopping import Extend, Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

CHARACTERS, TAGS = Alphabet("abc"), Alphabet(["N", "PL"])


def data(train: int, dev: int, setting: str = "low") -> Data:
    items = [Item(f"a{number}", ("N",), "b") for number in range(train)]
    held_out = [Item(f"b{number}", ("N",), "b") for number in range(dev)]
    return Data("toy", setting, items, held_out, [])


@pytest.mark.parametrize(
    ("setting", "embedding", "dropout"),
    [("low", 100, 0.5), ("medium", 100, 0.5), ("high", 300, 0.3)],
)
def test_sizes_are_those_of_the_paper(setting, embedding, dropout):
    made = iitbhu.network(CHARACTERS, TAGS, setting, iitbhu.Settings(), "released")
    assert made.dropout == dropout
    assert made.decoder.table.weight.shape == (7, embedding)
    assert made.decoder.table is made.lemma.table
    # State and contexts of lemma and features, of 200 each
    assert made.decoder.vocabulary.weight.shape == (7, 500)
    assert made.decoder.generate.weight.shape == (1, 500 + embedding)


def test_variants_differ_in_attention_and_in_length():
    made = {
        variant: iitbhu.network(CHARACTERS, TAGS, "low", iitbhu.Settings(), variant)
        for variant in iitbhu.VARIANTS
    }
    assert {variant: (each.fixed, each.longest) for variant, each in made.items()} == {
        "released": (False, 25),
        "unbounded": (False, None),
        "no_tag_attention": (True, 25),
    }


@pytest.mark.parametrize(
    ("setting", "train", "stop"),
    [("low", 100, Extend(300, 100)), ("medium", 1000, Extend(80, 20)), ("high", 9, Extend(60, 10))],
)
def test_training_goes_on_after_a_late_best_epoch(setting, train, stop):
    given = iitbhu.recipe(data(train, 10, setting), iitbhu.Settings(), "released")
    assert (given.stop, given.batch_size) == (stop, 32)


def test_a_stated_number_of_epochs_is_final():
    assert iitbhu.recipe(data(9, 9), iitbhu.Settings(epochs=7), "released").stop == Patience(7, 7)


def test_without_dev_training_ends():
    given = iitbhu.recipe(data(9, 0), iitbhu.Settings(), "released")
    assert (given.stop, given.validated) == (Patience(300, 300), [])


@pytest.mark.parametrize(
    ("train", "dev", "expected"),
    [(100, 1000, 100), (1000, 1000, 200), (9000, 1000, 1000), (100, 50, 50)],
)
def test_a_part_of_dev_decides(train, dev, expected):
    given = data(train, dev)
    validated = iitbhu.recipe(given, iitbhu.Settings(), "released").validated
    assert len(set(validated)) == expected
    assert set(validated) <= set(given.dev)


def test_the_part_of_dev_is_that_of_the_released_code():
    validated = iitbhu.recipe(data(100, 1000), iitbhu.Settings(), "released").validated
    assert [item.source for item in validated[:3]] == ["b654", "b114", "b25"]


def test_a_member_learns_a_suffix(tmp_path):
    lemmas = ["".join(letters) for letters in product("bdkm", "aeou", "lnrs")]
    items = [
        Item(lemma, tags, lemma + end)
        for lemma in lemmas
        for tags, end in ((("N", "SG"), "a"), (("N", "PL"), "ak"))
    ]
    held_out, train = items[::9], [item for at, item in enumerate(items) if at % 9]
    asked = [item._replace(target=None) for item in held_out]
    options = {"hidden": 40, "embedding": 32, "epochs": 120}
    run = Run("released", 1)
    given = Data("toy", "low", train[:60], held_out[:5], asked)
    answers = iitbhu.FAMILY.train(given, [run], options, Session(tmp_path))[run]
    pairs = zip(answers.test, held_out, strict=True)
    right = sum(answer.forms[0] == item.target for answer, item in pairs)
    assert right >= 0.9 * len(held_out)

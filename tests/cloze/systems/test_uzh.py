"""The edit transducer of the University of Zurich in a sentence."""

import pytest

from kasu.cloze.context.characters import read_around
from kasu.cloze.systems import uzh
from kasu.cloze.systems.uzh import Settings, lowered, settle
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.edits.imitation import Expert
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data

TOKENS = [Token("Die", "die", ("DET",)), Token("Hunde", "Hund", ("N", "PL"))]
ITEM = Item("Hund", ("N", "PL"), "Hunde", Context(TOKENS, 1))


def test_sizes_are_those_of_the_paper():
    settings = settle(Settings(), "de", "track1-low", 1)
    around = read_around([ITEM])
    made = uzh.network(Alphabet("Hunde"), around, "track1-low", settings, "released")
    assert (made.table.embedding_dim, made.encoder.size, made.cell.size) == (100, 200, 200)
    assert made.constant.table.embedding_dim == 20
    # For each of two words a state of 20 in each direction, and slots of 10 for three features
    assert made.constant.width == 2 * (2 * 20 + 3 * 10)
    assert made.limit == 150


@pytest.mark.parametrize(
    ("setting", "language", "words"),
    [
        ("track1-medium", "fr", 2),
        ("track2-medium", "sv", 2),
        ("track1-low", "fr", 1),
        ("track1-medium", "de", 1),
    ],
)
def test_in_french_and_swedish_at_medium_two_words_are_read_on_each_side(setting, language, words):
    assert settle(Settings(), language, setting, 1).words == words
    assert settle(Settings(words=3), language, setting, 1).words == 3


@pytest.mark.parametrize(
    ("setting", "epochs", "patience"), [("track1-low", 60, 20), ("track2-medium", 50, 15)]
)
def test_training_is_as_in_task_1(setting, epochs, patience):
    data = Data("de", setting, [ITEM], [ITEM], [])
    recipe = uzh.recipe(data, Settings(), "released")
    assert recipe.stop == Patience(patience, epochs)
    assert recipe.validated == [ITEM]
    assert recipe.teacher == Expert(150, 12.0, False, 0.5, 0.0)
    assert uzh.recipe(data, Settings(), "paper").teacher == Expert(150, 12.0, True, 0.5, 5.0)


def test_it_was_submitted_at_low_and_medium():
    settings = {"track1-low", "track1-medium", "track2-low", "track2-medium"}
    assert set(uzh.FAMILY.members) == settings


def test_forms_and_lemma_are_lowercased():
    tokens = [Token("die", "die", ("DET",)), Token("hunde", "Hund", ("N", "PL"))]
    assert lowered(ITEM, "de") == Item("hund", ("N", "PL"), "hunde", Context(tokens, 1))
    assert lowered(Item("Hund", ()), "de") == Item("hund", ())


def test_only_at_low():
    settings = ("track1-low", "track1-medium")
    given = [uzh.FAMILY.prepare(Data("de", each, [ITEM], [ITEM], [])) for each in settings]
    assert [data.train[0].source for data in given] == ["hund", "Hund"]
    assert [data.dev[0].target for data in given] == ["hunde", "Hunde"]


@pytest.mark.parametrize(
    ("code", "forms"),
    [("tr", ["ırak", "is"]), ("az", ["ırak", "is"]), ("und", ["irak", "i\u0307s"])],
)
def test_the_code_of_the_language_tells_its_case(code, forms):
    items = [Item(word, (), word) for word in ("IRAK", "\u0130S")]
    data = Data("turkish-mine", "track1-low", items, [], [], code)
    prepared = uzh.FAMILY.prepare(data)
    assert ["".join(item.target) for item in prepared.train] == forms


@pytest.mark.parametrize("track", ["track1", "track2"])
def test_the_word_before_decides(share_right, track):
    options = {"hidden": 100, "embedding": 50, "feature": 5, "epochs": 5}
    assert share_right("uzh", options, track, "released") > 0.8

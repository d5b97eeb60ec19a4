"""The neural baseline: sizes of the released program, and that it learns from the context."""

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.cloze.context.words import read_words
from kasu.cloze.data.names import SETTINGS
from kasu.cloze.systems import copenhagen, neural_baseline
from kasu.cloze.systems.neural_baseline import Settings
from kasu.config.reading import read_settings
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data

TOKENS = [Token("the", "the", ("DT",)), Token("dogs", "dog", ("N", "PL"))]
ITEM = Item("dog", ("N", "PL"), "dogs", Context(TOKENS, 1))


def test_sizes_are_those_of_the_released_program():
    made = neural_baseline.network(
        Alphabet("dogs"), read_words([ITEM]), "track1-low", Settings(), ""
    )
    assert (made.dropout, made.unknown) == (0.3, 0.1)
    kernel = made.encoder.layers[0].kernel
    # Characters of 100, contexts of 700, states of 100 in each direction
    assert kernel.weight_ih_l0.shape == (400, 100)
    assert [each.shape for each in made.around] == [(400, 700)] * 2
    assert made.context.table.embedding_dim == 100
    cell = made.decoder.cell
    assert cell.layers[0].kernel.weight_ih_l0.shape == (400, 100)
    assert cell.constant.shape == (400, 200)
    assert made.decoder.attention.query.weight.shape == (100, 200)
    assert made.decoder.vocabulary.weight.shape == (8, 100)


def test_training_is_that_of_the_released_program():
    data = Data("toy", "track1-low", [ITEM], [ITEM], [])
    recipe = neural_baseline.recipe(data, Settings(), "")
    assert (recipe.batch_size, recipe.share, recipe.stop) == (1, 0.3, Patience(20, 20))
    assert recipe.validated == ()  # the last epoch is kept


def test_an_epoch_shuffles_sentences_and_keeps_the_targets_of_each_together():
    sentences = [[*TOKENS] for _ in range(50)]
    items = [Item("x", (), "x", Context(tokens, at)) for tokens in sentences for at in (0, 1)]
    data = Data("toy", "track1-low", items, [], [])
    order = neural_baseline.recipe(data, Settings(), "").order
    assert order
    places = np.array(order(np.random.default_rng(1)))
    firsts = places[::2]
    assert places[1::2].tolist() == (firsts + 1).tolist()
    assert sorted(firsts) == list(range(0, 100, 2)) != firsts.tolist()


def test_characters_are_those_of_targets_and_words_those_of_sentences():
    characters, words = neural_baseline.symbols([ITEM])
    assert characters.symbols == list("dgos")
    assert words.forms.symbols == ["_", "dogs", "the"]


def test_it_was_run_in_all_settings():
    assert dict.fromkeys(SETTINGS, 1) == neural_baseline.FAMILY.members


def test_the_word_before_decides(share_right):
    options = {"dropout": 0.0, "share": 1.0, "epochs": 10}
    assert share_right("neural_baseline", options, "track2") > 0.8


@pytest.mark.parametrize("family", [neural_baseline, copenhagen])
@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("dropout", 1, "config dropout: found 1; expected a share of 0 or more, below 1"),
        ("dropout", -0.1, "config dropout: found -0.1; expected a share of 0 or more, below 1"),
        ("dropout", float("nan"), "config dropout: found nan; expected a share of 0 or more, be"),
        ("share", 0, "config share: found 0; expected a share above 0, up to 1"),
        ("share", 1.5, "config share: found 1.5; expected a share above 0, up to 1"),
    ],
)
def test_all_is_not_dropped_and_something_is_drawn(family, key, value, line):
    with pytest.raises(KasuError, match=line):
        read_settings({key: value}, family.Settings)


@pytest.mark.parametrize("family", [neural_baseline, copenhagen])
def test_nothing_may_be_dropped_and_all_be_drawn(family):
    settings = read_settings({"dropout": 0, "share": 1}, family.Settings)
    assert (settings.dropout, settings.share) == (0, 1)

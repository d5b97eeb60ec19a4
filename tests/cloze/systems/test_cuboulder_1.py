"""CU Boulder's first system: sizes of the paper, and that it learns from the word before."""

import pytest
import torch

from kasu.cloze.context.words import read_words
from kasu.cloze.data.names import SETTINGS
from kasu.cloze.systems import cuboulder_1
from kasu.cloze.systems.cuboulder_1 import Settings
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import END, START, UNKNOWN, Alphabet
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data

BUSH = [
    Token("Bush", "Bush", ("PROPN",)),
    Token("made", "make", ("V", "PST")),
    Token("plans", "plan", ("N", "PL")),
    Token("to", "to", ("PART",)),
    Token("leave", "leave", ("V", "NFIN")),
    Token(".", ".", ("PUNCT",)),
]
ITEM = Item("plan", ("N", "PL"), "plans", Context(BUSH, 2))
WORDS = cuboulder_1.symbols([ITEM])[1]


def drawn(setting: str, variant: str = "paper", words=WORDS, **settings):
    return cuboulder_1.network(Alphabet("plans"), words, setting, Settings(**settings), variant)


def read(setting: str, place: int) -> list[str]:
    """What is read of the context of a word of the sentence."""
    context = drawn(setting, hidden=2, embedding=2).context
    names = {START: "SOS", END: "EOS", UNKNOWN: "?"}
    ids = context.ids([Item(BUSH[place].lemma or "", (), None, Context(BUSH, place))])[0].tolist()
    found = []
    for number, (_, kind) in zip(ids, context.parts, strict=True):
        each = number - WORDS.offsets[kind]
        found.append(names.get(each) or WORDS[kind].decode([each])[0])
    return found


def test_the_context_is_that_of_the_figure():
    assert read("track2-low", 2) == ["made", "plan", "to"]
    made, to = ["made", "make", "V;PST"], ["to", "to", "PART"]
    assert read("track1-low", 2) == [*made, "plan", *to]


def test_a_sentence_has_two_boundaries():
    assert read("track2-low", 0) == ["SOS", "Bush", "made"]
    assert read("track2-low", 5) == ["leave", ".", "EOS"]
    assert read("track1-low", 0)[:4] == ["SOS", "SOS", "SOS", "Bush"]
    assert read("track1-low", 5)[3:] == [".", "EOS", "EOS", "EOS"]


def test_what_is_hidden_is_unknown_in_the_word_before_and_was_no_symbol_in_training():
    two = [BUSH[1]._replace(form=None, tags=()), BUSH[2]._replace(form=None, tags=())]
    item = Item("plan", (), None, Context(two, 1))
    hidden = drawn("track1-low", hidden=2).context
    make = hidden.ids([ITEM])[0, 1].item()
    forms, _, features = WORDS.offsets
    expected = [forms + UNKNOWN, make, features + UNKNOWN]
    assert hidden.ids([item])[0, :3].tolist() == expected
    assert "_" not in WORDS.forms.symbols


def test_sizes_are_those_of_the_paper():
    made = drawn("track1-medium")
    assert (made.dropout, made.unknown, made.forced, made.longest) == (0.1, 0.1, 0.5, 50)
    assert made.encoder.layers[0].kernel.input_size == made.encoder.size == 800
    assert weights(made.encoder) == 3_844_800
    assert weights(made.decoder.attention) == 45_050
    assert weights(made.decoder.combine) == 720_800
    assert made.table.weight.shape == made.decoder.table.weight.shape == (9, 100)
    assert made.table is not made.decoder.table
    second = drawn("track2-medium")
    assert second.encoder.layers[0].kernel.input_size == second.encoder.size == 400
    assert second.decoder.cell.size == 400


def weights(module: torch.nn.Module) -> int:
    return sum(weight.numel() for weight in module.parameters())


def test_variants_differ_in_what_is_read_and_attended_to():
    made = {name: drawn("track1-low", name, hidden=2) for name in cuboulder_1.VARIANTS}
    assert {name: each.forced for name, each in made.items()} == {
        "paper": 0.5, "forced": 1.0, "unmasked": 0.5,
    }  # fmt: skip
    masked = {name: each.decoder.attention.masked for name, each in made.items()}
    assert masked == {"paper": True, "forced": True, "unmasked": False}


@pytest.mark.parametrize(
    ("setting", "items", "updates"), [("track1-medium", 3299, 131_960), ("track1-low", 367, 18_350)]
)
def test_updates_in_french_are_those_of_the_paper(setting, items, updates):
    recipe = cuboulder_1.recipe(Data("fr", setting, [ITEM] * items, [ITEM], []), Settings(), "")
    assert -(-items // recipe.batch_size) * recipe.epochs == updates
    assert recipe.stop == Patience(recipe.epochs, recipe.epochs)


def test_training_is_that_of_the_paper():
    recipe = cuboulder_1.recipe(Data("fr", "track2-low", [ITEM], [ITEM], []), Settings(), "")
    (optimizer,) = recipe.optimizers(torch.nn.Linear(1, 1))
    assert type(optimizer) is torch.optim.Adam
    assert optimizer.param_groups[0]["lr"] == 0.00005
    assert (recipe.validated, recipe.measure, recipe.clip) == ([ITEM], "accuracy", None)
    assert recipe.shuffled


def test_it_was_run_in_all_settings():
    assert dict.fromkeys(SETTINGS, 1) == cuboulder_1.FAMILY.members


def test_a_lemma_beyond_the_limit_is_answered_with_fifty_characters_at_most():
    made = drawn("track1-low", words=read_words([ITEM], hidden=False), hidden=3, embedding=2).eval()
    (answer,) = made.answer([ITEM._replace(source="plans" * 20, target=None)])
    assert len(answer.forms[0]) <= 50


def test_the_word_before_decides(share_right):
    options = {
        "hidden": 48, "embedding": 16, "epochs": 6, "learning_rate": 0.007, "dropout": 0.0,
        "unknown": 0.0,
    }  # fmt: skip
    assert share_right("cuboulder_1", options, "track2", "paper") > 0.8

import pytest

from kasu.inflection.systems import axsemantics_02
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data

SETTINGS = axsemantics_02.Settings()


def test_sizes_are_those_of_the_paper():
    tags = Alphabet(["N", "PL"])
    made = axsemantics_02.network(Alphabet("abc"), tags, "low", SETTINGS, "")
    assert (made.encoder.network.width, made.dropout, made.steps) == (512, 0.2, 40)
    assert [cell.size for cell in made.cells] == [256, 256]
    # Reserved ids twice, three characters, COPY and DELETE, two features
    assert made.encoder.table.weight.shape == (15, 64)
    assert made.output.weight.shape == (9, 512)


@pytest.mark.parametrize(("setting", "epochs"), [("low", 300), ("medium", 300), ("high", 100)])
def test_the_best_of_all_epochs_is_kept(setting, epochs):
    given = axsemantics_02.recipe(Data("toy", setting, [], [], []), SETTINGS, "")
    assert (given.batch_size, given.stop) == (32, Patience(epochs, epochs))


def test_a_member_learns_a_suffix(share_right):
    options = {"hidden": 48, "embedding": 32, "epochs": 100, "steps": 8}
    assert share_right("axsemantics_02", options) > 0.9

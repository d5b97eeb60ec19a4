import pytest
import torch

from kasu.inflection.systems import axsemantics_02
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data

SETTINGS = axsemantics_02.Settings()
TAGS = Alphabet(["N", "PL"])


def test_sizes_are_those_of_the_paper():
    made = axsemantics_02.network(Alphabet("abc"), TAGS, "low", SETTINGS, "by_column")
    assert (made.encoder.network.width, made.dropout, made.steps) == (512, 0.2, 100)
    assert [cell.size for cell in made.cells] == [256, 256]
    # Reserved ids twice, three characters, COPY and DELETE, two features
    assert made.encoder.table.weight.shape == (15, 64)
    assert made.output.weight.shape == (9, 512)
    assert not made.grouped


def test_first_weights_are_those_of_keras():
    made = axsemantics_02.network(Alphabet("abc"), TAGS, "low", SETTINGS, "by_column")
    assert 0.049 < made.encoder.table.weight.abs().max() <= 0.05
    for cell in made.cells:
        kernel = cell.layers[0].kernel
        bound = (6 / (512 + 3 * 256)) ** 0.5
        assert 0.99 * bound < kernel.weight_ih_l0.abs().max() <= bound
        torch.testing.assert_close(kernel.weight_hh_l0.mT @ kernel.weight_hh_l0, torch.eye(256))
        assert kernel.bias_ih_l0.count_nonzero() == kernel.bias_hh_l0.count_nonzero() == 0


@pytest.mark.parametrize(("setting", "epochs"), [("low", 300), ("medium", 300), ("high", 100)])
def test_twenty_epochs_without_a_gain_end_training_from_the_first_right_form_on(setting, epochs):
    given = axsemantics_02.recipe(Data("toy", setting, [], [], []), SETTINGS, "by_column")
    assert given.batch_size == 32
    assert given.stop == Patience(20, epochs, above=0.0, waits=True)


def test_a_member_learns_a_suffix(share_right):
    options = {"hidden": 96, "embedding": 32, "epochs": 60, "patience": 60, "steps": 8}
    assert share_right("axsemantics_02", options, "by_column") > 0.9

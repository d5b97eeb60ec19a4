import pytest

from kasu.inflection.systems import iit_varanasi
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data

SETTINGS = iit_varanasi.Settings()


@pytest.mark.parametrize(("features", "size"), [(2, 25), (97, 500), (100, 512)])
def test_the_width_is_five_times_the_number_of_symbols(features, size):
    tags = Alphabet(map(str, range(features)))
    made = iit_varanasi.network(Alphabet("abc"), tags, "low", SETTINGS, "vector")
    assert (made.encoder.network.width, made.decoder.cell.size) == (2 * size, size)
    # Of lemma and features, which are read at every step
    assert made.decoder.cell.constant.shape == (4 * size, 2 * size + 4 + features)
    assert made.decoder.beside.weight.shape == (7, 4 * size)


def test_first_weights_are_those_of_keras():
    made = iit_varanasi.network(Alphabet("abc"), Alphabet(["N", "PL"]), "low", SETTINGS, "vector")
    assert (
        made.encoder.network.layers[0].kernel.bias_ih_l0.tolist() == [0] * 25 + [1] * 25 + [0] * 50
    )
    # Previous symbol 7, vector 50 and features 6, symbol beside 7; four gates of 25
    bound = (6 / (7 + 56 + 7 + 100)) ** 0.5
    cell = made.decoder.cell
    for weight in (cell.layers[0].kernel.weight_ih_l0, cell.constant, made.decoder.beside.weight):
        assert 0.98 * bound < weight.abs().max() <= bound


def test_by_position_the_encoder_is_read_beside_the_symbol():
    tags = Alphabet(["N", "PL"])
    made = iit_varanasi.network(Alphabet("abc"), tags, "low", SETTINGS, "by_position")
    assert made.decoder.cell.constant.shape == (100, 6)
    assert made.decoder.outputs.weight.shape == (100, 50)
    # As many columns as where one vector is read
    bound = (6 / (7 + 56 + 7 + 100)) ** 0.5
    assert 0.98 * bound < made.decoder.outputs.weight.abs().max() <= bound


@pytest.mark.parametrize(("setting", "size"), [("low", 10), ("medium", 100), ("high", 250)])
def test_a_hundred_epochs_are_trained(setting, size):
    given = iit_varanasi.recipe(Data("toy", setting, [], [], []), SETTINGS, "vector")
    assert (given.batch_size, given.stop) == (size, Patience(100, 100))
    assert given.validated == ()


@pytest.mark.parametrize("variant", ["vector", "by_position"])
def test_a_member_learns_a_suffix(share_right, variant):
    assert share_right("iit_varanasi", {"epochs": 50}, variant) > 0.9

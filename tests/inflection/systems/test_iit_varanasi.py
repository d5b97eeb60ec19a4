import pytest

from kasu.inflection.systems import iit_varanasi
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data

SETTINGS = iit_varanasi.Settings()


@pytest.mark.parametrize(("features", "size"), [(2, 25), (97, 500), (100, 512)])
def test_the_width_is_five_times_the_number_of_symbols(features, size):
    tags = Alphabet(map(str, range(features)))
    made = iit_varanasi.network(Alphabet("abc"), tags, "low", SETTINGS, "")
    assert (made.encoder.network.width, made.decoder.cell.size) == (2 * size, size)
    # Of lemma and features, which are read at every step
    assert made.decoder.cell.constant.shape == (4 * size, 2 * size + 4 + features)
    assert made.decoder.beside.weight.shape == (7, 4 * size)


@pytest.mark.parametrize(("setting", "size"), [("low", 10), ("medium", 100), ("high", 250)])
def test_a_hundred_epochs_are_trained(setting, size):
    given = iit_varanasi.recipe(Data("toy", setting, [], [], []), SETTINGS, "")
    assert (given.batch_size, given.stop) == (size, Patience(100, 100))
    assert given.validated == ()


def test_a_member_learns_a_suffix(share_right):
    assert share_right("iit_varanasi", {"epochs": 50}) > 0.9

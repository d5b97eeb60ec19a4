import pytest

from kasu.inflection.systems import tuebingen_oslo_03
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data

SETTINGS = tuebingen_oslo_03.Settings()
ITEM = Item("a" * 40, (), "a")


def test_sizes_are_those_of_the_paper():
    made = tuebingen_oslo_03.network(Alphabet("abc"), Alphabet(["N"]), "low", SETTINGS, "keras")
    assert (made.encoder.network.width, made.decoder.cell.size) == (512, 256)
    # Features are all that the decoder reads besides characters
    assert made.decoder.cell.constant.shape == (1024, 5)
    assert [first.weight.shape for first in made.first] == [(256, 512), (256, 512)]
    assert made.batch([ITEM]).source.shape == (1, 32)


@pytest.mark.parametrize(("variant", "forget"), [("keras", 1), ("torch", 0), ("padded", 1)])
def test_variants_have_the_first_weights_of_a_library(variant, forget):
    made = tuebingen_oslo_03.network(Alphabet("abc"), Alphabet(["N"]), "low", SETTINGS, variant)
    bias = made.decoder.cell.layers[0].kernel.bias_ih_l0[256:512]
    assert bias.mean().item() == pytest.approx(forget, abs=0.02)


def test_the_variant_padded_reads_words_of_30_characters():
    short = Item("ab", (), "ab")
    for variant, length in (("keras", 4), ("padded", 32)):
        made = tuebingen_oslo_03.network(Alphabet("ab"), Alphabet(["N"]), "low", SETTINGS, variant)
        assert made.batch([short]).source.shape == (1, length)


@pytest.mark.parametrize(("train", "size"), [(1000, 32), (1001, 128)])
def test_training_ends_when_the_loss_on_dev_no_longer_falls(train, size):
    data = Data("toy", "low", [ITEM] * train, [ITEM], [])
    given = tuebingen_oslo_03.recipe(data, SETTINGS, "keras")
    assert (given.batch_size, given.stop, given.measure) == (size, Patience(5, 200), "loss")


def test_a_member_learns_a_suffix(share_right):
    assert share_right("tuebingen_oslo_03", {"epochs": 50, "hidden": 128}, "keras") > 0.9

import pytest

from kasu.inflection.systems import kucst
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data

CHARACTERS, TAGS = Alphabet("abc"), Alphabet(["N", "PL"])
SETTINGS = kucst.Settings()


@pytest.mark.parametrize(
    ("variant", "orders"),
    [
        ("three_orders", ("forward", "backward", "outside_in")),
        ("two_orders", ("forward", "backward")),
    ],
)
def test_sizes_are_those_of_the_paper(variant, orders):
    made = kucst.network(CHARACTERS, TAGS, "low", SETTINGS, variant)
    assert made.encoder.orders == orders
    assert [each.size for each in made.encoder.networks] == [128] * len(orders)
    assert made.decoder.cell.size == 128
    # Final states and features
    assert made.first.weight.shape == (128, 128 * len(orders) + 6)
    assert made.forced == 0.5


@pytest.mark.parametrize(("setting", "epochs"), [("low", 20), ("medium", 15), ("high", 5)])
def test_epochs_by_setting(setting, epochs):
    given = kucst.recipe(Data("toy", setting, [], [], []), SETTINGS, "three_orders")
    assert (given.batch_size, given.stop) == (1, Patience(epochs, epochs))
    assert given.validated == ()


def test_a_member_learns_a_suffix(share_right):
    options = {"hidden": 32, "embedding": 32, "epochs": 8, "learning_rate": 0.1}
    assert share_right("kucst", options, "three_orders") > 0.9

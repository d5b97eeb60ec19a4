import pytest

from kasu.inflection.systems import msu_04
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.edits.actions import END, MOVE, ActionAlphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data

SETTINGS = msu_04.Settings()
TAGS = Alphabet(["V"])
DATA = Data("toy", "low", [Item("sing", ("V",), "singt")] * 3, [Item("geh", ("V",), "geht")], [])


def test_sizes_are_those_of_the_paper():
    made = msu_04.network(ActionAlphabet("abc", [MOVE]), TAGS, "low", SETTINGS, "released")
    assert (made.encoder.width, made.cell.size, made.width) == (192, 128, 192 + 48 + 4 * 32)
    assert (made.dense.in_features, made.dense.out_features) == (128, 96)
    assert made.dense.bias is made.features.bias is None
    assert made.gate.in_features == made.width + 128
    # As Keras draws them: the biases of forget gates are 1
    assert made.cell.layers[0].kernel.bias_ih_l0[128:256].tolist() == [1] * 128


def test_a_variant_has_no_gate():
    made = msu_04.network(ActionAlphabet("abc", [MOVE]), TAGS, "low", SETTINGS, "no_gate")
    assert made.gate is None


def test_the_teacher_aligns_train_and_dev():
    given = msu_04.recipe(DATA, SETTINGS, "released")
    assert given.teacher == {
        DATA.train[0]: ["s", MOVE, "i", MOVE, "n", MOVE, "g", "t", MOVE, END],
        DATA.dev[0]: ["g", MOVE, "e", MOVE, "h", "t", MOVE, END],
    }


def test_the_recipe_is_that_of_the_paper():
    data = DATA._replace(train=DATA.train * 200)
    given = msu_04.recipe(data, SETTINGS, "released")
    assert (given.batch_size, given.stop, given.measure) == (32, Patience(15, 100), "symbols")
    assert msu_04.recipe(DATA._replace(dev=[]), SETTINGS, "released").stop == Patience(100, 100)


@pytest.mark.parametrize(
    ("variant", "places", "endings"),
    [
        ("released", "fewest_cuts", True),
        ("no_gate", "fewest_cuts", True),
        ("no_paradigms", "common_subsequence", True),
        ("no_endings", "fewest_cuts", False),
    ],
)
def test_variants_of_the_alignment(monkeypatch, variant, places, endings):
    asked = {}

    def align(pairs, **more):
        asked.update(more)
        return [[*zip(*pair, strict=False)] for pair in (*pairs, *more["further"])]

    monkeypatch.setattr("kasu.transduction.alignments.crp_alignment.align_by_crp", align)
    msu_04.align(DATA, msu_04.VARIANTS[variant])
    assert (asked["start"].__name__, asked["endings"]) == (places, endings)
    assert asked["further"] == [("geh", "geht")]


def test_a_member_learns_a_suffix(share_right):
    small = {"hidden": 48, "encoder": 32, "epochs": 12}
    assert share_right("msu_04", small, "released") > 0.9

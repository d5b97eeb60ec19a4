"""What all systems of the University of Zurich have in common."""

import pytest

from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.edits.imitation import Expert
from kasu.transduction.features import Slots
from kasu.transduction.items import Item
from kasu.transduction.networks import zurich
from kasu.transduction.networks.zurich import TransducerSettings

ITEM = Item("a", (), "b")


def test_the_paper_and_the_released_program_teach_differently():
    assert zurich.RELEASED.expert() == Expert(150, 12.0, False, 0.5, 0.0)
    assert zurich.PAPER.expert() == Expert(150, 12.0, True, 0.5, 5.0)


def test_sizes_are_those_of_the_paper():
    slots = Slots(Alphabet(["N"]), 20)
    made = zurich.transducer(Alphabet("ab"), slots, TransducerSettings(), "coupled")
    assert (made.table.embedding_dim, made.encoder.size, made.cell.size) == (100, 200, 200)
    assert (made.constant, made.limit) == (slots, 150)


@pytest.mark.parametrize(
    ("dev", "epochs", "stop"),
    [([ITEM], None, Patience(5, 30)), ([], None, Patience(30, 30)), ([ITEM], 7, Patience(5, 7))],
)
def test_training_ends_at_patience_if_there_is_a_dev_set(dev, epochs, stop):
    teacher = zurich.RELEASED.expert()
    recipe = zurich.imitation_recipe(dev, "high", TransducerSettings(epochs=epochs), teacher)
    assert (recipe.batch_size, recipe.stop, recipe.validated) == (1, stop, dev)
    assert recipe.teacher is teacher

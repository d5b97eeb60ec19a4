"""The meanings of columns on a card."""

from kasu.minimal_sets.data.columns import meanings


def test_a_value_is_no_markup():
    assert meanings(["<b>", "Erg"])["form_<b>"] == r"the target with the value \<b\>"
    assert meanings(["<b>", "Erg"])["form_erg"] == "the target with the value Erg"

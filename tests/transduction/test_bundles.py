"""The order of features, which data have and networks learn."""

import pytest

from kasu.transduction.bundles import Bundles, as_classes, bundles_of, of_class
from kasu.transduction.items import read_item, read_tags


def items(*triples):
    return [read_item(lemma, features, form) for lemma, form, features in triples]


def test_features_get_the_order_of_training():
    bundles = Bundles([("N", "DAT", "SG"), ("N", "SG")])
    assert bundles.ordered(("SG", "N", "DAT")) == ("N", "DAT", "SG")
    assert bundles.ordered(("N", "SG")) == ("N", "SG")


def test_features_that_training_lacks_together_stay_as_they_are():
    bundles = Bundles([("N", "DAT", "SG"), ("N", "SG")])
    for tags in (("SG", "DAT"), ("SG", "N", "N"), ("SG", "X"), ()):
        assert bundles.ordered(tags) == tags
        assert tags not in bundles


def test_a_bundle_is_known_in_its_order():
    bundles = Bundles([("N", "SG")])
    assert ("N", "SG") in bundles
    assert ("SG", "N") not in bundles


def test_without_a_record_every_bundle_counts_as_known():
    assert ("SG", "N") in Bundles([])
    assert Bundles([]).ordered(("SG", "N")) == ("SG", "N")
    assert ("SG", "N") not in Bundles([()])


def test_of_two_orders_the_more_frequent_stays():
    found = items(("a", "b", "SG;N"), ("c", "d", "N;SG"), ("e", "f", "N;SG"), ("a", "b", "N;PL"))
    assert bundles_of(found).listed == [("N", "SG"), ("N", "PL")]
    assert bundles_of(found[:2]).listed == [("SG", "N")]
    # One form in both orders
    assert bundles_of(items(("a", "b", "SG;N"), ("a", "b", "N;SG"))).listed == [("SG", "N")]


def test_orders_that_tell_forms_apart_both_stay():
    """Two arguments of a verb may have the same features."""
    found = items(("a", "b", "V;1;SG;3;PL"), ("a", "c", "V;3;PL;1;SG"), ("d", "e", "V;1;SG;3;PL"))
    bundles = bundles_of(found)
    assert bundles.listed == [("V", "1", "SG", "3", "PL"), ("V", "3", "PL", "1", "SG")]
    assert bundles.ordered(("V", "3", "PL", "1", "SG")) == ("V", "3", "PL", "1", "SG")
    assert bundles.ordered(("PL", "3", "V", "1", "SG")) == ("PL", "3", "V", "1", "SG")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("V;1;SG;3;PL", "V;3;PL;1;SG"),
        ("N;NOM;GEN;SG", "N;GEN;NOM;SG"),
        ("V;MASC;FEM", "V;FEM;MASC"),
        ("V;3;PL;3;SG", "V;3;SG;3;PL"),
    ],
)
def test_two_features_of_a_kind_are_never_read_in_the_other_order(one, other):
    bundles = bundles_of(items(("a", "b", one), ("a", "b", one), ("d", "e", other)))
    assert bundles.listed == [read_tags(one), read_tags(other)]
    bundles = bundles_of(items(("a", "b", one)))
    assert bundles.ordered(read_tags(other)) == read_tags(other)
    assert read_tags(other) not in bundles


def test_other_features_beside_two_of_a_kind_are_put_in_order():
    bundles = bundles_of(items(("a", "b", "V;1;SG;3;PL"), ("d", "e", "1;SG;3;PL;V")))
    assert bundles.listed == [("V", "1", "SG", "3", "PL")]
    assert bundles.ordered(("1", "SG", "V", "3", "PL")) == ("V", "1", "SG", "3", "PL")
    # One person and one number are of two kinds
    bundles = bundles_of(items(("a", "b", "V;1;SG")))
    assert bundles.ordered(("SG", "1", "V")) == ("V", "1", "SG")


def test_features_of_a_class():
    assert of_class(("V", "PST", "SG")) == ("V", "V_PST", "V_SG")
    assert of_class(("N",)) == ("N",)
    assert of_class(()) == ()


def test_items_of_a_class_keep_all_but_their_features():
    (item,) = as_classes(items(("go", "went", "V;PST")))
    assert item == items(("go", "went", "V;PST"))[0]._replace(tags=("V", "V_PST"))

"""The order of features, which data have and networks learn."""

from kasu.transduction.bundles import Bundles, bundles_of
from kasu.transduction.items import read_item


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

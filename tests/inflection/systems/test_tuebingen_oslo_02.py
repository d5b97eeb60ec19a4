from kasu.inflection.systems import tuebingen_oslo_02
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data

SETTINGS = tuebingen_oslo_02.Settings()


def test_there_is_a_copy_for_each_item():
    data = Data("toy", "medium", [Item("kale", ("N", "PL"), "kaleak")] * 1000, [], [])
    given = tuebingen_oslo_02.recipe(data, SETTINGS, "keras")
    assert len(given.made) == 1000
    assert {(len(item.source), item.tags) for item in given.made} == {(4, ("N", "PL"))}
    assert all(item.source == item.target for item in given.made)
    assert given.batch_size == 32


def test_a_member_learns_a_suffix(share_right):
    assert share_right("tuebingen_oslo_02", {"epochs": 70, "hidden": 128}, "keras") > 0.9

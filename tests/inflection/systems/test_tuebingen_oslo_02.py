from kasu.inflection.systems import tuebingen_oslo_02
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data

SETTINGS = tuebingen_oslo_02.FAMILY.settle(tuebingen_oslo_02.FAMILY.settings(), "toy", "medium", 1)


def test_there_is_a_copy_for_each_item():
    data = Data("toy", "medium", [Item("kale", ("N", "PL"), "kaleak")] * 1000, [], [])
    given = tuebingen_oslo_02.recipe(data, SETTINGS, "keras")
    assert len(given.made) == 1000
    assert {(len(item.source), item.tags) for item in given.made} == {(4, ("N", "PL"))}
    assert all(item.source == item.target for item in given.made)
    # 2,000 items in all
    assert given.batch_size == 128


def test_each_member_draws_its_own_words():
    data = Data("toy", "low", [Item("kale", ("N", "PL"), "kaleak")] * 20, [], [])
    first, again, second = (
        tuebingen_oslo_02.recipe(
            data, tuebingen_oslo_02.FAMILY.settle(SETTINGS.settings, "toy", "low", seed), "keras"
        ).made
        for seed in (1, 1, 2)
    )
    assert first == again != second


def test_a_member_learns_a_suffix(share_right):
    assert share_right("tuebingen_oslo_02", {"epochs": 55, "hidden": 128}, "keras") > 0.9

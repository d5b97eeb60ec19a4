from kasu.transduction.augmentation import random_copies
from kasu.transduction.items import Item

ITEMS = [Item("kale", ("N", "PL"), "kaleak"), Item("aaa", ("V",), "aa"), Item("", (), "k")]


def test_copies_are_as_long_as_the_source_and_have_its_tags():
    made = random_copies(ITEMS, 1)
    assert [(len(item.source), item.tags) for item in made] == [
        (4, ("N", "PL")),
        (3, ("V",)),
        (0, ()),
    ]
    assert all(item.source == item.target for item in made)
    assert {symbol for item in made for symbol in item.source} <= set("kale")


def test_characters_are_drawn_by_their_frequency():
    text = "".join(item.target for item in random_copies([Item("aab", (), "a")] * 1000, 2))
    assert set(text) == {"a", "b"}
    assert 2150 < text.count("a") < 2350  # three of four


def test_the_seed_decides():
    assert random_copies(ITEMS, 1) == random_copies(ITEMS, 1) != random_copies(ITEMS, 2)

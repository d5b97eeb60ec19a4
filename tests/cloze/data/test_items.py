"""Targets as items: what each track shows of their sentences."""

import pytest

from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.data.items import (
    draw_sentences,
    every_word,
    hold_out,
    read_items,
    read_split,
    sentences_of,
)
from kasu.cloze.data.sentences import Word
from kasu.transduction.items import Context, Item, Token

DOGS = [
    Word("The", "the", "DT"),
    Word("dogs", "dog", "N;PL", ("dogs",)),
    Word("are", "be", "AUX;PRES;3PL"),
    Word("barking", "bark", "V;V.PTCP", ("barking",)),
]


@pytest.fixture
def path(tmp_path):
    write_dataset(tmp_path, {"low": [DOGS]}, language="en", sources=[])
    return tmp_path / "low.parquet"


def test_track_1_trains_on_a_whole_sentence(path):
    tokens = [
        Token("The", "the", ("DT",)),
        Token("dogs", "dog", ("N", "PL")),
        Token("are", "be", ("AUX", "PRES", "3PL")),
        Token("barking", "bark", ("V", "V.PTCP")),
    ]
    assert read_items(path, "track1", covered=False) == [
        Item("dog", ("N", "PL"), "dogs", Context(tokens, 1)),
        Item("bark", ("V", "V.PTCP"), "barking", Context(tokens, 3)),
    ]


def test_track_2_trains_on_forms_and_the_lemmata_of_targets(path):
    tokens = [
        Token("The", None, ()),
        Token("dogs", "dog", ()),
        Token("are", None, ()),
        Token("barking", "bark", ()),
    ]
    assert read_items(path, "track2", covered=False) == [
        Item("dog", (), "dogs", Context(tokens, 1)),
        Item("bark", (), "barking", Context(tokens, 3)),
    ]


@pytest.mark.parametrize(("track", "lemma"), [("track1", "the"), ("track2", None)])
def test_covered_sentences_hide_every_target(path, track, lemma):
    first, second = read_items(path, track, covered=True)
    for item, source, target, place in ((first, "dog", "dogs", 1), (second, "bark", "barking", 3)):
        assert (item.source, item.tags, item.target) == (source, (), target)
        assert item.context.place == place
        assert item.context.tokens[0][:2] == ("The", lemma)
        assert item.context.tokens[1] == Token(None, "dog", ())
        assert item.context.tokens[3] == Token(None, "bark", ())


def test_training_sets_are_whole_and_other_splits_covered(path):
    for split, covered in (("train", False), ("dev", True), ("test", True)):
        for track in ("track1", "track2"):
            items = read_split(path, f"{track}-low", split)
            assert items == read_items(path, track, covered=covered)


def among(*places: int) -> list[Item]:
    """The targets of a sentence."""
    tokens = [Token(str(place), None, ()) for place in range(9)]
    return [Item(str(place), (), str(place), Context(tokens, place)) for place in places]


def test_items_of_a_sentence_share_its_tokens():
    one, other = among(1, 4), among(1)
    assert sentences_of([*one, *other]) == [one, other]
    assert sentences_of([]) == []


def test_a_tenth_of_the_sentences_is_held_out():
    sentences = [[item._replace(target=f"{n}") for item in among(1, 4)] for n in range(20)]
    kept, held = hold_out([item for each in sentences for item in each], 7)
    assert held == sentences[14] + sentences[15]
    assert len(kept) == 36


def test_of_few_sentences_none_is_held_out():
    items = [item for _ in range(3) for item in among(1, 2)]
    assert hold_out(items, 7) == (items, [])


COVERED = [
    Token("Die", "die", ("DET",)), Token(None, "Hund", ()), Token(None, "bellen", ()),
    Token(".", None, ("PUNCT",)),
]  # fmt: skip
ASKED = [
    Item("Hund", (), "Hunde", Context(COVERED, 1)),
    Item("bellen", (), "bellen", Context(COVERED, 2)),
]


def test_every_word_is_an_item_and_hidden_forms_are_filled_in():
    found = every_word(ASKED, tagged=True)
    tokens = [
        Token("Die", "die", ("DET",)), Token("Hunde", "Hund", ()), Token("bellen", "bellen", ()),
        Token(".", None, ("PUNCT",)),
    ]  # fmt: skip
    expected = [
        ("die", ("DET",), "Die"), ("Hund", (), "Hunde"), ("bellen", (), "bellen"),
        ("_", ("PUNCT",), "."),
    ]  # fmt: skip
    assert found == [Item(*each, Context(tokens, at)) for at, each in enumerate(expected)]
    # What the sentence hides stays hidden for others
    assert COVERED[1].form is None


def test_without_tags_the_words_that_are_given_are_items():
    found = every_word(ASKED, tagged=False)
    assert [(each.source, each.context.place) for each in found] == [("Hund", 1), ("bellen", 2)]
    assert [token.form for token in found[0].context.tokens] == ["Die", "Hunde", "bellen", "."]
    alone = [Item("ab", ()), Item("c", ())]
    assert every_word(alone, tagged=True) == alone


def test_sentences_are_drawn_in_their_order():
    sentences = [[Token(None, "x", ()), Token(None, "y", ())] for _ in range(9)]
    items = [
        Item("x", (), str(number), Context(tokens, at))
        for number, tokens in enumerate(sentences)
        for at in (0, 1)
    ]
    drawn = draw_sentences(items, 4, 1)
    numbers = [int(item.target) for item in drawn]
    assert numbers == sorted(numbers)
    assert [numbers.count(each) for each in set(numbers)] == [2] * 4
    assert drawn == draw_sentences(items, 4, 1)
    assert any(draw_sentences(items, 4, seed) != drawn for seed in (2, 3, 4, 5))
    assert draw_sentences(items, 9, 1) == items

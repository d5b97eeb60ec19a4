"""Spelling of the sentences of a matrix (BLM-8)."""

from hypothesis import given
from hypothesis import strategies as st

from kasu.blm.generation.spelling import normalise, spans


def test_an_apostrophe_next_to_a_space_becomes_plain_and_loses_the_space():
    assert normalise("L’ ordinateur d ´ essai n ' a plus d` encre") == (
        "L'ordinateur d'essai n'a plus d'encre"
    )


def test_an_apostrophe_with_no_space_next_to_it_is_kept():
    assert normalise("et l’adulte") == "et l’adulte"


def test_capitals_after_a_space_are_lowered_even_in_names():
    assert normalise("Le programme dont Jean se servait Et L’ île") == (
        "Le programme dont jean se servait et l'île"
    )


def test_spaces_collapse():
    assert normalise("  Le  chat   dort . ") == "Le chat dort ."


def test_a_comma_follows_its_word_and_is_no_part_of_it():
    text = normalise("Das Haus , das Peter sieht , steht .")
    assert text == "Das haus, das peter sieht, steht ."
    words = ["Das", "haus", "das", "peter", "sieht", "steht", "."]
    assert [text[a:b] for a, b in spans(text)] == words


def test_elided_words_are_words():
    text = "que l'ordinateur m’attend"
    assert [text[a:b] for a, b in spans(text)] == ["que", "l'", "ordinateur", "m’", "attend"]


@given(st.text("Lé '’ aB.,", max_size=30))
def test_normalising_twice_changes_nothing(text):
    once = normalise(text)
    assert normalise(once) == once

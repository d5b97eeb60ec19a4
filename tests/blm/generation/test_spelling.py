"""Spelling of matrix sentences (BLM-8)."""

from hypothesis import given
from hypothesis import strategies as st

from kasu.blm.generation.spelling import normalise, spans


def test_apostrophe_beside_a_space_becomes_bare():
    assert normalise("L’ ordinateur d ´ essai n ' a plus d` encre") == (
        "L'ordinateur d'essai n'a plus d'encre"
    )


def test_apostrophe_with_no_space_beside_it_stays():
    assert normalise("et l’adulte") == "et l’adulte"


def test_capitals_after_a_space_are_lowered_those_of_names_too():
    assert normalise("Le programme dont Jean se servait Et L’ île") == (
        "Le programme dont jean se servait et l'île"
    )


def test_spaces_collapse():
    assert normalise("  Le  chat   dort . ") == "Le chat dort ."


def test_elided_words_are_words():
    text = "que l'ordinateur m’attend"
    assert [text[a:b] for a, b in spans(text)] == ["que", "l'", "ordinateur", "m’", "attend"]


@given(st.text("Lé '’ aB.", max_size=30))
def test_normalising_twice_changes_nothing(text):
    once = normalise(text)
    assert normalise(once) == once

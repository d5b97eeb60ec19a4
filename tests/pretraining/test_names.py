"""What the name of a budget says."""

from kasu.pretraining.names import words_of


def test_words_of_a_name():
    assert words_of("25M") == 25_000_000
    assert words_of("8k") == 8_000

"""Splitting a text into words and marks."""

from kasu.corpora.texts.tokens import tokenise


def test_marks_and_numbers_as_in_the_released_file():
    text = '"Mendigoizale"-ko seme-alaba, 10:30 eta... (3,5) bai!'
    assert tokenise(text) == [
        '"', "Mendigoizale", '"', "-", "ko", "seme-alaba", ",", "10:30", "eta", "...", "(", "3,5",
        ")", "bai", "!",
    ]  # fmt: skip

"""Splitting a text into words and marks."""

import pytest

from kasu.corpora.texts.tokens import is_alphabetic, tokenise


def test_marks_and_numbers_as_in_the_released_file():
    text = '"Mendigoizale"-ko seme-alaba, 10:30 eta... (3,5) bai!'
    assert tokenise(text) == [
        '"', "Mendigoizale", '"', "-", "ko", "seme-alaba", ",", "10:30", "eta", "...", "(", "3,5",
        ")", "bai", "!",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("हिन्दी भाषा है ।", ["हिन्दी", "भाषा", "है", "।"]),
        ("Ẹ̀kọ́ yorùbá.", ["Ẹ̀kọ́", "yorùbá", "."]),
        ("می\u200cخواهم بروم.", ["می\u200cخواهم", "بروم", "."]),
        ("❤\ufe0fbai", ["❤\ufe0f", "bai"]),
    ],
)
def test_a_letter_keeps_its_marks(text, tokens):
    assert tokenise(text) == tokens


def test_letters_of_scripts_without_blanks_are_words():
    assert tokenise("三本书。") == ["三", "本", "书", "。"]
    assert tokenise("ที่นี่ดี") == ["ที่", "นี่", "ดี"]


@pytest.mark.parametrize("word", ["ama", "हिन्दी", "Ẹ̀kọ́"])
def test_letters_with_their_marks_are_alphabetic(word):
    assert is_alphabetic(word)


@pytest.mark.parametrize("word", ["", "a1", "l’eau", "\u0301a"])
def test_others_are_not(word):
    assert not is_alphabetic(word)

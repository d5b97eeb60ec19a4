"""Splitting a text into words and marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def split_as_hindi(text):
    """The tokens of a text that has a character of an Indian script besides."""
    *tokens, danda = tokenise(f"{text} ।")
    assert danda == "।"
    return tokens


def test_every_character_splits_alike_in_any_text():
    for char in map(chr, (*range(0xD800), *range(0xE000, 0x11000))):
        for text in (f"a{char}b", f"1{char}2", f"a {char}{char}..b"):
            assert tokenise(text) == split_as_hindi(text)


@given(st.text(st.sampled_from("aŽжΩé019_ª½-'’.,:…“«? \t\n\u0301\u0940三")))
def test_a_text_splits_alike_beside_any_other(text):
    assert tokenise(text) == split_as_hindi(text)


def test_letters_of_scripts_without_blanks_are_words():
    assert tokenise("三本书。") == ["三", "本", "书", "。"]
    assert tokenise("ที่นี่ดี") == ["ที่", "นี่", "ดี"]


@pytest.mark.parametrize("word", ["ama", "हिन्दी", "Ẹ̀kọ́"])
def test_letters_with_their_marks_are_alphabetic(word):
    assert is_alphabetic(word)


@pytest.mark.parametrize("word", ["", "a1", "l’eau", "\u0301a"])
def test_others_are_not(word):
    assert not is_alphabetic(word)

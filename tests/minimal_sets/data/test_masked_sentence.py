"""A mask in place of a word of the raw text."""

import pytest

from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.minimal_sets.data.masked_sentence import is_glued, mask_word


def sentence(text: str | None, *tokens: tuple[str, str]) -> Sentence:
    rest = ("_",) * 7 + ("SpaceAfter=No",)
    return Sentence("s", text, 1, 2, [], [Token(i, form, *rest) for i, form in tokens])


DOGS = ("1", "dogs"), ("2", "see"), ("3", "dogs"), ("4", ".")


@pytest.mark.parametrize(
    "position, masked",
    [(1, "[MASK] see  dogs."), (3, "dogs see  [MASK]."), (4, "dogs see  dogs[MASK]")],
)
def test_a_word_is_found_from_left_to_right(position, masked):
    assert mask_word(sentence("dogs see  dogs.", *DOGS), position) == (masked, "")


def test_a_missing_text_is_built_from_the_tokens():
    assert mask_word(sentence(None, *DOGS), 2) == ("dogs[MASK]dogs.", "")


def test_a_form_may_contain_a_space():
    tokens = ("1", "10 000"), ("2", "dogs")
    assert mask_word(sentence("10 000 dogs", *tokens), 2) == ("10 000 [MASK]", "")


def test_words_after_multiword_tokens_and_empty_nodes():
    tokens = ("1-2", "del"), ("1", "de"), ("2", "el"), ("2.1", "gran"), ("3", "mar")
    assert mask_word(sentence("del mar", *tokens), 3) == ("del [MASK]", "")


def test_a_word_inside_a_multiword_token_has_no_surface_form():
    tokens = ("1-2", "del"), ("1", "de"), ("2", "el"), ("3", "mar")
    del_mar = sentence("del mar", *tokens)
    assert mask_word(del_mar, 1) == mask_word(del_mar, 2) == (None, "inside a multiword token")


def test_tokens_that_do_not_match_the_text():
    assert mask_word(sentence("cats see dogs.", *DOGS), 2) == (None, "tokens do not match the text")


def test_a_mask_in_the_text_would_be_a_second_locus():
    assert mask_word(sentence("a [MASK] b", ("1", "a")), 1) == (None, "several loci")


@pytest.mark.parametrize(
    "masked, glued",
    [
        ("die CDU-[MASK] sagte", True),
        ("die CDU\u2013[MASK]", True),
        ("die [MASK]-Politiker", True),
        ("die CDU[MASK]", True),
        ("die [MASK]s", True),
        ("1990[MASK]", True),
        ("e\u0301[MASK]", True),
        ("[MASK]", False),
        ("die [MASK], sagte", False),
        ("(\u201e[MASK]\u201c)", False),
        ("l'[MASK].", False),
        ("dogs\u2014[MASK]\u2014see", False),
    ],
)
def test_a_mask_that_touches_a_letter_or_a_hyphen_is_glued(masked, glued):
    assert is_glued(masked) is glued

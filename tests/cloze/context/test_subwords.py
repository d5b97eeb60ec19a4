"""Byte pair encoding: the units of words."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kasu.cloze.context.subwords import LAST, learn_subwords
from kasu.transduction.alphabet import UNKNOWN

GERMAN = {"der": 3, "den": 2, "dem": 1, "ein": 2}


def shown(word: str, words=GERMAN, merges: int = 2) -> str:
    """The units of a word; LAST as in the authors' paper."""
    return " ".join(learn_subwords(words, merges).split(word)).replace(LAST, "</w>")


def test_two_merges_of_german_articles():
    # d and e (6), then de and r (3)
    found = {word: shown(word) for word in ("der", "den", "dein", "er", "Rad", "r")}
    assert found == {
        "der": "der</w>", "den": "de n</w>", "dein": "de i n</w>", "er": "e r</w>",
        "Rad": "R a d</w>", "r": "r</w>",
    }  # fmt: skip


def test_the_first_merges_are_done_first():
    # a b (5), then b c (4), which "abcw" has no more
    words = {"abz": 3, "aby": 2, "bcw": 2, "bcv": 2}
    assert [shown(word, words) for word in ("abcw", "bcw")] == ["ab c w</w>", "bc w</w>"]


def test_a_pair_joins_from_left_to_right():
    assert shown("aaaaa", {"aaaaa": 2}, 1) == "aa aa a</w>"


def test_of_equally_frequent_pairs_the_last_by_code_point_is_joined():
    assert [shown(word, {"abx": 2, "cdx": 2}, 2) for word in ("abx", "cdx")] == [
        "a b x</w>", "cdx</w>",
    ]  # fmt: skip


def test_what_occurs_once_is_not_joined():
    assert shown("ababx", {"ababx": 1}, 9) == "ab ab x</w>"
    assert shown("abc", {"abc": 1}, 9) == "a b c</w>"


def test_ids_are_of_the_units_that_the_words_have():
    made = learn_subwords(GERMAN, 2)
    assert made.alphabet.symbols == ["de", "der\n", "e", "i", "m\n", "n\n"]
    assert made.alphabet.decode(made.encode("den")) == ["de", "n\n"]
    # "d" is never alone
    assert made.encode("du") == [UNKNOWN, UNKNOWN]
    assert made.encode(None) == made.encode("") == [UNKNOWN]
    assert made.encode("den") == made.encode("den")


@given(st.lists(st.text("abcß ", min_size=1, max_size=6)), st.text("abcßx ", min_size=1))
def test_joined_units_are_the_word(words, word):
    made = learn_subwords(Counter(words), 20)
    assert "".join(made.split(word)) == word + LAST
    for each in words:
        assert UNKNOWN not in made.encode(each)


@given(st.lists(st.text("abc", min_size=1, max_size=6)), st.integers(0, 9))
def test_more_merges_make_no_more_units(words, merges):
    few, more = (learn_subwords(Counter(words), most) for most in (merges, merges + 1))
    for word in words:
        assert len(more.split(word)) <= len(few.split(word))

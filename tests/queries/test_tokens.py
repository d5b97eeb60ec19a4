"""The words of a request, and the regular expressions of Str."""

import re

import pytest

from kasu.base.errors import KasuError
from kasu.queries.tokens import split_request, translate_regex


def texts(request: str) -> list[str]:
    return [word.text for word in split_request(request, "r")]


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("N-[nsubj:pass]->M", ["N", "-[", "nsubj:pass", "]->", "M"]),
        ("e:N->M", ["e", ":", "N", "->", "M"]),
        ("X$ << Y", ["X$", "<<", "Y"]),
        ("X$.lemma<>Y.lemma", ["X$.lemma", "<>", "Y.lemma"]),
        ("N ->> M", ["N", "->>", "M"]),
        ("N -[^re\"a b\"]-> *", ["N", "-[^", "a b", "]->", "*"]),
        ("form=a-b, lemma=კაცი", ["form", "=", "a-b", ",", "lemma", "=", "კაცი"]),
        ("% all ; of it\nN", ["N"]),
        ("N /* { \n */ M", ["N", "M"]),
        (r'"a \"b\" \\ \d"', [r'a "b" \ \d']),
        ("/.*poss.*/i", ["/.*poss.*/i"]),
        ("delta(X,Y) = -4", ["delta", "(", "X", ",", "Y", ")", "=", "-4"]),
    ],
)  # fmt: skip
def test_words(request_text, expected):
    assert texts(request_text) == [*expected, ""]


def test_a_word_knows_its_place():
    words = split_request("pattern {\n  N /* two\nlines */ [upos=VERB] }", "r")
    assert [(w.text, w.line, w.column) for w in words[2:5]] == [
        ("N", 2, 3), ("[", 3, 10), ("upos", 3, 11),
    ]  # fmt: skip


def test_the_end_stands_after_the_last_word():
    assert split_request("N\n  M", "r")[-1] == ("end", "", 2, 4)


@pytest.mark.parametrize(
    ("request_text", "message"),
    [
        ('N [lemma="x]', 'r:1:10: a string without an end; expected "'),
        ("N /* x", r"r:1:3: a comment without an end; expected */"),
        ("N\n  ?", "r:2:3: '?'; expected a name, a string or a mark of the request language"),
        ("N -[a;b]-> M", "r:1:6: ';' in an edge label; expected labels and ]->"),
    ],
)
def test_an_invalid_word_names_its_place(request_text, message):
    with pytest.raises(KasuError) as error:
        split_request(request_text, "r")
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "fits", "others"),
    [
        (r".*ing", ["being", "ing"], ["ingot"]),
        (r"a\|b", ["a", "b"], ["a|b"]),
        (r"\(ab\)+", ["abab"], ["(ab)"]),
        (r"(a|b)", ["(a|b)"], ["a"]),
        (r"a{2}", ["a{2}"], ["aa"]),
        (r"[^a-z]+", ["AB"], ["Ab"]),
        (r"[]x]", ["]", "x"], [r"\]"]),
        (r"[\d]", ["\\", "d"], ["1"]),
        (r"a\.b", ["a.b"], ["axb"]),
        (r"\(a\)\1", ["aa"], ["ab"]),
        (r"\d", ["d"], ["1"]),
        (r"ქა.*", ["ქართველი"], ["კაცი"]),
        (r"a?b*", ["", "abb"], ["aab"]),
    ],
)
def test_regular_expressions_of_str(text, fits, others):
    pattern = re.compile(translate_regex(text))
    assert [bool(pattern.fullmatch(word)) for word in (*fits, *others)] == [True] * len(fits) + [
        False
    ] * len(others)

"""What is escaped for the eye, and what stays."""

import pytest

from kasu.base.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\tb\nc\rd", r"a\tb\nc\rd"),
        ("\x00\x07\x7f\x9b", r"\x00\x07\x7f\x9b"),
        ("a\u2028b\u2029c\x85", r"a\u2028b\u2029c\x85"),
        ("exe\u202etxt\u202c", r"exe\u202etxt\u202c"),
        ("\u2066a\u2069", r"\u2066a\u2069"),
        ("\ud800 \udcff", r"\ud800 \udcff"),
        ("\ufffe\uffff", r"\ufffe\uffff"),
    ],
)
def test_what_would_not_be_seen_is_escaped(text, shown):
    assert visible(text) == shown
    assert visible(shown) == shown


@pytest.mark.parametrize(
    "text", ["etxe", "شهر\u200cها", "\u200fשלום\u200e", "😀漢 a\u0301", "\\x1b", "a\u00ad b\u00a0c"]
)
def test_what_spellings_need_stays(text):
    assert visible(text) == text


def test_a_text_of_lines_keeps_them():
    assert visible("a\n\tb\x00\n", kept="\n\t") == "a\n\tb\\x00\n"

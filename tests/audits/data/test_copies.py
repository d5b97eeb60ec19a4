"""Texts are found in others: verbatim, as near copies, inside a paragraph; none is missed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.audits.data.copies import Copies, outline
from kasu.corpora.texts.sentences import mask, normalise


@pytest.mark.parametrize(
    ("wanted", "text", "verbatim", "near"),
    [
        ("Ana came.", "Ana came.", True, True),
        ("Ana came.", "Jon Mikel came.", False, True),
        ("In 1936 it ended.", "By 7 it ended.", False, True),
        ("In 1936 it ended.", "By 7 it began.", False, False),
        ("Ana came.", "First this. Ana  came. Then that!", True, True),
        ("Ana came.", "He said: Ana came.", False, False),
        ("Ana came. She left.", "Ana came. She left.", True, True),
        ("caf\u00e9 da", "cafe\u0301 da", True, True),
        ("etxea da", "etx\u00adea da", True, True),  # a soft hyphen
        ("ნინო მოვიდა.", "ნინო მოვიდა. წავიდა.", True, True),
    ],
)
def test_a_text_is_found(wanted, text, verbatim, near):
    copies = Copies([wanted])
    copies.see(text)
    assert (copies.has(wanted), copies.has_near(wanted)) == (verbatim, near)


TEXTS = st.lists(
    st.sampled_from(["a", "b", "Ana", "12", "N", "a-Ana", "x's", ",", "(b", "É", "é", "e\u0301"]),
    min_size=1, max_size=4,
).map(" ".join)  # fmt: skip


@given(TEXTS, TEXTS)
def test_a_near_copy_is_what_the_mask_makes_equal(wanted, text):
    copies = Copies([wanted])
    copies.see(text)
    assert copies.has_near(wanted) == (mask(normalise(wanted)) == mask(normalise(text)))


def test_the_outline():
    assert outline("Ana came in 1936, and left") == "came in and left"

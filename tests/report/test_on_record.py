"""The words of what is on record, styled as on the rest of the page."""

from kasu.report.on_record import chips


def test_a_state_has_its_style_and_any_other_word_none():
    words = {"agrees in kind": 3, "holds": 2, "no word": 1}
    assert chips(words) == [("in_kind", "agrees in kind", 3), ("", "holds", 2), ("", "no word", 1)]

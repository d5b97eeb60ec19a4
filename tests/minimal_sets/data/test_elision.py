"""Words that lose their vowel before another."""

import pytest

from kasu.minimal_sets.data.elision import breaks_elision


@pytest.mark.parametrize(
    "masked, forms, breaks",
    [
        ("C'[MASK] vrai.", ("est", "sont"), True),
        ("L\u2019[MASK] noir", ("\u00c9tat", "code"), True),
        ("l'[MASK]", ("e\u0301tat", "\u0153il", "hiver"), False),
        ("He said '[MASK] it'", ("is", "was"), False),
        ("the dogs' [MASK]", ("is", "was"), False),
        ("ce [MASK]", ("est", "sont"), False),
    ],
)
def test_all_forms_after_an_elided_word_begin_with_a_vowel_or_h(masked, forms, breaks):
    assert breaks_elision(masked, forms) is breaks

"""Upper and lower case by language, and which spellings are one word."""

import pytest

from kasu.corpora.texts.spelling import canonical, capitalised, folded, key, lower, upper


# The lines of Unicode's SpecialCasing.txt on tr and az
@pytest.mark.parametrize("language", ["tr", "tur", "az", "aze", "azj", "crh", "gag", "ota"])
@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("\u0130", "i"),
        ("I", "\u0131"),
        ("I\u0307", "i"),
        ("I\u0323\u0307", "i\u0323"),
        ("I\u0301\u0307", "\u0131\u0301\u0307"),
        ("IRAK İZMİR", "ırak izmir"),
    ],
)
def test_turkic_lower_case(language, text, small):
    assert lower(text, language) == small


# Those on lt: a soft-dotted letter keeps its dot below an accent
@pytest.mark.parametrize("language", ["lt", "lit"])
@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("\u00cc", "i\u0307\u0300"),
        ("\u00cd", "i\u0307\u0301"),
        ("\u0128", "i\u0307\u0303"),
        ("J\u0303", "j\u0307\u0303"),
        ("\u012e\u0301", "\u012f\u0307\u0301"),
        ("I", "i"),
        ("JI\u0328", "ji\u0328"),
    ],
)
def test_lithuanian_lower_case(language, text, small):
    assert lower(text, language) == small


@pytest.mark.parametrize(
    ("language", "text", "large"),
    [
        ("tr", "ısı ilik", "ISI İLİK"),
        ("lt", "i\u0307\u0300j\u0307\u0303", "I\u0300J\u0303"),
        ("en", "ice ı", "ICE I"),
        ("de", "maß", "MASS"),
    ],
)
def test_upper_case(language, text, large):
    assert upper(text, language) == large


@pytest.mark.parametrize("language", ["", "en", "de", "kk", "tt"])
def test_other_languages_have_the_case_of_unicode(language):
    assert lower("I\u0130\u00cc", language) == "ii\u0307\u00ec"


def test_the_first_letter_alone_is_capitalised():
    assert capitalised("iyi insan", "az") == "İyi insan"
    assert capitalised("iyi insan") == "Iyi insan"
    assert capitalised("") == ""


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("sk", "na\u0301mestie", "N\u00c1MESTIE"),
        ("vi", "tie\u0302\u0301ng", "Ti\u1ebfng"),
        ("ko", "\u1112\u1161\u11ab", "\ud55c"),
        ("tr", "I\u0307kiz", "ikiz"),
        ("lt", "\u00ccr", "i\u0307\u0300r"),
        ("lt", "\u00cdr", "\u00edr"),
    ],
)
def test_spellings_of_one_word_have_one_key(language, one, other):
    assert key(one, language) == key(other, language)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [("tr", "IN", "in"), ("az", "ılıq", "ilıq"), ("en", "résumé", "resume"), ("", "ﬁn", "fin")],
)
def test_other_words_have_other_keys(language, one, other):
    assert key(one, language) != key(other, language)


def test_folding_spells_letters_out():
    assert folded("Maße") == folded("MASSE") == "masse"
    assert folded("Kız", "tr") == "kız"


def test_nfc():
    assert canonical("o\u0308") == "\u00f6"
    assert canonical("\u0958") == "\u0915\u093c"  # excluded from composition

"""Patches between letters: literals at size 16, and laws of any alphabet."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.inflection.data.triples import read_triples
from kasu.transduction.edits.glyphs import Patches, base

LETTERS = string.ascii_letters + "äöüÄÖÜéèêěáíóúýůňšžčřďťñçąęółżãõåæøıİİſ"
alphabets = st.lists(st.sampled_from(LETTERS + "жийё가ア'-. ") | st.characters(), max_size=30)


def shown(alphabet):
    return [" ".join(one + other for one, other in pairs) for pairs in Patches(alphabet).pairs]


@pytest.mark.parametrize(
    ("alphabet", "patches"),
    [
        # German
        ("aäeéoöuüß", ["aä", "eé", "oö uü"]),
        # Czech
        ("aáeéěiínňoósšuúůyýzž", ["aá eé ií oó uú yý", "eě nň sš zž", "uů", "éě", "úů"]),
        # Spanish
        ("aáeéiínñoóuú", ["aá eé ií oó uú", "nñ"]),
        # Swahili
        ("abdefghijklmnoprstuvwyz'", []),
        # Letters without an ASCII letter below their marks
        ("иййеёαά", []),
        ("", []),
    ],
)
def test_patches(alphabet, patches):
    assert shown(alphabet) == patches


def test_an_i_has_no_dot():
    """With its dot it would have a patch of its own."""
    assert Patches("aáií").between("i", "í") == Patches("aáií").between("a", "á") == 0


def test_a_patch_holds_for_letters_that_training_lacks():
    patches = Patches("oö")
    assert (len(patches), patches.pairs) == (1, [[("o", "ö")]])
    assert (patches.apply(0, "u"), patches.apply(0, "ü")) == ("ü", "u")
    assert patches.between("ü", "u") == 0
    # Another patch, which the alphabet lacks; a letter that has no such mark; another letter
    assert patches.between("a", "ä") is None
    assert (patches.apply(0, "a"), patches.apply(0, "b"), patches.apply(0, "ж")) == (None,) * 3
    assert patches.alike("u", "ü") and patches.alike("x", "x") and not patches.alike("o", "u")


def test_letters_that_the_font_lacks_are_counted():
    patches = Patches("oö가ア")
    assert patches.missing == ["ア", "가"]
    assert shown("oö가ア") == ["oö"]


def test_of_marks_that_look_the_same_the_one_in_the_alphabet_is_meant():
    """At size 16, the font draws Ŭ (breve) and Ǔ (caron) alike."""
    for letter in "ŬǓ":
        assert Patches("U" + letter).apply(0, "U") == letter
        assert Patches("U" + letter).apply(0, letter) == "U"
    both = Patches("UŬǓ")
    assert (both.pairs, both.apply(0, "Ǔ")) == ([[("U", "Ŭ")]], None)
    assert shown("ŨŬǓ") == ["ŨŬ"]


@pytest.mark.parametrize(("letter", "under"), [("ǖ", "u"), ("ł", None), ("é", "e"), ("x", "x")])
def test_base(letter, under):
    assert base(letter) == under


@settings(max_examples=40)
@given(alphabets, st.randoms(use_true_random=False))
def test_laws(alphabet, rng):
    patches = Patches(alphabet)
    for number, pairs in enumerate(patches.pairs):
        assert pairs
        for one, other in pairs:
            assert one in alphabet and other in alphabet
            assert base(one) == base(other) is not None
            assert patches.between(one, other) == patches.between(other, one) == number
    for letter in {*alphabet, *LETTERS}:
        for number in range(len(patches)):
            patched = patches.apply(number, letter)
            if patched is not None:
                assert patches.apply(number, patched) == letter != patched
                assert patches.between(letter, patched) == number
    again = rng.sample(alphabet, len(alphabet)) * 2
    assert Patches(again).pairs == patches.pairs


@pytest.mark.real
@pytest.mark.parametrize(("setting", "count"), [("low", 46), ("medium", 47)])
def test_languages_with_patches(mirror, setting, count):
    """With one of two pairs or more; the paper has 42 of 103, mostly by another font."""
    found = []
    for path in mirror.glob(f"sigmorphon2018/task1/*/*-train-{setting}"):
        words = {word for triple in read_triples(path) for word in (triple.lemma, triple.form)}
        found.append(any(len(pairs) > 1 for pairs in Patches({*"".join(words)}).pairs))
    assert (sum(found), len(found)) == (count, 94 if setting == "low" else 93)

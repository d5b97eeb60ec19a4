"""Particles: cut off, and put back for the same features."""

import pytest

from kasu.transduction.items import Item, read_item
from kasu.transduction.linear.particles import Particles, overlap, split

LAVADO = read_item("lavar", "V;PRF", "me he lavado ya")


@pytest.mark.parametrize(
    ("lemma", "form", "parts"),
    [
        ("lavar", "me he lavado ya", ("me he ", "lavado", " ya")),
        ("ausgehen", "gehst aus", ("", "gehst", " aus")),
        ("gehen", "gehst", ("", "gehst", "")),
        # The first of equals
        ("xy", "ab cd", ("", "ab", " cd")),
        ("ab", "ab  ab", ("", "ab", "  ab")),
        ("ab", "", ("", "", "")),
    ],
)
def test_the_main_word_shares_most_with_the_lemma(lemma, form, parts):
    assert split(Item(lemma, (), form)) == parts


def test_particles_are_cut_off_and_put_back_for_the_same_features():
    same = [read_item("beber", "V;PRF", "he bebido")] * 2
    particles = Particles([LAVADO, *same, read_item("ir", "V;FUT", "iré")])
    assert particles.cut(LAVADO).target == "lavado"
    # The most frequent of the features
    assert particles.put_back(read_item("comer", "V;PRF"), "comido") == "he comido"
    assert particles.put_back(read_item("comer", "V;FUT"), "comeré") == "comeré"
    # Features not seen: as those that share most tags, of equals the first
    assert particles.put_back(read_item("comer", "V;FUT;PL"), "comeremos") == "comeremos"
    assert particles.put_back(read_item("comer", "N"), "comer") == "he comer"


def test_a_lemma_with_a_space_keeps_its_form_whole():
    two = read_item("ir a", "V;PRF", "he ido a")
    particles = Particles([two])
    assert particles.cut(two) == two
    assert particles.put_back(two, "he ido a") == "he ido a"
    # Nor does it say anything of others
    assert particles.put_back(LAVADO, "lavado") == "lavado"


def test_overlap_is_that_of_jaccard():
    assert overlap({"V", "PST"}, {"V", "PST", "SG", "3"}) == 0.5
    assert overlap(set(), set()) == 0

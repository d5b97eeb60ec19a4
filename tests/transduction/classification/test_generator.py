"""Forms by paradigms that are classes: which one is tried, and which way of several is taken."""

import numpy as np

from kasu.transduction.classification.generator import Generator, index
from kasu.transduction.items import read_item

SEHEN = read_item("sehen", "V;PST;3;PL", "sahen")


def test_ways_are_told_by_the_places_of_values_sorted_by_length():
    assert index([("s", "hen"), ("seh", "n")]) == ((2, 2), [(0, 1), (1, 0)])
    assert index([("bb",), ("c",), ("aa",)]) == ((3,), [(2,), (0,), (1,)])


def test_the_way_that_was_right_most_often_is_taken():
    # 1+e+2#1+a+2 with two values each: (0, 1) was right
    asked = read_item("lesen", "V;PST;3;PL")
    assert Generator([SEHEN]).inflect(asked, np.ones(1)) == "lasen"
    # (1, 0) was
    other = read_item("sehen", "V;PST;3;PL", "sehan")
    assert Generator([other]).inflect(asked, np.ones(1)) == "lesan"
    # Never seen with three values each: the first way
    assert Generator([other]).inflect(read_item("belesen", "V"), np.ones(1)) == "balesen"


def test_the_best_paradigm_that_fits_inflects():
    generator = Generator([read_item("walk", "V", "walked"), read_item("bake", "V", "baking")])
    assert list(map(str, generator.paradigms)) == ["1#1+ed", "1+e#1+ing"]
    scores = np.array([0.1, 0.9])
    assert generator.inflect(read_item("love", "V"), scores) == "loving"
    assert generator.inflect(read_item("talk", "V"), scores) == "talked"
    # Ties go to the more frequent, here to the first
    assert generator.inflect(read_item("love", "V"), np.zeros(2)) == "loveed"


def test_a_lemma_that_no_paradigm_fits_stays():
    assert Generator([read_item("bake", "V", "baking")]).inflect(SEHEN, np.ones(1)) == "sehen"
    assert Generator([]).inflect(SEHEN, np.ones(0)) == "sehen"

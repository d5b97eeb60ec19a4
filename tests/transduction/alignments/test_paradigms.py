"""Abstract paradigms: the papers' examples, laws on words of few letters, the mirror."""

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.inflection.data.triples import read_triples
from kasu.transduction.alignments import paradigms
from kasu.transduction.alignments.edit_distance import suffix_costs
from kasu.transduction.alignments.paradigms import (
    Paradigm,
    abstract,
    apart,
    candidates,
    fewest_cuts,
    frequent,
)
from kasu.transduction.items import read_item

CHOICES = [fewest_cuts, apart]
words = st.text("ab", max_size=6) | st.text("abc", max_size=5) | st.text("abcdefgh", max_size=9)
constants = st.lists(st.text("ab", max_size=2), min_size=1, max_size=4).map(tuple)


@pytest.mark.parametrize(
    ("lemma", "form", "paradigm"),
    [
        ("volver", "vuelvo", "1+o+2+er#1+ue+2+o"),
        ("write", "writing", "1+e#1+ing"),
        ("делать", "делает", "1+2+ь#1+е+2"),
        ("schreiben", "geschrieben", "1+2+i+3#ge+1+i+2+3"),
        ("aa", "aaa", "1#a+1"),
        ("песок", "песком", "1+о+2#1+2+ом"),
        # 1+r+2#1+ār+2 has a cut at which one word has no gap
        ("bar", "bāra", "1+a+2#1+ā+2+a"),
        ("ab", "cd", "ab#cd"),
        ("ab", "", "ab#"),
        ("", "", "#"),
        ("ab", "ab", "1#1"),
    ],
)
def test_paradigms_of_fewest_cuts(lemma, form, paradigm):
    assert str(abstract(lemma, form, fewest_cuts)) == paradigm


@pytest.mark.parametrize(
    ("lemma", "form", "paradigm"),
    [
        ("write", "writing", "1+e#1+ing"),
        ("sehen", "sahen", "1+e+2#1+a+2"),
        ("kaufen", "gekauft", "1+en#ge+1+t"),
        # Both ways to share eight letters have adjacent variables in the lemma
        ("schreiben", "geschrieben", "1+2+i+3#ge+1+i+2+3"),
        # The leftmost, a in the first place of the form, would leave two adjacent variables
        ("ab", "acab", "1#ac+1"),
        ("ab", "cd", "ab#cd"),
    ],
)
def test_paradigms_of_variables_apart(lemma, form, paradigm):
    assert str(abstract(lemma, form, apart)) == paradigm


def test_a_lemma_fits_in_several_ways():
    paradigm = Paradigm(("", "e", ""), ("", "a", ""))
    found = [(("s", "hen"), "sahen"), (("seh", "n"), "sehan")]
    assert list(paradigm.fill("sehen")) == found
    assert [list(paradigm.fill(lemma)) for lemma in ("en", "se", "sahn", "")] == [[]] * 4


def test_candidates_of_the_paper():
    endings = [("ать", "ет"), ("ать", "ит"), ("ь", ""), ("чь", "жет")]
    kept = [Paradigm(("", old), ("", new)) for old, new in endings]
    # The paper prints делает for the first, which needs 1+ть#1+ет
    assert candidates("делать", kept) == ["делет", "делит", "делат"]
    assert candidates("делать", [*kept, Paradigm(("", "ть"), ("", "ет")), *kept])[3:] == ["делает"]


def test_the_most_frequent_paradigms_of_an_msd_come_first():
    words = [
        ("V;PST", "walk", "walked"),
        ("V;PST", "bake", "baked"),
        ("V;PST", "love", "loved"),
        ("V;PST", "put", "put"),
        ("V;PRS", "walk", "walks"),
    ]
    found = frequent(words, fewest_cuts, 2)
    assert {tags: list(map(str, kept)) for tags, kept in found.items()} == {
        "V;PST": ["1#1+d", "1#1+ed"],
        "V;PRS": ["1#1+s"],
    }


@pytest.mark.parametrize("choose", CHOICES)
@given(words, words)
def test_a_paradigm_gives_its_form_back(choose, lemma, form):
    paradigm = abstract(lemma, form, choose)
    pairs = choose(lemma, form)
    assert form in {found for _, found in paradigm.fill(lemma)}
    assert all(lemma[i] == form[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    assert len(pairs) * 2 == len(lemma) + len(form) - suffix_costs(lemma, form)[0][0]
    # A constant between two variables is missing on one side at most
    assert all(map(any, zip(*(side[1:-1] for side in paradigm), strict=True)))


def all_shared(lemma, form):
    """All longest common subsequences in all places, the leftmost first."""
    for length in range(min(len(lemma), len(form)), 0, -1):
        found = [
            list(zip(one, two, strict=True))
            for one in combinations(range(len(lemma)), length)
            for two in combinations(range(len(form)), length)
            if all(lemma[i] == form[j] for i, j in zip(one, two, strict=True))
        ]
        if found:
            return sorted(found)
    return [[]]


def gaps(pairs):
    """What lies between neighbours, in both words."""
    return [(c - a - 1, d - b - 1) for (a, b), (c, d) in pairwise(pairs)]


def merit(lemma, form, pairs):
    cuts = [gap for gap in gaps(pairs) if any(gap)]
    ends = [side[-1] for side in zip(*pairs, strict=True)] or [len(lemma) - 1, len(form) - 1]
    spans = sum(map(sum, cuts))
    after = sum(end + 1 < len(word) for end, word in zip(ends, (lemma, form), strict=True))
    return len(cuts), spans, sum(not all(gap) for gap in cuts), after


@given(words, words)
def test_the_cheapest_of_all_is_chosen(lemma, form):
    found = all_shared(lemma, form)
    assert fewest_cuts(lemma, form) == min(found, key=lambda pairs: merit(lemma, form, pairs))
    assert apart(lemma, form) == min(
        found, key=lambda pairs: any(not i and j for i, j in gaps(pairs))
    )


def every_way(paradigm, lemma):
    """All values without an empty one, with which the constants spell the lemma."""
    variables = len(paradigm.lemma) - 1
    room = len(lemma) - sum(map(len, paradigm.lemma))
    for cuts in combinations(range(1, room), variables - 1) if variables else [()]:
        sizes = [b - a for a, b in pairwise((0, *cuts, room))] if variables else []
        values, place = [], len(paradigm.lemma[0])
        for size, constant in zip(sizes, paradigm.lemma[1:], strict=True):
            values.append(lemma[place : place + size])
            place += size + len(constant)
        spelt = paradigm.lemma[0] + "".join(
            map("".join, zip(values, paradigm.lemma[1:], strict=True))
        )
        if spelt == lemma and all(values):
            yield tuple(values)


@given(constants, st.text("ab", max_size=9))
def test_every_assignment_is_made_once_in_order(sides, lemma):
    paradigm = Paradigm(sides, sides)
    found = list(paradigm.fill(lemma))
    assert [values for values, _ in found] == list(every_way(paradigm, lemma))
    assert all(form == lemma for _, form in found)
    assert paradigm.count(lemma) == len(found)


def test_assignments_are_bounded_and_counted():
    adjacent = Paradigm(("",) * 5, ("",) * 5)
    lemma = "a" * 200
    assert adjacent.count(lemma) == 199 * 198 * 197 // 6
    assert len(list(adjacent.fill(lemma))) == paradigms.MOST


@pytest.mark.parametrize(
    ("choose", "doubled"), [(fewest_cuts, f"1#{'a' * 100}+1"), (apart, f"1#1+{'a' * 100}")]
)
def test_long_words(choose, doubled):
    assert str(abstract("a" * 100, "a" * 200, choose)) == doubled
    assert str(abstract("ab" * 100, "ba" * 100, choose)) == "1+b#b+1"
    assert str(abstract("a" * 200, "b" * 200, choose)) == f"{'a' * 200}#{'b' * 200}"


def read_items(path):
    return [read_item(lemma, features, form) for lemma, form, features in read_triples(path)]


@pytest.mark.real
def test_forms_of_the_mirror_are_given_back(mirror):
    draw = random.Random(60)
    files = sorted(mirror.glob("sigmorphon2018/task1/*/*-train-medium"))
    for path in draw.sample(files, 40):
        for lemma, form, _ in draw.choices(read_triples(path), k=50):
            for choose in CHOICES:
                paradigm = abstract(lemma, form, choose)
                assert form in {found for _, found in paradigm.fill(lemma)}, (lemma, form)


@pytest.mark.real
@pytest.mark.parametrize(
    ("language", "setting", "covered"),
    [
        # What the authors' log has as right among the five best
        ("adyghe", "low", "96.90"),
        ("albanian", "low", "26.30"),
        ("armenian", "low", "41.10"),
    ],
)
def test_candidates_cover_as_many_of_dev_as_in_print(mirror, language, setting, covered):
    (path,) = mirror.glob(f"sigmorphon2018/task1/*/{language}-train-{setting}")
    train = ((item.tags, item.source, item.target) for item in read_items(path))
    kept = frequent(train, fewest_cuts, 100)
    dev = read_items(path.with_name(f"{language}-dev"))
    right = sum(
        item.target in (candidates(item.source, kept.get(item.tags, ())) or [item.source])
        for item in dev
    )
    assert f"{100 * right / len(dev):.2f}" == covered

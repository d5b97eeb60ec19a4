"""Each fault of form, on items written by hand."""

import pytest

from kasu.audits.data.items import read_benchmark
from kasu.audits.form import check_form, loci, script

GOOD, BAD = "sentence_good", "sentence_bad"


def found(path):
    return {each.name: each.found for each in check_form(read_benchmark(path)) if each.found}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("ni naiz", "ni da")], {}),
        ([("ni naiz", "ni naiz")], {"identical texts": 1}),
        ([("ni naiz", " ")], {"empty texts": 1}),
        ([("ni naiz", "ni da")] * 3, {"duplicates": 2}),
        ([("Ana dator 12", "Ana da 12"), ("Jon dator 7", "Jon da 7")], {"near copies": 1}),
        ([("ni  naiz", "ni naiz")], {"white space alone": 1}),
        ([("Ni naiz", "ni naiz")], {"case alone": 1}),
        ([("caf\u00e9 a", "caf\u00e9 b"), ("cafe\u0301 a", "x")],
         {"mixed normalisation": 1}),
        ([("cafe\u0301 a", "cafe\u0301 b")], {}),  # in parts throughout
        ([("gizona da hemen", "gizon\u0430 da hemen")], {"another script": 1}),  # Cyrillic
        ([("ni bat naiz", "zu bat zara")], {"several loci": 1}),
    ],
)  # fmt: skip
def test_a_fault_is_found_and_no_other(benchmark, pairs, expected):
    assert found(benchmark([{GOOD: good, BAD: bad} for good, bad in pairs])) == expected


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ("a b c", "a b c", 0),
        ("a b c", "a x c", 1),
        ("a b c", "a c", 1),
        ("a b c", "a x y c", 1),
        ("a a a", "a a", 1),
        ("a b c d", "x b c y", 2),
        ("a b", "b a", 2),  # one word moves from one place to another
        ("", "a", 1),
    ],
)
def test_loci(one, other, places):
    assert loci(one, other) == loci(other, one) == places


@pytest.mark.parametrize(
    ("character", "name"),
    [("a", "LATIN"), ("ß", "LATIN"), ("ª", "LATIN"), ("\u0430", "CYRILLIC"), ("ძ", "GEORGIAN"),
     ("1", ""), (".", ""), ("ʼ", ""), (" ", "")],
)  # fmt: skip
def test_script(character, name):
    assert script(character) == name


def test_examples_are_the_first_three(benchmark):
    rows = [{GOOD: f"a{at}", BAD: f"a{at}", "item_id": f"i{at}"} for at in range(5)]
    first = next(iter(check_form(read_benchmark(benchmark(rows)))))
    assert (first.name, first.found, first.share, first.flaw) == ("identical texts", 5, 1.0, True)
    assert [each.item for each in first.examples] == ["i0", "i1", "i2"]
    assert first.examples[0].texts == ["a0", "a0"]

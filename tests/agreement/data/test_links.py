"""Words linked to one of two verbs, by hand."""

import pytest

from kasu.agreement.data.links import LINKS, find_verbs, linked_words, read_verbs
from kasu.agreement.data.sentences import SCHEMA
from kasu.files.tables import write_parquet

# 'That the men have seen the house is true': *du* licenses -a and -ak, *da* -a
TOKENS = ["Gizonak", "etxea", "ikusi", "duela", "egia", "da"]
FINITE = [False, False, False, True, False, True]
LICENSED = ["", "", "", "-a -ak", "", "-a"]


def test_a_word_is_linked_to_the_verb_that_alone_licenses_its_suffix():
    verbs = find_verbs(TOKENS, FINITE, LICENSED)
    assert verbs.forms == ("duela", "da")
    assert verbs.linked == {"-ak": 3}


@pytest.mark.parametrize(
    ("suffix", "at", "expected"),
    [
        ("-ak", 0, True),  # three words before *duela*, five before *da*
        ("-ak", 4, None),  # next to both
        ("-ak", 5, False),
        ("-a", 1, None),  # either verb
        ("-ek", 1, None),  # neither
    ],
)
def test_the_closest_verb_is_the_linked_one_or_not(suffix, at, expected):
    assert find_verbs(TOKENS, FINITE, LICENSED).is_closest(suffix, at) is expected


@pytest.mark.parametrize("finite", [[False] * 6, [True] * 6, [*FINITE[:3], False, False, True]])
def test_only_sentences_of_two_verbs_are_used(finite):
    assert find_verbs(TOKENS, finite, LICENSED) is None


def test_a_unit_that_is_not_read_as_a_verb_is_none():
    assert find_verbs(TOKENS, FINITE, [*LICENSED[:5], ""]) is None


@pytest.fixture
def dataset(tmp_path):
    """The sentence in both variants, and one of a single verb."""
    row = {
        "tokens": TOKENS, "finite": FINITE, "licensed": LICENSED,
        "suffixes": ["-ak", "-a", "none", "none", "none", "none"],
    }  # fmt: skip
    other = {"item_id": "other", "variant": "paper", "finite": [True] + [False] * 5}
    rows = [{"item_id": f"s|{each}", "variant": each} for each in ("paper", "released")]
    path = tmp_path / "test.parquet"
    write_parquet(path, [row | each for each in (*rows, other)], SCHEMA)
    return path


def test_words_of_a_variant_are_linked_by_their_own_suffix(dataset):
    words = linked_words(dataset, "paper")
    assert words.schema.equals(LINKS)
    assert words.to_pylist() == [
        {"item_id": "s|paper", "position": 0, "forms": ["duela", "da"], "closest": True}
    ]
    assert [*read_verbs(dataset, "released")] == ["s|released"]

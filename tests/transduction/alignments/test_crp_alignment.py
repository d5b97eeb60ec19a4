"""Alignment by a Chinese-restaurant-process model of symbol pairs."""

import random
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.transduction.alignments.crp_alignment import (
    _ending,
    _first_alignment,
    _PairModel,
    _trace,
    _trellis,
    align_by_crp,
)
from kasu.transduction.alignments.edit_distance import common_subsequence
from kasu.transduction.alignments.paradigms import fewest_cuts

words = st.text("ab", max_size=6) | st.text("abcdefgh", max_size=8)
pair_lists = st.lists(st.tuples(words, words), max_size=6)


def rows(columns):
    """An alignment in two rows, with ~ for a gap."""
    return "".join(a or "~" for a, _ in columns), "".join(b or "~" for _, b in columns)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("sing", "singt"), ("sing~", "singt")),
        (("abc", "abc"), ("abc", "abc")),
        (("singen", "gesungen"), ("~~singen", "gesungen")),
        (("", "ab"), ("~~", "ab")),
        (("ab", ""), ("ab", "~~")),
        (("", ""), ("", "")),
    ],
)
def test_before_sampling_symbols_in_common_meet(pair, expected):
    found = align_by_crp([pair], passes=0, seed=1)
    assert [rows(columns) for columns in found] == [expected]


def test_no_pair():
    assert align_by_crp([], seed=1) == []


def test_finds_a_cipher_behind_a_prefix():
    """Nothing is in common, and the first alignment is off by one symbol throughout."""
    rng = random.Random(1)
    sources = ["".join(rng.choices("abcdef", k=rng.randint(3, 8))) for _ in range(60)]
    pairs = [(word, "Z" + word.upper()) for word in sources]
    found = [rows(columns) for columns in align_by_crp(pairs, seed=1)]
    assert found == [("~" + source, target) for source, target in pairs]


def test_passes_improve_on_the_first_alignment():
    rng = random.Random(1)
    sources = ["".join(rng.choices("abcdef", k=rng.randint(3, 8))) for _ in range(60)]
    pairs = [(word, "Z" + word.upper()) for word in sources]
    unsampled = [rows(columns) for columns in align_by_crp(pairs, passes=0, seed=1)]
    assert unsampled != [("~" + source, target) for source, target in pairs]


@settings(max_examples=50)
@given(pair_lists, st.integers(0, 3))
def test_rows_spell_the_words(pairs, seed):
    for (source, target), columns in zip(
        pairs, align_by_crp(pairs, passes=2, seed=seed), strict=True
    ):
        assert "".join(upper for upper, _ in columns if upper) == source
        assert "".join(lower for _, lower in columns if lower) == target
        assert (None, None) not in columns


def test_the_seed_decides():
    rng = random.Random(2)
    pairs = [("".join(rng.choices("ab", k=6)), "".join(rng.choices("ab", k=7))) for _ in range(30)]
    first = align_by_crp(pairs, seed=1)
    assert first == align_by_crp(pairs, seed=1)
    assert first != align_by_crp(pairs, seed=2)


@pytest.mark.parametrize("best", [True, False])
def test_trellis_is_the_literal_recursion(best):
    """The recursion is in probabilities, the trellis in multiples of deleting and inserting."""
    rng = np.random.default_rng(1)
    # Row 0 are insertions, column 0 deletions
    chances = rng.random((5, 8)) / 40
    expected = np.zeros(chances.shape)
    for i, j in np.ndindex(chances.shape):
        ways = [
            expected[i - 1, j] * chances[i, 0] if i else 0,
            expected[i, j - 1] * chances[0, j] if j else 0,
            expected[i - 1, j - 1] * chances[i, j] if i and j else 0,
        ]
        expected[i, j] = (max(ways) if best else sum(ways)) if i or j else 1
    deleted, inserted = np.cumprod(chances[1:, 0]), np.cumprod(chances[0, 1:])
    lifts = chances[1:, 1:] / np.outer(chances[1:, 0], chances[0, 1:])
    found = np.array(_trellis(lifts.tolist(), 7, 1.0, best=best))
    found[1:] *= deleted[:, None]
    found[:, 1:] *= inserted
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (0.0, [(1, 1)]),
        (0.871, [(1, 1)]),
        (0.872, [(0, 1), (1, 0)]),
        (0.935, [(0, 1), (1, 0)]),
        (0.936, [(1, 0), (0, 1)]),
        (0.999, [(1, 0), (0, 1)]),
    ],
)
def test_draws_in_proportion_to_probability(drawn, expected):
    """Of 5 + 3 x 0.1, a pair has 3.1, a deletion 1.1 and an insertion 1.1.

    So a pair has a probability of 0.5849, and both orders of the other two have 0.0431 each.
    """
    model = _PairModel(2, 0.1)
    model.add([(1, 1), (1, 1), (1, 1), (1, 0), (0, 1)])
    assert model.align([1], [1], lambda: drawn) == expected


def test_what_is_removed_leaves_no_trace():
    kept, removed = [(1, 1), (0, 2)], [(1, 1), (2, 0), (2, 0)]
    model, expected = _PairModel(3, 0.1), _PairModel(3, 0.1)
    for path in (kept, removed):
        model.add(path)
    model.remove(removed)
    expected.add(kept)
    assert vars(model) == vars(expected)
    assert (model._columns, model._distinct) == (2, 2)


def test_long_forms_do_not_overflow():
    pairs = [("ab" * 100, "ba" * 100), ("x" * 200, "y" * 150)]
    found = align_by_crp(pairs, seed=1)
    assert [len([a for a, _ in columns if a]) for columns in found] == [200, 200]
    # Of both shifts by one symbol, the first deletes at the end
    model = _PairModel(3, 0.1)
    model.add([(1, 1), (2, 2)] * 50)
    expected = [(0, 2), *[(1, 1), (2, 2)] * 199, (1, 1), (2, 0)]
    assert model.align([1, 2] * 200, [2, 1] * 200) == expected


@given(st.integers(0, 5), st.integers(0, 5), st.randoms(use_true_random=False))
def test_both_kinds_of_number_give_the_same_steps(length, width, rng):
    lifts = [[10 ** rng.uniform(-2, 6) for _ in range(width)] for _ in range(length)]
    exact = [[Decimal(lift) for lift in row] for row in lifts]
    draws = [rng.random() for _ in range(length + width)]
    for best in (True, False):
        steps = [
            _trace(
                _trellis(table, width, one, best=best),
                table,
                None if best else iter(draws).__next__,
            )
            for table, one in ((lifts, 1.0), (exact, Decimal(1)))
        ]
        assert steps[0] == steps[1]


def test_sampling_may_start_from_other_places():
    def first_places(source, target):
        return [(0, 0)]

    found = align_by_crp([("ab", "ba")], passes=0, seed=1, start=first_places)
    assert [rows(columns) for columns in found] == [("ab", "ba")]
    assert align_by_crp([("ab", "ba")], passes=0, seed=1) != found


@pytest.mark.parametrize(
    ("pair", "ending"), [(("walk", "walked"), 4), (("geh", "ging"), 1), (("ab", "xy"), 0)]
)
def test_the_ending_follows_the_last_equal_symbols(pair, ending):
    assert _ending(_first_alignment(*pair, common_subsequence)) == ending


def test_endings_keep_stems_together():
    """A stem that ends like the ending does not lose its last symbol to it."""
    pairs = [("no", "noo"), ("bo", "boo"), ("to", "too"), ("xu", "xuo")]
    plain, ended = (align_by_crp(pairs, seed=1, endings=endings) for endings in (False, True))
    assert [rows(columns) for columns in ended] == [(f"{a}~", b) for a, b in pairs]
    assert "".join(lower or "" for _, lower in plain[0]) == "noo"


def test_further_pairs_help_no_others():
    pairs, further = [("abc", "abd"), ("bc", "bd")], [("xbc", "xbd"), ("q", "")]
    for endings in (False, True):
        alone = align_by_crp(pairs, seed=1, endings=endings)
        both = align_by_crp(pairs, seed=1, endings=endings, further=further)
        assert both[:2] == alone
        # As in training: b meets b, and c meets d
        assert [rows(columns) for columns in both[2:]] == [("xbc", "xbd"), ("q", "~")]


@settings(max_examples=50)
@given(pair_lists, st.booleans())
def test_rows_spell_the_words_with_endings(pairs, started):
    start = fewest_cuts if started else common_subsequence
    found = align_by_crp(pairs[:3], passes=1, seed=1, start=start, endings=True, further=pairs[3:])
    for (source, target), columns in zip(pairs, found, strict=True):
        assert "".join(upper for upper, _ in columns if upper) == source
        assert "".join(lower for _, lower in columns if lower) == target

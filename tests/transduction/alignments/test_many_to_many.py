"""Many-to-many alignment: the released program's examples, laws against enumeration, odd pairs."""

import math
from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.alignments.many_to_many import (
    ManyToMany,
    is_copy,
    is_tag,
    join_columns,
    precise,
)

symbols = st.sampled_from(["a", "b", "<T>"])
pairs = st.tuples(st.lists(symbols, max_size=4), st.text("ab", max_size=4))
some = st.lists(pairs, min_size=1, max_size=3)
limits = st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(1, 3))


def steps(written):
    """Steps as they are written: source:target, a bar between."""
    return [
        (tuple(source), target) for source, target in (s.split(":") for s in written.split("|"))
    ]


def every_way(source, target, limit, least=1):
    """All alignments of a pair, by trying each first step."""
    if not source and not target:
        yield []
    for size in range(least, min(limit[0], len(source)) + 1):
        chunk = tuple(source[:size])
        most = limit[2] if any(map(is_tag, chunk)) else limit[1]
        for length in range(not chunk, min(most, len(target)) + 1):
            for rest in every_way(source[size:], target[length:], limit, least):
                yield [(chunk, target[:length]), *rest]


def parts(source, target, limit, least=1):
    """Every step that occurs in a pair, whether an alignment has it or not."""
    if not least:
        yield from (
            ((), target[j : j + size])
            for j in range(len(target))
            for size in range(1, min(limit[1], len(target) - j) + 1)
        )
    for i in range(len(source)):
        for chunk in {tuple(source[i : i + size + 1]) for size in range(limit[0])}:
            most = limit[2] if any(map(is_tag, chunk)) else limit[1]
            yield from (
                (chunk, target[j : j + size])
                for j in range(len(target) + 1)
                for size in range(min(most, len(target) - j) + 1)
            )


def normalised(counts):
    sums = defaultdict(float)
    for (chunk, _), count in counts.items():
        sums[chunk] += count
    return {step: count / sums[step[0]] for step, count in counts.items()}


def expected(words, limit, passes, least):
    """The probabilities after so many passes, path by path."""
    rates = normalised({step: 1.0 for pair in words for step in parts(*pair, limit, least)})
    for _ in range(passes):
        counts = defaultdict(float)
        for pair in words:
            ways = [*every_way(*pair, limit, least)]
            shares = [math.prod(rates.get(step, 0.0) for step in way) for way in ways]
            for way, share in zip(ways, shares, strict=True):
                for step in way:
                    counts[step] += share / sum(shares)
        rates = normalised(counts)
    return rates


def test_probabilities_after_one_and_two_iterations():
    model = ManyToMany(1, 1, 1)
    words = [("ab", "c"), ("a", "c")]
    model.fit(words, 1)
    found = [model.probability(*step) for step in (("a", "c"), ("a", ""), ("b", "c"), ("b", ""))]
    assert found == [0.75, 0.25, 0.5, 0.5]
    model = ManyToMany(1, 1, 1)
    model.fit(words, 2)
    assert model.probability("a", "c") == 0.875
    assert ManyToMany(1, 1, 1).fit(words) == [steps("a:c|b:"), steps("a:c")]


@given(some, limits, st.integers(0, 2), st.booleans())
def test_probabilities_are_those_of_all_paths(words, limit, passes, empty):
    model = ManyToMany(*limit, empty_source=empty)
    model.fit(words, passes)
    for step, rate in expected(words, limit, passes, 1 - empty).items():
        assert model.probability(*step) == pytest.approx(rate, abs=1e-9)


@given(some, limits)
def test_likelihood_never_falls(words, limit):
    words = [pair for pair in words if any(every_way(*pair, limit))]
    found = []
    for passes in range(4):
        model = ManyToMany(*limit)
        model.fit(words, passes)
        found.append(
            sum(
                math.log(
                    sum(
                        math.prod(model.probability(*step) for step in way)
                        for way in every_way(*pair, limit)
                    )
                )
                for pair in words
            )
        )
    # The first set of probabilities is no maximum; each later one is likelier than that before
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(found))


@given(some, limits)
def test_probabilities_of_a_chunk_sum_to_one(words, limit):
    model = ManyToMany(*limit)
    model.fit(words, 3)
    known = {step for pair in words for step in parts(*pair, limit)}
    sums = defaultdict(float)
    for chunk, target in known:
        sums[chunk] += model.probability(chunk, target)
    # Chunks of pairs without an alignment are never expected
    assert all(value == pytest.approx(1) or value == 0 for value in sums.values())
    lasting = {step[0] for pair in words for way in every_way(*pair, limit) for step in way}
    assert all(sums[chunk] for chunk in lasting)


@given(some, limits, st.booleans())
def test_chunks_spell_both_sides_within_the_limits(words, limit, copy):
    for (source, target), found in zip(
        words, ManyToMany(*limit, copy=copy).fit(words), strict=True
    ):
        if found is None:
            continue
        assert [symbol for chunk, _ in found for symbol in chunk] == source
        assert "".join(yielded for _, yielded in found) == target
        for chunk, yielded in found:
            tagged = any(map(is_tag, chunk))
            assert 1 <= len(chunk) <= limit[0]
            assert len(yielded) <= (limit[2] if tagged else limit[1])
            assert tagged or not len(chunk) == len(yielded) > 1


@given(some, limits)
def test_the_best_path_is_the_best_of_all(words, limit):
    model = ManyToMany(*limit)

    def score(way):
        found = 0.0
        for chunk, target in way:
            rate = model.probability(chunk, target)
            barred = len(chunk) == len(target) > 1 and not any(map(is_tag, chunk))
            if barred or not rate:
                return -math.inf
            found += max(len(chunk), len(target)) * math.log(rate)
        return found

    for pair, found in zip(words, model.fit(words, 2), strict=True):
        best = max(map(score, every_way(*pair, limit)), default=-math.inf)
        assert (found is None) == (best == -math.inf)
        assert found is None or score(found) == pytest.approx(best)


def test_copies_are_as_many_times_likelier_as_they_are_frequent():
    words = [("a", "a"), ("b", "c"), (["<T>"], "d")]
    model = ManyToMany(1, 1, 1, copy=True)
    model.fit(words, 0)
    # Of two steps each at first
    assert model.probability("a", "a") == 0.5 * 0.999999
    assert model.probability("b", "c") == pytest.approx(0.5e-6)
    assert model.probability(["<T>"], "d") == 0.5
    model.fit(words, 1)
    assert [model.probability(*pair) for pair in words] == [0.5, 0.5, 1]


def test_copies_and_tags():
    assert [is_copy((("a", "b"), "ab")), is_copy((("a",), "b")), is_copy((("<T>",), "<T>"))] == [
        True,
        False,
        False,
    ]
    assert [*map(is_tag, ("a", "я", "<V>"))] == [False, False, True]


def test_pairs_that_cannot_be_aligned_have_none():
    words = [("a", "bb"), ("", ""), ("", "a"), (["<T>"], "bb"), ("a", "b")]
    assert ManyToMany(1, 1, 2).fit(words) == [
        None, [], None, [(("<T>",), "bb")], steps("a:b"),
    ]  # fmt: skip


def test_an_empty_chunk_may_yield_symbols():
    words = [("a", "bcd")]
    assert ManyToMany(1, 1, 1).fit(words) == [None]
    (found,) = ManyToMany(1, 1, 1, empty_source=True).fit(words)
    assert [target for _, target in found if target] == ["b", "c", "d"]
    assert [chunk for chunk, _ in found if chunk] == [("a",)]
    assert ManyToMany(1, 1, 1, empty_source=True).fit([("", "ab")]) == [[((), "a"), ((), "b")]]


def test_long_pairs_stay_within_the_range_of_floats():
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 230)))
    words = [("ab", "c"), ("a", "c"), (letters, letters[::-1])]
    model = ManyToMany(1, 1, 1)
    found = model.fit(words, 1)
    assert model.probability("a", "c") == 0.75
    # The long pair has one alignment, of probability 1e-544 at first
    assert found[2] == [((one,), other) for one, other in zip(*words[2], strict=True)]
    assert model.probability(letters[0], letters[-1]) == pytest.approx(1)
    # It then has probability 1, which the scale of the first pass would not hold
    assert model.fit(words, 2)[2] == found[2]


def test_precise_alignment_of_the_program():
    columns = [(("w",), "w"), ((), "a"), (("$",), "l"), (("k",), "k"), ((), "e"), (("#",), "r")]
    assert join_columns([[*columns, (("z",), "s")], steps("w:w|$:al|k:k"), None, []]) == [
        steps("w:w|$:al|k:k|#:er|z:s"), steps("w:w|$:al|k:k"), None, [],
    ]  # fmt: skip


@given(some)
def test_precise_steps_have_one_symbol_each_and_spell_both_sides(words):
    for (source, target), found in zip(words, precise(words), strict=True):
        if not source:
            # Nothing can yield the target
            assert found == (None if target else [])
            continue
        assert found is not None
        assert [chunk for chunk, _ in found] == [(symbol,) for symbol in source]
        assert "".join(yielded for _, yielded in found) == target

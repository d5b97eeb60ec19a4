"""The share of each null, by an independent computation of a few lines; what follows from it."""

import math
from collections import Counter
from fractions import Fraction

import pytest

from kasu.audits.data.findings import NULL
from kasu.audits.data.items import read_benchmark
from kasu.audits.nulls.plain import judge_nulls, most_often_right, plain_nulls
from kasu.results.statistics import worth

PAIRS = ["longer", "shorter", "more words", "fewer words", "copying the context"]
OPTIONS = [*PAIRS, "most like the others", "least like the others"]


def judge(benchmark):
    nulls = plain_nulls(benchmark)
    return judge_nulls(
        benchmark, {name: worth(scores, benchmark.right) for name, scores in nulls.items()}
    )


def share(scored):
    """The exact share right of (scores of the options, right place): a tie is divided."""
    total = Fraction(0)
    for scores, right in scored:
        best = [at for at, score in enumerate(scores) if score == max(scores)]
        total += Fraction(right in best, len(best))
    return total / len(scored)


def cosine(one, other):
    dot = sum(one[word] * other[word] for word in one)
    norms = [math.sqrt(sum(n * n for n in bag.values())) for bag in (one, other)]
    return round(dot / math.prod(norms), 7) if all(norms) else 0.0


def independent(name, context, strings, options):
    """What a null makes of the options of an item."""
    bags = [Counter(option.lower().split()) for option in options]
    if name in ("longer", "shorter"):
        return [len(option) * (1 if name == "longer" else -1) for option in options]
    if name in ("more words", "fewer words"):
        return [option.count(" ") * (1 if name == "more words" else -1) for option in options]
    if name == "copying the context":
        split = [text.lower().split() for text in strings]
        common = {word for word in split[0] if all(word in other for other in split)}
        known = common | set(" ".join(context).lower().split())
        return [sum(word in known and word not in common for word in words) for words in split]
    if name.endswith("the others"):
        sign = 1 if name.startswith("most") else -1
        sums = [sum(cosine(bag, other) for other in bags) for bag in bags]
        return [round(sign * each, 6) for each in sums]
    if name == "parallelogram":
        first, second, third = (Counter(text.lower().split()) for text in context[-3:])
        target = Counter(third)
        target.update(second)
        target.subtract(first)
        return [cosine(target, bag) for bag in bags]
    at = int(name.split()[1]) - 1 if name.startswith("position") else "abc".index(name.split()[1])
    return [here == at for here in range(len(options))]


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("pairs", PAIRS),
        ("sets", [*OPTIONS, "always a", "always b", "always c"]),
        ("choices", [*OPTIONS, "parallelogram", *(f"position {at}" for at in range(1, 5))]),
    ],
)
def test_each_share_equals_an_independent_one(benchmark, clean, form, names):
    found = read_benchmark(benchmark(clean[form](7, 60)))
    nulls = judge(found)
    whole = {null.name: null for null in nulls if null.group is None}
    assert [*whole] == names
    items = [*zip(found.contexts, found.strings, found.options, found.right, strict=True)]
    for name, null in whole.items():
        scored = [
            (independent(name, context, strings, options), int(right))
            for context, strings, options, right in items
        ]
        assert null.share == pytest.approx(float(share(scored)), abs=1e-12), name
        tied = [
            scores.count(max(scores)) > 1 and scores[at] == max(scores) for scores, at in scored
        ]
        assert null.ties == sum(tied), name


def test_matrices_are_solved_by_a_bag_of_words(benchmark):
    """The last three sentences and the right candidate cross two numbers."""
    rows = [
        {
            "context": [f"the {a} of the {b}", f"the {a}s of the {b}", f"the {a} of the {b}s"],
            "candidates": [f"the {a} of the {b}", f"the {a}s of the {b}s", f"the {a}s of {a}"],
            "label": 1,
        }
        for a, b in ((f"key{at}", f"door{at}") for at in range(100))
    ]
    found = read_benchmark(benchmark(rows))
    nulls = {null.name: null for null in judge(found)}
    assert nulls["parallelogram"].share == 1.0
    assert "solves it" in nulls["position 2"].says


def pairs(longer, shorter, *, kind=None):
    rows = [{"sentence_good": "ab", "sentence_bad": "c"}] * longer
    rows += [{"sentence_good": "a", "sentence_bad": "cd"}] * shorter
    return [row | ({"type": kind} if kind else {}) for row in rows]


def judged(path, name="longer", **columns):
    found = read_benchmark(path, **columns)
    nulls = judge(found)
    return {null.group: null for null in nulls if null.name == name}


def test_an_interval_that_allows_for_five_nulls(benchmark):
    null = judged(benchmark(pairs(60, 40)))[None]
    assert (null.check, null.share, null.items) == (NULL, 0.6, 100)
    # Wilson's, of 60 in 100: z = 1.959964, and for 5 tried 2.575829
    assert (null.low, null.high) == pytest.approx((0.502003, 0.690599), abs=1e-6)
    assert null.says == "best of 5; 47.1–71.6 corrected for 5 tried; not above chance (50.0)"
    assert not null.flaw


def test_above_chance_and_solved(benchmark):
    above = judged(benchmark(pairs(65, 35)))[None]
    assert above.says == "best of 5; 52.1–76.0 corrected for 5 tried; above chance (50.0)"
    assert above.flaw
    most = judged(benchmark(pairs(92, 8)))[None]  # whose interval reaches above nine in ten
    assert most.says == "best of 5; 82.1–96.6 corrected for 5 tried; above chance (50.0)"
    solved = judged(benchmark(pairs(99, 1)))[None]
    assert solved.says == "best of 5; 92.0–99.9 corrected for 5 tried; solves it"


def test_phenomena_are_corrected_together(benchmark):
    rows = [*pairs(34, 16, kind="a"), *pairs(25, 25, kind="b")]
    found = judged(benchmark(rows))
    assert [*found] == [None, "a", "b"]
    assert found["a"].says == "best of 5; 48.2–82.9 corrected for 10 tried; not above chance (50.0)"
    assert found["b"].share == 0.5


def test_items_of_a_cluster_count_as_one(benchmark):
    rows = [row | {"source_id": f"s{at % 4}"} for at, row in enumerate(pairs(100, 0))]
    null = judged(benchmark(rows))[None]
    # Wilson's, of 4 in 4
    assert (null.low, null.high) == pytest.approx((0.510109, 1.0), abs=1e-6)
    assert not null.flaw
    assert judged(benchmark(rows), cluster="")[None].flaw


def test_what_was_right_most_often():
    right = ["a", "b", "b"]
    assert most_often_right(right, [["a", "b"], ["c", "a"]]).tolist() == [[1, 2], [0, 1]]

"""The smallest difference that a benchmark can show, by simulation; clusters count for less."""

import numpy as np
import pytest

from kasu.audits.data.items import read_benchmark
from kasu.audits.power import check_power, independent_items
from kasu.results.statistics import mcnemar


def found(path):
    return {each.group: each for each in check_power(read_benchmark(path))}


def rows(count, **columns):
    return [{"sen": "a", "wrong_sen": "b"} | {k: v(at) for k, v in columns.items()}
            for at in range(count)]  # fmt: skip


def test_two_models_that_differ_by_so_much_are_told_apart_in_four_sets_of_five(benchmark):
    count = 100
    difference = found(benchmark(rows(count)))[None].share
    draw = np.random.default_rng(1)
    kinds = draw.choice(
        3, (2000, count), p=[0.05, 0.05 + difference, 0.9 - difference]
    )  # only the worse one is right, only the better one, or both or neither
    better = ((kinds == 1).sum(axis=1) > (kinds == 0).sum(axis=1)).tolist()
    p = [mcnemar(each == 1, each == 0) for each in kinds]
    shown = sum(one < 0.05 and other for one, other in zip(p, better, strict=True)) / len(p)
    assert shown == pytest.approx(0.8, abs=0.03)


def test_by_phenomenon_and_by_cluster(benchmark):
    plain = found(benchmark(rows(200, type=lambda at: f"t{at % 2}")))
    assert [*plain] == [None, "t0", "t1"]
    assert [round(each.share, 3) for each in plain.values()] == [0.089, 0.142, 0.142]
    assert plain[None].says == "if the worse model alone is right in 5 %"
    clustered = found(benchmark(rows(200, lemma=lambda at: f"l{at // 2}")))[None]
    assert (clustered.items, clustered.share) == (200, plain["t0"].share)
    assert clustered.says.startswith("100 clusters, worth 100 independent items; if")


@pytest.mark.parametrize(("count", "share"), [(7, None), (50, 0.23)])
def test_too_few_items(benchmark, count, share):
    power = found(benchmark(rows(count)))[None]
    assert (power.share and round(power.share, 2), power.says, power.flaw) == (
        share, "too few items", True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "count"), [([1] * 9, 9), ([3, 3, 3], 3), ([9], 1), ([1, 1, 4], 2)]
)
def test_clusters_of_unequal_sizes(sizes, count):
    assert independent_items(np.repeat(np.arange(len(sizes)), sizes)) == count

"""Covariates of being right, by an independent computation, and what has no estimate."""

import json
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from kasu.base.errors import KasuError
from kasu.lm.scoring.clusters import Clusters
from kasu.lm.scoring.command import run
from kasu.lm.scoring.compare import System, Verdicts
from kasu.lm.scoring.covariates import (
    APART,
    FOLLOWS,
    NARROW,
    ONE_CLUSTER,
    SAME,
    UNSETTLED,
    Items,
    effects,
    fit,
    read_counted,
)
from kasu.lm.scoring.score import SCORES
from kasu.lm.scoring.tables import effect_lines

MODEL = System("m", "causal")


def drawn(items, clusters, seed=1):
    """Items whose log odds of being right grow by 1 with the first of two covariates."""
    draw = np.random.default_rng(seed)
    values = draw.normal(size=(items, 2))
    right = draw.random(items) < 1 / (1 + np.exp(-values[:, 0]))
    return right, values, [f"c{n}" for n in draw.integers(clusters, size=items)]


def by_hand(right, values, clusters):
    """Coefficients by scipy, standard errors by the sandwich of scores summed over clusters."""
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)
    design = np.column_stack([np.ones(len(right)), scaled])

    def loss(weights):
        logits = design @ weights
        return np.logaddexp(0, logits).sum() - logits[right].sum()

    weights = minimize(loss, np.zeros(design.shape[1]), tol=1e-12).x
    p = 1 / (1 + np.exp(-design @ weights))
    bread = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))
    scores = design * (right - p)[:, None]
    names = sorted(set(clusters))
    sums = np.array([scores[[c == name for c in clusters]].sum(axis=0) for name in names])
    # statsmodels corrects for few clusters and items
    n, k, g = len(right), design.shape[1], len(names)
    meat = sums.T @ sums * (g / (g - 1)) * ((n - 1) / (n - k))
    errors = np.sqrt(np.diag(bread @ meat @ bread))
    return weights[1:], errors[1:]


def test_odds_and_intervals_equal_those_by_hand():
    right, values, clusters = drawn(400, 60)
    found = fit(right, values, clusters)
    for (odds, low, high, p, note), weight, error in zip(
        found, *by_hand(right, values, clusters), strict=True
    ):
        assert odds == pytest.approx(math.exp(weight), rel=1e-4)
        half = 1.959964 * error
        assert (low, high) == pytest.approx(
            (math.exp(weight - half), math.exp(weight + half)), rel=1e-3
        )
        assert p == pytest.approx(math.erfc(abs(weight / error) / math.sqrt(2)), rel=1e-2)
        assert note == ""
    assert found[0][1] > 1.5
    assert found[1][1] < 1 < found[1][2]


def test_a_unit_makes_no_difference():
    right, values, clusters = drawn(200, 50)
    one, other = fit(right, values, clusters), fit(right, values * [3, 0.1] + 7, clusters)
    assert [each[:4] for each in one] == [pytest.approx(each[:4], rel=1e-6) for each in other]


def test_few_clusters_are_told():
    assert fit(*drawn(200, 12))[0][4] == NARROW


def test_items_of_one_cluster_have_no_estimate():
    right, values, clusters = drawn(200, 1)
    assert fit(right, values, clusters) == [(None, None, None, None, ONE_CLUSTER)] * 2


@pytest.mark.parametrize(
    ("change", "notes"),
    [
        (lambda right, values: (right, values * [1, 0] + 2), ["", SAME]),
        (lambda right, values: (right, values[:, [0, 0]] * [1, -2]), ["", FOLLOWS]),
        (lambda right, values: (right | True, values), ["all items are right"] * 2),
        (lambda right, values: (right & False, values), ["all items are wrong"] * 2),
        (lambda right, values: (values[:, 0] > 0, values), [APART, UNSETTLED]),
        (lambda right, values: (values[:, 1] < 0, values), [UNSETTLED, APART]),
        (lambda right, values: (values.sum(axis=1) > 0, values), [UNSETTLED] * 2),
        # Right wherever the first is 1, and in some items where it is 0
        (
            lambda right, values: (
                right | (values[:, 1] > 1),
                np.c_[values[:, 1] > 1, values[:, 0]],
            ),
            [UNSETTLED] * 2,
        ),
        (lambda right, values: (right[:0], values[:0]), ["no items"] * 2),
    ],
)
def test_what_has_no_estimate_says_why(change, notes):
    right, values, clusters = drawn(200, 50)
    right, values = change(right, values)
    found = fit(right, values, clusters[: len(right)])
    assert [each[4] for each in found] == notes
    assert [each[0] is None for each in found] == [bool(note) for note in notes]


def scores(rows):
    """SCORES of pairs: item, column, characters, tokens."""
    import pyarrow as pa

    empty = dict.fromkeys(SCORES.names)
    named = ("item_id", "column", "characters", "tokens")
    return pa.Table.from_pylist(
        [empty | dict(zip(named, row, strict=True)) for row in rows], SCORES
    )


def test_a_covariate_is_what_the_right_text_has_more_and_ties_are_left_out():
    texts = [("a bb", "a b"), ("a b", "a bb"), ("a b", "a b"), ("a c", "a bbb")]
    rows = {
        str(n): {"sentence_good": good, "sentence_bad": bad} for n, (good, bad) in enumerate(texts)
    }
    table = scores(
        (name, column, len(row[column]), 2 * len(row[column]))
        for name, row in rows.items()
        for column in row
    )
    worths = {"0": 1.0, "1": 0.0, "2": 0.5, "3": 1.0}
    from collections import Counter

    items = Items(rows, Counter({"b": 8, "bb": 1}))
    clusters = Clusters("lemma", dict(zip("0123", "xxyz", strict=True)))
    found = [*effects(items, table, {MODEL: Verdicts(worths, {}, clusters)})]
    assert [each.covariate for each in found] == ["characters", "pieces", "frequency"]
    assert [(each.items, each.clusters, each.ties) for each in found] == [(3, 2, 1)] * 3
    assert found[0].sd == pytest.approx(np.std([1, -1, -2]))
    assert found[1].sd == pytest.approx(2 * found[0].sd)
    gain = (math.log(9) - math.log(2)) / 2
    assert found[2].sd == pytest.approx(np.std([-gain, gain, 0]))


def test_words_are_counted_in_a_text(tmp_path):
    path = tmp_path / "i.jsonl"
    path.write_text(json.dumps({"sentence_good": "a", "sentence_bad": "b"}))
    assert read_counted(path, None).counts is None
    (tmp_path / "t.txt").write_text("a b a\nb\n")
    assert read_counted(path, tmp_path / "t.txt").counts == {"a": 2, "b": 2}


def test_lines_leave_out_what_is_unknown():
    found = [*effect_lines([], as_json=False)]
    assert found == []
    nothing = Verdicts({}, {}, Clusters(None, {}))
    found = [*effects(Items({}, None), scores([]), {MODEL: nothing})]
    lines = [*effect_lines(found, as_json=False)]
    assert lines[2] == "m\tcausal\tcharacters\t0\t0\t0\t0\t\t\t\t\tno items"


def test_a_text_needs_covariates(tmp_path):
    import argparse

    from kasu.lm.scoring.command import configure

    parser = argparse.ArgumentParser()
    configure(parser)
    (tmp_path / "i.tsv").write_text("sentence_good\tsentence_bad\na\tb\n")
    given = parser.parse_args(["m", str(tmp_path / "i.tsv"), "--text", "x"])
    with pytest.raises(KasuError, match="--text: without --covariates; expected both"):
        run(given)

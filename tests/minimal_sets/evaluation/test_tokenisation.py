"""Tokens and scores: log odds, averages as published, one test over all files."""

import math
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr

from kasu.minimal_sets.data.paper import ENCODERS, SETS
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet, ScoredSet
from kasu.minimal_sets.evaluation.tokenisation import (
    average_as_published,
    correlate,
    known_tokens,
    list_correlations,
    log_odds,
    pool,
    printed_tokenisation,
)
from kasu.results.scores import Score

KEY = ModelOnSet("released_results", "word", "transitive-nom-dat-subj", "mBERT")
INTRANSITIVE = KEY._replace(set="intransitive-nom-subj")


@pytest.fixture
def counted(cell) -> Callable[..., ScoredSet]:
    def make(odds, tokens, sentence=None) -> ScoredSet:
        """Items whose right form, nom, has the given log odds and tokens."""
        wrong = math.log(0.25)
        scores = [[wrong, wrong, given + math.log(0.5)] for given in odds]
        units = {"form_tokens": [[1, 1, count] for count in tokens]}
        if sentence is not None:
            units["sentence_tokens"] = [[count] * 3 for count in sentence]
        return cell(scores, ["nom"] * len(odds), **units)

    return make


def test_log_odds_by_hand(cell):
    made = cell([[math.log(0.1), math.log(0.15), math.log(0.5)]], ["nom"])
    assert log_odds(made) == pytest.approx([math.log(0.5 / 0.25)])


def test_probabilities_below_the_floor_are_raised(cell):
    assert log_odds(cell([[-900, -900, -900]], ["nom"])) == pytest.approx([-math.log(2)])


def test_one_file_is_pearsons_r(counted):
    odds, tokens = [-1.0, -2.0, -2.5, -4.0], [1, 2, 3, 4]
    expected = pearsonr(odds, tokens)
    found = correlate(counted(odds, tokens), "word")
    assert found == pytest.approx((expected.statistic, expected.pvalue), abs=1e-6)


@pytest.mark.parametrize("tokens", [[2, 2, 2], [1, 2, np.nan]])
def test_tokens_that_do_not_vary_or_are_unknown_have_no_correlation(counted, tokens):
    assert correlate(counted([-1, -2, -4], tokens), "word") is None


def test_intransitive_files_count_twice(counted):
    falling, rising = counted([-1, -2, -3.5], [1, 2, 3]), counted([-3, -2, -1], [1, 2, 3])
    found = average_as_published({KEY: falling, INTRANSITIVE: rising}, "word")
    r = correlate(falling, "word")[0]
    assert found["r"] == pytest.approx((r + 1 + 1) / 3, abs=1e-6)
    note = "means of r and of p; a mean of p values is no p value"
    assert found["note"] == f"{note}; intransitive-nom-subj counts twice"
    fewer = {INTRANSITIVE: rising, KEY: counted([-1, -2, -4], [2, 2, 2])}
    assert average_as_published(fewer, "word")["note"] == (
        f"{note}; intransitive-nom-subj counts twice; "
        "files left out, without tokens or variation: 1"
    )


def test_differences_between_files_are_not_a_correlation(counted):
    generator = np.random.default_rng(3)
    low = counted(generator.normal(-8, 1, 40), generator.integers(1, 4, 40))
    high = counted(generator.normal(0, 1, 40), generator.integers(5, 8, 40))
    found = pool({KEY: low, KEY._replace(set="other"): high}, "word", None, seed=1)
    assert abs(found["r"]) < 0.3
    assert found["p"] > 0.05
    assert found["low"] < found["r"] < found["high"]


def test_a_true_correlation_is_found_once_for_all_systems(counted):
    tokens = np.arange(1, 31) % 4 + 1
    odds = -1.0 * tokens + np.random.default_rng(1).normal(0, 0.5, 30)
    cells = {KEY._replace(system=system): counted(odds, tokens) for system in "ABCDE"}
    many = pool(cells, "word", None, seed=1)
    one = pool({KEY: counted(odds, tokens)}, "word", None, seed=1)
    assert many["p"] == one["p"] == 1 / 2001
    assert many["r"] == pytest.approx(one["r"])
    assert (many["low"], many["high"]) == pytest.approx((one["low"], one["high"]))


def test_copies_of_a_system_add_no_evidence(counted):
    generator = np.random.default_rng(5)
    made = counted(generator.normal(-2, 1, 25), generator.integers(1, 5, 25))
    one = pool({KEY: made}, "word", None, seed=1)
    many = pool({KEY._replace(system=system): made for system in "ABCD"}, "word", None, seed=1)
    assert many["p"] == pytest.approx(one["p"], abs=1e-9)


def test_partial_holds_the_other_count_fixed(counted):
    sentence = np.arange(40) % 10
    word = sentence + np.random.default_rng(2).integers(0, 2, 40)
    made = counted(-0.5 * sentence, word, sentence)
    plain = pool({KEY: made}, "word", None, seed=1)
    partial = pool({KEY: made}, "word", "sentence", seed=1)
    assert plain["r"] < -0.8
    assert partial["r"] is None or abs(partial["r"]) < 0.3


def test_rows_of_files_and_of_all(counted):
    rows = list_correlations({KEY: counted([-1, -2, -4], [1, 2, 3], [7, 5, 6])}, seed=1)
    assert [(row["tokens"], row["method"]) for row in rows] == [
        ("word", "one file"), ("sentence", "one file"),
        ("word", "as published"), ("word", "pooled"), ("word", "partial"),
        ("sentence", "as published"), ("sentence", "pooled"), ("sentence", "partial"),
    ]  # fmt: skip


def test_unknown_tokens_give_no_row(cell):
    assert list_correlations({KEY: cell([[-1, -2, -3]] * 3, ["nom"] * 3)}, seed=1) == []


def test_only_the_word_level_is_correlated(counted):
    made = counted([-1, -2, -4], [1, 2, 3])
    assert list_correlations({KEY._replace(level="sentence"): made}, seed=1) == []


def test_files_of_one_or_two_items_are_not_pooled(counted):
    cells = {
        KEY._replace(set=str(size)): counted([-1, -2, -4][:size], [1, 2, 3][:size])
        for size in (1, 2, 3)
    }
    assert [key.set for key in known_tokens(cells, "word")] == ["3"]


def test_printed_figures_need_all_sets(counted):
    made = counted([-1, -2, -4], [1, 2, 3], [7, 5, 6])
    cells = {KEY._replace(set=name, system=system): made for name in SETS for system in ENCODERS}
    group = Group("released_results", "word", cells, ENCODERS)
    named = Score("minimal_sets", "georgian", table="section 7.4")
    rows = list(printed_tokenisation(group, named, seed=1))
    assert {row.predictions for row in rows[:5]} == {"made.parquet"}
    assert {row.predictions for row in rows[5:]} == {None}
    assert [row.value for row in rows if row.metric == "mean_tokens"] == [2.0] * 5
    assert {row.system for row in rows[5:]} == {"mean over models and tasks"}
    assert len(rows) == 5 + 3 * 2 * 2
    del cells[KEY]
    fewer = list(printed_tokenisation(group, named, seed=1))
    assert len(fewer) == 4 + 2 * 2 * 2


def test_p_by_permutation_is_reproducible(counted):
    """The value of an earlier implementation that held all products of the items in memory."""
    generator = np.random.default_rng(7)
    cells = {
        KEY._replace(set=name, system=system): counted(
            generator.normal(-2, 1, 40), generator.integers(1, 5, 40)
        )
        for name in ("one", "two")
        for system in "AB"
    }
    assert pool(cells, "word", None, seed=1)["p"] == 1300 / 2001


def test_memory_grows_with_the_items(counted):
    generator = np.random.default_rng(7)
    made = counted(generator.normal(-2, 1, 5000), generator.integers(1, 5, 5000))
    tracemalloc.start()
    pool({KEY: made}, "word", None, seed=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150e6  # the products of all pairs of items would take 200 MB


def test_files_of_two_collections_are_not_pooled(counted):
    cells = {
        KEY._replace(set=name): replace(counted([-1, -2, -4], [1, 2, 3]), collection=name)
        for name in ("glc", "released")
    }
    rows = list_correlations(cells, seed=1)
    assert [(row["set"], row["files"]) for row in rows if row["method"] == "pooled"] == [
        ("glc, dat/erg/nom: nom sets", 1), ("released, dat/erg/nom: nom sets", 1),
    ]  # fmt: skip

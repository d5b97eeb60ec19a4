"""What the scores of both tasks share: names of conditions, seeds, shares with their interval."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from kasu.agreement.data.transforms import split_condition
from kasu.results.scores import Score
from kasu.results.statistics import share_interval

# Conditions as the paper names them; others keep their names
TITLES = {
    "base": "Base",
    "suffixes_only": "Suffixes only",
    "no_suffixes": "No suffixes",
    "neutralised_case": "Neutralized case",
    "single_verb": "Single verb",
    "no_ak": "No -ak",
    "single_verb+no_ak": "Sing. verb no -ak",
    "no_verb_lemma": "Base, verb lemma hidden",
    "no_verb": "No verb",
    "no_verb+no_verb_lemma": "No verb, verb lemma hidden",
}
WORD_ONLY = "Word-only"  # the base of suffix prediction by a word without its sentence
TRAINED_ON = ", trained on "


def title_of(condition: str) -> str:
    """Return a condition of the config as tables name it."""
    shown, training_set = split_condition(condition)
    return TITLES.get(shown, shown) + (f"{TRAINED_ON}{training_set}" if training_set else "")


def all_and_each(group: pd.DataFrame) -> Iterator[tuple[int | None, pd.DataFrame]]:
    """Yield the rows of all seeds, if there are several, then those of each seed."""
    seeds = group["seed"].unique()
    if len(seeds) > 1:
        yield None, group
    for seed in sorted(seeds):
        if pd.isna(seed):
            yield None, group
        else:
            yield int(seed), group[group["seed"] == seed]


def score_share(
    named: Score,
    metric: str,
    hits: np.ndarray,
    trials: np.ndarray,
    clusters: np.ndarray,
    seeds: np.ndarray,
    *,
    seed: int,
) -> Score:
    """Score a share, with its interval over clusters.

    Args:
        named: the other columns of the score.
        hits, trials, clusters: as in `share_interval`.
        seeds: of the run that each item is from, shape (items,).
        seed: of the bootstrap.
    """
    n, runs = int(trials.sum()), pd.unique(seeds)
    low, high = share_interval(hits, trials, clusters, seed=seed)
    return replace(
        named,
        metric=metric,
        value=hits.sum() / n if n else None,
        low=low,
        high=high,
        n=n // len(runs),
        runs=len(runs),
    )

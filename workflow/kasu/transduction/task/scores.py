"""Scores by language, means over languages, and the best system of a language."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from kasu.files.tables import read_tsv, write_tsv
from kasu.results.scores import Score, with_all_seeds
from kasu.results.statistics import cluster_interval, share_interval
from kasu.transduction.members.predictions import MISSING

T = TypeVar("T")


def shown_name(name: str, released: Collection[str], printed: Collection[str]) -> str:
    """Return the name of a dataset in scores.

    Figures of the user's own dataset must not stand beside the paper's for a language of its name.

    Args:
        released: the datasets that are the organisers' own.
        printed: the languages that the paper has figures of.
    """
    return f"{name} (own data)" if name in printed and name not in released else name


def read_failures(tables: Iterable[str | Path]) -> list[dict[str, str]]:
    """Read the rows of tables of MISSING."""
    return [row for path in tables for row in read_tsv(path, MISSING)]


def write_failures(path: str | Path, failed: Iterable[Mapping[str, str]]) -> None:
    """Write a table of MISSING, sorted."""
    write_tsv(path, sorted(failed, key=lambda row: [*row.values()]), MISSING)


# Of one language


def all_and_each(by_seed: Mapping[int | None, T]) -> Iterator[tuple[int | None, list[T]]]:
    """Yield all seeds together as None, if they are several, and then each seed."""
    if len(by_seed) > 1:
        yield None, list(by_seed.values())
    for seed, each in by_seed.items():
        yield seed, [each]


def score_share(
    named: Score, outcomes: Sequence[np.ndarray], lemmata: Sequence | np.ndarray, seed: int
) -> Score:
    """Score the share of right guesses, with its interval over lemmata.

    Guesses for one lemma are not independent, so lemmata are the clusters.

    Args:
        named: the other columns of the score.
        outcomes: whether guesses are right, for each seed, shape (items,).
        lemmata: the lemma of each item, shape (items,).
        seed: seed of the bootstrap.
    """
    right, clusters = np.concatenate(outcomes), np.tile(lemmata, len(outcomes))
    low, high = share_interval(right, np.ones(len(right), bool), clusters, seed=seed)
    return replace(named, value=float(right.mean()), low=low, high=high, n=len(lemmata))


def score_distance(
    named: Score, outcomes: Sequence[np.ndarray], lemmata: Sequence | np.ndarray, seed: int
) -> Score:
    """Score the mean distance of guesses from the right forms; see `score_share`."""
    distance, clusters = np.concatenate(outcomes), np.tile(lemmata, len(outcomes))
    low, high = cluster_interval(distance, clusters, seed=seed)
    varies = high > low  # an interval of no width is none
    return replace(
        named,
        value=float(distance.mean()),
        low=low if varies else None,
        high=high if varies else None,
        n=len(lemmata),
    )


# Of several languages

Place = tuple[str, str, str, str | None]
"""The key of a mean: the condition without the language, system, metric and variant."""


def by_place(
    scores: Iterable[Score], place_of: Callable[[Score], tuple[str, str] | None]
) -> dict[Place, Mapping[int | None, Mapping[str, Score]]]:
    """Group the scores of languages by all else, then by seed and language.

    The seed None is all seeds together, or the only seed of a language.

    Args:
        place_of: a function of a score that returns its condition without the language, and the
            language; or None if it is not the score of one language.
    """
    groups: dict[Place, dict[int | None, dict[str, Score]]] = {}
    for score in scores:
        if place := place_of(score):
            where, language = place
            key = (where, score.system, score.metric, score.variant)
            groups.setdefault(key, {}).setdefault(score.seed, {})[language] = score
    return {key: with_all_seeds(seeds) for key, seeds in groups.items()}


def over_seeds(scores: Iterable[Score]) -> list[Score]:
    """Return the score over all seeds of each condition, system and variant; of one metric."""
    found: dict[tuple[str, str, str | None], Score] = {}
    for score in scores:
        key = (score.condition, score.system, score.variant)
        if key not in found or (score.runs or 0) > (found[key].runs or 0):
            found[key] = score
    return list(found.values())


def best_of(scores: Iterable[Score]) -> dict[str, tuple[Score, set[str]]]:
    """Return the best score of each condition, the first of equals, and the systems that ran.

    Each system counts with its first variant, the default.

    Args:
        scores: as `over_seeds` returns them, each with a value.
    """
    ran: dict[str, dict[str, Score]] = {}
    for score in scores:
        ran.setdefault(score.condition, {}).setdefault(score.system, score)
    return {
        condition: (max(systems.values(), key=lambda each: each.value or 0.0), set(systems))
        for condition, systems in ran.items()
    }


def name_best(best: Score, named: Score) -> Score:
    """Return the figure of the best system, under the name of its language.

    Args:
        named: table, language, condition and metric of the figure.
    """
    ours = f"{best.system} ({best.variant})" if best.variant else best.system
    return replace(
        best,
        table=named.table,
        system=named.system,
        condition=named.condition,
        metric=named.metric,
        variant=None,
        seed=None,
        note=f"ours: {ours}",
    )

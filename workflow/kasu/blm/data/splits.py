"""Splits of BLM problems (BLM-9, S-11)."""

import math
from collections.abc import Mapping

import numpy as np

from kasu.base.errors import KasuError
from kasu.blm.data.names import SPLITS
from kasu.blm.data.problems import Problems
from kasu.blm.generation.grammar import CLAUSES, SEQUENCES
from kasu.job.run import seed_of

TRAIN, VALIDATION, TEST = range(len(SPLITS))
WAYS = ("random", "by_seed")


def split_problems(problems: Problems, settings: Mapping) -> np.ndarray:
    """Assign each problem to a split: (problems,) positions in SPLITS.

    `random` pools the clause types and shuffles, as the released code does; nearly every test
    sentence of type I then occurs in training too. `by_seed` partitions the seeds, in the same way
    for all types (S-11): once, or into `folds`. One fold is the test set, so over all folds each
    seed is tested once.

    Args:
        settings: `split` (WAYS), `test` (share of all), `validation` (share of the rest) and
            `seed`; `fold` (from 1) and `folds`, or None for one split by seed.

    Raises:
        KasuError: the way to split is unknown, a share is impossible or a split is empty.
    """
    if settings["split"] not in WAYS:
        raise KasuError("split", repr(settings["split"]), " or ".join(WAYS))
    by_seed = settings["split"] == "by_seed"
    seeds = np.unique(problems.origin)
    units = seeds if by_seed else np.arange(len(problems))
    order = _shuffle(units, settings["seed"], "seeds" if by_seed else problems.type)
    sizes = split_sizes(len(units), settings["test"], settings["validation"])
    if by_seed and settings["folds"]:
        order, sizes = _take_fold(order, settings)
    if min(sizes) < 1:
        found = ", ".join(f"{size} {name}" for name, size in zip(SPLITS, sizes, strict=True))
        raise KasuError("split", found, f"one or more {'seeds' if by_seed else 'problems'} each")
    parts = np.repeat((TRAIN, VALIDATION, TEST), sizes)
    # All problems of a seed go to its part
    if by_seed:
        part_of = dict(zip(order.tolist(), parts.tolist(), strict=True))
        return np.array([part_of[seed] for seed in problems.origin.tolist()])
    split = np.empty(len(problems), np.int64)
    split[order] = parts
    return split


def _take_fold(order: np.ndarray, settings: Mapping) -> tuple[np.ndarray, tuple[int, int, int]]:
    """Move a fold of the seeds to the end, and return the sizes of train, validation and test."""
    parts = np.array_split(order, settings["folds"])
    at = settings["fold"] - 1
    # The rest begins behind the fold, so that every fold validates on other seeds
    rest = np.concatenate([*parts[at + 1 :], *parts[:at]])
    train = _share(len(rest), 1 - settings["validation"])
    return np.concatenate([rest, parts[at]]), (train, len(rest) - train, len(parts[at]))


def split_sizes(count: int, test: float, validation: float) -> tuple[int, int, int]:
    """Divide `count` into the sizes of train, validation and test; train is rounded down (BLM-9).

    Raises:
        KasuError: a share is not between 0 and 1.
    """
    if not (0 < test < 1 and 0 < validation < 1):
        raise KasuError("split", f"shares {test} and {validation}", "numbers between 0 and 1")
    pool = _share(count, 1 - test)
    train = _share(pool, 1 - validation)
    return train, pool - train, count - pool


def same_train(problems: Problems, split: np.ndarray, settings: Mapping) -> np.ndarray:
    """Choose train and validation for `sameTrain`: as many problems of each type as of type I.

    Type I with 32 seeds has 1,658 problems to train and 415 to validate on, 2,073 together
    (Table 1). None comes from the test split.

    Returns:
        (problems,) TRAIN, VALIDATION, or -1 for what the regime leaves out.
    """
    per_seed = len(SEQUENCES) * len(CLAUSES)
    order = _shuffle(np.arange(len(problems)), settings["seed"], problems.type)
    if settings["split"] == "by_seed":
        # Seeds must stay in their split, so each part is drawn from the split of that name
        pools = [order[split[order] == part] for part in (TRAIN, VALIDATION)]
        train, validation = (per_seed * len(np.unique(problems.origin[pool])) for pool in pools)
    else:
        # Train and validation are pooled and divided again
        seeds, shares = len(np.unique(problems.origin)), (settings["test"], settings["validation"])
        train, validation, _ = split_sizes(per_seed * seeds, *shares)
        pool = order[split[order] != TEST]
        pools = [pool, pool[train:]]
    chosen = np.full(len(problems), -1)
    chosen[pools[0][:train]] = TRAIN
    chosen[pools[1][:validation]] = VALIDATION
    return chosen


def _shuffle(units: np.ndarray, seed: int, what: str) -> np.ndarray:
    return np.random.default_rng(seed_of(seed, "split", what)).permutation(units)


def _share(count: int, share: float) -> int:
    return math.floor(count * share + 1e-9)  # a floating-point error must not lose a problem

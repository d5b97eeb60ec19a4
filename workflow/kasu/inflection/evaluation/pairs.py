"""Pairs of inflection systems: paired tests, and the smallest differences a test set can show."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import ceil

import numpy as np

from kasu.inflection.data.triples import SETTINGS
from kasu.inflection.evaluation.outcomes import LanguageResults
from kasu.results.statistics import compare_paired, correct, smallest_effect

COPY = "copy"  # our null, which answers with the lemma
COMPARISONS = (
    "setting", "a", "variant_a", "b", "variant_b", "languages", "n", "pooled_accuracy_a",
    "pooled_accuracy_b", "difference", "low", "high", "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip
POWER = ("setting", "language", "n", "discordant", "assumption", "smallest_effect")

SIZES = (1000, 100, 50)  # of the task's test sets
ASSUMED = 0.1  # discordant share if no two systems answer differently


def compare(results: Sequence[LanguageResults], seed: int) -> list[dict]:
    """Compare every two systems and variants on the items that both have, setting by setting.

    The items of all languages are pooled; Table 8 weights languages equally instead. The value of
    an item is the share of seeds that got it right. Resampling keeps the items of one lemma of one
    language together. McNemar's test applies to single runs only. Holm's correction covers all
    comparisons.
    """
    rows = []
    for setting in SETTINGS:
        shared = [(each.lemma, _shares(each)) for each in results if each.setting == setting]
        names = dict.fromkeys(name for _, shares in shared for name in shares)
        for a, b in combinations(names, 2):
            both = [(lemma, s[a], s[b]) for lemma, s in shared if a in s and b in s]
            if both:
                named = {"setting": setting, "languages": len(both)}
                named |= {"a": a[0], "variant_a": a[1], "b": b[0], "variant_b": b[1]}
                rows.append(named | _compare_two(both, seed))
    return correct(rows)


def _shares(results: LanguageResults) -> dict[tuple[str, str | None], np.ndarray]:
    shares = {
        (system, variant): np.mean([guesses.right for guesses in runs.values()], axis=0)
        for system, variant, runs in results.systems()
    }
    return shares | {(COPY, None): results.copied.right.astype(float)}


def _compare_two(both: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], seed: int) -> dict:
    a, b = np.concatenate([a for _, a, _ in both]), np.concatenate([b for _, _, b in both])
    # Number the lemmata of different languages apart
    clusters = np.concatenate([index << 32 | lemma for index, (lemma, *_) in enumerate(both)])
    return compare_paired(a, b, clusters, metric="pooled_accuracy", seed=seed)


def power_rows(results: Sequence[LanguageResults]) -> list[dict]:
    """Return rows of POWER: the smallest differences that the sign test finds 4 times in 5.

    In the best case, one system is right wherever the other is. More likely, each gets items right
    that the other gets wrong: as many as measured on our systems, or else ASSUMED.
    """
    rows = []
    for setting in SETTINGS:
        chosen = [each for each in results if each.setting == setting]
        if not chosen:
            continue
        shares = [share for each in chosen if (share := beyond_difference(each)) is not None]
        mean = float(np.mean(shares)) if shares else None
        for n in SIZES:
            rows += [{"setting": setting, "language": None} | row for row in _power(n, mean)]
        for each in chosen:
            named = {"setting": setting, "language": each.language}
            rows += [named | row for row in _power(len(each.lemma), beyond_difference(each))]
    return rows


def _power(n: int, measured: float | None) -> Iterator[dict]:
    likely = (ASSUMED, "assumed")
    if measured is not None:
        likely = (measured, "measured on the systems run")
    for discordant, assumption in ((0.0, "one is right wherever the other is"), likely):
        share = round(discordant, 4)
        effect = _smallest_effect(n, share)
        named = {"n": n, "discordant": share, "assumption": assumption}
        yield named | {"smallest_effect": effect and ceil(1e4 * effect) / 1e4}


_smallest_effect = cache(smallest_effect)


def beyond_difference(results: LanguageResults) -> float | None:
    """Return the share of items on which two systems differ beyond their difference in accuracy.

    It is a mean over all pairs of different systems, with the first seed of each variant; None if
    no two answer differently.
    """
    first = [(system, next(iter(runs.values())).right) for system, _, runs in results.systems()]
    shares = [
        np.mean(a != b) - abs(a.mean() - b.mean())
        for (system, a), (other, b) in combinations(first, 2)
        if system != other and (a != b).any()
    ]
    return float(np.mean(shares)) if shares else None

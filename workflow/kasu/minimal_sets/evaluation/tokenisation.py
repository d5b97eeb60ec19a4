"""Does the number of tokens explain the scores? As the paper tests it, and as one test.

The paper correlates log odds with numbers of tokens file by file and averages r and p (GEO-16). An
average of p values is not a p value. So there is also one r over all systems and sets, each
centred, with a permutation test that keeps the scores of all systems on an item together.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import logsumexp

from kasu.minimal_sets.data.paper import CASES, COUNTED_TWICE
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.scored_sets import (
    ScoredSet,
    ScoredSets,
    name_pool,
)
from kasu.results.scores import Score
from kasu.results.statistics import cluster_interval

CORRELATIONS = (
    "variant", "level", "system", "set", "grammatical", "tokens", "method", "r", "low", "high",
    "p", "files", "n", "note",
)  # fmt: skip
"""`tokens` are those of the right form (word) or of its sentence. `method` is `one file`, `as
published`, `pooled`, or `partial` (pooled, with the other number of tokens held fixed)."""

KINDS = {"word": "form_tokens", "sentence": "sentence_tokens"}
FLOOR = 1e-12
DRAWS = 2000


def log_odds(scored: ScoredSet) -> np.ndarray:
    """Return (items) log of p(right) over the sum of the wrong forms' p, FLOOR added to each p."""
    raised = np.logaddexp(scored.scores, np.log(FLOOR))
    wrong = raised.copy()
    wrong[np.arange(len(scored)), scored.right] = -np.inf
    return scored.of_right(raised) - logsumexp(wrong, axis=1)


def _counts(scored: ScoredSet, kind: str) -> np.ndarray:
    """Return (items) tokens of the right form, or of its sentence."""
    return scored.of_right(scored.units[KINDS[kind]])


def correlate(scored: ScoredSet, kind: str) -> tuple[float, float] | None:
    """Return Pearson's r and p of one file; None if tokens are unknown or one side is constant."""
    from scipy.stats import pearsonr  # takes half a second to import

    counts, odds = _counts(scored, kind), log_odds(scored)
    varied = len(counts) > 2 and np.ptp(counts) > 0 and np.ptp(odds) > 1e-9
    if np.isnan(counts).any() or not varied:
        return None
    result = pearsonr(odds, counts)
    return float(result.statistic), float(result.pvalue)


def list_correlations(sets: ScoredSets, seed: int) -> list[dict]:
    """Return rows of CORRELATIONS over the sets at word level whose tokens are known."""
    rows = []
    gathered: dict[tuple, ScoredSets] = {}
    for key, scored in sets.items():
        case = scored.case()
        if key.level != "word" or case is None:
            continue
        about = (key.variant, scored.collection, scored.values, case)
        gathered.setdefault(about, {})[key] = scored
        for kind in KINDS:
            if correlation := correlate(scored, kind):
                named = key._asdict() | {"grammatical": case, "tokens": kind, "method": "one file"}
                rows.append(named | dict(zip("rp", correlation, strict=True)) | _size([scored]))
    for (variant, collection, values, case), pooled in gathered.items():
        named = {"variant": variant, "level": "word", "system": "all systems"}
        named |= {"set": name_pool(collection, values, case), "grammatical": case}
        for kind in KINDS:
            rows += [named | {"tokens": kind} | row for row in _over_files(pooled, kind, seed)]
    return rows


def _size(sets: list[ScoredSet]) -> dict:
    return {"files": len(sets), "n": sum(map(len, sets))}


def _over_files(sets: ScoredSets, kind: str, seed: int) -> Iterator[dict]:
    """Yield the rows of several files by method, as far as their tokens are known."""
    if average := average_as_published(sets, kind):
        yield average | {"method": "as published"}
    if known := known_tokens(sets, kind):
        yield {"method": "pooled"} | pool(known, kind, None, seed)
    other = next(each for each in KINDS if each != kind)
    if both := known_tokens(known, other):
        yield {"method": "partial"} | pool(both, kind, other, seed)


def known_tokens(sets: ScoredSets, kind: str) -> ScoredSets:
    """Return the sets of three items or more whose numbers of tokens are known."""
    return {
        key: scored
        for key, scored in sets.items()
        if not np.isnan(_counts(scored, kind)).any() and len(scored) > 2
    }


def average_as_published(sets: ScoredSets, kind: str) -> dict | None:
    """Return means of r and p over files, counting the intransitive ones twice (GEO-16).

    None where no file has a correlation.
    """
    correlations: list[tuple[float, float]] = []
    counted, skipped = [], 0
    for key, scored in sets.items():
        correlation = correlate(scored, kind)
        if correlation is None:
            skipped += 1
            continue
        times = 2 if key.set == COUNTED_TWICE else 1
        correlations += [correlation] * times
        counted.append(scored)
    if not correlations:
        return None
    r, p = np.mean(correlations, axis=0)
    note = "means of r and of p; a mean of p values is no p value"
    if len(correlations) > len(counted):
        note += f"; {COUNTED_TWICE} counts twice"
    if skipped:
        note += f"; files left out, without tokens or variation: {skipped}"
    return {"r": float(r), "p": float(p), "note": note} | _size(counted)


def pool(sets: ScoredSets, kind: str, held: str | None, seed: int) -> dict:
    """Return one correlation over all sets, each centred: r, its interval, and p.

    The interval resamples source sentences. The permutation test moves the token counts of an
    item, for all systems at once, to another item of its set, so that many systems on one item do
    not count as independent evidence.

    Args:
        held: the other number of tokens, to hold fixed within each set; None for neither.
    """
    by_set, sentences = [], []
    for members in _by_set(sets):
        common = sorted(set.intersection(*(set(scored.items) for scored in members)))
        parts = [scored.take(np.isin(scored.items, common)) for scored in members]
        # (systems, items), each row centred
        counts = np.stack([_residual(part, _counts(part, kind), held) for part in parts])
        odds = np.stack([_residual(part, log_odds(part), held) for part in parts])
        by_set.append((counts, odds))
        sentences.append(np.tile(parts[0].sentences, len(parts)))
    x = np.concatenate([counts.ravel() for counts, _ in by_set])
    y = np.concatenate([odds.ravel() for _, odds in by_set])
    size = {"files": len(sets), "n": len(x), "note": "each file centred"}
    # Both are centred, so r is their product over the root of both sums of squares
    scale = float(np.sqrt((x @ x) * (y @ y)))
    if scale == 0:
        return size | {"r": None, "low": None, "high": None, "p": None}
    low, high = _resample(x, y, np.concatenate(sentences), seed)
    return size | {
        "r": float(x @ y) / scale, "low": low, "high": high, "p": _permute(by_set, seed)
    }  # fmt: skip


def _by_set(sets: ScoredSets) -> list[list[ScoredSet]]:
    by_name: dict[str, list[ScoredSet]] = {}
    for key, scored in sets.items():
        by_name.setdefault(key.set, []).append(scored)
    return list(by_name.values())


def _residual(scored: ScoredSet, values: np.ndarray, held: str | None) -> np.ndarray:
    """Return (items) values centred, less their regression on the number of tokens held fixed."""
    centred = values - values.mean()
    if held is None:
        return centred
    other = _counts(scored, held)
    other = other - other.mean()
    scale = other @ other
    return centred - other * (centred @ other / scale) if scale else centred


def _resample(
    x: np.ndarray, y: np.ndarray, sentences: np.ndarray, seed: int, draws: int = 1000
) -> tuple[float, float]:
    """Return the interval of r, resampling sentences.

    Args:
        x, y, sentences: (items).
    """
    # r needs three sums of products; add them up by sentence once, then draw sentences
    _, index = np.unique(sentences, return_inverse=True)
    sums = np.stack([np.bincount(index, products) for products in (x * y, x * x, y * y)], axis=1)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), draws) @ sums
    scale = np.sqrt(drawn[:, 1] * drawn[:, 2])
    r = drawn[scale > 0, 0] / scale[scale > 0]
    low, high = np.quantile(r, [0.025, 0.975])
    return float(low), float(high)


def _permute(by_set: list[tuple[np.ndarray, np.ndarray]], seed: int) -> float:
    """Return the two-sided p; the observed order counts as one of the draws.

    Args:
        by_set: counts and log odds of each set, both (systems, items).
    """
    generator = np.random.default_rng(seed)
    # Permuting leaves the variances alone, so r is compared by its numerator
    observed = abs(sum(float((x * y).sum()) for x, y in by_set))
    drawn = np.zeros(DRAWS)
    for x, y in by_set:
        items = np.arange(x.shape[1])
        for draw in range(DRAWS):
            drawn[draw] += np.vdot(x[:, generator.permuted(items)], y)
    return float((1 + (np.abs(drawn) >= observed * (1 - 1e-9)).sum()) / (1 + DRAWS))


def printed_tokenisation(group: Group, named: Score, seed: int) -> Iterator[Score]:
    """Yield the figures of section 7.4 whose sets and tokens are all known.

    Args:
        named: the columns that all of them share.
    """
    if group.level != "word":
        return
    for system in group.systems:
        of_system = {key: scored for key, scored in group.sets.items() if key.system == system}
        if Group(group.variant, "word", of_system, (system,)).complete():
            yield from _mean_tokens(of_system, replace(named, system=system), seed)
    for case in CASES:
        sets = group.of_case(case)
        for kind in KINDS if group.complete(case) else ():
            average = average_as_published(sets, kind)
            if not average or average["files"] < len(sets):
                continue
            mean = replace(
                named,
                system="mean over models and tasks",
                condition=f"word-level|{case}",
                n=average["n"],
                note=average["note"],
            )
            yield replace(mean, metric=f"pearson_r_{kind}_tokens", value=average["r"])
            yield replace(mean, metric=f"p_{kind}_tokens", value=average["p"])


def _mean_tokens(sets: ScoredSets, named: Score, seed: int) -> Iterator[Score]:
    counts = [_counts(scored, "word") for scored in sets.values()]
    if any(np.isnan(of_cell).any() for of_cell in counts):
        return
    tokens = np.concatenate(counts)
    sentences = np.concatenate([scored.sentences for scored in sets.values()])
    low, high = cluster_interval(tokens, sentences, seed=seed)
    yield replace(
        named,
        condition="target word",
        metric="mean_tokens",
        value=float(tokens.mean()),
        low=low,
        high=high,
        n=len(tokens),
        note="of the right form, over all items",
        predictions=next(iter(sets.values())).predictions,
    )

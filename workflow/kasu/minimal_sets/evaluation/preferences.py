"""Which wrong form a model prefers, over all items and over those it fails (GEO-15)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.scored_sets import (
    ModelOnSet,
    ScoredSet,
    ScoredSets,
    interval,
    mean_over_sets,
    name_pool,
)
from kasu.results.scores import Score

PREFERENCES = (
    "variant", "level", "system", "set", "grammatical", "preferred", "other", "over", "share",
    "low", "high", "ties", "n",
)  # fmt: skip
"""`share` of n items where the form `preferred` scores above the form `other`; both are wrong,
`grammatical` is right. A tie counts one half; of released results, nothing. `over`: all items, or
the failed ones, where a wrong form is above the right one; of released results, also its ties."""

ALL, FAILED = "all", "failed"
EVERYONE = "all systems"

# Right case -> the preferred form, the other one, the end of the published condition, and whether
# ties count for the preferred one, as in the released code
PRINTED = {
    "dat": ("nom", "erg", "dat tasks", False),
    "erg": ("nom", "dat", "erg task", False),
    "nom": ("dat", "erg", "nom tasks", True),
}


def list_preferences(sets: ScoredSets, seed: int) -> list[dict]:
    """Return rows of PREFERENCES: each system and all systems, on each set and each pool of sets.

    The form that wins more often over all sets counts as preferred.
    """
    # Divide each set by its right value; gather what can be pooled
    gathered: dict[tuple, list[tuple[ModelOnSet, ScoredSet]]] = {}
    for key, scored in sets.items():
        for at in np.unique(scored.right):
            about = (
                key.variant,
                key.level,
                scored.collection,
                scored.values,
                scored.values[at],
            )
            gathered.setdefault(about, []).append((key, scored.take(scored.right == at)))
    rows = []
    for (variant, level, _, values, grammatical), members in gathered.items():
        for pair in combinations([value for value in values if value != grammatical], 2):
            preferred, other = _in_order(members, pair)
            for (system, where), pooled in _pools(members).items():
                for over in (ALL, FAILED):
                    rows.append(
                        {
                            "variant": variant,
                            "level": level,
                            "system": system,
                            "set": where,
                            "grammatical": grammatical,
                            "preferred": preferred,
                            "other": other,
                            "over": over,
                        }
                        | count(pooled, preferred, other, over, seed)
                    )
    return rows


def _in_order(
    members: Iterable[tuple[ModelOnSet, ScoredSet]], pair: tuple[str, str]
) -> tuple[str, str]:
    """Order the pair: the form that wins more often comes first."""
    a, b = pair
    lead = sum(np.sign(scored.column(a) - scored.column(b)).sum() for _, scored in members)
    return (a, b) if lead >= 0 else (b, a)


def _pools(members: list[tuple[ModelOnSet, ScoredSet]]) -> dict[tuple[str, str], list[ScoredSet]]:
    """Return by system (each, and all) and by set (each, and the pool) the scored sets."""
    pools: dict[tuple[str, str], list[ScoredSet]] = {}
    for key, scored in members:
        for system in (key.system, EVERYONE):
            for where in (key.set, name_pool(scored.collection, scored.values)):
                pools.setdefault((system, where), []).append(scored)
    return dict(sorted(pools.items()))


def failed(scored: ScoredSet) -> ScoredSet:
    """Return the items of a set that its system fails."""
    return scored.take(scored.correct == 0)


def count(sets: Sequence[ScoredSet], preferred: str, other: str, over: str, seed: int) -> dict:
    """Return share, interval, ties and n of PREFERENCES over the pooled items of some sets."""
    sets = list(map(failed, sets)) if over == FAILED else sets
    hits = np.concatenate([hits_of(scored, preferred, other) for scored in sets])
    ties = sum(int((scored.column(preferred) == scored.column(other)).sum()) for scored in sets)
    counted: dict[str, object] = {"ties": ties, "n": len(hits)}
    if not len(hits):
        return counted | dict.fromkeys(("share", "low", "high"))
    low, high = interval(hits, np.concatenate([scored.sentences for scored in sets]), seed)
    return counted | {"share": float(hits.mean()), "low": low, "high": high}


def hits_of(scored: ScoredSet, preferred: str, other: str, ties_count: bool = False) -> np.ndarray:
    """Return (items) what each counts for as a preference.

    Args:
        ties_count: whether ties of released results count for `preferred`; if not, they count 0.
    """
    one, two = scored.column(preferred), scored.column(other)
    return 1 - scored.above(two, one) if ties_count else scored.above(one, two)


def share_as_printed(
    sets: Sequence[ScoredSet], preferred: str, other: str, ties_count: bool
) -> float:
    """Return the share over all items, the mean over sets, with ties as in the released code."""
    return float(np.mean([hits_of(scored, preferred, other, ties_count).mean() for scored in sets]))


def printed_preferences(group: Group, named: Score, seed: int) -> Iterator[Score]:
    """Yield the figures of section 7.3 of each case that is complete.

    Over all items: the mean over sets. Over failed items: their share. Ties of released results
    count as in the released code, over failed items never.

    Args:
        named: the columns that all of them share.
    """
    for case, (preferred, other, tasks, ties_count) in PRINTED.items():
        sets = list(group.of_case(case).values())
        if group.level != "word" or not group.complete(case):
            continue
        hits = [hits_of(scored, preferred, other, ties_count) for scored in sets]
        metric = f"share_{preferred}_over_{other}"
        of_case = replace(named, condition=f"word-level|{tasks}", metric=metric)
        sentences = [scored.sentences for scored in sets]
        value, low, high = mean_over_sets(zip(hits, sentences, strict=True), seed)
        every = count(sets, preferred, other, ALL, seed)
        released = all(scored.released for scored in sets)
        how = "counted one half"
        if released:
            how = f"{'counted' if ties_count else 'not counted'} for {preferred}"
        yield replace(
            of_case, value=value, low=low, high=high, n=every["n"],
            note=f"over all items, not only failed ones; {every['ties']} ties {how}",
        )  # fmt: skip
        part = count(sets, preferred, other, FAILED, seed)
        if part["n"]:
            how = "not counted" if released else "counted one half"
            yield replace(
                of_case, metric=f"{metric}_of_failed", value=part["share"],
                low=part["low"], high=part["high"], n=part["n"],
                note=f"over failed items, pooled; {part['ties']} ties {how}",
            )  # fmt: skip

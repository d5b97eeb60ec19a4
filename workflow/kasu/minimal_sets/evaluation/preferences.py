"""Which wrong form a model prefers, over all items and over those it fails (GEO-15)."""

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

from kasu.minimal_sets.evaluation.cells import (
    Cell,
    Cells,
    Key,
    interval,
    mean_over_cells,
    name_pool,
)
from kasu.minimal_sets.evaluation.groups import Group

PREFERENCES = (
    "variant", "level", "system", "set", "grammatical", "preferred", "other", "over", "share",
    "low", "high", "ties", "n",
)  # fmt: skip
"""`share` of n items where the form `preferred` scores strictly above the form `other`; both are
wrong, `grammatical` is right. A tie counts for neither. `over`: all items, or the failed ones."""

ALL, FAILED = "all", "failed"
EVERYONE = "all systems"

# Right case -> the preferred form, the other one, the end of the published condition, and whether
# ties count for the preferred one, as in the released code
PRINTED = {
    "dat": ("nom", "erg", "dat tasks", False),
    "erg": ("nom", "dat", "erg task", False),
    "nom": ("dat", "erg", "nom tasks", True),
}


def list_preferences(cells: Cells, seed: int) -> list[dict]:
    """Return rows of PREFERENCES: each system and all systems, on each set and each pool of sets.

    The form that wins more often over all cells counts as preferred.
    """
    gathered: dict[tuple, list[tuple[Key, Cell]]] = {}
    for key, cell in cells.items():
        for at in np.unique(cell.right):
            about = (key.variant, key.level, cell.collection, cell.values, cell.values[at])
            gathered.setdefault(about, []).append((key, cell.take(cell.right == at)))
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


def _in_order(members: Iterable[tuple[Key, Cell]], pair: tuple[str, str]) -> tuple[str, str]:
    """The pair, the form that wins more often first."""
    a, b = pair
    lead = sum(np.sign(cell.column(a) - cell.column(b)).sum() for _, cell in members)
    return (a, b) if lead >= 0 else (b, a)


def _pools(members: list[tuple[Key, Cell]]) -> dict[tuple[str, str], list[Cell]]:
    """(system or all, set or pool of sets) -> its cells."""
    pools: dict[tuple[str, str], list[Cell]] = {}
    for key, cell in members:
        for system in (key.system, EVERYONE):
            for where in (key.set, name_pool(cell.collection, cell.values)):
                pools.setdefault((system, where), []).append(cell)
    return dict(sorted(pools.items()))


def leads(
    cells: Iterable[Cell], preferred: str, other: str, over: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the score of `preferred` less that of `other`, and the sentence, (items) each."""
    lead, sentences = [], []
    for cell in cells:
        kept = np.ones(len(cell), bool) if over == ALL else ~cell.correct
        lead.append((cell.column(preferred) - cell.column(other))[kept])
        sentences.append(cell.sentences[kept])
    return np.concatenate(lead), np.concatenate(sentences)


def count(cells: list[Cell], preferred: str, other: str, over: str, seed: int) -> dict:
    """Return share, interval, ties and n of PREFERENCES over the pooled items of some cells."""
    lead, sentences = leads(cells, preferred, other, over)
    counted: dict[str, object] = {"ties": int((lead == 0).sum()), "n": len(lead)}
    if not len(lead):
        return counted | dict.fromkeys(("share", "low", "high"))
    low, high = interval(lead > 0, sentences, seed)
    return counted | {"share": float((lead > 0).mean()), "low": low, "high": high}


def share_as_printed(cells: list[Cell], preferred: str, other: str, ties_count: bool) -> float:
    """Return the share over all items, the mean over cells, with ties as in the released code."""
    return float(np.mean([_hits(cell, preferred, other, ties_count).mean() for cell in cells]))


def _hits(cell: Cell, preferred: str, other: str, ties_count: bool) -> np.ndarray:
    """(items) Does `preferred` beat `other`, or equal it if ties count?"""
    lead = cell.column(preferred) - cell.column(other)
    return lead >= 0 if ties_count else lead > 0


def printed_preferences(group: Group, seed: int) -> Iterator[dict]:
    """Yield the figures of section 7.3 of each case that is complete.

    Over all items: the mean over cells, with ties as in the released code. Over failed items: their
    share, where ties never count.
    """
    for case, (preferred, other, tasks, ties_count) in PRINTED.items():
        cells = list(group.of_case(case).values())
        if group.level != "word" or not group.complete(case):
            continue
        hits = [_hits(cell, preferred, other, ties_count) for cell in cells]
        named = {"condition": f"word-level|{tasks}", "metric": f"share_{preferred}_over_{other}"}
        sentences = [cell.sentences for cell in cells]
        value, low, high = mean_over_cells(zip(hits, sentences, strict=True), seed)
        every = count(cells, preferred, other, ALL, seed)
        how = "counted for" if ties_count else "not counted for"
        yield named | {
            "value": value, "low": low, "high": high, "n": every["n"],
            "note": f"over all items, not only failed ones; {every['ties']} ties {how} {preferred}",
        }  # fmt: skip
        failed = count(cells, preferred, other, FAILED, seed)
        if failed["n"]:
            yield named | {
                "metric": f"{named['metric']}_of_failed", "value": failed["share"],
                "low": failed["low"], "high": failed["high"], "n": failed["n"],
                "note": f"over failed items, pooled; {failed['ties']} ties not counted",
            }  # fmt: skip

"""Accuracy by what stands between a verb and its argument, after Linzen et al. (2016).

A treebank would say which word is the argument. Here suffixes say which word could be: a
*candidate* for a slot is a word whose nuclear suffix can fill it. The nearest candidate of the
right number is taken for the argument. Candidates between it and the verb are of the other number:
*attractors*.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from kasu.agreement.data.items import gold_numbers, read_items, sentences_of, slots_of
from kasu.agreement.data.tasks import LABELS, LICENSED
from kasu.agreement.data.transforms import BASE, Condition, Sentence
from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_tsv
from kasu.results.scores import at_most, distance_group
from kasu.results.statistics import mean_interval, share_interval

ATTRACTORS = (
    "system", "variant", "slot", "by", "group", "accuracy", "low", "high", "seeds_low",
    "seeds_high", "n", "runs",
)  # fmt: skip
"""Accuracy is the mean over seeds. `low` and `high` are its interval over the test items,
`seeds_low` and `seeds_high` that over training seeds, if there are several."""


class Place(NamedTuple):
    """Where the argument of a slot stands.

    Attributes:
        argument: `overt`, `not overt` (no candidate of the right number), or `none` to agree with.
        distance: from the verb to the argument, in lexical units; 0 if it is not overt.
        attractors: candidates of the other number between them.
        verbs: units of the sentence that can be finite verbs.
    """

    argument: str
    distance: int
    attractors: int
    verbs: int


def find_argument(sentence: Sentence, slot: str, number: str) -> Place:
    """Find the argument of a slot, given its number (one of LABELS)."""
    verbs, target = sum(sentence.finite), sentence.target
    if number == "none":
        return Place("none", 0, 0, verbs)
    # By distance; of two equally near, the one before the verb first
    candidates = sorted(
        (abs(at - target), at - target, LICENSED[slot][suffix])
        for at, suffix in enumerate(sentence.suffixes)
        if suffix in LICENSED[slot] and at != target
    )
    right = next((each for each in candidates if each[2] == number), None)
    if right is None:
        return Place("not overt", 0, 0, verbs)
    distance, side, _ = right
    # All nearer candidates are of the other number; attractors are those on the argument's side
    between = sum(near < distance and where * side > 0 for near, where, _ in candidates)
    return Place("overt", distance, between, verbs)


GROUPINGS: dict[str, Callable[[Place], str | None]] = {
    "argument": lambda place: place.argument,
    "attractors": lambda place: at_most(2, place.attractors) if place.distance else None,
    "distance": lambda place: distance_group(place.distance) if place.distance else None,
    "verbs": lambda place: at_most(3, place.verbs),
}
"""By what items are grouped; None where an item is in no group."""


def measure_attractors(
    test: str | Path, predictions: Mapping[str, str | Path], out: str | Path, *, seed: int
) -> None:
    """Write the accuracy of each system by slot and group (ATTRACTORS).

    Args:
        predictions: of each system under `base`, which shows every test sentence.
        seed: of the bootstrap.

    Raises:
        KasuError: predictions are not of this test set.
    """
    rows: list[dict] = []
    for variant in sorted(set(read_parquet(test, ["variant"])["variant"].to_pylist())):
        items = read_items(test, variant, Condition(BASE))
        gold, clusters = gold_numbers(items, test), items["cluster"].to_numpy()
        slots = slots_of(items)
        groups = _group(list(sentences_of(items)), gold, slots)
        for system, path in predictions.items():
            names = items["item_id"].to_pylist()
            right = _read_right(path, variant, names, len(slots))
            for (slot, by, group), chosen in groups.items():
                hits = right[:, chosen, slots.index(slot)]
                runs, n = hits.shape
                if not runs:
                    continue
                tiled = np.tile(clusters[chosen], runs)
                low, high = share_interval(hits.ravel(), np.ones(hits.size), tiled, seed=seed)
                key = {"system": system, "variant": variant, "slot": slot, "by": by, "group": group}
                figures = {"accuracy": hits.mean(), "low": low, "high": high, "n": n, "runs": runs}
                if runs > 1:
                    ends = mean_interval(hits.mean(axis=1), share=True)
                    figures |= dict(zip(("seeds_low", "seeds_high"), ends, strict=True))
                rows.append(key | figures)
    write_tsv(out, rows, ATTRACTORS)


def _group(
    sentences: Sequence[Sentence], gold: np.ndarray, slots: Sequence[str]
) -> dict[tuple[str, str, str], np.ndarray]:
    """Return the items of each slot, grouping and group, as positions in the test set."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for at, sentence in enumerate(sentences):
        for slot, number in zip(slots, gold[at], strict=True):
            if slot not in LICENSED:  # no suffix shows what can fill the slot
                continue
            place = find_argument(sentence, slot, LABELS[number])
            for by, name in GROUPINGS.items():
                if (group := name(place)) is not None:
                    found.setdefault((slot, by, group), []).append(at)
    order = sorted(
        found, key=lambda key: (slots.index(key[0]), list(GROUPINGS).index(key[1]), key[2])
    )
    return {key: np.array(found[key]) for key in order}


def _read_right(path: str | Path, variant: str, names: Sequence[str], slots: int) -> np.ndarray:
    """Return whether each label is right: (seeds, items, slots); no seed if it did not run."""
    columns = ["item_id", "gold", "prediction", "slot"]
    table = read_parquet(path, columns, [("variant", "==", variant)])
    # A file has all items of the first seed, a row per slot, then those of the next seed
    runs, rest = divmod(len(table), len(names) * slots)
    expected = np.tile(np.repeat(np.array(names, object), slots), runs)
    if rest or (table["item_id"].to_numpy() != expected).any():
        raise KasuError(path, "other items than the test set", "its items in their order")
    right = pc.equal(table["gold"], table["prediction"]).to_numpy()
    return right.reshape(runs, len(names), slots)

"""Nulls beside every accuracy: chance, always one value, the shortest form, fewest tokens."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kasu.minimal_sets.evaluation.cells import Cell, Cells, Key, margins


def nulls(cells: Cells) -> Iterator[tuple[Key, Cell, np.ndarray]]:
    """Yield the key of each null, a cell with its items, and (items) whether it solves each item.

    `always X` picks the value that is right most often over all sets with the same values;
    `shortest form` counts characters; `fewest tokens of S` counts tokens of the tokenizer of S,
    where known, or of the whole sentence, where that alone was counted. `chance` solves 1 / values
    of each item. A tie is wrong, as everywhere. No null depends on the variant, so each comes once
    per level and set, under an empty variant: over the items of the system that scored the most.
    """
    majority = _majorities(cells)
    done: set[Key] = set()
    for key, cell in sorted(cells.items(), key=lambda entry: -len(entry[1])):
        tokens = cell.units["form_tokens"]
        if np.isnan(tokens).any():
            tokens = cell.units["sentence_tokens"]
        value = majority[key.variant, key.level, cell.values]
        always = np.broadcast_to(np.array(cell.values) == value, cell.scores.shape)
        solved_by = {
            "chance": np.full(len(cell), 1 / len(cell.values)),
            f"always {value}": _wins(always.astype(float), cell),
            "shortest form": _wins(-cell.units["form_length"], cell),
        }
        if not np.isnan(tokens).any():
            solved_by[f"fewest tokens of {key.system}"] = _wins(-tokens, cell)
        for system, solved in solved_by.items():
            null = key._replace(system=system, variant="")
            if null not in done:
                done.add(null)
                yield null, cell, solved


def _wins(scores: np.ndarray, cell: Cell) -> np.ndarray:
    return margins(scores, cell.right) > 0


def _majorities(cells: Cells) -> dict[tuple, str]:
    """(variant, level, values) -> the value that is right most often; of equals, the first."""
    counts: dict[tuple, Counter[str]] = {}
    for key, cell in cells.items():
        counter = counts.setdefault((key.variant, key.level, cell.values), Counter())
        counter.update(cell.values[at] for at in cell.right)
    return {
        about: min(counter, key=lambda value: (-counter[value], value))
        for about, counter in counts.items()
    }

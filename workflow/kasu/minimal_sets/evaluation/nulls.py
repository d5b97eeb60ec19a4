"""Nulls beside every accuracy: chance, always one value, the shortest form, fewest tokens."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kasu.minimal_sets.evaluation.cells import Cell, Cells, Key
from kasu.results.scores import worth


def nulls(cells: Cells) -> Iterator[tuple[Key, Cell, np.ndarray]]:
    """Yield the key of each null, a cell with its items, and (items) what each item counts for.

    `always X` picks the value that is right most often over all sets with the same values;
    `shortest form` counts characters; `fewest tokens of S` counts tokens of the tokenizer of S,
    where known, or of the whole sentence, where that alone was counted. `chance` solves 1 / values
    of each item. A tie counts as one of a model does. No null depends on the variant, so each comes
    once per level and set, under an empty variant: over the items of the system that scored most.
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
            f"always {value}": worth(always, cell.right),
            "shortest form": worth(-cell.units["form_length"], cell.right),
        }
        if not np.isnan(tokens).any():
            solved_by[f"fewest tokens of {key.system}"] = worth(-tokens, cell.right)
        for system, solved in solved_by.items():
            null = key._replace(system=system, variant="")
            if null not in done:
                done.add(null)
                yield null, cell, solved


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

"""What stands beside every accuracy: chance, one value always, the shortest form."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kasu.minimal_sets.evaluation.cells import Cell, Cells, Key, margins


def nulls(cells: Cells) -> Iterator[tuple[Key, Cell, np.ndarray]]:
    """Each null as a system, the cell it stands beside, and (items) how far each item is solved.

    `always X` takes the value that is right most often over all sets of the same values; `shortest
    form` counts characters of the form; `fewest tokens of S` counts those of the tokenizer of S
    where they are known. A tie is wrong, as everywhere. None depends on the variant, so each
    stands once for a level and a set, under no variant.
    """
    majority, done = _majorities(cells), set()
    for key, cell in cells.items():
        tokens = cell.units["form_tokens"]
        value = majority[key.variant, key.level, cell.values]
        always = np.broadcast_to(np.array(cell.values) == value, cell.scores.shape)
        found = {
            "chance": np.full(len(cell), 1 / len(cell.values)),
            f"always {value}": _wins(always.astype(float), cell),
            "shortest form": _wins(-cell.units["form_length"], cell),
        }
        if not np.isnan(tokens).any():
            found[f"fewest tokens of {key.system}"] = _wins(-tokens, cell)
        for system, solved in found.items():
            named = key._replace(system=system, variant="")
            if named not in done:
                done.add(named)
                yield named, cell, solved


def _wins(scores: np.ndarray, cell: Cell) -> np.ndarray:
    return margins(scores, cell.right) > 0


def _majorities(cells: Cells) -> dict[tuple, str]:
    counts: dict[tuple, Counter[str]] = {}
    for key, cell in cells.items():
        counter = counts.setdefault((key.variant, key.level, cell.values), Counter())
        counter.update(cell.values[at] for at in cell.right)
    return {
        about: min(counter, key=lambda value: (-counter[value], value))
        for about, counter in counts.items()
    }

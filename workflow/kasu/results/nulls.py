"""Claims beside nulls, systems that cannot do what is tested: how far beyond the strongest one?

- A null solves it: even a system without an error would not be above the null beyond chance. Such
  a test says nothing about any system, so a claim by it is untestable. The same holds with so few
  clusters that not even a system without an error would be above a system without a hit.
- A null shows it too: a difference between two kinds of items counts only as far as it is beyond
  that of a null on the same items. A difference that is not beyond it keeps a claim from holding,
  but refutes nothing.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from kasu.results.differences import ALPHA, Difference, Sample

Kinds = tuple[Sample, Sample]
"""The same system on two kinds of items: those that a claim calls easier, and the others."""


def strongest(nulls: Mapping[str, Sample]) -> str:
    """Return the name of the null with the highest mean; of equals, the first."""
    return max(nulls, key=lambda name: nulls[name].mean)


def above(sample: Sample, nulls: Mapping[str, Sample], *, says: str = "") -> Difference:
    """Measure how far a system is above the strongest null, each right in a share of each item.

    Args:
        sample: the scores of the system.
        nulls: the scores of each null on the same items, by name.
        says: opens the evidence.
    """
    name = strongest(nulls)
    null = nulls[name]
    shown = f"{says}{sample.mean:.4f}, {name} {null.mean:.4f}, "
    found = Difference.of(sample, null, says=shown)
    # No system can be more right than this
    perfect = sample._replace(values=np.ones(np.size(sample.values)))
    if Difference.of(perfect, null).p < ALPHA:
        return found
    few = not Difference.of(perfect).p < ALPHA
    why = "too few clusters for any system" if few else f"the null {name} solves it"
    return replace(found, solved=why)


def beyond(
    system: Kinds, null: Kinds, name: str, *, tried: int = 1, says: str = ""
) -> list[Difference]:
    """Measure how far one kind of items is easier than another, and how far beyond a null.

    Args:
        null: the null's scores on the same items.
        name: name of the null.
        tried: see `Difference.of`.
        says: opens the evidence.

    Returns:
        The difference of the system; then, if the null has it in the same direction, the difference
        of the two, which refutes nothing.
    """
    by_null = null[0].mean - null[1].mean
    own = Difference.of(*system, tried=tried, says=f"{says}{name} {by_null:+.4f}, ")
    if by_null <= 0:
        return [own]
    added, subtracted = [system[0], null[1]], [system[1], null[0]]
    further = Difference.contrast(added, subtracted, tried=tried, says=f"beyond {name} a ")
    return [own, replace(further, refutes=False)]

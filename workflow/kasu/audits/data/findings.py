"""What an audit finds: one line each, of a check, over all items or those of a phenomenon."""

from collections.abc import Sequence
from dataclasses import dataclass

FORM, NULL, MODEL, LEAK, POWER = "form", "null", "model", "leak", "power"
CHECKS = (FORM, NULL, MODEL, LEAK, POWER)


@dataclass(frozen=True)
class Example:
    """An item that shows a finding."""

    item: str
    texts: Sequence[str]


@dataclass(frozen=True)
class Finding:
    """One line of an audit.

    Attributes:
        check: one of CHECKS.
        name: what was looked for, or the null.
        items: how many it was looked for in.
        group: the phenomenon; None for all items.
        found: in how many it was found; None where a share is right, not found.
        share: found or right, 0 to 1; of the check `power`, a difference between two models.
        low, high: the interval of the share, at 95 %.
        ties: the items whose options the null cannot tell apart.
        says: what follows, in words.
        flaw: whether the benchmark should be mended, or read with it in mind.
    """

    check: str
    name: str
    items: int
    group: str | None = None
    found: int | None = None
    share: float | None = None
    low: float | None = None
    high: float | None = None
    ties: int | None = None
    says: str = ""
    flaw: bool = False
    examples: Sequence[Example] = ()

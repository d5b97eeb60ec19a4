"""What a set of agreement pairs is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Rules = Literal["kasu", "multiblimp"]
KASU, MULTIBLIMP = "kasu", "multiblimp"
FEATURES = ("Number", "Person", "Gender")
RIGHT, WRONG = "right", "wrong"
"""The forms of a pair, in place of the values of other sets."""
NULLS = ("commoner value", "more frequent form", "shorter form", "nearest noun")
"""Answers to a pair without a model; `kasu.minimal_sets.pairs.tables.nulls` says how."""


@dataclass(frozen=True)
class PairDesign:
    """What a set of pairs is made of.

    Attributes:
        name: of the set, part of every item_id.
        rules: whose.
        features: some of FEATURES.
        language: of the treebanks, for upper and lower case, conventions and MultiBLiMP's edits.
        agrees: leave out conditions in which fewer subjects agree (the upper end of Wilson's
            interval is below this share); None: none. By MultiBLiMP's rules 0.9 always.
        per_condition: the most pairs of a right value, a wrong value, an order and a kind, by a
            draw; None: all. By MultiBLiMP's rules 100 always.
        seed: of the draw.
    """

    name: str
    rules: str
    features: Sequence[str]
    language: str
    agrees: float | None = 0.9
    per_condition: int | None = None
    seed: int = 0

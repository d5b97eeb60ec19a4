"""The names of types, splits and regimes in config, paths and tables."""

from typing import NamedTuple

STUDY = "blm"
PAPER = "blm_agrf2023"
TYPES = ("type_I", "type_II", "type_III")
SPLITS = ("train", "validation", "test")
FULL, SAME, BY_SEED = REGIMES = ("allTrain", "sameTrain", "bySeed")
"""In this order: all training problems; as many of each type as of type I; all, with the lexical
seeds of training and test disjoint (S-11)."""


class RegimeData(NamedTuple):
    """A training regime and its datasets.

    Attributes:
        name: one of REGIMES.
        folder: the folder of its datasets.
        fold: which of the folds over lexical seeds, from 1; None where there is one split.
    """

    name: str
    folder: str
    fold: int | None = None


# Systems that choose without knowing the rule: a network that does no better has not shown it
NULLS = ("parallelogram", "medoid", "frequency", "copy_unseen", "random")

ORACLE = "oracle"
"""The solver that knows seeds, lexicon and rule, and so solves every problem that has an answer."""

LEXICON = "lexicon"  # in the config in place of a model that proposes words
STATE_FEATURES = "states"  # in the config in place of an encoder

# Steps of the counts of an encoder: distinct sentences, and what it makes of them
SENTENCES, VECTORS, UNKNOWN, CUT = "distinct", "distinct vectors", "with unknown text", "cut"

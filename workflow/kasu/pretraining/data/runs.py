"""One record per file of scores: the plan lists them, the evaluation reads them."""

from pathlib import Path
from typing import NamedTuple


class ScoreFile(NamedTuple):
    """One file of scores.

    system: its name in the paper (`BERT8L-eu5M`, `BERT8L-eu5M-lemma`, `mBERT`).
    pairs: the parquet of pairs that was scored.
    scores: parquet of `kasu.lm.scoring.score.SCORES` or
        `kasu.pretraining.models.trigram.NULL_SCORES`.
    epoch: of the checkpoint; None for nulls and published models.
    variant: what was tested: empty for the main set and its twin, else the segmentation or the
        name of the set.
    """

    system: str
    pairs: str | Path
    scores: str | Path
    epoch: int | None = None
    variant: str = ""
    seed: int | None = None

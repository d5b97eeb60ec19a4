"""Warnings of the pretraining study: scores that tell the two sentences of no pair apart."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from kasu.files.tables import read_parquet
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.evaluation.pair_results import NULLS, ORIGINAL
from kasu.results.warnings.signs import equal_scores, like
from kasu.results.warnings.table import ResultWarning

_COLUMNS = ["item_id", "column", "definition", "log_probability"]


def find_warnings(
    files: Mapping[str, Sequence[str]], *, runs: Sequence[Mapping]
) -> Iterator[ResultWarning]:
    """Look at the scores of each model on each set of pairs, and compare it with the nulls.

    Args:
        files: `scores` of all runs, which `runs` names.
        runs: what each file is about (`ScoreFile`).
    """
    of_nulls: dict[str, dict[str, pd.DataFrame]] = {}
    of_models: list[tuple[ScoreFile, pd.DataFrame]] = []
    for run in (ScoreFile(**each) for each in runs):
        definition, scores = _read(str(run.scores))
        if definition in NULLS:
            of_nulls.setdefault(str(run.pairs), {})[run.system] = scores
        else:
            of_models.append((run, scores))
    for run, scores in of_models:
        wrong = equal_scores(scores)
        for null, others in of_nulls.get(str(run.pairs), {}).items():
            beside = _preferred(others.reindex(scores.index))
            wrong = wrong or like(_preferred(scores), beside, np.ones(len(scores)), null)
        if wrong:
            epoch = "" if run.epoch is None else f"epoch {run.epoch}"
            seed = "" if run.seed is None else f"seed {run.seed}"
            parts = (run.variant, epoch, f"{len(scores):,} pairs", seed)
            yield ResultWarning(run.system, wrong, ", ".join(filter(None, parts)))


def _read(path: str) -> tuple[str, pd.DataFrame]:
    """Return the definition of scores, and those of both halves by pair; NaN where one has none."""
    frame = read_parquet(path, _COLUMNS).to_pandas()
    table = frame.pivot(index="item_id", columns="column", values="log_probability")
    definition = frame["definition"].iloc[0] if len(frame) else ""
    return definition, table.reindex(columns=list(ORIGINAL))


def _preferred(scores: pd.DataFrame) -> np.ndarray:
    """Return which half of each pair has the higher score: 1, -1, or 0 for a tie."""
    good, bad = (scores[half].to_numpy(float) for half in ORIGINAL)
    return np.sign(good - bad)

"""Warnings of pretraining: equal scores, an untrained head, unknown text, few pairs kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.files.tables import read_parquet
from kasu.lm.scoring.untrained import UNTRAINED, untrained_head
from kasu.pretraining.data.filters import judge
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.evaluation.pair_results import NULLS, ORIGINAL
from kasu.results.warnings.signs import equal_scores, few, like, unknown_text
from kasu.results.warnings.table import ResultWarning

FEW = "keeps fewer than half of the pairs, those whose sentences have the same number of tokens"
_COLUMNS = ["item_id", "column", "definition", "log_probability", "tokens"]
_OF_MODELS = ["column", "log_probability", "unit", "scored", "vocabulary"]


class _Scores(NamedTuple):
    """Scores of both halves by pair, NaN where one has none; tokens (pairs, 2), 0 likewise."""

    definition: str
    halves: pd.DataFrame
    tokens: np.ndarray


def find_warnings(
    files: Mapping[str, Sequence[str]], *, runs: Sequence[Mapping]
) -> Iterator[ResultWarning]:
    """Look at the scores of each model on each set of pairs, and compare it with the nulls.

    Args:
        files: `scores` of all runs, which `runs` names.
        runs: what each file is about (`ScoreFile`).
    """
    of_nulls: dict[str, dict[str, pd.DataFrame]] = {}
    of_models: list[tuple[ScoreFile, _Scores]] = []
    for run in (ScoreFile(**each) for each in runs):
        scores = _read(str(run.scores))
        if scores.definition in NULLS:
            of_nulls.setdefault(str(run.pairs), {})[run.system] = scores.halves
        else:
            of_models.append((run, scores))
    for run, scores in of_models:
        halves, pairs = scores.halves, len(scores.halves)
        epoch = "" if run.epoch is None else f"epoch {run.epoch}"
        seed = "" if run.seed is None else f"seed {run.seed}"
        where = ", ".join(filter(None, (run.variant, epoch, "{}", seed)))
        wrong = equal_scores(halves)
        for null, others in of_nulls.get(str(run.pairs), {}).items():
            beside = _preferred(others.reindex(halves.index))
            wrong = wrong or like(_preferred(halves), beside, np.ones(pairs), null)
        if wrong or (wrong := _untrained(run)):
            yield ResultWarning(run.system, wrong, where.format(f"{pairs:,} pairs"))
        unknown = _count_unknown(run)
        if wrong := unknown_text(unknown, pairs, "pairs"):
            yield ResultWarning(run.system, wrong, where.format(f"{unknown:,} of {pairs:,} pairs"))
        kept = int(judge(np.zeros(scores.tokens.shape), scores.tokens).kept.sum())
        if few(kept, pairs):
            yield ResultWarning(run.system, FEW, where.format(f"{kept:,} of {pairs:,} pairs"))


def _read(path: str) -> _Scores:
    frame = read_parquet(path, _COLUMNS).to_pandas()
    table = frame.pivot(index="item_id", columns="column")
    halves, tokens = (
        table[name].reindex(columns=list(ORIGINAL)) for name in ("log_probability", "tokens")
    )
    definition = frame["definition"].iloc[0] if len(frame) else ""
    return _Scores(definition, halves, tokens.fillna(0).to_numpy(int))


def _untrained(run: ScoreFile) -> str | None:
    """Tell whether a published model scores as if its head had never been trained."""
    # A checkpoint of a training may have just begun
    if run.epoch is not None:
        return None
    frame = read_parquet(run.scores, _OF_MODELS).to_pandas().dropna()
    frame = frame[frame["column"].isin(ORIGINAL)]
    if not len(frame):
        return None
    nats = frame["log_probability"] * np.where(frame["unit"] == "bit", np.log(2), 1)
    vocabulary = int(frame["vocabulary"].iloc[0])
    found = untrained_head(nats.tolist(), vocabulary, frame["scored"].tolist())
    return UNTRAINED if found else None


def _count_unknown(run: ScoreFile) -> int:
    """Count the pairs in which a sentence has text that the tokenizer does not know."""
    frame = read_parquet(run.scores, ["item_id", "column", "unknown"]).to_pandas()
    frame = frame[frame["column"].isin(ORIGINAL) & (frame["unknown"] > 0)]
    return frame["item_id"].nunique()


def _preferred(scores: pd.DataFrame) -> np.ndarray:
    """Return which half of each pair has the higher score: 1, -1, or 0 for a tie."""
    good, bad = (scores[half].to_numpy(float) for half in ORIGINAL)
    return np.sign(good - bad)

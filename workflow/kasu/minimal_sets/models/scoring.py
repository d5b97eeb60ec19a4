"""Score the forms of minimal sets with a language model."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from kasu.files.locks import held
from kasu.files.tables import DROPS, read_tsv, write_tsv
from kasu.job.run import log
from kasu.lm.scoring.score import Scoring, score_file
from kasu.minimal_sets.models.predictions import (
    SET_DROPS,
    list_predictions,
    read_items,
    write_predictions,
)
from kasu.minimal_sets.models.seen import find_seen


def score_sets(
    model: str | Path,
    sets: Sequence[str | Path],
    texts: Sequence[str | Path],
    predictions: str | Path,
    drops: str | Path,
    work: str | Path,
    *,
    system: str,
    scoring: Scoring,
    code: str,
) -> None:
    """Write PREDICTIONS of a model on several sets, and SET_DROPS.

    Args:
        model: the folder of the model.
        sets: parquets of minimal sets; those without items are left out.
        texts: the training text of the model; none if it is not known.
        work: a folder for finished batches, so that an interrupted run resumes; removed at the end.
            A second run waits for it.
        system: the name of the model in tables.
        code: as in `kasu.lm.scoring.score.score_file`.

    Raises:
        KasuError: as `score_file`, or a text cannot be read.
    """
    work = Path(work)
    with held(work):
        rows, dropped = [], []
        seen = find_seen([read_items(items) for items in sets], texts) if texts else None
        for items in sets:
            if not (found := read_items(items)):
                log.warning("%s: no item to score", items)
                continue
            name = found[0]["set"]
            scores, left_out = work / f"{name}.parquet", work / f"{name}_drops.tsv"
            # The state of a finished set stays until all sets are done
            score_file(model, items, scores, left_out, work / name, scoring, code=code, keep=True)
            rows += list_predictions(items, scores, system, seen)
            dropped += [{"set": name, **row} for row in read_tsv(left_out, DROPS)]
        write_predictions(predictions, rows)
        write_tsv(drops, dropped, SET_DROPS)
        if work.exists():  # not where nothing was scored
            shutil.rmtree(work)

"""The predictions file: written by networks and heuristics, read by the evaluation."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.base.tables import write_parquet
from kasu.blm.data.problems import CANDIDATES, CONTEXT, read_variant
from kasu.blm.generation.grammar import LABELS, VARIANTS
from kasu.blm.names import TYPES

ERROR_LABELS = tuple(label for label in LABELS if label != "True")

PREDICTIONS = pa.schema(
    [
        ("regime", pa.string()),
        ("train", pa.string()),
        ("test", pa.string()),
        ("model", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
        ("problem_id", pa.string()),
        ("cluster", pa.int32()),
        ("chosen", pa.int32()),
        ("label", pa.string()),
        ("answer", pa.int32()),
    ]
)
"""One row per run and test problem. `train` and `seed` are null for heuristics; `cluster` is the
problem's row in the seeds file; `chosen` and `answer` are positions in its candidates (-1: none
chosen); `label` is that of the chosen candidate. Rows are sorted by regime, train, model, variant
and seed in the job's order, then by test type, then as in the test set."""

_READ = [
    "problem_id", "seed", "context", "candidates", "labels", "answer", "same_train"
]  # fmt: skip


def split_path(folder: str | Path, kind: str, split: str) -> Path:
    """Return the path of a split of a type in a folder of datasets."""
    return Path(folder) / kind / f"{split}.parquet"


def read_problems(path: str | Path, answers: str) -> pa.Table:
    """Read the problems of a split with the answer sets of one variant (S-9).

    Raises:
        KasuError: there are none, or one has not seven sentences and six labelled candidates.
    """
    if answers not in VARIANTS:
        raise KasuError("answers", repr(answers), " or ".join(VARIANTS))
    problems = read_variant(path, answers, _READ)
    for column, length in (
        ("context", CONTEXT),
        ("candidates", CANDIDATES),
        ("labels", CANDIDATES),
    ):
        lengths = pc.list_value_length(problems[column]).to_numpy()
        if (lengths != length).any():
            bad = int(np.flatnonzero(lengths != length)[0])
            where = f"{path}: {problems['problem_id'][bad]}"
            raise KasuError(where, f"{lengths[bad]} in {column}", f"{length}")
    answer = problems["answer"].to_numpy()
    if ((answer < 0) | (answer >= CANDIDATES)).any():
        raise KasuError(path, "an answer that is no candidate", f"0 to {CANDIDATES - 1}")
    return problems


def prediction_table(problems: pa.Table, chosen: np.ndarray, **run: object) -> pa.Table:
    """Build rows of PREDICTIONS for one run on one test set.

    Args:
        problems: from `read_problems`.
        chosen: (problems,) positions in the candidates; -1 where a heuristic chooses none.
        run: `regime`, `train`, `test`, `model`, `variant`, `seed`.
    """
    count = problems.num_rows
    labels = problems["labels"].combine_chunks().flatten()
    places = pa.array(np.arange(count) * CANDIDATES + chosen, mask=chosen < 0)  # in `labels`
    columns = {key: pa.repeat(pa.scalar(run[key], PREDICTIONS.field(key).type), count)
               for key in PREDICTIONS.names[:6]}  # fmt: skip
    columns |= {
        "problem_id": problems["problem_id"],
        "cluster": problems["seed"],
        "chosen": chosen.astype(np.int32),
        "label": labels.take(places).fill_null("none"),
        "answer": problems["answer"],
    }
    return pa.table(columns).cast(PREDICTIONS)


def predict_heuristics(
    datasets: Mapping[str, str | Path],
    predictions: str | Path,
    *,
    heuristics: Mapping[str, Callable[[pa.Table], Sequence[int]]],
    variants: Sequence[Mapping],
) -> None:
    """Let the heuristics choose on every test set (PREDICTIONS).

    Args:
        datasets: by regime, a folder of datasets.
        heuristics: by name, functions that return for each row of problems a position in its
            candidates, or -1 for none.
        variants: as in the settings of training: `name`, `answers` and perhaps `regimes`.
    """
    chosen: dict[tuple[Path, str], dict[str, np.ndarray]] = {}  # regimes may share their test sets
    tables = []
    for (regime, folder), variant, test in product(datasets.items(), variants, TYPES):
        if regime not in (variant.get("regimes") or datasets):
            continue
        path = split_path(folder, test, "test")
        problems = read_problems(path, variant["answers"])
        by_model = chosen.setdefault((path, variant["answers"]), {})
        run = {"regime": regime, "train": None, "test": test, "variant": variant["name"]}
        for model, choose in heuristics.items():
            if model not in by_model:
                by_model[model] = np.asarray(choose(problems))
            choices = by_model[model]
            tables.append(prediction_table(problems, choices, **run, model=model, seed=None))
    write_parquet(predictions, pa.concat_tables(tables), PREDICTIONS)

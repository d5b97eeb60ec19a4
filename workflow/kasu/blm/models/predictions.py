"""The predictions file: written by networks and heuristics, read by the evaluation."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.blm.data.names import REGIMES, SAME, SPLITS, TYPES, RegimeData
from kasu.blm.data.problems import CANDIDATES, CONTEXT, read_variant
from kasu.blm.generation.grammar import LABELS, VARIANTS
from kasu.files.tables import write_parquet

ERROR_LABELS = tuple(label for label in LABELS if label != "True")

PREDICTIONS = pa.schema(
    [
        ("regime", pa.string()),
        ("fold", pa.int32()),
        ("train", pa.string()),
        ("test", pa.string()),
        ("model", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
        ("capped", pa.bool_()),
        ("problem_id", pa.string()),
        ("cluster", pa.int32()),
        ("chosen", pa.int32()),
        ("label", pa.string()),
        ("answer", pa.int32()),
    ]
)
"""One row per run and test problem.

`fold` is null where seeds are not divided into folds, `train` for heuristics that read no training
set, `seed` and `capped` for all heuristics. `capped` is true where `max_steps` ended the training.
`cluster` is the problem's row in the seeds file; `chosen` and `answer` are positions in its
candidates (-1: none chosen); `label` is that of the chosen candidate. Rows are sorted by regime,
fold, train, model, variant and seed in the job's order, then by test type, then as in the test
set."""
_RUN = PREDICTIONS.names[: PREDICTIONS.names.index("problem_id")]

_READ = [
    "problem_id", "seed", "context", "candidates", "labels", "answer", "same_train"
]  # fmt: skip


def trains_in(variant: Mapping, regime: str) -> bool:
    """Return whether a variant, from the settings of training, has networks of a regime."""
    return regime in (variant.get("regimes") or REGIMES)


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


def read_training(regime: RegimeData, kind: str, answers: str) -> tuple[pa.Table, pa.Table]:
    """Read the problems of a type that a regime trains and validates on.

    Raises:
        KasuError: as `read_problems`; or none is marked for the regime `sameTrain`.
    """
    train, validation = (
        read_problems(split_path(regime.folder, kind, split), answers) for split in SPLITS[:2]
    )
    if regime.name != SAME:
        return train, validation
    # `sameTrain` divides the problems of train and validation anew
    pool = pa.concat_tables([train, validation])
    train, validation = (pool.filter(pc.equal(pool["same_train"], split)) for split in SPLITS[:2])
    if not train.num_rows or not validation.num_rows:
        where = split_path(regime.folder, kind, "train")
        raise KasuError(where, "no problems of sameTrain", "a column same_train with them")
    return train, validation


def prediction_table(problems: pa.Table, chosen: np.ndarray, **run: object) -> pa.Table:
    """Build rows of PREDICTIONS for one run on one test set.

    Args:
        problems: from `read_problems`.
        chosen: (problems,) positions in the candidates; -1 where a heuristic chooses none.
        run: the columns of PREDICTIONS before `problem_id`; null where left out.
    """
    count = problems.num_rows
    labels = problems["labels"].combine_chunks().flatten()
    places = pa.array(np.arange(count) * CANDIDATES + chosen, mask=chosen < 0)  # in `labels`
    columns = {key: pa.repeat(pa.scalar(run.get(key), PREDICTIONS.field(key).type), count)
               for key in _RUN}  # fmt: skip
    columns |= {
        "problem_id": problems["problem_id"],
        "cluster": problems["seed"],
        "chosen": chosen.astype(np.int32),
        "label": labels.take(places).fill_null("none"),
        "answer": problems["answer"],
    }
    return pa.table(columns).cast(PREDICTIONS)


def predict_heuristics(
    regimes: Sequence[RegimeData],
    predictions: str | Path,
    *,
    heuristics: Mapping[str, Callable[[pa.Table], Sequence[int]]],
    learned: Mapping[str, Callable[[pa.Table, pa.Table], np.ndarray]],
    variants: Sequence[Mapping],
) -> None:
    """Let the heuristics choose on every test set (PREDICTIONS).

    Args:
        heuristics: by name, functions that return for each row of problems a position in its
            candidates, or -1 for none.
        learned: the same, as functions of training problems and problems.
        variants: as in the settings of training: `name`, `answers` and perhaps `regimes`.
    """
    # Regimes may share their test sets
    chosen: dict[tuple[str, str, str], tuple[pa.Table, dict[str, np.ndarray]]] = {}
    tables = []
    ran = [place for place in product(regimes, variants) if trains_in(place[1], place[0].name)]
    for (regime, variant), test in product(ran, TYPES):
        key = regime.folder, test, variant["answers"]
        if key not in chosen:
            problems = read_problems(split_path(regime.folder, test, "test"), variant["answers"])
            by_model = {name: np.asarray(choose(problems)) for name, choose in heuristics.items()}
            chosen[key] = problems, by_model
        problems, by_model = chosen[key]
        run = {"regime": regime.name, "fold": regime.fold, "test": test, "variant": variant["name"]}
        tables += [
            prediction_table(problems, choices, **run, model=model)
            for model, choices in by_model.items()
        ]
    # Solvers that learn choose once for each type that they are trained on
    for (regime, variant), train in product(ran, TYPES):
        training, _ = read_training(regime, train, variant["answers"])
        run = {"regime": regime.name, "fold": regime.fold, "variant": variant["name"]}
        for (model, choose), test in product(learned.items(), TYPES):
            problems, _ = chosen[regime.folder, test, variant["answers"]]
            choices = choose(training, problems)
            tables.append(
                prediction_table(problems, choices, **run, train=train, test=test, model=model)
            )
    write_parquet(predictions, pa.concat_tables(tables), PREDICTIONS)

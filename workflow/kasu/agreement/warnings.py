"""Warnings of the agreement study: networks that give one label, or answer as a null does."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from kasu.agreement.data.tasks import BASELINES, VERB_NUMBER
from kasu.agreement.runs import PredictionFile
from kasu.files.tables import read_parquet
from kasu.results.warnings.signs import like, one_answer, one_class
from kasu.results.warnings.table import ResultWarning

_SLOT, _WORDS = ("variant", "slot"), ("variant",)


def find_warnings(
    files: Mapping[str, Sequence[str]], *, runs: Sequence[Mapping[str, str]]
) -> Iterator[ResultWarning]:
    """Compare what the systems of each task answer on a corpus under a condition.

    Args:
        files: `predictions` of both tasks, which `runs` names.
        runs: what each file is about (`PredictionFile`).
    """
    together: dict[tuple[str, ...], dict[str, str]] = {}
    for run in (PredictionFile(**each) for each in runs):
        cell = together.setdefault((run.task, run.corpus, run.condition), {})
        cell[run.system] = run.predictions
    for place, systems in together.items():
        yield from _compare(place, systems)


def _compare(place: tuple[str, ...], systems: Mapping[str, str]) -> Iterator[ResultWarning]:
    task, *_ = place
    nulls: dict[tuple, dict[str, pd.DataFrame]] = {}
    # Nulls come first, so that each network has them beside it
    order = sorted(systems, key=lambda system: system not in BASELINES[task])
    tested = set()
    for system in order:
        for key, seed, answers in _read(systems[system], _SLOT if task == VERB_NUMBER else _WORDS):
            where = ", ".join((*place, *key, f"{len(answers):,} items"))
            if key not in tested:
                tested.add(key)
                if wrong := one_class(answers["gold"]):
                    yield ResultWarning("test set", wrong, where)
            if system in BASELINES[task]:
                nulls.setdefault(key, {})[system] = answers
                continue
            if seed is not None:
                where = f"{where}, seed {seed}"
            if wrong := one_answer(answers["prediction"], answers["gold"]):
                yield ResultWarning(system, wrong, where)
                continue
            for null, others in nulls.get(key, {}).items():
                if wrong := like(
                    answers["prediction"], others["prediction"], answers["gold"], null
                ):
                    yield ResultWarning(system, wrong, where)
                    break


def _read(
    path: str, keys: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], int | None, pd.DataFrame]]:
    """Yield the key, the seed and the answers of each run; items come in the order of the test."""
    columns = [*keys, "seed", "gold", "prediction"]
    frame = read_parquet(path, columns).to_pandas(strings_to_categorical=True)
    # Categories of another file would not compare
    for (*key, seed), answers in frame.groupby([*keys, "seed"], dropna=False, observed=True):
        values = answers[["gold", "prediction"]].astype(str)
        yield tuple(map(str, key)), None if pd.isna(seed) else int(seed), values

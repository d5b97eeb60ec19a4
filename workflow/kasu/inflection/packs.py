"""Run one system in one setting over a pack of languages (design: Packs).

What a language took to predict is kept until the whole pack is done, so that a language that fails,
or a kill, costs no other language its work.
"""

import hashlib
import importlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.run import Progress, log
from kasu.base.tables import file_hash, landing
from kasu.inflection.data.triples import read_dataset
from kasu.inflection.predictions import write_predictions


@dataclass(frozen=True)
class Task:
    """One language of a pack: where its parts lie, and where its predictions go."""

    language: str
    train: Path
    dev: Path
    test: Path
    predictions: Path


def inflect_pack(
    tasks: Sequence[Task],
    work: str | Path,
    *,
    system: str,
    variants: Sequence[str],
    seeds: Sequence[int],
    settings: Mapping[str, object],
    code: str,
) -> None:
    """Train a system on each language and write what it predicts for its test set.

    Args:
        work: a folder for what is done, until all is; removed at the end.
        system: a module of `kasu.inflection.systems`.
        code: hash of the code that predictions depend on, besides data and settings.

    Raises:
        KasuError: languages failed; names them, after all others are done and kept.
    """
    inflect = importlib.import_module(f"kasu.inflection.systems.{system}").inflect
    facts = [system, list(variants), list(seeds), dict(settings), code]
    progress = Progress(system, len(tasks), "languages")
    done, failures = {}, []
    for task in tasks:
        kept = Path(work) / f"{task.language}-{_digest(facts, task)}.parquet"
        if not kept.exists():
            try:
                _inflect(inflect, task, kept, variants=variants, seeds=seeds, settings=settings)
            except KasuError as error:
                log.info("%s failed: %s", task.language, error)
                failures.append(f"{task.language} ({error})")
                continue
        done[task] = kept
        progress.add()
    progress.report()
    if failures:
        found = f"{len(failures)} of {len(tasks)} languages failed: {'; '.join(failures)}"
        raise KasuError(system, found, "all; the others are kept for the next run")
    for task, kept in done.items():
        # Snakemake deletes the outputs of a killed job: what is kept stays until all have landed
        with landing(task.predictions) as part:
            shutil.copyfile(kept, part)
    shutil.rmtree(work, ignore_errors=True)


def _inflect(inflect: Callable, task: Task, kept: Path, **settings: object) -> None:
    train, dev, test = map(read_dataset, (task.train, task.dev, task.test))
    asked = [(triple.lemma, triple.features) for triple in test]
    # A setting without a training set: a file without a row
    found = inflect(train, dev, asked, **settings) if train else {}
    write_predictions(kept, test, found)


def _digest(facts: object, task: Task) -> str:
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for path in (task.train, task.dev, task.test):
        digest.update(file_hash(path).encode())
    return digest.hexdigest()[:16]

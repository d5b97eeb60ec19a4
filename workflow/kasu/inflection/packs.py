"""Train the members of a family in one setting over a pack of languages.

A finished language is kept until the whole pack is done, so a kill costs no other language its
work. A language whose data are at fault is reported and loses no other.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.base.run import Progress, log
from kasu.base.tables import file_hash, read_parquet, write_parquet, write_tsv
from kasu.inflection.data.triples import read_dataset
from kasu.inflection.families import load_family
from kasu.inflection.members import FAILURES, MEMBERS, members_table


@dataclass(frozen=True)
class Block:
    """Members of a family that one job trains in one setting.

    Attributes:
        options: the family's section of the config.
        code: hash of the code that answers depend on.
    """

    family: str
    setting: str
    members: tuple[str, ...]
    options: Mapping[str, object]
    code: str


@dataclass(frozen=True)
class Task:
    """The datasets of one language."""

    language: str
    train: Path
    dev: Path
    test: Path


def inflect_pack(
    block: Block, tasks: Sequence[Task], members: str | Path, failures: str | Path, work: str | Path
) -> None:
    """Train a block of members on each language and write their answers for dev and test.

    A language without a training set in this setting has no rows.

    Args:
        members: parquet file of MEMBERS to write.
        failures: table of FAILURES to write, one row per language whose data are at fault.
        work: folder for finished languages, removed once all are.
    """
    progress = Progress(block.family, len(tasks), "languages")
    kept: list[Path] = []
    failed: list[dict[str, str]] = []
    named = {"family": block.family, "setting": block.setting, "members": " ".join(block.members)}
    for task in sorted(tasks, key=lambda task: task.language):
        done = Path(work) / f"{task.language}-{_digest(block, task)}.parquet"
        try:
            if not done.exists():
                write_parquet(done, _inflect(block, task), MEMBERS)
            kept.append(done)
        except KasuError as error:
            if _is_of_the_machine(error):
                raise
            log.info("%s, %s: %s failed: %s", block.family, block.setting, task.language, error)
            failed.append({**named, "language": task.language, "reason": str(error)})
        progress.add()
    progress.report()
    # Snakemake deletes the outputs of a killed job: `work` stays until both have landed
    tables = [MEMBERS.empty_table(), *(read_parquet(path, MEMBERS.names) for path in kept)]
    write_parquet(members, pa.concat_tables(tables), MEMBERS)
    write_tsv(failures, failed, FAILURES)
    shutil.rmtree(work, ignore_errors=True)


def _inflect(block: Block, task: Task) -> pa.Table:
    train, dev, test = map(read_dataset, (task.train, task.dev, task.test))
    if not train:
        return MEMBERS.empty_table()
    answers = load_family(block.family).train(
        train,
        dev,
        [(triple.lemma, triple.features) for triple in test],
        block.members,
        block.options,
    )
    gold = {"dev": [triple.form for triple in dev], "test": [triple.form for triple in test]}
    return members_table(block.family, block.setting, task.language, gold, answers)


def _is_of_the_machine(error: KasuError) -> bool:
    """Whether the system refused to open or read a file. A re-run may succeed."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno is not None


def _digest(block: Block, task: Task) -> str:
    facts = [block.family, block.setting, block.members, dict(block.options), block.code]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for path in (task.train, task.dev, task.test):
        digest.update(file_hash(path).encode())
    return digest.hexdigest()[:16]

"""Train a block of members of a family in one setting over a pack of languages.

A finished member of a language is kept until the whole pack is done, so that a kill costs no other
member its work. When its pack gets a further language, or its block a further variant, a job runs
again; it takes all other members from the file that it landed before. A language whose data are at
fault, or a member that diverges, is reported and loses no other.
"""

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.files.locks import held
from kasu.files.tables import file_hash, read_parquet, read_tsv, write_parquet, write_tsv
from kasu.job.run import Progress, log
from kasu.transduction.items import Item
from kasu.transduction.members.answers import (
    FAILURES,
    MEMBERS,
    in_order,
    member_table,
    name_of,
    rows_of,
    runs_in,
)
from kasu.transduction.members.families import Data, Family, Run, Session, Stack

SECONDS = ("family", "setting", "language", "variant", "seed", "cpu_seconds")
"""The cost of each member of a language: CPU time of training and decoding, divided evenly among
members trained together; empty if the training went on after a kill."""

# Metadata of parquet files
_MADE = b"made"  # in a pack's file: the name of each language's folder, with a hash of all facts
_CPU_SECONDS = b"cpu_seconds"  # in a finished member's file


@dataclass(frozen=True)
class Reader:
    """A study's way to read its datasets.

    Attributes:
        read: a function of the file of a split, the setting and the name of the split that returns
            items with forms.
        fold: a function of the code of a language that returns what `member_table` takes.
        codes: the code of each dataset's language (see `Data`); empty if the study needs none.
    """

    read: Callable[[Path, str, str], list[Item]]
    fold: Callable[[str], Callable[[str], str]] = lambda code: str
    codes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """The facts that the languages of a job share.

    Attributes:
        options: the family's settings.
        device: `auto`, `cpu` or `cuda`.
        code: hash of the code that answers depend on.
        stack: see Session.
    """

    family: Family
    setting: str
    options: Mapping[str, object]
    device: str
    code: str
    stack: Stack = "auto"

    @property
    def facts(self) -> list[object]:
        """All facts of the job, for a hash."""
        options = dict(self.options)
        return [self.family.name, self.setting, options, self.device, self.code, self.stack]


@dataclass(frozen=True)
class LanguageTask:
    """One language: the members to train, its datasets, and the text that the family reads."""

    language: str
    members: tuple[Run, ...]
    train: Path
    dev: Path
    test: Path
    text: Path | None = None


@dataclass(frozen=True)
class PackFiles:
    """The files that a job writes: a parquet file of MEMBERS, tables of FAILURES and SECONDS."""

    members: Path
    failures: Path
    seconds: Path


def train_pack(
    reader: Reader, job: Job, tasks: Sequence[LanguageTask], out: PackFiles, work: str | Path
) -> None:
    """Train the members of each language and write their answers for dev and test.

    A language without a training set in this setting has no rows. Of two such jobs of one `work`,
    the second waits for the first.

    Args:
        work: folder for finished members and for states of the training that runs, removed once
            all outputs have landed.
    """
    family = job.family.name
    with held(work):
        progress = Progress(f"{family}, {job.setting}", len(tasks), "languages")
        named = _files(job)
        folders = {
            task: Path(work) / f"{task.language}-{_digest(reader, job, task, named)}"
            for task in sorted(tasks, key=lambda task: task.language)
        }
        _take_back(out, folders.values())
        failed: list[dict[str, str]] = []
        for task, folder in folders.items():
            for runs, error in _train(reader, job, task, folder):
                names = " ".join(map(name_of, runs))
                log.warning(
                    "%s, %s: %s, %s: %s", job.family.name, job.setting, task.language, names, error
                )
                row = (family, job.setting, names, task.language, str(error))
                failed.append(dict(zip(FAILURES, row, strict=True)))
            progress.add()
        progress.report()
        # Snakemake takes a killed job's outputs for broken: `work` stays until all have landed
        _land(job, folders, out)
        write_tsv(out.failures, failed, FAILURES)
        shutil.rmtree(work, ignore_errors=True)


def _train(
    reader: Reader, job: Job, task: LanguageTask, folder: Path
) -> list[tuple[Sequence[Run], KasuError]]:
    """Train the members that `folder` lacks, and add them; return those that failed."""
    lacking = [run for run in task.members if not _file(folder, run).exists()]
    try:
        train, dev, test = (
            reader.read(getattr(task, split), job.setting, split)
            for split in ("train", "dev", "test")
        )
        if not lacking or not train:
            return []
        # No family sees the right forms of the test items
        asked = [item._replace(target=None) for item in test]
        code = reader.codes.get(task.language, "")
        text = _read_text(reader, job, task, test)
        data = Data(task.language, job.setting, train, dev, asked, code, text)
        states = folder / "states"
        resumes = states.exists() and any(states.iterdir())
        states.mkdir(parents=True, exist_ok=True)
        began = time.process_time()
        with hint(change=f"smaller layers or batches of {job.family.name}"):
            session = Session(states, job.device, job.stack)
            found = job.family.train(data, lacking, job.options, session)
        # Of a training that resumed, only the last part was measured
        seconds = None if resumes else (time.process_time() - began) / len(lacking)
    except KasuError as error:
        if is_of_the_machine(error) or _is_of_the_config(job, error):
            raise
        return [(lacking, error)]
    gold = {"dev": _forms(dev), "test": _forms(test)}
    failed: list[tuple[Sequence[Run], KasuError]] = []
    for run in lacking:
        answers = found[run]
        if isinstance(answers, KasuError):
            failed.append(([run], answers))
        else:
            named = (job.family.name, job.setting, task.language, run)
            table = member_table(*named, gold, answers, reader.fold(code))
            _keep(folder, run, table, "" if seconds is None else f"{seconds:.3f}")
    shutil.rmtree(states)
    return failed


def _read_text(reader: Reader, job: Job, task: LanguageTask, test: Sequence[Item]) -> list[str]:
    """Return the forms that a family reads as text, and say how many test forms are among them."""
    if task.text is None or not job.family.reads:
        return []
    text = _forms(reader.read(task.text, job.family.reads, "train"))
    in_text = {*text}
    if known := sum(form in in_text for form in _forms(test)):
        counted = f"{known} of {len(test)} test forms are among the forms of {job.family.reads}"
        log.warning("%s, %s: %s", job.family.name, task.language, counted)
    return text


def _forms(items: Iterable[Item]) -> list[str]:
    return ["".join(item.target or ()) for item in items]


def is_of_the_machine(error: KasuError) -> bool:
    """Return whether the system refused a file, or has no GPU; a re-run may succeed."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno is not None


def _is_of_the_config(job: Job, error: KasuError) -> bool:
    """Return whether a file that the family's settings name is at fault, whatever the language."""
    return any(str(error).startswith(f"{file}:") for file in _files(job))


def _files(job: Job) -> list[Path]:
    """List the files that the family's settings name."""
    return [Path(str(job.options[name])) for name in job.family.files]


def _digest(reader: Reader, job: Job, task: LanguageTask, named: Iterable[Path]) -> str:
    """Return a hash of what the answers of a language depend on, whoever the member.

    Args:
        named: the files that the family's settings name; the family reports one that is missing.
    """
    facts = [*job.facts, *filter(None, [reader.codes.get(task.language)])]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    read = (task.train, task.dev, task.test, task.text)
    for path in (*filter(None, read), *filter(Path.is_file, named)):
        digest.update(file_hash(path).encode())
    return digest.hexdigest()[:16]


# Finished members: a file each while the pack is at work, then rows of the pack's file


def _file(folder: Path, run: Run) -> Path:
    return folder / f"{name_of(run)}.parquet"


def _keep(folder: Path, run: Run, table: pa.Table, seconds: str) -> None:
    write_parquet(_file(folder, run), table, MEMBERS.with_metadata({_CPU_SECONDS: seconds}))


def _take_back(out: PackFiles, folders: Iterable[Path]) -> None:
    """Put members that an earlier run of the job has landed back into their folders.

    Members made from other data, options or code have another folder.
    """
    if not (out.members.exists() and out.seconds.exists()):
        return
    try:
        landed = read_parquet(out.members)
        costs = {_key(row): row["cpu_seconds"] for row in read_tsv(out.seconds, SECONDS)}
    except KasuError as error:
        log.warning("%s: trained again", error)
        return
    made = json.loads((landed.schema.metadata or {}).get(_MADE, b"{}"))
    by_name = {folder.name: folder for folder in folders}
    for language, name in made.items():
        if folder := by_name.get(name):
            rows = landed.filter(pc.equal(landed["language"], language))
            for run in runs_in(rows):
                key = (language, *(str(part or "") for part in run))
                _keep(folder, run, rows_of(rows, run), costs.get(key, ""))


def _key(row: Mapping[str, str]) -> tuple[str, ...]:
    return row["language"], row["variant"], row["seed"]


def _land(job: Job, folders: Mapping[LanguageTask, Path], out: PackFiles) -> None:
    """Join the finished members to the files of the pack."""
    tables, seconds = [MEMBERS.empty_table()], []
    for task, folder in folders.items():
        for run in sorted(task.members, key=in_order):
            if (file := _file(folder, run)).exists():
                table = read_parquet(file)
                tables.append(table.replace_schema_metadata())
                cost = table.schema.metadata[_CPU_SECONDS].decode()
                row = (job.family.name, job.setting, task.language, *run, cost)
                seconds.append(dict(zip(SECONDS, row, strict=True)))
    made = json.dumps({task.language: folder.name for task, folder in folders.items()})
    write_parquet(out.members, pa.concat_tables(tables), MEMBERS.with_metadata({_MADE: made}))
    write_tsv(out.seconds, seconds, SECONDS)

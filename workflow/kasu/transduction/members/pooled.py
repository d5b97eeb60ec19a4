"""Train a block of members of a family on several languages at once.

Such a family has `pools`. It gets all languages that a member learns from as one, POOL; the
last tag of each item names its language. The answers are kept language by language, as for any
other family.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, islice
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.tables import file_hash
from kasu.transduction.items import Item, named, unnamed
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session
from kasu.transduction.members.packs import (
    Job,
    LanguageTask,
    PackFiles,
    Reader,
    is_of_the_machine,
    train_pack,
)

POOL = "pool"
Parts = dict[str, list[Item]]
"""Items by split."""


def train_pooled(
    reader: Reader, job: Job, tasks: Sequence[LanguageTask], out: PackFiles, work: str | Path
) -> None:
    """Train members on the training sets of their languages; write what `train_pack` writes.

    A language whose data are at fault, or without a training set, is left out. A further language
    trains all of them again. The cost of a member is written for its first language.

    Args:
        work: as for `train_pack`, with states of the pool's training too.
    """
    # The answers in each language depend on the data of all, and on which ones are pooled
    data = sorted((t.language, *map(file_hash, (t.train, t.dev, t.test))) for t in tasks)
    pools = sorted({pool_of(run, tasks) for task in tasks for run in task.members})
    facts = json.dumps([job.facts, data, pools], sort_keys=True)
    digest = hashlib.sha256(facts.encode()).hexdigest()[:16]
    pool = _Pool(reader, job, tasks, Path(work) / f"{POOL}-{digest}")
    divided = CustomFamily(
        job.family.module,
        members=job.family.members,
        submissions=job.family.submissions,
        files=job.family.files,
        trained_by=pool.train,
    )
    train_pack(reader, replace(job, family=divided, code=digest), tasks, out, work)


def pool_of(run: Run, tasks: Sequence[LanguageTask]) -> tuple[str, ...]:
    """Return the languages that a member learns from."""
    return tuple(sorted(task.language for task in tasks if run in task.members))


def by_language(data: Data) -> dict[str, Data]:
    """Divide a pool into its languages, as if each had been given alone.

    Data of one language stay as they are.
    """
    if data.language != POOL:
        return {data.language: data}
    parts: dict[str, dict[str, list[Item]]] = {}
    for split in ("train", "dev", "test"):
        for each in getattr(data, split):
            language, item = unnamed(each)
            lists = parts.setdefault(language, {"train": [], "dev": [], "test": []})
            lists[split].append(item)
    return {
        name: Data(name, data.setting, lists["train"], lists["dev"], lists["test"])
        for name, lists in parts.items()
    }


def joined(answers: Iterable[Answers]) -> Answers:
    """Join answers to each language, in the order of `by_language`, to the answers to a pool."""
    dev, test = zip(*answers, strict=True)
    return Answers([*chain.from_iterable(dev)], [*chain.from_iterable(test)])


@dataclass(frozen=True)
class _Pool:
    """Members that are trained on all their languages once, and answer each of them."""

    reader: Reader
    job: Job
    tasks: Sequence[LanguageTask]
    states: Path
    trained: dict[Run, dict[str, Answers | KasuError]] = field(default_factory=dict)

    def train(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> dict[Run, Answers | KasuError]:
        """Return the answers in one language; the first call trains on all."""
        # A job that resumes finds it, and states no cost
        (session.work / POOL).touch()
        if lacking := [run for run in members if run not in self.trained]:
            self._train(lacking, options, session)
        return {run: self.trained[run][data.language] for run in members}

    def _train(
        self, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> None:
        self.states.mkdir(parents=True, exist_ok=True)
        readable = self._read()
        for names, group in groupby(members, key=lambda run: pool_of(run, self.tasks)):
            languages = {name: readable[name] for name in names if name in readable}
            self._train_on(languages, [*group], options, session)

    def _train_on(
        self,
        languages: Mapping[str, Parts],
        members: Sequence[Run],
        options: Mapping[str, object],
        session: Session,
    ) -> None:
        train, dev, test = (
            [item for parts in languages.values() for item in parts[split]]
            for split in ("train", "dev", "test")
        )
        asked = [item._replace(target=None) for item in test]
        found = self.job.family.train(
            Data(POOL, self.job.setting, train, dev, asked),
            members, options, session._replace(work=self.states),
        )  # fmt: skip
        for run in members:
            answers = found[run]
            if isinstance(answers, KasuError):
                self.trained[run] = dict.fromkeys(languages, answers)
            else:
                self.trained[run] = _divide(answers, languages)

    def _read(self) -> dict[str, Parts]:
        """Read the items of each language, with the language as a tag."""
        languages: dict[str, Parts] = {}
        for task in sorted(self.tasks, key=lambda task: task.language):
            try:
                parts = {
                    split: [
                        named(item, task.language)
                        for item in self.reader.read(getattr(task, split), self.job.setting, split)
                    ]
                    for split in ("train", "dev", "test")
                }
            except KasuError as error:
                if is_of_the_machine(error):
                    raise
                continue  # `train_pack` reports it
            if parts["train"]:
                languages[task.language] = parts
        return languages


def _divide(answers: Answers, languages: Mapping[str, Parts]) -> dict[str, Answers | KasuError]:
    """Divide the answers to a pool, which come in the languages' order, by language."""
    dev, test = iter(answers.dev), iter(answers.test)
    return {
        language: Answers(
            list(islice(dev, len(parts["dev"]))), list(islice(test, len(parts["test"])))
        )
        for language, parts in languages.items()
    }

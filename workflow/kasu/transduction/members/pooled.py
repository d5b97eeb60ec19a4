"""Train a block of members of a family on all languages of a setting at once.

Such a family has `POOLED = True`. To it, all languages are one, POOL, and the last tag of each item
says which one it is from. Its answers are kept language by language, as those of any other family.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import cast

from kasu.base.errors import KasuError
from kasu.base.tables import file_hash
from kasu.transduction.items import Item
from kasu.transduction.members.families import Answers, Data, Families, Family, Run, Session
from kasu.transduction.members.packs import Job, Outputs, Study, Task, train_pack

POOL = "pool"
LANGUAGE = "language:"
"""What the tag of an item's language begins with."""

Parts = dict[str, list[Item]]
"""Items by split."""


def train_pooled(
    study: Study, job: Job, tasks: Sequence[Task], out: Outputs, work: str | Path
) -> None:
    """Train members on the training sets of all languages; write what `train_pack` writes.

    A language whose data are at fault, or without a training set, is left out. A further language
    trains all of them again. The cost of a member stands with the first language.

    Args:
        work: as for `train_pack`, with states of the pool's training too.
    """
    # The answers in each language depend on the data of all
    data = sorted((t.language, *map(file_hash, (t.train, t.dev, t.test))) for t in tasks)
    facts = json.dumps([asdict(job), data], sort_keys=True)
    digest = hashlib.sha256(facts.encode()).hexdigest()[:16]
    pool = _Pool(study.families.package, study, job, tasks, Path(work) / f"{POOL}-{digest}")
    train_pack(replace(study, families=pool), replace(job, code=digest), tasks, out, work)


@dataclass(frozen=True)
class _Pool(Families):
    """A family whose members, trained on all languages once, answer each of them."""

    study: Study
    job: Job
    tasks: Sequence[Task]
    states: Path
    trained: dict[Run, dict[str, Answers | KasuError]] = field(default_factory=dict)

    def load(self, name: str) -> Family:
        return cast(Family, self)

    def train(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> dict[Run, Answers | KasuError]:
        """The answers in one language; the first one trains."""
        # A job that resumes finds it, and states no cost
        (session.work / POOL).touch()
        if lacking := [run for run in members if run not in self.trained]:
            self._train(lacking, options, session)
        return {run: self.trained[run][data.language] for run in members}

    def _train(
        self, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> None:
        self.states.mkdir(parents=True, exist_ok=True)
        languages = self._read()
        train, dev, test = (
            [item for parts in languages.values() for item in parts[split]]
            for split in ("train", "dev", "test")
        )
        asked = [item._replace(target=None) for item in test]
        found = self.study.families.load(self.job.family).train(
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
        """The items of each language, with the language as a tag."""
        languages: dict[str, Parts] = {}
        for task in sorted(self.tasks, key=lambda task: task.language):
            tag = LANGUAGE + task.language
            try:
                parts = {
                    split: [
                        item._replace(tags=(*item.tags, tag))
                        for item in self.study.read(getattr(task, split), self.job.setting, split)
                    ]
                    for split in ("train", "dev", "test")
                }
            except KasuError as error:
                if getattr(error.__cause__, "errno", None) is not None:
                    raise  # the system refused a file
                continue  # `train_pack` reports it
            if parts["train"]:
                languages[task.language] = parts
        return languages


def _divide(answers: Answers, languages: Mapping[str, Parts]) -> dict[str, Answers | KasuError]:
    """The answers of each language; those of the pool come in the languages' order."""
    dev, test = iter(answers.dev), iter(answers.test)
    return {
        language: Answers(
            list(islice(dev, len(parts["dev"]))), list(islice(test, len(parts["test"])))
        )
        for language, parts in languages.items()
    }

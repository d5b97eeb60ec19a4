"""A job of a study: a block of members of a family, on the languages that the plan gives it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from kasu.transduction.members.families import Run
from kasu.transduction.members.packs import Job, LanguageTask, PackFiles, Reader, train_pack
from kasu.transduction.members.pooled import train_pooled


def train_members(
    reader: Reader,
    job: Job,
    members: Mapping[str, Sequence[Sequence]],
    splits: Mapping[str, Sequence[str]],
    out: Sequence[str],
    work: str,
) -> None:
    """Train members on each language, or on pools of languages where the family has pools.

    Args:
        members: variant and seed of each, by language.
        splits: training set, dev, test, and the text that the family reads, if any, by language.
        out: the files for members, failures and seconds.
        work: as for `train_pack`.
    """
    tasks = [
        LanguageTask(language, tuple(Run(*run) for run in runs), *map(Path, splits[language]))
        for language, runs in members.items()
    ]
    train = train_pooled if job.setting in job.family.pools else train_pack
    train(reader, job, tasks, PackFiles(*map(Path, out)), work)

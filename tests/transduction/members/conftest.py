"""A pack of languages on disk, and a family that trains nothing."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from kasu.config.settings import Section
from kasu.files.tables import read_parquet, read_tsv
from kasu.inflection.data.triples import Triple, read_items, write_dataset
from kasu.transduction.items import Answer
from kasu.transduction.members.families import Answers, CustomFamily, Families, Run
from kasu.transduction.members.packs import Job, LanguageTask, PackFiles, Reader, train_pack


@dataclass
class Pack:
    """The files of a pack, and what is in it unless a test says otherwise."""

    TRIPLES: ClassVar = [Triple("kasu", "kasua", "N;SG"), Triple("mutil", "mutil", "N;PL")]
    ONE: ClassVar = Run("m", 1)
    TWO: ClassVar = Run("n", 1)

    folder: Path
    tasks: list[LanguageTask] = field(default_factory=list)
    read: Callable = read_items
    fold: Callable = str
    codes: dict = field(default_factory=dict)

    def add(self, language, low=TRIPLES, test=TRIPLES, members=(ONE, TWO)):
        folder = self.folder / "datasets" / language
        splits = {"low": low, "dev": self.TRIPLES[:1], "test": test}
        write_dataset(folder, splits, {}, language=language, sources=[])
        parts = (folder / f"{split}.parquet" for split in ("low", "dev", "test"))
        self.tasks.append(LanguageTask(language, tuple(members), *parts))

    @property
    def members(self):
        return self.folder / "members.parquet"

    @property
    def work(self):
        return self.folder / "work"

    @property
    def out(self):
        return PackFiles(self.members, self.folder / "failures.tsv", self.folder / "seconds.tsv")

    @property
    def failures(self):
        return read_tsv(self.out.failures)

    @property
    def languages(self):
        return set(read_parquet(self.members)["language"].to_pylist())

    def run(self, **changes):
        family = Families("systems").load("copy")
        job = replace(Job(family, "low", {"key": [1]}, "cpu", "1"), **changes)
        reader = Reader(
            lambda path, setting, split: self.read(path), lambda code: self.fold, self.codes
        )
        train_pack(reader, job, self.tasks, self.out, self.work)


@pytest.fixture
def new_pack(tmp_path):
    """Make a pack without a language, in a folder of its own."""
    return lambda name: Pack(tmp_path / name)


@pytest.fixture
def pack(tmp_path):
    pack = Pack(tmp_path)
    pack.add("b", [Triple("etxe", "etxea", "N;SG")])
    pack.add("a")
    return pack


@pytest.fixture
def family(monkeypatch):
    """A family that answers with the lemma.

    `raising` maps a language to what its training raises, `diverging` a language and member to the
    error in place of its answers. `calls` holds what was trained.
    """
    module = ModuleType("systems.copy")
    module.calls, module.raising, module.diverging, module.seen = [], {}, {}, []

    def train(data, members, options, session):
        module.calls.append((data.language, *members))
        module.seen.append((data, options, session))
        if data.language in module.raising:
            (session.work / "state").write_text("half")
            raise module.raising[data.language]
        answers = Answers(
            *([Answer([item.source]) for item in items] for items in (data.dev, data.test))
        )
        return {run: module.diverging.get((data.language, run), answers) for run in members}

    module.train = train
    module.FAMILY = CustomFamily(
        "systems.copy",
        members={"low": 1},
        submissions={},
        trained_by=lambda *given: module.train(*given),
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


class Keyed(Section):
    """Settings of a family that reads a file."""

    key: str = ""


@pytest.fixture
def reads_a_file(family):
    """The family reads the file that its setting `key` names."""
    family.FAMILY = replace(family.FAMILY, settings=Keyed, files=("key",))

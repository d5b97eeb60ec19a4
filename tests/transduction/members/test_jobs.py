"""What a job is given by the plan: one training per language, or one for all."""

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from kasu.files.tables import read_parquet
from kasu.inflection.data.triples import Triple, read_items, write_dataset
from kasu.transduction.items import Answer
from kasu.transduction.members.families import Answers, CustomFamily, Families, together
from kasu.transduction.members.jobs import train_members
from kasu.transduction.members.packs import Job, Reader


@pytest.fixture
def family(monkeypatch):
    """A family that answers with how many training items it had."""
    module = ModuleType("systems.count")

    def train(data, members, options, session):
        def answer(items):
            return [Answer([str(len(data.train))]) for _ in items]

        return dict.fromkeys(members, Answers(answer(data.dev), answer(data.test)))

    module.FAMILY = CustomFamily(
        "systems.count", members={"low": 1}, submissions={}, trained_by=train
    )
    monkeypatch.setitem(sys.modules, "systems.count", module)
    return module


@pytest.mark.parametrize(("pooled", "answers"), [(False, {"2"}), (True, {"4"})])
def test_members_learn_from_each_language_or_from_all(tmp_path, family, pooled, answers):
    pools = {"low": together} if pooled else {"high": together}
    family.FAMILY = replace(family.FAMILY, pools=pools)
    splits = {}
    for language in ("a", "b"):
        triples = [Triple(f"{language}{n}", f"{language}{n}k", "N") for n in range(2)]
        parts = {"low": triples, "dev": triples, "test": triples}
        folder = tmp_path / language
        write_dataset(folder, parts, {}, language=language, sources=[])
        splits[language] = [f"{folder}/{split}.parquet" for split in parts]
    out = [str(tmp_path / name) for name in ("members.parquet", "failures.tsv", "seconds.tsv")]
    train_members(
        Reader(lambda path, setting, split: read_items(path)),
        Job(Families("systems").load("count"), "low", {}, "cpu", "1"),
        {"a": [["one", 1]], "b": [["one", 1]]}, splits, out, str(tmp_path / "work"),
    )  # fmt: skip
    assert set(read_parquet(out[0])["prediction"].to_pylist()) == answers

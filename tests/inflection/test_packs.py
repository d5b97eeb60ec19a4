"""A block of members over a pack of languages: one file, and no language costs another its work."""

import sys
from dataclasses import dataclass, field
from types import ModuleType

import pytest

import kasu.inflection.packs as packs
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv
from kasu.inflection.data.triples import Triple, write_dataset
from kasu.inflection.families import Answer, Answers
from kasu.inflection.packs import Block, Task, inflect_pack

TRIPLES = [Triple("kasu", "kasua", "N;SG"), Triple("mutil", "mutil", "N;PL")]


@dataclass
class Pack:
    """The files of a pack."""

    folder: object
    tasks: list[Task] = field(default_factory=list)

    def add(self, language, low=TRIPLES, test=TRIPLES):
        folder = self.folder / "datasets" / language
        splits = {"low": low, "dev": TRIPLES[:1], "test": test}
        write_dataset(folder, splits, {}, language=language, sources=[])
        parts = (folder / f"{split}.parquet" for split in ("low", "dev", "test"))
        self.tasks.append(Task(language, *parts))

    @property
    def members(self):
        return self.folder / "members.parquet"

    @property
    def failures(self):
        return self.folder / "failures.tsv"

    @property
    def work(self):
        return self.folder / "work"

    def run(self, code="1"):
        block = Block("copy", "low", ("m", "n"), {"key": [1]}, code)
        inflect_pack(block, self.tasks, self.members, self.failures, self.work)


@pytest.fixture
def pack(tmp_path):
    pack = Pack(tmp_path)
    pack.add("b", [Triple("etxe", "etxea", "N;SG")])
    pack.add("a")
    return pack


@pytest.fixture
def family(monkeypatch):
    """A family that answers with the lemma; `raising` maps a first lemma to what it raises."""
    module = ModuleType("kasu.inflection.systems.copy")
    module.calls, module.raising = [], {}

    def train(train, dev, test, members, options):
        module.calls.append(train[0].lemma)
        if train[0].lemma in module.raising:
            raise module.raising[train[0].lemma]
        asked = [lemma for lemma, *_ in dev], [lemma for lemma, _ in test]
        answers = Answers(*([Answer([lemma]) for lemma in lemmas] for lemmas in asked))
        return dict.fromkeys(members, answers)

    module.train = train
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_one_file_has_all_languages_in_order_of_their_names(pack, family):
    pack.run()
    rows = read_parquet(pack.members).to_pylist()
    assert [row["language"] for row in rows] == ["a"] * 6 + ["b"] * 6
    columns = ("split", "member", "item", "prediction", "gold", "dev_accuracy")
    assert [tuple(row[name] for name in columns) for row in rows[:6]] == [
        ("dev", "m", 0, "kasu", "kasua", 0.0),
        ("dev", "n", 0, "kasu", "kasua", 0.0),
        ("test", "m", 0, "kasu", "kasua", 0.0),
        ("test", "m", 1, "mutil", "mutil", 0.0),
        ("test", "n", 0, "kasu", "kasua", 0.0),
        ("test", "n", 1, "mutil", "mutil", 0.0),
    ]
    assert read_tsv(pack.failures) == []
    assert not pack.work.exists()


def test_the_order_of_the_languages_changes_no_byte(pack, family):
    pack.run()
    before = pack.members.read_bytes()
    pack.tasks.reverse()
    pack.run()
    assert pack.members.read_bytes() == before


def test_a_language_without_a_training_set_has_no_row_and_did_not_fail(pack, family):
    pack.add("c", low=[])
    pack.run()
    assert set(read_parquet(pack.members)["language"].to_pylist()) == {"a", "b"}
    assert read_tsv(pack.failures) == []


def test_a_language_whose_data_are_at_fault_is_reported_and_loses_no_other(pack, family, caplog):
    caplog.set_level("INFO", "kasu")
    family.raising["etxe"] = KasuError("training", "no rule", "one")
    pack.run()
    assert set(read_parquet(pack.members)["language"].to_pylist()) == {"a"}
    assert read_tsv(pack.failures) == [
        {
            "family": "copy", "setting": "low", "members": "m n", "language": "b",
            "reason": "training: no rule; expected one",
        }
    ]  # fmt: skip
    assert "copy, low: b failed: training: no rule; expected one" in caplog.messages
    assert not pack.work.exists()


def test_a_damaged_dataset_is_a_fault_of_the_data(pack, family):
    pack.tasks[0].test.write_bytes(b"PAR1 no more")
    pack.run()
    (row,) = read_tsv(pack.failures)
    assert row["language"] == "b"
    assert "unreadable parquet" in row["reason"]


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left"), ValueError("bug")])
def test_any_other_error_fails_the_job_and_a_second_run_tries_again(pack, family, error):
    family.raising["etxe"] = error
    with pytest.raises(type(error)):
        pack.run()
    assert not pack.members.exists()
    family.raising.clear()
    family.calls.clear()
    pack.run()
    assert family.calls == ["etxe"]
    assert set(read_parquet(pack.members)["language"].to_pylist()) == {"a", "b"}


def test_a_file_that_cannot_be_opened_fails_the_job(pack, family, monkeypatch):
    def refuse(path):
        raise KasuError(path, "unreadable parquet") from OSError(24, "Too many open files")

    with monkeypatch.context() as patch, pytest.raises(KasuError):
        patch.setattr(packs, "read_dataset", refuse)
        pack.run()
    assert not pack.failures.exists()


def test_a_kill_while_the_pack_is_written_costs_no_language_its_work(pack, family, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(packs, "write_tsv", die)
        pack.run()
    pack.members.unlink()  # as Snakemake does
    family.calls.clear()
    pack.run()
    assert family.calls == []
    resumed = pack.members.read_bytes()
    pack.run(code="2")
    assert pack.members.read_bytes() == resumed
    assert not pack.work.exists()


def test_results_of_other_code_are_not_reused(pack, family):
    family.raising["etxe"] = MemoryError()
    with pytest.raises(MemoryError):
        pack.run()
    family.raising.clear()
    pack.run(code="2")
    assert family.calls == ["kasu", "etxe", "kasu", "etxe"]

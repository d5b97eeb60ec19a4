"""Members over a pack of languages: one file, and nothing that is finished is trained again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

import kasu.transduction.members.packs as packs
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv
from kasu.inflection.data.triples import Triple, read_items, write_dataset
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, Families, Run
from kasu.transduction.members.packs import Job, Outputs, Study, Task, train_pack

TRIPLES = [Triple("kasu", "kasua", "N;SG"), Triple("mutil", "mutil", "N;PL")]
ONE, TWO = Run("m", 1), Run("n", 1)


@dataclass
class Pack:
    """The files of a pack."""

    folder: Path
    tasks: list[Task] = field(default_factory=list)
    read: Callable = read_items
    fold: Callable = str

    def add(self, language, low=TRIPLES, test=TRIPLES, members=(ONE, TWO)):
        folder = self.folder / "datasets" / language
        splits = {"low": low, "dev": TRIPLES[:1], "test": test}
        write_dataset(folder, splits, {}, language=language, sources=[])
        parts = (folder / f"{split}.parquet" for split in ("low", "dev", "test"))
        self.tasks.append(Task(language, tuple(members), *parts))

    @property
    def members(self):
        return self.folder / "members.parquet"

    @property
    def work(self):
        return self.folder / "work"

    @property
    def out(self):
        return Outputs(self.members, self.folder / "failures.tsv", self.folder / "seconds.tsv")

    @property
    def failures(self):
        return read_tsv(self.out.failures)

    @property
    def languages(self):
        return set(read_parquet(self.members)["language"].to_pylist())

    def run(self, code="1"):
        job = Job("copy", "low", {"key": [1]}, "cpu", code)
        study = Study(Families("systems"), lambda path, setting, split: self.read(path), self.fold)
        train_pack(study, job, self.tasks, self.out, self.work)


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
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_a_study_says_which_forms_are_the_same(pack, family):
    pack.fold = lambda form: form[:4]
    pack.run()
    rows = read_parquet(pack.members).to_pylist()
    # The family answers with the lemma, of "kasu" and of "etxe" the first four letters
    assert {row["dev_accuracy"] for row in rows} == {1.0}


def test_one_file_has_all_languages_in_order_of_their_names(pack, family):
    pack.run()
    rows = read_parquet(pack.members).to_pylist()
    assert [row["language"] for row in rows] == ["a"] * 6 + ["b"] * 6
    columns = ("variant", "seed", "split", "item", "prediction", "gold", "dev_accuracy")
    assert [tuple(row[name] for name in columns) for row in rows[:6]] == [
        ("m", 1, "dev", 0, "kasu", "kasua", 0.0),
        ("m", 1, "test", 0, "kasu", "kasua", 0.0),
        ("m", 1, "test", 1, "mutil", "mutil", 0.0),
        ("n", 1, "dev", 0, "kasu", "kasua", 0.0),
        ("n", 1, "test", 0, "kasu", "kasua", 0.0),
        ("n", 1, "test", 1, "mutil", "mutil", 0.0),
    ]
    assert pack.failures == []
    assert not pack.work.exists()


def test_a_family_gets_data_without_the_answers(pack, family):
    pack.run()
    data, options, session = family.seen[0]
    assert (data.language, data.setting) == ("a", "low")
    assert data.train == [Item("kasu", ("N", "SG"), "kasua"), Item("mutil", ("N", "PL"), "mutil")]
    assert data.dev == data.train[:1]
    assert data.test == [Item("kasu", ("N", "SG"), None), Item("mutil", ("N", "PL"), None)]
    assert (options, session.device) == ({"key": [1]}, "cpu")


def test_what_each_member_cost_is_recorded(pack, family):
    pack.run()
    rows = read_tsv(pack.out.seconds)
    assert [(row["language"], row["variant"], row["seed"]) for row in rows] == [
        ("a", "m", "1"),
        ("a", "n", "1"),
        ("b", "m", "1"),
        ("b", "n", "1"),
    ]
    assert all(0 <= float(row["cpu_seconds"]) < 5 for row in rows)


def test_the_order_of_the_languages_changes_no_byte(pack, family):
    pack.run()
    before = pack.members.read_bytes()
    pack.members.unlink()
    pack.tasks.reverse()
    pack.run()
    assert pack.members.read_bytes() == before


def test_languages_may_have_different_members(pack, family):
    pack.add("c", members=[Run("m", 2), Run("m", 3)])
    pack.run()
    assert family.calls[-1] == ("c", Run("m", 2), Run("m", 3))
    rows = read_parquet(pack.members).to_pylist()
    assert {row["seed"] for row in rows if row["language"] == "c"} == {2, 3}


def test_a_language_without_a_training_set_has_no_row_and_did_not_fail(pack, family):
    pack.add("c", low=[])
    pack.run()
    assert pack.languages == {"a", "b"}
    assert pack.failures == []


# Failures


def test_a_language_whose_data_are_at_fault_is_reported_and_loses_no_other(pack, family, caplog):
    caplog.set_level("INFO", "kasu")
    family.raising["b"] = KasuError("training", "no rule", "one")
    pack.run()
    assert pack.languages == {"a"}
    assert pack.failures == [
        {
            "family": "copy", "setting": "low", "members": "m-1 n-1", "language": "b",
            "reason": "training: no rule; expected one",
        }
    ]  # fmt: skip
    assert "copy, low: b, m-1 n-1: training: no rule; expected one" in caplog.messages
    assert not pack.work.exists()


def test_a_member_that_diverges_is_reported_and_loses_no_other(pack, family):
    family.diverging["b", ONE] = KasuError("training of m-1", "loss nan", "a finite loss")
    pack.run()
    assert [(row["members"], row["language"], row["reason"]) for row in pack.failures] == [
        ("m-1", "b", "training of m-1: loss nan; expected a finite loss")
    ]
    rows = read_parquet(pack.members).to_pylist()
    assert {row["variant"] for row in rows if row["language"] == "b"} == {"n"}
    assert {row["variant"] for row in rows if row["language"] == "a"} == {"m", "n"}


def test_a_damaged_dataset_is_a_fault_of_the_data(pack, family):
    pack.tasks[0].test.write_bytes(b"PAR1 no more")
    pack.run()
    (row,) = pack.failures
    assert row["language"] == "b"
    assert "unreadable parquet" in row["reason"]


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left"), ValueError("bug")])
def test_any_other_error_fails_the_job_and_a_second_run_tries_again(pack, family, error):
    family.raising["b"] = error
    with pytest.raises(type(error)):
        pack.run()
    assert not pack.members.exists()
    family.raising.clear()
    family.calls.clear()
    pack.run()
    assert family.calls == [("b", ONE, TWO)]
    assert pack.languages == {"a", "b"}


def test_a_file_that_cannot_be_opened_fails_the_job(pack, family):
    def refuse(path):
        raise KasuError(path, "unreadable parquet") from OSError(24, "Too many open files")

    pack.read = refuse
    with pytest.raises(KasuError):
        pack.run()
    assert not pack.out.failures.exists()


# What is finished stays


def test_a_kill_while_the_pack_is_written_costs_no_language_its_work(pack, family, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(packs, "write_tsv", die)
        pack.run()
    family.calls.clear()
    pack.run()
    assert family.calls == []
    assert not pack.work.exists()


def test_a_resumed_training_finds_its_states_and_has_no_cost(pack, family):
    family.raising["b"] = MemoryError()
    with pytest.raises(MemoryError):
        pack.run()
    family.raising.clear()
    seen = []
    train = family.train
    family.train = lambda data, members, options, session: (
        seen.append([path.name for path in session.work.iterdir()])
        or train(data, members, options, session)
    )
    pack.run()
    assert seen == [["state"]]
    costs = {row["language"]: row["cpu_seconds"] for row in read_tsv(pack.out.seconds)}
    assert costs["b"] == ""
    assert costs["a"] != ""


def test_states_of_a_finished_language_do_not_wait_for_the_others(pack, family):
    train, left = family.train, []

    def write_state(data, members, options, session):
        left.extend(session.work.parents[1].rglob("state"))
        (session.work / "state").write_text("done")
        return train(data, members, options, session)

    family.train = write_state
    pack.run()
    assert family.calls == [("a", ONE, TWO), ("b", ONE, TWO)]
    assert left == []


def test_results_of_other_code_are_not_reused(pack, family):
    family.raising["b"] = MemoryError()
    with pytest.raises(MemoryError):
        pack.run()
    family.raising.clear()
    pack.run(code="2")
    assert [language for language, *_ in family.calls] == ["a", "b", "a", "b"]
    pack.run(code="3")
    assert [language for language, *_ in family.calls[4:]] == ["a", "b"]


def test_a_further_language_trains_no_other_again(pack, family):
    pack.run()
    costs = read_tsv(pack.out.seconds)
    family.calls.clear()
    pack.add("aa")
    pack.run()
    assert family.calls == [("aa", ONE, TWO)]
    assert [row for row in read_tsv(pack.out.seconds) if row["language"] != "aa"] == costs
    grown = pack.members.read_bytes()
    pack.members.unlink()
    pack.run()
    assert pack.members.read_bytes() == grown


def test_a_further_member_trains_no_other_again(pack, family):
    pack.run()
    family.calls.clear()
    pack.tasks.clear()
    pack.add("a", members=(ONE, TWO, Run("o", 1)))
    pack.run()
    assert family.calls == [("a", Run("o", 1))]
    assert pack.languages == {"a"}


def test_changed_data_train_their_language_again(pack, family):
    pack.run()
    family.calls.clear()
    pack.tasks.clear()
    pack.add("b", [Triple("etxe", "etxea", "N;SG")])
    pack.add("a", TRIPLES[:1])
    pack.run()
    assert [language for language, *_ in family.calls] == ["a"]


def test_a_member_that_failed_is_tried_again(pack, family):
    family.diverging["b", ONE] = KasuError("training of m-1", "loss nan", "a finite loss")
    pack.run()
    family.diverging.clear()
    family.calls.clear()
    pack.run()
    assert family.calls == [("b", ONE)]
    assert pack.failures == []


def test_a_damaged_file_of_an_earlier_run_is_made_anew(pack, family):
    pack.run()
    whole = pack.members.read_bytes()
    pack.members.write_bytes(whole[:100])
    pack.run()
    assert pack.members.read_bytes() == whole


SLOW = """
import sys, time
from pathlib import Path
from types import ModuleType
from kasu.inflection.data.triples import read_items
from kasu.transduction.members.families import Answers, Families, Run
from kasu.transduction.members.packs import Job, Outputs, Study, Task, train_pack
from kasu.transduction.items import Answer

folder = Path(sys.argv[1])
module = ModuleType("systems.slow")

def train(data, members, options, session):
    # One step per member; a state after each, and a pause in the first run's second language
    answers = {}
    for run in members:
        state = session.work / f"{run.seed}.txt"
        if not state.exists():
            if data.language == "b" and run.seed == 2 and not (folder / "again").exists():
                (folder / "reached").touch()
                time.sleep(60)
            state.write_text("done")
        found = [Answer([item.source + str(run.seed)]) for item in data.test]
        answers[run] = Answers([Answer([item.source]) for item in data.dev], found)
    states = sorted(path.name for path in session.work.iterdir())
    (folder / "trained").open("a").write(f"{data.language} {states}\\n")
    return answers

module.train = train
sys.modules[module.__name__] = module
tasks = [
    Task(name, (Run(None, 1), Run(None, 2)), *(folder / "datasets" / name / f"{split}.parquet"
    for split in ("low", "dev", "test"))) for name in ("a", "b")
]
out = Outputs(folder / "members.parquet", folder / "failures.tsv", folder / "seconds.tsv")
study = Study(Families("systems"), lambda path, setting, split: read_items(path))
train_pack(study, Job("slow", "low", {}, "cpu", "1"), tasks, out, folder / "work")
"""


def test_after_sigkill_a_plain_run_gives_the_same_bytes(tmp_path):
    whole, killed = Pack(tmp_path / "whole"), Pack(tmp_path / "killed")
    for each in (whole, killed):
        each.add("a")
        each.add("b")

    def start(pack):
        return subprocess.Popen([sys.executable, "-c", SLOW, str(pack.folder)])

    (whole.folder / "again").touch()
    assert start(whole).wait(timeout=60) == 0
    process = start(killed)
    for _ in range(3000):
        if (killed.folder / "reached").exists():
            break
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    assert not killed.members.exists()
    (killed.folder / "again").touch()
    assert start(killed).wait(timeout=60) == 0
    assert killed.members.read_bytes() == whole.members.read_bytes()
    # Each language was trained to its end once
    trained = (killed.folder / "trained").read_text().splitlines()
    assert trained == ["a ['1.txt', '2.txt']", "b ['1.txt', '2.txt']"]

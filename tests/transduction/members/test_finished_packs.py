"""Members over a pack of languages: nothing that is finished is trained again."""

import os
import signal
import subprocess
import sys
import time

import pytest

import kasu.transduction.members.packs as packs
from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.inflection.data.triples import Triple
from kasu.transduction.members.families import Run


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
    assert family.calls == [("a", pack.ONE, pack.TWO), ("b", pack.ONE, pack.TWO)]
    assert left == []


@pytest.mark.parametrize(
    "changed",
    [
        {"code": "2"},
        {"options": {"key": [2]}},
        {"device": "cuda"},
        {"stack": "always"},
        {"setting": "high"},
    ],
)
def test_results_of_other_code_or_options_are_not_reused(pack, family, changed):
    def run(**changes):
        family.calls.clear()
        pack.run(**changes)
        return [language for language, *_ in family.calls]

    family.raising["b"] = MemoryError()
    with pytest.raises(MemoryError):
        run()
    family.raising.clear()
    assert run(**changed) == ["a", "b"]
    assert run() == ["a", "b"]
    assert run() == []


def test_another_code_of_a_language_trains_it_again(pack, family):
    pack.codes["b"] = "tr"
    pack.run()
    assert [data.code for data, *_ in family.seen] == ["", "tr"]
    family.calls.clear()
    pack.codes["b"] = "az"
    pack.run()
    assert [language for language, *_ in family.calls] == ["b"]


def test_a_further_language_trains_no_other_again(pack, family):
    pack.run()
    costs = read_tsv(pack.out.seconds)
    family.calls.clear()
    pack.add("aa")
    pack.run()
    assert family.calls == [("aa", pack.ONE, pack.TWO)]
    assert [row for row in read_tsv(pack.out.seconds) if row["language"] != "aa"] == costs
    grown = pack.members.read_bytes()
    pack.members.unlink()
    pack.run()
    assert pack.members.read_bytes() == grown


def test_a_further_member_trains_no_other_again(pack, family):
    pack.run()
    family.calls.clear()
    pack.tasks.clear()
    pack.add("a", members=(pack.ONE, pack.TWO, Run("o", 1)))
    pack.run()
    assert family.calls == [("a", Run("o", 1))]
    assert pack.languages == {"a"}


def test_changed_data_train_their_language_again(pack, family):
    pack.run()
    family.calls.clear()
    pack.tasks.clear()
    pack.add("b", [Triple("etxe", "etxea", "N;SG")])
    pack.add("a", pack.TRIPLES[:1])
    pack.run()
    assert [language for language, *_ in family.calls] == ["a"]


def test_a_member_that_failed_is_tried_again(pack, family):
    family.diverging["b", pack.ONE] = KasuError("training of m-1", "loss nan", "a finite loss")
    pack.run()
    family.diverging.clear()
    family.calls.clear()
    pack.run()
    assert family.calls == [("b", pack.ONE)]
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
from kasu.transduction.members.families import Answers, CustomFamily, Run
from kasu.transduction.members.packs import Job, PackFiles, Reader, LanguageTask, train_pack
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

module.FAMILY = CustomFamily(
    "systems.slow", members={"low": 2}, submissions={}, trained_by=train
)
sys.modules[module.__name__] = module
tasks = [
    LanguageTask(
        name, (Run(None, 1), Run(None, 2)),
        *(folder / "datasets" / name / f"{split}.parquet" for split in ("low", "dev", "test")),
    )
    for name in ("a", "b")
]
out = PackFiles(folder / "members.parquet", folder / "failures.tsv", folder / "seconds.tsv")
reader = Reader(lambda path, setting, split: read_items(path))
train_pack(reader, Job(module.FAMILY, "low", {}, "cpu", "1"), tasks, out, folder / "work")
"""


def test_after_sigkill_a_plain_run_gives_the_same_bytes(new_pack):
    whole, killed = new_pack("whole"), new_pack("killed")
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


@pytest.mark.usefixtures("reads_a_file")
def test_another_content_of_a_file_that_the_settings_name_trains_again(pack, family):
    named = pack.folder / "named.tsv"
    named.write_text("1")
    pack.run(options={"key": str(named)})
    family.calls.clear()
    pack.run(options={"key": str(named)})
    assert family.calls == []
    named.write_text("2")
    pack.run(options={"key": str(named)})
    assert [language for language, *_ in family.calls] == ["a", "b"]


def test_a_second_job_waits_for_the_first(pack, family, held_for_a_moment, caplog):
    caplog.set_level("INFO", "kasu")
    held_for_a_moment(pack.work)
    pack.run()
    assert caplog.messages[0].startswith(f"{pack.work}: process ")
    assert caplog.messages[0].endswith(" is writing it: waiting")

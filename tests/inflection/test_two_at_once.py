"""Trainings of `kasu inflect` at the same moment: no folder mixes two."""

import os
import signal
import time
from functools import partial

import pytest

from kasu.cli import main

FOLDERS = ("a", "b")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of the runs, with two languages."""
    monkeypatch.chdir(write_paradigms(tmp_path))
    return tmp_path


def write_paradigms(folder):
    for name, ending in zip(FOLDERS, ("ak", "ek"), strict=True):
        lemmas = [a + b + c for a in "bdk" for b in "ae" for c in "lr"]
        lines = (f"{lemma}\t{lemma}{ending}\tN;PL\n" for lemma in lemmas)
        (folder / f"{name}.tsv").write_text("".join(lines))
    return folder


def train(name, folder, *more):
    small = ("hidden=4", "embedding=4", "epochs=2")
    options = [each for setting in small for each in ("--set", setting)]
    command = ["inflect", "train", "iitbhu", f"{name}.tsv", str(folder), "--device", "cpu"]
    return partial(main, [*command, *options, "--members", "3", *more])


def end(processes):
    for process in processes:
        process.join(60)
    return [process.exitcode for process in processes]


def content(folder):
    files = (path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.name: path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What each language's folder holds when no other run writes."""
    folder = write_paradigms(tmp_path_factory.mktemp("alone"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert [train(name, f"model-{name}")() for name in FOLDERS] == [0, 0]
    found = {name: content(folder / f"model-{name}") for name in FOLDERS}
    assert found["a"]["1.safetensors"] != found["b"]["1.safetensors"]
    return found


def test_two_trainings_into_one_folder(here, at_once, alone):
    folder = here / "model"
    ended = end(at_once(train("a", folder), train("b", folder)))
    assert sorted(ended) == [0, 2]
    assert content(folder) == alone["ab"[ended.index(0)]]
    line = (here / f"err-{ended.index(2)}").read_text().splitlines()[-1]
    # The second may also start when the first has ended
    late = f"error: {folder}: holds a model already; expected another folder"
    writing = line.startswith(f"error: {folder}/model.json: ") and "is writing it" in line
    assert writing or line == late


def test_two_trainings_into_folders_of_their_own(here, at_once, alone):
    folders = {name: here / name for name in FOLDERS}
    assert end(at_once(*(train(*each) for each in folders.items()))) == [0, 0]
    assert {name: content(folder) for name, folder in folders.items()} == alone


def test_after_a_kill_another_language_starts_anew(here, at_once, alone):
    folder = here / "model"
    (process,) = at_once(train("a", folder, "--set", "epochs=1000"))
    until = time.monotonic() + 60
    while not [*folder.glob("work/*/facts.json")]:
        assert time.monotonic() < until
    os.kill(process.pid, signal.SIGKILL)
    process.join(60)
    assert end(at_once(train("b", folder))) == [0]
    assert content(folder) == alone["b"]


def test_a_prediction_while_a_training_lands(here, at_once, alone, capsys):
    """It says that there is no model yet, or gives the forms of the whole model."""
    (here / "asked.tsv").write_text("bal\tN;PL\n")
    predict = ["inflect", "predict", "model", "asked.tsv"]

    def keep_asking():
        status = 2
        while status == 2:
            status = main(predict)
        return status

    assert end(at_once(train("a", here / "model"), keep_asking)) == [0, 0]
    lines = set((here / "err-1").read_text().splitlines())
    assert lines <= {"error: model: no model.json; expected a folder of `kasu inflect train`"}
    capsys.readouterr()
    assert main(predict) == 0
    assert (here / "out-1").read_text() == capsys.readouterr().out
    assert content(here / "model") == alone["a"]

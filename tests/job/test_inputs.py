"""The hashes of inputs: as a run plans them, as jobs check them, and as seals record them."""

import json
import os
import pathlib
import subprocess

import pytest

from kasu.base.errors import KasuError
from kasu.files.seals import recorded_inputs, seal
from kasu.files.tables import file_hash
from kasu.job.inputs import Planned, expect_planned
from kasu.job.run import job


@pytest.fixture
def planned(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("results/models/m", "downloads/hub", "own"):
        (tmp_path / folder).mkdir(parents=True)
    return Planned("results", "downloads")


def write(path, content):
    with open(path, "w") as file:
        file.write(content)
    return path


def test_files_and_folders_from_outside_have_the_hash_of_their_bytes(planned):
    text, model = write("text.txt", "bat"), write("own/config.json", "{}")
    found = planned.hashes([text, "own"], [])
    assert found["text.txt"] == file_hash(text)
    write(model, "{ }")
    os.utime(model, (1, 1))
    assert planned.hashes([text, "own"], [])["own"] != found["own"]


def test_files_that_jobs_made_are_left_to_snakemake(planned):
    seal(write("results/a.tsv", "a"))
    own = write("results/own.tsv", "a")
    assert planned.hashes(["results/a.tsv", own, "results/to_come.tsv"], []) == {
        own: file_hash(own)
    }
    assert planned.is_outside("resultsets/a.tsv")
    assert not planned.is_outside("results/a.tsv")


def test_a_folder_that_a_job_made_has_the_hash_of_its_seal(planned):
    write("results/models/m/config.json", "{}")
    seal("results/models/m")
    before = planned.hashes(["results/models/m"], [])
    assert before.keys() == {"results/models/m"}
    write("results/models/m/config.json", "{ }")
    assert planned.hashes(["results/models/m"], []) == before
    seal("results/models/m")
    assert planned.hashes(["results/models/m"], []) != before


def lock(path, sha256):
    write(f"{path}.lock", json.dumps({"sha256": sha256}))


def test_a_download_has_the_hash_of_its_lock(planned):
    lock("downloads/a.txt", "1" * 64)
    lock("downloads/hub", "2" * 64)
    paths = ["downloads/a.txt", "downloads/hub"]
    assert planned.hashes(paths, []) == {paths[0]: "1" * 64, paths[1]: "2" * 64}
    # A colleague's file and lock may have any date
    lock("downloads/a.txt", "3" * 64)
    os.utime("downloads/a.txt.lock", (1, 1))
    assert planned.hashes(paths, [])["downloads/a.txt"] == "3" * 64
    # As may a model of a hub
    lock("downloads/hub", "4" * 64)
    os.utime("downloads/hub.lock", (1, 1))
    assert planned.hashes(paths, [])["downloads/hub"] == "4" * 64


def test_a_download_that_is_gone_is_what_it_was(planned):
    out = write("results/out.tsv", "a")
    seal(out, {"downloads/a.txt": "1" * 64})
    assert planned.hashes(["downloads/a.txt"], [out]) == {"downloads/a.txt": "1" * 64}
    assert planned.hashes(["downloads/b.txt"], [out]) == {}
    assert planned.hashes(["downloads/a.txt"], ["results/to_come.tsv"]) == {}


def test_a_pipe_keeps_no_plan_waiting(planned):
    os.mkfifo("pipe")
    assert planned.hashes(["pipe"], []) == {}


@pytest.mark.parametrize("change", ["text", "model", "gone", "download"])
def test_an_input_that_changes_before_a_job_ends_fails_it(planned, capsys, change):
    text = write("text.txt", "bat")
    write("own/config.json", "{}")
    write("downloads/a.txt", "c")
    lock("downloads/a.txt", file_hash("downloads/a.txt"))
    hashes = planned.hashes([text, "own", "downloads/a.txt"], [])
    changes = {
        "text": lambda: write("text.txt", "bai"),
        "model": lambda: write("own/weights", ""),
        "gone": lambda: pathlib.Path("text.txt").unlink(),
        "download": lambda: lock("downloads/a.txt", "1" * 64),
    }
    names = {"text": "text.txt", "model": "own", "gone": "text.txt", "download": "downloads/a.txt"}
    with (
        pytest.raises(SystemExit),
        job("a.log", [], ["results/out.tsv"], {"inputs": hashes}),
    ):
        write("results/out.tsv", "a")
        changes[change]()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"error: {names[change]}: ")
    if change in ("text", "model"):
        assert "changed while the run was planned or running; expected sha256" in last
    assert not pathlib.Path("results/.out.tsv.sha256").exists()
    # The same before it begins
    with pytest.raises(KasuError):
        expect_planned(hashes)


def test_the_seals_of_a_job_record_what_it_read(planned):
    text = write("a text.txt", "bat")
    hashes = planned.hashes([text], [])
    with job("a.log", [], ["results/out.tsv", "results/models/m"], {"inputs": hashes}):
        write("results/out.tsv", "a")
        write("results/models/m/config.json", "{}")
    assert recorded_inputs("results/out.tsv") == hashes
    assert recorded_inputs("results/models/m") == hashes
    with open("results/.out.tsv.sha256") as file:
        assert file.read().splitlines()[1:] == [f'# {file_hash(text)}  "a text.txt"']
    command = ["sha256sum", "--strict", "-c", ".out.tsv.sha256"]
    done = subprocess.run(command, cwd="results", capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("out.tsv: OK\n", "")


def test_seals_record_any_name(planned):
    names = ["a\nb", 'a "b"', "a\\nb", " a # b ", "\udce9", "\N{LINE SEPARATOR}", "ა"]
    hashes = {name: f"{number}" * 64 for number, name in enumerate(names)}
    seal(write("results/out.tsv", "a"), hashes)
    assert recorded_inputs("results/out.tsv") == hashes


@pytest.mark.parametrize("damaged", ["a", '"', '"a', '"\\"', "{}"])
def test_a_damaged_seal_records_nothing(planned, damaged):
    write("results/.out.tsv.sha256", f"{'0' * 64}  out.tsv\n# {'1' * 64}  {damaged}\n")
    assert recorded_inputs(write("results/out.tsv", "a")) == {}


def test_a_file_without_a_seal_records_nothing(planned):
    assert recorded_inputs(write("text.txt", "# " + "0" * 64 + "  a")) == {}

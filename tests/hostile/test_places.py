"""What is no regular file at the place of a file of Kasu's own: one line, and nothing is lost."""

import os
import socket
from pathlib import Path

import pytest

from kasu.files.hashes import read_hashes, write_hashes
from kasu.files.locks import hold_lock, hold_results
from kasu.files.reading import file_hash, read_text
from kasu.files.seals import seal
from kasu.files.tables import write_text
from kasu.inflection.models import Model
from kasu.job.run import job
from kasu.neural.resume import Work
from kasu.sources.latest import pinned_name
from kasu.sources.registry import Source, resolve


def bind(path: Path) -> None:
    """Make a socket, whose path may have 107 characters."""
    here = Path.cwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(path.name)
    os.chdir(here)


def link_to(target: str):
    return lambda path: path.symlink_to(target)


MAKE = {
    "pipe": os.mkfifo,
    "socket": bind,
    "device": link_to("/dev/zero"),
    "full device": link_to("/dev/full"),
    "nothing": link_to("nowhere"),
    "circle": lambda path: path.symlink_to(path.name),
    "folder": Path.mkdir,
    "mine": link_to("mine.txt"),
}
DEVICE, NOWHERE = "a pipe or device", "No such file or directory"
FOUND = {
    "pipe": DEVICE,
    "socket": DEVICE,
    "device": DEVICE,
    "full device": DEVICE,
    "nothing": NOWHERE,
    "circle": "Too many levels of symbolic links",
    "folder": "a folder",
}
"""What `expect_regular` says of each."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An input and a user's file, in the working directory."""
    (tmp_path / "in.tsv").write_text("a\n")
    (tmp_path / "mine.txt").write_text("years of work\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert (tmp_path / "mine.txt").read_text() == "years of work\n"


def last_line(capsys) -> str:
    return capsys.readouterr().err.splitlines()[-1]


def run_job() -> None:
    with job("a.log", ["in.tsv"], ["out.tsv"]):
        write_text("out.tsv", "b\n")


@pytest.mark.parametrize("kind", FOUND)
def test_at_a_seal(here, capsys, kind):
    MAKE[kind](here / ".in.tsv.sha256")
    with pytest.raises(SystemExit):
        run_job()
    expected = "a seal; delete it to use in.tsv as is"
    assert last_line(capsys) == f"error: .in.tsv.sha256: {FOUND[kind]}; expected {expected}"
    assert not (here / "out.tsv").exists()


@pytest.mark.parametrize("kind", MAKE)
def test_beside_an_input_is_the_lock_of_another_program(here, kind):
    """As of an editor: a folder, or a link to nothing that names its user."""
    MAKE[kind](here / "in.tsv.lock")
    assert read_text("in.tsv") == "a\n"


@pytest.mark.parametrize("kind", MAKE)
def test_at_the_note_of_a_download_that_was_checked(here, kind):
    (here / "in.tsv.lock").write_text(f'{{"sha256": "{file_hash("in.tsv")}"}}')
    MAKE[kind](here / "in.tsv.checked")
    assert read_text("in.tsv") == "a\n"


@pytest.mark.parametrize("kind", FOUND)
def test_what_is_no_file_has_no_hash(here, line, kind):
    MAKE[kind](here / "a")
    assert line(file_hash, "a") == f"a: {FOUND[kind]}; expected a file"


@pytest.mark.parametrize("kind", MAKE)
def test_at_the_hashes_of_large_files(here, kind):
    MAKE[kind](here / "hashes.json")
    read_hashes("hashes.json")
    write_hashes("hashes.json")


@pytest.mark.parametrize("kind", FOUND)
def test_at_a_source(here, line, kind):
    MAKE[kind](here / "text.txt")
    expected = "an existing file or an http(s) address"
    assert line(resolve, "text.txt", {}, here) == f"text.txt: {FOUND[kind]}; expected {expected}"


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "full device"])
@pytest.mark.parametrize("name", ["in.tsv", "out.tsv"])
def test_at_an_input_and_an_output(here, capsys, kind, name):
    (here / name).unlink(missing_ok=True)
    MAKE[kind](here / name)
    with pytest.raises(SystemExit):
        run_job()
    assert last_line(capsys) == f"error: {name}: {DEVICE}; expected a file"


@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("name", [".out.tsv.held", ".a.log.held"])
def test_at_the_lock_of_an_output_and_of_a_log(here, capsys, kind, name):
    MAKE[kind](here / name)
    with pytest.raises(SystemExit):
        run_job()
    found = {"pipe": f"{DEVICE}, which is no lock", "socket": "No such device or address"}
    found["folder"] = "Is a directory"
    said = found.get(kind, "a link, which is no lock")
    assert last_line(capsys) == f"error: {here}/{name}: {said}"


@pytest.mark.parametrize("kind", MAKE)
def test_at_a_log(here, capsys, kind):
    MAKE[kind](here / "a.log")
    if kind == "folder":
        with pytest.raises(SystemExit):
            run_job()
        assert last_line(capsys) == "error: a.log: Is a directory"
    else:  # a log replaces what is there, as each output does
        run_job()
        assert (here / "out.tsv").read_text() == "b\n"
        assert (here / "a.log").read_text() == ""


def test_a_log_does_not_write_into_a_copy_by_hard_links(here):
    (here / "a.log").hardlink_to(here / "mine.txt")
    run_job()


def test_a_file_of_a_user_is_no_lock(here, line):
    (here / ".held").write_text("years of work\n")
    expected = "expected none where a lock goes"
    assert line(hold_results, here) == f"DIR/.held: a file, which is no lock; {expected}"
    assert (here / ".held").read_text() == "years of work\n"


def test_a_lock_that_a_stopped_machine_left_is_taken(here):
    (here / ".held").write_bytes(b"\0" * 20)
    os.close(hold_results(here))
    assert (here / ".held").read_text().startswith("a run in ")


@pytest.mark.parametrize("kind", MAKE)
def test_at_the_lock_of_the_working_directory(here, line, kind):
    MAKE[kind](here / "kasu.lock")
    assert line(hold_lock, here, "*.lock").startswith("DIR/kasu.lock: ")


@pytest.mark.parametrize("kind", FOUND)
@pytest.mark.parametrize("name", ["facts.json", "a.pt"])
def test_at_a_state(here, line, kind, name):
    Work("work", {"a": 1}, 0).save("b", {})
    (here / "work" / name).unlink(missing_ok=True)
    MAKE[kind](here / "work" / name)

    def load():
        Work("work", {"a": 1}, 0).load("a")

    if name == "a.pt" and kind in ("nothing", "circle"):
        load()  # no state of that name
    else:
        assert line(load).startswith(f"work/{name}: {FOUND[kind]}; expected ")
    assert (here / "work" / "b.pt").exists()


@pytest.mark.parametrize("kind", sorted(MAKE.keys() - {"folder"}))
def test_at_a_folder_of_states(here, line, kind):
    MAKE[kind](here / "work")
    expected = "expected a folder of states, or none"
    assert line(Work, "work", {}, 0) == f"work: no folder; {expected}"


@pytest.mark.parametrize("kind", FOUND)
def test_at_a_pin(here, line, kind):
    MAKE[kind](here / "euwiki-latest.lock")
    asked = "euwiki-latest", Source("{wiki}-{date}", "{wiki}-{date}.xml"), here, None
    found = line(pinned_name, *asked)
    assert found.startswith(f"DIR/euwiki-latest.lock: {FOUND[kind]}; expected the name of a dump")


@pytest.mark.parametrize("kind", FOUND)
def test_at_the_description_of_a_model(here, line, kind):
    MAKE[kind](here / "model.json")
    expected = "as `kasu inflect train` wrote it"
    assert line(Model, here) == f"DIR/model.json: {FOUND[kind]}; expected {expected}"


@pytest.mark.parametrize("name", ["out.tsv", ".in.tsv.sha256"])
def test_a_folder_at_an_output_is_named_and_not_its_temporary_file(here, name):
    (here / name).mkdir()
    with pytest.raises(IsADirectoryError) as error:
        seal("in.tsv") if name[0] == "." else write_text(name, "b\n")
    assert error.value.filename == name

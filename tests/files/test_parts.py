"""Temporary files and folders, and those of killed jobs."""

import errno
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from kasu.files import parts
from kasu.files.parts import reserve, temporary

PROGRAM = """
import os, signal
from pathlib import Path
from kasu.files.parts import temporary
with temporary("table.tsv"), temporary("model", folder=True) as folder:
    (folder / "weights").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""

LANDING = """
from kasu.files.parts import landing_folder, write_text
from kasu.files.seals import seal
write_text("table.tsv", "a")
seal("table.tsv")
with landing_folder("model") as folder:
    (folder / "weights").write_text("whole")
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_temporary_lies_next_to_its_target_and_goes(tmp_path):
    with (
        temporary(tmp_path / "new" / "table.tsv") as file,
        temporary(tmp_path / "a.b", folder=True),
    ):
        assert file.parent == tmp_path / "new"
        assert file.name.startswith(".table.tsv.")
        assert file.name.endswith(".part")
        assert [path.is_dir() for path in tmp_path.glob(".a.b.????????.part")] == [True]
    assert names(tmp_path) == ["new"]
    assert names(tmp_path / "new") == []


def test_what_a_killed_job_left_goes_with_the_next_of_that_name(tmp_path):
    subprocess.run([sys.executable, "-c", textwrap.dedent(PROGRAM)], cwd=tmp_path, check=False)
    assert len(names(tmp_path)) == 2
    with temporary(tmp_path / "model", folder=True) as folder:
        assert names(tmp_path)[0] == folder.name
        assert len(names(tmp_path)) == 2
    with temporary(tmp_path / "table.tsv"):
        pass
    assert names(tmp_path) == []


def test_what_a_running_job_holds_stays(tmp_path):
    with temporary(tmp_path / "a") as one, temporary(tmp_path / "a", folder=True) as other:
        with temporary(tmp_path / "a"):
            pass
        assert one.exists()
        assert other.exists()


def test_other_names_stay(tmp_path):
    others = [".a.b.abcdefgh.part", ".a.abcdefgh", "a.part", ".ab.abcdefgh.part"]
    for name in others:
        (tmp_path / name).touch()
    with temporary(tmp_path / "a"):
        pass
    assert names(tmp_path) == sorted(others)


@pytest.mark.parametrize(("free", "error"), [(0, OSError), (1 << 20, RuntimeError)])
def test_any_failure_on_a_full_disk_says_so(tmp_path, monkeypatch, free, error):
    monkeypatch.setattr(parts.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(error) as raised, temporary(tmp_path / "a"):
        raise RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 576 vs 534")
    if error is OSError:
        assert (raised.value.errno, raised.value.filename) == (errno.ENOSPC, str(tmp_path / "a"))


@pytest.mark.parametrize("other", [None, "/other/b"])
def test_a_full_disk_is_named_unless_its_error_names_a_file(tmp_path, other):
    # Space may be free again by now: what a reserved file could not have, it never took
    full = OSError(errno.ENOSPC, "No space left on device", *[other] * bool(other))
    with pytest.raises(OSError, match="No space") as raised, temporary(tmp_path / "a"):
        raise full
    assert raised.value.filename == (other or str(tmp_path / "a"))


def test_reserved_space_is_zeros(tmp_path):
    reserve(tmp_path / "a", 3)
    assert (tmp_path / "a").read_bytes() == b"\0\0\0"


@pytest.mark.parametrize("name", ["[ab]", "*"])
def test_a_name_is_no_pattern(tmp_path, name):
    (tmp_path / ".a.abcdefgh.part").touch()
    with temporary(tmp_path / name):
        pass
    assert names(tmp_path) == [".a.abcdefgh.part"]


@pytest.mark.parametrize(
    ("umask", "file", "folder"),
    [(0o022, 0o644, 0o755), (0o002, 0o664, 0o775), (0o077, 0o600, 0o700)],
)
def test_the_umask_says_who_may_read_and_write_what_lands(tmp_path, umask, file, folder):
    subprocess.run([sys.executable, "-c", LANDING], cwd=tmp_path, umask=umask, check=True)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes == {
        "table.tsv": file, ".table.tsv.sha256": file, "model": folder, "weights": file,
    }  # fmt: skip

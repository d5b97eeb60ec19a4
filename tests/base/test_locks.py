"""Locks are cleared after a killed run, never those of a live run or of another host."""

import errno
import fcntl
import socket
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.locks import hold_lock


def leave_lock(folder: Path) -> Path:
    (folder / "locks").mkdir(exist_ok=True)
    lock = folder / "locks" / "0.input.lock"
    lock.touch()
    return lock


def test_clears_the_locks_of_a_killed_run(tmp_path):
    hold_lock(tmp_path).close()
    lock = leave_lock(tmp_path)
    hold_lock(tmp_path).close()
    assert not lock.exists()


def test_keeps_the_locks_of_a_live_run(tmp_path):
    with hold_lock(tmp_path):
        lock = leave_lock(tmp_path)
        hold_lock(tmp_path).close()
        assert lock.exists()


def test_a_second_run_holds_the_lock_after_the_first_has_ended(tmp_path):
    first = hold_lock(tmp_path)
    with hold_lock(tmp_path):
        first.close()
        lock = leave_lock(tmp_path)
        hold_lock(tmp_path).close()
        assert lock.exists()


def test_keeps_the_locks_of_another_host(tmp_path, monkeypatch):
    hold_lock(tmp_path).close()
    lock = leave_lock(tmp_path)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(socket, "gethostname", lambda: "elsewhere")
        hold_lock(tmp_path).close()
    assert lock.exists()
    hold_lock(tmp_path).close()
    assert not lock.exists()


def test_a_file_system_without_locks_leaves_them_alone(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    lock = leave_lock(tmp_path)
    monkeypatch.setattr(fcntl, "flock", refuse)
    hold_lock(tmp_path).close()
    assert lock.exists()


@pytest.mark.parametrize(
    ("name", "reason"), [("a", "File exists"), ("kasu.lock", "Is a directory")]
)
def test_a_lock_that_cannot_be_written_is_one_line(tmp_path, name, reason):
    """Such as a colleague's; who runs the tests may be root, who writes everything."""
    folder = tmp_path if name == "kasu.lock" else tmp_path / name
    (tmp_path / name).mkdir() if name == "kasu.lock" else folder.touch()
    with pytest.raises(KasuError) as error:
        hold_lock(folder)
    expected = "a folder of your own; --directory DIR names one"
    assert str(error.value) == f"{tmp_path / name}: {reason}; expected {expected}"

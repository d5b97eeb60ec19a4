"""Locks: cleared after a run that was killed, never of one that lives or of another host."""

import socket
from pathlib import Path

from kasu.base.locks import hold_lock


def leave_lock(folder: Path) -> Path:
    (folder / "locks").mkdir(exist_ok=True)
    lock = folder / "locks" / "0.input.lock"
    lock.touch()
    return lock


def test_clears_the_locks_of_a_run_that_was_killed(tmp_path):
    hold_lock(tmp_path).close()
    lock = leave_lock(tmp_path)
    hold_lock(tmp_path).close()
    assert not lock.exists()


def test_keeps_the_locks_of_a_run_that_lives(tmp_path):
    with hold_lock(tmp_path):
        lock = leave_lock(tmp_path)
        hold_lock(tmp_path).close()
        assert lock.exists()


def test_who_came_second_holds_the_lock_when_the_first_ends(tmp_path):
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

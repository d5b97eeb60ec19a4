"""What one process holds, no other gets; locks are cleared after a killed run, no live one's."""

import errno
import fcntl
import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files import locks
from kasu.files.locks import held, hold, hold_lock, hold_results, release

HOLDER = """
import sys, time
from kasu.files.locks import held, hold_results
if sys.argv[1] == "results":
    hold_results(sys.argv[2])
    print("held", flush=True)
    sys.stdin.read()
else:
    with held(sys.argv[1]):
        print("held", flush=True)
        sys.stdin.read()
"""
COUNTER = """
import sys
from pathlib import Path
from kasu.files.locks import held
for _ in range(100):
    with held("count"):
        counted = int(Path("count").read_text())
        Path("count").write_text(str(counted + 1))
"""


@contextmanager
def another_process(*arguments):
    """A process that holds a path, or `results` and a folder, until its input ends."""
    command = [sys.executable, "-c", HOLDER, *map(str, arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdout.readline() == b"held\n"
        yield process


def refuse_locks(*_):
    raise OSError(errno.ENOSYS, "Function not implemented")


def test_a_second_process_ends_in_one_line(tmp_path):
    out = tmp_path / "a.tsv"
    with another_process(out) as other, pytest.raises(KasuError) as error:
        hold(out, expected="another --out")
    who = f"process {other.pid} on {socket.gethostname()}"
    assert str(error.value) == f"{out}: {who} is writing it; expected another --out"


def test_a_second_process_waits_and_says_for_whom(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    out = tmp_path / "a.tsv"
    with another_process(out) as other:
        # It goes on as soon as we wait
        log = caplog.handler.emit
        caplog.handler.emit = lambda record: (log(record), other.stdin.close())
        with held(out):
            assert other.wait(20) == 0
    who = f"process {other.pid} on {socket.gethostname()}"
    assert caplog.messages == [f"{out}: {who} is writing it: waiting"]
    assert [*tmp_path.iterdir()] == []


def test_what_a_killed_process_held_is_free(tmp_path):
    out = tmp_path / "a.tsv"
    with another_process(out) as other:
        other.kill()
        other.wait(20)
    assert (tmp_path / ".a.tsv.held").exists()
    with held(out, expected="nobody"):
        pass
    assert [*tmp_path.iterdir()] == []


def test_a_process_keeps_what_it_holds(tmp_path):
    out = tmp_path / "a.tsv"
    with held(out):
        with held(out, expected="nobody"):
            pass
        command = [sys.executable, "-c", HOLDER, str(out)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            with pytest.raises(subprocess.TimeoutExpired):
                other.wait(0.5)
            release(out)
            assert other.stdout.readline() == b"held\n"
            other.stdin.close()
        hold(out)


def test_no_two_of_many_processes_hold_it_at_once(tmp_path):
    """Each deletes the lock that the others wait for."""
    (tmp_path / "count").write_text("0")
    command = [sys.executable, "-c", COUNTER]
    running = [subprocess.Popen(command, cwd=tmp_path) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert (tmp_path / "count").read_text() == "400"


def test_a_path_has_one_lock_however_it_is_spelled(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    with held(tmp_path / "real" / "a"):
        assert not hold("link/a", expected="another")


def test_a_lock_deleted_with_its_folder_is_taken_anew(tmp_path):
    out = tmp_path / "folder" / "a"
    hold(out)
    (tmp_path / "folder" / ".a.held").unlink()
    assert hold(out)
    assert not hold(out)
    release(out)


def test_without_locks_nobody_is_kept_away(tmp_path, monkeypatch):
    with another_process(tmp_path / "a"):
        monkeypatch.setattr(fcntl, "flock", refuse_locks)
        with held(tmp_path / "a", expected="nobody"):
            pass


@pytest.fixture
def left_by_another_user(monkeypatch):
    """Write a lock that cannot be written again; who runs the tests may be root."""
    opened = os.open

    def refuse(path, flags, mode=0o777):
        if flags & os.O_RDWR and path.exists() and not path.stat().st_mode & 0o222:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, flags, mode)

    def leave(lock):
        lock.write_text("another user")
        lock.chmod(0o444)

    monkeypatch.setattr(locks.os, "open", refuse)
    return leave


def test_a_lock_that_another_user_left_is_replaced(tmp_path, left_by_another_user):
    left_by_another_user(tmp_path / ".a.held")
    with held(tmp_path / "a", expected="nobody"):
        assert (tmp_path / ".a.held").read_text().startswith(f"process {os.getpid()} on ")


def test_results_that_another_user_held_name_who_has_them_now(
    tmp_path, monkeypatch, left_by_another_user
):
    left_by_another_user(tmp_path / ".held")
    hold_results(tmp_path)
    here = Path.cwd()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KasuError, match=f": a run in {here} on .* is writing them; expected"):
        hold_results(tmp_path)


def test_a_lock_that_another_user_holds_is_left_alone(tmp_path, left_by_another_user):
    with another_process("results", tmp_path):
        left_by_another_user(tmp_path / ".held")
        with pytest.raises(KasuError, match=": another user is writing them; expected a folder"):
            hold_results(tmp_path)


@pytest.mark.parametrize("refused", ["unlink", "flock"])
def test_a_lock_of_another_user_that_cannot_be_taken_is_one_line(
    tmp_path, monkeypatch, left_by_another_user, refused
):
    """In a sticky folder nobody else may delete it; over NFS nobody else may lock it."""

    def refuse(*_):
        raise OSError(errno.EPERM if refused == "unlink" else errno.EBADF, "refused")

    left_by_another_user(tmp_path / ".held")
    monkeypatch.setattr(*((Path, "unlink") if refused == "unlink" else (fcntl, "flock")), refuse)
    with pytest.raises(KasuError) as error:
        hold_results(tmp_path)
    expected = "a lock of another user; expected none; delete it if their run has ended"
    assert str(error.value) == f"{tmp_path}/.held: {expected}"


def test_a_folder_that_cannot_be_written_is_named_and_not_the_lock(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(KasuError) as error:
        hold(tmp_path / "file" / "a.parquet")
    assert str(error.value) == f"{tmp_path}/file/a.parquet: Not a directory"


def test_a_link_is_no_lock(tmp_path):
    (tmp_path / "precious").write_text("text")
    (tmp_path / ".a.held").symlink_to("precious")
    with pytest.raises(KasuError, match=f"^{tmp_path}/.a.held: a link, which is no lock"):
        hold(tmp_path / "a")
    assert (tmp_path / "precious").read_text() == "text"


def test_results_are_for_one_working_directory(tmp_path, monkeypatch):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    monkeypatch.chdir(tmp_path / "one")
    of_one = ("results", tmp_path / "results")
    with another_process(*of_one) as other, another_process(*of_one) as same:
        other.stdin.close()
        assert other.wait(20) == 0
        monkeypatch.chdir(tmp_path / "two")
        with pytest.raises(KasuError) as error:
            hold_results(tmp_path / "results")
        same.kill()
    who = f"a run in {tmp_path}/one on {socket.gethostname()}"
    expected = f"results {tmp_path}/results: {who} is writing them; expected a folder of its own"
    assert str(error.value) == expected
    os.close(hold_results(tmp_path / "results"))


def test_results_without_locks_are_for_all(tmp_path, monkeypatch):
    (tmp_path / ".held").write_text("a run in elsewhere")
    monkeypatch.setattr(fcntl, "flock", refuse_locks)
    os.close(hold_results(tmp_path))
    assert (tmp_path / ".held").read_text().startswith(f"a run in {Path.cwd()} on ")


LOCKS = "locks/*.lock"


def leave_lock(folder: Path) -> Path:
    (folder / "locks").mkdir(exist_ok=True)
    lock = folder / "locks" / "0.input.lock"
    lock.touch()
    return lock


def test_clears_the_locks_of_a_killed_run(tmp_path):
    hold_lock(tmp_path, LOCKS).close()
    lock = leave_lock(tmp_path)
    hold_lock(tmp_path, LOCKS).close()
    assert not lock.exists()


def test_keeps_the_locks_of_a_live_run(tmp_path):
    with hold_lock(tmp_path, LOCKS):
        lock = leave_lock(tmp_path)
        hold_lock(tmp_path, LOCKS).close()
        assert lock.exists()


def test_a_second_run_holds_the_lock_after_the_first_has_ended(tmp_path):
    first = hold_lock(tmp_path, LOCKS)
    with hold_lock(tmp_path, LOCKS):
        first.close()
        lock = leave_lock(tmp_path)
        hold_lock(tmp_path, LOCKS).close()
        assert lock.exists()


def test_keeps_the_locks_of_another_host(tmp_path, monkeypatch):
    hold_lock(tmp_path, LOCKS).close()
    lock = leave_lock(tmp_path)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(socket, "gethostname", lambda: "elsewhere")
        hold_lock(tmp_path, LOCKS).close()
    assert lock.exists()
    hold_lock(tmp_path, LOCKS).close()
    assert not lock.exists()


def test_a_file_system_without_locks_leaves_them_alone(tmp_path, monkeypatch):
    lock = leave_lock(tmp_path)
    monkeypatch.setattr(fcntl, "flock", refuse_locks)
    hold_lock(tmp_path, LOCKS).close()
    assert lock.exists()


@pytest.mark.parametrize(
    ("name", "reason"), [("a", "File exists"), ("kasu.lock", "Is a directory")]
)
def test_a_lock_that_cannot_be_written_is_one_line(tmp_path, name, reason):
    """Such as a colleague's; who runs the tests may be root, who writes everything."""
    folder = tmp_path if name == "kasu.lock" else tmp_path / name
    (tmp_path / name).mkdir() if name == "kasu.lock" else folder.touch()
    with pytest.raises(KasuError) as error:
        hold_lock(folder, LOCKS)
    expected = "a folder of your own; --directory DIR names one"
    assert str(error.value) == f"{tmp_path / name}: {reason}; expected {expected}"

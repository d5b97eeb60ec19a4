"""Locks on what a process writes, and what to do about files dated in the future.

The kernel frees a lock when its process and all that it forked have ended, however they ended.
Where the file system has no locks, nobody is kept away.
"""

import errno
import fcntl
import logging
import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from kasu.base.errors import KasuError

RW = os.O_RDWR | os.O_CREAT
HOLDERS = ("process ", "a run in ")  # what a lock says begins with one
OWN_DIRECTORY = "a folder of your own; --directory DIR names one"
log = logging.getLogger("kasu")

_held: dict[Path, int] = {}
"""By lock file, its handle."""


@contextmanager
def held(path: str | Path, *, expected: str = "") -> Iterator[None]:
    """Hold a file or folder for the time of the block; see `hold`."""
    new = hold(path, expected=expected)
    try:
        yield
    finally:
        if new:
            release(path)


def hold(path: str | Path, *, expected: str = "") -> bool:
    """Make all other writers of a file or folder wait until `release`.

    The lock is a hidden file next to it, `.<name>.held`. A process keeps what it holds if it asks
    again.

    Args:
        expected: what a run should write instead; it then ends rather than waits.

    Returns:
        Whether the process did not hold it before.

    Raises:
        KasuError: another process holds it, and something else is expected; or the lock cannot be
            written.
    """
    file = _lock_of(path)
    if _is_at(_held.get(file), file):
        return False
    handle, alone = _take(file, path)
    while not alone:
        holder = _read(handle) or "another run"
        if expected:
            os.close(handle)
            raise KasuError(path, f"{holder} is writing it", expected)
        log.warning("%s: %s is writing it: waiting", path, holder)
        _flock(handle, fcntl.LOCK_EX, file)
        os.close(handle)
        handle, alone = _take(file, path)
    _write(handle, f"{HOLDERS[0]}{os.getpid()} on {socket.gethostname()}")
    if file in _held:
        os.close(_held[file])
    _held[file] = handle
    return True


def release(path: str | Path) -> None:
    """Let others write what this process holds."""
    file = _lock_of(path)
    handle = _held.pop(file)
    with suppress(OSError):
        if _is_at(handle, file):
            file.unlink()
    os.close(handle)


def _lock_of(path: str | Path) -> Path:
    path = Path(path)
    return path.parent.resolve() / f".{path.name}.held"


def _take(file: Path, where: object) -> tuple[int, bool]:
    """Take a lock unless another process has it.

    Args:
        where: what it is a lock of, for messages.

    Returns:
        A handle of the lock, and whether it was taken.
    """
    while True:
        try:
            handle = _open(file)
        except OSError as error:
            # Few know of the lock: it is named if it is at fault itself
            named = file if os.path.lexists(file) else where
            raise KasuError(named, str(error.strerror)) from error
        try:
            _flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, file)
        except BlockingIOError:
            return handle, False
        # Its last holder may have deleted the file; no other process deletes it now
        if _is_at(handle, file):
            if fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_RDWR:
                _expect_lock(handle, file)
                return handle, True
            # Another user left it: the lock would name that user to the next process
            _delete(file)
        os.close(handle)


def _expect_lock(handle: int, file: Path) -> None:
    """Check that a file that is about to be written is a lock, and nobody's data."""
    holder = _read(handle).strip("\0")  # zeros: the machine stopped while it was written
    if holder and not holder.startswith(HOLDERS):
        os.close(handle)
        raise KasuError(file, "a file, which is no lock", "none where a lock goes")


def _open(file: Path) -> int:
    with suppress(FileExistsError):  # a file: to open one below it says so
        file.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _open_regular(file, RW)
    except PermissionError:
        if not file.exists():
            raise
        return _open_regular(file, os.O_RDONLY)  # another user's


def _open_regular(file: Path, flags: int) -> int:
    """Open a lock that is a regular file: what is behind a link is not Kasu's to write.

    Raises:
        OSError: it is a link, a folder, a pipe or a device; or it is out of reach.
    """
    if file.is_symlink():
        raise OSError(errno.ELOOP, "a link, which is no lock", str(file))
    # Not to wait at a pipe
    handle = os.open(file, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "a pipe or device, which is no lock", str(file))
    return handle


def _flock(handle: int, kind: int, file: Path) -> None:
    """Lock as `fcntl.flock`, where the file system has locks.

    Raises:
        KasuError: the lock is another user's, and over NFS only who may write it can take it.
    """
    try:
        fcntl.flock(handle, kind)
    except BlockingIOError:
        raise
    except OSError as error:
        if error.errno == errno.EBADF:
            raise _of_another_user(file) from error


def _delete(file: Path) -> None:
    try:
        file.unlink()
    except OSError as error:
        raise _of_another_user(file) from error


def _of_another_user(file: Path) -> KasuError:
    return KasuError(file, "a lock of another user", "none; delete it if their run has ended")


def _is_at(handle: int | None, file: Path) -> bool:
    try:
        return handle is not None and os.path.samestat(os.fstat(handle), file.stat())
    except FileNotFoundError:
        return False


def _read(handle: int) -> str:
    return os.pread(handle, 5000, 0).decode(errors="replace")


def _write(handle: int, text: str) -> bool:
    """Write a text; return whether it could: not on a full disk, nor to another user's file."""
    try:
        os.truncate(handle, 0)
        return bool(os.pwrite(handle, text.encode(), 0))
    except OSError:
        return False


def hold_results(folder: str | Path) -> int:
    """Hold a folder of results for the runs of this working directory, until they end.

    Snakemake keeps apart what runs in one working directory, and no others.

    Returns:
        A handle that has the lock.

    Raises:
        KasuError: a run of another working directory holds it, or the lock cannot be written.
    """
    own, where = f"{HOLDERS[1]}{Path.cwd()} on {socket.gethostname()}", f"results {folder}"
    file = Path(folder) / ".held"
    while True:
        handle, alone = _take(file, where)
        told = not alone or _write(handle, own)
        # Another run may come between the two locks
        _flock(handle, fcntl.LOCK_SH, file)
        if _is_at(handle, file):
            break
        os.close(handle)
    if told and (holder := _read(handle)) != own:
        os.close(handle)
        raise KasuError(where, f"{holder or 'another run'} is writing them", "a folder of its own")
    return handle


def hold_lock(folder: str | Path, locks: str) -> IO[str]:
    """Hold `kasu.lock` in Snakemake's folder; clear Snakemake's locks if no other run holds it.

    `snakemake --unlock` is no substitute: it takes a command after every kill, and it removes the
    locks of a live run too.

    All runs share `kasu.lock`. It is held until the returned file is closed, at the latest when
    the process ends, however it ends. Locks left by a run on another host stay, since that run may
    be alive; so do all where the file system cannot lock `kasu.lock`.

    Args:
        locks: the pattern of these in the folder.

    Raises:
        KasuError: the folder or the file cannot be written, as in a colleague's working directory.
    """
    folder = Path(folder)
    try:
        folder.mkdir(exist_ok=True)
        lock = os.fdopen(_open_regular(folder / "kasu.lock", RW | os.O_APPEND), "a+")
    except OSError as error:
        where = Path(error.filename).absolute()
        raise KasuError(where, str(error.strerror), OWN_DIRECTORY) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(lock, fcntl.LOCK_SH)
        return lock
    except OSError:  # no such locks in the file system: other runs cannot be seen
        return lock
    lock.seek(0)
    of_snakemake = list(folder.glob(locks))
    if not of_snakemake or lock.read() == socket.gethostname():
        for each in of_snakemake:
            each.unlink(missing_ok=True)
        lock.truncate(0)
        lock.write(socket.gethostname())
        lock.flush()
    fcntl.flock(lock, fcntl.LOCK_SH)
    return lock


def date_today(folder: str) -> int:
    """Date the files under `folder` that are dated in the future now; return how many there are.

    Snakemake fails each job that reads one, until the clock has caught up. Since it compares
    inputs by content, the new date runs nothing again.
    """
    now = time.time()
    dated = 0
    for parent, _, names in os.walk(folder):
        for file in (Path(parent, name) for name in names):
            with suppress(OSError):  # gone meanwhile, or of another user
                if file.lstat().st_mtime > now:
                    os.utime(file, (now, now), follow_symlinks=False)
                    dated += 1
    return dated

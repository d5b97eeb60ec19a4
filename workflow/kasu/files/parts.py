"""Temporary files and folders next to what they become.

A job that is killed cannot delete its own; the next one of the same name does.
"""

import errno
import fcntl
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from kasu.base.limits import code_of

OF_WRITING = (errno.EFBIG, errno.EDQUOT)
FULL = 1 << 14  # bytes free on a disk that is full
# Only setting the umask tells it, for all threads, so it is read once
_UMASK = os.umask(0o077)
os.umask(_UMASK)


@contextmanager
def temporary(path: str | Path, *, folder: bool = False) -> Iterator[Path]:
    """Yield a new file or folder `.<name>.<random>.part` next to `path`; delete it at the end.

    Its process holds a lock on it. Parts of that name that no process holds were left by killed
    jobs, and are deleted first.

    Raises:
        OSError: ENOSPC if the block fails while the disk is full, however it says so: torch,
            safetensors, tokenizers and numpy have errors of their own. Where the block reports a
            limit on writing, or a full disk without a name, the error names `path`.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    start = f".{path.name}."
    for stale in path.parent.glob(f"{glob.escape(start)}????????.part"):
        with suppress(OSError), _locked(stale, fcntl.LOCK_EX):
            _delete(stale)
    if folder:
        part = Path(tempfile.mkdtemp(".part", start, path.parent))
    else:
        handle, name = tempfile.mkstemp(".part", start, path.parent)
        os.close(handle)
        part = Path(name)
    try:
        with ExitStack() as stack:
            with suppress(OSError):
                stack.enter_context(_locked(part, fcntl.LOCK_SH))
            yield part
    except Exception as error:
        if shutil.disk_usage(path.parent).free < FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path)) from error
        code = code_of(error)
        # Another disk may be the full one; its error names a file of its own
        here = code == errno.ENOSPC and not getattr(error, "filename", None)
        if code is not None and (here or code in OF_WRITING):
            raise OSError(code, os.strerror(code), str(path)) from error
        raise
    finally:
        _delete(part)


@contextmanager
def landing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`; rename it to `path` if the block succeeds.

    The temporary file is flushed to disk before the rename, and removed if the block fails. The
    umask says who may read and write it.
    """
    with temporary(path) as part:
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.chmod(0o666 & ~_UMASK)
        try:
            part.replace(path)
        except OSError as error:  # a folder; it names the temporary file
            raise OSError(error.errno, error.strerror, str(path)) from error


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text, whole or not at all."""
    with landing(path) as part:
        part.write_text(text, encoding="utf-8")


def reserve(path: Path, size: int) -> None:
    """Make a file of zeros, in bytes, to be written through memory.

    Raises:
        OSError: the disk is full. To write to a page that it has no space for kills a process.
    """
    with path.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, size)


@contextmanager
def _locked(path: Path, kind: int) -> Iterator[None]:
    """Hold a lock on a file or folder.

    Raises:
        OSError: another process has one that excludes it, or the file system has no such locks.
    """
    # Over NFS only a file that is open for writing can be locked for oneself
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def landing_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path`; let it replace `path` if the block succeeds.

    The umask says who may enter it.
    """
    with temporary(path, folder=True) as part:
        yield part
        part.chmod(0o777 & ~_UMASK)
        shutil.rmtree(path, ignore_errors=True)
        part.replace(path)

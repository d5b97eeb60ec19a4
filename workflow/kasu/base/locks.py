"""Tell stale locks of Snakemake, left by a killed run, from live ones, and clear them.

`snakemake --unlock` is no substitute: it takes a command after every kill, and it removes the locks
of a live run too.
"""

import fcntl
import socket
from pathlib import Path
from typing import IO

from kasu.base.errors import KasuError

OWN_DIRECTORY = "a folder of your own; --directory DIR names one"


def hold_lock(folder: str | Path) -> IO[str]:
    """Hold `kasu.lock` in Snakemake's folder; clear its `locks/` if no other run holds it.

    All runs share `kasu.lock`. It is held until the returned file is closed, at the latest when
    the process ends, however it ends. Locks left by a run on another host stay, since that run may
    be alive; so do all where the file system cannot lock `kasu.lock`.

    Raises:
        KasuError: the folder or the file cannot be written, as in a colleague's working directory.
    """
    folder = Path(folder)
    try:
        folder.mkdir(exist_ok=True)
        held = (folder / "kasu.lock").open("a+")
    except OSError as error:
        where = Path(error.filename).absolute()
        raise KasuError(where, str(error.strerror), OWN_DIRECTORY) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(held, fcntl.LOCK_SH)
        return held
    except OSError:  # the file system has no such locks: who else runs cannot be told
        return held
    held.seek(0)
    locks = list((folder / "locks").glob("*.lock"))
    if not locks or held.read() == socket.gethostname():
        for lock in locks:
            lock.unlink(missing_ok=True)
        held.truncate(0)
        held.write(socket.gethostname())
        held.flush()
    fcntl.flock(held, fcntl.LOCK_SH)
    return held

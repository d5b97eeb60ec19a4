"""The locks of a Snakemake that was killed, told from those of one that lives."""

import fcntl
import socket
from pathlib import Path
from typing import IO


def hold_lock(folder: str | Path) -> IO[str]:
    """Share `kasu.lock` in Snakemake's folder; who finds itself alone clears `locks/` there.

    The lock is held until the file that is given back is closed, at the latest by the end of the
    process, however it ends. Locks that a run on another host has left stay: it may live.
    """
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    held = (folder / "kasu.lock").open("a+")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        fcntl.flock(held, fcntl.LOCK_SH)
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

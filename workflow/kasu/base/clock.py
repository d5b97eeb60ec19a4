"""What a clock that was ahead leaves behind: files dated in the future."""

import os
import time
from contextlib import suppress
from pathlib import Path


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

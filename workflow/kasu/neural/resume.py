"""States of a long job, kept on disk until it has finished."""

import hashlib
import json
import os
import pickle
import shutil
import time
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import torch

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.files.locks import hold, release
from kasu.files.regular import expect_regular, read_bytes
from kasu.files.tables import landing, write_text
from kasu.job.run import log

STATE, FACTS = ".pt", "facts.json"
DIGEST = 32  # bytes of a sha256


def read_state(path: str | Path, facts: bytes | None = None) -> dict[str, Any] | None:
    """Read the file of a state.

    Args:
        facts: the digest of the facts that it must have been made under, if any.

    Returns:
        None if it is torn, has changed since it was written, or was made under other facts.

    Raises:
        KasuError: it is no regular file.
    """
    expect_regular(path, "a state, or none")
    whole = Path(path).read_bytes()
    digest, rest = whole[:DIGEST], whole[DIGEST:]
    # A state file is a digest, then what it is taken of: the digest of the facts and the content
    known = facts is None or rest[:DIGEST] == facts
    if known and digest == hashlib.sha256(rest).digest():
        try:
            content = BytesIO(rest[DIGEST:])
            return torch.load(content, map_location="cpu", weights_only=True)
        except (RuntimeError, pickle.UnpicklingError) as error:
            reraise_limit(error)  # the state is sound, and would be lost
    return None


def expect_states(folder: str | Path) -> None:
    """Check that a folder, which `Work` may empty, holds nothing but states; it may be missing.

    Raises:
        KasuError: it holds something else.
    """
    for path in Path(folder).glob("[!.]*"):
        if path.suffix != STATE and path.name != FACTS:
            raise KasuError(path, "in a folder for states of a run", "only states there")


class Work:
    """A folder of named states, all made under the same facts.

    A state is what `torch.save` takes: tensors, numbers, text, lists and mappings of them.
    It is loaded as weights only, so a foreign file cannot run code.

    The process holds the folder until `remove`, at the latest until it ends.
    """

    def __init__(
        self,
        folder: str | Path,
        facts: Mapping[str, object],
        every: float,
        *,
        shared: bool = False,
    ) -> None:
        """Open `folder` once no other process holds it.

        States that were made under other facts are discarded.

        Args:
            facts: all that the states depend on besides the version of torch: config, data, code,
                device.
            every: seconds between two states of a running job (see `due`).
            shared: another process of the same job holds the folder; this one only reads.

        Raises:
            KasuError: `folder` is a file, or the file of its facts is none.
        """
        self.folder, self.every = Path(folder), every
        self._saved = time.monotonic()
        stated = json.dumps({**facts, "torch": torch.__version__}, sort_keys=True, indent=1)
        self._facts = hashlib.sha256(stated.encode()).digest()
        if shared:
            return
        hold(self.folder)
        stamp = self.folder / FACTS
        if os.path.lexists(self.folder) and not self.folder.is_dir():
            raise KasuError(self.folder, "no folder", "a folder of states, or none")
        known = read_bytes(stamp, "the facts of a state, or none") == stated.encode()
        if not known and self.folder.exists() and any(self.folder.iterdir()):
            log.info("%s: state of another config, data or code: discarded", folder)
            shutil.rmtree(self.folder, ignore_errors=True)
        write_text(stamp, stated)

    def load(self, name: str) -> dict[str, Any] | None:
        """Return the state of that name; None if it is missing, unreadable or of other facts."""
        path = self._path(name)
        if not path.exists():
            return None
        state = read_state(path, self._facts)
        if state is None:
            log.info("%s: unreadable or of other facts: not used", path)
        return state

    def save(self, name: str, state: Mapping[str, object]) -> None:
        """Write a state after its digest, in place of an earlier one of that name."""
        content = BytesIO()
        torch.save(dict(state), content)
        with landing(self._path(name)) as part:
            rest = self._facts + content.getvalue()
            part.write_bytes(hashlib.sha256(rest).digest() + rest)
        self._saved = time.monotonic()

    def due(self) -> bool:
        """Return whether it is time to save again."""
        return time.monotonic() - self._saved >= self.every

    def remove(self) -> None:
        """Delete all states and let others have the folder; the job is done."""
        # Without locks in the file system, another process may write states at this moment
        shutil.rmtree(self.folder, ignore_errors=True)
        release(self.folder)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{STATE}"

"""States of a long job, kept on disk until it has finished."""

import hashlib
import json
import pickle
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import torch

from kasu.base.run import log
from kasu.base.tables import landing, write_text

DIGEST = 32  # bytes of a sha256


def read_state(path: str | Path) -> dict[str, Any] | None:
    """Read the file of a state; None if it is torn or has changed since it was written."""
    whole = Path(path).read_bytes()
    digest, content = whole[:DIGEST], whole[DIGEST:]
    if digest == hashlib.sha256(content).digest():
        with suppress(RuntimeError, pickle.UnpicklingError):
            return torch.load(BytesIO(content), map_location="cpu", weights_only=True)
    return None


class Work:
    """A folder of named states, all made under the same facts.

    A state is what `torch.save` takes: tensors, numbers, text, lists and mappings of them.
    It is loaded as weights only, so a foreign file cannot run code.
    """

    def __init__(self, folder: str | Path, facts: Mapping[str, object], every: float) -> None:
        """Open `folder`, and discard its states if they were made under other facts.

        Args:
            facts: everything that the states depend on: config, data, code.
            every: seconds between two states of a running job (see `due`).
        """
        self.folder, self.every = Path(folder), every
        self._saved = time.monotonic()
        stated = json.dumps(facts, sort_keys=True, indent=1)
        stamp = self.folder / "facts.json"
        known = stamp.exists() and stamp.read_text("utf-8") == stated
        if not known and self.folder.exists() and any(self.folder.iterdir()):
            log.info("%s: state of another config, data or code: discarded", folder)
            self.remove()
        write_text(stamp, stated)

    def load(self, name: str) -> dict[str, Any] | None:
        """The state of that name, or None if it is missing or unreadable."""
        path = self._path(name)
        if not path.exists():
            return None
        state = read_state(path)
        if state is None:
            log.info("%s: unreadable state: discarded", path)
        return state

    def save(self, name: str, state: Mapping[str, object]) -> None:
        """Write a state after its digest, in place of an earlier one of that name."""
        content = BytesIO()
        torch.save(dict(state), content)
        with landing(self._path(name)) as part:
            part.write_bytes(hashlib.sha256(content.getvalue()).digest() + content.getvalue())
        self._saved = time.monotonic()

    def due(self) -> bool:
        """Whether it is time to save again."""
        return time.monotonic() - self._saved >= self.every

    def remove(self) -> None:
        """Delete all states; the job is done."""
        shutil.rmtree(self.folder)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.pt"

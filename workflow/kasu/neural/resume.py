"""States of a long job, kept on disk until it has finished."""

import json
import pickle
import shutil
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from kasu.base.run import log
from kasu.base.tables import landing, write_text


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
        try:
            if zipfile.is_zipfile(path):  # torch.save writes zip files; a torn one has no directory
                return torch.load(path, map_location="cpu", weights_only=True)
        except (RuntimeError, pickle.UnpicklingError):
            pass
        log.info("%s: unreadable state: discarded", path)
        return None

    def save(self, name: str, state: Mapping[str, object]) -> None:
        """Write a state, in place of an earlier one of that name."""
        with landing(self._path(name)) as part:
            torch.save(dict(state), part)
        self._saved = time.monotonic()

    def due(self) -> bool:
        """Whether it is time to save again."""
        return time.monotonic() - self._saved >= self.every

    def remove(self) -> None:
        """Delete all states; the job is done."""
        shutil.rmtree(self.folder)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.pt"

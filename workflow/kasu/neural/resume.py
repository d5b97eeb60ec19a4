"""The state of a long job, kept from one try to the next (design: Resume)."""

import json
import pickle
import shutil
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import torch

from kasu.base.run import log
from kasu.base.tables import landing, write_text


class Work:
    """A folder of named states, all made under the same facts.

    A state is what `torch.save` takes: tensors, numbers, text, lists and mappings of them.
    It is read back as weights only, so a foreign file runs no code.
    """

    def __init__(self, folder: str | Path, facts: Mapping[str, object], every: float) -> None:
        """Open `folder`; states of other facts are discarded.

        Args:
            facts: all that the states depend on: config, data, code.
            every: seconds between two states of a running job (`due`).
        """
        self.folder, self.every = Path(folder), every
        self._saved = time.monotonic()
        stated = json.dumps(facts, sort_keys=True, indent=1)
        stamp = self.folder / "facts.json"
        if self.folder.exists() and (not stamp.exists() or stamp.read_text("utf-8") != stated):
            log.info("%s: state of another config, data or code: discarded", folder)
            self.remove()
        write_text(stamp, stated)

    def load(self, name: str) -> dict | None:
        """The state of that name; None if there is none that can be read."""
        path = self._path(name)
        if not path.exists():
            return None
        try:
            if zipfile.is_zipfile(path):  # as torch.save writes; its end is missing if torn
                return torch.load(path, map_location="cpu", weights_only=True)
        except (RuntimeError, pickle.UnpicklingError):
            pass
        log.info("%s: unreadable state: discarded", path)
        return None

    def save(self, name: str, state: Mapping[str, object]) -> None:
        """Keep a state, in place of the one of that name."""
        with landing(self._path(name)) as part:
            torch.save(dict(state), part)
        self._saved = time.monotonic()

    def due(self) -> bool:
        """Is it time to save again?"""
        return time.monotonic() - self._saved >= self.every

    def remove(self) -> None:
        """Drop all states, for the job is done."""
        shutil.rmtree(self.folder)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.pt"

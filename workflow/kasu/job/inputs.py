"""What a job reads that no job of a study made, and the sha256 of each such file and folder.

They are among the parameters of the job, so it runs again when one is replaced, whatever its date.
Files that a job made have seals, and Snakemake compares their contents. It compares only the dates
of folders, made or fetched, so folders are here as well.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.hashes import CACHE
from kasu.files.reading import expect_file, fetched_hash
from kasu.files.seals import (
    content_hash,
    expect_fetched,
    is_sealed,
    recorded_inputs,
    sealed_hash,
)


class Planned:
    """The inputs as a run finds them when it plans.

    Args:
        results: the folder of all outputs.
        downloads: where sources land.
    """

    def __init__(self, results: str, downloads: str | Path) -> None:
        self._results, self._downloads = f"{results}/", f"{downloads}/"

    def is_outside(self, path: str) -> bool:
        """Return whether no job writes this path."""
        return not path.startswith((self._results, self._downloads))

    def hashes(self, paths: Iterable[str], outputs: Iterable[str]) -> dict[str, str]:
        """Return the sha256 of inputs by path, without files that have a seal.

        The lock of a download and the seal of a folder are believed here. A missing input counts
        as it was when the outputs were made; if they do not record it, it is left out.

        Args:
            outputs: of the job, as far as they are there.

        Raises:
            KasuError: a file cannot be read.
        """
        found = {path: self._hash(path) for path in paths}
        if not all(found.values()):
            before = next(filter(None, map(recorded_inputs, outputs)), {})
            found = {path: sha256 or before.get(path, "") for path, sha256 in found.items()}
        return {path: sha256 for path, sha256 in found.items() if sha256 not in ("", SEALED)}

    def _hash(self, name: str) -> str:
        """Return the hash of an input; empty if it is missing, SEALED if Snakemake compares it."""
        path = Path(name)
        if name.startswith(self._downloads) and (fetched := fetched_hash(path)):
            return fetched
        try:
            if name.startswith(self._results) and is_sealed(path):
                return (sealed_hash(path) or "") if path.is_dir() else SEALED
            # Anything else, such as a pipe, is not read here; the job that reads it reports it
            return content_hash(path) if path.is_file() or path.is_dir() else ""
        except OSError as error:
            raise KasuError(path, error.strerror or "unreadable", "an input") from error


SEALED = "sealed"


def expect_planned(hashes: Mapping[str, str]) -> None:
    """Check that inputs are what `Planned.hashes` found.

    Raises:
        KasuError: one has changed or is gone.
    """
    for path, planned in hashes.items():
        if _hash(Path(path)) != planned:
            found = "changed while the run was planned or running"
            again = f"run again, and if that does not help, delete {CACHE}"
            raise KasuError(path, found, f"sha256 {planned}; {again}")


def _hash(path: Path) -> str:
    if path.is_dir():
        expect_fetched(path)
    else:
        expect_file(path)
    return fetched_hash(path) or content_hash(path)

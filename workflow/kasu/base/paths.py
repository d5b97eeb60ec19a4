"""Paths as people write them, and the files that come with Kasu wherever it runs."""

import os
import re
from pathlib import Path

from kasu.base.errors import KasuError

ROOT = Path(__file__).resolve().parents[3]
"""The folder that Kasu runs from, with its `config`, `resources` and `workflow`."""


def plain_path(text: str) -> str:
    """One spelling for a path: no `~` for a home, `//` or `./`, no `/` at its end, no spare `..`.

    Addresses, and names without any of these, stay as they are.

    Raises:
        ValueError: the user that `~` names has no home folder.
    """
    if not text or "://" in text:
        return text
    path = str(Path(re.sub("^/+", "/", text)))
    try:
        if text.startswith("~"):  # `./~` is a folder of that name
            path = str(Path(path).expanduser())
    except RuntimeError as error:
        raise ValueError from error
    shorter = os.path.normpath(path)
    # Behind a symbolic link, `..` is another folder
    return shorter if os.path.realpath(shorter) == os.path.realpath(path) else path


def locate(path: str | Path) -> Path:
    """A file or folder in the working directory, or in Kasu's folder if only that has it.

    So a config may name the files that come with Kasu in any working directory.
    """
    own = ROOT / path
    return own if not exists(path) and exists(own) else Path(path)


def own(path: str) -> Path:
    """A file or folder that comes with Kasu, whatever the working directory has of that name."""
    return Path(path) if Path.cwd() == ROOT else ROOT / path


def exists(path: str | Path) -> bool:
    """Whether there is such a file or folder, and it is in reach: `Path.exists` may raise."""
    return os.access(path, os.F_OK)


def expect_no_input(output: str | Path, *inputs: str | Path) -> None:
    """Check that what a command is to write is none of the files that it reads, nor in one's place.

    Links are followed. Of a folder that is read, that holds for each file in it.

    Raises:
        KasuError: it is one.
    """
    output = Path(output)
    for path in map(Path, inputs):
        for file in path.iterdir() if path.is_dir() else [path]:
            if exists(output) and exists(file) and output.samefile(file):
                raise KasuError(output, f"an input of this command ({file})", "another output")

"""Paths as people write them, and the files that come with Kasu wherever it runs."""

import os
import re
from pathlib import Path

from kasu.base.errors import KasuError

_PACKAGE = Path(__file__).resolve().parents[1]
ROOT = _PACKAGE.parents[1] if _PACKAGE.parent.name == "workflow" else _PACKAGE
"""The folder that Kasu runs from, with its `config`, `resources` and `workflow`.

An installed package has what its commands read of `config` and `resources` in its own folder.
"""


def plain_path(text: str) -> str:
    """Return one spelling for a path: without `~`, `//`, `./`, a `/` at the end, a spare `..`.

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
    """Locate a file or folder in the working directory, or in Kasu's folder if only that has it.

    So a config may name the files that come with Kasu in any working directory.
    """
    own = ROOT / path
    return own if not exists(path) and exists(own) else Path(path)


def own(path: str) -> Path:
    """Return a file or folder that comes with Kasu, also if the working directory has the name."""
    return Path(path) if Path.cwd() == ROOT else ROOT / path


def exists(path: str | Path) -> bool:
    """Return whether a file or folder exists and is in reach: `Path.exists` may raise."""
    return os.access(path, os.F_OK)


def lies_in(path: str | Path, folder: str | Path) -> bool:
    """Return whether a path is a folder or lies in it, also through links; both may be missing."""
    inner, outer = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    return inner.is_relative_to(outer) or any(
        # Another name of the same folder: it is mounted twice, or letters may be small or large
        _is_same(each, outer)
        for each in (inner, *inner.parents)
    )


def expect_no_input(output: str | Path, *inputs: str | Path, emptied: bool = False) -> None:
    """Check that what a command is to write neither is nor changes what it reads.

    Links are followed. For a folder that is read, each file in it is checked.

    Args:
        emptied: whether the output is a folder of which nothing stays.

    Raises:
        KasuError: it is an input, or lies in one; or it is `emptied` and an input lies in it.
    """
    output = Path(output)
    for path in map(Path, inputs):
        for file in path.rglob("*") if path.is_dir() and exists(output) else [path]:
            if _is_same(output, file):
                raise KasuError(output, f"an input of this command ({file})", "another output")
        if path.is_dir() and lies_in(output, path):
            raise KasuError(output, f"in a folder that this command reads ({path})", "another one")
        if emptied and lies_in(path, output):
            raise KasuError(output, f"would be emptied, and {path} is an input", "another output")


def expect_folder(output: str | Path) -> None:
    """Check that a folder that a command is to write in is one, or is not there yet.

    Raises:
        KasuError: a file or a pipe is there.
    """
    if exists(output) and not Path(output).is_dir():
        raise KasuError(output, "a file", "a folder to write in")


def expect_output(output: str | Path, *inputs: str | Path) -> None:
    """Check that a file that a command is to write is no folder, and nothing that it reads.

    Raises:
        KasuError: it is, or as `expect_no_input`.
    """
    if Path(output).is_dir():
        raise KasuError(output, "a folder", "a file to write")
    expect_no_input(output, *inputs)


def expect_empty(output: str | Path) -> None:
    """Check that a folder that a command is to write is not there yet, or is empty.

    Raises:
        KasuError: a file is there, or a folder with something in it.
    """
    output = Path(output)
    if exists(output) and not output.is_dir():
        raise KasuError(output, "a file", "a new folder")
    if exists(output) and any(output.iterdir()):
        raise KasuError(output, "a folder that is not empty", "a new one")


def _is_same(one: Path, other: Path) -> bool:
    return exists(one) and exists(other) and one.samefile(other)

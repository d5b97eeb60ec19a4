"""Kasu's version, commit and requirements, also when it runs without being installed."""

import subprocess
import tomllib
from importlib import metadata

from kasu.base.paths import ROOT

PYPROJECT = ROOT / "pyproject.toml"


def kasu_version() -> str:
    """Return the version of Kasu."""
    try:
        return metadata.version("kasu")
    except metadata.PackageNotFoundError:
        return _project()["version"]


def commit() -> str:
    """Return the commit of this tree, with `+` if the tree differs from it.

    The text is empty where Kasu's folder is no git repository, as in a release, or git is missing.
    """
    if not (ROOT / ".git").exists():  # git would describe a repository around it
        return ""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        described = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return described.stdout.strip()


def requirements() -> list[str]:
    """Return the packages that Kasu requires, with their versions and without extras."""
    try:
        return [line for line in metadata.requires("kasu") or () if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        return _project()["dependencies"]


def _project() -> dict:
    return tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]

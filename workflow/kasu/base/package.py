"""Kasu's version and requirements, also when it runs from its folder without being installed."""

import tomllib
from importlib import metadata
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"


def kasu_version() -> str:
    """Return the version of Kasu."""
    try:
        return metadata.version("kasu")
    except metadata.PackageNotFoundError:
        return _project()["version"]


def requirements() -> list[str]:
    """Return the packages that Kasu requires, with their versions and without extras."""
    try:
        return [line for line in metadata.requires("kasu") or () if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        return _project()["dependencies"]


def _project() -> dict:
    return tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]

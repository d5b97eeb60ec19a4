"""Where the figures come from: sources with their checksums, and what the run was made with."""

import json
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from platform import python_version

from kasu.base.errors import KasuError
from kasu.base.files import expect_file, file_hash
from kasu.base.package import kasu_version, requirements

_LOCKED = ("bytes", "sha256", "verified")


def describe_source(source: Mapping[str, str]) -> dict[str, object]:
    """Describe one source: its name (of a model, with the commit), licence, size and checksum.

    Args:
        source: `name`, `licence` and `citation`, and either `lock`, the lock file of its
            download, or `path`, a local file. A local file is hashed; its `verified` is "local".

    Raises:
        KasuError: the file is missing or not the one that was fetched, or the lock lacks a fact.
    """
    known = {key: source.get(key) or "" for key in ("name", "licence", "citation")}
    if "lock" in source:
        lock = Path(source["lock"])
        if (fetched := lock.with_suffix("")).is_file():
            expect_file(fetched)
        return known | _read_lock(lock)
    path = Path(source["path"])
    if not path.is_file():
        raise KasuError(path, "no such file", f"the source {known['name']!r}")
    size, digest = path.stat().st_size, file_hash(path)
    return known | {"bytes": size, "sha256": digest, "verified": "local"}


def _read_lock(path: Path) -> dict[str, object]:
    try:
        lock = json.loads(path.read_text(encoding="utf-8"))
        facts = {key: lock[key] for key in _LOCKED}
        commit = lock.get("revision")
        return facts | ({"name": f"{lock['name']}, commit {commit}"} if commit else {})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KasuError(path, f"not a lock file ({error})", ", ".join(_LOCKED)) from error


def package_versions() -> dict[str, str]:
    """Python, Kasu, and each package that Kasu requires, by name: the versions installed."""
    # A requirement starts with its name: `torch>=2.4`
    required = {re.split(r"[^\w.-]", line)[0] for line in requirements()}
    versions = {name: metadata.version(name) for name in required} | {"kasu": kasu_version()}
    return {"python": python_version(), **dict(sorted(versions.items()))}

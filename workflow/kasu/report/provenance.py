"""Where the figures come from: sources with their checksums, and what the run was made with."""

import json
import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from importlib import metadata
from pathlib import Path
from platform import python_version
from typing import Any

from kasu.base.errors import KasuError
from kasu.base.package import commit, kasu_version, requirements
from kasu.files.reading import expect_file, read_text
from kasu.files.seals import content_hash, recorded_inputs

log = logging.getLogger("kasu")

AGAIN = "%s: %s; run again without --rerun-triggers or, after --touch, with --forcerun"

_LOCKED = ("bytes", "sha256", "verified")


def used_sources(inputs: Iterable[str]) -> dict[str, set[str]]:
    """Return by path every sha256 that a source had when a result was made of it.

    Args:
        inputs: what jobs made, of which some read sources; their seals tell.
    """
    used = defaultdict(set)
    for path in inputs:
        for source, sha256 in recorded_inputs(path).items():
            used[source].add(sha256)
    return used


def describe_source(
    source: Mapping[str, str], used: Mapping[str, Collection[str]], *, partial: bool = False
) -> dict[str, object]:
    """Describe one source: its name (of a model, with the commit), licence, size and checksum.

    The checksum is that of the source as it was read, even if it is another by now; `verified`
    and the log then say so, and the size is left out.

    Args:
        source: `name`, `licence` and `citation`, and either `lock`, the lock file of its
            download, or `path`, a local file or folder. `verified` of these is "local".
        used: what `used_sources` found.
        partial: whether a file may be missing; then `verified` says so.

    Raises:
        KasuError: the file is missing or not the one that was fetched, or the lock lacks a fact.
    """
    known: dict[str, object] = {
        key: source.get(key) or "" for key in ("name", "licence", "citation")
    }
    path = Path(source["lock"]).with_suffix("") if "lock" in source else Path(source["path"])
    read = sorted(used.get(str(path), ()))
    try:
        facts = _facts(source, path)
    except KasuError:
        if not partial:
            raise
        return known | {"bytes": "", "sha256": " ".join(read), "verified": "not at hand"}
    # The lock of a download tells by itself what has landed
    if read == [facts["sha256"]] or (not read and "lock" in source):
        return known | facts
    changed = "changed since it was read" if len(read) == 1 else "read in several versions"
    why = changed if read else "no record of what was read"
    log.warning(AGAIN, path, why)
    facts |= {"bytes": "", "sha256": " ".join(read), "verified": f"{facts['verified']}, {why}"}
    return known | facts


def _facts(source: Mapping[str, str], path: Path) -> dict[str, object]:
    """Return what is known of a source that lies at `path`."""
    if "lock" in source:
        if path.is_file():
            expect_file(path)
        return _read_lock(Path(source["lock"]))
    if not (path.is_file() or path.is_dir()):  # a pipe has no end, and no checksum
        raise KasuError(path, "no such file", f"the source {source.get('name')!r}")
    files = path.rglob("*") if path.is_dir() else [path]
    size = sum(each.stat().st_size for each in files if each.is_file())
    return {"bytes": size, "sha256": content_hash(path), "verified": "local"}


def _read_lock(path: Path) -> dict[str, object]:
    try:
        lock = json.loads(read_text(path))
        facts = {key: lock[key] for key in _LOCKED}
        commit = lock.get("revision")
        return facts | ({"name": f"{lock['name']}, commit {commit}"} if commit else {})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KasuError(path, f"not a lock file ({error})", ", ".join(_LOCKED)) from error


def named_dictionaries(config: Mapping[str, Any]) -> list[str]:
    """Return the dictionaries of the analysers that corpora of a config name; others are unused."""

    def read(section: str, key: str) -> dict[str, str]:
        # The config of a folder of results may hold anything
        stated = config.get(section)
        entries = stated if isinstance(stated, list) else []
        maps = (each for each in entries if isinstance(each, Mapping))
        pairs = ((each.get("name"), each.get(key)) for each in maps)
        return {a: b for a, b in pairs if isinstance(a, str) and isinstance(b, str)}

    named = read("corpora", "analyser").values()
    return [path for name, path in read("analysers", "dictionary").items() if name in named]


def used_dictionaries(
    dictionaries: Iterable[str], used: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """Return the sha256 that each dictionary of an analyser was read with, by name on the page.

    Args:
        used: what `used_sources` found; nothing for a dictionary that no job has read.
    """
    return {
        f"sha256 of {path}": " ".join(sorted(used.get(path, ()))) or "no record of what was read"
        for path in dictionaries
    }


def package_versions() -> dict[str, str]:
    """Return the installed versions of Python, Kasu, and what Kasu requires, by name.

    Kasu's has the commit, where there is one.
    """
    # A requirement starts with its name: `torch>=2.4`
    required = {re.split(r"[^\w.-]", line)[0] for line in requirements()}
    kasu = ", commit ".join(filter(None, (kasu_version(), commit())))
    versions = {name: metadata.version(name) for name in required} | {"kasu": kasu}
    return {"python": python_version(), **dict(sorted(versions.items()))}

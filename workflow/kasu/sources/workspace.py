"""The workspace of a run: where it finds sources and puts results, and the licences it admits."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

from kasu.base.errors import KasuError, nearest
from kasu.base.paths import ROOT, exists, lies_in
from kasu.files.seals import is_sealed
from kasu.sources.cards import LOCAL, admits
from kasu.sources.download import is_held
from kasu.sources.latest import Ask, pinned_name
from kasu.sources.registry import LONGEST_NAME, Entry, Source, resolve, undated

OWN, OWN_LICENCE = (ROOT / "resources/demo", ROOT / "resources/seeds"), "CC0-1.0"
"""The data written for Kasu, and the licence that LICENSES-DATA.md states for them."""
QUERIES = ROOT / "resources/queries"
"""The requests of the paper on minimal sets."""
KASU = ("bench", "config", "docs", "envs", "profiles", "resources", "tests", "tools", "workflow")
"""Kasu's folders: none takes the results, but a folder in one may, as `config/mine/results`."""


class Described(TypedDict):
    """The facts on a source that dataset cards and the report state."""

    name: str
    licence: str
    citation: str


class Workspace:
    """The folder of results, the registry of sources, downloads and mirrors of one run.

    Attributes:
        results: the folder of all outputs, as the config names it.
        registry: registered sources by name.
        downloads: where sources land.
        mirrors: folders that are asked before the network.
        licences: the licences that the config admits; empty admits all.
        ask: finds the newest dump for a name such as `euwiki-latest` that has no pin yet. Without
            it, as in a dry run, such a name stays as it is and can only be planned.
    """

    def __init__(
        self,
        results: str,
        registry: Mapping[str, Source],
        downloads: Path,
        mirrors: Sequence[Path] = (),
        licences: Sequence[str] = (),
        ask: Ask | None = None,
    ) -> None:
        """Raise KasuError for an unknown licence, or if the results would be a file."""
        admits(licences, "")
        expect_folder(results, "config results", "a folder", to_write=False)
        self.ask = ask
        self.results, self.registry, self.downloads = results, registry, downloads
        self.mirrors, self.licences = tuple(mirrors), tuple(licences)
        self._sources = {source.path: source for source in registry.values()}
        self._resolved: dict[tuple[str, str], Entry] = {}

    def resolve(self, text: str, section: str, licence: str = "") -> Entry:
        """Resolve an entry of the config; its source can be fetched from now on.

        The result is kept, since thousands of rules' functions ask for the same entry.

        Args:
            section: where the entry stands, for messages: `config blm seeds`.
            licence: the licence that the config states, for a file without one in the registry.

        Raises:
            KasuError: no registered name, no file and no address (names the section); or the
                newest dump cannot be found.
        """
        if entry := self._resolved.get((text, licence)):
            return entry
        name = text
        try:
            if source := undated(text, self.registry):
                name = pinned_name(text, source, self.downloads, self.ask)
            entry = resolve(name, self.registry, self.downloads)
        except KasuError as error:
            raise KasuError(section, str(error)) from error
        if not entry.licence:
            source = entry.source and replace(entry.source, licence=licence)
            entry = replace(entry, source=source, own_licence=licence)
        self.register(entry)
        self._resolved[text, licence] = entry
        return entry

    def resolve_each(self, texts: Iterable[str], section: str, licence: str = "") -> list[Entry]:
        """Resolve entries whose files are read as one.

        Raises:
            KasuError: two are the same file, or as `resolve`.
        """
        entries: dict[Path, Entry] = {}
        for text in texts:
            entry = self.resolve(text, section, licence)
            if first := entries.get(path := entry.file.resolve()):
                found = f"{text}: in the list already, as {first.file}"
                raise KasuError(section, found, "each file once")
            entries[path] = entry
        return [*entries.values()]

    def resolve_first(self, texts: Iterable[str], section: str) -> Entry:
        """Return the first source that mirrors or downloads hold, else the first of all."""
        entries = [self.resolve(text, section) for text in texts]
        return next((entry for entry in entries if is_held(entry, self.mirrors)), entries[0])

    def register(self, *entries: Entry) -> None:
        """Let the sources of entries be fetched."""
        self._sources |= {entry.source.path: entry.source for entry in entries if entry.source}

    def allows(self, entry: Entry) -> bool:
        """Return whether `licences` admit a source; a local file of unstated licence always is."""
        own = entry.source is None and not entry.licence
        return own or admits(self.licences, entry.licence)

    def source_at(self, path: str) -> Source:
        """Return the source that lands at a path below the downloads.

        Raises:
            KasuError: there is none, or its licence is not admitted.
        """
        if path not in self._sources:
            found = "no such path in config/sources.tsv"
            raise KasuError(path, found, nearest(path, self._sources))
        source = self._sources[path]
        if not admits(self.licences, source.licence):
            raise KasuError(
                f"source {source.name}",
                f"licence {source.licence or 'not stated'!r}",
                f"one of `licences` in the config: {', '.join(self.licences)}",
            )
        return source


def expect_folder(path: str, where: str, expected: str, *, to_write: bool = True) -> None:
    """Check that a path is a folder or can become one.

    Args:
        to_write: whether the folder must be writable.

    Raises:
        KasuError: the name is too long for what lies below it; the path lies in a file, in a circle
            of links or below a link to nothing; or, with `to_write`, it lies in a read-only folder.
    """
    folders = (Path(path), *Path(path).absolute().parents)
    nearest = next(folder for folder in folders if os.path.lexists(folder))
    # The whole path, with a name below it, may be too long. So may each part, which the whole path
    # does not show if an earlier part is missing
    for each in (Path(path, "x" * LONGEST_NAME), *(nearest / part for part in Path(path).parts)):
        try:
            each.stat()
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        except OSError as error:
            raise KasuError(where, f"{path[:100]}: {error.strerror}", expected) from error
    if not exists(nearest):
        raise KasuError(where, f"{nearest} is a link to nothing", expected)
    if not nearest.is_dir():
        raise KasuError(where, f"{nearest} is a file", expected)
    if to_write and not os.access(nearest, os.W_OK | os.X_OK):
        raise KasuError(where, f"{nearest} is read-only", expected)


def expect_apart(workspace: Workspace) -> None:
    """Check that the results mix with nothing else that a run reads or keeps.

    Raises:
        KasuError: they are or hold the working directory or a folder of Kasu; or lie in a folder of
            Snakemake, of downloads or of Kasu's own data; or are a mirror.
    """
    results, downloads = workspace.results, workspace.downloads
    where, expected = "config results", "a folder of its own"
    for folder in (Path.cwd(), ROOT, downloads, *(ROOT / name for name in KASU), *OWN):
        if lies_in(folder, results):
            raise KasuError(where, f"{results} is or holds {folder}", expected)
    for folder in (downloads, Path(".snakemake"), *OWN):
        if lies_in(results, folder):
            raise KasuError(where, f"{results} lies in {folder}", expected)
    for folder in workspace.mirrors:
        if lies_in(folder, results) and lies_in(results, folder):
            raise KasuError(where, f"{results} is the mirror {folder}", expected)
        if lies_in(folder, downloads) and lies_in(downloads, folder):
            found = f"{folder} is where downloads land"
            raise KasuError("config mirror", found, "another folder")


def expect_unwritten(config: Any, results: str, writes: Callable[[str], bool]) -> None:
    """Check that no rule writes over a file that the config names: such a file is the user's own.

    A file that a rule has written already, as its seal tells, may be named.

    Args:
        config: maps, lists and scalars; every text that is the path of a file or folder counts.
        writes: whether a rule writes a path, which begins with `results`.

    Raises:
        KasuError: a rule writes a file or the folder that it lies in.
    """
    within = f"{os.path.realpath(results)}{os.sep}"
    for named in sorted(_texts(config)):
        real = os.path.realpath(named)
        if not real.startswith(within) or not exists(real):
            continue
        inner = Path(real.removeprefix(within))
        for path in (inner, *inner.parents[:-1]):
            if writes(f"{results}/{path}") and not is_sealed(Path(results, path)):
                found = f"{results}/{path} is written by a rule, and {named} is an input"
                raise KasuError("config results", found, "an input elsewhere")


def _texts(value: Any) -> set[str]:
    """Return all texts in maps and lists that can be paths."""
    if isinstance(value, str):
        return set() if "\0" in value else {value}
    items = value.values() if isinstance(value, Mapping) else value
    return set().union(*map(_texts, items)) if isinstance(value, Mapping | Sequence) else set()


def comes_with_kasu(entry: Entry) -> bool:
    """Return whether an entry is a file of the demo, and none of the user's."""
    return entry.source is None and _lies_in_one(entry, (*OWN, QUERIES))


def _lies_in_one(entry: Entry, folders: Iterable[Path]) -> bool:
    # By text: a config may name thousands of files
    path = str(entry.file.absolute())
    return any(path.startswith(f"{folder}{os.sep}") for folder in folders)


def describe(entry: Entry) -> Described:
    """Describe a source for cards and the report."""
    if entry.source is None:
        # Kasu's own files have one name wherever it runs
        ours = entry.file.is_relative_to(ROOT)
        name = str(entry.file.relative_to(ROOT) if ours else entry.file)
        known = OWN_LICENCE if _lies_in_one(entry, OWN) else LOCAL
        return {"name": name, "licence": entry.licence or known, "citation": ""}
    source = entry.source
    return {
        "name": source.name,
        "licence": entry.licence or "not stated",
        "citation": source.citation,
    }

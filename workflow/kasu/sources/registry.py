"""The registry of public files, and the sources that entries of the config stand for."""

import difflib
import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar
from urllib.parse import urlsplit

from kasu.base.errors import KasuError
from kasu.base.paths import plain_path
from kasu.base.secrets import public_name
from kasu.files.regular import expect_regular
from kasu.files.tables import read_tsv

DATE = "[0-9]{8}"
LONGEST_NAME = 200  # characters of a part of a path; file systems take 255 bytes, ours adds to it
LATEST = "latest"
OWN_ADDRESSES = "url"  # the folder of files from addresses that a config states
PLACEHOLDERS = {"wiki": "[a-z][a-z0-9_]*", "date": f"{DATE}|{LATEST}"}
T = TypeVar("T")
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_FORMATS = {".gz", ".xz", ".bz2", ".xml", ".txt", ".conllu", ".tsv", ".csv", ".json", ".jsonl"}


@dataclass(frozen=True)
class Source:
    """A public file or one in a mirror: a line of the registry, or a user's own address.

    `path` is its place under the downloads and in a mirror; `url` is empty if only a mirror has it.
    `bytes` and `sha256` describe the file at `url`; they are None and empty if nobody has computed
    them. `checksums` is the address of the publisher's list of checksums, or empty. A name with
    placeholders, such as `{wiki}-{date}`, stands for many sources.

    Raises:
        KasuError: a field is malformed, or a path could leave the downloads.
    """

    name: str
    path: str
    url: str = ""
    bytes: int | None = None
    sha256: str = ""
    checksums: str = ""
    licence: str = ""
    citation: str = ""

    def __post_init__(self) -> None:
        for column, good, expected in (
            ("name", re.fullmatch(r"\S+", self.name), "a word without blanks"),
            ("path", _is_safe(self.path), "a relative path without '..'"),
            ("url", not self.url or _is_web(self.url), "an http(s) address without a password"),
            ("bytes", self.bytes is None or self.bytes >= 0, "a size in bytes"),
            ("sha256", re.fullmatch("([0-9a-f]{64})?", self.sha256), "64 hexadecimal digits"),
            ("checksums", not self.checksums or _is_web(self.checksums), "an http(s) address"),
        ):
            if not good:
                found = repr(getattr(self, column))
                raise KasuError(f"source {self.name}, column {column}", found, expected)
        for column in ("name", "path", "url", "checksums"):
            for word in _PLACEHOLDER.findall(getattr(self, column)):
                if word not in PLACEHOLDERS or f"{{{word}}}" not in self.name:
                    where = f"source {self.name}, column {column}"
                    raise KasuError(where, f"{{{word}}}", f"placeholders of {[*PLACEHOLDERS]}")

    @property
    def slug(self) -> str:
        """The name for output paths: `[a-z0-9_.-]+`, without the first folder and the format."""
        return _slug(self.name.partition("/")[2] or self.name)

    def facts(self) -> dict[str, object]:
        """Return what a fetch depends on: all fields but licence and citation."""
        kept = asdict(self)
        del kept["licence"], kept["citation"]
        return kept


COLUMNS = tuple(field.name for field in fields(Source))


@dataclass(frozen=True)
class Entry:
    """An entry of the config: `file` is its path in the workflow, `slug` names its outputs.

    `source` says where to fetch `file`. It is None for a local file, whose `own_licence` is what
    the config states. A language model (`is_model`) answers about data, and is none.
    """

    slug: str
    file: Path
    source: Source | None
    own_licence: str = ""
    is_model: bool = False

    @property
    def licence(self) -> str:
        """The licence as stated; empty if none is."""
        return self.source.licence if self.source else self.own_licence

    @property
    def is_registered(self) -> bool:
        """Whether it is a line of the registry, no file or address of the user's own."""
        return self.source is not None and Path(self.source.path).parts[0] != OWN_ADDRESSES


def read_registry(path: str | Path) -> dict[str, Source]:
    """Read the registry: name to source, in the order of the lines.

    Raises:
        KasuError: a line is malformed (names file, line and column), or a name or path occurs
            twice.
    """
    registry: dict[str, Source] = {}
    lines_of_paths: dict[str, int] = {}
    for line, row in enumerate(read_tsv(path, COLUMNS), start=2):
        texts = {column: row[column] for column in COLUMNS if column != "bytes"}
        size = row["bytes"]
        if not re.fullmatch("[0-9]{0,18}", size):
            raise KasuError(f"{path}:{line}", f"column bytes: {size!r}", "digits or nothing")
        try:
            source = Source(**texts, bytes=int(size) if size else None)
        except KasuError as error:
            raise KasuError(f"{path}:{line}", str(error)) from error
        if source.name in registry:
            raise KasuError(f"{path}:{line}", f"column name: {source.name} again", "each name once")
        if first := lines_of_paths.get(source.path):
            found = f"column path: {source.path}, as in line {first}"
            raise KasuError(f"{path}:{line}", found, "each path once")
        registry[source.name] = source
        lines_of_paths[source.path] = line
    return registry


def resolve(entry: str, registry: Mapping[str, Source], downloads: Path) -> Entry:
    """Resolve an entry of the config: a registered name, a local file, or an address.

    A name such as `euwiki-20240601` matches the registered `{wiki}-{date}`. The file of an address
    goes to `url/<host>/<path>` under `downloads`.

    Raises:
        KasuError: it is none of the three (suggests similar registered names).
    """
    source = registry.get(entry)
    if source is None and (match := _match_template(entry, registry)):
        source = fill(*match)
    if source is None and _is_web(entry):
        name = public_name(entry)
        source = Source(name, _path_of(entry), entry, citation=name)
    if re.match("https?://[^/]*@", entry):
        raise KasuError(entry, "an address with a user or a password", "one without, or a file")
    if source is not None and "{" not in entry:
        return Entry(source.slug, downloads / source.path, source)
    if _is_file(entry):
        return Entry(_slug(Path(entry).name), Path(entry), None)
    templates = [name for name in registry if "{" in name]
    similar = difflib.get_close_matches(entry, registry, n=3)
    nearest = ", ".join(dict.fromkeys([*similar, *templates]))
    near = f" ({nearest})" if nearest else ""
    registered = f"a name of the registry{near}, " if registry else ""
    expected = f"{registered}an existing file or an http(s) address"
    if os.path.lexists(entry):
        expect_regular(entry, expected)
    raise KasuError(entry[:200], "no such source", expected)


def each_once(items: Iterable[tuple[str, str, T]]) -> dict[str, T]:
    """Return items of the config by the name of their outputs; an item may be repeated.

    Args:
        items: the place of an item in the config, its name, and the item.

    Raises:
        KasuError: two different items have the same name (says where both are).
    """
    by_name: dict[str, tuple[str, T]] = {}
    for where, name, item in items:
        first, kept = by_name.setdefault(name, (where, item))
        if item != kept:
            found = f"would be written to {name!r}, like {first}, but differs from it"
            raise KasuError(where, found, "a name of its own")
    return {name: item for name, (_, item) in by_name.items()}


def mirror_folders(config: Mapping[str, Any]) -> list[Path]:
    """Return the folders of the config's `mirror`, a path or a list of paths."""
    mirrors = config.get("mirror") or []
    return [Path(plain_path(each)) for each in ([mirrors] if isinstance(mirrors, str) else mirrors)]


def undated(entry: str, registry: Mapping[str, Source]) -> Source | None:
    """Return the source of a name like `euwiki-latest`, with `{date}` open; else None."""
    match = None if entry in registry else _match_template(entry, registry)
    if match is None or match[1].get("date") != LATEST:
        return None
    return fill(match[0], match[1] | {"date": "{date}"})


def _match_template(
    entry: str, registry: Mapping[str, Source]
) -> tuple[Source, dict[str, str]] | None:
    """Find the registered source whose placeholders a name fills, and what it fills in."""
    for template in registry.values():
        if "{" in template.name and (match := _pattern_of(template.name).fullmatch(entry)):
            return template, match.groupdict()
    return None


@cache
def _pattern_of(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    return re.compile(
        "".join(
            f"(?P<{part}>{PLACEHOLDERS[part]})" if odd % 2 else re.escape(part)
            for odd, part in enumerate(parts)
        )
    )


def fill(template: Source, values: Mapping[str, str]) -> Source:
    """Fill in the placeholders of a template source."""

    def filled(text: str) -> str:
        return _PLACEHOLDER.sub(lambda word: values[word[1]], text)

    return replace(
        template,
        name=filled(template.name),
        path=filled(template.path),
        url=filled(template.url),
        checksums=filled(template.checksums),
        citation=filled(template.citation),
    )


def _is_file(text: str) -> bool:
    with suppress(OSError):  # no file can have so long a name
        return Path(text).is_file()
    return False


def _is_safe(path: str) -> bool:
    """Return whether a path stays inside the folder that it is joined to."""
    parts = path.split("/")
    bad_part = {"", ".", ".."}.intersection(parts) or max(map(len, parts)) > LONGEST_NAME
    taken = path.endswith((".lock", ".part", ".checked"))
    return not bad_part and not taken and path.isprintable() and "\\" not in path


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
        port_is_number = parts.port is None or parts.port >= 0
    except ValueError:
        return False
    plain = address.isprintable() and " " not in address
    web = parts.scheme in ("http", "https") and bool(parts.hostname) and port_is_number
    return plain and web and "@" not in parts.netloc


def _path_of(url: str) -> str:
    """Return the path for an address's file; a digest tells apart what a path cannot express."""
    parts = urlsplit(url)
    names = [name for name in parts.path.split("/") if name not in ("", ".", "..")] or ["index"]
    safe = [re.sub(r"[^A-Za-z0-9_.~%+,=-]", "_", name)[-LONGEST_NAME:] for name in names]
    host = parts.netloc.lower().replace(":", "_")
    exact = parts.path == "/" + "/".join(safe) and not parts.query
    digest = [] if exact else [hashlib.sha256(url.encode()).hexdigest()[:8]]
    return str(PurePosixPath(OWN_ADDRESSES, host, *digest, *safe))


def slug_of(file: str | Path) -> str:
    """Return the name of a file's outputs; a parquet file that has that name keeps it."""
    return _slug(Path(file).name.removesuffix(".parquet"))


def _slug(name: str) -> str:
    path = PurePosixPath(name)
    while path.suffix.lower() in _FORMATS:
        path = path.with_suffix("")
    slug = re.sub("[^a-z0-9_.-]+", "-", re.sub("[/.]+", ".", str(path).lower())).strip(".-")
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    if len(slug) > LONGEST_NAME:
        return f"{slug[: LONGEST_NAME - 9]}-{digest}"
    return slug or digest

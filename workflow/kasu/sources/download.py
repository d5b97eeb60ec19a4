"""Fetch a source from a mirror or the net, check it, and write it whole or not at all.

A download goes to `<destination>.part`, which survives failed tries and runs. Next to it,
`<destination>.part.json` holds the address and the validator (ETag or Last-Modified) by which the
server can tell whether it still has the same file.
"""

import gzip
import hashlib
import json
import lzma
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from urllib.parse import unquote, urlsplit

import requests

from kasu.base.errors import KasuError
from kasu.base.secrets import public_name
from kasu.files.regular import expect_regular
from kasu.files.tables import landing, write_text
from kasu.job.run import Progress, log
from kasu.sources.dumps import offered_dates
from kasu.sources.mirrors import check_mirrors
from kasu.sources.registry import DATE, Entry, Source
from kasu.sources.web import (
    GoneError,
    TryAgainError,
    check_status,
    get,
    open_session,
    persist,
    read_page,
    steady_pieces,
)

PIECE = 1 << 20  # bytes
LARGE = 100_000_000  # bytes
RESERVE = 100_000_000  # bytes of disk that no download takes

# After an XML declaration and comments
_PAGE = re.compile(rb"(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!doctype html|<html)", re.DOTALL)
_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256"}  # by number of hexadecimal digits
_UNPACKERS: dict[str, Callable[[Path], BufferedIOBase]] = {
    "": lambda path: path.open("rb"),
    ".gz": gzip.GzipFile,
    ".xz": lzma.LZMAFile,
}


def fetch(
    source: Source,
    destination: Path,
    mirrors: Sequence[Path],
    lock: Path,
    wait: float = 1,
    contact: str = "",
) -> None:
    """Fetch and check `source`, write it to `destination`, and write the facts to `lock` (JSON).

    A mirror that holds `source.path`, plain or as .gz or .xz, is preferred to the net. A download
    resumes where the last one stopped, in this run or an earlier one. Between tries it waits `wait`
    seconds, doubled each time, or as long as the server asks. Servers are told the `contact`. A
    job holds the `lock`, its output, so that no other fetches the source meanwhile.

    The lock holds name, origin (the address, or "mirror"), bytes, sha256 and `verified`: "registry"
    (by its sha256), "publisher" (by the publisher's checksum) or "unverified". It informs the
    report and proves nothing: a later fetch does not read it.

    Raises:
        KasuError: no mirror has it and one is no folder; or the source cannot be reached, or
            differs from what the registry or the publisher says. Nothing is written then. For a
            dump that is gone, it names the dumps that are there.
    """
    stored = find_in_mirrors(source, mirrors)
    if mirrors and not stored:
        check_mirrors(mirrors)
        log.info("%s: %s is not in %s", source.name, source.path, ", ".join(map(str, mirrors)))
    destination.parent.mkdir(parents=True, exist_ok=True)
    if stored:
        log.info("%s: from the mirror, %s", source.name, stored)
        with landing(destination) as part:
            _unpack(stored, part, source)
            facts = _checked(source, part, stored, "")
    elif source.url:
        with open_session(contact) as session:
            try:
                facts = _download(session, source, destination, wait)
            except GoneError as error:
                raise _with_offers(session, source, error, wait) from error
    else:
        looked = ", ".join(map(str, mirrors)) or "no mirror given"
        raise KasuError(source.name, f"available only in a mirror; looked in: {looked}")
    origin = "mirror" if stored else public_name(source.url)
    write_text(lock, json.dumps({"name": source.name, "origin": origin, **facts}, indent=1) + "\n")


def _download(
    session: requests.Session, source: Source, destination: Path, wait: float
) -> dict[str, object]:
    """Fetch a source from its address; return what was checked."""
    part = destination.with_name(destination.name + ".part")
    for path in filter(os.path.lexists, (part, _stamp_of(part))):
        expect_regular(path, "a part of a download, or none")
    published = _published_checksum(session, source, wait)
    resumes = "the file; a new run resumes here"
    persist(lambda: _receive(session, source, part), source.url, wait, resumes)
    try:
        facts = _checked(source, part, source.url, published)
    except KasuError:
        _forget(part)
        raise
    with landing(destination) as whole:
        part.replace(whole)
    _forget(part)
    return facts


def _with_offers(
    session: requests.Session, source: Source, error: GoneError, wait: float
) -> KasuError:
    """Return the error of a source that is gone; for a dump, with the dates that are there."""
    if dated := re.search(rf"/({DATE})/", source.url):
        with suppress(KasuError):
            dates = offered_dates(session, source.url.replace(dated[1], "{date}"), wait)
            if names := [source.name.replace(dated[1], date) for date in dates]:
                found = f"gone from {urlsplit(source.url).netloc}"
                return KasuError(source.name, found, f"what is there: {', '.join(names)}")
    return error


def find_in_mirrors(source: Source, mirrors: Iterable[Path]) -> Path | None:
    """Find the file of `source`, perhaps compressed, in the first mirror that has it, or None.

    Raises:
        KasuError: it is a link to a file outside the mirror.
    """
    for mirror in mirrors:
        for ending in _UNPACKERS:
            stored = mirror / (source.path + ending)
            # A mirror may be out of reach
            if os.access(stored, os.R_OK) and stored.is_file():
                if not stored.resolve().is_relative_to(mirror.resolve()):
                    raise KasuError(stored, "a link that leads out of the mirror", "a file in it")
                return stored
    return None


def find_idle(sources: Sequence[Source], mirrors: Sequence[Path]) -> list[str]:
    """Return a line for each mirror that holds none of `sources`, unless mirrors hold them all."""
    if all(find_in_mirrors(source, mirrors) for source in sources):
        return []
    return [
        f"config mirror: {mirror} has none of {len(sources)} files to fetch"
        f" ({sources[0].path}{', ...' * (len(sources) > 1)})"
        for mirror in mirrors
        if not any(find_in_mirrors(source, [mirror]) for source in sources)
    ]


def is_held(entry: Entry, mirrors: Iterable[Path]) -> bool:
    """Return whether an entry's file exists here or in a mirror, so that no download is needed."""
    if entry.file.is_file():
        return True
    return entry.source is not None and find_in_mirrors(entry.source, mirrors) is not None


def is_available(entry: Entry, mirrors: Sequence[Path]) -> bool:
    """Return whether an entry's file is held, or can be downloaded and there are no `mirrors`.

    A user who names a mirror works from it, perhaps without a network.
    """
    downloads = not mirrors and entry.source is not None and bool(entry.source.url)
    return downloads or is_held(entry, mirrors)


def _unpack(stored: Path, part: Path, source: Source) -> None:
    ending = stored.name.removeprefix(Path(source.path).name)
    _require_space(part, source.bytes or 0)
    try:
        with _UNPACKERS[ending](stored) as file:
            pieces = iter(lambda: file.read(PIECE), b"")
            _pour(pieces, part, source.bytes, Progress(source.name, source.bytes, "B"), stored)
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
        raise KasuError(stored, f"broken {ending} file ({error})") from error


def _pour(
    pieces: Iterable[bytes], part: Path, limit: int | None, progress: Progress, where: object
) -> None:
    """Append `pieces` to `part`, up to `limit` bytes and as long as RESERVE is left on the disk."""
    with part.open("ab") as out:
        for piece in pieces:
            if shutil.disk_usage(part.parent).free < RESERVE:
                _forget(part)
                raise KasuError(part.parent, f"less than {RESERVE} bytes of disk free", "more")
            out.write(piece)
            progress.add(len(piece))
            if limit is not None and out.tell() > limit:
                _forget(part)
                raise KasuError(where, f"more than {limit} bytes", f"{limit}")


def _receive(session: requests.Session, source: Source, part: Path) -> None:
    """Complete `part` to the whole file at the address.

    Raises:
        TryAgainError and errors of requests and urllib3: another try may succeed.
        KasuError: it cannot.
    """
    validator = _validator(source.url, part)
    start = part.stat().st_size if validator and part.exists() else 0
    headers = {"Range": f"bytes={start}-", "If-Range": validator} if start else {}
    with get(session, source.url, headers) as response:
        content_range = response.headers.get("Content-Range", "")
        if response.status_code == 416 and content_range == f"bytes */{start}":
            return  # `part` was already whole
        if start and response.status_code == 416:
            _forget(part)
            raise TryAgainError("the file has become shorter since the last try")
        _expect_file(response, source.path)
        if response.status_code == 200:
            start = 0
            _begin(part, source.url, response)
        elif not start or not content_range.startswith(f"bytes {start}-"):
            _forget(part)
            raise TryAgainError(f"sent the range {content_range!r}, not the one from byte {start}")
        rest = response.raw.length_remaining
        total = source.bytes if rest is None else start + rest
        if source.bytes not in (None, total):
            raise KasuError(source.url, f"announced {total} bytes", f"{source.bytes}")
        _require_space(part, (total or start) - start)
        progress = Progress(source.name, total and total - start, "B")
        _pour(steady_pieces(response), part, total, progress, source.url)


def _expect_file(response: requests.Response, name: str) -> None:
    """Reject an answer that is not the file: an error, or a page for people to read."""
    check_status(response)
    kind = response.headers.get("Content-Type", "").lower()
    if kind.startswith(("text/html", "application/xhtml")) and not _is_page(name):
        raise KasuError(response.url, "an HTML page", "the file")
    length = response.headers.get("Content-Length", "0")
    if not re.fullmatch("[0-9]{1,20}", length):
        raise KasuError(response.url, f"Content-Length {length[:40]!r}", "a number of bytes")
    packing = response.headers.get("Content-Encoding", "identity").lower()
    # Servers call a file that is compressed itself encoded
    if packing != "identity" and not name.endswith((".gz", ".bz2", ".xz")):
        raise KasuError(response.url, f"sent as {packing}", "the file as it is")


def _published_checksum(session: requests.Session, source: Source, wait: float) -> str:
    """Return the checksum of the file from the publisher's list of lines `<digest>  <file name>`.

    It is empty if there is no list, or the registry already has a checksum.
    """
    if not source.checksums or source.sha256:
        return ""
    text = read_page(session, source.checksums, wait)
    name = unquote(urlsplit(source.url).path.rpartition("/")[2])
    match = re.search(rf"^([0-9a-fA-F]+) [ *]?{re.escape(name)}\r?$", text, re.MULTILINE)
    if not match or len(match[1]) not in _ALGORITHMS:
        raise KasuError(source.checksums, f"no checksum of {name}")
    return match[1].lower()


def _checked(source: Source, part: Path, where: object, published: str) -> dict[str, object]:
    """Check the fetched file; return its bytes, its sha256 and what verified it."""
    with part.open("rb") as file:
        head = file.read(512).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if _PAGE.match(head) and not _is_page(source.path):
        raise KasuError(where, "an HTML page", "the file")
    size = part.stat().st_size
    if not size and source.bytes is None:
        raise KasuError(where, "an empty file", "a file")
    if source.bytes not in (None, size):
        raise KasuError(where, f"{size} bytes", f"{source.bytes}")
    sha256 = _digest(part, "sha256")
    verified = "unverified"
    for witness, expected in (("registry", source.sha256), ("publisher", published)):
        if expected:
            algorithm = _ALGORITHMS[len(expected)]
            found = sha256 if algorithm == "sha256" else _digest(part, algorithm)
            if found != expected:
                raise KasuError(where, f"{algorithm} {found}", f"{expected} ({witness})")
            verified = witness
    return {"bytes": size, "sha256": sha256, "verified": verified}


def _is_page(name: str) -> bool:
    return name.lower().endswith((".html", ".htm"))


def _digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def _require_space(path: Path, needed: int) -> None:
    free = shutil.disk_usage(path.parent).free
    if needed > free:
        raise KasuError(path.parent, f"{free} bytes of disk free", f"{needed} for {path.name}")
    if needed > LARGE:
        log.info("%s: will take %.1f GB of disk", path, needed / 1e9)


def _stamp_of(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _begin(part: Path, url: str, response: requests.Response) -> None:
    """Start `part` afresh; store the validator that identifies this version of the file."""
    _forget(part)
    etag = response.headers.get("ETag", "")
    validator = etag if etag.startswith('"') else response.headers.get("Last-Modified")
    if validator:
        write_text(_stamp_of(part), json.dumps({"url": public_name(url), "validator": validator}))


def _validator(url: str, part: Path) -> str:
    """Return the validator with which `part` was started; empty if it cannot be resumed."""
    try:
        stamp = json.loads(_stamp_of(part).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return ""
    return stamp["validator"] if stamp["url"] == public_name(url) else ""


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _stamp_of(part).unlink(missing_ok=True)

"""MediaWiki XML dumps, streamed as blocks of whole pages that several processes can share.

A multistream dump is cut at its bz2 streams, and the process that reads a block decompresses it.
Any other dump is decompressed here and cut after pages. Memory does not grow with the dump.
"""

import bz2
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import CHUNK, pieces

VERSIONS = tuple(f"0.{minor}" for minor in range(3, 12))
# Bytes of a block, as XML and compressed: about as many as a bz2 stream of 100 pages has
BLOCK = 1 << 20
COMPRESSED_BLOCK = 1 << 18
# MediaWiki accepts 2 MiB per page; no real page comes near this
PAGE_LIMIT = 1 << 26

NUMBER = re.compile("-?[0-9]{1,9}")  # of a namespace; only some are negative
_STREAM = re.compile(rb"BZh[1-9]1AY&SY")
_ROOT = re.compile(rb"<([A-Za-z][^\s>/]*)")
_BODY = re.compile(rb"<page\b|</mediawiki>")
_END = "</mediawiki>"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_HOST = re.compile(r"(?:https?:)?//([\w-]+)\.")  # of addresses such as https://eu.wikipedia.org/


@dataclass(frozen=True)
class Site:
    """What a dump says of its wiki.

    Attributes:
        namespaces: names of the namespaces by number.
        language: code of the wiki's language; empty if the dump has none.
        prefix: what its address begins with, which is also the prefix of links to it from wikis in
            other languages; empty if the dump has no address.
    """

    namespaces: Mapping[int, str]
    language: str
    prefix: str


@dataclass(frozen=True)
class Block:
    """A run of whole pages: XML, or bz2 streams of it.

    Attributes:
        dump: path of the dump.
        data: the bytes.
        offset: where they begin in the XML or, if compressed, in the file.
        compressed: whether they are bz2 streams.
        read: how much of the file had been read when the block was cut.
    """

    dump: str
    data: bytes
    offset: int
    compressed: bool
    read: int

    def __str__(self) -> str:
        kind = "bz2 stream" if self.compressed else "XML"
        return f"{self.dump}: {kind} from byte {self.offset}"

    def pages(self) -> Iterator[tuple[list[Element], bool]]:
        """Yield lists of `<page>` elements, and with each whether the dump ended after it.

        Raises:
            KasuError: damaged bz2 data, invalid UTF-8, malformed XML, or a page cut off.
        """
        if not self.compressed:
            yield _parsed(self, self.data)
            return
        for _, data, _ in _whole_pages(self.dump, self._decompressed()):
            yield _parsed(self, data)

    def _decompressed(self) -> Iterator[tuple[bytes, int]]:
        data = self.data
        try:
            while data:
                # One decoder for each stream; at most CHUNK bytes in memory at a time
                decoder = bz2.BZ2Decompressor()
                while not decoder.eof:
                    piece = decoder.decompress(data, CHUNK)
                    data = b""
                    if not piece and decoder.needs_input and not decoder.eof:
                        raise KasuError(self.dump, "cut off: bz2 data end before their end mark")
                    yield piece, self.read
                data = decoder.unused_data
        except OSError as error:
            raise KasuError(self, f"damaged bz2 data ({error})") from error


def open_dump(dump: Path) -> tuple[Site, Iterator[Block]]:
    """Check a dump's header; return what it says of the wiki, and the blocks of its pages.

    Raises:
        KasuError: not a MediaWiki dump, or an unknown export version. The blocks raise it if the
            file is cut off or damaged.
    """
    # Read until the first page, or the end of a dump without any
    header, body = b"", None
    for piece, _ in pieces(dump):
        header += piece
        if (body := _BODY.search(header)) or len(header) > CHUNK:
            break
    site = _site(dump, header[: body.start()] if body else header)
    if body is None:
        raise KasuError(dump, "cut off: no page and no </mediawiki>", "a whole dump")
    # A multistream dump is cut at its streams, without decompression
    start = _end_of_header_stream(dump) if dump.suffix == ".bz2" else 0
    return site, _stream_blocks(dump, start) if start else _blocks(dump, body.start())


def _site(dump: Path, header: bytes) -> Site:
    root = _ROOT.search(header)
    if root is None or root[1] != b"mediawiki":
        found = f"root element {root[1].decode(errors='replace')!r}" if root else "no XML element"
        raise KasuError(dump, found if header else "empty file", "a MediaWiki dump")
    try:
        tree = fromstring(header + _END.encode(), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise KasuError(dump, f"malformed header ({_reason(error)})", "a MediaWiki dump") from error
    if (version := tree.get("version")) not in VERSIONS:
        raise KasuError(dump, f"export version {version}", f"{VERSIONS[0]} to {VERSIONS[-1]}")
    namespaces = {}
    for element in tree.iterfind(".//{*}namespace"):
        if not NUMBER.fullmatch(key := element.get("key", "")):
            raise KasuError(dump, f"namespace {element.text!r} has the key {key!r}", "a number")
        namespaces[int(key)] = element.text or ""
    host = _HOST.match(tree.findtext(".//{*}base", ""))
    return Site(namespaces, tree.get(_LANGUAGE, ""), host[1] if host else "")


def _reason(error: Exception) -> str:
    return "a document type" if isinstance(error, DefusedXmlException) else str(error)


def _end_of_header_stream(dump: Path) -> int:
    """Return the offset of the second bz2 stream if the first holds only the header; else 0."""
    decoder = bz2.BZ2Decompressor()
    with dump.open("rb") as file:
        header = decoder.decompress(file.read(CHUNK), CHUNK)
        if decoder.eof and decoder.unused_data and not _BODY.search(header):
            return file.tell() - len(decoder.unused_data)
    return 0


def _stream_blocks(dump: Path, start: int) -> Iterator[Block]:
    with dump.open("rb") as file:
        file.seek(start)
        data, searched = b"", COMPRESSED_BLOCK
        while chunk := file.read(CHUNK):
            data += chunk
            # A block ends at the first stream that begins after COMPRESSED_BLOCK bytes
            while stream := _STREAM.search(data, searched):
                yield Block(str(dump), data[: stream.start()], start, True, file.tell())
                start += stream.start()
                data, searched = data[stream.start() :], COMPRESSED_BLOCK
            # The mark of a stream has 10 bytes; the next chunk may complete it
            searched = max(searched, len(data) - 9)
            if len(data) > PAGE_LIMIT:
                raise KasuError(dump, f"a bz2 stream of over {PAGE_LIMIT} bytes", "100 pages each")
        yield Block(str(dump), data, start, True, file.tell())


def _blocks(dump: Path, header: int) -> Iterator[Block]:
    for offset, data, read in _whole_pages(str(dump), pieces(dump), header):
        yield Block(str(dump), data, offset, False, read)


def _whole_pages(
    dump: str, chunks: Iterable[tuple[bytes, int]], header: int = 0
) -> Iterator[tuple[int, bytes, int]]:
    """Cut XML after pages; yield offset, bytes and position in the file, the remainder last."""
    data, offset, position = b"", 0, 0
    for chunk, position in chunks:
        data += chunk
        # The header itself is left out
        if offset < header:
            skipped = min(header - offset, len(data))
            data, offset = data[skipped:], offset + skipped
        if len(data) < BLOCK:
            continue
        # Cut after the last whole page; the rest begins the next block
        if (last := data.rfind(b"</page>")) >= 0:
            end = last + len(b"</page>")
            yield offset, data[:end], position
            data, offset = data[end:], offset + end
        elif len(data) > PAGE_LIMIT:
            raise KasuError(f"{dump}: XML from byte {offset}", f"no </page> in {PAGE_LIMIT} bytes")
    yield offset, data, position


def _parsed(where: Block, data: bytes) -> tuple[list[Element], bool]:
    try:
        text = data.decode().strip()
    except UnicodeDecodeError as error:
        title = _last_title(data[: error.start].decode())
        raise KasuError(where, f"invalid UTF-8 in page {title!r}") from error
    ended = text.endswith(_END)
    text = text.removesuffix(_END)
    try:
        return list(_parse(text)), ended
    except (ParseError, DefusedXmlException):
        raise _first_malformed(where, text) from None


def _parse(text: str) -> Element:
    return fromstring(f"<pages>{text}</pages>", forbid_dtd=True)


def _last_title(text: str) -> str:
    before, end, _ = text.rpartition("</title>")
    _, start, title = before.rpartition("<title>")
    return title if start and end else "?"


def _first_malformed(where: Block, text: str) -> KasuError:
    # Parse page by page, only to name the first one that is malformed
    *whole, rest = text.split("</page>")
    for page in whole:
        try:
            _parse(page + "</page>")
        except (ParseError, DefusedXmlException) as error:
            found = f"malformed XML in page {_last_title(page)!r} ({_reason(error)})"
            return KasuError(where, found)
    if "<page" in rest:
        found = f"cut off inside page {_last_title(rest)!r}"
        return KasuError(where.dump, found, "a whole dump")
    return KasuError(where, "malformed XML after the last page", "more pages or </mediawiki>")

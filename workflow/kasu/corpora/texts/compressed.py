"""Read plain and compressed files piece by piece; a damaged file is one clear error."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BufferedIOBase, BufferedReader
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.files.reading import expect_file
from kasu.job.run import log

CHUNK = 1 << 20
_OPEN: dict[str, Callable[[BufferedReader], Iterator[bytes]]] = {
    ".bz2": lambda raw: _streams(raw, bz2.BZ2Decompressor),
    ".gz": lambda raw: _read(gzip.GzipFile(fileobj=raw)),
    ".xz": lambda raw: _streams(raw, lzma.LZMADecompressor),
}


def pieces(path: str | Path) -> Iterator[tuple[bytes, int]]:
    """Yield decompressed pieces of about a MiB, each with the bytes of the file read so far.

    The suffix .gz, .bz2 or .xz tells how the file is compressed.

    Raises:
        KasuError: the file is missing, a folder or a pipe; it is cut off, damaged, or not
            compressed as its suffix says; or something else follows the compressed data.
    """
    suffix = Path(path).suffix
    expect_file(path)
    with hint(path), open(path, "rb") as raw:
        try:
            for piece in _OPEN.get(suffix, _read)(raw):
                yield piece, raw.tell()
        except EOFError as error:
            raise KasuError(
                path, f"cut off: {suffix[1:]} data end before their end mark"
            ) from error
        except (lzma.LZMAError, zlib.error) as error:
            raise KasuError(path, f"damaged {suffix[1:]} data ({error})") from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise KasuError(path, f"damaged {suffix[1:]} data ({error})") from error


def _read(file: BufferedIOBase) -> Iterator[bytes]:
    return iter(lambda: file.read(CHUNK), b"")


def _streams(
    raw: BufferedReader, new: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor]
) -> Iterator[bytes]:
    """Decompress one stream after another; BZ2File and LZMAFile stop in silence at anything else.

    Zero bytes may pad a stream (xz).
    """
    decoder = new()
    while data := raw.read(CHUNK):
        while data or not (decoder.needs_input or decoder.eof):
            if decoder.eof:
                if not (data := data.lstrip(b"\0")):
                    break
                decoder = new()
            if piece := decoder.decompress(data, CHUNK):
                yield piece
            data = decoder.unused_data
    if not decoder.eof:
        raise EOFError


def lines(path: str | Path, limit: int = 1 << 24) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 text, numbered from 1, without line ends or a BOM.

    Lines end in LF or CR LF; the log warns of a text whose lines seem to end in CR.

    Raises:
        KasuError: as `pieces`; a line is not UTF-8, or longer than `limit` bytes.
    """
    return split_lines((piece for piece, _ in pieces(path)), path, limit)


def split_lines(
    data: Iterable[bytes], where: object, limit: int = 1 << 24
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that comes in pieces, as `lines` does; `where` names it in errors.

    Raises:
        KasuError: a line is not UTF-8, or longer than `limit` bytes.
    """
    number, rest = 0, b""
    for piece in data:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            number += 1
            yield number, _decode(where, number, line)
        if len(rest) > limit:
            raise KasuError(f"{where}:{number + 1}", f"a line of over {limit} bytes", "a text file")
    if not number and (returns := rest.count(b"\r")) > 1:
        log.warning(
            "%s: one line with %s carriage returns inside; if they end lines, save it with lines "
            "that end in LF or CR LF",
            where,
            f"{returns:,}",
        )
    if rest:
        yield number + 1, _decode(where, number + 1, rest)


def _decode(where: object, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise KasuError(
            f"{where}:{number}", f"invalid UTF-8 at byte {error.start + 1} of the line"
        ) from error

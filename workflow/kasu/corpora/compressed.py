"""Read plain and compressed files piece by piece; a damaged file is one clear error."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from io import BufferedIOBase, BufferedReader
from pathlib import Path

from kasu.base.errors import KasuError

CHUNK = 1 << 20
_OPEN: dict[str, Callable[[BufferedReader], BufferedIOBase]] = {
    ".bz2": bz2.BZ2File,
    ".gz": lambda raw: gzip.GzipFile(fileobj=raw),
    ".xz": lzma.LZMAFile,
}


def pieces(path: str | Path) -> Iterator[tuple[bytes, int]]:
    """Yield decompressed pieces of about a MiB, each with the bytes of the file read so far.

    The suffix .gz, .bz2 or .xz tells how the file is compressed.

    Raises:
        KasuError: the file is cut off, damaged, or not compressed as its suffix says.
    """
    suffix = Path(path).suffix
    with open(path, "rb") as raw:
        file = _OPEN[suffix](raw) if suffix in _OPEN else raw
        try:
            while piece := file.read(CHUNK):
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


def lines(path: str | Path, limit: int = 1 << 24) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 text, numbered from 1, without line ends or a BOM.

    Raises:
        KasuError: as `pieces`; a line is not UTF-8, or longer than `limit` bytes.
    """
    number, rest = 0, b""
    for piece, _ in pieces(path):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            number += 1
            yield number, _decode(path, number, line)
        if len(rest) > limit:
            raise KasuError(f"{path}:{number + 1}", f"a line of over {limit} bytes", "a text file")
    if rest:
        yield number + 1, _decode(path, number + 1, rest)


def _decode(path: str | Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise KasuError(
            f"{path}:{number}", f"invalid UTF-8 at byte {error.start + 1} of the line"
        ) from error

"""Plain and compressed files, whole and damaged."""

import bz2
import gzip
import lzma

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import lines, pieces, split_lines

PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
TEXT = "Lehena.\r\nBigarrena é.\n\nAzkena".encode()


@pytest.mark.parametrize("suffix", PACK)
def test_every_container_gives_the_same_lines(tmp_path, suffix):
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(PACK[suffix](b"\xef\xbb\xbf" + TEXT))
    assert list(lines(path)) == [(1, "Lehena."), (2, "Bigarrena é."), (3, ""), (4, "Azkena")]


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (b"Lehena.\rBigarrena.\rAzkena", ["2 carriage returns"]),
        (b"Lehena. Azkena\r", []),
        (b"Lehena.\r\nBigarrena.\r\n", []),
    ],
)
def test_lines_that_seem_to_end_in_cr_are_a_warning(tmp_path, caplog, text, noted):
    path = tmp_path / "a.txt"
    path.write_bytes(text)
    list(lines(path))
    assert caplog.messages == [
        f"{path}: one line with {each} inside; if they end lines, save it with lines that end in"
        " LF or CR LF"
        for each in noted
    ]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_a_file_cut_off_is_one_line(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(PACK[suffix](TEXT)[:-4])
    with pytest.raises(KasuError) as error:
        list(pieces(path))
    assert str(error.value) == f"{path}: cut off: {suffix[1:]} data end before their end mark"


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_a_file_of_another_kind_is_one_line(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"<html>not found</html>")
    with pytest.raises(KasuError, match=f"a{suffix}: damaged {suffix[1:]} data"):
        list(pieces(path))


def test_invalid_utf8_names_line_and_byte(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"bat\nbi \xff\n")
    with pytest.raises(KasuError) as error:
        list(lines(path))
    assert str(error.value) == f"{path}:2: invalid UTF-8 at byte 4 of the line"


def test_a_line_without_end_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n" + b"b" * 100)
    with pytest.raises(KasuError) as error:
        list(lines(path, limit=50))
    assert str(error.value) == f"{path}:2: a line of over 50 bytes; expected a text file"


def test_lines_come_from_pieces_of_any_size():
    text = "\ufeffété\u2028a\x0c\r\n\r\nb\rc\n".encode()
    expected = [(1, "été\u2028a\x0c"), (2, ""), (3, "b\rc")]
    for size in (1, 2, 7, 99):
        cut = (text[at : at + size] for at in range(0, len(text), size))
        assert [*split_lines(cut, "it")] == expected
    with pytest.raises(KasuError, match="it:2: invalid UTF-8 at byte 2 of the line"):
        list(split_lines([b"a\nb\xe9"], "it"))

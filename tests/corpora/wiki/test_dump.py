"""Dumps as blocks of pages: containers, and everything that is not a dump."""

import bz2
import lzma

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.wiki import dump as module
from kasu.corpora.wiki.dump import Site, open_dump

HEADER = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="eu">\n'
    "  <siteinfo><namespaces>"
    '<namespace key="0" /><namespace key="14">Kategoria</namespace>'
    "</namespaces></siteinfo>\n"
)
END = "</mediawiki>\n"


def page(number, text="Testua da."):
    return (
        f"  <page><title>T{number}</title><ns>0</ns><id>{number}</id>"
        f"<revision><id>9</id><text>{text}</text></revision></page>\n"
    )


def multistream(groups, header=HEADER, end=END):
    streams = [header, *("".join(page(number) for number in group) for group in groups), end]
    return b"".join(bz2.compress(stream.encode()) for stream in streams)


def titles(path):
    site, blocks = open_dump(path)
    runs = [run for block in blocks for run in block.pages()]
    found = [page.findtext("title") for pages, _ in runs for page in pages]
    return site.namespaces, found, runs[-1][1]


def write(path, data):
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def fails(path, data):
    with pytest.raises(KasuError) as error:
        titles(write(path, data))
    return str(error.value).replace(str(path), "DUMP")


BODY = len(HEADER) + 2
XML = HEADER + page(1) + page(2) + page(3) + END


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", XML.encode()),
        ("a.xml.bz2", bz2.compress(XML.encode())),
        ("a.xml.xz", lzma.compress(XML.encode())),
        ("a-multistream.xml.bz2", multistream([[1], [2, 3]])),
        (
            "cut-anywhere.xml.bz2",
            bz2.compress(XML.encode()[:300]) + bz2.compress(XML.encode()[300:]),
        ),
    ],
)
def test_every_container_gives_the_same_pages(tmp_path, name, data):
    path = write(tmp_path / name, data)
    assert titles(path) == ({0: "", 14: "Kategoria"}, ["T1", "T2", "T3"], True)


@pytest.mark.parametrize("size", [10, 100, 1000])
def test_pages_do_not_depend_on_where_blocks_are_cut(tmp_path, monkeypatch, size):
    monkeypatch.setattr(module, "BLOCK", size)
    monkeypatch.setattr(module, "COMPRESSED_BLOCK", size)
    monkeypatch.setattr(module, "CHUNK", 64 * size)
    monkeypatch.setattr("kasu.corpora.texts.compressed.CHUNK", size)
    groups = [[1, 2], [3], [4, 5, 6, 7, 8, 9]]
    path = write(tmp_path / "a.xml.bz2", multistream(groups))
    expected = ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"]
    assert titles(path)[1:] == (expected, True)
    xml = HEADER + "".join(page(number) for number in range(1, 10)) + END
    assert titles(write(tmp_path / "a.xml", xml))[1:] == (expected, True)


@pytest.mark.parametrize("version", ["0.3", "0.10", "0.11"])
def test_known_export_versions_are_read(tmp_path, version):
    xml = XML.replace('version="0.11"', f'version="{version}"')
    assert titles(write(tmp_path / "a.xml", xml))[1] == ["T1", "T2", "T3"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("", "DUMP: empty file; expected a MediaWiki dump"),
        ("<html><p>gone</p></html>", "DUMP: root element 'html'; expected a MediaWiki dump"),
        ("not xml", "DUMP: no XML element; expected a MediaWiki dump"),
        (XML.replace('"0.11"', '"0.12"'), "DUMP: export version 0.12; expected 0.3 to 0.11"),
        (
            '<!DOCTYPE mediawiki [<!ENTITY a "b">]>' + XML,
            "DUMP: malformed header (a document type); expected a MediaWiki dump",
        ),
        (
            XML.replace("<id>2</id>", "<id>2"),
            f"DUMP: XML from byte {BODY}: malformed XML in page 'T2' "
            "(mismatched tag: line 2, column 96)",
        ),
        (
            XML.replace("T2", "T2</title><title>&a;"),
            f"DUMP: XML from byte {BODY}: malformed XML in page '&a;' "
            "(undefined entity: line 2, column 32)",
        ),
        (
            (HEADER + page(1)).encode()
            + page(2).encode().replace(b"Testua", b"\xff")
            + END.encode(),
            f"DUMP: XML from byte {BODY}: invalid UTF-8 in page 'T2'",
        ),
        (XML[:-60], "DUMP: cut off inside page 'T3'; expected a whole dump"),
        (
            XML.replace(END, "<x>" + END),
            f"DUMP: XML from byte {BODY}: malformed XML after the last page; "
            "expected more pages or </mediawiki>",
        ),
        (HEADER, "DUMP: cut off: no page and no </mediawiki>; expected a whole dump"),
    ],
)
def test_a_broken_or_foreign_dump_is_one_line(tmp_path, data, line):
    assert fails(tmp_path / "a.xml", data) == line


def test_a_multistream_dump_cut_inside_a_stream(tmp_path):
    data = multistream([[1], [2]])
    line = "DUMP: cut off: bz2 data end before their end mark"
    assert fails(tmp_path / "a.xml.bz2", data[:-3]) == line


def test_a_multistream_dump_damaged(tmp_path):
    data = bytearray(multistream([[1], [2]]))
    start = len(bz2.compress(HEADER.encode()))
    data[data.rindex(b"BZh9", 0, -60) + 40] ^= 255
    line = f"DUMP: bz2 stream from byte {start}: damaged bz2 data (Invalid data stream)"
    assert fails(tmp_path / "a.xml.bz2", bytes(data)) == line


def test_a_multistream_page_cut_off(tmp_path):
    data = multistream([[1]], end=page(2)[:40])
    line = "DUMP: cut off inside page 'T2'; expected a whole dump"
    assert fails(tmp_path / "a.xml.bz2", data) == line


def test_a_page_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 10)
    monkeypatch.setattr(module, "PAGE_LIMIT", 100)
    line = f"DUMP: XML from byte {BODY}: no </page> in 100 bytes"
    assert fails(tmp_path / "a.xml", HEADER + page(1)[:-20] + "x" * 500) == line


def test_a_stream_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 1000)
    monkeypatch.setattr(module, "PAGE_LIMIT", 300)
    noise = "".join(f"{number:x}" for number in range(4000, 6000))
    path = write(tmp_path / "a.xml.bz2", multistream([[1]], end=page(2, noise)))
    with pytest.raises(KasuError, match=r"a bz2 stream of over 300 bytes; expected 100 pages each"):
        list(open_dump(path)[1])
    monkeypatch.setattr(module, "PAGE_LIMIT", path.stat().st_size)
    assert len(list(open_dump(path)[1])) == 1


def test_a_page_whose_title_is_not_found_is_named_by_a_question_mark(tmp_path):
    start = HEADER + page(1).replace("<title>", '<title xml:space="preserve">')
    data = start.encode().replace(b"Testua", b"\xff") + END.encode()
    line = f"DUMP: XML from byte {BODY}: invalid UTF-8 in page '?'"
    assert fails(tmp_path / "a.xml", data) == line


@pytest.mark.parametrize(
    ("base", "prefix"),
    [
        ("<base>https://eu.wikipedia.org/wiki/Azala</base>", "eu"),
        ("<base>http://zh-min-nan.wikipedia.org/wiki/X</base>", "zh-min-nan"),
        ("<base>//simple.wikipedia.org/</base>", "simple"),
        ("<base>http://localhost/wiki/X</base>", ""),
        ("<base>wiki</base>", ""),
        ("<base />", ""),
        ("", ""),
    ],
)
def test_a_dump_says_its_address(tmp_path, base, prefix):
    xml = XML.replace("<siteinfo>", f"<siteinfo>{base}")
    site, _ = open_dump(write(tmp_path / "a.xml", xml))
    assert site == Site({0: "", 14: "Kategoria"}, "eu", prefix)


def test_a_dump_without_a_language(tmp_path):
    xml = XML.replace(' xml:lang="eu"', "")
    assert open_dump(write(tmp_path / "a.xml", xml))[0].language == ""

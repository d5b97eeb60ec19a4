"""Bad or hostile dumps: each ends in a line, in a counted drop, or as it is stated here."""

import bz2
import gzip
import os

import pytest

from kasu.base import patterns
from kasu.corpora.wiki.articles import extract_articles
from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.templates import read_templates
from kasu.corpora.wiki.wikitext import plain_text
from kasu.files.tables import read_parquet, read_tsv

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="eu">'
    '<siteinfo><namespaces><namespace key="0" case="first-letter"/>'
    '<namespace key="6">Fitxategi</namespace></namespaces></siteinfo>\n'
)
GOOD = (
    "<page><title>Bat</title><ns>0</ns><id>1</id><revision><id>1</id>"
    '<text xml:space="preserve">Etxea handia da. Bigarren esaldia hemen dago.</text>'
    "</revision></page>\n"
)
OTHER = GOOD.replace("Bat", "Bi").replace("<id>1</id><rev", "<id>2</id><rev")
END = "</mediawiki>"
DUMP = HEAD + GOOD + END
LAUGHS = '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


def extract(path, patterns=None):
    """Write the sentences, counts and drops next to a dump; return sentence ids and drops."""
    out = [path.parent / "out" / name for name in ("s.parquet", "counts.tsv", "drops.tsv")]
    extract_articles(path, *out, source="eu", language="eu", patterns=patterns or {})
    drops = {row["reason"]: int(row["count"]) for row in read_tsv(out[2])}
    return read_parquet(out[0])["sentence_id"].to_pylist(), drops


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


LINES = {
    "empty": ("", "empty file; expected a MediaWiki dump"),
    "not XML": ("kaixo mundua", "no XML element; expected a MediaWiki dump"),
    "UTF-16": (DUMP.encode("utf-16"), "no XML element; expected a MediaWiki dump"),
    "bz2 without its suffix": (
        bz2.compress(DUMP.encode()),
        "no XML element; expected a MediaWiki dump",
    ),
    "another root": ("<html><page/></html>", "root element 'html'; expected a MediaWiki dump"),
    "an unknown version": (
        DUMP.replace('version="0.11"', 'version="9"'),
        "export version 9; expected 0.3 to 0.11",
    ),
    "no page": (HEAD + END, "no page; expected a dump with articles"),
    "namespace without key": (
        DUMP.replace(' key="6"', ""),
        "namespace 'Fitxategi' has the key ''; expected a number",
    ),
    "namespace with a word as key": (
        DUMP.replace('key="6"', 'key="six"'),
        "namespace 'Fitxategi' has the key 'six'; expected a number",
    ),
    "invalid UTF-8 in the header": (
        DUMP.encode().replace(b"Fitxategi", b"Fitx\xff"),
        "malformed header (not well-formed (invalid token): line 1, column 175); "
        "expected a MediaWiki dump",
    ),
    "entities in the header": (
        LAUGHS + DUMP,
        "malformed header (a document type); expected a MediaWiki dump",
    ),
    "an external entity": (
        '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + DUMP.replace("handia", "&x;"),
        "malformed header (a document type); expected a MediaWiki dump",
    ),
    "a document type before a page": (
        HEAD + LAUGHS + GOOD + END,
        "malformed header (not well-formed (invalid token): line 2, column 2); "
        "expected a MediaWiki dump",
    ),
    "an undeclared entity": (
        DUMP.replace("handia", "&x;"),
        "XML from byte 217: malformed XML in page 'Bat' (undefined entity: line 1, column 104)",
    ),
    "NUL": (
        DUMP.replace("handia", "han\0dia"),
        "XML from byte 217: malformed XML in page 'Bat' "
        "(not well-formed (invalid token): line 1, column 107)",
    ),
    "invalid UTF-8 in a page": (
        DUMP.encode().replace(b"handia", b"han\xff"),
        "XML from byte 217: invalid UTF-8 in page 'Bat'",
    ),
    "cut off": (DUMP[:-40], "cut off inside page 'Bat'; expected a whole dump"),
    "two dumps in one": (
        DUMP + DUMP,
        "XML from byte 217: malformed XML in page 'Bat' (mismatched tag: line 2, column 2)",
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_a_damaged_or_foreign_dump_is_one_line(tmp_path, line, case):
    data, expected = LINES[case]
    assert line(extract, write(tmp_path / "a.xml", data)) == f"DIR/a.xml: {expected}"


PACKED = {
    "empty": (b"", "cut off: bz2 data end before their end mark"),
    "cut off": (
        bz2.compress(DUMP.encode())[:-20],
        "cut off: bz2 data end before their end mark",
    ),
    "garbage after the data": (
        bz2.compress(DUMP.encode()) + b"garbage garbage",
        "damaged bz2 data (Invalid data stream)",
    ),
    "gzip": (gzip.compress(DUMP.encode()), "damaged bz2 data (Invalid data stream)"),
}


@pytest.mark.parametrize("case", PACKED)
def test_a_damaged_container_is_one_line(tmp_path, line, case):
    data, expected = PACKED[case]
    assert line(extract, write(tmp_path / "a.xml.bz2", data)) == f"DIR/a.xml.bz2: {expected}"


PLACES = {
    "missing": (lambda path: None, "No such file or directory"),
    "a folder": (lambda path: path.mkdir(), "a folder"),
    "a pipe": (lambda path: os.mkfifo(path), "a pipe or device"),
    "a circle of links": (
        lambda path: path.symlink_to(path.name),
        "Too many levels of symbolic links",
    ),
}


@pytest.mark.parametrize("case", PLACES)
def test_what_is_no_file_is_one_line(tmp_path, line, case):
    make, found = PLACES[case]
    make(tmp_path / "a.xml")
    assert line(extract, tmp_path / "a.xml") == f"DIR/a.xml: {found}; expected a file"


DROPPED = {
    "a namespace that is a word": (("<ns>0", "<ns>zero"), "namespace is not a number"),
    "a namespace of 5,000 digits": (("<ns>0", "<ns>" + "9" * 5000), "namespace is not a number"),
    "a blank namespace": (("<ns>0", "<ns> "), "namespace is not a number"),
    "no id": (("<id>1</id><rev", "<rev"), "id is not a number"),
    "an id that is a word": (("<id>1</id><rev", "<id>one</id><rev"), "id is not a number"),
    "a negative id": (("<id>1</id><rev", "<id>-1</id><rev"), "id is not a number"),
    "no title": (("<title>Bat</title>", ""), "no title"),
    "an element inside the text": (("handia", "<b>handia</b>"), "an element inside the text"),
    "300,000 elements inside the text": (
        ("handia", "<a>" * 300_000 + "</a>" * 300_000),
        "an element inside the text",
    ),
}


@pytest.mark.parametrize("case", DROPPED)
def test_one_bad_page_is_one_counted_drop(tmp_path, case):
    change, reason = DROPPED[case]
    path = write(tmp_path / "a.xml", HEAD + GOOD.replace(*change) + OTHER + END)
    assert extract(path) == (["eu:2:1", "eu:2:2"], {f"malformed page: {reason}": 1})


def test_a_page_id_that_occurs_again_is_a_counted_drop(tmp_path):
    path = write(tmp_path / "a.xml", HEAD + GOOD + OTHER + GOOD + GOOD + END)
    expected = ["eu:1:1", "eu:1:2", "eu:2:1", "eu:2:2"]
    assert extract(path) == (expected, {"the same page id again": 2})
    steps = {row["step"]: int(row["count"]) for row in read_tsv(tmp_path / "out" / "counts.tsv")}
    assert steps == {"pages": 4, "articles": 4, "kept articles": 2, "sentences": 4, "words": 14}


ACCEPTED = {
    "a BOM": "\ufeff" + DUMP,
    "an XML declaration": '<?xml version="1.0" encoding="UTF-8"?>\n' + DUMP,
    "CRLF": DUMP.replace("\n", "\r\n"),
    "200,000 elements outside the text": DUMP.replace(
        "<revision>", "<a>" * 200_000 + "</a>" * 200_000 + "<revision>"
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_changes_no_sentence_is_accepted(tmp_path, case):
    assert extract(write(tmp_path / "a.xml", ACCEPTED[case])) == (["eu:1:1", "eu:1:2"], {})


def test_a_bot_pattern_that_takes_too_long_is_one_line(tmp_path, line, monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    path = write(tmp_path / "a.xml", DUMP.replace("Bat", "a" * 40 + "!"))
    assert line(extract, path, {"x": "(a|a)+$"}) == (
        f"regular expression '(a|a)+$': over 0.05 s on {'a' * 40 + '!'!r}; "
        "expected a pattern without repeats of repeats"
    )


KEPT = "Etxea handia da."
WIKITEXT = {
    "braces": ("{" * 40_000, ([], 1, 20_000)),
    "brackets": ("[" * 40_000, ([], 1, 0)),
    "quotes": ("'" * 40_000, ([], 1, 0)),
    "a number of 200,000 digits": (f"&#{'9' * 200_000};", ([f"&#{'9' * 200_000};"], 0, 0)),
    "a hexadecimal number of 20,000 digits": (
        f"&#x{'9' * 20_000};",
        ([f"&#x{'9' * 20_000};"], 0, 0),
    ),
    "numbers that are no characters": (
        "a &#xD800; b &#0; c &#x110000; d",
        (["a \ufffd b \ufffd c \ufffd d"], 0, 0),
    ),
    "comments that never close": ("<!-- " * 10_000, ([], 0, 1)),
    "references that never close": ("<ref>" * 5_000, ([], 0, 5_000)),
    "templates in templates": ("{{a|" * 5_000 + "}}" * 5_000, ([], 0, 0)),
    "tables that never close": ("\n{|\n" * 5_000, ([], 5_000, 5_000)),
    "links that never close": ("[[a" * 10_000, ([], 1, 0)),
    "external links that never close": ("[http://a " * 5_000, ([], 1, 0)),
}


@pytest.mark.parametrize("case", WIKITEXT)
def test_wikitext_that_never_closes_is_counted(case):
    text, expected = WIKITEXT[case]
    paragraphs, residue, unclosed = expected
    plain = plain_text(f"{text}\n\n{KEPT}", read_templates("eu", wiki_names("eu")))
    assert (plain.residue, plain.unclosed) == (residue, unclosed)
    assert [text for text in plain.paragraphs if text != KEPT] == paragraphs

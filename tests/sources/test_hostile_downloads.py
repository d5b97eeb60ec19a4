"""Servers, mirrors and addresses that are bad or hostile, and secrets in addresses."""

import gzip
import json
import time
from dataclasses import replace
from threading import Event

import pytest

from kasu.base.errors import KasuError
from kasu.base.secrets import redact, redact_values
from kasu.job.run import job
from kasu.sources import download, web
from kasu.sources.download import fetch, find_in_mirrors
from kasu.sources.registry import Source, resolve
from kasu.sources.workspace import describe

BODY = b"kaixo mundua\n" * 1000


def send(body=BODY, length=None, status=200, **headers):
    """An answer with these headers; `length` replaces the true Content-Length, "" leaves it out."""

    def answer(handler):
        handler.send_response(status)
        if length != "":
            handler.send_header("Content-Length", str(len(body)) if length is None else length)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def drip(handler):
    """An answer that never ends, a byte at a time."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"a")
        time.sleep(0.01)


def drip_header(handler):
    """A header that comes a byte at a time, for two seconds."""
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
    for _ in range(200):
        handler.wfile.write(b"a")
        Event().wait(0.01)  # it outlives its test: later ones may replace `time.sleep`


@pytest.fixture
def line(server, tmp_path):
    """The line in which the fetch of a file ends; HOST stands for the server."""

    def run(answer, **changes):
        server.answers["/file"] = [answer]
        source = replace(Source("n", "a/file.txt", server.url("/file")), **changes)
        with pytest.raises(KasuError) as error:
            fetch(source, tmp_path / "d" / "file.txt", [], tmp_path / "d" / "lock", wait=0)
        assert not (tmp_path / "d" / "file.txt").exists()
        return str(error.value).replace(server.url(""), "HOST").replace(str(tmp_path), "DIR")

    return run


XHTML = b'<?xml version="1.0"?>\n<!-- login -->\n<!DOCTYPE html>\n<html><form/></html>'
LINES = {
    "a login page in XHTML": (send(XHTML), "an HTML page; expected the file"),
    "XHTML by its type": (
        send(b"<div/>", Content_Type="application/xhtml+xml"),
        "an HTML page; expected the file",
    ),
    "an encoded body": (
        send(gzip.compress(BODY), Content_Encoding="gzip"),
        "sent as gzip; expected the file as it is",
    ),
    "a negative length": (send(length="-5"), "Content-Length '-5'; expected a number of bytes"),
    "a length that is a word": (
        send(length="many"),
        "Content-Length 'many'; expected a number of bytes",
    ),
    "an empty body": (send(b""), "an empty file; expected a file"),
    "a redirect to a bad port": (
        send(b"", status=302, Location="http://e.example:99999/x"),
        "leads to a malformed address",
    ),
    "a redirect to half an IPv6 address": (
        send(b"", status=302, Location="http://[::1/x"),
        "leads to a malformed address",
    ),
    "a redirect to an empty label": (
        send(b"", status=302, Location="http://.example/x"),
        "leads to a malformed address",
    ),
    "a redirect to another scheme": (
        send(b"", status=302, Location="file:///etc/passwd"),
        "No connection adapters were found for 'file:///etc/passwd'",
    ),
    "a redirect to itself": (
        send(b"", status=302, Location="/file"),
        "Exceeded 30 redirects.",
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_a_bad_answer_is_one_line(line, case):
    answer, expected = LINES[case]
    assert line(answer).startswith(f"HOST/file: {expected}")


def test_a_compressed_file_may_be_called_encoded(server, tmp_path):
    server.answers["/file"] = [send(gzip.compress(BODY), Content_Encoding="x-gzip")]
    source = Source("n", "a/file.txt.gz", server.url("/file"))
    fetch(source, tmp_path / "file.txt.gz", [], tmp_path / "lock")
    assert gzip.decompress((tmp_path / "file.txt.gz").read_bytes()) == BODY


def test_a_server_of_a_few_bytes_a_second_is_given_up(line, monkeypatch):
    monkeypatch.setattr(web, "PATIENCE", 0.1)
    found = line(drip)
    assert found.startswith("HOST/file: sent ")
    assert found.endswith("(6 tries); expected the file; a new run resumes here")


def test_a_header_of_a_few_bytes_a_second_is_given_up(line, monkeypatch):
    monkeypatch.setattr(web, "DEADLINE", 0.1)
    found = line(drip_header)
    assert found.startswith("HOST/file: no whole header in 0.1 s (6 tries); expected the file")


def test_an_answer_without_length_leaves_room_on_the_disk(line, monkeypatch):
    monkeypatch.setattr(download, "RESERVE", 10**18)
    found = line(send(length=""))
    assert found == f"DIR/d: less than {10**18} bytes of disk free; expected more"


def test_an_empty_file_of_a_mirror_is_one_line(tmp_path):
    (tmp_path / "mirror" / "a").mkdir(parents=True)
    (tmp_path / "mirror" / "a" / "file.txt").touch()
    with pytest.raises(KasuError, match=r"a/file\.txt: an empty file; expected a file"):
        fetch(Source("n", "a/file.txt"), tmp_path / "f", [tmp_path / "mirror"], tmp_path / "lock")
    assert not (tmp_path / "f").exists()


def test_a_link_stays_inside_the_mirror(tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (tmp_path / "secret").write_text("secret")
    (mirror / "real").write_text("real")
    (mirror / "in").symlink_to("real")
    (mirror / "out").symlink_to(tmp_path / "secret")
    assert find_in_mirrors(Source("n", "in"), [mirror]) == mirror / "in"
    with pytest.raises(KasuError, match="out: a link that leads out of the mirror"):
        find_in_mirrors(Source("n", "out"), [mirror])


TOKEN = "https://e.example/data.txt?token=SECRET&x=1"


def test_a_token_reaches_no_name_no_card_and_no_lock(tmp_path):
    entry = resolve(TOKEN, {}, tmp_path)
    shown = json.dumps([str(entry.file), entry.slug, describe(entry), entry.source.name])
    assert "SECRET" not in shown
    assert entry.slug == "e.example.data.txt-sha256-799c7a15"
    assert resolve(TOKEN + "2", {}, tmp_path).slug != entry.slug


def test_a_token_reaches_neither_lock_nor_log(server, tmp_path, capsys):
    server.answers["/file?token=SECRET"] = [send(b"", status=503), send()]
    source = Source("n", "a/file.txt", server.url("/file?token=SECRET"))
    with job(tmp_path / "log"):
        fetch(source, tmp_path / "file", [], tmp_path / "lock", wait=0)
    files = [path.read_text() for path in tmp_path.iterdir()]
    assert not [text for text in [*files, capsys.readouterr().err] if "SECRET" in text]
    assert "/file?…: HTTP 503" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    "make",
    [
        lambda address: resolve(address, {}, None),
        lambda address: Source("n", "p", address),
        lambda address: Source("n", "p", "https://e.example", checksums=address),
    ],
)
def test_a_refused_password_is_not_printed(make):
    with pytest.raises(KasuError) as error:
        make("https://user:PASSWORD@e.example/x?key=TOKEN")
    assert "https://…@e.example/x?…" in str(error.value)
    assert not {"user:", "PASSWORD", "TOKEN"} & set(str(error.value).replace("@", " ").split())


def test_texts_without_secrets_stay_as_they_are():
    config = {"a": ["https://e.example/x", "nor? a=b", r"(?P<a>b)"], "b": 1, "c": None}
    assert redact_values(config) == config
    shown = redact("http://u:p@h/x?a=b, 'https://h/y?c=d&e' ?")
    assert shown == "http://…@h/x?…, 'https://h/y?…' ?"


def test_netrc_is_not_read(server, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login user password PASSWORD\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server.answers["/file"] = [send(b"", status=302, Location="/other")]
    server.answers["/other"] = [send()]
    fetch(Source("n", "f", server.url("/file")), tmp_path / "f", [], tmp_path / "lock")
    assert len(server.requests) == 2
    assert not [headers for _, headers in server.requests if "Authorization" in headers]


PATHS = ("a/x.lock", "a/x.part", "/etc/x", "../x", "a/../x", "a/", "a\\..\\x", "a\0b", "a" * 300)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_stays_in_the_downloads_and_names_no_lock(path):
    with pytest.raises(KasuError, match=r"column path: .*; expected a relative path without"):
        Source("n", path)


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://e.example/x", "https://e.example/a b", "https:///x",
     "https://e.example:99999/x", "https://e.example:-1/x", "https://[::1/x"],
)  # fmt: skip
def test_an_address_that_is_none_of_the_web_is_one_line(url):
    with pytest.raises(KasuError, match=r"column url: .*; expected an http"):
        Source("n", "p", url)


@pytest.mark.parametrize("entry", ["", ".", "a\0b", "a\nb", "a" * 100_000, "file:///etc/passwd"])
def test_an_entry_that_is_no_source_is_one_short_line(entry, tmp_path):
    with pytest.raises(KasuError) as error:
        resolve(entry, {}, tmp_path)
    assert "; expected an existing file or an http(s) address" in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("https://e.example/../../etc/passwd", "url/e.example/*/etc/passwd"),
        ("https://e.example/%2e%2e/x", "url/e.example/%2e%2e/x"),
        ("https://e.example/..\\x", "url/e.example/*/.._x"),
        ("https://e.example/" + "a" * 5000, "url/e.example/*/" + "a" * 200),
    ],
)
def test_no_address_leaves_the_downloads(entry, path, tmp_path):
    file = resolve(entry, {}, tmp_path).file.relative_to(tmp_path)
    assert file.match(path)

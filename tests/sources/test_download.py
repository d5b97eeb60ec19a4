"""Fetching from an HTTP server on loopback."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.package import kasu_version
from kasu.job.run import job
from kasu.sources import web
from kasu.sources.download import fetch
from kasu.sources.registry import Source

BODY = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(BODY).hexdigest()
ETAG = '"v1"'
PAGE = b"<!DOCTYPE html><title>Sorry</title>"

Answer = Callable[[BaseHTTPRequestHandler], None]


def answer(
    body: bytes = BODY, status: int = 200, length: int | None = None, **headers: str
) -> Answer:
    """An answer that announces `length` bytes, sends `body` and closes."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def ranged(body: bytes = BODY, etag: str = ETAG, stop: int | None = None) -> Answer:
    """An answer that honours Range and If-Range, and closes after `stop` bytes of the body."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        start = int(handler.headers.get("Range", "bytes=0-")[6:-1])
        if handler.headers.get("If-Range", etag) != etag:
            start = 0
        if start >= len(body):
            return answer(b"", 416, Content_Range=f"bytes */{len(body)}")(handler)
        rest = body[start:]
        headers = {"ETag": etag}
        if start:
            headers["Content_Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        answer(rest[:stop], 206 if start else 200, len(rest), **headers)(handler)

    return send


def unannounced(body: bytes = BODY) -> Answer:
    """An answer without Content-Length."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


class Try:
    """A source on the server, and the path to fetch it to."""

    def __init__(self, server, folder: Path) -> None:
        self.server = server
        self.source = Source("n", "a/file.bin", server.url("/file.bin"), len(BODY), SHA256)
        self.destination = folder / "downloads" / "a" / "file.bin"
        self.part = folder / "downloads" / "a" / "file.bin.part"
        self.lock = folder / "downloads" / "a" / "file.bin.lock"

    def fetch(
        self, *answers: Answer, wait: float = 0, contact: str = "", **changes: object
    ) -> None:
        if answers:
            self.server.answers["/file.bin"] = list(answers)
        source = replace(self.source, **changes)
        fetch(source, self.destination, [], self.lock, wait=wait, contact=contact)

    def landed(self) -> set[str]:
        folder = self.destination.parent
        return {path.name for path in folder.iterdir()} if folder.exists() else set()


def answer_slowly(handler: BaseHTTPRequestHandler) -> None:
    """So that a second download begins meanwhile."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(BODY)))
    handler.end_headers()
    for start in range(0, len(BODY), len(BODY) // 4):
        handler.wfile.write(BODY[start : start + len(BODY) // 4])
        time.sleep(0.05)


WHOLE = {"file.bin", "file.bin.lock"}
UNKNOWN = {"bytes": None, "sha256": ""}


@pytest.fixture
def trial(server, tmp_path) -> Try:
    return Try(server, tmp_path)


def test_downloads_and_records_the_check(trial):
    trial.fetch(answer())
    assert trial.destination.read_bytes() == BODY
    assert trial.landed() == WHOLE
    assert json.loads(trial.lock.read_text()) == {
        "name": "n",
        "origin": trial.source.url,
        "bytes": 256000,
        "sha256": SHA256,
        "verified": "registry",
    }


def test_names_itself_and_asks_for_plain_bytes(trial):
    trial.fetch(answer())
    headers = trial.server.requests[0][1]
    assert headers["User-Agent"] == f"kasu/{kasu_version()}"
    assert headers["Accept-Encoding"] == "identity"


def test_tells_servers_the_contact_of_the_config(trial):
    trial.fetch(answer(), contact="name@university.example")
    assert trial.server.requests[0][1]["User-Agent"] == (
        f"kasu/{kasu_version()} (name@university.example)"
    )


def test_an_empty_file_is_a_file(trial):
    trial.fetch(answer(b""), bytes=0, sha256=hashlib.sha256(b"").hexdigest())
    assert trial.destination.read_bytes() == b""


def test_a_file_without_a_checksum_is_unverified(trial):
    trial.fetch(unannounced(), **UNKNOWN)
    lock = json.loads(trial.lock.read_text())
    assert (lock["verified"], lock["sha256"], lock["bytes"]) == ("unverified", SHA256, 256000)


def test_resumes_where_the_connection_dropped(trial):
    trial.fetch(ranged(stop=1000), ranged(stop=500), ranged())
    assert trial.destination.read_bytes() == BODY
    assert trial.server.ranges() == [None, "bytes=1000-", "bytes=1500-"]
    assert trial.landed() == WHOLE


def test_resumes_in_a_later_run(trial):
    with pytest.raises(KasuError, match=r"6 tries"):
        trial.fetch(ranged(stop=1000), hang_up)
    assert trial.landed() == {"file.bin.part", "file.bin.part.json"}
    assert trial.part.stat().st_size == 1000
    trial.server.requests.clear()
    trial.fetch(ranged())
    assert trial.server.ranges() == ["bytes=1000-"]
    assert trial.destination.read_bytes() == BODY


def test_resumes_by_last_modified_when_the_etag_is_weak(trial):
    date = "Sat, 01 Jun 2024 00:00:00 GMT"
    cut = answer(BODY[:1000], length=len(BODY), ETag='W/"v1"', Last_Modified=date)
    trial.fetch(cut, ranged(etag=date))
    assert trial.server.requests[1][1]["If-Range"] == date
    assert trial.server.ranges() == [None, "bytes=1000-"]


def test_starts_again_when_the_file_has_changed(trial):
    new = BODY[::-1]
    trial.fetch(ranged(stop=1000), ranged(new, etag='"v2"'), **UNKNOWN)
    assert trial.server.ranges() == [None, "bytes=1000-"]
    assert trial.destination.read_bytes() == new


def test_starts_again_when_the_address_has_changed(trial):
    with pytest.raises(KasuError):
        trial.fetch(ranged(stop=1000), hang_up)
    trial.server.requests.clear()
    trial.server.answers["/other.bin"] = [ranged()]
    trial.fetch(url=trial.server.url("/other.bin"))
    assert trial.server.ranges() == [None]


def test_starts_again_when_the_server_knows_no_ranges(trial):
    trial.fetch(ranged(stop=1000), answer())
    assert trial.server.ranges() == [None, "bytes=1000-"]
    assert trial.destination.read_bytes() == BODY


def test_starts_again_when_the_server_sends_another_range(trial):
    wrong = answer(BODY[7:], 206, Content_Range=f"bytes 7-{len(BODY) - 1}/{len(BODY)}")
    trial.fetch(ranged(stop=1000), wrong, ranged())
    assert trial.server.ranges() == [None, "bytes=1000-", None]
    assert trial.destination.read_bytes() == BODY


def test_starts_again_without_a_validator(trial):
    trial.fetch(answer(BODY[:1000], length=len(BODY)), answer())
    assert trial.server.ranges() == [None, None]
    assert trial.destination.read_bytes() == BODY


def test_a_complete_part_is_kept(trial):
    trial.fetch(ranged(stop=1000), hang_up, ranged())
    trial.destination.rename(trial.part)
    trial.part.with_name("file.bin.part.json").write_text(
        json.dumps({"url": trial.source.url, "validator": ETAG})
    )
    trial.server.requests.clear()
    trial.fetch(ranged())
    assert trial.server.ranges() == ["bytes=256000-"]
    assert trial.destination.read_bytes() == BODY


def test_a_file_that_became_shorter_is_fetched_afresh(trial):
    short = BODY[:500]
    changed = {"bytes": None, "sha256": hashlib.sha256(short).hexdigest()}
    trial.fetch(ranged(stop=1000), ranged(short), **changed)
    assert trial.server.ranges() == [None, "bytes=1000-", None]
    assert trial.destination.read_bytes() == short


def test_a_broken_stamp_starts_again(trial):
    with pytest.raises(KasuError):
        trial.fetch(ranged(stop=1000), hang_up)
    trial.part.with_name("file.bin.part.json").write_text('{"url": ')
    trial.server.requests.clear()
    trial.fetch(ranged())
    assert trial.server.ranges() == [None]


def test_a_server_that_announces_more_than_it_has_is_given_up(trial):
    with pytest.raises(KasuError, match=r"file\.bin: .*256000 bytes read, 1000 more expected"):
        trial.fetch(answer(length=len(BODY) + 1000), **UNKNOWN)
    assert len(trial.server.requests) == 6
    assert not trial.destination.exists()


def test_a_server_that_announces_less_than_is_registered_is_refused(trial):
    with pytest.raises(KasuError, match=r"announced 1000 bytes; expected 256000"):
        trial.fetch(answer(length=1000))
    assert len(trial.server.requests) == 1
    assert trial.landed() == set()


def test_a_server_that_announces_nothing_and_sends_less_is_refused(trial):
    with pytest.raises(KasuError, match=r"file\.bin: 1000 bytes; expected 256000"):
        trial.fetch(unannounced(BODY[:1000]))
    assert trial.landed() == set()


def test_a_server_that_never_stops_is_cut_off(trial):
    with pytest.raises(KasuError, match="more than 256000 bytes"):
        trial.fetch(unannounced(BODY + b"x"))
    assert trial.landed() == set()


def test_a_wrong_checksum_names_both_and_leaves_nothing(trial):
    other = hashlib.sha256(b"other").hexdigest()
    with pytest.raises(KasuError, match=rf"sha256 {SHA256}; expected {other} \(registry\)"):
        trial.fetch(ranged(), sha256=other)
    assert trial.landed() == set()


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256"])
def test_checks_the_publishers_checksum(trial, algorithm):
    digest = hashlib.new(algorithm, BODY).hexdigest()
    listing = f"{'0' * len(digest)}  other.bin\n{digest}  file.bin\n".encode()
    trial.server.answers["/sums.txt"] = [answer(listing)]
    trial.fetch(answer(), **UNKNOWN, checksums=trial.server.url("/sums.txt"))
    assert json.loads(trial.lock.read_text())["verified"] == "publisher"


def test_refuses_a_file_that_fails_the_publishers_checksum(trial):
    trial.server.answers["/sums.txt"] = [answer(b"0" * 40 + b"  file.bin\n")]
    with pytest.raises(KasuError, match=r"sha1 \w{40}; expected 0{40} \(publisher\)"):
        trial.fetch(answer(), **UNKNOWN, checksums=trial.server.url("/sums.txt"))
    assert trial.landed() == set()


@pytest.mark.parametrize("listing", [b"", b"0" * 40 + b"  afile.bin\n", b"0" * 39 + b"  file.bin"])
def test_a_list_that_does_not_name_the_file_is_an_error(trial, listing):
    trial.server.answers["/sums.txt"] = [answer(listing)]
    with pytest.raises(KasuError, match=r"sums\.txt: no checksum of file\.bin"):
        trial.fetch(answer(), **UNKNOWN, checksums=trial.server.url("/sums.txt"))
    assert trial.server.requests[-1][0] == "/sums.txt"


@pytest.mark.parametrize(
    "page",
    [
        answer(b"Sorry", Content_Type="text/html; charset=utf-8"),
        answer(PAGE),
        answer(b"\xef\xbb\xbf\n<HTML lang=en>"),
    ],
)
def test_an_error_page_with_status_200_is_refused(trial, page):
    with pytest.raises(KasuError, match=r"file\.bin: an HTML page; expected the file"):
        trial.fetch(page, **UNKNOWN)
    assert trial.landed() == set()


def test_an_error_page_does_not_discard_the_part(trial):
    page = answer(PAGE, Content_Type="text/html")
    with pytest.raises(KasuError, match="an HTML page"):
        trial.fetch(ranged(stop=1000), page)
    assert trial.part.stat().st_size == 1000


def test_a_page_may_be_the_requested_file(trial):
    page = answer(PAGE, Content_Type="text/html")
    trial.fetch(page, path="a/file.html", **UNKNOWN)
    assert trial.destination.read_bytes() == PAGE


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_tries_again_when_the_server_is_busy(trial, status):
    trial.fetch(answer(PAGE, status), answer())
    assert trial.destination.read_bytes() == BODY


@pytest.mark.parametrize("status", [204, 401, 403, 404, 410])
def test_gives_up_at_once_when_trying_again_is_useless(trial, status):
    with pytest.raises(KasuError, match=rf"file\.bin: HTTP {status} "):
        trial.fetch(answer(PAGE if status >= 400 else b"", status))
    assert len(trial.server.requests) == 1
    assert trial.landed() == set()


def test_waits_longer_each_time_and_as_long_as_asked_within_bounds(trial, monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr(web.time, "sleep", waits.append)
    busy, patient = answer(b"", 503), answer(b"", 429, Retry_After="7")
    far = answer(b"", 503, Retry_After="86400")
    trial.fetch(busy, busy, patient, far, answer(), wait=0.5)
    assert waits == [0.5, 1.0, 7.0, 120.0]


def test_no_server_at_all_is_one_line(trial):
    trial.server.server_close()
    with pytest.raises(KasuError, match=r"file\.bin: .*Connection refused \(6 tries\)"):
        trial.fetch()


def test_follows_a_redirect_to_another_address(trial):
    trial.server.answers["/new.bin"] = [answer()]
    trial.fetch(answer(b"", 302, Location="/new.bin"))
    assert trial.destination.read_bytes() == BODY


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/file.bin"])
def test_a_redirect_leads_to_the_web_and_ends(trial, target):
    with pytest.raises(KasuError, match=r"file\.bin: (No connection adapters|Exceeded 30)"):
        trial.fetch(answer(b"", 302, Location=target))
    assert trial.landed() == set()


def test_refuses_a_file_larger_than_the_disk(trial):
    size = 10**18
    with pytest.raises(KasuError, match=rf"bytes of disk free; expected {size} for file\.bin"):
        trial.fetch(answer(b"", length=size), **UNKNOWN)
    assert not trial.destination.exists()


def test_two_jobs_that_download_one_file_at_once_are_both_right(trial, at_once, tmp_path):
    """Their logs differ, as in two workflows."""

    def download(log):
        with job(tmp_path / log, outputs=[str(trial.lock)]):
            trial.fetch()

    trial.server.answers["/file.bin"] = [answer_slowly]
    both = at_once(partial(download, "one.log"), partial(download, "two.log"))
    for process in both:
        process.join(20)
    assert [process.exitcode for process in both] == [0, 0]
    assert trial.destination.read_bytes() == BODY
    assert trial.landed() == {*WHOLE, ".file.bin.lock.sha256"}

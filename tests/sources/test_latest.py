"""The newest dump: found at a publisher on loopback or in a mirror, pinned, and gone."""

import functools
import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.package import kasu_version
from kasu.sources.download import fetch
from kasu.sources.latest import newest_date
from kasu.sources.registry import Source
from kasu.sources.workspace import Workspace

FILE = "{wiki}-{date}-pages-articles-multistream.xml.bz2"


class Publisher(ThreadingHTTPServer):
    """Serves a folder as Wikimedia does: an index of dates, and a status for each."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, str]] = []
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        address = f"http://127.0.0.1:{self.server_port}/{{wiki}}/{{date}}"
        self.template = Source(
            "{wiki}-{date}",
            f"wikipedia/{{wiki}}/{FILE}",
            f"{address}/{FILE}",
            checksums=f"{address}/{{wiki}}-{{date}}-sha1sums.txt",
        )

    def publish(self, date: str, status: str = "done") -> None:
        folder = self.folder / "euwiki" / date
        folder.mkdir(parents=True)
        name = FILE.format(wiki="euwiki", date=date)
        job = {"status": status, "files": {name: {"sha1": "0"}} if status != "waiting" else {}}
        jobs = {"metacurrentdump": {"status": "done"}, "articlesmultistreamdump": job}
        (folder / "dumpstatus.json").write_text(json.dumps({"version": "0.8", "jobs": jobs}))
        if status == "done":
            (folder / name).write_bytes(date.encode())
            sha1 = hashlib.sha1(date.encode()).hexdigest()
            (folder / f"euwiki-{date}-sha1sums.txt").write_text(f"{sha1}  {name}\n")


class Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["User-Agent"]))
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def publisher(tmp_path) -> Iterator[Publisher]:
    (tmp_path / "published").mkdir()
    with Publisher(tmp_path / "published") as publisher:
        thread = threading.Thread(target=publisher.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield publisher
        publisher.shutdown()
        thread.join(10)


def workspace(publisher: Publisher, folder: Path, *mirrors: Path, online: bool = True) -> Workspace:
    def ask(source: Source) -> tuple[str, str]:
        return newest_date(source, mirrors, "me@there.example", wait=0)

    registry = {publisher.template.name: publisher.template}
    return Workspace("results/x", registry, folder / "downloads", ask=ask if online else None)


def name_of(space: Workspace, entry: str = "euwiki-latest") -> str:
    return space.resolve(entry, "config corpora basque").slug


def test_latest_is_the_newest_complete_dump(publisher, tmp_path):
    for date in ("20260901", "20261001", "20261020"):
        publisher.publish(date)
    publisher.publish("20261101", "in-progress")
    publisher.publish("20261120", "waiting")
    (publisher.folder / "euwiki" / "latest").mkdir()
    entry = workspace(publisher, tmp_path).resolve("euwiki-latest", "config corpora basque")
    assert (entry.slug, entry.file) == (
        "euwiki-20261020",
        tmp_path / "downloads/wikipedia/euwiki/euwiki-20261020-pages-articles-multistream.xml.bz2",
    )
    assert json.loads((tmp_path / "downloads/euwiki-latest.lock").read_text()) == {
        "name": "euwiki-latest",
        "pinned": "euwiki-20261020",
        "origin": f"http://127.0.0.1:{publisher.server_port}/euwiki/",
    }
    assert publisher.asked[0] == ("/euwiki/", f"kasu/{kasu_version()} (me@there.example)")


def test_a_pin_stays_without_network_and_whatever_is_added(publisher, tmp_path):
    publisher.publish("20261001")
    assert name_of(workspace(publisher, tmp_path)) == "euwiki-20261001"
    publisher.publish("20261101")
    asked = len(publisher.asked)
    assert name_of(workspace(publisher, tmp_path)) == "euwiki-20261001"
    assert name_of(workspace(publisher, tmp_path, online=False)) == "euwiki-20261001"
    assert len(publisher.asked) == asked


def test_without_its_pin_the_name_stands_for_the_newest_again(publisher, tmp_path):
    publisher.publish("20261001")
    assert name_of(workspace(publisher, tmp_path)) == "euwiki-20261001"
    publisher.publish("20261101")
    (tmp_path / "downloads/euwiki-latest.lock").unlink()
    assert name_of(workspace(publisher, tmp_path)) == "euwiki-20261101"


def test_a_plan_alone_asks_nobody_and_pins_nothing(publisher, tmp_path):
    publisher.publish("20261001")
    assert name_of(workspace(publisher, tmp_path, online=False)) == "euwiki-latest"
    assert publisher.asked == []
    assert not (tmp_path / "downloads").exists()


def test_a_mirror_is_preferred_to_the_publisher(publisher, tmp_path):
    publisher.publish("20261101")
    held = tmp_path / "mirror/wikipedia/euwiki"
    held.mkdir(parents=True)
    for name in ("20250901", "20251001"):
        (held / (FILE.format(wiki="euwiki", date=name) + ".xz")).touch()
    (held / "euwiki-20251101-stub-articles.xml.gz").touch()
    assert name_of(workspace(publisher, tmp_path, tmp_path / "mirror")) == "euwiki-20251001"
    assert publisher.asked == []


def test_no_complete_dump_is_one_line(publisher, tmp_path):
    publisher.publish("20261101", "in-progress")
    with pytest.raises(KasuError) as error:
        name_of(workspace(publisher, tmp_path))
    assert str(error.value) == (
        f"config corpora basque: http://127.0.0.1:{publisher.server_port}/euwiki/: no complete "
        "dump; expected euwiki-{date}-pages-articles-multistream.xml.bz2"
    )
    assert not (tmp_path / "downloads").exists()


def test_an_unknown_wiki_is_one_line(publisher, tmp_path):
    with pytest.raises(KasuError, match=r"^config corpora basque: http.*/xxwiki/: HTTP 404 "):
        name_of(workspace(publisher, tmp_path), "xxwiki-latest")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"pinned": 20261001}', '{"pinned": "frwiki-1"}'])
def test_a_damaged_pin_is_one_line(publisher, tmp_path, text):
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads/euwiki-latest.lock").write_text(text)
    with pytest.raises(KasuError, match=r"euwiki-latest\.lock: not a pin; .*delete it to take"):
        name_of(workspace(publisher, tmp_path))


def test_the_pinned_dump_is_fetched_and_checked(publisher, tmp_path):
    publisher.publish("20261101")
    entry = workspace(publisher, tmp_path).resolve("euwiki-latest", "config")
    lock = Path(f"{entry.file}.lock")
    fetch(entry.source, entry.file, [], lock, wait=0)
    assert entry.file.read_bytes() == b"20261101"
    facts = json.loads(lock.read_text())
    assert (facts["name"], facts["verified"]) == ("euwiki-20261101", "publisher")


def test_a_date_that_is_gone_is_one_line_with_those_that_are_there(publisher, tmp_path):
    publisher.publish("20261001")
    publisher.publish("20261020")
    publisher.publish("20261101", "in-progress")
    entry = workspace(publisher, tmp_path).resolve("euwiki-20260101", "config")
    with pytest.raises(KasuError) as error:
        fetch(entry.source, entry.file, [], tmp_path / "lock", wait=0)
    assert str(error.value) == (
        f"euwiki-20260101: gone from 127.0.0.1:{publisher.server_port}; expected what is there: "
        "euwiki-20261001, euwiki-20261020"
    )


def test_a_date_gone_from_a_publisher_without_an_index_is_the_plain_error(publisher, tmp_path):
    entry = workspace(publisher, tmp_path).resolve("euwiki-20260101", "config")
    with pytest.raises(KasuError, match=r"euwiki-20260101-sha1sums\.txt: HTTP 404 File not found"):
        fetch(entry.source, entry.file, [], tmp_path / "lock", wait=0)


def test_of_two_runs_that_ask_at_once_both_take_the_first_pin(publisher, tmp_path):
    publisher.publish("20261020")
    other = workspace(publisher, tmp_path)

    def ask(source: Source) -> tuple[str, str]:
        name_of(other)
        return "20261101", "a newer index"

    registry = {publisher.template.name: publisher.template}
    space = Workspace("results/x", registry, tmp_path / "downloads", ask=ask)
    assert name_of(space) == "euwiki-20261020"
    assert name_of(other) == "euwiki-20261020"

"""What any test may need: the mirror of real data, the analyser's dictionary, a web server."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import hypothesis
import pytest

# A test never times
hypothesis.settings.register_profile("kasu", deadline=None)
hypothesis.settings.load_profile("kasu")

ROOT = Path(__file__).resolve().parent.parent
DICTIONARY = Path("/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin")
Answer = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """Answers the requests for a path with its answers in turn, and then repeats the last."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, list[Answer]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []

    def ranges(self) -> list[str | None]:
        return [headers.get("Range") for _, headers in self.requests]

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers)))
        answers = self.server.answers[self.path]
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def need() -> Callable[[bool, str], None]:
    """Skip with a reason what is not there; fail where nothing may be missing, as in CI."""

    def check(present: bool, otherwise: str) -> None:
        if not present:
            (pytest.fail if os.environ.get("KASU_REQUIRE_REAL") else pytest.skip)(otherwise)

    return check


@pytest.fixture(scope="session")
def mirror(need) -> Path:
    """The offline mirror of real data."""
    path = Path(os.environ.get("KASU_MIRROR", ROOT.parent / "shared" / "data")).resolve()
    need((path / "MANIFEST.tsv").exists(), f"no mirror of real data at {path} (set KASU_MIRROR)")
    return path


@pytest.fixture(scope="session")
def dictionary(need) -> Path:
    """The Basque dictionary of Apertium, with lt-proc at hand."""
    need(
        DICTIONARY.exists() and shutil.which("lt-proc") is not None,
        "no lt-proc or no Basque dictionary (install apertium-eu-es and lttoolbox)",
    )
    return DICTIONARY


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)

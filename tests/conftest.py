"""What any test may need: the mirror of real data, the analyser's dictionary, a web server.

Also what the tests of two studies share: odd data, and what is expected of systems that learn them.
"""

import math
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import hypothesis
import pytest

from kasu.base.errors import KasuError
from kasu.transduction.items import Context, Item, Token

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


def among(
    lemma: str, form: str, *forms: str, place: int = 0, tags: tuple[str, ...] = ("N", "PL")
) -> Item:
    """An item in a sentence of these other words."""
    tokens = [Token(each, each.lower(), ("X",) if tags else ()) for each in forms]
    tokens.insert(place, Token(form, lemma, tags))
    return Item(lemma, tags, form, Context(tokens, place))


WORDS, BARE = (
    [
        among(lemma, f"{lemma}ak", "Das", "ist", place=place, tags=tags)
        for place, lemma in enumerate(("bal", "dan", "kel"))
    ]
    for tags in (("N", "PL"), ())
)
LONG = among("ab" * 100, "ba" * 100, "und")  # 200 characters
ONE_CHARACTER = [among("a" * count, "a" * (count + 1), "a", place=1) for count in (1, 2, 3)]
ALONE = [among("bal", "balak")]  # a sentence of one word
UNSEEN = [
    among("bal", "balak", "Žena", "x" * 60, place=1),
    Item("", (), "", Context([Token(None, "", ())], 0)),
    Item("", ("N",), ""),
    Item("bal", (), "balak"),  # no sentence
    Item("bal", ("V", "DU"), "balak"),
    Item("xyz", ("N", "PL"), "xyzak"),
]
ODD = {
    "one character": (ONE_CHARACTER, ONE_CHARACTER, ONE_CHARACTER),
    "200 characters": ([*WORDS, LONG], [LONG], [LONG]),
    "200 characters in test": (WORDS, WORDS, [LONG]),
    "one training item": (ALONE, WORDS, [*WORDS, *ALONE]),
    "no dev": (WORDS, [], WORDS),
    "no test": (WORDS, WORDS, []),
    "unseen": (WORDS, WORDS[:1], UNSEEN),
    "no features": (BARE, BARE[:1], BARE),
}


@pytest.fixture(params=ODD)
def odd_items(request) -> tuple[list[Item], list[Item], list[Item]]:
    """Train, dev and test of odd data, in sentences."""
    return ODD[request.param]


@pytest.fixture(scope="session")
def expect_answers() -> Callable[..., None]:
    """Expect of what a member answers that every item of dev and test has sensible forms."""

    def check(found, dev, test) -> None:
        assert not isinstance(found, KasuError)
        assert [len(answers) for answers in found] == [len(dev), len(test)]
        for answer in (*found.dev, *found.test):
            assert answer.forms
            assert all(isinstance(form, str) for form in answer.forms)
            assert all(math.isfinite(score) for score in answer.scores)

    return check


@pytest.fixture
def spoil_first(monkeypatch) -> Callable[..., None]:
    """Give the first network of a family weights that are all one value."""

    def spoil(family, value: float) -> None:
        drawn, network = [], family.network

        def spoilt(*arguments):
            drawn.append(network(*arguments))
            if len(drawn) == 1:
                for weight in drawn[0].parameters():
                    weight.data.fill_(value)
            return drawn[-1]

        monkeypatch.setattr(family, "network", spoilt)

    return spoil

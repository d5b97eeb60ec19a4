"""What any test may need: the mirror of real data, the analyser's dictionary, a web server.

Also what the tests of two studies share: odd data, and what is expected of systems that learn them.
"""

import functools
import gc
import json
import math
import multiprocessing
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

# Two runs of tests share two cores: of torch's threads one would wait for the other, spinning
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import pytest

from kasu.base.errors import KasuError
from kasu.files.locks import held
from kasu.files.tables import write_tsv
from kasu.results.comparison import TABLE, Row, read_comparison
from kasu.transduction.items import Context, Item, Token

# A test never times
hypothesis.settings.register_profile("kasu", deadline=None)
hypothesis.settings.load_profile("kasu")
# What is imported and collected stays to the end: no need to look for garbage among it
gc.disable()

ROOT = Path(__file__).resolve().parent.parent
DICTIONARY = Path("/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin")
EMPTY_WEIGHTS = (2).to_bytes(8, "little") + b"{}"  # safetensors without a tensor
Answer = Callable[[BaseHTTPRequestHandler], None]


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


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


@pytest.fixture
def at_once(tmp_path) -> Callable[..., list[multiprocessing.Process]]:
    """Start functions, each in a process of its own, and no sooner than all are there.

    What number N prints goes to `out-N` and `err-N` of the test's folder.
    """
    # Processes that need not import torch again
    context = multiprocessing.get_context("fork")

    def start(*functions: Callable[[], int | None]) -> list[multiprocessing.Process]:
        barrier = context.Barrier(len(functions))

        def run(number: int, function: Callable[[], int | None]) -> None:
            sys.stdout, sys.stderr = (
                (tmp_path / f"{name}-{number}").open("w", 1) for name in ("out", "err")
            )
            barrier.wait()
            sys.exit(function())

        started = [context.Process(target=run, args=each) for each in enumerate(functions)]
        for process in started:
            process.start()
        return started

    return start


@pytest.fixture
def held_for_a_moment(at_once) -> Callable[[Path], None]:
    """Let another process hold a path; it lets go after half a second."""

    def hold_for_a_moment(path: Path) -> None:
        with held(path):
            time.sleep(0.5)

    def start(path: Path) -> None:
        at_once(functools.partial(hold_for_a_moment, path))
        lock = path.with_name(f".{path.name}.held")
        while not (lock.exists() and lock.read_text()):
            time.sleep(0.01)

    return start


@pytest.fixture
def model_folder(tmp_path) -> Callable[..., str]:
    """Make the folder of a model that can be planned with and not loaded.

    It takes the path below the test's folder, and what differs in a GPT-2's config.json.
    """

    def make(path: str, **changes: object) -> str:
        folder = tmp_path / path
        folder.mkdir(parents=True)
        config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]} | changes
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "tokenizer.json").write_text("{}")
        (folder / "model.safetensors").write_bytes(EMPTY_WEIGHTS)
        return str(folder)

    return make


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


@pytest.fixture(scope="session")
def compared_lines() -> list[dict[str, object]]:
    """Lines of a table that puts our figures beside print."""

    def line(system: str, condition: str, metric: str, **values: object) -> dict[str, object]:
        return {
            "paper": "basque2018", "table": "Table 4", "system": system, "condition": condition,
            "metric": metric, "unit": "percent", **values,
        }  # fmt: skip

    return [
        line("BiLSTM", "Base|dative", "accuracy", variant="paper", ours=0.86449, low=0.85,
             high=0.88, n=1000, runs=2, published=0.871, printed="87.1",
             difference=0.86449 - 0.871),
        line("BiLSTM", "Base|dative", "accuracy", variant="paper", seed=1, ours=0.86, low=0.84,
             high=0.88, n=1000, runs=1, published=0.871, printed="87.1", difference=0.86 - 0.871),
        line("majority", "Base|dative", "accuracy", variant="paper", ours=0.8625, low=0.84,
             high=0.88),
        line("BiLSTM", "Base|dative", "recall", published=1.0, printed="100", note="a note"),
        line("BiLSTM", "Single verb|dative", "accuracy", published=0.9604, printed="96.04"),
        line("BiLSTM", "No -ak|dative", "accuracy", published=0.986, printed="98.6"),
    ]  # fmt: skip


@pytest.fixture
def compared(tmp_path, compared_lines) -> list[Row]:
    """Those lines as they are read."""
    write_tsv(tmp_path / "table_4.tsv", compared_lines, TABLE)
    return read_comparison(tmp_path / "table_4.tsv")


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
def spoil_first(monkeypatch) -> Callable[..., Any]:
    """A family like another, whose first network has weights that are all one value."""

    def spoil(family, value: float) -> Any:
        module = sys.modules[family.module]
        drawn, network = [], module.network

        def spoilt(*arguments):
            drawn.append(network(*arguments))
            if len(drawn) == 1:
                for weight in drawn[0].parameters():
                    weight.data.fill_(value)
            return drawn[-1]

        if hasattr(family, "network"):
            return replace(family, network=spoilt)
        monkeypatch.setattr(module, "network", spoilt)
        return family

    return spoil

"""For pytest: note which test executes what (with coverage.py), and how long it takes."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage

seconds: Counter[str] = Counter()
running = [""]  # the innermost last


def pytest_runtest_logstart(nodeid: str) -> None:
    """What runs from here on runs for this test."""
    _enter(nodeid)


def pytest_runtest_logfinish() -> None:
    """What runs from here on runs for no test."""
    _leave()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef) -> Iterator[None]:
    """A fixture that several tests share runs for all below its file or folder."""
    if fixturedef.scope == "function":
        return (yield)
    _enter(fixturedef.baseid)
    try:
        return (yield)
    finally:
        _leave()


def _enter(context: str) -> None:
    running.append(context)
    _switch()


def _leave() -> None:
    running.pop()
    _switch()


def _switch() -> None:
    if coverage := Coverage.current():
        coverage.switch_context(running[-1])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add the time of one phase; tests that are skipped count for nothing."""
    if not report.skipped:
        seconds[report.nodeid] += report.duration


def pytest_sessionfinish() -> None:
    """Write the times where pytest runs."""
    Path("seconds.json").write_text(json.dumps(seconds), encoding="utf-8")

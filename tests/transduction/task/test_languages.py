"""Languages of a config: released ones, those at hand, the user's own."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from kasu.base.errors import KasuError
from kasu.sources.registry import Entry, Source
from kasu.sources.workspace import Workspace
from kasu.transduction.task.languages import resolve_languages


@pytest.fixture
def resolve(tmp_path):
    """Resolve entries where `basque` and `georgian` are released, and Georgian is at hand."""
    released = {
        name: {"low": Entry(name, tmp_path / name, Source(name, name, "https://kasu.invalid/x"))}
        for name in ("basque", "georgian")
    }
    (tmp_path / "georgian").touch()

    def run(*entries, mirrors=()):
        found, missing = resolve_languages(
            entries,
            released,
            lambda name, files: SimpleNamespace(name=name, origin=list(files)),
            lambda entry: SimpleNamespace(name=getattr(entry, "name", entry), origin="own"),
            Workspace("results", {}, Path("downloads"), mirrors),
            "config toy languages",
        )
        return {each.name: each.origin for each in found}, missing

    return run


def test_all_released_those_at_hand_and_the_users_own(resolve, tmp_path):
    assert resolve("all") == ({"basque": ["low"], "georgian": ["low"]}, [])
    mirrors = [tmp_path / "mirror"]
    assert resolve("available", mirrors=mirrors) == ({"georgian": ["low"]}, ["basque"])
    # Without a mirror, what is not at hand is downloaded
    assert resolve("available") == resolve("all")
    own = SimpleNamespace(name="mine")
    assert resolve("basque", own, "path") == ({"basque": ["low"], "mine": "own", "path": "own"}, [])


def test_each_name_once(resolve):
    line = "config toy languages: all: a second 'basque'; expected each name once"
    with pytest.raises(KasuError, match=line):
        resolve("basque", "all")
    with pytest.raises(KasuError, match="languages: mine: a second 'mine'"):
        resolve(SimpleNamespace(name="mine"), SimpleNamespace(name="mine"))

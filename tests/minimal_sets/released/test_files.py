"""The released sets that a config asks for, and their files."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.minimal_sets.data.paper import FILE_SETS
from kasu.minimal_sets.released.files import FOLDER, RESULT_FILES, ReleasedSet, pick_released
from kasu.minimal_sets.released.results import name_released
from kasu.sources.registry import Source
from kasu.sources.workspace import Workspace

NAMES = [f"{FOLDER}/{file.format(code=code)}" for code in FILE_SETS for file in RESULT_FILES]


def picked(
    tmp_path: Path, *asked: str, mirrors: Sequence[Path] | None = None
) -> dict[str, ReleasedSet]:
    """By default, of a mirror."""
    mirrors = [tmp_path / "mirror"] if mirrors is None else mirrors
    registry = {name: Source(name, name, "https://kasu.invalid/x") for name in NAMES}
    workspace = Workspace("results", registry, tmp_path / "downloads", mirrors)
    return pick_released(asked, workspace, "config minimal_sets.released")


def test_a_set_has_results_of_five_encoders_at_two_levels_and_of_two_decoders(tmp_path):
    (item,) = picked(tmp_path, "transitive-nom-dat-obj").values()
    named = [name_released(entry.file.name) for entry in item.results]
    assert {each.set for each in named} == {"transitive-nom-dat-obj"}
    assert [(each.kind, each.level) for each in named].count(("mlm", "word")) == 5
    assert [(each.kind, each.level) for each in named].count(("mlm", "sentence")) == 5
    assert [(each.kind, each.level) for each in named].count(("ntp", "sentence")) == 2
    assert len(named) == 12
    assert item.items.file.name == "mlm-mBERT-S1-DAT-word-level.csv"


def test_available_sets_are_those_whose_files_are_all_held(tmp_path):
    assert picked(tmp_path, "available") == {}
    names = [name for name in NAMES if "-S1-DAT-" in name]
    for name in names[:-1]:
        path = tmp_path / "mirror" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert picked(tmp_path, "available") == {}  # one file is missing
    downloaded = tmp_path / "downloads" / names[-1]
    downloaded.parent.mkdir(parents=True)
    downloaded.touch()
    assert list(picked(tmp_path, "available")) == ["transitive-nom-dat-obj"]
    # Without a mirror they are downloaded
    assert list(picked(tmp_path, "available", mirrors=[])) == list(FILE_SETS.values())


def test_a_set_unknown_to_the_paper_is_refused(tmp_path):
    with pytest.raises(KasuError, match=r"released: 'passive'; expected intransitive-nom-subj, "):
        picked(tmp_path, "passive")


def test_the_registry_has_all_files(request):
    registered = (request.config.rootpath / "config" / "sources.tsv").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"\n{name}\t" not in registered] == []

"""The released sets that a config asks for, and their files."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.sources import Source
from kasu.minimal_sets.released.files import FOLDER, pick_released

NAMES = [
    "mlm-HPLT-S1-DAT-word-level.csv",
    "mlm-mBERT-S1-DAT-sentence-level.csv",
    "mlm-mBERT-S1-DAT-word-level.csv",
    "mlm-mBERT-S2-ERG-word-level.csv",
]
REGISTRY = {
    name: Source(name, name) for name in [*(f"{FOLDER}/{name}" for name in NAMES), "other/file"]
}


def picked(tmp_path: Path, *asked: str) -> dict[str, list[str]]:
    found = pick_released(asked, REGISTRY, tmp_path / "downloads", [tmp_path / "mirror"])
    return {name: [entry.file.name for entry in entries] for name, entries in found.items()}


def test_the_first_file_of_a_set_holds_its_items(tmp_path):
    assert picked(tmp_path, "transitive-nom-dat-obj") == {
        "transitive-nom-dat-obj": [NAMES[2], NAMES[0], NAMES[1]]
    }


def test_available_sets_are_those_whose_files_are_all_held(tmp_path):
    assert picked(tmp_path, "available") == {}
    for name in NAMES[:2]:
        path = tmp_path / "mirror" / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert picked(tmp_path, "available") == {}  # one file is missing
    downloaded = tmp_path / "downloads" / FOLDER / NAMES[2]
    downloaded.parent.mkdir(parents=True)
    downloaded.touch()
    assert list(picked(tmp_path, "available")) == ["transitive-nom-dat-obj"]


def test_a_set_unknown_to_the_paper_is_refused(tmp_path):
    with pytest.raises(KasuError, match="released: 'passive'; expected intransitive-nom-subj, "):
        picked(tmp_path, "passive")

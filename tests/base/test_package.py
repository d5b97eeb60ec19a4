"""Version, commit and requirements, with and without an installed Kasu."""

import re
import subprocess
from importlib import metadata

from packaging.requirements import Requirement

from kasu.base import package


def hide(monkeypatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)


def test_a_folder_that_is_not_installed_knows_its_version(monkeypatch):
    installed = package.kasu_version()
    hide(monkeypatch)
    assert package.kasu_version() == installed


def test_a_commit_is_hexadecimal_with_a_plus_if_the_tree_differs():
    # Empty in a copy without a repository
    assert re.fullmatch(r"([0-9a-f]{7,40}\+?)?", package.commit())


def test_a_release_in_the_repository_of_another_project_has_no_commit(tmp_path, monkeypatch):
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    git("init")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "theirs")
    monkeypatch.setattr(package, "ROOT", tmp_path)
    assert re.fullmatch("[0-9a-f]{7,40}", package.commit())
    (tmp_path / "kasu").mkdir()
    monkeypatch.setattr(package, "ROOT", tmp_path / "kasu")
    assert package.commit() == ""


def test_a_folder_that_is_not_installed_knows_its_requirements(monkeypatch):
    installed = package.requirements()
    hide(monkeypatch)
    assert set(map(Requirement, package.requirements())) == set(map(Requirement, installed))
    assert "numpy>=2.4.6,<3" in package.requirements()
    assert not any(line.startswith("pytest") for line in package.requirements())

"""Version and requirements, with and without an installed Kasu."""

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


def test_a_folder_that_is_not_installed_knows_its_requirements(monkeypatch):
    installed = package.requirements()
    hide(monkeypatch)
    assert set(map(Requirement, package.requirements())) == set(map(Requirement, installed))
    assert "numpy>=2.4.6,<3" in package.requirements()
    assert not any(line.startswith("pytest") for line in package.requirements())

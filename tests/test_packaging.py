"""The files around the code agree with each other."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from kasu.records.reading import record_files

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "LICENSES-DATA.md", "CHANGELOG.md")


def test_folders_of_data_hold_no_code():
    """Generators, recorders and updaters stand in tools."""
    assert [path for name in ("resources", "config") for path in (ROOT / name).rglob("*.py")] == []


def locked() -> dict[str, str]:
    lines = (ROOT / "envs/requirements.lock").read_text().splitlines()
    return dict(line.lower().split("==") for line in lines if not line.startswith("#"))


def test_every_direct_dependency_is_a_range_that_holds_the_locked_version():
    extras = PROJECT["optional-dependencies"].values()
    direct = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    for line in map(Requirement, direct):
        assert locked()[line.name.lower()] in line.specifier, line
        assert len(line.specifier) == 2, line  # from, and below


def test_the_lock_holds_plain_releases():
    assert [v for v in locked().values() if not re.fullmatch(r"\d+(\.\w+)*", v)] == []


def test_every_locked_package_but_torch_has_its_hashes():
    blocks = re.split(r"(?m)^(?=[a-z])", (ROOT / "envs/hashes.lock").read_text())[1:]
    hashed = {each.split()[0]: re.findall(r"--hash=sha256:[0-9a-f]{64}\b", each) for each in blocks}
    assert [name for name, hashes in hashed.items() if not hashes] == []
    versions = {f"{name}=={version}" for name, version in locked().items()}
    assert versions - set(hashed) == {"torch==2.13.0"}
    assert set(hashed) - versions == set()


def test_the_container_stands_on_an_image_by_digest():
    (base,) = re.findall(r"(?m)^ARG BASE=(.*)$", (ROOT / "envs/Containerfile").read_text())
    assert re.fullmatch(r"docker\.io/library/python:3\.11\.\d+-slim-bookworm@sha256:\w{64}", base)


def test_the_conda_environment_has_the_locked_versions():
    environment = yaml.safe_load((ROOT / "envs/kasu.yaml").read_text())
    (pip,) = (entry for entry in environment["dependencies"] if isinstance(entry, dict))
    names = [Requirement(line).name for line in PROJECT["dependencies"]]
    assert pip["pip"] == [f"{name}=={locked()[name]}" for name in names]


def test_the_citation_names_this_version_and_five_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert [paper["year"] for paper in citation["references"]] == [2018, 2026, 2024, 2023, 2018]


def test_the_licence_is_the_gpl_3():
    assert "Version 3, 29 June 2007" in (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_of_documents_lead_somewhere(document):
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / document).read_text())
    local = [link for link in links if not link.startswith("http")]
    assert [link for link in local if not (ROOT / link).exists()] == []


def test_make_alone_lists_the_targets():
    listing = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [line.split()[0] for line in listing.stdout.splitlines()]
    assert {"demo", "test", "lint", "bench", "clean", "help"} <= set(names)


def run_setup(tmp_path: Path, tools: dict[str, str]) -> subprocess.CompletedProcess:
    """Run envs/setup.sh where only `tools` (name to shell script) and a few basics exist."""
    (tmp_path / "envs").mkdir()
    for file in ("pyproject.toml", "envs/hashes.lock"):
        (tmp_path / file).touch()
    (tmp_path / "bin").mkdir()
    setup = tmp_path / "envs/setup.sh"
    setup.write_text((ROOT / "envs/setup.sh").read_text())
    (tmp_path / "bin/dirname").write_text('#!/bin/sh\necho "${1%/*}"\n')
    for name, script in tools.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
    for tool in (tmp_path / "bin").iterdir():
        tool.chmod(0o755)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHON"}
    return subprocess.run(
        ["/bin/sh", setup],
        env={**environment, "PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
    )


APERTIUM = "apertium apertium-eu-es lttoolbox"


def test_without_python_setup_says_so_in_one_line(tmp_path):
    done = run_setup(tmp_path, {})
    assert done.returncode == 1
    assert done.stderr == (
        "error: python3: no such Python; install Python 3.11 or newer, "
        "or name one: make PYTHON=/path/to/python3\n"
    )


def test_an_old_python_is_refused(tmp_path):
    old = 'case "$2" in *print*) echo 3.10;; *version_info*) exit 1;; esac'
    done = run_setup(tmp_path, {"python3": old})
    assert done.returncode == 1
    assert done.stderr == (
        "error: python3: is Python 3.10; Kasu needs 3.11 or newer: make PYTHON=/path/to/python3\n"
    )


# What the script needs if Python, which it asks for its version, makes an empty environment
BASICS = {name: f'exec /bin/{name} "$@"' for name in ("cat", "mkdir", "chmod")}
BASICS["cksum"] = "echo 1"
MAKES_VENV = """case "$2" in *print*) echo 3.11;; venv)
mkdir -p .venv/bin; echo '#!/bin/sh' >.venv/bin/python; chmod +x .venv/bin/python;; esac"""
WITHOUT = "Only Basque text needs them; README says which studies do without"


@pytest.mark.parametrize(
    ("tools", "why"),
    [
        ({}, f"missing: {APERTIUM} (names of Debian packages); install them, or use "
         "envs/Containerfile"),
        ({"apt-get": "exit 1", "id": "echo 1000", "sudo": "exit 1"},
         f"missing: {APERTIUM}; install them: sudo apt-get install {APERTIUM}"),
        ({"apt-get": "exit 1", "id": "echo 0", "env": 'exec "$2"'},
         f"apt-get could not install: {APERTIUM}"),
    ],
)  # fmt: skip
def test_without_apertium_setup_warns_and_makes_the_environment(tmp_path, tools, why):
    done = run_setup(tmp_path, {**BASICS, "python3": MAKES_VENV, **tools})
    assert done.returncode == 0
    assert done.stderr == f"warning: {why}. {WITHOUT}\n"
    assert (tmp_path / ".venv/kasu.stamp").exists()


BARE = 'case "$2" in *print*) echo 3.11;; *ensurepip*) exit 1;; esac'


def test_without_pythons_venv_and_the_right_to_install_it_setup_ends_in_one_line(tmp_path):
    tools = {"python3": BARE, "apt-get": "exit 1", "id": "echo 1000", "sudo": "exit 1"}
    done = run_setup(tmp_path, tools)
    assert done.returncode == 1
    command = "sudo apt-get install python3.11-venv"
    assert done.stderr == f"error: missing: python3.11-venv; install them: {command}\n"


def test_a_failing_apt_ends_in_one_line(tmp_path):
    done = run_setup(tmp_path, {"python3": BARE, "apt-get": "exit 100", "id": "echo 0"})
    assert done.returncode == 1
    assert done.stderr == "error: apt-get could not install: python3.11-venv\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder of packages with Kasu's wheel, built without a network."""
    tree, packages = (tmp_path_factory.mktemp(name) for name in ("tree", "packages"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for name in ("workflow/kasu", "config", *(f"resources/{name}" for name in RESOURCES)):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = ["-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    subprocess.run([sys.executable, *build, "-w", tree, tree], check=True)
    (wheel,) = tree.glob("kasu-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return packages


RESOURCES = ("measured", "published", "queries", "tagsets")
WITHOUT_RULES = """
import pathlib, sys, kasu, kasu.cli
from kasu.records.reading import record_files
treebank = sys.argv[1]
cases = {"feature": "Case", "values": ["Dat", "Erg"], "target": "S"}
print(kasu.__file__)
print(len(kasu.build_set(treebank, "pattern { S [Case=Dat] }", language="ka", **cases)))
print(len(kasu.build_set(treebank, sets="agreement", language="ka", paradigms="ka")))
print(",".join(pathlib.Path(file).name for file in record_files()))
print(kasu.cli.main(["config", "check", f"{kasu.__path__[0]}/config/real.yaml"]))
"""


def test_a_wheel_has_commands_and_library_without_the_rules(installed, tmp_path):
    folders = {path.name for path in installed.iterdir()}
    assert folders == {"kasu", f"kasu-{PROJECT['version']}.dist-info"}
    scripts = (installed / f"kasu-{PROJECT['version']}.dist-info/entry_points.txt").read_text()
    assert scripts == "[console_scripts]\nkasu = kasu.cli:main\n"
    assert (installed / "kasu/py.typed").exists()
    assert not list(installed.rglob("*.smk")) and not list(installed.rglob("demo"))
    (tmp_path / "ka").write_text("".join(f"a\tb\tV;{n}\n" for n in ("SG;3", "PL;3")))
    treebank = str(ROOT / "resources/demo/georgian/ka_demo-ud.conllu")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RULES, treebank],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    file, items, pairs, record, *checked = done.stdout.splitlines()
    assert file == str(installed / "kasu/__init__.py")
    assert (items, pairs) == ("164", "66")
    assert record.split(",") == [Path(file).name for file in record_files()]
    line = f"no mistake in the keys and values of {installed}/kasu/config/real.yaml; "
    assert (checked[0].startswith(line), checked[1:]) == (True, ["0"])

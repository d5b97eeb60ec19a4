"""What the README prints can be run as it stands."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# A config and the command under it
CONFIGS = re.findall(
    r"^```yaml\n(.*?)^```\n\n    snakemake (\w+) ", README, re.MULTILINE | re.DOTALL
)
TOOLS = re.findall(r"^    ((?:kasu|python -m kasu)\b.*)$", README, re.MULTILINE)
# Small files in the place of a user's own, by suffix
SMALL = {
    ".req": ROOT / "resources/queries/kat/erg_nom.req",
    ".conllu": ROOT / "resources/demo/georgian/ka_demo-ud.conllu",
    ".yaml": ROOT / "resources/tagsets/eus.yaml",
    "": ROOT / "resources/demo/inflection/harmonic.paradigms.tsv",
}


def with_small_files(config: str, folder: Path) -> str:
    """The config with a file behind each absolute path."""
    folder.mkdir()

    def small(path: re.Match) -> str:
        file = folder / Path(path[0]).name
        source = SMALL.get(file.suffix)
        file.write_bytes(source.read_bytes() if source else b"Gizona da.\n")
        return str(file)

    return re.sub(r"(?<=[\s\[])/[\w./-]+", small, config)


@pytest.fixture(scope="module")
def fresh(copy_workflow):
    return copy_workflow()


def test_every_config_has_a_command():
    assert len(CONFIGS) == README.count("```yaml") == 4


@pytest.mark.parametrize("number", range(len(CONFIGS)))
def test_a_config_and_its_command_plan(fresh, number):
    config, study = CONFIGS[number]
    own = fresh.folder / "mine.yaml"
    own.write_text(with_small_files(config, fresh.folder / f"data{number}"))
    done = subprocess.run(
        ["snakemake", study, "--cores", "2", "-n", "--configfile", "mine.yaml"],
        cwd=fresh.folder, env=fresh.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"rule {study}:" in done.stdout + done.stderr


def test_three_tools_are_shown():
    assert len(TOOLS) == 3


@pytest.mark.parametrize("number", range(len(TOOLS)))
def test_a_tool_runs_as_printed(demo, number):
    done = subprocess.run(
        shlex.split(TOOLS[number]),
        cwd=demo.folder, env=demo.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr

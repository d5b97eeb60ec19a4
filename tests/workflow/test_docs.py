"""What the README and the pages of docs/ print can be run as printed."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
# docs/config.md is made from the settings, and tested with them
PAGES = "\n".join(
    page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", ROOT / "config/README.md", *sorted(ROOT.glob("docs/*.md")))
    if page.name != "config.md"
)
# A config and the command under it
CONFIGS = re.findall(
    r"^```yaml\n(.*?)^```\n\n    snakemake (\w+) ", PAGES, re.MULTILINE | re.DOTALL
)
COMMANDS = sorted(set(re.findall(r"^    (snakemake\b.*)$", PAGES, re.MULTILINE)))
TOOLS = sorted(set(re.findall(r"^    ((?:kasu|python -m kasu)\b.*)$", PAGES, re.MULTILINE)))
# Small files in the place of a user's own, by suffix
SMALL = {
    ".req": ROOT / "resources/queries/kat/erg_nom.req",
    ".conllu": ROOT / "resources/demo/georgian/ka_demo-ud.conllu",
    ".yaml": ROOT / "resources/tagsets/eus.yaml",
    ".jsonl": ROOT / "resources/demo/pairs.jsonl",
    "": ROOT / "resources/demo/inflection/harmonic.paradigms.tsv",
}


def with_small_files(config: str, folder: Path) -> str:
    """The config with a file at each absolute path."""
    folder.mkdir()

    def small(path: re.Match) -> str:
        file = folder / Path(path[0]).name
        source = SMALL.get(file.suffix)
        file.write_bytes(source.read_bytes() if source else b"Gizona da.\n")
        return str(file)

    return re.sub(r"(?<=[\s\[])/[\w./-]+", small, config)


@pytest.fixture(scope="module")
def fresh(copy_workflow):
    copy = copy_workflow()
    # Modules that a page shows, each after its name, and what it adds to others
    shown = re.findall(r"(to )?`(workflow/\S+\.py)`:\n\n```python\n(.*?)^```$", PAGES, re.M | re.S)
    for added, path, module in shown:
        with (copy.folder / path).open("a" if added else "w", encoding="utf-8") as file:
            file.write(module)
    return copy


def run(command: list[str], copy) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, cwd=copy.folder, env=copy.environment, capture_output=True, text=True, check=False
    )


def test_every_config_has_a_command():
    assert len(CONFIGS) == PAGES.count("```yaml") >= 6


@pytest.mark.parametrize("number", range(len(CONFIGS)))
def test_a_config_and_its_command_plan(fresh, number):
    config, study = CONFIGS[number]
    own = fresh.folder / "mine.yaml"
    own.write_text(with_small_files(config, fresh.folder / f"data{number}"))
    done = run(["snakemake", study, "--cores", "2", "-n", "--configfile", "mine.yaml"], fresh)
    assert done.returncode == 0, done.stderr
    assert f"rule {study}:" in done.stdout + done.stderr


# Plugins are not among the packages that every user has
PLAIN = [each for each in COMMANDS if "--profile" not in each and "-storage-" not in each]


@pytest.mark.parametrize("command", PLAIN)
def test_a_command_plans(fresh, command):
    shutil.copy(fresh.folder / "config/config.yaml", fresh.folder / "mine.yaml")
    (fresh.folder / "mirror").mkdir(exist_ok=True)
    here = command.replace("/data/mirror", "mirror")
    program, *arguments = shlex.split(here, comments=True)
    done = run([program, "-n", *arguments], fresh)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", TOOLS)
def test_a_tool_runs_as_printed(demo, command):
    if "results/old" in command:
        shutil.copytree(demo.folder / "results/demo", demo.folder / "results/old")
    done = run(shlex.split(command), demo)
    assert done.returncode == 0, done.stderr

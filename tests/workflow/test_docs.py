"""What the README and the pages of docs/ print can be run as printed."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from safetensors.numpy import save_file
from snakemake.utils import update_config

from kasu.files.tables import read_tsv
from kasu.settings import STUDIES

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
# docs/config.md is made from the settings, and tested with them
PAGES = "\n".join(
    page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", ROOT / "config/README.md", *sorted(ROOT.glob("docs/*.md")))
    if page.name != "config.md"
)
# A config and the command under it
CONFIG = re.compile(r"^```yaml\n(.*?)^```\n\n    (snakemake [^\n]*)$", re.MULTILINE | re.DOTALL)
CONFIGS = CONFIG.findall(PAGES)
COMMANDS = sorted(set(re.findall(r"^    (snakemake\b.*)$", PAGES, re.MULTILINE)))
TOOLS = sorted(set(re.findall(r"^    ((?:kasu|python -m kasu) .*)$", PAGES, re.MULTILINE)))
# Small files in the place of a user's own, by suffix
SMALL = {
    ".req": ROOT / "resources/queries/kat/erg_nom.req",
    ".conllu": ROOT / "resources/demo/georgian/ka_demo-ud.conllu",
    ".yaml": ROOT / "resources/tagsets/eus.yaml",
    ".jsonl": ROOT / "resources/demo/pairs.jsonl",
    "": ROOT / "resources/demo/inflection/harmonic.paradigms.tsv",
}


def make_model(folder: Path) -> str:
    """The folder of a model that can be planned with."""
    folder.mkdir()
    config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    save_file({}, folder / "model.safetensors")
    return str(folder)


def with_small_files(config: str, folder: Path) -> str:
    """The config with a file, or the folder of a model, at each absolute path."""
    folder.mkdir()

    def small(path: re.Match) -> str:
        file = folder / Path(path[0]).name
        if path[0].startswith("/models/"):
            return make_model(file)
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
    # Other files that a page shows, each after its name
    for name, text in re.findall(r"`([\w.-]+)`:\n\n```text\n(.*?)^```$", PAGES, re.M | re.S):
        (copy.folder / name).write_text(text, encoding="utf-8")
    return copy


def run(command: list[str], copy) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, cwd=copy.folder, env=copy.environment, capture_output=True, text=True, check=False
    )


def test_every_config_has_a_command():
    assert len(CONFIGS) == PAGES.count("```yaml") >= 6


def test_a_source_that_a_page_names_is_registered():
    named = set(re.findall(r"(?<![\w/.-])(?:ud|unimorph|wikipedia)/[\w-]+/[\w./-]*\w", PAGES))
    registered = {row["name"] for row in read_tsv(ROOT / "config/sources.tsv")}
    assert len(named) >= 6 and named <= registered, named - registered


@pytest.mark.parametrize("number", range(len(CONFIGS)))
def test_a_config_and_its_command_plan(fresh, number):
    config, command = CONFIGS[number]
    own = fresh.folder / "mine.yaml"
    own.write_text(with_small_files(config, fresh.folder / f"data{number}"))
    arguments = shlex.split(command)[1:]
    done = fresh.snakemake("-n", *arguments)
    assert done.returncode == 0, done.stderr
    target = "all" if arguments[0].startswith("-") else arguments[0]
    assert f"rule {target}:" in done.stdout + done.stderr


# The first config of each guide, which a reader copies, and what cuts its run to seconds; that of
# add-a-system runs in a test of its own
MODEL = {"steps": 20, "evaluate_every": 20, "hidden": 64, "layers": 1}
EXAMPLES = {
    "agreement": {"agreement": {"training": {"epochs": 1, "embedding": 8, "hidden": 8, "mlp": 8}}},
    "inflection": {
        "inflection": {"grid": [{"systems": ["baseline"], "settings": ["low"]}]},
    },
    "cloze": {"cloze": {"grid": [{"systems": ["copy", "frequent"], "settings": ["track1-low"]}]}},
    "minimal_sets": {},
    "pretraining": {
        "pretraining": {
            "budgets": [{"name": "16k", "words": 16000, "epochs": 1, "steps_per_epoch": 3}],
            "vocabulary": 500,
        }
    },
    "blm": {"blm": {"networks": ["FFNN"], "regimes": ["allTrain"], "training": {"max_steps": 5}}},
    "query": {},
}


@pytest.mark.parametrize("guide", EXAMPLES)
def test_the_example_of_a_guide_ends_in_a_page(fresh, guide):
    page = (ROOT / f"docs/{guide}.md").read_text(encoding="utf-8")
    config, command = CONFIG.search(page).groups()
    stated = yaml.safe_load(config) | {"results": f"results/{guide}"}
    update_config(stated, EXAMPLES[guide])
    for model in stated.get("models", ()):
        model["training"] |= MODEL
    (fresh.folder / "mine.yaml").write_text(yaml.safe_dump(stated), encoding="utf-8")
    done = fresh.snakemake(*shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr
    [study] = [name for name in STUDIES if name in stated]
    assert list((fresh.folder / "results" / guide / study / "tables").glob("*.tsv"))
    shown = (fresh.folder / "results" / guide / "report/index.html").read_text(encoding="utf-8")
    assert f'id="{study}' in shown
    assert f"page: results/{guide}/report/index.html\n" in done.stderr


DEMO = (ROOT / "config/config.yaml").read_text(encoding="utf-8")
# Neither those that stand under a config, nor the one that test_scales.py plans, nor those with
# plugins, which are not among the packages that every user has
PLAIN = [
    each
    for each in COMMANDS
    if each not in {command for _, command in CONFIGS}
    and each != "snakemake -n --cores 1 --configfile config/paper.yaml"
    and "--profile" not in each
    and "-storage-" not in each
]


@pytest.mark.parametrize("command", PLAIN)
def test_a_command_plans(fresh, command):
    own = "seeds: [1, 2, 3]\n" if "config/real.yaml mine.yaml" in command else DEMO
    (fresh.folder / "mine.yaml").write_text(own, encoding="utf-8")
    (fresh.folder / "mirror").mkdir(exist_ok=True)
    here = command.replace("/data/mirror", "mirror")
    done = fresh.snakemake("-n", *shlex.split(here, comments=True)[1:])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", TOOLS)
def test_a_tool_runs_as_printed(demo, command):
    for name in re.findall(r"results/(old|mine)\b", command):
        shutil.copytree(demo.folder / "results/demo", demo.folder / f"results/{name}")
    done = run(shlex.split(command), demo)
    assert done.returncode == 0, done.stderr

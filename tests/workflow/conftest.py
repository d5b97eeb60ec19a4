"""A copy of the workflow that tests may run and change, and the demo run in it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from compileall import compile_dir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from snakemake.utils import update_config

from kasu.job.code import CACHE, Code

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config", "envs", "profiles", "resources", "workflow")
# A text of a user's own, at an address that only a mirror has
TEXT = "https://kasu.invalid/texts/own.txt"
# A copy of the analyser's dictionary
DICTIONARY = "resources/eus.automorf.bin"
EPOCHS = 4  # of networks of `inflection`, at most
SMALL = {
    "analysers": [
        {"name": "eus", "dictionary": DICTIONARY, "tagset": "resources/tagsets/eus.yaml"}
    ],
    "corpora": [
        {
            "name": "demo",
            "language": "eu",
            "analyser": "eus",
            "wikis": ["resources/demo/euwiki-demo-pages-articles.xml"],
            "texts": [{"source": TEXT}],
        },
        {
            "name": "georgian",
            "language": "ka",
            "texts": [{"source": "resources/demo/georgian/sentences.txt"}],
        },
    ],
    "agreement": {
        "variant": ["paper"],
        "grid": [{"systems": ["majority", "bilstm"]}],
        "training": {"embedding": 8, "hidden": 8, "mlp": 8, "epochs": 3},
    },
    "inflection": {"packs": 2},
    "models": [
        {
            "name": "georgian-bert",
            "corpus": "georgian",
            "training": {
                "vocabulary": 500,
                "layers": 1,
                "hidden": 64,
                "length": 48,
                "tokens_per_batch": 960,
                "steps": 20,
                "learning_rate": 0.001,
                "warmup": 0.1,
                "held_out": 0.05,
                "evaluate_every": 20,
                "threads": 1,
                "checkpoint_every": 60,
            },
        }
    ],
    "minimal_sets": {
        "collections": [
            {
                "treebank": "georgian-demo",
                "feature": "Case",
                "values": ["Nom", "Dat", "Erg"],
                "sets": [
                    {
                        "name": "demo-nom-dat-subj",
                        "request": "resources/queries/kat/nom_dat.req",
                        "target": "S",
                        "verb": "V",
                    }
                ],
                "models": ["georgian-bert"],
            }
        ],
        "definitions": {"masked": ["word_released"]},
    },
    "pretraining": {
        "budgets": [{"name": "4k", "words": 4000, "epochs": 2, "steps_per_epoch": 3}],
        "vocabulary": 500,
        "models": [{"layers": 1, "hidden": 64}],
    },
    "blm": {
        "seeds": "resources/seeds/eng.tsv",
        "lexicon": "resources/seeds/eng.lexicon.tsv",
        "language": "en",
        "variant": ["released"],
        "regimes": ["allTrain"],
        "networks": ["FFNN"],
        "training": {
            "variants": [
                {
                    "name": "released",
                    "answers": "released",
                    "sizes": "released",
                    "loss": "dot",
                    "score": "dot",
                }
            ],
            "max_steps": 10,
        },
    },
}


@cache
def parsed_code() -> Code:
    """What plans find in the code; each of a hundred dry runs would parse it anew."""
    code = Code()
    systems = sorted((ROOT / "workflow/kasu").glob("*/systems/[a-z]*.py"))
    names = [f"kasu.{path.parts[-3]}.systems.{path.stem}" for path in systems]
    for script in (ROOT / "workflow/scripts").glob("*.py"):
        code.hash(script, *names)
    return code


@cache
def compiled() -> TemporaryDirectory:
    """The workflow with its library compiled, which else the jobs of each copy would do anew."""
    temporary = TemporaryDirectory()
    for part in PARTS:
        source, to = ROOT / part, Path(temporary.name, part)
        if source.is_dir():
            shutil.copytree(source, to, ignore=shutil.ignore_patterns("downloads", "__pycache__"))
        else:
            shutil.copy(source, to)
    compile_dir(Path(temporary.name, "workflow/kasu"), quiet=2)
    return temporary


@cache
def starter() -> subprocess.Popen:
    """The process that has imported Snakemake; it ends with this one."""
    command = (sys.executable, Path(__file__).with_name("starter.py"))
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd="/")


def run_snakemake(
    folder: Path, environment: Mapping[str, str], *arguments: str
) -> subprocess.CompletedProcess:
    """`python -m snakemake` in a folder, spared its imports and those of its jobs."""
    with TemporaryDirectory() as temporary:
        prints = {each: str(Path(temporary, each)) for each in ("stdout", "stderr")}
        asked = {"argv": arguments, "folder": str(folder), "environment": dict(environment)}
        process = starter()
        print(json.dumps(asked | prints), file=process.stdin, flush=True)
        code = int(process.stdout.readline())
        out, err = (Path(each).read_text() for each in prints.values())
    return subprocess.CompletedProcess(arguments, code, out, err)


class Copy:
    """A copy of the workflow in a folder of its own; the code it runs is the copy's."""

    def __init__(self, folder: Path, dictionary: Path) -> None:
        self.folder = folder
        shutil.copytree(compiled().name, folder, dirs_exist_ok=True)
        shutil.copyfile(dictionary, folder / DICTIONARY)
        (folder / CACHE).parent.mkdir()
        parsed_code().write(folder / CACHE)
        # The demo, cut
        config = yaml.safe_load((folder / "config/config.yaml").read_text())
        update_config(config, SMALL)
        for line in config["inflection"]["grid"]:
            if options := line.get("options"):
                options["epochs"] = min(options["epochs"], EPOCHS)
        (folder / "small.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
        own = folder / "mirror" / "url" / "kasu.invalid" / "texts" / "own.txt"
        own.parent.mkdir(parents=True)
        own.write_text("Gizonak etxea ikusi du.\nEmakumeek liburuak irakurri dituzte.\n")

    def command(self, *arguments: str, mirror: str = "mirror", config: tuple = ()) -> list[str]:
        """The command that runs Snakemake on the copy; targets come first in `arguments`."""
        return [
            *(sys.executable, "-m", "snakemake", *arguments, "--cores", "2"),
            *("--configfile", "small.yaml", "--config", f"mirror={mirror}", *config),
        ]

    @property
    def environment(self) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return os.environ | {"PYTHONPATH": str(self.folder / "workflow"), "PATH": path}

    def run(
        self, *arguments: str, environment: Mapping[str, str] = {}, **options
    ) -> subprocess.CompletedProcess:
        """Run Snakemake to its end; `environment` is what changes of it."""
        return self.snakemake(*self.command(*arguments, **options)[3:], **environment)

    def snakemake(self, *arguments: str, **changed: str) -> subprocess.CompletedProcess:
        """`python -m snakemake` with these arguments alone, and changes of its environment."""
        return run_snakemake(self.folder, self.environment | changed, *arguments)

    def planned(self, *arguments: str, **options) -> set[str]:
        """The rules that a dry run would run."""
        return {job.partition(",")[0] for job in self.planned_jobs(*arguments, **options)}

    def planned_jobs(self, *arguments: str, **options) -> Counter[str]:
        """How many jobs a dry run would run, by rule and, where it has packs, by pack."""
        done = self.run(*arguments, "-n", **options)
        assert done.returncode == 0, done.stderr
        jobs = re.findall(r"^(?:local)?rule (\w+):\n((?: +.*\n)*)", done.stdout, re.MULTILINE)
        packs = [re.search(r"pack=\d+", facts) for _, facts in jobs]
        return Counter(
            f"{rule}, {pack[0].replace('=', ' ')}" if pack else rule
            for (rule, _), pack in zip(jobs, packs, strict=True)
        )

    def edit(self, file: str, change: Callable[[str], str]) -> Callable[[], object]:
        """Replace or make a file, as `mv` of an old one does; give a function that changes it back.

        Its date is older than all results. It need not be text.
        """
        path, other = self.folder / file, self.folder / f"{file}.other"
        before = path.read_bytes() if path.exists() else b""
        after = os.fsencode(change(os.fsdecode(before)))
        assert after != before
        other.write_bytes(after)
        os.utime(other, (1e9, 1e9))
        other.replace(path)
        return lambda: path.write_bytes(before) if before else path.unlink()


@pytest.fixture(scope="session")
def start_snakemake() -> Callable[..., subprocess.CompletedProcess]:
    """Run Snakemake in any folder: see `run_snakemake`."""
    return run_snakemake


@pytest.fixture(scope="session")
def copy_workflow(dictionary, tmp_path_factory) -> Callable[[], Copy]:
    """Make a fresh copy."""
    return lambda: Copy(tmp_path_factory.mktemp("kasu"), dictionary)


@pytest.fixture(scope="session")
def demo(copy_workflow) -> Copy:
    """A copy in which the whole workflow has run, on small networks."""
    copy = copy_workflow()
    done = copy.run()
    assert done.returncode == 0, done.stderr
    return copy


@pytest.fixture
def clone(demo, copy_workflow) -> Copy:
    """The demo that has run, elsewhere, to be changed at will."""
    copy = copy_workflow()
    shutil.rmtree(copy.folder)
    shutil.copytree(demo.folder, copy.folder, symlinks=True)
    return copy

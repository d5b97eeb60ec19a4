"""Profiles that are shipped, and what rules ask for."""

import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROFILES = sorted((ROOT / "profiles").glob("*/config.yaml"))
TEXTS = [
    file.read_text("utf-8")
    for file in (ROOT / "workflow" / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk"))
]
RULES = {
    name for text in TEXTS for name in re.findall(r"^(?:rule|use rule \w+ as) (\w+)\b", text, re.M)
}


def test_there_are_profiles_and_rules():
    assert [path.parent.name for path in PROFILES] == ["default", "generic", "slurm"]
    assert {"all", "fetch_model", "pretrain_model"} <= RULES


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("key", ["set-resources", "set-threads"])
def test_a_profile_names_rules_that_exist(profile, key):
    named = yaml.safe_load(profile.read_text("utf-8")).get(key) or {}
    assert named.keys() - RULES == set()


def test_rules_that_run_on_a_device_ask_for_gpus():
    blocks = [block for text in TEXTS for block in re.split(r"^(?=rule )", text, flags=re.M)]
    on_device = [block for block in blocks if re.search(r"^ +device=", block, flags=re.M)]
    assert len(on_device) == 13
    assert [block for block in on_device if "gpu=" not in block] == []


def test_local_rules_say_so_themselves():
    """A list of them by name would miss those that a module renames; copies inherit nothing."""
    blocks = [
        block for text in TEXTS for block in re.split(r"^(?=rule |use rule )", text, flags=re.M)
    ]
    local = {block.split(":")[0] for block in blocks if "\n    localrule: True\n" in block}
    studies = ["agreement", "inflection", "cloze", "blm", "pretraining", "minimal_sets"]
    assert local == {
        *(f"rule {name}" for name in ("all", "corpora", *studies)),
        *(f"rule fetch_{name}" for name in ("source", "released", "results", "model", "sentences")),
        "rule read_splits",
        *(f"rule {name}" for name in ("take_examples", "find_warnings", "build_report", "report")),
        *(
            f"use rule fetch_released as fetch_{name} with"
            for name in ("released_without_high", "released_low")
        ),
    }
    assert [text for text in TEXTS if "localrules:" in text] == []


@pytest.mark.parametrize(
    ("rule", "stated"),
    [
        ("score_pairs", ["gpu=GPU", "mem_mb=per_attempt(16_000)", "runtime=240"]),
        ("inflect", ["gpu=gpus_of_members", "runtime=1440"]),
        (
            "inflect_pooled",
            ["gpu=gpus_of_members", "mem_mb=per_attempt(16_000)", "runtime=2880"],
        ),
        ("score_inflection", ["mem_mb=per_attempt(8_000)"]),
    ],
)
def test_rules_state_what_they_need(rule, stated):
    start = (
        rf"^(?:rule|use rule \w+ as) {rule}\b.*\n(?:(?: .*)?\n)*?    resources:\n((?: {{8}}.*\n)+)"
    )
    [found] = [each for text in TEXTS for each in re.findall(start, text, re.M)]
    assert [line.strip().rstrip(",") for line in found.splitlines()] == stated


@pytest.mark.parametrize(("gpu", "asked"), [(0, []), (1, ["--gpus=1"]), (4, ["--gpus=4"])])
def test_the_generic_profile_submits_the_gpus_of_a_job(gpu, asked):
    profile = yaml.safe_load((ROOT / "profiles/generic/config.yaml").read_text("utf-8"))
    resources = SimpleNamespace(gpu=gpu, mem_mb=4000, runtime=120)
    command = profile["cluster-generic-submit-cmd"].format(
        rule="score_pairs", threads=4, resources=resources
    )
    done = subprocess.run(
        f"echo {command} script", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[7:] == [*asked, "script"]
    assert profile["default-resources"]["gpu"] == 0

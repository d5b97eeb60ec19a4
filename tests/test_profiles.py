"""Profiles that are shipped set resources of rules that exist."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROFILES = sorted((ROOT / "profiles").glob("*/config.yaml"))
RULES = {
    name
    for file in (ROOT / "workflow" / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk"))
    for name in re.findall(r"^(?:rule|use rule \w+ as) (\w+)\b", file.read_text("utf-8"), re.M)
}


def test_there_are_profiles_and_rules():
    assert [path.parent.name for path in PROFILES] == ["default", "generic", "slurm"]
    assert {"all", "fetch_model", "pretrain_model"} <= RULES


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("key", ["set-resources", "set-threads"])
def test_a_profile_names_rules_that_exist(profile, key):
    named = yaml.safe_load(profile.read_text("utf-8")).get(key) or {}
    assert named.keys() - RULES == set()

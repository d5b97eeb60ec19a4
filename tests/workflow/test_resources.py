"""What a lab's profile, or an option, says of a rule is added to what the rule states."""

import re

import pytest
import yaml

pytestmark = pytest.mark.workflow

TARGET = "results/demo/agreement/predictions/verb_number/bilstm/demo-base.parquet"
GPUS = {"set-resources": {"train_agreement": {"slurm_partition": "gpu"}}}


@pytest.fixture(scope="module")
def copy(copy_workflow):
    """A copy of the workflow with the profile of a lab."""
    copy = copy_workflow()
    slurm = yaml.safe_load((copy.folder / "profiles/slurm/config.yaml").read_text())
    (copy.folder / "profiles/lab").mkdir()
    (copy.folder / "profiles/lab/config.yaml").write_text(yaml.safe_dump(slurm | GPUS))
    return copy


@pytest.mark.parametrize(
    ("options", "memory"),
    [
        (("--profile", "profiles/lab"), "16000"),
        (
            (
                *("--profile", "profiles/slurm"),
                *("--set-resources", "train_agreement:slurm_partition=gpu"),
                *("--attempt", "2"),
            ),
            "32000",
        ),
    ],
    ids=["profile", "option"],
)
def test_a_partition_of_a_rule_leaves_its_memory_and_time(copy, options, memory):
    done = copy.run(TARGET, "-n", *options)
    assert done.returncode == 0, done.stderr
    [facts] = re.findall(
        r"^rule train_agreement:\n(?: +.*\n)*? +resources: (.*)", done.stdout, re.M
    )
    found = dict(fact.split("=") for fact in facts.split(", "))
    assert {key: found[key] for key in ("slurm_partition", "mem_mb", "runtime")} == {
        "slurm_partition": "gpu",
        "mem_mb": memory,
        "runtime": "1440",
    }

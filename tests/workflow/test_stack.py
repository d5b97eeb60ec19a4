"""Networks that a job trains in one pass answer as those that it trains one by one."""

import pytest
import yaml

from kasu.files.tables import read_parquet

pytestmark = pytest.mark.workflow

FAMILIES = {
    "iitbhu": {"hidden": 8, "embedding": 8, "epochs": 5},
    "racai": {"hidden": 8, "embedding": 8, "epochs": 5},
    "uzh": {"hidden": 8, "embedding": 8, "feature": 4, "epochs": 1},
}


def test_a_stack_gives_the_same_forms(copy_workflow):
    copy = copy_workflow()
    folder = copy.folder / "results/demo/inflection/members"
    # The second block has two members
    files = [f"{family}/low/0-1.parquet" for family in FAMILIES]

    def answered(stack):
        line = {"systems": [*FAMILIES], "settings": ["low"], "members": 3}
        section = {"grid": [line], "packs": 1, "stack": stack, **FAMILIES}
        (copy.folder / "own.yaml").write_text(yaml.safe_dump({"inflection": section}))
        targets = [f"results/demo/inflection/members/{file}" for file in files]
        done = copy.run(*targets, config=("--configfile", "small.yaml", "own.yaml"))
        assert done.returncode == 0, done.stderr
        how = {"always": "2 networks in one pass", "never": "one network at a time"}[stack]
        for family in FAMILIES:
            for language in ("harmonic", "prefixal"):
                log = copy.folder / f"results/demo/logs/inflect/inflection-{family}-low-0-1.log"
                assert f"{family}, {language}: on cpu, {how}" in log.read_text()
        columns = ["language", "seed", "split", "item", "prediction"]
        return [read_parquet(folder / file, columns).to_pylist() for file in files]

    expected = answered("never")
    assert all(len({row["prediction"] for row in rows}) > 5 for rows in expected)
    assert answered("always") == expected

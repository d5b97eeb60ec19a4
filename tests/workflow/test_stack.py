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
LANGUAGES = ["harmonic", "prefixal"]
# One language is enough for the slowest
ASKED = {"iitbhu": LANGUAGES, "racai": LANGUAGES, "uzh": ["harmonic"]}
ITEMS = 24  # of each split


def cut(folder, name):
    """A language of the demo, cut; each split has lines from the whole file."""
    lines = (folder / f"resources/demo/inflection/{name}.paradigms.tsv").read_text().splitlines()
    splits = {}
    for first, split in enumerate(("low", "dev", "test")):
        splits[split] = f"{name}-{split}.tsv"
        rows = lines[first :: len(lines) // ITEMS][:ITEMS]
        (folder / splits[split]).write_text("".join(f"{row}\n" for row in rows))
    return {"name": name, "splits": splits}


def test_a_stack_gives_the_same_forms(copy_workflow):
    copy = copy_workflow()
    folder = copy.folder / "results/demo/inflection/members"
    languages = [cut(copy.folder, name) for name in LANGUAGES]
    # The second block has two members
    files = [f"{family}/low/0-1.parquet" for family in FAMILIES]

    def answered(stack):
        line = {"settings": ["low"], "members": 3}
        grid = [line | {"systems": [family], "languages": named} for family, named in ASKED.items()]
        section = {"languages": languages, "grid": grid, "packs": 1, "stack": stack, **FAMILIES}
        (copy.folder / "own.yaml").write_text(yaml.safe_dump({"inflection": section}))
        targets = [f"results/demo/inflection/members/{file}" for file in files]
        done = copy.run(*targets, config=("--configfile", "small.yaml", "own.yaml"))
        assert done.returncode == 0, done.stderr
        how = {"always": "2 networks in one pass", "never": "one network at a time"}[stack]
        for family in FAMILIES:
            for language in ASKED[family]:
                log = copy.folder / f"results/demo/logs/inflect/inflection-{family}-low-0-1.log"
                assert f"{family}, {language}: on cpu, {how}" in log.read_text()
        columns = ["language", "seed", "split", "item", "prediction"]
        return [read_parquet(folder / file, columns).to_pylist() for file in files]

    expected = answered("never")
    assert all(len({row["prediction"] for row in rows}) > 5 for rows in expected)
    assert answered("always") == expected

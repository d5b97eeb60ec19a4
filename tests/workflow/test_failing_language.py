"""One language of a pack fails: the others land, and the tables say so."""

import pytest

from kasu.files.tables import read_parquet, read_tsv

pytestmark = pytest.mark.workflow

RAISE = """    if baseline.prefixing:
        raise KasuError("training data", "prefixes", "suffixes")
"""
REASON = "training data: prefixes; expected suffixes"


def test_a_language_that_fails_loses_no_other(copy_workflow):
    copy = copy_workflow()
    module = "workflow/kasu/inflection/systems/baseline.py"
    trained = "    baseline = Baseline(data.train)\n"
    imported = "from kasu.transduction.alignments.tie_order import Python2Table\n"
    error = "from kasu.base.errors import KasuError\n"
    copy.edit(
        module,
        lambda text: text.replace(trained, trained + RAISE).replace(imported, error + imported),
    )
    line = "{systems: [baseline], settings: [low], variants: [published, insertion]}"
    (copy.folder / "own.yaml").write_text(f"inflection: {{grid: [{line}], packs: 1}}\n")
    config = ("--configfile", "small.yaml", "own.yaml")
    done = copy.run("inflection", config=config)
    assert done.returncode == 0, done.stderr
    assert f"baseline, low: prefixal, published insertion: {REASON}" in done.stderr

    folder = copy.folder / "results/demo/inflection"
    members = read_parquet(folder / "members/baseline/low/0-0.parquet", ["language"])
    assert set(members["language"].to_pylist()) == {"harmonic"}
    assert read_tsv(folder / "failures.tsv") == [
        {
            "system": "baseline", "setting": "low", "members": "published insertion",
            "language": "prefixal", "reason": REASON,
        }
    ]  # fmt: skip
    means = [row for row in read_tsv(folder / "tables/table_8.tsv") if row["system"] == "baseline"]
    notes = {row["note"] for row in means if row["ours"]}
    assert notes == {"mean over 1 language; 1 failed"}
    assert copy.planned("inflection", config=config) == set()

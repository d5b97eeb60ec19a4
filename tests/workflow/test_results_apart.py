"""Results that would mix with what a run reads, or be written over it, end it before it starts."""

import pytest
import yaml

pytestmark = pytest.mark.workflow


def test_results_are_apart_from_what_is_read(copy_workflow):
    copy = copy_workflow()
    text = copy.folder / "data" / "corpora" / "mine" / "drops.tsv"
    text.parent.mkdir(parents=True)
    text.write_text("Gizonak etxea ikusi du.\n")
    source = "data/corpora/mine/drops.tsv"
    corpora = [{"name": "mine", "language": "eu", "texts": [{"source": source}]}]
    (copy.folder / "small.yaml").write_text(yaml.safe_dump({"corpora": corpora}))
    for results, line in {
        "resources": "resources is or holds resources/downloads; expected a folder of its own",
        "data": f"{source} is written by a rule, and {source} is an input; "
        "expected an input elsewhere",
    }.items():
        done = copy.run("-n", config=(f"results={results}",))
        assert done.returncode == 1
        assert f"error: config results: {line}\n" in done.stderr
        assert "Traceback" not in done.stdout + done.stderr
    assert text.read_text() == "Gizonak etxea ikusi du.\n"

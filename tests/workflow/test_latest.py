"""`<wiki>-latest` in a whole run: what it pins, and what a later run makes of the pin."""

import bz2
import json

import pytest
import yaml

pytestmark = pytest.mark.workflow

FILE = "xwiki-{}-pages-articles-multistream.xml.bz2"
OWN = {"corpora": [{"name": "latest", "language": "eu", "wikis": ["xwiki-latest"]}]}


def test_the_newest_dump_is_pinned_until_its_lock_is_deleted(copy_workflow):
    copy = copy_workflow()
    dump = (copy.folder / "resources/demo/euwiki-demo-pages-articles.xml").read_bytes()
    held = copy.folder / "mirror/wikipedia/xwiki"
    held.mkdir(parents=True)
    (copy.folder / "own.yaml").write_text(yaml.safe_dump(OWN))
    config = ("--configfile", "small.yaml", "own.yaml")
    pin = copy.folder / "resources/downloads/xwiki-latest.lock"

    (held / FILE.format("20250901")).write_bytes(bz2.compress(dump))
    assert "fetch_source" in copy.planned("corpora", config=config)
    assert not pin.exists()
    done = copy.run("corpora", config=config)
    assert done.returncode == 0, done.stderr
    assert "xwiki-{date}: asking for the newest date" in done.stderr
    assert json.loads(pin.read_text())["pinned"] == "xwiki-20250901"
    assert (copy.folder / "results/demo/corpora/wikis/xwiki-20250901/sentences.parquet").exists()

    (held / FILE.format("20251001")).write_bytes(bz2.compress(dump))
    assert copy.planned("corpora", config=config, mirror="nowhere") == set()
    pin.unlink()
    done = copy.run("corpora", config=config)
    assert done.returncode == 0, done.stderr
    assert json.loads(pin.read_text())["pinned"] == "xwiki-20251001"
    assert (copy.folder / "results/demo/corpora/wikis/xwiki-20251001/sentences.parquet").exists()

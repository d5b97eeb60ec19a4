"""Inputs from outside, models and downloads go by content, and their hashes are kept."""

import json
import os
import shutil
import time

import pytest
import yaml

from kasu.files.hashes import CACHE, CLOCK

pytestmark = pytest.mark.workflow


def test_dates_do_not_matter(demo):
    for date, path in enumerate(sorted((demo.folder / "resources").rglob("*"))):
        os.utime(path, (1e9 + date, 1e9 + date) if date % 2 else None)
    (demo.folder / "workflow/scripts/learn_suffixes.py").touch()
    assert demo.planned() == set()


def test_a_run_with_nothing_to_do_keeps_the_hash_of_a_large_file(copy_workflow):
    """A dry run does not; nor does a run in which a further change can leave the same date."""
    copy = copy_workflow()
    path = copy.folder / "large.txt"
    path.write_text("Etxea handia da.\n" * 100_000)
    text = {"name": "large", "language": "eu", "texts": [{"source": path.name}]}
    (copy.folder / "large.yaml").write_text(yaml.safe_dump({"corpora": [text]}))
    target = "results/demo/corpora/texts/large/counts.tsv"
    options = {"config": ("--configfile", "small.yaml", "large.yaml")}
    done = copy.run(target, **options)
    assert done.returncode == 0, done.stderr
    path.touch()
    time.sleep(CLOCK / 1e9)
    (copy.folder / CACHE).unlink(missing_ok=True)
    assert copy.planned(target, **options) == set()
    assert not (copy.folder / CACHE).exists()
    done = copy.run(target, **options)
    assert "Nothing to be done" in done.stderr
    assert [*json.loads((copy.folder / CACHE).read_text())] == [str(path)]


def rewrite(path, content):
    path.write_bytes(content)


def move(path, content):
    other = path.with_name("other")
    other.write_bytes(content)
    other.replace(path)


def link(path, content):
    path.unlink()
    other = path.with_name("other")
    other.write_bytes(content)
    path.symlink_to(other)


@pytest.mark.parametrize("replaced", [rewrite, move, link])
def test_a_change_of_equal_size_and_date_counts(demo, replaced):
    """Read by one job each, of studies that have no other file in common."""
    readers = {
        "resources/demo/inflection/harmonic.frequencies.txt": "sample_triples",
        "resources/demo/cloze/low.tsv": "read_sentences",
        "resources/seeds/eng.lexicon.tsv": "build_type_ii",
        "resources/demo/georgian/ka_demo-ud.conllu": "read_treebank",
        "resources/demo/pairs.jsonl": "make_pairs",
    }
    before = {}
    for file in readers:
        path = demo.folder / file
        before[path] = content, times = path.read_bytes(), path.stat().st_mtime_ns
        replaced(path, content[:-1] + bytes([content[-1] ^ 1]))
        os.utime(path, ns=(times, times))
    planned = demo.planned()
    for path, (content, times) in before.items():
        path.unlink()
        path.write_bytes(content)
        os.utime(path, ns=(times, times))
    assert planned.issuperset(readers.values())
    assert not {"extract_wikipedia", "read_lines", "build_type_i"} & planned
    assert demo.planned() == set()


def test_a_dry_run_leaves_no_trace_of_hashes_and_a_damaged_cache_does_no_harm(demo):
    cache = demo.folder / CACHE
    cache.mkdir()
    assert demo.planned() == set()
    cache.rmdir()
    assert demo.planned() == set()
    assert not cache.exists()


def test_a_model_of_one_s_own_goes_by_content(demo):
    """A trained model that has moved, and then is replaced by one of another training."""
    trained = demo.folder / "results/demo/models/georgian-bert/model"
    own = demo.folder / "own-model"
    shutil.copytree(trained, own)
    config = yaml.safe_load((demo.folder / "small.yaml").read_text())
    (collection,) = config["minimal_sets"]["collections"]
    collection["models"] = ["own-model"]
    (demo.folder / "own.yaml").write_text(yaml.safe_dump(config))
    target = "results/demo/minimal_sets/predictions/own-model.parquet"
    options = {"config": ("--configfile", "own.yaml")}
    done = demo.run(target, **options)
    assert done.returncode == 0, done.stderr
    for path in own.iterdir():
        os.utime(path)
    assert demo.planned(target, **options) == set()
    for path in (own / "README.md", own / "model.safetensors"):
        content = path.read_bytes() if path.exists() else b""
        # Another last byte, of the same size: of weights that can be read
        path.write_bytes(content[:-1] + (b"!" if content.endswith(b" ") else b" "))
        os.utime(path, (1e9, 1e9))
        assert demo.planned(target, **options) == {"score_sets"}
    # Its seal came with it
    done = demo.run(target, **options)
    assert "own-model: changed since it was written" in done.stderr


def test_a_model_that_is_trained_again_runs_what_reads_it(clone):
    # In the same run
    planned = clone.planned("--forcerun", "pretrain_model")
    assert {"pretrain_model", "score_sets"} <= planned
    # In a later one
    model = clone.folder / "results/demo/models/georgian-bert/model"
    (model / ".sha256").write_text("0" * 64 + "\n")
    os.utime(model / ".sha256", (1e9, 1e9))
    assert "score_sets" in clone.planned()


def test_a_download_that_is_another_now_counts_once(clone):
    """Fetched again after it was deleted, while its reader runs for a reason of its own."""
    downloads = clone.folder / "resources/downloads"
    (text,) = downloads.rglob("own.txt")
    text.unlink()
    assert clone.planned() == set()
    clone.edit("workflow/scripts/read_lines.py", "{}NEW = 1\n".format)
    held = clone.folder / "mirror" / text.relative_to(downloads)
    held.write_text(f"{held.read_text()}Etxea handia da.\n")
    target = "results/demo/corpora/texts/kasu.invalid.texts.own/sentences.parquet"
    done = clone.run(target)
    assert done.returncode == 0, done.stderr
    assert clone.planned(target) == set()

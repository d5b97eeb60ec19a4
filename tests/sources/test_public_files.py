"""The registry that Kasu ships, and the script that makes it."""

import csv
import hashlib
import runpy
import sys
from pathlib import Path

import pytest

from kasu.sources.download import fetch
from kasu.sources.registry import Source, read_registry, resolve

CONFIG = Path(__file__).resolve().parents[2] / "config"
COMMIT = "https://raw.githubusercontent.com/o/r/0a"


@pytest.fixture(scope="module")
def registry() -> dict[str, Source]:
    return read_registry(CONFIG / "sources.tsv")


def manifest_rows(mirror: Path, name: str = "MANIFEST.tsv") -> list[dict[str, str]]:
    with (mirror / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_lines_are_sorted_by_name(registry):
    assert list(registry) == sorted(registry)


def test_slugs_differ(registry):
    assert len({source.slug for source in registry.values()}) == len(registry)


def test_every_source_states_licence_and_citation(registry):
    assert [s.name for s in registry.values() if not s.licence or not s.citation] == []


def test_no_source_lies_inside_another(registry):
    paths = {source.path for source in registry.values()}
    folders = {str(folder) for path in paths for folder in Path(path).parents}
    assert paths & folders == set()


def test_a_basque_dump_has_the_address_of_its_publisher(registry):
    source = resolve("euwiki-20240601", registry, Path()).source
    start = "https://dumps.wikimedia.org/euwiki/20240601/euwiki-20240601"
    assert source.url == f"{start}-pages-articles-multistream.xml.bz2"
    assert source.checksums == f"{start}-sha1sums.txt"
    assert source.path == ("wikipedia/euwiki/euwiki-20240601-pages-articles-multistream.xml.bz2")


def test_all_languages_of_task_1_are_registered(registry):
    folder = "sigmorphon2018/task1/"
    low = [name for name in registry if name.startswith(folder) and name.endswith("-train-low")]
    assert len(low) == 103


def test_the_published_pairs_and_two_thirds_of_them_are_two_sources(registry):
    part = registry["papers/bl2mp/bl2mp.twothirds.jsonl"]
    whole = registry["papers/bl2mp/bl2mp.jsonl"]
    assert (part.url, part.bytes) == ("", 282165)
    assert whole.url.endswith("/73e99f7992bac5a0948bc2ab9c2b321fdf982808/bl2mp.jsonl")


def test_a_training_set_that_was_never_fetched_has_no_checksum(registry):
    train = registry["ud/UD_Basque-BDT/eu_bdt-ud-train.conllu"]
    dev = registry["ud/UD_Basque-BDT/eu_bdt-ud-dev.conllu"]
    assert train.url == dev.url.replace("-dev.", "-train.")
    assert (train.bytes, train.sha256) == (None, "")


def update(folder: Path, monkeypatch) -> dict[str, Source]:
    """Run the script on a manifest of two files and a listing of one."""
    sha256 = "0f" * 32
    manifest = [
        "path\tbytes\tsha256\turl\tsource\tlicence",
        f'ud/T/x-ud-dev.conllu\t7\t{sha256}\t{COMMIT}/x-ud-dev.conllu\to/r@0a:x\t"Free" use',
        f"ud/T/README.md\t8\t{sha256}\t\to/r@0a:README.md\tas above",
    ]
    listing = [
        "path\tbytes\tsha256\turl",
        f"ud/T/x-ud-test.conllu\t9\t{sha256}\t{COMMIT}/x-ud-test.conllu",
    ]
    (folder / "MANIFEST.tsv").write_text("\n".join(manifest) + "\n", encoding="utf-8")
    (folder / "not-here.tsv").write_text("\n".join(listing) + "\n", encoding="utf-8")
    arguments = ["--registry", folder / "sources.tsv", folder / "MANIFEST.tsv"]
    arguments.append(folder / "not-here.tsv")
    monkeypatch.setattr(sys, "argv", ["update_sources.py", *map(str, arguments)])
    runpy.run_path(str(CONFIG.parent / "tools" / "update_sources.py"), run_name="__main__")
    return read_registry(folder / "sources.tsv")


def test_makes_the_lines_of_a_manifest_and_a_listing(tmp_path, monkeypatch):
    made = update(tmp_path, monkeypatch)
    assert list(made) == [
        "ud/T/README.md", "ud/T/x-ud-dev.conllu", "ud/T/x-ud-test.conllu", "ud/T/x-ud-train.conllu"
    ]  # fmt: skip
    assert made["ud/T/README.md"].licence == '"Free" use'
    assert made["ud/T/x-ud-test.conllu"].citation == "o/r@0a:x-ud-test.conllu"
    assert made["ud/T/x-ud-train.conllu"].url == f"{COMMIT}/x-ud-train.conllu"


def test_keeps_the_lines_written_by_hand(tmp_path, monkeypatch):
    first = update(tmp_path, monkeypatch)
    with (tmp_path / "sources.tsv").open("a", encoding="utf-8") as file:
        file.write("aa\thand/written\t\t\t\t\tCC0-1.0\tby hand\n")
    second = update(tmp_path, monkeypatch)
    by_hand = Source("aa", "hand/written", licence="CC0-1.0", citation="by hand")
    assert second == {"aa": by_hand, **first}
    assert list(second) == ["aa", *first]


@pytest.mark.real
@pytest.mark.parametrize("listing", ["MANIFEST.tsv", "sigmorphon2018/not-here.tsv"])
def test_the_registry_agrees_with_the_lists_of_the_mirror(registry, mirror, listing):
    rows = manifest_rows(mirror, listing)
    assert len(rows) > 0
    for row in rows:
        source = registry[row["path"]]
        facts = (source.path, source.url, str(source.bytes), source.sha256)
        assert facts == (row["path"], row["url"], row["bytes"], row["sha256"])


@pytest.mark.real
def test_the_original_blm_files_have_their_published_checksums(registry, mirror):
    rows = manifest_rows(mirror, "papers/blm-agrf/original_files_checksums.tsv")
    for row in rows:
        path = row["path"].replace("data/BLM-AgrF/", "papers/blm-agrf/original_")
        assert registry[path].sha256 == row["lfs_sha256"]
        assert registry[path].bytes == int(row["bytes"])
    assert len(rows) == 9


@pytest.mark.real
def test_files_of_the_mirror_verify(registry, mirror, tmp_path):
    rows = manifest_rows(mirror)
    packed = [row for row in rows if row["stored"]]
    for row in [*rows[::117], *packed[::11]]:  # 10 of all and 10 of the compressed
        target = tmp_path / row["path"]
        fetch(registry[row["path"]], target, [mirror], tmp_path / "lock")
        assert hashlib.sha256(target.read_bytes()).hexdigest() == row["sha256"]
        assert '"verified": "registry"' in (tmp_path / "lock").read_text()

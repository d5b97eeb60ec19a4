"""Bring config/sources.tsv up to date with the manifest of a mirror.

    python tools/update_sources.py MANIFEST [MISSING ...]

MANIFEST lists the files of a mirror: path, bytes, sha256, url, source and licence. MISSING lists
files of the same releases that the mirror lacks: path, bytes, sha256 and url. The script rewrites
the lines of all these files and keeps the other lines of the registry, which were written by hand.
"""

import argparse
import csv
import re
from dataclasses import asdict, replace
from pathlib import Path

from kasu.files.tables import write_tsv
from kasu.sources.registry import COLUMNS, Source, read_registry

REGISTRY = Path(__file__).resolve().parents[1] / "config" / "sources.tsv"
# A development set directly in a treebank's folder belongs to a release with a training set
RELEASED_DEV = re.compile(r"ud/[^/]+/[^/]+-ud-dev\.conllu")
RAW_ADDRESS = re.compile(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/(.+)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest", type=Path)
    parser.add_argument("missing", type=Path, nargs="*")
    parser.add_argument("--registry", type=Path, default=REGISTRY)
    arguments = parser.parse_args()
    sources = read_manifest(arguments.manifest)
    for listing in arguments.missing:
        sources += read_listing(listing, sources)
    sources += infer_training_sets(sources)
    update_registry(arguments.registry, sources)


def read_manifest(path: Path) -> list[Source]:
    """Read the sources of a manifest; "as above" repeats the licence of the line before."""
    sources = []
    for row in read_rows(path):
        licence = sources[-1].licence if row["licence"] == "as above" else row["licence"]
        sources.append(make_source(row, licence=licence, citation=row["source"]))
    return sources


def read_listing(path: Path, known: list[Source]) -> list[Source]:
    """Read a listing without licences; each file has that of the known files in its folder."""
    licences = {str(Path(source.path).parent): source.licence for source in known}
    sources = []
    for row in read_rows(path):
        repository, commit, file = RAW_ADDRESS.fullmatch(row["url"]).groups()
        licence = licences[str(Path(row["path"]).parent)]
        sources.append(make_source(row, licence=licence, citation=f"{repository}@{commit}:{file}"))
    return sources


def infer_training_sets(known: list[Source]) -> list[Source]:
    """Infer the training sets of releases of which only the development set is known."""
    paths = {source.path for source in known}
    sources = []
    for dev in known:
        path = dev.path.replace("-ud-dev.", "-ud-train.")
        if RELEASED_DEV.fullmatch(dev.path) and path not in paths:
            url = dev.url.replace("-ud-dev.", "-ud-train.")
            citation = dev.citation.replace("-ud-dev.", "-ud-train.")
            unknown = {"bytes": None, "sha256": ""}
            sources.append(
                replace(dev, name=path, path=path, url=url, citation=citation, **unknown)
            )
    return sources


def update_registry(registry: Path, sources: list[Source]) -> None:
    """Write the registry: these sources, and those of other paths that it already lists."""
    paths = {source.path for source in sources}
    old = read_registry(registry).values() if registry.exists() else ()
    lines = [*sources, *(source for source in old if source.path not in paths)]
    write_tsv(registry, map(asdict, sorted(lines, key=lambda source: source.name)), COLUMNS)


def make_source(row: dict[str, str], licence: str, citation: str) -> Source:
    size = int(row["bytes"])
    return Source(row["path"], row["path"], row["url"], size, row["sha256"], "", licence, citation)


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    main()

"""Bring sources.tsv up to date with the manifest of a mirror.

    python config/update_sources.py MANIFEST [NOT_HERE ...]

MANIFEST lists what a mirror holds: path, bytes, sha256, url, source and licence. NOT_HERE lists
files of the same releases that it does not hold: path, bytes, sha256 and url. Their lines in the
registry are made anew; a line whose path is in none of the lists was written by hand and is kept.
"""

import argparse
import csv
import re
from dataclasses import asdict, replace
from pathlib import Path

from kasu.base.sources import COLUMNS, Source, read_registry
from kasu.base.tables import write_tsv

REGISTRY = Path(__file__).with_name("sources.tsv")
# A development set at the top of a treebank's folder is of the release, which has a training set.
DEV_OF_A_RELEASE = re.compile(r"ud/[^/]+/[^/]+-ud-dev\.conllu")
RAW_ADDRESS = re.compile(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/(.+)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest", type=Path)
    parser.add_argument("not_here", type=Path, nargs="*")
    parser.add_argument("--registry", type=Path, default=REGISTRY)
    arguments = parser.parse_args()
    made = from_manifest(arguments.manifest)
    for listing in arguments.not_here:
        made += from_listing(listing, made)
    made += training_sets(made)
    update(arguments.registry, made)


def from_manifest(path: Path) -> list[Source]:
    """The sources of a manifest; "as above" takes the licence of the line before."""
    sources = []
    for row in rows(path):
        licence = sources[-1].licence if row["licence"] == "as above" else row["licence"]
        sources.append(source_of(row, licence=licence, citation=row["source"]))
    return sources


def from_listing(path: Path, known: list[Source]) -> list[Source]:
    """The sources of a listing without licences: that of a known file of the same folder."""
    licences = {str(Path(source.path).parent): source.licence for source in known}
    sources = []
    for row in rows(path):
        repository, commit, file = RAW_ADDRESS.fullmatch(row["url"]).groups()
        licence = licences[str(Path(row["path"]).parent)]
        sources.append(source_of(row, licence=licence, citation=f"{repository}@{commit}:{file}"))
    return sources


def training_sets(known: list[Source]) -> list[Source]:
    """The training sets of releases that are known by their development sets alone."""
    paths = {source.path for source in known}
    sources = []
    for dev in known:
        path = dev.path.replace("-ud-dev.", "-ud-train.")
        if DEV_OF_A_RELEASE.fullmatch(dev.path) and path not in paths:
            url = dev.url.replace("-ud-dev.", "-ud-train.")
            citation = dev.citation.replace("-ud-dev.", "-ud-train.")
            unknown = {"bytes": None, "sha256": ""}
            sources.append(
                replace(dev, name=path, path=path, url=url, citation=citation, **unknown)
            )
    return sources


def update(registry: Path, made: list[Source]) -> None:
    """Write the registry: what was made, and the lines of other paths that it has already."""
    paths = {source.path for source in made}
    old = read_registry(registry).values() if registry.exists() else ()
    lines = [*made, *(source for source in old if source.path not in paths)]
    write_tsv(registry, map(asdict, sorted(lines, key=lambda source: source.name)), COLUMNS)


def source_of(row: dict[str, str], licence: str, citation: str) -> Source:
    size = int(row["bytes"])
    return Source(row["path"], row["path"], row["url"], size, row["sha256"], "", licence, citation)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    main()

"""Audit published benchmarks of the mirror; write resources/measured/audits.tsv.

    python tools/audit_published.py /data/mirror

Counts, shares and intervals alone: no item, as some sets are non-commercial or have no licence.
Shares of phenomena are there where a null is above chance.
"""

import ast
import csv
import gzip
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from kasu.audits.audit import audit_benchmark
from kasu.audits.data.items import read_benchmark
from kasu.files.tables import read_csv, write_tsv

OUT = Path(__file__).resolve().parent.parent / "resources" / "measured" / "audits.tsv"
COLUMNS = (
    "set", "check", "name", "group", "items", "found", "share", "low", "high", "ties", "flaw",
    "says",
)  # fmt: skip
PAPERS = "papers"
MULTIBLIMP = {"eng": "English", "ell": "Greek", "tur": "Turkish"}

Rows = list[dict[str, object]]


def matrices(folder: Path) -> Rows:
    """BLM-AgrF, type I: three kinds of sentences; matrices of a seed have the same words."""
    rows: Rows = []
    for kind in ("main", "com", "rel"):
        for row in read_csv(folder / f"type_i_{kind}.csv"):
            context = [row[f"Sent_{at}"] for at in range(1, 8)]
            right = [row[f"Answer_value_{at}"] == "True" for at in range(1, 7)]
            rows.append(
                {
                    "context": context,
                    "candidates": [row[f"Answer_{at}"] for at in range(1, 7)],
                    "label": right.index(True),
                    "phenomenon": kind,
                    "source_id": " ".join(sorted({*" ".join(context).lower().split()})),
                }
            )
    return rows


def multiblimp(path: Path) -> Rows:
    """Pairs of a language; those of one sentence of a treebank share a source."""
    csv.field_size_limit(1 << 24)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found: Rows = []
    for row in rows:
        of = ast.literal_eval(row["metadata"])
        source = f"{of['treebank']} {of['sent_id']}"
        kept = {name: row[name] for name in ("sen", "wrong_sen", "phenomenon")}
        found.append({**kept, "source_id": source})
    return found


def benchmarks(mirror: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of each set, in a form that `kasu audit` reads."""
    papers = mirror / PAPERS
    made = {"BLM-AgrF, type I": matrices(papers / "blm-agrf" / "original_type_I")} | {
        f"MultiBLiMP, {name}": multiblimp(papers / "multiblimp" / code / "data.tsv.gz")
        for code, name in MULTIBLIMP.items()
    }
    for number, (name, rows) in enumerate(made.items()):
        path = folder / f"{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        yield name, path
    yield "BL2MP, two thirds", papers / "bl2mp" / "bl2mp.twothirds.jsonl"
    for path in sorted((papers / "georgian-case-alignment" / "items").glob("*.tsv")):
        yield f"Georgian, {path.stem}", path


def rows_of(mirror: Path) -> Iterator[Mapping[str, object]]:
    """Yield the rows of the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, path in benchmarks(mirror, Path(folder)):
            for each in audit_benchmark(read_benchmark(path)).findings:
                if each.group is None or each.flaw:
                    row = {column: getattr(each, column, "") for column in COLUMNS}
                    numbers = {"share", "low", "high"}
                    yield {
                        column: round(cell, 4) if column in numbers and cell is not None else cell
                        for column, cell in row.items()
                    } | {"set": name, "flaw": int(each.flaw)}


if __name__ == "__main__":
    write_tsv(OUT, rows_of(Path(sys.argv[1])), COLUMNS)

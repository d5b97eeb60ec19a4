"""Datasets small enough to state what becomes of them."""

import json

import pyarrow as pa
import pytest

from kasu.cli import main
from kasu.files.tables import write_parquet
from kasu.sources.cards import write_card

SOURCES = [
    {"name": "a.conllu", "licence": "CC BY-SA 4.0", "citation": "Ane (2020)"},
    {"name": "b.conllu", "licence": "CC BY-NC-SA 3.0", "citation": ""},
]


@pytest.fixture
def build(tmp_path):
    """Write a dataset with its card from the rows of its splits."""

    def write(splits, sources=SOURCES, name="subjects"):
        folder = tmp_path / name
        first = next(iter(splits.values()))
        for split, rows in splits.items():
            write_parquet(folder / f"{split}.parquet", rows, pa.Table.from_pylist(first).schema)
        write_card(
            folder / "README.md",
            title=f"Sets, {name}",
            summary="Two | forms.",
            header={"language": ["en"], "task_categories": ["fill-mask"]},
            sources=sources,
            splits=list(splits),
            columns=dict.fromkeys(first[0], "of `a|b`"),
            citation="Us (2026). Sets.",
        )
        return folder

    return write


@pytest.fixture
def lines(tmp_path):
    """Write a file of JSON lines."""

    def write(rows, name="mine.jsonl"):
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return path

    return write


@pytest.fixture
def export(tmp_path, capsys):
    """Run `kasu export`: the folder, the exit status and the lines on stderr."""

    def run(dataset, form, *arguments):
        out = tmp_path / f"out.{form}"
        status = main(["export", str(dataset), "--to", form, "--out", str(out), *arguments])
        return out, status, capsys.readouterr().err.splitlines()

    return run

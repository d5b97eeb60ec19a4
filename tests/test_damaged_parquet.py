"""One flipped bit in a parquet file: whatever reads the file says so in one line and fails."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kasu.agreement.data.sentences import read_units
from kasu.compare.folders import Options, compare_folders
from kasu.corpora.morphology.apertium import analyse_corpus
from kasu.corpora.paradigms.frequencies import count_words
from kasu.corpora.texts.sentences import CORPUS, SENTENCES, build_corpus
from kasu.corpora.treebanks.treebank import TREEBANK, read_treebank
from kasu.files.tables import read_parquet, write_parquet, write_tsv
from kasu.job.run import job
from kasu.lm.pretraining.texts import CorpusPart, read_texts
from kasu.pretraining.data.budgets import build_budgets, take_corpus
from kasu.pretraining.data.lemmatise import SUFFIXES, learn_suffixes, lemmatise
from kasu.pretraining.models.trigram import score_length

ROWS = 2_000
PAIRS = pa.schema([(name, pa.string()) for name in ("item_id", "sentence_good", "sentence_bad")])
ANALYSES = pa.schema(
    [
        ("sentence_id", pa.string()),
        ("unit", pa.int32()),
        ("surface", pa.string()),
        ("rank", pa.int32()),
        ("lemma", pa.string()),
        ("pos", pa.string()),
        ("reading", pa.string()),
        ("suffix", pa.string()),
    ]
)
TAGSET = Path(__file__).resolve().parent.parent / "resources" / "tagsets" / "eus.yaml"


def cell(kind: pa.DataType, name: str, number: int) -> object:
    if pa.types.is_list(kind):
        return [f"{name} {number}"]
    return f"{name} {number}" if pa.types.is_string(kind) else 0


def damaged(path: Path, schema: pa.Schema, column: str) -> Path:
    """Write a table, then flip one bit in a data page of a column."""
    rows = [
        {field.name: cell(field.type, field.name, number) for field in schema}
        for number in range(ROWS)
    ]
    write_parquet(path, rows, schema)
    chunks = pq.ParquetFile(path).metadata.row_group(0)
    chunk = next(
        chunk
        for chunk in map(chunks.column, range(chunks.num_columns))
        if chunk.path_in_schema.partition(".")[0] == column
    )
    content = bytearray(path.read_bytes())
    content[chunk.data_page_offset + chunk.total_compressed_size // 2] ^= 1
    path.write_bytes(content)
    return path


def write_budgets(corpus, out, _):
    build_budgets(
        corpus,
        out,
        out / "counts.tsv",
        out / "drops.tsv",
        budgets={"small": 10},
        parts=[{"name": "all", "share": 1, "sources": ["*"]}],
        validation=0.1,
        seed=1,
    )


def write_twin(corpus, out, dictionary):
    write_tsv(out / "suffixes.tsv", [], SUFFIXES)
    files = (out / "suffixes.tsv", out / "twin.parquet", out / "counts.tsv", out / "drops.tsv")
    lemmatise(corpus, *files, dictionary=dictionary, split="paper")


def write_analyses(corpus, out, dictionary):
    files = (out / "analyses.parquet", out / "counts.tsv")
    analyse_corpus(corpus, *files, dictionary=dictionary, tagset=TAGSET, workers=1)


def compare_with_a_sound_copy(path, out, _):
    table = pq.read_table(path, columns=["source"])
    write_parquet(out / "new" / path.name, table, table.schema)
    list(compare_folders(path.parent, out / "new", Options()))


READERS = {
    "whole table": (CORPUS, "text", lambda path, *_: read_parquet(path)),
    "comparison": (CORPUS, "source", compare_with_a_sound_copy),
    "merged corpus": (
        SENTENCES,
        "text",
        lambda path, out, _: build_corpus(
            [path], out / "c.parquet", out / "counts.tsv", out / "drops.tsv"
        ),
    ),
    "analyses of a corpus": (CORPUS, "text", write_analyses),
    "frequencies": (CORPUS, "text", lambda path, *_: count_words(path, ["a"])),
    "treebank": (TREEBANK, "form", lambda path, *_: list(read_treebank(path))),
    "units, from their sentences": (
        CORPUS,
        "split_key",
        lambda path, out, _: list(
            read_units(path, damaged(out / "analyses.parquet", ANALYSES, "rank"))
        ),
    ),
    "units, from their analyses": (
        ANALYSES,
        "lemma",
        lambda path, out, _: list(read_units(damaged(out / "c.parquet", CORPUS, "text"), path)),
    ),
    "budgets": (CORPUS, "text", write_budgets),
    "one budget": (
        CORPUS,
        "text",
        lambda path, out, _: take_corpus(path, out / "budget.parquet", out / "counts.tsv"),
    ),
    "learnt suffixes": (
        ANALYSES,
        "reading",
        lambda path, out, _: learn_suffixes(path, out / "suffixes.tsv", split="paper"),
    ),
    "twin": (CORPUS, "text", write_twin),
    "lengths of pairs": (
        PAIRS,
        "sentence_bad",
        lambda path, out, _: score_length(path, {"fewer_characters": out / "scores.parquet"}),
    ),
    "training text": (
        CORPUS,
        "split_key",
        lambda path, *_: list(read_texts(path, CorpusPart("train", 0.1, 1))),
    ),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_flipped_bit_ends_a_job_in_one_line(tmp_path, request, capsys, reader):
    schema, column, read = READERS[reader]
    path = damaged(tmp_path / "in" / "damaged.parquet", schema, column)
    (tmp_path / "out").mkdir()
    needs_analyser = read in (write_twin, write_analyses)
    dictionary = request.getfixturevalue("dictionary") if needs_analyser else None
    with pytest.raises(SystemExit) as end, job(tmp_path / "job.log"):
        read(path, tmp_path / "out", dictionary)
    assert end.value.code == 1
    *_, line = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {path}: unreadable parquet (")
    assert "CRC checksum verification failed" in line

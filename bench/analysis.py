"""Analysis of a corpus against bare `lt-proc`, in turns, on the same text and number of processes.

The peer reads the same escaped, NUL-separated text from files and discards its output; ours also
parses every reading and writes parquet. CPU time covers the whole process tree, including lt-proc.
Peak memory is the proportional set size of the tree with two workers.
"""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from measuring import Cost, measured, row

from kasu.corpora.morphology.apertium import END, ENDS_INPUT, analyse_corpus
from kasu.corpora.morphology.stream import escape
from kasu.corpora.texts.compressed import lines
from kasu.corpora.wiki.articles import extract_articles
from kasu.files.tables import read_parquet, write_parquet

ROOT = Path(__file__).resolve().parent.parent
TAGSET = ROOT / "resources" / "tagsets" / "eus.yaml"
DEMO = ROOT / "resources" / "demo" / "euwiki-demo-pages-articles.xml"
DICTIONARY = Path("/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin")
TEXT = "wikipedia/eu/commonvoice_wiki.eu.txt.xz"
SENTENCES = 17_000  # more than a row group of the input, which every run holds in memory
REPEATS = 10
TIMED = 30_000  # sentences per turn
TURNS = 3
pa.array([""])  # imports pandas, before a clock starts like all imports


def read_texts(mirror: Path | None, folder: Path) -> list[str]:
    """Sentences of real text, else of the demo, repeated until there are enough."""
    if mirror:
        return repeat([line for _, line in lines(mirror / TEXT)])
    sentences = folder / "demo.parquet"
    extract_articles(
        DEMO, sentences, folder / "counts.tsv", folder / "drops.tsv", source="demo",
        language="eu", patterns={}, broken_share=1, workers=1,
    )  # fmt: skip
    return repeat(read_parquet(sentences, ["text"])["text"].to_pylist())


def repeat(texts: list[str]) -> list[str]:
    return texts * (1 + REPEATS * SENTENCES // len(texts))


def write_sentences(path: Path, texts: Sequence[str]) -> Path:
    table = pa.table({"sentence_id": [f"s{i}" for i in range(len(texts))], "text": texts})
    write_parquet(path, table, table.schema)
    return path


def bare(texts: Sequence[str], folder: Path, processes: int) -> tuple[float, float]:
    """CPU and wall seconds of lt-proc alone, with the text divided among `processes`."""
    files = []
    for part in range(processes):
        files.append(folder / f"part{part}")
        escaped = (escape(text.translate(ENDS_INPUT)) for text in texts)
        share = [text for i, text in enumerate(escaped) if i % processes == part]
        files[-1].write_text("".join(text + END for text in share), encoding="utf-8")
    began = time.monotonic()
    running = []
    for file in files:
        with file.open("rb") as text:
            running.append(
                subprocess.Popen(
                    ["lt-proc", "-w", "-z", DICTIONARY], stdin=text, stdout=subprocess.DEVNULL
                )
            )
    usages = [os.wait4(process.pid, 0)[2] for process in running]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages), time.monotonic() - began


def analyse(sentences: Path, folder: Path, workers: int) -> None:
    """Analyse a corpus, in Basque."""
    analyse_corpus(
        sentences, folder / "analyses.parquet", folder / "counts.tsv", dictionary=DICTIONARY,
        tagset=TAGSET, workers=workers,
    )  # fmt: skip


def ours(sentences: Path, folder: Path, workers: int, pause: float = 1) -> Cost:
    """What the analysis of a corpus costs; see `measured`."""
    return measured(analyse, sentences, folder, workers, pause=pause)


def speed_rows(texts: Sequence[str], sentences: Path, folder: Path, workers: int) -> list[dict]:
    """Our speed and that of lt-proc, by CPU and by wall time."""
    turns = [(bare(texts, folder, workers), ours(sentences, folder, workers)) for _ in range(TURNS)]
    words = sum(len(text.split()) for text in texts)
    rows = []
    for at, unit in enumerate(("words/CPU-s", "words/s")):
        peer, mine = (statistics.median(turn[side][at] for turn in turns) for side in (0, 1))
        item = f"analysis, {workers} worker{'s' * (workers > 1)}"
        rows.append(row(item, words / mine, unit, f"lt-proc, {words / peer:.0f}", peer / mine))
    return rows


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on the Wikipedia lines of the mirror, else on the demo."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = read_texts(mirror, folder)
        small, timed, large = (
            write_sentences(folder / f"{number}.parquet", texts[:number])
            for number in (SENTENCES, TIMED, REPEATS * SENTENCES)
        )
        figures = [
            line for workers in (1, 2) for line in speed_rows(texts[:TIMED], timed, folder, workers)
        ]
        before, after = (ours(each, folder, 2, pause=0.05).peak for each in (small, large))
    item = f"analysis x{REPEATS}: peak memory"
    return [*figures, row(item, after, "MB", f"x1, {before:.0f}", after / before, after)]

"""Extraction of Wikipedia dumps against mwparserfromhell's `strip_code` on the same articles.

Ours does more: it reads the XML, splits sentences, and drops tables, references, captions and
headings, which `strip_code` partly keeps. Ratios compare CPU time in one process, in turns; those
of two workers to one compare wall time. Peak memory is the proportional set size of the whole
process tree.
"""

import multiprocessing
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from multiprocessing.process import BaseProcess
from pathlib import Path

import mwparserfromhell
from measuring import peak_memory, row

from kasu.corpora.texts.compressed import pieces
from kasu.corpora.wiki.articles import Extract, ExtractionSettings, _page, extract_articles
from kasu.corpora.wiki.dump import Block, open_dump
from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.templates import read_templates

HEAD = "en/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
SMALL = "ltg/smallwiki-latest-pages-articles.xml.xz"
DEMO = Path(__file__).resolve().parent.parent / "resources" / "demo"
TURNS = 3
# The smaller one keeps two workers busy throughout; the larger one is ten times its size
REPEATS = (3, 30)


def articles(dump: Path) -> list[str]:
    """Wikitext of the articles that Kasu extracts."""
    return [
        page.findtext("revision/text") or ""
        for block in open_dump(dump)[1]
        for pages, _ in block.pages()
        for page in pages
        if page.findtext("ns") == "0" and page.find("redirect") is None
    ]


def ours(dump: Path) -> list[str]:
    """Sentences of a dump, in this process."""
    site, blocks = open_dump(dump)
    names = wiki_names("en", site.namespaces, site.language, site.prefix)
    settings = ExtractionSettings("bench", "en", read_templates("en", names), {})
    return [row["text"] for block in blocks for row in block_rows(settings, block)]


def block_rows(settings: ExtractionSettings, block: Block) -> Iterable[dict[str, str]]:
    extract = Extract()
    for pages, _ in block.pages():
        for page in pages:
            yield from _page(settings, page, extract)


def stripped(texts: list[str]) -> list[str]:
    """The same articles as text, by the peer."""
    return [mwparserfromhell.parse(text).strip_code() for text in texts]


def cpu(function: Callable, *arguments: object) -> float:
    began = time.process_time()
    function(*arguments)
    return time.process_time() - began


def squeezed(text: str) -> str:
    return re.sub(r"[\s']+", "", text)


def core_rows(dump: Path) -> list[dict[str, object]]:
    """Speed on one core, and the share of our sentences found in the peer's text."""
    texts = articles(dump)
    size = sum(len(text.encode()) for text in texts) / 1e6
    turns = [(cpu(stripped, texts), cpu(ours, dump)) for _ in range(TURNS)]
    peer, mine = map(statistics.median, zip(*turns, strict=True))
    whole = squeezed("".join(stripped(texts)))
    sentences = ours(dump)
    shared = sum(squeezed(sentence) in whole for sentence in sentences) / len(sentences)
    name = f"extraction, {dump.name[:24]}, one core"
    return [
        row(name, len(texts) / mine, "articles/CPU-s", f"strip_code, {len(texts) / peer:.1f}",
            peer / mine),
        row(name, size / mine, "MB of wikitext/CPU-s", f"strip_code, {size / peer:.2f}",
            peer / mine),
        row(f"{name}: sentences found in strip_code's text", shared, "share", "strip_code", None),
    ]  # fmt: skip


def repeated(dump: Path, target: Path, times: int) -> Path:
    """Write a plain dump that repeats the pages of another."""
    text = b"".join(piece for piece, _ in pieces(dump))
    start, end = text.index(b"<page"), text.rindex(b"</mediawiki>")
    with target.open("wb") as file:
        file.write(text[:start])
        for _ in range(times):
            file.write(text[start:end])
        file.write(text[end:])
    return target


def extract(dump: Path, folder: Path, workers: int) -> None:
    extract_articles(
        dump,
        *(folder / name for name in ("sentences.parquet", "counts.tsv", "drops.tsv")),
        source="bench",
        language="en",
        patterns={},
        broken_share=1,
        workers=workers,
    )


def start(dump: Path, folder: Path, workers: int) -> BaseProcess:
    """Start an extraction in a process of its own."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=extract, args=(dump, folder, workers))
    process.start()
    return process


def wall(dump: Path, folder: Path, workers: int) -> float:
    """Wall seconds of an extraction, unobserved: measuring its memory would slow it down."""
    began = time.monotonic()
    start(dump, folder, workers).join()
    return time.monotonic() - began


def tree_rows(dump: Path) -> list[dict[str, object]]:
    """Two workers against one, and memory as the input grows tenfold."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = (repeated(dump, folder / f"{times}.xml", times) for times in REPEATS)
        size = large.stat().st_size / 1e6
        one, two = (wall(large, folder, workers) for workers in (1, 2))
        before, after = (peak_memory(start(dump, folder, 2)) for dump in (small, large))
    name = f"extraction, {size:.0f} MB"
    return [
        row(f"{name}, 1 worker", size / one, "MB of XML/s", ""),
        row(f"{name}, 2 workers", size / two, "MB of XML/s", "1 worker", one / two),
        row(f"{name}, peak memory", after, "MB", f"a tenth, {before:.0f}", after / before, after),
    ]


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on the real dumps of the mirror, else on the demo."""
    if mirror is None:
        dumps = sorted(DEMO.glob("*.xml"))
    else:
        dumps = [mirror / "wikipedia" / SMALL, mirror / "wikipedia" / HEAD]
    return [*(figure for dump in dumps for figure in core_rows(dump)), *tree_rows(dumps[0])]

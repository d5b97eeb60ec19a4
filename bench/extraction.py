"""Extraction of Wikipedia dumps against mwparserfromhell's `strip_code` on the same articles.

Ours does more: it reads the XML and splits sentences, and it drops tables, references, captions
and headings, which `strip_code` keeps in part. Ratios are of CPU time in one process, by turns;
those of two workers against one are of wall time. Peak memory is the proportional set size of the
whole process tree.
"""

import multiprocessing
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import mwparserfromhell
from measuring import peak_memory, row

from kasu.corpora.compressed import pieces
from kasu.corpora.dump import Block, open_dump
from kasu.corpora.wikipedia import Extract, Settings, _page, extract_articles
from kasu.corpora.wikitext import hidden_prefixes

HEAD = "en/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
SMALL = "ltg/smallwiki-latest-pages-articles.xml.xz"
DEMO = Path(__file__).resolve().parent.parent / "resources" / "demo"
TURNS = 3
# The smaller keeps two workers busy from end to end; the larger is ten times that.
REPEATS = (3, 30)


def articles(dump: Path) -> list[str]:
    """Wikitext of the articles that our route takes in."""
    return [
        page.findtext("revision/text") or ""
        for block in open_dump(dump)[1]
        for pages, _ in block.pages()
        for page in pages
        if page.findtext("ns") == "0" and page.find("redirect") is None
    ]


def ours(dump: Path) -> list[str]:
    """Sentences of a dump, in this process."""
    namespaces, blocks = open_dump(dump)
    numbers = {name: number for number, name in namespaces.items()}
    settings = Settings("bench", "en", numbers, hidden_prefixes(namespaces), {})
    return [row["text"] for block in blocks for row in block_rows(settings, block)]


def block_rows(settings: Settings, block: Block) -> Iterable[dict[str, str]]:
    extract = Extract()
    for pages, _ in block.pages():
        for page in pages:
            yield from _page(settings, page, extract)


def stripped(texts: list[str]) -> list[str]:
    """What the peer makes of the same articles."""
    return [mwparserfromhell.parse(text).strip_code() for text in texts]


def cpu(function: Callable, *arguments: object) -> float:
    began = time.process_time()
    function(*arguments)
    return time.process_time() - began


def squeezed(text: str) -> str:
    return re.sub(r"[\s']+", "", text)


def core_rows(dump: Path) -> list[dict[str, object]]:
    """Speed on one core, and how much of our text the peer's text has."""
    texts = articles(dump)
    size = sum(len(text.encode()) for text in texts) / 1e6
    turns = [(cpu(stripped, texts), cpu(ours, dump)) for _ in range(TURNS)]
    peer, mine = map(statistics.median, zip(*turns, strict=True))
    whole = squeezed("".join(stripped(texts)))
    sentences = ours(dump)
    found = sum(squeezed(sentence) in whole for sentence in sentences) / len(sentences)
    name = f"extraction, {dump.name[:24]}, one core"
    return [
        row(name, len(texts) / mine, "articles/CPU-s", f"strip_code, {len(texts) / peer:.1f}",
            peer / mine),
        row(name, size / mine, "MB of wikitext/CPU-s", f"strip_code, {size / peer:.2f}",
            peer / mine),
        row(f"{name}: sentences that strip_code's text has", found, "share", "strip_code", None),
    ]  # fmt: skip


def repeated(dump: Path, target: Path, times: int) -> Path:
    """A plain dump with the pages of another so many times."""
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


def start(dump: Path, folder: Path, workers: int) -> multiprocessing.Process:
    """An extraction in a process of its own."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=extract, args=(dump, folder, workers))
    process.start()
    return process


def wall(dump: Path, folder: Path, workers: int) -> float:
    """Wall seconds of an extraction, unwatched: asking for its memory would slow it down."""
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

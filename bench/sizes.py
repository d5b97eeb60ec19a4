"""Corpora of the sizes that users have: how time and memory grow with the dump.

Synthetic dumps (`dumps`) of 20 MB, 200 MB and 2 GB, each in shards, pass extraction, the merge
that drops duplicates, and analysis; one of 20 GB is extracted alone. Each shard is written when it
is needed and deleted when it has been read. Of 200 MB, one shard is lost and extracted again.

An hour and a half on two cores, half of it the analysis of 2 GB; 20 GB take as long again, and
7 GB of disk. With a mirror: the pages are those of English, the words those of Basque.
"""

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from analysis import DEMO, analyse, read_texts
from dumps import Pages
from extraction import HEAD
from measuring import Cost, Part, measured, row

from kasu.corpora.texts.sentences import build_corpus
from kasu.corpora.wiki.articles import extract_articles
from kasu.files.tables import file_hash, read_tsv
from kasu.job.run import cpu_count

SHARDS = 4
SIZES = (20, 200, 2_000)  # MB
EXTRACTED = 20_000  # MB, of the dump that is only extracted
LOSES = 200  # MB, of the dump that loses a shard
LINEAR = 1.05  # the exponent of time over size stays under it
STAGES = ("extraction", "merge without duplicates", "analysis")
RATE = "MB of XML/CPU-s"


def parts(mirror: Path | None, scale: float) -> dict[str, Part]:
    """A part for each size, and at the end how time grows with it."""
    found: dict[str, Part] = {
        f"{size * scale:g} MB": partial(measure_size, mirror, size, scale)
        for size in (*SIZES, EXTRACTED)
    }
    return {**found, "growth": growth_rows}


def measure_size(mirror: Path | None, size: int, scale: float, _: object) -> list[dict]:
    """What the stages cost at a size in MB of XML, times `scale`."""
    with tempfile.TemporaryDirectory() as name:
        folder, shown = Path(name), f"{size * scale:g} MB"
        words = [word for text in read_texts(mirror, folder) for word in text.split()]
        dump = mirror / "wikipedia" / HEAD if mirror else DEMO
        pages = Pages(dump, [word for word in words if word.islower()])
        shard = int(size * scale * 1e6 / SHARDS)
        cost, xml = extract_shards(pages, folder, shard)
        figures = [stage_row(STAGES[0], shown, cost, xml)]
        if size == LOSES:
            figures.append(lose_shard(pages, folder, shard, shown, cost))
        if size != EXTRACTED:
            figures += corpus_rows(folder, shown, xml)
    return figures


def stage_row(stage: str, size: str, cost: Cost, xml: int) -> dict[str, object]:
    """The rate of a stage, beside the seconds that it took, and its memory."""
    shown = f"in {cost.cpu:.1f} CPU-s, {cost.wall:.1f} s with {cpu_count()} workers"
    return row(f"{stage}, {size}", xml / 1e6 / cost.cpu, RATE, shown, None, cost.peak)


def extract_shards(pages: Pages, folder: Path, size: int) -> tuple[Cost, int]:
    """Write and extract shards of a size, one by one; return what that cost, and the bytes."""
    costs, xml, first = [], 0, 1
    for shard in range(SHARDS):
        dump = folder / f"shard{shard}.xml"
        first = pages.write(dump, size, dump.name, first)
        xml += dump.stat().st_size
        costs.append(measured(extract, dump, folder))
        dump.unlink()
    cpu, wall, peak = zip(*costs, strict=True)
    return Cost(sum(cpu), sum(wall), max(peak)), xml


def extract(dump: Path, folder: Path) -> None:
    """Extract a shard, with a table of its own."""
    extract_articles(
        dump,
        *(folder / f"{dump.stem}.{name}" for name in ("parquet", "counts.tsv", "drops.tsv")),
        source=dump.stem,
        language="en",
        patterns={},
        broken_share=1,
        workers=cpu_count(),
    )


def lose_shard(pages: Pages, folder: Path, size: int, shown: str, whole: Cost) -> dict[str, object]:
    """Delete the table of a shard, and extract that shard again, against all of them.

    Raises:
        AssertionError: the table differs from the one that was lost.
    """
    lost, dump = folder / "shard1.parquet", folder / "shard1.xml"
    before = file_hash(lost)
    lost.unlink()
    first = int(read_tsv(folder / "shard0.counts.tsv")[0]["count"]) + 1
    pages.write(dump, size, dump.name, first)
    cost = measured(extract, dump, folder)
    dump.unlink()
    assert file_hash(lost) == before, "the shard that was lost differs"
    item = f"{STAGES[0]}, {shown}: a shard of {SHARDS} again, equal byte for byte"
    return row(item, cost.cpu, "CPU-s", f"all, {whole.cpu:.0f}", whole.cpu / cost.cpu)


def corpus_rows(folder: Path, size: str, xml: int) -> list[dict[str, object]]:
    """Merge the shards into a corpus without duplicates, and analyse it."""
    merging = measured(merge, folder)
    steps = {each["step"]: int(each["count"]) for each in read_tsv(folder / "merged.tsv")}
    given = sum(count for step, count in steps.items() if step.endswith(": sentences"))
    analysing = measured(analyse, folder / "all.parquet", folder, cpu_count())
    _, merge_stage, analysis = STAGES
    kept, words = steps["sentences"] / given, steps["words"]
    return [
        stage_row(merge_stage, size, merging, xml),
        row(f"{merge_stage}, {size}: kept", kept, "share", f"{given} sentences"),
        stage_row(analysis, size, analysing, xml),
        row(f"{analysis}, {size}: words", words / analysing.cpu, "words/CPU-s", f"{words} words"),
    ]


def merge(folder: Path) -> None:
    """Merge the shards."""
    shards = [folder / f"shard{shard}.parquet" for shard in range(SHARDS)]
    build_corpus(shards, *(folder / name for name in ("all.parquet", "merged.tsv", "drops.tsv")))


def growth_rows(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """How time and memory of each stage grow, by the rows of the sizes that were measured."""
    found = []
    for stage in STAGES:
        rates = rates_of(stage, rows)
        if len(rates) > 1:
            (small, (_, before)), *_, (large, (_, after)) = sorted(rates.items())
            grows = exponent({size: size / rate for size, (rate, _) in rates.items()})
            item = f"{stage}: exponent of time over size, {small:g} to {large:g} MB"
            shown = f"goal: under {LINEAR}; memory at {small:g} MB, {before:.0f}"
            found.append(row(item, grows, "", shown, None, after))
    return found


def rates_of(stage: str, rows: Sequence[Mapping[str, object]]) -> dict[float, tuple[float, float]]:
    """MB of XML per CPU second of a stage and its memory in MB, by size in MB."""
    return {
        float(size.removesuffix(" MB")): (float(str(each["value"])), float(str(each["peak_mb"])))
        for each in rows
        for name, _, size in [str(each["item"]).partition(", ")]
        if name == stage and each["unit"] == RATE
    }


def exponent(costs: Mapping[float, float]) -> float:
    """The slope of the line through the logarithms of costs over those of sizes."""
    x, y = (np.log(list(each)) for each in (costs, costs.values()))
    return float(np.polyfit(x, y, 1)[0])

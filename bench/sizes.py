"""Corpora of the sizes that users have: how time and memory grow with the dump.

Synthetic dumps (`dumps`) of 20 MB, 200 MB and 2 GB, each in shards, pass extraction, the merge
that drops duplicates, and analysis; one of 20 GB is extracted alone. Each shard is written when it
is needed and deleted when it has been read. Of 200 MB, one shard is lost and extracted again.

With a mirror, the pages are those of English and the words those of Basque; without, those of the
demo. Two hours of CPU, half of them the analysis of 2 GB, and 10 GB of disk.
"""

import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from analysis import DEMO, analyse, read_texts
from dumps import Pages
from extraction import HEAD
from measuring import Cost, Part, measured, row

from kasu.base.errors import KasuError
from kasu.corpora.texts.sentences import build_corpus
from kasu.corpora.wiki.articles import extract_articles
from kasu.files.tables import file_hash, read_tsv
from kasu.job.run import cpu_count

SHARDS, LOST = 4, 1  # and the one that is lost
PAGES = 1_000_000  # ids of a shard, more than it has pages
SIZES = (20, 200, 2_000)  # MB
EXTRACTED = 20_000  # MB, of the dump that is only extracted
LOSES = 200  # MB, of the dump that loses a shard
LINEAR = 1.05  # the exponent of time over size stays under it
STAGES = ("extraction", "merge without duplicates", "analysis")
RATE = "MB of XML/CPU-s"
RESULTS = Path(__file__).resolve().parent.parent / "results" / "bench-sizes"


def parts(mirror: Path | None, scale: float) -> dict[str, Part]:
    """A part for each stage at each size, and at the end how time grows with the size."""
    found: dict[str, Part] = {}
    for size in (*SIZES, EXTRACTED):
        measured_size = Stages(mirror, size * scale, loses=size == LOSES)
        for stage in STAGES if size != EXTRACTED else STAGES[:1]:
            last = size == EXTRACTED or stage == STAGES[-1]
            found[f"{stage}, {size * scale:g} MB"] = partial(measured_size.run, stage, last)
    return {**found, "growth": growth_rows}


class Stages:
    """The stages at one size; what they make stays in a folder of results until the last has read.

    Args:
        size: of the dump, in MB of XML.
        loses: whether one of its shards is lost, and extracted again.
    """

    def __init__(self, mirror: Path | None, size: float, *, loses: bool) -> None:
        self.mirror, self.shown, self.loses = mirror, f"{size:g} MB", loses
        self.shard = int(size * 1e6 / SHARDS)
        self.folder = RESULTS / f"{size:g}"

    def run(self, stage: str, last: bool, _: object) -> list[dict[str, object]]:
        """The rows of a stage.

        Raises:
            KasuError: the stages before it have not been run here.
        """
        if stage != STAGES[0] and not self.folder.exists():
            raise KasuError(self.folder, "no such folder", "what the stages before made")
        found = dict(zip(STAGES, (self.extract, self.merge, self.analyse), strict=True))[stage]()
        if last:
            shutil.rmtree(self.folder)
        return found

    def row(self, stage: str, cost: Cost) -> dict[str, object]:
        """The rate of a stage, beside the seconds that it took, and its memory."""
        shown = f"in {cost.cpu:.1f} CPU-s, {cost.wall:.1f} s with {cpu_count()} workers"
        rate = self.shard * SHARDS / 1e6 / cost.cpu
        return row(f"{stage}, {self.shown}", rate, RATE, shown, None, cost.peak)

    def extract(self) -> list[dict[str, object]]:
        """Write and extract one shard after another; perhaps lose one."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        words = [word for text in read_texts(self.mirror, self.folder) for word in text.split()]
        dump = self.mirror / "wikipedia" / HEAD if self.mirror else DEMO
        pages = Pages(dump, [word for word in words if word.islower()])
        costs = [self._extract_shard(pages, shard) for shard in range(SHARDS)]
        cpu, wall, peak = zip(*costs, strict=True)
        whole = Cost(sum(cpu), sum(wall), max(peak))
        found = [self.row(STAGES[0], whole)]
        if self.loses:
            found.append(self._lose_shard(pages, whole))
        return found

    def _extract_shard(self, pages: Pages, shard: int) -> Cost:
        dump = self.folder / f"shard{shard}.xml"
        pages.write(dump, self.shard, dump.name, first=1 + shard * PAGES)
        cost = measured(extract, dump, self.folder)
        dump.unlink()
        return cost

    def _lose_shard(self, pages: Pages, whole: Cost) -> dict[str, object]:
        """Delete the table of a shard, and extract that shard again, against all of them.

        Raises:
            KasuError: the table differs from the one that was lost.
        """
        table = self.folder / f"shard{LOST}.parquet"
        before = file_hash(table)
        table.unlink()
        cost = self._extract_shard(pages, LOST)
        if file_hash(table) != before:
            raise KasuError(table, "other bytes than before it was lost", "the same")
        item = f"{STAGES[0]}, {self.shown}: a lost shard of {SHARDS} again, equal byte for byte"
        return row(item, cost.cpu, "CPU-s", f"all, {whole.cpu:.1f}", whole.cpu / cost.cpu)

    def merge(self) -> list[dict[str, object]]:
        """Merge the shards into a corpus without duplicates."""
        cost = measured(merge, self.folder)
        steps = {each["step"]: int(each["count"]) for each in read_tsv(self.folder / "merged.tsv")}
        given = sum(count for step, count in steps.items() if step.endswith(": sentences"))
        stage, kept = STAGES[1], steps["sentences"] / given
        share = row(f"{stage}, {self.shown}: kept", kept, "share", f"{given} sentences")
        return [self.row(stage, cost), share]

    def analyse(self) -> list[dict[str, object]]:
        """Analyse the corpus, in Basque."""
        corpus = self.folder / "all.parquet"
        cost = measured(analyse, corpus, self.folder, cpu_count())
        steps = {each["step"]: int(each["count"]) for each in read_tsv(self.folder / "merged.tsv")}
        stage, words = STAGES[2], steps["words"]
        speed = row(
            f"{stage}, {self.shown}: words", words / cost.cpu, "words/CPU-s", f"{words} words"
        )
        return [self.row(stage, cost), speed]


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

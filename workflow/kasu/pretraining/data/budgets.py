"""Corpora by size and mix: nested word budgets, shares of parts, validation text apart (BL2MP-2).

Split keys stand in a seeded order once; a budget takes of each part the first so many words, so
a smaller budget lies within a larger one. Numbers a sentence lie on disk while this runs: memory
does not grow with the corpus.
"""

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kasu.base.errors import KasuError
from kasu.base.run import Progress, seed_of
from kasu.base.tables import ParquetWriter, landing, write_counts, write_drops
from kasu.corpora.text import CORPUS, mask, split_of, words

BUDGET = pa.schema([(name, pa.string()) for name in ("sentence_id", "text", "split_key", "part")])
"""A sentence a row, in the order of the corpus, so that articles stay in one piece."""
VALIDATION = "validation"
_BATCH = 8192
_CHUNK = 1 << 20
_BINS = 1 << 16
# What a sentence is for, beside the number of its part
_NO_PART, _HELD_OUT, _NEAR_COPY = -1, -2, -3
_ROW = np.dtype([("order", np.uint64), ("words", np.int32), ("part", np.int8)])


@dataclass
class Part:
    """A share of every budget: sentences whose source matches one of the patterns.

    Attributes:
        sources: names or shell patterns of the corpus's column `source`.
        histogram: (bins) words by the leading bits of their place in the order.
    """

    name: str
    share: float
    sources: Sequence[str]
    histogram: np.ndarray = field(default_factory=lambda: np.zeros(_BINS, np.int64))

    @property
    def words(self) -> int:
        """How many words the part has for training."""
        return int(self.histogram.sum())


def build_budgets(
    corpus: str | Path,
    folder: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    budgets: Mapping[str, int],
    parts: Sequence[Mapping],
    validation: float,
    seed: int,
) -> None:
    """Write `<folder>/<name>.parquet` for each budget and `<folder>/validation.parquet`.

    Sentences of one split key (an article, near copies) stay together in the order. A sentence
    whose masked text occurs in the validation text is in no budget (S-16). A budget ends with the
    sentence of a part that reaches its words.

    Args:
        corpus: CORPUS, so without duplicates.
        budgets: words by name.
        parts: `name`, `share` (they sum to 1), `sources` of each; a source belongs to the first
            part with a pattern that matches it.
        validation: share of the split keys held out.

    Raises:
        KasuError: shares do not sum to 1, a part matches no sentence, the text is smaller than a
            budget, or nothing is held out.
    """
    mix = _read_parts(parts)
    part_of = _PartOf(mix)
    ratios = {"train": 1 - validation, VALIDATION: validation}
    file = _open(corpus)
    total = file.metadata.num_rows
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".order-") as scratch:
        rows = np.memmap(Path(scratch) / "rows", _ROW, "w+", shape=(max(total, 1),))
        held_out = _masks_of_validation(file, part_of, ratios, seed)
        if not held_out:
            raise KasuError(corpus, f"no validation text in {total} sentences", "a larger share")
        dropped = _number(file, rows, part_of, ratios, held_out, seed)
        ends = {name: _ends(corpus, rows, mix, name, size) for name, size in budgets.items()}
        counted = _write(file, folder, rows, part_of, ends)
    write_counts(counts, counted)
    write_drops(drops, dropped)


def take_corpus(corpus: str | Path, budget: str | Path, counts: str | Path) -> None:
    """Write a whole corpus as BUDGET: a text that comes in the sizes of its authors (BL2MP-2).

    Args:
        corpus: CORPUS, so without duplicates. The part of a sentence is its source.

    Raises:
        KasuError: no CORPUS, or an empty one.
    """
    file = _open(corpus)
    counted: Counter[str] = Counter()
    with landing(budget) as part, ParquetWriter(part, BUDGET) as writer:
        for batch in file.iter_batches(_BATCH):
            counted["sentences"] += batch.num_rows
            counted["words"] += sum(len(words(text)) for text in batch["text"].to_pylist())
            table = pa.Table.from_batches([batch]).append_column("part", batch["source"])
            writer.write(table.select(BUDGET.names))
    write_counts(counts, counted)


def _open(corpus: str | Path) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(corpus)
    except (pa.ArrowInvalid, OSError) as error:
        raise KasuError(corpus, f"unreadable parquet ({str(error).splitlines()[0]})") from error
    if file.schema_arrow.names != CORPUS.names:
        raise KasuError(corpus, f"columns {file.schema_arrow.names}", f"{CORPUS.names}")
    if not file.metadata.num_rows:
        raise KasuError(corpus, "no sentence", "a text")
    return file


def _read_parts(parts: Sequence[Mapping]) -> list[Part]:
    mix = [Part(part["name"], part["share"], part["sources"]) for part in parts]
    if abs(sum(part.share for part in mix) - 1) > 1e-6 or any(part.share <= 0 for part in mix):
        shown = ", ".join(f"{part.name} {part.share:g}" for part in mix)
        raise KasuError("parts", f"shares {shown}", "shares above 0 that sum to 1")
    if len({part.name for part in mix} - {"total"}) < len(mix):
        raise KasuError("parts", "one name twice, or the name 'total'", "a name each")
    return mix


class _PartOf(dict[str, int]):
    """The number of a source's part; patterns are tried once a source."""

    def __init__(self, mix: Sequence[Part]) -> None:
        self.mix = mix

    def __missing__(self, source: str) -> int:
        found = [
            number
            for number, part in enumerate(self.mix)
            if any(fnmatchcase(source, pattern) for pattern in part.sources)
        ]
        self[source] = found[0] if found else _NO_PART
        return self[source]


def _batches(file: pq.ParquetFile) -> Iterator[tuple[int, dict[str, list]]]:
    start = 0
    for batch in file.iter_batches(_BATCH):
        yield start, batch.to_pydict()
        start += batch.num_rows


def _digest(text: str) -> bytes:
    return hashlib.blake2b(mask(text).encode(), digest_size=8).digest()


def _masks_of_validation(
    file: pq.ParquetFile, part_of: _PartOf, ratios: Mapping[str, float], seed: int
) -> set[bytes]:
    """Digests of the masked texts held out: as many as the validation text is long."""
    held_out = set()
    for _, batch in _batches(file):
        for text, key, source in zip(
            batch["text"], batch["split_key"], batch["source"], strict=True
        ):
            if part_of[source] >= 0 and split_of(key, ratios, seed) == VALIDATION:
                held_out.add(_digest(text))
    return held_out


def _number(
    file: pq.ParquetFile,
    rows: np.ndarray,
    part_of: _PartOf,
    ratios: Mapping[str, float],
    held_out: set[bytes],
    seed: int,
) -> Counter[str]:
    """Fill in the place, the words and the part of every sentence, and the parts' histograms."""
    dropped: Counter[str] = Counter()
    progress = Progress("word budgets", len(rows), "sentences")
    for start, batch in _batches(file):
        for at, (text, key, source) in enumerate(
            zip(batch["text"], batch["split_key"], batch["source"], strict=True), start
        ):
            part = part_of[source]
            if part == _NO_PART:
                dropped[f"{source}: in no part"] += 1
            elif split_of(key, ratios, seed) == VALIDATION:
                part = _HELD_OUT
            elif _digest(text) in held_out:
                part = _NEAR_COPY
                dropped[f"{source}: near copy of validation text"] += 1
            place, count = seed_of("budget", seed, key), len(words(text))
            rows[at] = place, count, part
            if part >= 0:
                part_of.mix[part].histogram[place >> 48] += count
        progress.add(len(batch["text"]))
    progress.report()
    return dropped


def _ends(
    corpus: str | Path, rows: np.ndarray, mix: Sequence[Part], name: str, size: int
) -> list[tuple[int, int]]:
    """For each part the place and number of the last sentence that a budget takes.

    Raises:
        KasuError: a part has too few words.
    """
    wanted = [round(size * part.share) for part in mix]
    if short := [part for part, need in zip(mix, wanted, strict=True) if part.words < need]:
        have = ", ".join(f"{part.name} {part.words}" for part in mix)
        fits = min(int(part.words / part.share) for part in mix)
        raise KasuError(
            corpus,
            f"{short[0].words} words of {short[0].name} where budget {name} takes "
            f"{round(size * short[0].share)}",
            f"a budget of {fits} words at most with these shares (words: {have})",
        )
    return [_end(rows, number, mix[number], need) for number, need in enumerate(wanted)]


def _end(rows: np.ndarray, number: int, part: Part, need: int) -> tuple[int, int]:
    if not need:
        return -1, -1
    before = np.cumsum(part.histogram)
    at = int(np.searchsorted(before, need))
    found = []
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        here = np.flatnonzero((chunk["part"] == number) & (chunk["order"] >> np.uint64(48) == at))
        found += [(int(chunk["order"][i]), start + int(i), int(chunk["words"][i])) for i in here]
    taken = int(before[at] - part.histogram[at])
    for order, row, count in sorted(found):
        taken += count
        if taken >= need:
            return order, row
    raise AssertionError("the histogram holds what the rows hold")


def _write(
    file: pq.ParquetFile,
    folder: str | Path,
    rows: np.ndarray,
    part_of: _PartOf,
    ends: Mapping[str, Sequence[tuple[int, int]]],
) -> dict[str, int]:
    counted: dict[str, int] = {}
    for name in (*ends, VALIDATION):
        tally: Counter[str] = Counter()
        with (
            landing(Path(folder) / f"{name}.parquet") as part,
            ParquetWriter(part, BUDGET) as writer,
        ):
            for start, batch in _batches(file):
                writer.write(_chosen(batch, start, rows, part_of, ends.get(name), tally))
        sources = [part.name for part in part_of.mix]
        for unit in ("sentences", "words"):
            for source in sources:
                counted[f"{name}: {source}: {unit}"] = tally[f"{source}: {unit}"]
            counted[f"{name}: total: {unit}"] = sum(tally[f"{each}: {unit}"] for each in sources)
    return counted


def _chosen(
    batch: Mapping[str, list],
    start: int,
    rows: np.ndarray,
    part_of: _PartOf,
    ends: Sequence[tuple[int, int]] | None,
    tally: Counter[str],
) -> list[dict[str, str]]:
    """The rows of BUDGET that a batch gives: up to the ends, or what is held out."""
    chosen = []
    for i, key in enumerate(batch["split_key"]):
        order, count, number = rows[start + i].tolist()
        if ends is None:
            if number != _HELD_OUT:
                continue
            number = part_of[batch["source"][i]]
        elif number < 0 or (order, start + i) > ends[number]:
            continue
        name = part_of.mix[number].name
        tally[f"{name}: sentences"] += 1
        tally[f"{name}: words"] += count
        chosen.append(
            {"sentence_id": batch["sentence_id"][i], "text": batch["text"][i], "split_key": key,
             "part": name}
        )  # fmt: skip
    return chosen

"""Word budgets: nested corpora of a given size and mix, and held-out validation text (BL2MP-2).

A seed puts the split keys in a random order. A budget takes sentences of each part in that order
until the part's share of its words is reached, so a larger budget contains a smaller one. Order,
words and part of each sentence lie in a file on disk: memory does not grow with the corpus.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.corpora.texts.sentences import CORPUS, mask, split_of, words
from kasu.files.parts import reserve, temporary
from kasu.files.tables import ParquetReader, ParquetWriter, landing, write_counts, write_drops
from kasu.job.run import Progress, seed_of

BUDGET = pa.schema([(name, pa.string()) for name in ("sentence_id", "text", "split_key", "part")])
"""One row per sentence, in the order of the corpus, so that articles stay in one piece."""
VALIDATION = "validation"
# A share divides split keys, so that none helps where there is one
_LONGER = "a longer text, or `split: true` if a line holds several sentences"
_BATCH = 8192
_CHUNK = 1 << 20
# The leading bits of a place in the order number its bin in the histogram of a part
_BIN_BITS = 16
_SHIFT = 64 - _BIN_BITS
# The column `part` of a sentence: the number of its part, or why it is not for training
_NO_PART, _HELD_OUT, _NEAR_COPY = -1, -2, -3
_ROW = np.dtype([("order", np.uint64), ("words", np.int32), ("part", np.int8)])


@dataclass
class Part:
    """A share of every budget: sentences whose source matches one of the patterns.

    Attributes:
        sources: names or shell patterns, matched against the column `source` of the corpus.
        histogram: (bins) words for training, by the leading bits of their place in the order.
    """

    name: str
    share: float
    sources: Sequence[str]
    histogram: np.ndarray = field(default_factory=lambda: np.zeros(1 << _BIN_BITS, np.int64))

    @property
    def words(self) -> int:
        """The number of words that the part has for training."""
        return int(self.histogram.sum())


_CutOff = tuple[int, int]
"""Place in the order and row of the last sentence that a budget takes from a part."""


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

    Sentences with one split key (an article, near copies) are consecutive in the order. A sentence
    whose masked text also occurs in the validation text is in no budget (S-16). The last sentence
    that a budget takes from a part is the one that reaches its words.

    Args:
        corpus: CORPUS, so without duplicates.
        budgets: words by name.
        parts: each with `name`, `share` (they sum to 1) and `sources`; a source belongs to the
            first part with a pattern that matches it.
        validation: share of the split keys held out.

    Raises:
        KasuError: the shares do not sum to 1, two parts have the same name, the text is smaller
            than a budget, or nothing is held out.
    """
    mix = _read_parts(parts)
    part_of = _PartOf(mix)
    ratios = {"train": 1 - validation, VALIDATION: validation}

    def is_held_out(key: str) -> bool:
        return split_of(key, ratios, seed) == VALIDATION

    file = _open(corpus)
    total = file.rows
    with temporary(Path(folder) / "order") as order:
        reserve(order, _ROW.itemsize * max(total, 1))
        rows = np.memmap(order, _ROW, "r+", shape=(max(total, 1),))
        # Pass 1: what the validation text has, since near copies of it are in no budget
        held_out = _digests_of_validation(file, part_of, is_held_out)
        if not held_out:
            keys = {key for _, batch in _batches(file) for key in batch["split_key"]}
            expected = "a larger share" if len(keys) > 1 else _LONGER
            found = f"no validation text in {total} sentence{'s' * (total > 1)}"
            raise KasuError(corpus, found, expected)
        # Pass 2: order, words and part of each sentence. Then one pass for each file to write
        dropped = _fill_rows(file, rows, part_of, is_held_out, held_out, seed)
        cut_offs = {name: _cut_offs(corpus, rows, mix, name, n) for name, n in budgets.items()}
        counted = _write(file, folder, rows, part_of, cut_offs)
    write_counts(counts, counted)
    write_drops(drops, dropped)


def take_corpus(corpus: str | Path, budget: str | Path, counts: str | Path) -> None:
    """Write a whole corpus as BUDGET: a text that its authors release in several sizes (BL2MP-2).

    Args:
        corpus: CORPUS, so without duplicates. The part of a sentence is its source.

    Raises:
        KasuError: the file is not a CORPUS, or is empty.
    """
    file = _open(corpus)
    counted: Counter[str] = Counter()
    with landing(budget) as part, ParquetWriter(part, BUDGET) as writer:
        for batch in file.batches(_BATCH):
            counted["sentences"] += batch.num_rows
            counted["words"] += sum(len(words(text)) for text in batch["text"].to_pylist())
            table = pa.Table.from_batches([batch]).append_column("part", batch["source"])
            writer.write(table.select(BUDGET.names))
    write_counts(counts, counted)


def _open(corpus: str | Path) -> ParquetReader:
    file = ParquetReader(corpus)
    if file.schema.names != CORPUS.names:
        raise KasuError(corpus, f"columns {file.schema.names}", f"{CORPUS.names}")
    if not file.rows:
        raise KasuError(corpus, "no sentence", "a text")
    return file


def _read_parts(parts: Sequence[Mapping]) -> list[Part]:
    mix = [Part(part["name"], part["share"], part["sources"]) for part in parts]
    if abs(sum(part.share for part in mix) - 1) > 1e-6 or any(part.share <= 0 for part in mix):
        shown = ", ".join(f"{part.name} {part.share:g}" for part in mix)
        raise KasuError("parts", f"shares {shown}", "shares above 0 that sum to 1")
    # The counts have a line `total` next to those of the parts
    if len({part.name for part in mix} - {"total"}) < len(mix):
        raise KasuError("parts", "one name twice, or the name 'total'", "a unique name for each")
    return mix


class _PartOf(dict[str, int]):
    """Source -> the number of its part, _NO_PART for none; patterns are matched once per source."""

    def __init__(self, mix: Sequence[Part]) -> None:
        self.mix = mix

    def __missing__(self, source: str) -> int:
        matching = (
            number
            for number, part in enumerate(self.mix)
            if any(fnmatchcase(source, pattern) for pattern in part.sources)
        )
        self[source] = next(matching, _NO_PART)
        return self[source]


def _batches(file: ParquetReader) -> Iterator[tuple[int, dict[str, list]]]:
    """Yield batches as columns, each with the number of its first row."""
    start = 0
    for batch in file.batches(_BATCH):
        yield start, batch.to_pydict()
        start += batch.num_rows


def _digest(text: str) -> bytes:
    return hashlib.blake2b(mask(text).encode(), digest_size=8).digest()


def _digests_of_validation(
    file: ParquetReader, part_of: _PartOf, is_held_out: Callable[[str], bool]
) -> set[bytes]:
    """Return digests of the masked validation sentences, all that is held in memory of them."""
    held_out = set()
    for _, batch in _batches(file):
        for text, key, source in zip(
            batch["text"], batch["split_key"], batch["source"], strict=True
        ):
            if part_of[source] >= 0 and is_held_out(key):
                held_out.add(_digest(text))
    return held_out


def _fill_rows(
    file: ParquetReader,
    rows: np.ndarray,
    part_of: _PartOf,
    is_held_out: Callable[[str], bool],
    held_out: set[bytes],
    seed: int,
) -> Counter[str]:
    """Fill in order, words and part of every sentence, and the histograms; return the drops."""
    dropped: Counter[str] = Counter()
    progress = Progress("word budgets", len(rows), "sentences")
    for start, batch in _batches(file):
        for row, (text, key, source) in enumerate(
            zip(batch["text"], batch["split_key"], batch["source"], strict=True), start
        ):
            part = part_of[source]
            if part == _NO_PART:
                dropped[f"{source}: in no part"] += 1
            elif is_held_out(key):
                part = _HELD_OUT
            elif _digest(text) in held_out:
                part = _NEAR_COPY
                dropped[f"{source}: near copy of validation text"] += 1
            # A place in the order is a hash of the split key, so equal keys are consecutive
            place, count = seed_of("budget", seed, key), len(words(text))
            rows[row] = place, count, part
            if part >= 0:
                part_of.mix[part].histogram[place >> _SHIFT] += count
        progress.add(len(batch["text"]))
    progress.report()
    return dropped


def _cut_offs(
    corpus: str | Path, rows: np.ndarray, mix: Sequence[Part], name: str, size: int
) -> list[_CutOff]:
    """Find the last sentence that a budget takes of each part.

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
            f"a budget of at most {fits} words with these shares (words: {have})",
        )
    return [_cut_off(rows, number, mix[number], need) for number, need in enumerate(wanted)]


def _cut_off(rows: np.ndarray, number: int, part: Part, need: int) -> _CutOff:
    """Find the sentence of a part that reaches `need` words; for 0 words, one before all others."""
    if not need:
        return -1, -1
    # The histogram tells in which bin the words are reached: sort the sentences of that bin alone
    words_up_to = np.cumsum(part.histogram)
    bin_number = int(np.searchsorted(words_up_to, need))
    in_bin = []
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        bins = chunk["order"] >> np.uint64(_SHIFT)
        here = np.flatnonzero((chunk["part"] == number) & (bins == bin_number))
        in_bin += [(int(chunk["order"][i]), start + int(i), int(chunk["words"][i])) for i in here]
    # Count on from the words of all bins before it
    taken = int(words_up_to[bin_number] - part.histogram[bin_number])
    for order, row, count in sorted(in_bin):
        taken += count
        if taken >= need:
            return order, row
    raise AssertionError("histogram and rows count the same words")


def _write(
    file: ParquetReader,
    folder: str | Path,
    rows: np.ndarray,
    part_of: _PartOf,
    cut_offs: Mapping[str, Sequence[_CutOff]],
) -> dict[str, int]:
    """Write the budgets and the validation text; return sentences and words by part."""
    counted: dict[str, int] = {}
    for name in (*cut_offs, VALIDATION):
        tally: Counter[str] = Counter()
        with (
            landing(Path(folder) / f"{name}.parquet") as landed,
            ParquetWriter(landed, BUDGET) as writer,
        ):
            for start, batch in _batches(file):
                writer.write(_chosen(batch, start, rows, part_of, cut_offs.get(name), tally))
        names = [part.name for part in part_of.mix]
        for unit in ("sentences", "words"):
            for part in names:
                counted[f"{name}: {part}: {unit}"] = tally[f"{part}: {unit}"]
            counted[f"{name}: total: {unit}"] = sum(tally[f"{part}: {unit}"] for part in names)
    return counted


def _chosen(
    batch: Mapping[str, list],
    start: int,
    rows: np.ndarray,
    part_of: _PartOf,
    cut_offs: Sequence[_CutOff] | None,
    tally: Counter[str],
) -> list[dict[str, str]]:
    """Choose rows of BUDGET from a batch: up to the cut-offs, or held out if there are none."""
    chosen = []
    for i, key in enumerate(batch["split_key"]):
        order, count, part = rows[start + i].tolist()
        if cut_offs is None:
            if part != _HELD_OUT:
                continue
            part = part_of[batch["source"][i]]  # the row has _HELD_OUT in its place
        elif part < 0 or (order, start + i) > cut_offs[part]:
            continue
        name = part_of.mix[part].name
        tally[f"{name}: sentences"] += 1
        tally[f"{name}: words"] += count
        chosen.append(
            {"sentence_id": batch["sentence_id"][i], "text": batch["text"][i], "split_key": key,
             "part": name}
        )  # fmt: skip
    return chosen

"""The lemmatised twin of a text: each lemma, then its suffixes in one standard form (BL2MP-3).

Apertium replaces Eustagger. It tags suffixes by their parts (`+a<det><art><sg>+an<post>` for the
inessive singular). All suffixes with one tag are written in the form that is most frequent in a
text.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from streamparser import reading_to_string

from kasu.base.errors import KasuError
from kasu.corpora.morphology.apertium import LONG_WORD, Analyser
from kasu.corpora.morphology.stream import UNIT, is_unknown, read_parts, split_unit
from kasu.corpora.texts.tokens import tokenise
from kasu.files.tables import (
    ParquetReader,
    ParquetWriter,
    landing,
    read_tsv,
    write_counts,
    write_drops,
    write_tsv,
)
from kasu.job.run import Progress, ordered_map

SPLITS = {
    "paper": ("n", "adj"),
    "released": ("n", "adj", "prn", "det", "num", "np"),
}
"""Parts of speech whose suffixes are split off: those named in the paper, and those split in its
released file (S-8)."""
SUFFIXES = ("tag", "suffix", "count", "share")
"""One row per tag: its most frequent form, how often it occurs, and its share of the tag."""
_ARTICLE = "<det><art>"
_BATCH = 1000
_REMEMBERED = 50_000


class Parts(NamedTuple):
    """A word split into lemma and suffixes.

    stem: the lemma in the word's own spelling.
    suffix: what follows the lemma in the word; None if the word does not begin with the lemma.
    """

    stem: str
    tag: str
    suffix: str | None


def split_word(surface: str, readings: Sequence[str], split: str) -> Parts | None:
    """Split a word into its lemma and suffixes; None if it stays whole.

    There is no disambiguation: a word that may also be a verb, an adverb or the like (*hartzen*,
    *beraz*) stays whole. Readings with suffixes are preferred to lexicalised lemmas (S-8: *etxe
    ko*, not *etxeko*), and readings with an article to readings without.

    Args:
        readings: in the analyser's notation.
        split: one of SPLITS.
    """
    suffixed = []
    for reading in readings:
        stem, *suffixes = read_parts(reading)
        if not stem.tags or stem.tags[0] not in SPLITS["released"]:
            return None
        if suffixes and stem.baseform and stem.tags[0] in SPLITS[split]:
            suffixed.append((stem.baseform, f"+{reading_to_string(suffixes)}"))
    if not suffixed:
        return None
    lemma, tag = next((reading for reading in suffixed if _ARTICLE in reading[1]), suffixed[0])
    # If the word begins with its lemma, split the word itself; if not, write the lemma
    if surface[: len(lemma)].casefold() == lemma.casefold():
        return Parts(surface[: len(lemma)], tag, surface[len(lemma) :])
    # "# " begins the queue of a multiword (*courts of appeal*: `court# of appeal`)
    lemma = lemma.replace("# ", " ")
    stem = lemma[0].upper() + lemma[1:] if surface[:1].isupper() else lemma
    return Parts(stem, tag, None)


def check_split(split: str) -> None:
    """Check that `split` is one of SPLITS.

    Raises:
        KasuError: it is not.
    """
    if split not in SPLITS:
        raise KasuError("split", repr(split), " or ".join(SPLITS))


def learn_suffixes(analyses: str | Path, suffixes: str | Path, *, split: str) -> None:
    """Write SUFFIXES: for each tag, its most frequent form in an analysed text.

    Words that equal their lemma (*neska*, "girl" or "the girl") or do not begin with it show no
    form and are skipped. Ties go to the alphabetically first form.

    Args:
        analyses: parquet of `kasu.corpora.morphology.apertium`.

    Raises:
        KasuError: `split` is unknown, no word has a suffix, or the file is not parquet.
    """
    check_split(split)
    forms: dict[str, Counter[str]] = {}
    for (surface, readings), count in _count_units(analyses).items():
        parts = split_word(surface, readings, split)
        if parts and parts.suffix:
            forms.setdefault(parts.tag, Counter())[parts.suffix.casefold()] += count
    if not forms:
        raise KasuError(analyses, f"no word to split under {split!r}", "an analysed text")
    rows = []
    for tag in sorted(forms):
        suffix, count = min(forms[tag].items(), key=lambda item: (-item[1], item[0]))
        share = count / forms[tag].total()
        rows.append({"tag": tag, "suffix": suffix, "count": count, "share": f"{share:.4f}"})
    write_tsv(suffixes, rows, SUFFIXES)


def _count_units(analyses: str | Path) -> Counter[tuple[str, tuple[str, ...]]]:
    """Count the words with their readings; one entry per distinct word and readings."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    surface = ""
    readings: list[str] = []
    for batch in ParquetReader(analyses).batches(columns=["surface", "rank", "reading"]):
        for word, rank, reading in zip(*batch.to_pydict().values(), strict=True):
            # One row per reading; rank 0 begins the next word. The first one counts an empty word,
            # which no rule splits
            if rank == 0:
                counts[surface, tuple(readings)] += 1
                surface, readings = word, []
            if reading is not None:
                readings.append(reading)
    counts[surface, tuple(readings)] += 1
    return counts


def read_suffixes(path: str | Path) -> dict[str, str]:
    """Read the form of each tag from a file of SUFFIXES."""
    return {row["tag"]: row["suffix"] for row in read_tsv(path, SUFFIXES)}


class Segmenter:
    """A splitter of analysed sentences into lemmas, suffixes and marks, separated by blanks."""

    def __init__(self, suffixes: Mapping[str, str], split: str) -> None:
        check_split(split)
        self.suffixes, self.split = suffixes, split
        self.unit = lru_cache(_REMEMBERED)(self._unit)

    def _unit(self, unit: str) -> tuple[str, str]:
        """Return the text for a lexical unit in stream format, and the step that counts it."""
        surface, readings = split_unit(unit)
        if is_unknown(readings[0]):
            return surface, "unknown units"
        parts = split_word(surface, readings, self.split)
        # *neska* is written the same with and without its article (S-2)
        if parts is None or parts.suffix == "":
            return surface, "other units"
        suffix = self.suffixes.get(parts.tag, parts.suffix)
        if suffix is None:
            return surface, "units with a suffix never seen"
        return f"{parts.stem} {suffix}", "units with suffix"

    def segment(self, output: str, counts: Counter[str]) -> str:
        """Segment a sentence.

        Args:
            output: the analyser's output, in stream format.
            counts: units by step; the units of the sentence are added.
        """

        def written(match: re.Match[str]) -> str:
            if match[1] is None:  # an escaped mark, or a superblank
                return match[0][1:] if match[0][0] == "\\" else ""
            text, step = self.unit(match[1])
            counts["units"] += 1
            counts[step] += 1
            return text

        # Blanks and marks between units are kept as they are
        return " ".join(tokenise(UNIT.sub(written, output)))


def lemmatise(
    table: str | Path,
    suffixes: str | Path,
    twin: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    dictionary: str | Path,
    split: str,
    workers: int = 1,
) -> None:
    """Segment a corpus (column `text`) or pairs (columns `sentence_...`); keep all other columns.

    Dropped are pairs whose halves become equal (BL2MP-1: 17 of the released 1,800), and rows with a
    word of 10,000 characters.

    Args:
        suffixes: SUFFIXES of the corpus, also for the pairs that its models are tested on.
        dictionary: the compiled analyser.

    Raises:
        KasuError: `split` is unknown, there is no text column, or the analyser fails.
    """
    forms = read_suffixes(suffixes)
    check_split(split)
    Analyser(dictionary).close()  # one clear line now, not a broken pool later
    file = ParquetReader(table)
    columns = _text_columns(table, file.schema.names)
    progress = Progress("segmentation", file.rows, "rows")
    counted: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    pa.array([""])  # pyarrow imports pandas with its first array: once here, not in every worker
    batches = ((_analysable(batch, columns, dropped), columns) for batch in file.batches(_BATCH))
    with landing(twin) as temporary, ParquetWriter(temporary, file.schema) as writer:
        for rows, steps in ordered_map(
            _segment_batch, batches, workers, _start_worker, (dictionary, forms, split)
        ):
            writer.write(list(_different(rows, dropped)))
            counted.update(steps)
            progress.add(len(rows))
        counted["rows"] = writer.rows
    progress.report()
    write_counts(counts, {key: counted[key] for key in sorted(counted)})
    write_drops(drops, dropped)


def _text_columns(table: str | Path, names: Sequence[str]) -> list[str]:
    columns = [name for name in names if name == "text" or name.startswith("sentence_")]
    columns = [name for name in columns if name != "sentence_id"]
    if not columns:
        raise KasuError(table, f"columns {', '.join(names)}", "text, or sentence_...")
    return columns


def _analysable(
    batch: pa.RecordBatch, columns: Sequence[str], dropped: Counter[str]
) -> dict[str, list]:
    """Return the rows that lt-proc can take, by column; count the others."""
    rows = batch.to_pylist()
    kept = [row for row in rows if not any(LONG_WORD.search(row[name]) for name in columns)]
    if len(kept) < len(rows):
        dropped["a word of 10,000 characters"] += len(rows) - len(kept)
    return {name: [row[name] for row in kept] for name in batch.schema.names}


class _Worker(NamedTuple):
    """What a worker process keeps from one batch to the next."""

    analyser: Analyser
    segmenter: Segmenter


_worker: _Worker


def _start_worker(dictionary: str | Path, suffixes: Mapping[str, str], split: str) -> None:
    global _worker
    _worker = _Worker(Analyser(dictionary), Segmenter(suffixes, split))


def _segment_batch(task: tuple[dict[str, list], list[str]]) -> tuple[list[dict], Counter[str]]:
    """Segment the text columns of a batch; return its rows, and its units by step."""
    batch, columns = task
    counts: Counter[str] = Counter()
    for column in columns:
        outputs = _worker.analyser.analyse(batch[column])
        batch[column] = [_worker.segmenter.segment(output, counts) for output in outputs]
    return [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)], counts


def _different(rows: Sequence[dict], dropped: Counter[str]) -> Iterator[dict]:
    """Yield the rows without pairs of equal halves; count these."""
    for row in rows:
        if "sentence_good" in row and row["sentence_good"] == row["sentence_bad"]:
            dropped["equal when segmented"] += 1
        else:
            yield row

"""The lemmatised twin: a lemma, then the most frequent surface of its suffixes' tag (BL2MP-3).

Apertium stands in for Eustagger. It names a suffix by its parts (`+a<det><art><sg>+an<post>` for
the inessive singular); what a text writes most often for these parts stands for all of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from kasu.base.errors import KasuError
from kasu.base.run import Progress, ordered_map
from kasu.base.tables import (
    ParquetWriter,
    landing,
    read_tsv,
    write_counts,
    write_drops,
    write_tsv,
)
from kasu.corpora.apertium import SLASH, UNIT, Analyser
from kasu.pretraining.data.tokens import tokenise

SPLITS = {
    "paper": ("n", "adj"),
    "released": ("n", "adj", "prn", "det", "num", "np"),
}
"""Parts of speech whose suffixes are split off: those that the paper names, and those that its
released file shows (S-8)."""
SUFFIXES = ("tag", "suffix", "count", "share")
"""A line a tag: its most frequent surface, how often, and which share of the tag that is."""
_ESCAPE = re.compile(r"\\(.)|\[\]", re.DOTALL)
_READING = re.compile(r"([^<]+)<([^>]+)>[^+]*(\+.+)?", re.DOTALL)
_ARTICLE = "<det><art>"
_BATCH = 1000
_REMEMBERED = 50_000


class Parts(NamedTuple):
    """A reading that can be split.

    suffix: what the word writes behind its lemma, None where it does not begin with it.
    """

    stem: str
    tag: str
    suffix: str | None


def split_word(surface: str, readings: Sequence[str], split: str) -> Parts | None:
    """The lemma of a word and its suffixes; None where it is not split.

    Nobody disambiguates: a word that can also be of another class, such as a verb or an adverb
    (*hartzen*, *beraz*), stays whole. A reading with suffixes is preferred to a lexicalised lemma
    (S-8: *etxe ko*, not *etxeko*), and one with an article to one without. The lemma is written as
    the word writes it.

    Args:
        readings: as the analyser writes them.
        split: of SPLITS.
    """
    found = []
    for reading in readings:
        match = _READING.fullmatch(reading)
        if not match or match[2] not in SPLITS["released"]:
            return None
        if match[3] and match[2] in SPLITS[split]:
            found.append((match[1], match[3]))
    if not found:
        return None
    lemma, tag = next((each for each in found if _ARTICLE in each[1]), found[0])
    if surface[: len(lemma)].casefold() == lemma.casefold():
        return Parts(surface[: len(lemma)], tag, surface[len(lemma) :])
    stem = lemma[0].upper() + lemma[1:] if surface[:1].isupper() else lemma
    return Parts(stem, tag, None)


def check_split(split: str) -> None:
    """Raises:
    KasuError: there is no such way to split.
    """
    if split not in SPLITS:
        raise KasuError("split", repr(split), " or ".join(SPLITS))


def learn_suffixes(analyses: str | Path, suffixes: str | Path, *, split: str) -> None:
    """Write SUFFIXES: of each tag the surface that an analysed text writes most often.

    A word that equals its lemma (*neska*, girl or the girl) or does not begin with it says nothing
    of the surface and is passed over. Equal counts go by the alphabet.

    Args:
        analyses: parquet of `kasu.corpora.apertium`.

    Raises:
        KasuError: no such way to split; the text has no suffix; the file is no parquet.
    """
    check_split(split)
    surfaces: dict[str, Counter[str]] = {}
    for (surface, readings), count in _count_units(analyses).items():
        parts = split_word(surface, readings, split)
        if parts and parts.suffix:
            surfaces.setdefault(parts.tag, Counter())[parts.suffix.casefold()] += count
    if not surfaces:
        raise KasuError(analyses, f"no word to split under {split!r}", "an analysed text")
    rows = []
    for tag in sorted(surfaces):
        suffix, count = min(surfaces[tag].items(), key=lambda each: (-each[1], each[0]))
        share = count / surfaces[tag].total()
        rows.append({"tag": tag, "suffix": suffix, "count": count, "share": f"{share:.4f}"})
    write_tsv(suffixes, rows, SUFFIXES)


def _count_units(analyses: str | Path) -> Counter[tuple[str, tuple[str, ...]]]:
    """How often each word has which readings; as many entries as the text has different words."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    surface, readings = "", []
    try:
        file = pq.ParquetFile(analyses)
        for batch in file.iter_batches(columns=["surface", "rank", "reading"]):
            for word, rank, reading in zip(*batch.to_pydict().values(), strict=True):
                if rank == 0:
                    counts[surface, tuple(readings)] += 1
                    surface, readings = word, []
                if reading is not None:
                    readings.append(reading)
    except (pa.ArrowInvalid, OSError) as error:
        raise KasuError(analyses, f"unreadable parquet ({str(error).splitlines()[0]})") from error
    counts[surface, tuple(readings)] += 1
    return counts


def read_suffixes(path: str | Path) -> dict[str, str]:
    """The surface of each tag from a file of SUFFIXES."""
    return {row["tag"]: row["suffix"] for row in read_tsv(path, SUFFIXES)}


class Segmenter:
    """Splits analysed sentences into lemmas, suffixes and marks, with a blank between any two."""

    def __init__(self, suffixes: Mapping[str, str], split: str) -> None:
        check_split(split)
        self.suffixes, self.split = suffixes, split
        self.unit = lru_cache(_REMEMBERED)(self._unit)

    def _unit(self, unit: str) -> tuple[str, str]:
        """What is written for a lexical unit in stream format, and what was done."""
        surface, *readings = SLASH.split(unit[1:-1])
        surface = _unescape(surface)
        if readings[0].startswith("*"):
            return surface, "unknown units"
        parts = split_word(surface, readings, self.split)
        # The spelling swallows the article of *neska*, or there is none (S-2)
        if parts is None or parts.suffix == "":
            return surface, "other units"
        suffix = self.suffixes.get(parts.tag, parts.suffix)
        if suffix is None:
            return surface, "units with a suffix never seen"
        return f"{parts.stem} {suffix}", "units with suffix"

    def segment(self, output: str, counts: Counter[str]) -> str:
        """Segment a sentence.

        Args:
            output: the analyser's answer, in stream format.
            counts: of units, by what was done; added to.
        """
        pieces, at = [], 0
        for match in UNIT.finditer(output):
            if match[1] is None:
                continue
            text, done = self.unit(match[1])
            counts["units"] += 1
            counts[done] += 1
            pieces += _unescape(output[at : match.start()]), text
            at = match.end()
        pieces.append(_unescape(output[at:]))
        return " ".join(tokenise("".join(pieces)))


def _unescape(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


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
    """Segment a corpus (column `text`) or pairs (columns `sentence_...`); other columns stay.

    Pairs that become equal are left out (BL2MP-1: 17 of the released 1,800 do).

    Args:
        suffixes: SUFFIXES of the corpus, for the corpus and for what its models are tested on.
        dictionary: the compiled analyser.

    Raises:
        KasuError: no such way to split, no text column, or the analyser fails.
    """
    known = read_suffixes(suffixes)
    check_split(split)
    Analyser(dictionary).close()  # one clear line here, not a broken pool later
    try:
        file = pq.ParquetFile(table)
    except (pa.ArrowInvalid, OSError) as error:
        raise KasuError(table, f"unreadable parquet ({str(error).splitlines()[0]})") from error
    names = file.schema_arrow.names
    columns = [name for name in names if name == "text" or name.startswith("sentence_")]
    columns = [name for name in columns if name != "sentence_id"]
    if not columns:
        raise KasuError(table, f"columns {', '.join(names)}", "text, or sentence_...")
    progress = Progress("segmentation", file.metadata.num_rows, "rows")
    counted: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    pa.array([""])  # pyarrow imports pandas at its first array: once here, not once a worker
    batches = ((batch.to_pydict(), columns) for batch in file.iter_batches(_BATCH))
    with landing(twin) as part, ParquetWriter(part, file.schema_arrow) as writer:
        for rows, done in ordered_map(
            _segment_batch, batches, workers, _start_worker, (dictionary, known, split)
        ):
            kept = list(_different(rows, dropped))
            writer.write(kept)
            counted.update(done)
            progress.add(len(rows))
        counted["rows"] = writer.rows
    progress.report()
    write_counts(counts, {key: counted[key] for key in sorted(counted)})
    write_drops(drops, dropped)


_worker: dict[str, object] = {}


def _start_worker(dictionary: str | Path, suffixes: Mapping[str, str], split: str) -> None:
    _worker["analyser"] = Analyser(dictionary)
    _worker["segmenter"] = Segmenter(suffixes, split)


def _segment_batch(given: tuple[dict[str, list], list[str]]) -> tuple[list[dict], Counter[str]]:
    batch, columns = given
    counts: Counter[str] = Counter()
    for column in columns:
        outputs = _worker["analyser"].analyse(batch[column])
        batch[column] = [_worker["segmenter"].segment(output, counts) for output in outputs]
    return [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)], counts


def _different(rows: Sequence[dict], dropped: Counter[str]) -> Iterator[dict]:
    for row in rows:
        if "sentence_good" in row and row["sentence_good"] == row["sentence_bad"]:
            dropped["equal when segmented"] += 1
        else:
            yield row

"""Morphological analysis with Apertium: each worker keeps one lt-proc running; no reading is lost.

Sentences are sent whole, each followed by NUL, and the analyser answers each one (BASQUE-2).
"""

import os
import re
import select
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.corpora.morphology.stream import escape, find_units, is_unknown, read_parts, split_unit
from kasu.corpora.morphology.tagset import Tagset, read_tagset
from kasu.files.tables import ParquetReader, ParquetWriter, landing, write_counts
from kasu.job.run import Progress, how_it_ended, log, ordered_map

# Either would end a sentence early, and all later answers would belong to the wrong sentences
ENDS_INPUT = str.maketrans("\0\uffff", "\ufffd\ufffd")
# Ends with an empty superblank: right before NUL lt-proc swallows a full stop and whatever it
# might be the start of
END = "[]\0"
# A pause between reads saves waking up for every sentence; lt-proc fills little of its pipe in it
PAUSE = 0.002  # seconds
# Without an answer for so long, lt-proc is stuck, as over a damaged dictionary
DEADLINE = 60.0  # seconds
# lt-proc takes time quadratic in the length of a word: 0.3 s for this one, an hour for 1 MB
LONG_WORD = re.compile(r"\S{10000}")
MAGIC = b"LTTB"
SENTENCES_A_BATCH = 1_000
# Index of the cell of `unit_rows` that is null for an unknown unit
UNKNOWN = 3
# Counts of what is left out
NO_TEXT = "rows without text, left out"
TOO_LONG = "sentences with a word of 10,000 characters, left out"
SHOWN = "readings with "  # and what of the tagset they show
# Distinct units whose parse a worker caches: bounds its memory, however long the text
REMEMBERED = 20_000
# Rows of a row group of the table, 40 MB: 2 GB of Wikipedia have some 200 million
ROWS_A_GROUP = 1 << 18


def schema(tagset: Tagset) -> pa.Schema:
    """Return the columns of an analysis: one row per reading, in the order of the text.

    `unit` numbers the lexical units of a sentence from 0, `rank` the readings of a unit. `reading`
    is the reading as lt-proc wrote it; `tags` are those of its head (see `unit_rows`), and `pos` is
    the first of them, or the finite tag if it is among them. The lemma of a multiword with inner
    inflection has its queue (*takes out*: `take# out`). An unknown unit has one reading, with its
    surface as lemma and a null `pos`.
    """
    text = pa.string()
    columns = [("sentence_id", text), ("unit", pa.int32()), ("surface", text), ("rank", pa.int32())]
    columns += [(name, text) for name in ("lemma", "pos", "tags", "reading", "suffix")]
    return pa.schema(columns + [(slot, text) for slot in tagset.slots])


def expect_installed(dictionary: str | Path, program: str = "lt-proc") -> None:
    """Raise a KasuError unless the program that analyses, and a dictionary, are on this machine."""
    guide = "README says which studies do without Apertium"
    if not shutil.which(program):
        raise KasuError(program, "not installed", f"the package lttoolbox ({guide})")
    if not Path(dictionary).is_file():
        expected = f"an installed apertium-* package ({guide})"
        raise KasuError(dictionary, "no such dictionary", expected)


class Analyser:
    """A running lt-proc.

    Args:
        dictionary: a compiled analyser (`*.automorf.bin`).
        program: the program that runs it.

    Raises:
        KasuError: the program or the dictionary is missing, or the file is not a dictionary.
    """

    def __init__(self, dictionary: str | Path, program: str = "lt-proc") -> None:
        expect_installed(dictionary, program)
        with open(dictionary, "rb") as file:
            if file.read(len(MAGIC)) != MAGIC:  # lt-proc accepts any file and then knows no word
                raise KasuError(dictionary, "not an lttoolbox dictionary", "a compiled analyser")
        # -w: lemmas as the dictionary writes them; -z: flush at NUL
        self._process = subprocess.Popen(
            [program, "-w", "-z", str(dictionary)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._process.stdin and self._process.stderr
        assert self._process.stdout
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr = self._process.stderr

    def analyse(self, sentences: Sequence[str]) -> list[str]:
        """Analyse sentences; return the output for each, in Apertium stream format.

        Raises:
            KasuError: lt-proc died, or gave no answer within DEADLINE.
        """
        text = "".join(escape(s.translate(ENDS_INPUT)) + END for s in sentences)
        # Feed from a thread: lt-proc stops reading while its output pipe is full
        feeder = threading.Thread(target=self._feed, args=(text.encode(),))
        feeder.start()
        answer = bytearray()
        missing = len(sentences)
        while missing > 0:
            if not select.select([self._stdout], [], [], DEADLINE)[0]:
                self._process.kill()
                feeder.join()
                found = f"no answer in {DEADLINE:g} s to the sentence {sentences[-missing][:80]!r}"
                raise KasuError("lt-proc", found, "a sound dictionary")
            # Past the buffer, in which `select` would not see what was read ahead
            piece = os.read(self._stdout.fileno(), 1 << 16)
            if not piece:
                break
            missing -= piece.count(b"\0")
            answer += piece
            time.sleep(PAUSE)
        feeder.join()
        if missing > 0:
            at = sentences[len(sentences) - missing]
            raise KasuError("lt-proc", f"died at the sentence {at[:80]!r} ({self._last_words()})")
        return answer.decode().split("\0")[:-1]

    def _feed(self, data: bytes) -> None:
        try:
            self._stdin.write(data)
            self._stdin.flush()
        except BrokenPipeError:
            pass  # `analyse` reports it

    def _last_words(self) -> str:
        said = " ".join(self._stderr.read().decode(errors="replace").split())
        return said or how_it_ended(self._process.wait())

    def close(self) -> None:
        """End the analyser.

        Raises:
            KasuError: it does not end within DEADLINE.
        """
        with suppress(BrokenPipeError):  # it may be dead, with text unread
            self._stdin.close()
        try:
            self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            found = f"has not ended after {DEADLINE:g} s"
            raise KasuError("lt-proc", found, "a sound dictionary") from None
        self._stdout.close()
        self._stderr.close()


def analyse_corpus(
    sentences: str | Path,
    analyses: str | Path,
    counts: str | Path,
    *,
    dictionary: str | Path,
    tagset: str | Path,
    workers: int,
) -> None:
    """Analyse every sentence of a corpus; write one row per reading (see `schema`) and the counts.

    Sentences with a word that would keep lt-proc busy for too long, and rows without text, are
    counted and left out. Readings are counted by what of the tagset they show (`Tagset.marks`),
    and a line of the log names what none does: no fault in a text that only needs lemmata.

    Raises:
        KasuError: the program, dictionary or tagset is missing; the dictionary knows no word of
            the text; lt-proc died or gave no answer.
    """
    tags = read_tagset(tagset)
    Analyser(dictionary).close()  # fail here with one clear line, not later with a broken pool
    pa.array([""])  # pyarrow imports pandas at its first array: once here, not in every worker
    progress = Progress("analysis", ParquetReader(sentences).rows, "sentences")
    totals: Counter[str] = Counter()
    with landing(analyses) as part, ParquetWriter(part, schema(tags), ROWS_A_GROUP) as writer:
        batches = ordered_map(
            _analyse_batch, _batches(sentences), workers, _start_worker, (dictionary, tags)
        )
        for table, counted in batches:
            writer.write(table)
            totals.update(counted)
            if 0 < totals["units"] == totals["unknown units"]:
                found = f"knows none of the first {totals['units']} words"
                raise KasuError(dictionary, found, "an analyser of the text's language")
            progress.add(counted["sentences"])
    progress.report()
    unseen = []
    steps = ["sentences", "sentences without a lexical unit", "units", "unknown units", "readings"]
    for column, marks in tags.marks().items():
        steps += [f"{SHOWN}{column} {mark}" for mark in marks]
        if never := [mark for mark in marks if not totals[f"{SHOWN}{column} {mark}"]]:
            unseen.append(f"{column} {', '.join(never)}")
    if unseen:
        log.warning("%s: no reading has %s", tagset, "; ".join(unseen))
    left_out = {step: totals[step] for step in (NO_TEXT, TOO_LONG) if totals[step]}
    write_counts(counts, {step: totals[step] for step in steps} | left_out)


def analyser_version() -> dict[str, str]:
    """Return the version of lt-proc by its name; nothing if it is not installed."""
    program = shutil.which("lt-proc")
    if not program:
        return {}
    said = subprocess.run([program, "--version"], capture_output=True, check=False)
    return {"lt-proc": said.stdout.decode(errors="replace").split()[-1]}


def _batches(path: str | Path) -> Iterator[tuple[list[str], list[str]]]:
    for batch in ParquetReader(path).batches(SENTENCES_A_BATCH, ["sentence_id", "text"]):
        yield batch.column(0).to_pylist(), batch.column(1).to_pylist()


class _Worker(NamedTuple):
    """What a worker process keeps from batch to batch."""

    analyser: Analyser
    tagset: Tagset
    rows: Callable[[str], list[tuple]]


_worker: _Worker  # set in worker processes


def _start_worker(dictionary: str | Path, tagset: Tagset) -> None:
    global _worker
    pa.set_cpu_count(1)
    rows = lru_cache(REMEMBERED)(lambda unit: unit_rows(unit, tagset))
    _worker = _Worker(Analyser(dictionary), tagset, rows)


def _analyse_batch(batch: tuple[list[str], list[str]]) -> tuple[pa.Table, Counter]:
    ids, texts = [], []
    left_out: Counter[str] = Counter()
    for sentence_id, text in zip(*batch, strict=True):
        if text is None or LONG_WORD.search(text):
            left_out[NO_TEXT if text is None else TOO_LONG] += 1
        else:
            ids.append(sentence_id)
            texts.append(text)
    outputs = _worker.analyser.analyse(texts)
    table, counts = tabulate(ids, outputs, _worker.tagset, _worker.rows)
    return table, counts + left_out


def unit_rows(unit: str, tagset: Tagset) -> list[tuple]:
    """Return the rows of a lexical unit in stream format: `schema` without its first columns.

    The lemma is that of the finite verb where a reading has one (*ba* + *luke*), else that of
    the first part.
    """
    surface, texts = split_unit(unit)
    # A third of the distinct units are unknown; they need no parser
    if is_unknown(texts[0]):
        return [(surface, 0, surface, *(None,) * (4 + len(tagset.slots)))]
    rows = []
    for rank, text in enumerate(texts):
        parts = read_parts(text)
        head = next((part for part in parts if tagset.finite in part.tags), parts[0])
        finite = tagset.finite in head.tags
        pos = tagset.finite if finite else "".join(head.tags[:1])
        tags = "".join(f"<{tag}>" for tag in head.tags)
        slots = tagset.slot_tags(head.tags) if finite else {}
        cells = (surface, rank, head.baseform, pos, tags, text, tagset.nuclear_suffix(parts))
        rows.append((*cells, *(slots.get(slot) for slot in tagset.slots)))
    return rows


def tabulate(
    ids: Sequence[str],
    outputs: Sequence[str],
    tagset: Tagset,
    rows: Callable[[str], list[tuple]],
) -> tuple[pa.Table, Counter]:
    """Turn the analyser's output into rows of `schema`.

    Each distinct unit is parsed once, and the table is assembled column by column: so the
    analyser, not Python, is the bottleneck.

    Args:
        ids: ids of the sentences.
        outputs: the analyser's output for each.
        tagset: the meaning of the tags.
        rows: returns the rows of a unit, as `unit_rows` does.

    Returns:
        The table, and counts of sentences, units, unknown units and readings, and of readings by
        what of the tagset they show.
    """
    number: dict[str, int] = {}
    units: list[int] = []
    lengths = np.zeros(len(ids), dtype=np.int64)
    for i, output in enumerate(outputs):
        found = find_units(output)
        lengths[i] = len(found)
        units += [number.setdefault(unit, len(number)) for unit in found]
    readings = [rows(unit) for unit in number]
    unit_numbers = np.array(units, dtype=np.int64)
    sizes = np.array([len(unit) for unit in readings], dtype=np.int64)
    repeats = sizes[unit_numbers]
    # For every unit of the text in turn, the rows of its readings in the flat list of distinct ones
    index = np.repeat((np.cumsum(sizes) - sizes)[unit_numbers], repeats) + _count_up(repeats)
    sentence = np.repeat(np.repeat(np.arange(len(ids)), lengths), repeats)
    unknown = np.array([unit[0][UNKNOWN] is None for unit in readings], dtype=bool)
    counts = Counter(
        {
            "sentences": len(ids),
            "sentences without a lexical unit": int((lengths == 0).sum()),
            "units": len(unit_numbers),
            "unknown units": int(unknown[unit_numbers].sum()),
            "readings": len(index),
        }
    )
    names = schema(tagset)
    if not len(index):
        return names.empty_table(), counts
    cells = zip(*(row for unit in readings for row in unit), strict=True)
    columns = [pa.array(ids, pa.string()).take(sentence), np.repeat(_count_up(lengths), repeats)]
    columns += [
        pa.array(column, field.type).take(index)
        for column, field in zip(cells, list(names)[2:], strict=True)
    ]
    table = pa.table(columns, schema=names)
    for column, marks in tagset.marks().items():
        seen = {each["values"]: each["counts"] for each in table[column].value_counts().to_pylist()}
        counts.update({f"{SHOWN}{column} {mark}": seen.get(mark, 0) for mark in marks})
    return table, counts


def _count_up(lengths: np.ndarray) -> np.ndarray:
    """Return 0, 1, … n-1 for every n in `lengths`, concatenated."""
    return np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)

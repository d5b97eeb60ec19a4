"""A corpus as one stream of token ids on disk, and rows of equal length cut from it.

In the stream each sentence ends in [SEP]. A row is [CLS] and the next piece of the stream, so it
begins like a single sentence and needs no padding.
"""

from collections import Counter
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.files.tables import landing, write_counts
from kasu.job.run import Progress, log, seed_of
from kasu.lm.pretraining.masking import mask_tokens
from kasu.lm.pretraining.texts import BATCH, CorpusPart, read_texts
from kasu.lm.pretraining.tokenizer import (
    CLS,
    SEP,
    SPECIAL,
    UNKNOWN,
    count_pieces,
    read_tokenizer,
    word_starts,
)

COUNTED = ("sentences", "words_and_marks", "tokens", "unknown_tokens", "empty_sentences")


def encode_corpus(
    corpus: str | Path,
    tokenizer: str | Path,
    tokens: str | Path,
    counts: str | Path,
    *,
    part: CorpusPart | None = None,
) -> None:
    """Write the stream of a corpus, of any size in constant memory.

    A special token that is spelt out in the corpus counts as text: brackets and letters.

    Args:
        corpus: what `read_texts` accepts.
        tokenizer: the folder that `write_tokenizer` wrote.
        tokens: the .npy file to write: (tokens), uint16, or uint32 for over 65,536 pieces.
        counts: TSV to write, of COUNTED and of the pieces that the tokenizer was asked for and
            obtained. Sentences without a token are left out and counted as empty.

    Raises:
        KasuError: the corpus has no text.
    """
    pieces = read_tokenizer(tokenizer)
    pieces.backend_tokenizer.encode_special_tokens = True
    kind = np.dtype("<u2" if len(pieces) <= 1 << 16 else "<u4")
    totals = Counter(dict.fromkeys(COUNTED, 0))
    begins = word_starts(pieces)
    progress = Progress("encoding", None, "tokens")
    texts = read_texts(corpus, part)
    with landing(tokens) as written, written.open("wb") as file:
        _write_header(file, kind, 0)
        while batch := list(islice(texts, BATCH)):
            coded = pieces.backend_tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            rows = [row.ids for row in coded]
            chunk = np.array([token for ids in rows if ids for token in (*ids, SEP)], kind)
            file.write(chunk.tobytes())
            totals["empty_sentences"] += sum(not ids for ids in rows)
            totals["sentences"] += sum(bool(ids) for ids in rows)
            totals["words_and_marks"] += int((begins[chunk] & (chunk >= len(SPECIAL))).sum())
            totals["unknown_tokens"] += int((chunk == UNKNOWN).sum())
            totals["tokens"] += len(chunk)
            progress.add(len(chunk))
        if not totals["tokens"]:
            raise KasuError(corpus, "no word", "a text")
        file.seek(0)
        _write_header(file, kind, totals["tokens"])
    write_counts(counts, {**totals, **count_pieces(tokenizer)})
    log.info("%s: %s", tokens, ", ".join(f"{totals[key]} {key}" for key in COUNTED))


def _write_header(file: BinaryIO, kind: np.dtype, count: int) -> None:
    """Write the .npy header; NumPy pads it so that its length does not depend on `count`."""
    facts = {"descr": kind.str, "fortran_order": False, "shape": (count,)}
    np.lib.format.write_array_header_1_0(file, facts)


class Packed:
    """Rows of equal length cut from a stream.

    Every row begins with a sentence. A sentence that does not fit is cut, and begins the next row
    again, so that every token is read. A sentence longer than a row continues in the next one. The
    last row is filled up from the beginning of the stream.

    Attributes:
        stream: (tokens), memory-mapped.
        length: tokens per row.
    """

    def __init__(self, tokens: str | Path, length: int) -> None:
        """Open a stream.

        Raises:
            KasuError: the file is not a stream of unsigned integers, or shorter than a row.
        """
        try:
            self.stream = np.lib.format.open_memmap(tokens, mode="r")
        except (ValueError, OSError) as error:
            reraise_limit(error)
            raise KasuError(tokens, f"not a stream of tokens ({error})") from error
        if self.stream.ndim != 1 or self.stream.dtype.kind != "u":
            found = f"{self.stream.dtype} in {self.stream.ndim} dimensions"
            raise KasuError(tokens, found, "a stream of tokens: unsigned integers in 1 dimension")
        if len(self.stream) < length:
            raise KasuError(tokens, f"{len(self.stream)} tokens", f"at least {length}, one row")
        self.length = length
        self._starts = _row_starts(self.stream, length - 1)

    def __len__(self) -> int:
        return len(self._starts)

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the rows of these numbers: (rows, length), int64."""
        places = self._starts[numbers, None] + np.arange(-1, self.length - 1)
        matrix = self.stream[places % len(self.stream)].astype(np.int64)
        matrix[:, 0] = CLS
        return matrix

    def largest(self) -> int:
        """Return the largest token id."""
        return int(self.stream.max())

    def most_frequent(self) -> int:
        """Return the most frequent token that is not special, the lowest id of equals."""
        counts = np.zeros(0, np.int64)
        for start in range(0, len(self.stream), 1 << 24):
            more = np.bincount(self.stream[start : start + (1 << 24)])
            size = max(len(counts), len(more))
            counts = np.pad(counts, (0, size - len(counts))) + np.pad(more, (0, size - len(more)))
        counts[: len(SPECIAL)] = 0
        return int(counts.argmax())


def _row_starts(stream: np.ndarray, body: int) -> np.ndarray:
    """Return where the rows of a stream start, each of `body` tokens.

    A row starts at the last possible start that the row before reaches: the beginning of a
    sentence, or a continuation of one longer than a row.
    """
    ends = np.flatnonzero(stream == SEP) + 1
    starts = np.concatenate([[0], ends[ends < len(stream)]])
    sizes = np.diff(starts, append=len(stream))
    over = sizes > body
    continued = [np.arange(start + body, start + size, body)
                 for start, size in zip(starts[over], sizes[over], strict=True)]  # fmt: skip
    starts = np.sort(np.concatenate([starts, *continued]))
    # For each start the number of the next row's start, at least one further
    following = np.searchsorted(starts, starts + body, "right") - 1
    following = np.maximum(following, np.arange(len(starts)) + 1).tolist()
    is_last = (starts + body >= len(stream)).tolist()
    chosen, at = [0], 0
    while not is_last[at]:
        at = following[at]
        chosen.append(at)
    return starts[chosen]


class MaskedRows:
    """Masked rows in an endless order; each epoch is a new shuffle of all rows.

    Attributes:
        packed: the unmasked rows.
        copies: the number of masked copies of each row, which epochs take in turn. None: every
            epoch masks anew.
    """

    def __init__(
        self, packed: Packed, begins: np.ndarray, seed: int, copies: int | None = None
    ) -> None:
        """Prepare the rows; for `begins` see `mask_tokens`."""
        self.packed, self.begins, self.seed, self.copies = packed, begins, seed, copies
        self._order = lru_cache(2)(self._shuffle)

    def take(self, start: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the inputs, the correct tokens, and where to predict: each (count, length).

        Args:
            start: the place of the first row in the order.
        """
        epochs, within = np.divmod(np.arange(start, start + count), len(self.packed))
        rows = np.array([self._order(e)[w] for e, w in zip(epochs.tolist(), within, strict=True)])
        return self._masked(rows, epochs if self.copies is None else epochs % self.copies)

    def in_order(self, start: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the same for rows in the order of the corpus, always masked as copy 0."""
        return self._masked(np.arange(start, min(start + count, len(self.packed))), 0)

    def _masked(
        self, rows: np.ndarray, copy: np.ndarray | int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        matrix = self.packed.rows(rows)
        read, hidden = mask_tokens(matrix, rows, self.begins, seed_of(self.seed, "mask"), copy)
        return read, matrix, hidden

    def _shuffle(self, epoch: int) -> np.ndarray:
        random = np.random.default_rng(seed_of(self.seed, "order", epoch))
        return random.permutation(len(self.packed))

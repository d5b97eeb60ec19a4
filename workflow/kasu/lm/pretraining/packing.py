"""A corpus as one stream of token numbers on disk, and rows of one length out of it.

In the stream each sentence ends in [SEP]. A row is [CLS] and what follows it in the stream, so it
begins as a sentence alone would, and no token is padding.
"""

from collections import Counter
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.run import Progress, log, seed_of
from kasu.base.tables import landing, write_counts
from kasu.lm.pretraining.masking import mask_tokens
from kasu.lm.pretraining.texts import BATCH, Part, read_texts
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
    part: Part | None = None,
) -> None:
    """Write the stream of a corpus; memory does not grow with it.

    A special token that is spelt out in a text is text: letters and brackets.

    Args:
        corpus: as `read_texts` takes it.
        tokenizer: the folder that `write_tokenizer` wrote.
        tokens: the .npy file to write: (tokens), uint16, or uint32 for over 65,536 pieces.
        counts: TSV of COUNTED, a sentence without a token left out as empty, and of the pieces
            that the tokenizer was asked for and has.

    Raises:
        KasuError: no text.
    """
    pieces = read_tokenizer(tokenizer)
    pieces.backend_tokenizer.encode_special_tokens = True
    kind = np.dtype("<u2" if len(pieces) <= 1 << 16 else "<u4")
    steps = Counter(dict.fromkeys(COUNTED, 0))
    begins = word_starts(pieces)
    progress = Progress("encoding", None, "tokens")
    texts = read_texts(corpus, part)
    with landing(tokens) as written, written.open("wb") as file:
        _write_header(file, kind, 0)
        while batch := list(islice(texts, BATCH)):
            coded = pieces.backend_tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            rows = [row.ids for row in coded]
            piece = np.array([token for ids in rows if ids for token in (*ids, SEP)], kind)
            file.write(piece.tobytes())
            steps["empty_sentences"] += sum(not ids for ids in rows)
            steps["sentences"] += sum(bool(ids) for ids in rows)
            steps["words_and_marks"] += int((begins[piece] & (piece >= len(SPECIAL))).sum())
            steps["unknown_tokens"] += int((piece == UNKNOWN).sum())
            steps["tokens"] += len(piece)
            progress.add(len(piece))
        if not steps["tokens"]:
            raise KasuError(corpus, "no word", "a text")
        file.seek(0)
        _write_header(file, kind, steps["tokens"])
    write_counts(counts, {**steps, **count_pieces(tokenizer)})
    log.info("%s: %s", tokens, ", ".join(f"{steps[key]} {key}" for key in COUNTED))


def _write_header(file, kind: np.dtype, count: int) -> None:
    """NumPy leaves room for a first axis that grows, so the header keeps its length."""
    facts = {"descr": kind.str, "fortran_order": False, "shape": (count,)}
    np.lib.format.write_array_header_1_0(file, facts)


class Packed:
    """Rows of one length out of a stream.

    Every row begins with a sentence: what is cut off at its end opens the next row, so that all is
    read. A sentence longer than a row goes on in the next one. The last row goes on with the
    beginning of the stream.

    Attributes:
        stream: (tokens) mapped into memory.
        length: tokens of a row.
    """

    def __init__(self, tokens: str | Path, length: int) -> None:
        """Open it.

        Raises:
            KasuError: no stream of unsigned integers, or one shorter than a row.
        """
        try:
            self.stream = np.lib.format.open_memmap(tokens, mode="r")
        except (ValueError, OSError) as error:
            raise KasuError(tokens, f"no stream of tokens ({error})") from error
        if self.stream.ndim != 1 or self.stream.dtype.kind != "u":
            found = f"{self.stream.dtype} in {self.stream.ndim} dimensions"
            raise KasuError(tokens, found, "a stream of tokens: unsigned integers in one")
        if len(self.stream) < length:
            raise KasuError(tokens, f"{len(self.stream)} tokens", f"{length}, those of a row")
        self.length = length
        self._starts = _row_starts(self.stream, length - 1)

    def __len__(self) -> int:
        return len(self._starts)

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """(rows, length), int64."""
        places = self._starts[numbers, None] + np.arange(-1, self.length - 1)
        matrix = self.stream[places % len(self.stream)].astype(np.int64)
        matrix[:, 0] = CLS
        return matrix

    def largest(self) -> int:
        """The largest number of a token."""
        return int(self.stream.max())

    def most_frequent(self) -> int:
        """The most frequent token that is not special; of several the first."""
        counts = np.zeros(0, np.int64)
        for start in range(0, len(self.stream), 1 << 24):
            piece = np.bincount(self.stream[start : start + (1 << 24)])
            counts, piece = (np.pad(c, (0, max(len(counts), len(piece)) - len(c)))
                             for c in (counts, piece))  # fmt: skip
            counts = counts + piece
        counts[: len(SPECIAL)] = 0
        return int(counts.argmax())


def _row_starts(stream: np.ndarray, body: int) -> np.ndarray:
    ends = np.flatnonzero(stream == SEP) + 1
    starts = np.concatenate([[0], ends[ends < len(stream)]])
    sizes = np.diff(starts, append=len(stream))
    over = sizes > body
    longer = [np.arange(start + body, start + size, body)
              for start, size in zip(starts[over], sizes[over], strict=True)]  # fmt: skip
    starts = np.sort(np.concatenate([starts, *longer]))
    following = np.searchsorted(starts, starts + body, "right") - 1
    following = np.maximum(following, np.arange(len(starts)) + 1).tolist()
    reaches = (starts + body >= len(stream)).tolist()
    found, at = [0], 0
    while not reaches[at]:
        at = following[at]
        found.append(at)
    return starts[found]


class MaskedRows:
    """Masked rows by their place in an endless order: each epoch shuffles all rows anew.

    Attributes:
        packed: where they come from.
        copies: how many masked copies a row has, in turn from epoch to epoch; None: a new one
            every epoch.
    """

    def __init__(
        self, packed: Packed, begins: np.ndarray, seed: int, copies: int | None = None
    ) -> None:
        """See `mask_tokens` for `begins`."""
        self.packed, self.begins, self.seed, self.copies = packed, begins, seed, copies
        self._order = lru_cache(2)(self._shuffle)

    def take(self, start: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is read, what is right, and where to guess: each (count, length)."""
        places = np.arange(start, start + count)
        epochs, within = np.divmod(places, len(self.packed))
        rows = np.array([self._order(e)[w] for e, w in zip(epochs.tolist(), within, strict=True)])
        return self._masked(rows, epochs if self.copies is None else epochs % self.copies)

    def in_order(self, start: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of rows as they stand in the corpus, of copy 0."""
        return self._masked(np.arange(start, min(start + count, len(self.packed))), 0)

    def _masked(self, rows: np.ndarray, copy) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        matrix = self.packed.rows(rows)
        read, hidden = mask_tokens(matrix, rows, self.begins, seed_of(self.seed, "mask"), copy)
        return read, matrix, hidden

    def _shuffle(self, epoch: int) -> np.ndarray:
        random = np.random.default_rng(seed_of(self.seed, "order", epoch))
        return random.permutation(len(self.packed))

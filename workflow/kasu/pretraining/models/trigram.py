"""Nulls for minimal pairs: a word trigram of the same text, the shorter and the longer sentence."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa

from kasu.audits.nulls.trigram import UNKNOWN, Tokenised, Trigram
from kasu.corpora.texts.tokens import tokenise
from kasu.files.parts import temporary
from kasu.files.tables import ParquetReader, read_parquet, write_parquet
from kasu.job.run import Progress

NULL_SCORES = pa.schema(
    [
        ("item_id", pa.string()),
        ("column", pa.string()),
        ("definition", pa.string()),
        ("log_probability", pa.float64()),
        ("tokens", pa.int32()),
        ("unknown", pa.int32()),
    ]
)
"""The columns of `kasu.lm.scoring.score.SCORES` that the evaluation of pairs reads."""
TRIGRAM = "trigram"
LENGTHS = {"fewer_characters": -1.0, "more_characters": 1.0}
"""Null -> the log probability that it gives a sentence for each character."""


def score_trigram(
    corpus: str | Path, files: Iterable[tuple[str | Path, str | Path]], *, rare: int = 2
) -> None:
    """Train a trigram on a corpus (column `text`) and score all sentences of pairs (NULL_SCORES).

    `tokens` counts words and marks without the end of the sentence.

    Args:
        files: of each set of pairs, the pairs and the scores to write.

    Raises:
        KasuError: the text is empty, or a file is unreadable.
    """
    files = [*files]
    wanted = [tokenise(text) for pairs, _ in files for *_, text in _sentences(pairs)]
    with temporary(files[0][1], folder=True) as scratch:
        model = Trigram(Tokenised(corpus), rare, wanted=wanted, scratch=scratch)

    def score(sentence: str) -> tuple[float, int, int]:
        words = tokenise(sentence)
        unknown = model.encode(words).count(UNKNOWN)
        return float(model.log_probabilities(words).sum()), len(words), unknown

    for pairs, scores in files:
        _write(pairs, scores, TRIGRAM, score)


def score_length(pairs: str | Path, scores: Mapping[str, str | Path]) -> None:
    """Write NULL_SCORES by each of LENGTHS; words between blanks count as tokens.

    The better one of the two is the null. Which one that is depends on how the pairs were made.

    Args:
        scores: the file of each null.
    """
    for null, path in scores.items():
        _write(pairs, path, null, partial(_length, LENGTHS[null]))


def _length(each: float, text: str) -> tuple[float, int, int]:
    return each * len(text), len(text.split()), 0


def _write(
    pairs: str | Path,
    scores: str | Path,
    definition: str,
    score: Callable[[str], tuple[float, int, int]],
) -> None:
    """Score all sentences; `score` returns log probability, tokens and unknown tokens."""
    rows = []
    sentences = _sentences(pairs)
    progress = Progress(definition, len(sentences), "sentences")
    for item, column, text in sentences:
        total, tokens, unknown = score(text)
        rows.append(
            {"item_id": item, "column": column, "definition": definition,
             "log_probability": total, "tokens": tokens, "unknown": unknown}
        )  # fmt: skip
        progress.add()
    write_parquet(scores, rows, NULL_SCORES)


def _sentences(pairs: str | Path) -> list[tuple[str, str, str]]:
    """Return item, column and text of all sentences, pair by pair."""
    columns = [
        name
        for name in ParquetReader(pairs).schema.names
        if name.startswith("sentence_") and name != "sentence_id"
    ]
    items = read_parquet(pairs, ["item_id", *columns]).to_pylist()
    return [(item["item_id"], column, item[column]) for item in items for column in columns]

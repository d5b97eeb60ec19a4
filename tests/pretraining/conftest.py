"""Pairs, and scores of invented models."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kasu.files.tables import write_parquet
from kasu.pretraining.data.pairs import PAIRS, REORDERED
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.models.trigram import NULL_SCORES

HALVES = ("sentence_good", "sentence_bad")
AGAIN = ("sentence_good_reorder", "sentence_bad_reorder")


def write_pairs(path: Path, count: int = 18, reordered: bool = False) -> Path:
    """Pairs that cycle through the types and levels of Table 1."""
    rows = []
    for n in range(count):
        row = {
            "item_id": str(n + 1), "sentence_good": f"good {n}", "sentence_bad": f"poor {n}",
            "type": f"E{n % 3 + 1}", "level": "ABC"[n // 3 % 3], "source_id": f"s{n}",
        }  # fmt: skip
        rows.append(row | (dict(zip(AGAIN, ("a b", "c d"), strict=True)) if reordered else {}))
    write_parquet(path, rows, REORDERED if reordered else PAIRS)
    return path


def write_scores(
    path: Path,
    margins: Sequence[float],
    dropped: Sequence[int] = (),
    again: Sequence[float] = (),
    definition: str = "pll_original",
) -> Path:
    """Scores whose good halves lead by `margins`, in the second order by `again`.

    The halves of `dropped` pairs differ in length.
    """
    rows = []
    for columns, leads in ((HALVES, margins), (AGAIN, again)):
        for n, lead in enumerate(leads):
            for column, score in zip(columns, (lead - 10, -10), strict=True):
                longer = n in dropped and column == columns[0]
                rows.append(
                    {"item_id": str(n + 1), "column": column, "definition": definition,
                     "log_probability": score, "tokens": 4 + longer, "unknown": 0}
                )  # fmt: skip
    write_parquet(path, rows, NULL_SCORES)
    return path


@pytest.fixture
def make_run(tmp_path) -> Callable[..., ScoreFile]:
    """A function that writes pairs and scores and returns their ScoreFile."""

    def make(
        system: str,
        margins: Sequence[float],
        *,
        epoch: int | None = None,
        variant: str = "",
        seed: int | None = None,
        **scores: object,
    ) -> ScoreFile:
        again = "again" in scores
        pairs = tmp_path / ("orders.parquet" if again else "pairs.parquet")
        write_pairs(pairs, len(margins), again)
        name = f"{system}-{epoch}-{variant}-{seed}-{again}.parquet"
        file = write_scores(tmp_path / name, margins, **scores)
        return ScoreFile(system, pairs, file, epoch, variant, seed)

    return make

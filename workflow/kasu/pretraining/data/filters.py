"""Which pairs count and which are right: the length filter, the strict decision (BL2MP-6, -7)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, write_tsv

ORDER_RULES = ("released", "both_filtered")
"""`released`: only the original pair's lengths are compared, as the authors' code does by a slip;
`both_filtered`: those of both orders, as it means to (BL2MP-7)."""
KEPT = ("tokenizer", "type", "level", "pairs", "kept", "discarded_share")
TOKENIZERS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "whitespace": str.split,
    "character": list,
}
"""Tokenizers that need no model; their counts are the same everywhere (section 3.5 of the spec)."""


class Outcome(NamedTuple):
    """What became of pairs; every array is (pairs).

    scored: both halves have a score.
    kept: they also have equally many tokens.
    solved: the good half has the higher log probability; a tie is wrong.
    tied: both have the same.
    per_token: the good half has the higher log probability a token, for pairs of unequal length.
    """

    scored: np.ndarray
    kept: np.ndarray
    solved: np.ndarray
    tied: np.ndarray
    per_token: np.ndarray


def judge(scores: np.ndarray, tokens: np.ndarray) -> Outcome:
    """Decide pairs.

    Args:
        scores: (pairs, 2) log probabilities of the good and the bad half; NaN where there is none.
        tokens: (pairs, 2) how many tokens they have; 0 where there is none.
    """
    scored = ~np.isnan(scores).any(axis=1) & (tokens > 0).all(axis=1)
    mean = scores / np.maximum(tokens, 1)
    return Outcome(
        scored,
        scored & (tokens[:, 0] == tokens[:, 1]),
        scored & (scores[:, 0] > scores[:, 1]),
        scored & (scores[:, 0] == scores[:, 1]),
        scored & (mean[:, 0] > mean[:, 1]),
    )


def judge_orders(original: Outcome, other: Outcome, rule: str) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs count where there are two word orders, and which are right in both: (pairs).

    Raises:
        KasuError: no such rule.
    """
    if rule not in ORDER_RULES:
        raise KasuError("word order", repr(rule), " or ".join(ORDER_RULES))
    kept = original.kept & other.kept if rule == "both_filtered" else original.kept
    return kept, original.solved & other.solved


def count_kept(pairs: str | Path, table: str | Path) -> None:
    """Write KEPT: how many pairs the length filter keeps with each of TOKENIZERS, by cell.

    Rows with an empty type and level are of all pairs.
    """
    items = read_parquet(pairs).to_pylist()
    cells: dict[tuple[str, str], list[dict]] = {("", ""): items}
    for row in items:
        kind, level = row["type"] or "", row["level"] or ""
        for cell in {(kind, ""), ("", level), (kind, level)} - {("", "")}:
            cells.setdefault(cell, []).append(row)
    rows = []
    for name, tokenise in TOKENIZERS.items():
        for (kind, level), members in sorted(cells.items()):
            kept = sum(
                len(tokenise(row["sentence_good"])) == len(tokenise(row["sentence_bad"]))
                for row in members
            )
            share = f"{1 - kept / len(members):.4f}"
            rows.append(
                dict(zip(KEPT, (name, kind, level, len(members), kept, share), strict=True))
            )
    write_tsv(table, rows, KEPT)

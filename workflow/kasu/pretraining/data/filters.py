"""Which pairs count, and what each is worth: length filter and decision (BL2MP-6, -7)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_tsv
from kasu.pretraining.data.names import ORDER_RULES
from kasu.results.statistics import ties_wrong, worth

KEPT = ("tokenizer", "type", "level", "pairs", "kept", "discarded_share")
TOKENIZERS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "whitespace": str.split,
    "character": list,
}
"""Tokenizers that need no model, so their counts are exact (section 3.5 of the spec)."""


class Outcome(NamedTuple):
    """The result of each pair; every array is (pairs).

    scored: both halves have a score.
    kept: both halves are scored and have the same number of tokens.
    solved: what the pair is worth (`worth`): 1 if the good half has the higher log probability,
        1/2 for a tie, else 0.
    per_token: the same by log probability per token (for unequal lengths).
    """

    scored: np.ndarray
    kept: np.ndarray
    solved: np.ndarray
    per_token: np.ndarray


def judge(scores: np.ndarray, tokens: np.ndarray) -> Outcome:
    """Decide pairs from the scores of their halves.

    Args:
        scores: (pairs, 2) log probabilities of the good and the bad half; NaN if missing.
        tokens: (pairs, 2) numbers of tokens; 0 if missing.
    """
    scored = ~np.isnan(scores).any(axis=1) & (tokens > 0).all(axis=1)
    return Outcome(
        scored,
        scored & (tokens[:, 0] == tokens[:, 1]),
        scored * worth(scores, 0),
        scored * worth(scores / np.maximum(tokens, 1), 0),
    )


class Orders(NamedTuple):
    """The result of each pair in two word orders; every array is (pairs).

    kept: whether it counts.
    single, both: what it is worth in the original order, and in both together.
    """

    kept: np.ndarray
    single: np.ndarray
    both: np.ndarray


def judge_orders(original: Outcome, other: Outcome, rule: str) -> Orders:
    """Decide pairs in two word orders.

    A pair must be solved in both orders, so its worths in the two are multiplied.

    Raises:
        KasuError: `rule` is not one of ORDER_RULES.
    """
    if rule not in ORDER_RULES:
        raise KasuError("word order", repr(rule), " or ".join(ORDER_RULES))
    single, again, kept = original.solved, other.solved, original.kept & other.kept
    if rule == "released":
        single, again, kept = ties_wrong(single), ties_wrong(again), original.kept
    return Orders(kept, single, single * again)


def count_kept(pairs: str | Path, table: str | Path) -> None:
    """Write KEPT: how many pairs the length filter keeps under each of TOKENIZERS.

    One row for all pairs (type and level empty), each type, each level, and each combination.
    """
    items = read_parquet(pairs).to_pylist()
    groups: dict[tuple[str, str], list[dict]] = {("", ""): items}
    for row in items:
        kind, level = row["type"] or "", row["level"] or ""
        # A set: without type or level some of the three are the same group
        for group in {(kind, ""), ("", level), (kind, level)} - {("", "")}:
            groups.setdefault(group, []).append(row)
    rows = []
    for name, tokenise in TOKENIZERS.items():
        for (kind, level), members in sorted(groups.items()):
            kept = sum(
                len(tokenise(row["sentence_good"])) == len(tokenise(row["sentence_bad"]))
                for row in members
            )
            share = f"{1 - kept / len(members):.4f}"
            rows.append(
                dict(zip(KEPT, (name, kind, level, len(members), kept, share), strict=True))
            )
    write_tsv(table, rows, KEPT)

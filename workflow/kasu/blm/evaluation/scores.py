"""Scores of BLM-AgrF: Table 1 and Figure 8, errors by label, paired comparisons, claims."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kasu.base.scores import SCORES, compare_paired, holm
from kasu.base.tables import read_parquet, write_parquet, write_tsv
from kasu.blm.data.problems import SPLITS, TYPES
from kasu.blm.evaluation.cells import NETWORKS, Cell, Cells, read_cells, under_each_type
from kasu.blm.evaluation.claims import CLAIMS, judge_claims
from kasu.blm.models.predictions import ERROR_LABELS, FULL, PAPER, SAME

STUDY = "blm"

ERRORS = (
    "variant", "regime", "train", "test", "model", "label", "share", "low", "high", "reference",
    "difference", "n", "runs",
)  # fmt: skip
COMPARISONS = (
    "condition", "variant", "a", "b", "n", "f1_a", "f1_b", "difference", "low", "high",
    "permutation_p", "holm_p",
)  # fmt: skip


def f1(solved: np.ndarray) -> float:
    """F1 of the right candidates where each problem has one prediction (BLM-16).

    A wrong choice is both a right candidate missed and a wrong one taken, so that precision,
    recall and F1 are all the share of problems solved.
    """
    right = int(np.sum(solved))
    missed = taken = len(solved) - right
    return 2 * right / (2 * right + missed + taken)


def score_study(
    predictions: Sequence[str | Path],
    datasets: str | Path,
    scores: str | Path,
    errors: str | Path,
    comparisons: str | Path,
    claims: str | Path,
    *,
    seed: int,
    note: str = "",
) -> None:
    """Write SCORES, ERRORS, COMPARISONS and CLAIMS of the study.

    Args:
        predictions: parquet files of PREDICTIONS, of networks and of heuristics.
        datasets: the folder of datasets of `allTrain`, whose problems are counted.
        seed: of bootstraps and permutations.
        note: stands beside the figures of every network: its encoder, how many steps it had.

    Raises:
        KasuError: two systems were not tested on the same problems.
    """
    cells = read_cells(predictions)
    compared = compare(cells, seed)
    rows = [*score(cells, seed, note), *count_problems(datasets)]
    columns = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is None, row[column]) for column in columns])
    write_parquet(scores, rows, SCORES)
    write_tsv(errors, share_errors(cells, seed), ERRORS)
    write_tsv(comparisons, compared, COMPARISONS)
    write_tsv(claims, judge_claims(cells, seed), CLAIMS)


def score(cells: Cells, seed: int, note: str) -> list[dict]:
    """Rows of SCORES: F1 of Table 1 and Figure 8, over all runs and for each (BLM-17)."""
    rows = []
    for key, cell in under_each_type(cells):
        tables = ("Table 1", "Figure 8") if key.regime in (FULL, SAME) else ("Table 1",)
        for row in _score_cell(cell, seed, note if key.model in NETWORKS else ""):
            named = {"study": STUDY, "paper": PAPER, "system": key.model}
            named |= {"condition": key.condition, "variant": key.variant}
            shown = tables if row["metric"] == "f1_mean" else tables[:1]
            rows += [named | {"table": table} | row for table in shown]
    return rows


def _score_cell(cell: Cell, seed: int, note: str) -> Iterator[dict]:
    values = np.array([f1(run) for run in cell.solved])
    n, runs = len(cell.problems), len(values)
    each = {"n": n, "low": None, "high": None, "seed": None, "note": note or None}
    low, high = cell.interval(cell.solved, seed)
    over_all = {"metric": "f1_mean", "value": values.mean(), "low": low, "high": high, "runs": runs}
    if runs == 1:
        yield each | over_all | {"seed": cell.seeds[0], "note": _note_of(cell.seeds[0], note)}
        return
    yield each | over_all
    yield each | {"metric": "f1_std", "value": values.std(ddof=1), "runs": runs}
    for run, value in enumerate(values):
        low, high = cell.interval(cell.solved[[run]], seed)
        named = {"seed": cell.seeds[run], "note": _note_of(cell.seeds[run], note)}
        yield each | named | {
            "metric": "f1_mean", "value": value, "low": low, "high": high, "runs": 1
        }  # fmt: skip


def _note_of(seed: int | None, note: str) -> str | None:
    # BLM-15: which of our rows the published mean and standard deviation are like
    alike = "the released code starts all of its runs from this seed" if seed == 1 else ""
    return "; ".join(filter(None, (note, alike))) or None


def count_problems(folder: str | Path) -> list[dict]:
    """Rows of SCORES: how many problems there are (BLM-5, -6, -7, -9)."""
    rows, same = [], {}
    for kind in TYPES:
        names = ("problems", *SPLITS)
        counts = {name: _count(Path(folder) / kind / f"{name}.parquet") for name in names}
        for variant, test in counts["test"].items():
            every, train, validation = (
                counts[name].get(variant, Counter()) for name in ("problems", *SPLITS[:2])
            )
            training = train + validation
            for where, found in (("all", every), ("train", training), ("test", test)):
                in_text = where == "all" or (kind, where) == ("type_I", "train")
                table = "text" if in_text else "inferred"
                rows.append(_count_row(table, kind, where, found.total(), variant, None))
            same.setdefault(variant, []).append((training["train"], training["validation"]))
    for variant, sizes in same.items():
        train, validation = min(sizes)
        note = f"train/validation {train}/{validation}"
        rows.append(_count_row("Table 1", SAME, "train/validation", train, variant, note))
    return rows


def _count(path: Path) -> dict[str, Counter[str | None]]:
    """By variant, how many problems of a file have each part in sameTrain."""
    columns = read_parquet(path, ["variant", "same_train"]).to_pydict()
    counts: dict[str, Counter[str | None]] = {}
    for variant, part in zip(*columns.values(), strict=True):
        counts.setdefault(variant, Counter())[part] += 1
    return counts


def _count_row(
    table: str, system: str, where: str, value: int, variant: str, note: str | None
) -> dict:
    return {
        "study": STUDY, "paper": PAPER, "table": table, "system": system, "condition": where,
        "metric": "problems", "value": value, "low": None, "high": None, "n": None, "runs": None,
        "variant": variant, "seed": None, "note": note,
    }  # fmt: skip


def share_errors(cells: Cells, seed: int) -> list[dict]:
    """Rows of ERRORS: how often each wrong candidate is chosen (BLM-18, Figure 9).

    `share` is of all test problems and runs. `reference` is that of the same network trained on
    the type that it is tested on, `difference` how much more often this one errs.
    """
    shares = {
        (key, label): float((cell.labels == label).mean())
        for key, cell in cells.items()
        for label in ERROR_LABELS
    }
    rows = []
    for (key, label), share in shares.items():
        cell = cells[key]
        low, high = cell.interval(cell.labels == label, seed)
        reference = shares.get((key._replace(train=key.test), label)) if key.train else None
        rows.append(
            key._asdict() | {
                "label": label, "share": share, "low": low, "high": high, "reference": reference,
                "difference": None if reference is None else share - reference,
                "n": len(cell.problems), "runs": len(cell.seeds),
            }
        )  # fmt: skip
    return rows


def compare(cells: Cells, seed: int) -> list[dict]:
    """Rows of COMPARISONS: the networks with each other and with heuristics, on the same problems.

    A problem's value is the share of runs that solved it. The permutation test swaps the outcomes
    of two systems by whole lexical seeds; Holm's correction is over the rows of a variant.
    """
    placed = dict(under_each_type(cells))
    rows = []
    for key in placed:
        for other in dict.fromkeys(each.model for each in placed):
            at = key._replace(model=other)
            known = key.model in NETWORKS and at in placed and other != "oracle"
            if known and (other not in NETWORKS or (key.model, other) == NETWORKS):
                row = {"condition": key.condition, "variant": key.variant}
                row |= {"a": key.model, "b": other}
                rows.append(row | _compare_two(placed[key], placed[at], seed))
    for variant in {row["variant"]: None for row in rows}:
        of_variant = [row for row in rows if row["variant"] == variant]
        corrected = holm([row["permutation_p"] for row in of_variant])
        for row, p in zip(of_variant, corrected, strict=True):
            row["holm_p"] = p
    return rows


def _compare_two(a: Cell, b: Cell, seed: int) -> dict:
    of_a, of_b = a.solved.mean(axis=0), b.solved.mean(axis=0)
    compared = compare_paired(of_a, of_b, a.clusters, metric="f1", seed=seed)
    del compared["mcnemar_p"]  # a permutation serves for single runs and for many
    return compared

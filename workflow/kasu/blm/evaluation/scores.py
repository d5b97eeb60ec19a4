"""Scores of BLM-AgrF: Table 1 and Figure 8, errors by label, paired comparisons, claims."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kasu.blm.data.names import FULL, PAPER, SAME, SPLITS, STUDY, TYPES
from kasu.blm.evaluation.cells import NETWORKS, Cell, Cells, read_cells, under_each_type
from kasu.blm.evaluation.claims import list_claims
from kasu.blm.models.predictions import ERROR_LABELS
from kasu.files.tables import read_parquet, write_parquet, write_tsv
from kasu.results.scores import CLAIMS, SCORES, compare_paired, holm
from kasu.results.verdicts import judge_claims

ERRORS = (
    "variant", "regime", "train", "test", "model", "label", "share", "low", "high", "reference",
    "difference", "n", "runs",
)  # fmt: skip
COMPARISONS = (
    "condition", "variant", "a", "b", "n", "f1_a", "f1_b", "difference", "low", "high",
    "permutation_p", "holm_p",
)  # fmt: skip


def f1(solved: np.ndarray) -> float:
    """Compute F1 of the right candidates, with one prediction per problem (BLM-16).

    A wrong choice is both a false negative and a false positive, so precision, recall and F1 all
    equal the share of problems solved.
    """
    right = int(np.sum(solved))
    false_negatives = false_positives = len(solved) - right
    return 2 * right / (2 * right + false_negatives + false_positives)


def score_study(
    predictions: Sequence[str | Path],
    datasets: str | Path,
    scores: str | Path,
    errors: str | Path,
    comparisons: str | Path,
    claims: str | Path,
    *,
    seed: int,
    untestable: str | None,
    note: str = "",
) -> None:
    """Write SCORES, ERRORS, COMPARISONS and CLAIMS of the study.

    Args:
        predictions: parquet files of PREDICTIONS, of networks and of heuristics.
        datasets: the folder of datasets of `allTrain`, whose problems are counted.
        seed: of bootstraps and permutations.
        untestable: why no claim can be tested on these problems; None if they can.
        note: the note of every network's scores: its encoder, its number of steps.

    Raises:
        KasuError: systems or runs were not tested on the same problems.
    """
    cells = read_cells(predictions)
    compared = compare(cells, seed)
    rows = [*score(cells, seed, note), *count_problems(datasets)]
    columns = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is None, row[column]) for column in columns])
    write_parquet(scores, rows, SCORES)
    write_tsv(errors, share_errors(cells, seed), ERRORS)
    write_tsv(comparisons, compared, COMPARISONS)
    write_tsv(claims, judge_claims(PAPER, list_claims(cells, untestable=untestable)), CLAIMS)


def score(cells: Cells, seed: int, note: str) -> list[dict]:
    """Score each cell (SCORES): F1 of Table 1 and Figure 8, over all runs and per run (BLM-17)."""
    rows = []
    for key, cell in under_each_type(cells):
        for row in _score_cell(cell, seed, note if key.model in NETWORKS else ""):
            named = {"study": STUDY, "paper": PAPER, "system": key.model}
            named |= {"condition": key.condition, "variant": key.variant}
            # Figure 8 draws the means of the paper's two regimes
            drawn = row["metric"] == "f1_mean" and key.regime in (FULL, SAME)
            tables = ("Table 1", "Figure 8") if drawn else ("Table 1",)
            rows += [named | {"table": table} | row for table in tables]
    return rows


def _score_cell(cell: Cell, seed: int, note: str) -> Iterator[dict]:
    """Yield mean and standard deviation over the runs, then each run."""
    values = np.array([f1(run) for run in cell.solved])
    n, runs = len(cell.problems), len(values)
    each = {"n": n, "low": None, "high": None, "seed": None, "note": note or None}
    low, high = cell.interval(cell.solved, seed)
    mean = {"metric": "f1_mean", "value": values.mean(), "low": low, "high": high, "runs": runs}
    if runs == 1:
        yield each | mean | {"seed": cell.seeds[0], "note": _note_of(cell.seeds[0], note)}
        return
    yield each | mean
    yield each | {"metric": "f1_std", "value": values.std(ddof=1), "runs": runs}
    for run, value in enumerate(values):
        low, high = cell.interval(cell.solved[[run]], seed)
        named = {"seed": cell.seeds[run], "note": _note_of(cell.seeds[run], note)}
        yield each | named | {
            "metric": "f1_mean", "value": value, "low": low, "high": high, "runs": 1
        }  # fmt: skip


def _note_of(seed: int | None, note: str) -> str | None:
    # BLM-15: the published mean and standard deviation repeat this one run
    released = "the released code starts all of its runs from this seed" if seed == 1 else ""
    return "; ".join(filter(None, (note, released))) or None


def count_problems(folder: str | Path) -> list[dict]:
    """Count the problems of each type and split (SCORES; BLM-5, -6, -7, -9)."""
    rows: list[dict] = []
    same_train: dict[str, list[tuple[int, int]]] = {}  # train and validation of sameTrain, by type
    for kind in TYPES:
        names = ("problems", *SPLITS)
        counts = {name: _count(Path(folder) / kind / f"{name}.parquet") for name in names}
        for variant, test in counts["test"].items():
            every, train, validation = (
                counts[name].get(variant, Counter()) for name in ("problems", *SPLITS[:2])
            )
            training = train + validation
            for part, parts in (("all", every), ("train", training), ("test", test)):
                # The text gives the totals and the training size of type I; the others follow from
                # the authors' code
                in_text = part == "all" or (kind, part) == ("type_I", "train")
                table = "text" if in_text else "inferred"
                rows.append(_count_row(table, kind, part, parts.total(), variant, None))
            sizes = training["train"], training["validation"]
            same_train.setdefault(variant, []).append(sizes)
    for variant, by_type in same_train.items():
        fewest, held_out = min(by_type)
        note = f"train/validation {fewest}/{held_out}"
        rows.append(_count_row("Table 1", SAME, "train/validation", fewest, variant, note))
    return rows


def _count(path: Path) -> dict[str, Counter[str | None]]:
    """Count the problems of a file by variant and part in sameTrain."""
    columns = read_parquet(path, ["variant", "same_train"]).to_pydict()
    counts: dict[str, Counter[str | None]] = {}
    for variant, part in zip(*columns.values(), strict=True):
        counts.setdefault(variant, Counter())[part] += 1
    return counts


def _count_row(
    table: str, system: str, condition: str, value: int, variant: str, note: str | None
) -> dict:
    return {
        "study": STUDY, "paper": PAPER, "table": table, "system": system, "condition": condition,
        "metric": "problems", "value": value, "low": None, "high": None, "n": None, "runs": None,
        "variant": variant, "seed": None, "note": note,
    }  # fmt: skip


def share_errors(cells: Cells, seed: int) -> list[dict]:
    """Count how often each wrong candidate is chosen (ERRORS; BLM-18, Figure 9).

    `share` is of all test problems and runs, `reference` the share of the same network trained on
    the type that it is tested on, `difference` share minus reference.
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
        network = key.model in NETWORKS
        reference = shares.get((key._replace(train=key.test), label)) if network else None
        rows.append(
            key._asdict() | {
                "label": label, "share": share, "low": low, "high": high, "reference": reference,
                "difference": None if reference is None else share - reference,
                "n": len(cell.problems), "runs": len(cell.seeds),
            }
        )  # fmt: skip
    return rows


def compare(cells: Cells, seed: int) -> list[dict]:
    """Compare the networks with each other and with heuristics on the same problems (COMPARISONS).

    A problem's value is the share of runs that solved it. The permutation test swaps the outcomes
    of two systems by whole lexical seeds; Holm's correction is over the rows of a variant.
    """
    by_key = dict(under_each_type(cells))
    models = list(dict.fromkeys(key.model for key in by_key))
    rows: list[dict] = []
    for key, cell in by_key.items():
        for model in models:
            other = by_key.get(key._replace(model=model))
            # Each network with each heuristic, and the two networks once; an oracle always wins
            against_heuristic = key.model in NETWORKS and model not in (*NETWORKS, "oracle")
            if other and (against_heuristic or (key.model, model) == NETWORKS):
                row: dict = {"condition": key.condition, "variant": key.variant}
                row |= {"a": key.model, "b": model}
                rows.append(row | _compare_two(cell, other, seed))
    for variant in dict.fromkeys(row["variant"] for row in rows):
        chosen = [row for row in rows if row["variant"] == variant]
        corrected = holm([row["permutation_p"] for row in chosen])
        for row, p in zip(chosen, corrected, strict=True):
            row["holm_p"] = p
    return rows


def _compare_two(a: Cell, b: Cell, seed: int) -> dict:
    values = a.solved.mean(axis=0), b.solved.mean(axis=0)
    compared = compare_paired(*values, a.clusters, metric="f1", seed=seed)
    del compared["mcnemar_p"]  # the permutation test works for one run and for several
    return compared

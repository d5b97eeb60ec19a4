"""Scores of BLM-AgrF: Table 1 and Figure 8, errors by label, paired comparisons, claims."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from kasu.blm.data.names import FULL, ORACLE, PAPER, SAME, SPLITS, STUDY, TYPES
from kasu.blm.evaluation.claims import list_claims
from kasu.blm.evaluation.experiments import (
    NETWORKS,
    Choices,
    Experiments,
    read_experiments,
    under_each_type,
)
from kasu.blm.models.predictions import ERROR_LABELS
from kasu.files.tables import read_parquet, write_tsv
from kasu.results.scores import CLAIMS, Score, write_scores
from kasu.results.statistics import compare_paired, correct
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
    experiments = read_experiments(predictions)
    write_scores(scores, [*score(experiments, seed, note), *count_problems(datasets)])
    write_tsv(errors, share_errors(experiments, seed), ERRORS)
    write_tsv(comparisons, compare(experiments, seed), COMPARISONS)
    write_tsv(claims, judge_claims(PAPER, list_claims(experiments, untestable=untestable)), CLAIMS)


def score(experiments: Experiments, seed: int, note: str) -> list[Score]:
    """Score each experiment: F1 of Table 1 and Figure 8, over all runs and per run (BLM-17)."""
    rows = []
    for key, choices in under_each_type(experiments):
        named = Score(
            STUDY,
            PAPER,
            table="Table 1",
            system=key.model,
            condition=key.condition,
            variant=key.variant,
            predictions=choices.predictions,
        )
        for row in _score_choices(choices, named, seed, note if key.model in NETWORKS else ""):
            rows.append(row)
            # Figure 8 draws the means of the paper's two regimes
            if row.metric == "f1_mean" and key.regime in (FULL, SAME):
                rows.append(replace(row, table="Figure 8"))
    return rows


def _score_choices(choices: Choices, named: Score, seed: int, note: str) -> Iterator[Score]:
    """Yield mean and standard deviation of F1 over the runs, then F1 of each run.

    Args:
        named: the columns that do not depend on the choices.
        seed: of the bootstrap.
    """
    values = np.array([f1(run) for run in choices.solved])

    def mean_of(runs: Sequence[int]) -> Score:
        """Return the mean of some runs; that of a single one has its seed."""
        low, high = choices.interval(choices.solved[runs], seed)
        of = choices.seeds[runs[0]] if len(runs) == 1 else None
        return replace(
            named, metric="f1_mean", value=values[runs].mean(), low=low, high=high,
            n=len(choices.problems), runs=len(runs), seed=of, note=_note_of(of, note),
        )  # fmt: skip

    mean = mean_of(range(len(values)))
    yield mean
    if len(values) > 1:
        deviation = values.std(ddof=1)
        yield replace(mean, metric="f1_std", value=deviation, low=None, high=None)
        yield from (mean_of([run]) for run in range(len(values)))


def _note_of(seed: int | None, note: str) -> str | None:
    # BLM-15: the published mean and standard deviation repeat this one run
    released = "the released code starts all of its runs from this seed" if seed == 1 else ""
    return "; ".join(filter(None, (note, released))) or None


def count_problems(folder: str | Path) -> list[Score]:
    """Count the problems of each type and split (BLM-5, -6, -7, -9)."""
    rows: list[Score] = []
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
) -> Score:
    return Score(
        STUDY, PAPER, table, system, condition, "problems", value, variant=variant, note=note
    )


def share_errors(experiments: Experiments, seed: int) -> list[dict]:
    """Count how often each wrong candidate is chosen (ERRORS; BLM-18, Figure 9).

    `share` is of all test problems and runs, `reference` the share of the same network trained on
    the type that it is tested on, `difference` share minus reference.
    """
    shares = {
        (key, label): float((choices.labels == label).mean())
        for key, choices in experiments.items()
        for label in ERROR_LABELS
    }
    rows = []
    for (key, label), share in shares.items():
        choices = experiments[key]
        low, high = choices.interval(choices.labels == label, seed)
        network = key.model in NETWORKS
        reference = shares.get((key._replace(train=key.test), label)) if network else None
        rows.append(
            key._asdict() | {
                "label": label, "share": share, "low": low, "high": high, "reference": reference,
                "difference": None if reference is None else share - reference,
                "n": len(choices.problems), "runs": len(choices.seeds),
            }
        )  # fmt: skip
    return rows


def compare(experiments: Experiments, seed: int) -> list[dict]:
    """Compare the networks with each other and with heuristics on the same problems (COMPARISONS).

    A problem's value is the share of runs that solved it. The permutation test swaps the outcomes
    of two systems by whole lexical seeds; Holm's correction is over the rows of a variant.
    """
    by_key = dict(under_each_type(experiments))
    models = list(dict.fromkeys(key.model for key in by_key))
    rows: list[dict] = []
    for key, choices in by_key.items():
        for model in models:
            other = by_key.get(key._replace(model=model))
            # Each network with each heuristic, and the two networks once; an oracle always wins
            against_heuristic = key.model in NETWORKS and model not in (*NETWORKS, ORACLE)
            if other and (against_heuristic or (key.model, model) == NETWORKS):
                row: dict = {"condition": key.condition, "variant": key.variant}
                row |= {"a": key.model, "b": model}
                rows.append(row | _compare_two(choices, other, seed))
    return correct(rows, by=("variant",))


def _compare_two(a: Choices, b: Choices, seed: int) -> dict:
    values = a.solved.mean(axis=0), b.solved.mean(axis=0)
    compared = compare_paired(*values, a.clusters, metric="f1", seed=seed)
    del compared["mcnemar_p"]  # the permutation test works for one run and for several
    return compared

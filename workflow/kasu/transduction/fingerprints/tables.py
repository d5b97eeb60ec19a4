"""The table of fingerprints: which rows there are, and what our scores say in each."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.scores import span
from kasu.base.tables import read_parquet, write_tsv
from kasu.transduction.fingerprints.fingerprint import (
    CAPS,
    MARGIN,
    Bounds,
    Column,
    Fingerprint,
    PublishedMembers,
)

FINGERPRINTS = (
    "system", "variant", "setting", "column", "languages", "members", "published_members",
    "difference", "low", "high", "expected", "margin", "sd", "cap", "seed_sd", "rms", "rank",
    "columns", "nearest_other", "nearest_rms", "verdict", "reason",
)  # fmt: skip
"""One system against one published column. Differences are ours minus published, fractions of 1.
`members` and `published_members` are how many members either side has, `rank` is the place of the
own column among all `columns` by RMS, and `seed_sd` the family's own spread over its seeds."""

DIFFERENCES = (
    "system", "variant", "setting", "column", "language", "ours", "published", "difference",
)  # fmt: skip
"""The accuracies in one language that a fingerprint was taken from."""

SEEDS = 3  # members that measure the spread over seeds
SPREAD = 2.8  # seed SDs: two runs of one system differ by less, 95 times in 100

Accuracies = dict[str, dict[int | None, Mapping]]
"""Rows of SCORES by language and seed."""

Origins = Mapping[str, Mapping[str, str | None]]
"""Of each system its family's default `variant`, and the submission of members `alone`."""


@dataclass(frozen=True)
class Task:
    """What a study says of its scores and of what was published.

    Attributes:
        section: of the config.
        copy: the system that copies the lemma.
        cell_of: from the condition of a score to the setting and the language; None if it is not
            the accuracy in one language.
        columns: the published columns of a setting, by system.
        nulls: systems that cannot do what is tested.
        reruns: columns of a setting that were published after the task, for targets that name one.
    """

    section: str
    copy: str
    cell_of: Callable[[str], tuple[str, str] | None]
    columns: Callable[[str], Mapping[str, Column]]
    nulls: Sequence[str]
    reruns: Callable[[str], Mapping[str, Column]] = lambda setting: {}

    def columns_with(self, own: str, system: str, setting: str) -> Mapping[str, Column]:
        """The published columns of a setting, and `own`, which may be a rerun.

        Raises:
            KasuError: nothing named `own` was published, as a target of `system` has it.
        """
        columns, reruns = self.columns(setting), self.reruns(setting)
        if own in columns:
            return columns
        if own in reruns:
            return {**columns, own: reruns[own]}
        where = f"config {self.section}.fingerprints: {system}, {setting}"
        raise KasuError(where, f"no column {own!r}", "one of " + ", ".join([*columns, *reruns]))


def take_fingerprints(
    task: Task,
    scores: Iterable[Mapping],
    targets: Iterable[Mapping[str, Any]],
    origins: Origins,
    published_members: PublishedMembers,
) -> tuple[list[dict], list[dict]]:
    """Rows of FINGERPRINTS and of DIFFERENCES: targets, then what else has a column of its own.

    Args:
        scores: rows of SCORES.
        targets: entries of the config's `fingerprints`, with languages in place of panels.
        published_members: of each column.

    Raises:
        KasuError: a target's column is not a published one.
    """
    found = _accuracies(task, scores)
    # The default variant of a submission stands for it
    defaults = {system: origin["variant"] for system, origin in origins.items()}
    stated = [{"variant": defaults.get(target["system"]), **target} for target in targets]
    named = {(target["system"], target["variant"], target["setting"]) for target in stated}
    for system, variant, setting in [key for key in found if key not in named]:
        if defaults.get(system, ...) == variant and task.columns(setting).get(system):
            stated.append({"system": system, "variant": variant, "setting": setting})
    rows = (_take(task, target, found, origins) for target in stated)
    taken = [each for each in rows if each]
    for row, _ in taken:
        members = published_members.get(row["column"], {})
        row["published_members"] = members.get(row["setting"], 1)
    return [row for row, _ in taken], [row for _, rows in taken for row in rows]


def _take(
    task: Task,
    target: Mapping[str, Any],
    found: Mapping[tuple[str, str | None, str], Accuracies],
    origins: Origins,
) -> tuple[dict, list[dict]] | None:
    """The row of a target and its differences by language; none if no language ran."""
    system, setting = target["system"], target["setting"]
    variant, own = target["variant"], target.get("column", system)
    columns = task.columns_with(own, system, setting)
    cells = _kept(found.get((system, variant, setting), {}), columns[own], target)
    if not cells:
        return None
    alone = origins.get(system, {}).get("alone") or ""
    single = found.get((alone, variant, setting), {})
    seed_sd = _seed_sd({name: single[name] for name in cells if name in single})
    rows = {name: max(runs.values(), key=lambda row: row["runs"]) for name, runs in cells.items()}
    ours = {name: row["value"] for name, row in rows.items()}
    key = {"system": system, "variant": variant, "setting": setting, "column": own}
    members = span([row["runs"] for row in rows.values()])
    nulls = {null: _single(found.get((null, None, setting), {}), ours) for null in task.nulls}
    taken = Fingerprint.of(ours, own, columns, nulls[task.copy])
    unlearned = {
        null: Fingerprint.of(values, own, columns)
        for null, values in nulls.items()
        if null != system and len(values) == len(ours)
    }
    judged = _judged(taken, unlearned, _bounds(target, seed_sd), seed_sd)
    theirs = columns[own]
    return key | {"members": members} | judged, [
        key
        | {"language": name, "ours": value, "published": theirs[name]}
        | {"difference": value - theirs[name]}
        for name, value in ours.items()
    ]


def _single(cells: Accuracies, languages: Collection[str]) -> dict[str, float]:
    """By language, the accuracy of a system without members."""
    return {
        name: row["value"]
        for name, runs in cells.items()
        for row in runs.values()
        if name in languages
    }


def _bounds(target: Mapping[str, Any], seed_sd: float | None) -> Bounds:
    # A setting is a size, in some studies after something else
    cap = target.get("cap", CAPS[target["setting"].rpartition("-")[2]])
    if cap is not None and seed_sd is not None:
        cap = max(cap, SPREAD * seed_sd)
    margin = target.get("margin", MARGIN)
    return Bounds(target.get("expected", 0.0), margin, cap, target.get("why", ""))


def _judged(
    taken: Fingerprint,
    unlearned: Mapping[str, Fingerprint],
    bounds: Bounds,
    seed_sd: float | None,
) -> dict[str, object]:
    """What is measured, and the verdict.

    Args:
        unlearned: those of nulls.
    """
    verdict, reason = taken.judge_beside(unlearned, bounds)
    low, high = taken.interval
    spread = len(taken.differences) > 1  # one language has none
    near = taken.nearest
    return {
        "languages": len(taken.differences), "difference": taken.mean,
        "low": low if spread else None, "high": high if spread else None,
        "expected": bounds.expected, "margin": bounds.margin, "sd": taken.sd if spread else None,
        "cap": bounds.cap, "seed_sd": seed_sd, "rms": taken.rms, "rank": taken.rank,
        "columns": len(taken.others) + 1, "nearest_other": near and near.column,
        "nearest_rms": near and near.rms, "verdict": str(verdict), "reason": reason,
    }  # fmt: skip


def _accuracies(
    task: Task, scores: Iterable[Mapping]
) -> dict[tuple[str, str | None, str], Accuracies]:
    """Accuracies by system, variant and setting."""
    found: dict[tuple[str, str | None, str], Accuracies] = {}
    for row in scores:
        cell = task.cell_of(row["condition"])
        if cell and row["metric"] == "accuracy" and row["value"] is not None:
            setting, language = cell
            cells = found.setdefault((row["system"], row["variant"], setting), {})
            cells.setdefault(language, {})[row["seed"]] = row
    return found


def _kept(cells: Accuracies, column: Collection[str], target: Mapping[str, Any]) -> Accuracies:
    """The languages of a target that the column has too."""
    wanted = target.get("languages", cells)
    excluded = target.get("excluded", ())
    return {
        name: runs
        for name, runs in cells.items()
        if name in wanted and name not in excluded and name in column
    }


def _seed_sd(cells: Accuracies) -> float | None:
    """The spread over seeds in one language: the RMS over languages with SEEDS seeds or more."""
    variances = [
        np.var(values, ddof=1)
        for runs in cells.values()
        if len(values := [row["value"] for seed, row in runs.items() if seed is not None]) >= SEEDS
    ]
    return float(sqrt(np.mean(variances))) if variances else None


def write_fingerprints(
    task: Task,
    scores: str | Path,
    table: str | Path,
    differences: str | Path,
    targets: Sequence[Mapping[str, Any]],
    origins: Origins,
    published_members: PublishedMembers,
) -> None:
    """Write the tables of FINGERPRINTS and DIFFERENCES from the scores of a study."""
    rows = read_parquet(scores).to_pylist()
    taken, by_language = take_fingerprints(task, rows, targets, origins, published_members)
    write_tsv(table, taken, FINGERPRINTS)
    write_tsv(differences, by_language, DIFFERENCES)

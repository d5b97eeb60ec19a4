"""Record the fingerprints of all that was measured, in resources/measured/fingerprints.tsv.

    python tools/fingerprints.py

judges what `inflection.tsv` and `cloze.tsv` hold, by the targets of the config that measured it and
by the rules of today, and prints each verdict that changes.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from by_language import BY_LANGUAGE
from measured import MEASURED, STORE
from snakemake.utils import update_config

from kasu.base.errors import KasuError
from kasu.base.package import commit
from kasu.cloze.evaluation.printed import ORIGINAL
from kasu.cloze.evaluation.printed import condition as cloze_condition
from kasu.cloze.plan import ClozePlan
from kasu.cloze.settings import ClozeSettings
from kasu.config.reading import read_settings
from kasu.corpora.plan import Corpora
from kasu.files.tables import read_tsv, write_tsv
from kasu.inflection.plan import InflectionPlan
from kasu.inflection.settings import InflectionSettings
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace
from kasu.transduction.fingerprints.dev import with_mean
from kasu.transduction.fingerprints.tables import FINGERPRINTS, take_fingerprints
from kasu.transduction.fingerprints.target import Found, PublishedTask
from kasu.transduction.task.plan import MembersPlan

ROOT = Path(__file__).resolve().parent.parent
RECORD = ("study", "config", *FINGERPRINTS, "commit")
NAMED = ("study", "config", "system", "variant", "setting", "column", "panel")
# The files of a config, each upon the ones before it
CONFIGS = {"real": ["real"], "systems": ["real", "systems"]}
STUDIES = ("inflection", "cloze")

Row = dict[str, Any]


def plan_of(study: str, config: str) -> MembersPlan:
    """The plan of a study under a config."""
    stated: dict[str, Any] = {}
    for name in CONFIGS[config]:
        text = (ROOT / "config" / f"{name}.yaml").read_text("utf-8")
        update_config(stated, yaml.safe_load(text))
    section, registry = stated[study], read_registry(ROOT / "config" / "sources.tsv")
    workspace = Workspace("results", registry, ROOT / "resources" / "downloads")
    if study == "cloze":
        return ClozePlan(read_settings(section, ClozeSettings), workspace)
    corpora = Corpora([], [], workspace)
    return InflectionPlan(read_settings(section, InflectionSettings), corpora)


def scores(study: str, config: str, task: PublishedTask, store: Path = STORE) -> Iterator[Row]:
    """The accuracies on record, as rows of SCORES: members, all members together, votes, nulls."""
    measured = read_tsv(store / "figures" / f"{study}.tsv", MEASURED)
    accuracies = [row for row in measured if row["metric"] == "accuracy" and row["value"]]
    nulls, items = {}, {}
    for row in accuracies:
        if row["system"] in task.nulls and (cell := task.cell_of(row["condition"])):
            # A null is the same in every config
            nulls[row["system"], cell] = float(row["value"])
            items[cell[1]] = int(row["n"])
    members = defaultdict(list)
    for row in read_tsv(store / f"{study}.tsv", BY_LANGUAGE):
        if row["config"] == config and row["system"] not in task.nulls:
            cell = row["setting"], row["language"]
            members[row["system"], row["variant"] or None, cell].append(row)
    for (system, variant, cell), rows in members.items():
        named = {"system": system, "variant": variant, "n": items[cell[1]]}
        named |= {"condition": _condition(study, *cell), "metric": "accuracy"}
        for row in rows:
            seed = int(row["seed"]) if row["seed"] else None
            value = float(row["accuracy"])
            yield named | {"seed": seed, "value": value, "runs": int(row["members"])}
        if len(rows) > 1:
            together = float(np.mean([float(row["accuracy"]) for row in rows]))
            yield named | {"seed": None, "value": together, "runs": len(rows)}
    for (system, cell), value in nulls.items():
        yield {
            "system": system, "variant": None, "n": items[cell[1]], "seed": None, "value": value,
            "condition": _condition(study, *cell), "metric": "accuracy", "runs": 1,
        }  # fmt: skip


def dev_accuracies(study: str, config: str, store: Path = STORE) -> Found:
    """The accuracies on dev on record, of members alone."""
    found: dict[tuple, dict[str, dict[int | None, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in read_tsv(store / f"{study}.tsv", BY_LANGUAGE):
        if row["config"] == config and row["dev_accuracy"]:
            seeds = found[row["system"], row["variant"] or None, row["setting"]][row["language"]]
            seeds[int(row["seed"]) if row["seed"] else None] = float(row["dev_accuracy"])
    return {
        key: {language: with_mean(seeds) for language, seeds in cells.items()}
        for key, cells in found.items()
    }


def _condition(study: str, setting: str, language: str) -> str:
    if study == "cloze":
        return cloze_condition(setting, ORIGINAL, language)
    return f"{setting}|{language}"


def judged(study: str, config: str, store: Path = STORE) -> list[dict[str, str]]:
    """The fingerprints of a study under a config, as text, without their commit."""
    plan = plan_of(study, config)
    task = plan.fingerprint_task
    # Of what a run lost nothing is on record, so without named languages those that ran count
    rows, _ = take_fingerprints(
        task, scores(study, config, task, store), plan.targets, plan.origins,
        plan.published_members, {}, dev_accuracies(study, config, store),
    )  # fmt: skip
    named = {"study": study, "config": config}
    return [named | {name: _text(row[name]) for name in FINGERPRINTS} for row in rows]


def _text(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell + 0.0:.6f}" if isinstance(cell, float) else str(cell)


def record(store: Path, at: str) -> list[str]:
    """Write the fingerprints of all studies and configs; return a line per verdict that changed.

    A row that is as recorded keeps its commit.

    Args:
        store: as resources/measured.
        at: the commit whose rules judge.
    """
    path = store / "fingerprints.tsv"
    old = {_name(row): row for row in (read_tsv(path, RECORD) if path.exists() else [])}
    rows, lines = [], []
    for row in (row for study in STUDIES for config in CONFIGS for row in judged(study, config)):
        last = old.get(_name(row), {})
        same = all(last.get(name) == cell for name, cell in row.items())
        rows.append(row | {"commit": last["commit"] if same else at})
        if last.get("verdict") != row["verdict"]:
            before = last.get("verdict", "none")
            named = " ".join(filter(None, _name(row)))
            lines.append(f"{named}: {before} -> {row['verdict']}: {row['reason']}")
    write_tsv(path, rows, RECORD)
    return lines


def _name(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in NAMED)


def main() -> None:
    """Record all fingerprints; print what changed."""
    try:
        print("\n".join(record(STORE, commit())))
    except KasuError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()

"""Accuracies on dev, as fingerprints take them: those that members had when they were trained."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from kasu.files.tables import read_parquet
from kasu.transduction.fingerprints.target import Found

FIRST = [("split", "=", "dev"), ("item", "=", 0), ("rank", "=", 1)]  # one row for each member


def read_dev(
    members: Mapping[str, Mapping[str, Sequence[str | Path]]], languages: Collection[str]
) -> Found:
    """Read the accuracies on dev of systems whose members stand alone.

    Args:
        members: files of MEMBERS by system and setting.
        languages: those that count; the others are left out.
    """
    found: dict[tuple[str, str | None, str], dict[str, dict[int | None, float]]] = {}
    columns = ["language", "variant", "seed", "dev_accuracy"]
    for system, settings in members.items():
        for setting, files in settings.items():
            for path in files:
                for row in read_parquet(path, columns, FIRST).to_pylist():
                    if row["language"] in languages:
                        cells = found.setdefault((system, row["variant"], setting), {})
                        cells.setdefault(row["language"], {})[row["seed"]] = row["dev_accuracy"]
    return {
        key: {language: with_mean(seeds) for language, seeds in cells.items()}
        for key, cells in found.items()
    }


def with_mean(accuracies: Mapping[int | None, float]) -> dict[int | None, Mapping]:
    """Return the rows of a language by seed; of several seeds, their mean is one, as in scores."""
    rows: dict[int | None, Mapping] = {
        seed: {"value": value, "runs": 1} for seed, value in accuracies.items()
    }
    if len(rows) > 1:
        mean = sum(accuracies.values()) / len(rows)
        rows[None] = {"value": mean, "runs": len(rows)}
    return rows

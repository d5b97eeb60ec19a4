"""The file of predictions: the forms of one submission in one setting, for all its languages."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.transduction.members.families import Run

PREDICTIONS = pa.schema(
    [
        ("system", pa.string()),
        ("setting", pa.string()),
        ("language", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
        ("members", pa.int32()),
        ("item", pa.int32()),
        ("gold", pa.string()),
        ("prediction", pa.string()),
    ]
)
"""One row per language, variant, seed and test item. `item` is the row number in the test set, from
0; `gold` is the right form; `members` is how many of the family made the prediction together.
Variant and seed are null if a system has none. Sorted by language, variant (the family's default
first), seed and item."""

MISSING = ("system", "setting", "members", "language", "reason")
"""The table beside a file of predictions: one row per member that failed, or per language whose
data are at fault."""


class Predicted(NamedTuple):
    """The forms of a submission for the test items of a language, and from how many members."""

    forms: Sequence[str]
    members: int = 1


def write_predictions(
    path: str | Path,
    system: str,
    setting: str,
    predicted: Mapping[str, tuple[Sequence[str], Mapping[Run, Predicted]]],
) -> None:
    """Write what a submission predicts in a setting.

    Args:
        predicted: for each language the right forms of its test items and what is predicted for
            each variant and seed, in the order of the file.

    Raises:
        ValueError: the number of forms is not that of the test items.
    """
    tables = [PREDICTIONS.empty_table()]
    for language in sorted(predicted):
        gold, runs = predicted[language]
        for (variant, seed), (forms, members) in runs.items():
            if len(forms) != len(gold):
                who = f"{system}, {setting}, {language}, variant {variant}, seed {seed}"
                raise ValueError(f"{who}: {len(forms)} forms for {len(gold)} test items")
            facts: dict[str, str | int | None] = {
                "system": system, "setting": setting, "language": language, "variant": variant,
                "seed": seed, "members": members,
            }  # fmt: skip
            columns: dict[str, list] = {name: [facts[name]] * len(gold) for name in facts}
            columns |= {"item": list(range(len(gold))), "gold": list(gold)}
            tables.append(pa.table(columns | {"prediction": list(forms)}, PREDICTIONS))
    write_parquet(path, pa.concat_tables(tables), PREDICTIONS)


class Submitted(NamedTuple):
    """A file of predictions and the languages in it."""

    path: str | Path
    system: str
    setting: str
    languages: frozenset[str]


def survey(paths: Iterable[str | Path]) -> list[Submitted]:
    """List what files of predictions hold; a file without rows is left out.

    Raises:
        KasuError: a file is unreadable, it holds several systems or settings, or two files hold the
            same.
    """
    found: dict[tuple[str, str], Submitted] = {}
    for path in paths:
        table = read_parquet(path, ["system", "setting", "language"])
        if not len(table):
            continue
        keys = table.group_by(["system", "setting"]).aggregate([]).to_pylist()
        if len(keys) > 1:
            raise KasuError(path, f"{len(keys)} pairs of system and setting", "1")
        system, setting = keys[0].values()
        if (system, setting) in found:
            raise KasuError(path, f"a second file of {system}, {setting}", "one")
        languages = frozenset(pc.unique(table["language"]).to_pylist())
        found[system, setting] = Submitted(path, system, setting, languages)
    return list(found.values())


def held(found: Iterable[Submitted]) -> set[tuple[str, str, str]]:
    """Return the system, setting and language of all predictions."""
    return {(each.system, each.setting, name) for each in found for name in each.languages}


def check_complete(
    setting: str,
    language: str,
    systems: Iterable[str],
    found: Sequence[Submitted],
    failed: Iterable[Mapping[str, str]],
) -> None:
    """Check that a language has the predictions of all systems that should have any.

    Args:
        found: the files of predictions.
        failed: rows of MISSING; a language listed there may lack predictions.

    Raises:
        KasuError: a system has none.
    """
    excused = {(row["system"], row["setting"], row["language"]) for row in failed}
    for system in systems:
        if (system, setting, language) not in held(found) | excused:
            where = f"predictions of {system}, {setting}"
            raise KasuError(where, f"none for {language}", "one for each test item")


def read_predictions(path: str | Path, language: str, gold: Sequence[str]) -> dict[Run, Predicted]:
    """Read the predicted forms of one language, in order of its test items.

    Args:
        gold: the right forms of the test items.

    Raises:
        KasuError: the rows of a variant and seed are not exactly the test items.
    """
    columns = ["variant", "seed", "members", "item", "gold", "prediction"]
    table = read_parquet(path, columns, [("language", "=", language)])
    runs: dict[tuple[Run, int], dict[int, tuple[str, str]]] = {}
    for row in table.to_pylist():
        run = Run(row["variant"], row["seed"]), row["members"]
        items = runs.setdefault(run, {})
        if row["item"] in items:
            raise KasuError(f"{path}: {language}", f"item {row['item']} twice", "once")
        items[row["item"]] = (row["gold"], row["prediction"])
    expected = dict(enumerate(gold))
    for ((variant, seed), _), items in runs.items():
        if {item: right for item, (right, _) in items.items()} != expected:
            found = f"variant {variant}, seed {seed}: other items than the test set has"
            raise KasuError(f"{path}: {language}", found, f"its {len(gold)} items")
    return {
        run: Predicted([items[item][1] for item in expected], members)
        for (run, members), items in runs.items()
    }

"""The table of fingerprints: its rows, and what our scores say in each."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kasu.files.tables import read_parquet, write_tsv
from kasu.results.reproduction import State
from kasu.transduction.fingerprints.fingerprint import EARNED, PublishedMembers, team
from kasu.transduction.fingerprints.target import (
    Accuracies,
    Evidence,
    Found,
    Origins,
    PublishedTask,
    Submitted,
    Target,
    name_of,
    on_dev,
)

FINGERPRINTS = (
    "system", "variant", "setting", "column", "panel", "languages", "wanted", "members",
    "published_members", "difference", "low", "high", "items_low", "items_high", "expected",
    "margin", "sd", "cap", "seed_sd", "seed_cap", "rms", "rank", "columns", "nearest_other",
    "nearest_rms", "resolution", "unseen", "verdict", "reason",
)  # fmt: skip
"""One system against one published column. Differences are ours minus published, fractions of 1.

`panel` is what the config calls the languages (empty if it names none), `wanted` how many of them
have a published figure. `members` and `published_members` are how many members either side has.
`low` to `high` is the interval over languages, as if they were drawn from many; `items_low` to
`items_high` the one for these very languages, over items and seeds. `seed_sd` is the system's own
spread over its seeds, `seed_cap` the SD over languages that seeds alone exceed in one panel of
twenty. `rank` is the place of the own column among all `columns` by RMS. `resolution` is the
smallest mean loss that would have been called otherwise in four draws of five; `unseen` names the
parts without which the system earns the verdict too."""

DIFFERENCES = (
    "system", "variant", "setting", "column", "panel", "language", "ours", "published",
    "difference",
)  # fmt: skip
"""The accuracies in one language that a fingerprint was taken from."""


def take_fingerprints(
    task: PublishedTask,
    scores: Iterable[Mapping],
    targets: Iterable[Target],
    origins: Origins,
    published_members: PublishedMembers,
    submitted: Submitted,
    dev: Found | None = None,
) -> tuple[list[dict], list[dict]]:
    """Return rows of FINGERPRINTS and of DIFFERENCES.

    They are the targets, then all else that has a column of its own on test. Each is followed by
    the ablations of its column.

    Args:
        scores: rows of SCORES.
        targets: what the config states.
        published_members: how many members are behind each column.
        submitted: the languages in which each system was to run.
        dev: accuracies on dev, for targets of that split.

    Raises:
        KasuError: a target's column is not a published one.
    """
    found = _accuracies(task, scores)
    evidence = Evidence(task, found, origins, published_members, submitted, dev or {})
    # The default variant of a submission stands for it
    defaults = {system: origin["variant"] for system, origin in origins.items()}
    stated = [{"variant": defaults.get(target["system"]), **target} for target in targets]
    named = {name_of(target)[:3] for target in stated if not on_dev(target)}
    for system, variant, setting in [key for key in found if key not in named]:
        if defaults.get(system, ...) == variant and task.columns(setting).get(system):
            stated.append({"system": system, "variant": variant, "setting": setting})
    # By name, so that an ablation that is stated itself keeps its own bounds
    by_name = {name_of(target): target for target in stated}
    # Targets over other languages each have ablations of their own
    ordered: dict[tuple, Target] = {}
    for target in stated:
        for each in (target, *evidence.ablated(target)):
            kept = by_name.get(name_of(each), each)
            names = (tuple(kept.get(key, ())) for key in ("languages", "excluded"))
            ordered[name_of(kept), *names] = kept
    taken = [each for each in map(evidence.take, ordered.values()) if each]
    _count_once(taken)
    return [row for row, _ in taken], [row for _, rows in taken for row in rows]


def _count_once(taken: Sequence[tuple[dict, list[dict]]]) -> None:
    """Let the same accuracies earn one verdict beside several columns of one team.

    They earn it beside the nearest column. Votes of a few members may be the same, whatever their
    submissions ask for.
    """
    groups: dict[tuple, list[dict]] = {}
    for row, by_language in taken:
        ours = tuple((each["language"], each["ours"]) for each in by_language)
        if row["verdict"] in EARNED:
            groups.setdefault((team(row["column"]), row["setting"], ours), []).append(row)
    for rows in groups.values():
        nearest = min(rows, key=lambda row: row["rms"])
        for row in rows:
            if row is not nearest:
                row["verdict"] = str(State.UNINFORMATIVE)
                found = f"the same accuracies earn their verdict beside {nearest['column']}"
                row["reason"] = f"{found}, which is nearer"
                nearest["reason"] += f"; one verdict, as {row['column']} has the same accuracies"


def _accuracies(task: PublishedTask, scores: Iterable[Mapping]) -> Found:
    """Return accuracies on test by system, variant and setting."""
    found: dict[tuple[str, str | None, str], Accuracies] = {}
    for row in scores:
        cell = task.cell_of(row["condition"])
        if cell and row["metric"] == "accuracy" and row["value"] is not None:
            setting, language = cell
            cells = found.setdefault((row["system"], row["variant"], setting), {})
            cells.setdefault(language, {})[row["seed"]] = row
    return found


def write_fingerprints(
    task: PublishedTask,
    scores: str | Path,
    table: str | Path,
    differences: str | Path,
    targets: Sequence[Target],
    origins: Origins,
    published_members: PublishedMembers,
    submitted: Submitted,
    dev: Found,
) -> None:
    """Write the tables of FINGERPRINTS and DIFFERENCES from the scores of a study."""
    rows = read_parquet(scores).to_pylist()
    taken, by_language = take_fingerprints(
        task, rows, targets, origins, published_members, submitted, dev
    )
    write_tsv(table, taken, FINGERPRINTS)
    write_tsv(differences, by_language, DIFFERENCES)

"""Predictions of a submission from the members of a family, without further training."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from kasu.files.tables import read_tsv, write_tsv
from kasu.transduction.members.answers import FAILURES, read_members, run_of
from kasu.transduction.members.families import Family, Member, Run, alone
from kasu.transduction.members.predictions import MISSING, Predicted, write_predictions


def submit(
    family: Family,
    system: str,
    setting: str,
    members: Sequence[str | Path],
    failures: Sequence[str | Path],
    predictions: str | Path,
    missing: str | Path,
) -> None:
    """Write the predictions of a submission for all languages of a setting.

    A language is left out if it has no member, or only one of the several that make a vote.

    Args:
        system: one of the family's submissions.
        members: files of MEMBERS, all packs and blocks of the family in this setting.
        failures: tables of FAILURES, likewise.
        predictions: parquet file of PREDICTIONS to write.
        missing: table of MISSING to write.
    """
    predicted = {}
    for trained in read_members(members):
        if found := predict(family, system, setting, trained.members):
            predicted[trained.language] = trained.gold, found
    write_predictions(predictions, system, setting, predicted)
    lost = [
        row
        for path in failures
        for row in read_tsv(path, FAILURES)
        if any(family.makes(system, run) for run in map(run_of, row["members"].split()))
    ]
    rows = ({"system": system} | {name: row[name] for name in MISSING[1:]} for row in lost)
    write_tsv(missing, rows, MISSING)


def predict(
    family: Family, system: str, setting: str, members: Mapping[Run, Member]
) -> dict[Run, Predicted]:
    """Predict one language: by member or, where all members of a variant join, by variant.

    Variants come in the family's order, so that its default is the first.
    """
    submission, order = family.all_submissions[system], list(family.variants)
    made = [run for run in members if family.makes(system, run)]
    runs = sorted(made, key=lambda run: (run.variant and order.index(run.variant), run.seed))
    if submission is alone:
        return {run: Predicted(submission([members[run]]), 1) for run in runs}
    found = {}
    for variant, group in groupby(runs, key=lambda run: run.variant):
        joined = [members[run] for run in group]
        if enough(len(joined), family.members.get(setting)):
            found[Run(variant)] = Predicted(submission(joined), len(joined))
    return found


def enough(members: int, published: int | None) -> bool:
    """Return whether members can make a submission together.

    A single member cannot stand for several of the paper.
    """
    return members > 1 or published in (None, 1)

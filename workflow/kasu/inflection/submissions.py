"""From the members of a family to the predictions of a submission, without further training."""

from collections.abc import Sequence
from pathlib import Path

from kasu.base.tables import read_tsv, write_tsv
from kasu.inflection.families import load_family
from kasu.inflection.members import FAILURES, read_members
from kasu.inflection.predictions import MISSING, write_predictions


def submit(
    family: str,
    system: str,
    setting: str,
    members: Sequence[str | Path],
    failures: Sequence[str | Path],
    predictions: str | Path,
    missing: str | Path,
) -> None:
    """Write the predictions of a submission for all languages of a setting.

    A language of which any member failed is left out.

    Args:
        system: one of the family's SUBMISSIONS.
        members: files of MEMBERS, all packs and blocks of the family in this setting.
        failures: tables of FAILURES, likewise.
        predictions: parquet file of PREDICTIONS to write.
        missing: table of MISSING to write.
    """
    lost = [row for path in failures for row in read_tsv(path, FAILURES)]
    left_out = {row["language"] for row in lost}
    predict = load_family(family).SUBMISSIONS[system]
    predicted = {
        trained.language: (trained.gold, predict(trained.members))
        for trained in read_members(members)
        if trained.language not in left_out
    }
    write_predictions(predictions, system, setting, predicted)
    rows = ({"system": system} | {name: row[name] for name in MISSING[1:]} for row in lost)
    write_tsv(missing, rows, MISSING)

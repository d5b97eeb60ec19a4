"""Predictions of submissions from the members of one family or of several, without training."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv, write_tsv
from kasu.transduction.members.answers import FAILURES, Trained, name_of, read_members, run_of
from kasu.transduction.members.families import Family, Member, Run, alone
from kasu.transduction.members.joined import FEWEST, JoinedFamily, takes
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


# Of several families


class _Joined(NamedTuple):
    """The members that one family has in one language."""

    language: str
    family: str
    gold: list[str]
    members: list[Member]


def submit_joined(
    family: JoinedFamily,
    joined: Sequence[Family],
    system: str,
    setting: str,
    languages: Sequence[str],
    members: Sequence[str | Path],
    failures: Sequence[str | Path],
    predictions: str | Path,
    missing: str | Path,
) -> None:
    """Write the predictions of a submission that is made from several families.

    A family without a member in a language is left out there; a language with fewer than two
    families is left out. Both are rows of MISSING; in the predictions `members` counts families.

    Args:
        joined: the families of `family.joins`, in this order.
        system: one of the family's submissions.
        languages: those to predict.
        members: files of MEMBERS, all packs and blocks of all joined families in this setting.
        failures: tables of FAILURES, likewise.
        predictions: parquet file of PREDICTIONS to write.
        missing: table of MISSING to write.

    Raises:
        KasuError: a file is unreadable, or two families were tested on different items.
    """
    files = _by_family(members)
    streams = [_read(each, files.get(each.name, [])) for each in joined]
    predicted = {}
    # Each stream is sorted by language, so memory holds one language
    by_language = attrgetter("language")
    for language, group in groupby(merge(*streams, key=by_language), by_language):
        found = [each for each in group if each.members and language in languages]
        if any(each.gold != found[0].gold for each in found):
            names = ", ".join(each.family for each in found)
            where = f"members of {names} at {setting}"
            raise KasuError(where, f"other test items in {language}", "the same")
        if len(found) >= FEWEST:
            voters = {each.family: each.members for each in found}
            dev = _dev_forms(files[found[0].family], language)
            forms = family.submissions[system](voters, dev)
            predicted[language] = found[0].gold, {Run(): Predicted(forms, len(voters))}
    write_predictions(predictions, system, setting, predicted)
    lost = [*_failed(joined, failures, languages)]
    for language in sorted({*languages} - {*predicted}):
        names = ", ".join(family.joins)
        reason = f"no answers, since fewer than {FEWEST} of {names} have a member"
        lost.append({"members": "", "language": language, "reason": reason})
    write_tsv(missing, ({"system": system, "setting": setting} | row for row in lost), MISSING)


def _by_family(paths: Sequence[str | Path]) -> dict[str, list[str | Path]]:
    """Group files of MEMBERS by their family; a file without rows is of none."""
    files: dict[str, list[str | Path]] = {}
    for path in paths:
        if names := read_parquet(path, ["family"])["family"].unique().to_pylist():
            files.setdefault(names[0], []).append(path)
    return files


def _read(family: Family, paths: Sequence[str | Path]) -> Iterator[_Joined]:
    """Read the members of a family that a vote takes, language by language."""
    trained: Trained
    for trained in read_members(paths):
        own = [member for run, member in trained.members.items() if takes(family, run)]
        yield _Joined(trained.language, family.name, trained.gold, own)


def _dev_forms(paths: Sequence[str | Path], language: str) -> list[str]:
    """Return the right forms of a language's dev items, in their order."""
    forms: dict[int, str] = {}
    chosen = [("language", "=", language), ("split", "=", "dev"), ("rank", "=", 1)]
    for path in paths:
        table = read_parquet(path, ["item", "gold"], chosen)
        forms |= zip(table["item"].to_pylist(), table["gold"].to_pylist(), strict=True)
    return [forms[item] for item in sorted(forms)]


def _failed(
    joined: Sequence[Family], failures: Sequence[str | Path], languages: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield the failures of members that a vote would have taken, named after their family."""
    families = {family.name: family for family in joined}
    for path in failures:
        for row in read_tsv(path, FAILURES):
            family = families[row["family"]]
            runs = [run for run in map(run_of, row["members"].split()) if takes(family, run)]
            if runs and row["language"] in languages:
                names = " ".join(f"{family.name}:{name_of(run)}" for run in runs)
                yield {"members": names, "language": row["language"], "reason": row["reason"]}

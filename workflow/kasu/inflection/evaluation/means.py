"""Means over languages (Table 8)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from kasu.inflection.evaluation.outcomes import ENSEMBLE
from kasu.inflection.evaluation.printed import WHOLE_TASK, Printed, cell_of
from kasu.results.published import rounded
from kasu.results.scores import Score, mean_score
from kasu.results.statistics import span
from kasu.transduction.fingerprints.fingerprint import PublishedMembers
from kasu.transduction.task.places import OUTSIDE, PART
from kasu.transduction.task.scores import by_place


def mean_scores(
    scores: Iterable[Score],
    printed: Printed,
    failed: Collection[tuple[str, str, str]] = (),
    published_members: PublishedMembers | None = None,
    texts: Mapping[str, str] | None = None,
) -> list[Score]:
    """Average over the languages that we share with the paper, and separately over any others.

    Like Table 8, this averages a system of the paper over the languages that it was submitted for;
    if we have more, a second mean covers all languages of the task. A mean over a part of the
    paper's languages is another figure than the printed one and does not stand beside it. Each
    language counts with all its seeds; the mean of one seed is over the languages that have it.
    Languages are fixed: they are not resampled, and the interval combines their intervals.

    Args:
        failed: (system, setting, language) without predictions; the note counts them.
        texts: the setting whose forms a system read as text, of those that did; a note says so.
    """
    found: list[Score] = []
    groups = by_place(scores, lambda score: cell_of(score.condition))
    for (setting, system, metric, _), seeds in groups.items():
        lost = [name for *where, name in failed if where == [system, setting]]
        lost_of = _divide(lost, system, setting, printed)
        published = (published_members or {}).get(system, {}).get(setting, 0)
        for seed, by_language in seeds.items():
            for part, names in _divide(by_language, system, setting, printed).items():
                means = [by_language[name] for name in names]
                mean = mean_score(means)
                notes, where = [mean.note or ""], part
                if not part and mean.value is not None:
                    notes = [_compared(names, system, setting, metric, printed)]
                    where = "" if len(names) == len(_submitted(system, setting, printed)) else PART
                notes += [*_notes(means, system, published), *text_read(system, texts)]
                if part in lost_of:
                    notes.append(f"{len(lost_of[part])} failed")
                found.append(
                    replace(
                        mean,
                        table=printed.summary_table("accuracy"),
                        condition=f"{setting}|{where}".rstrip("|"),
                        seed=seed,
                        note="; ".join(filter(None, notes)),
                    )
                )
    return found


def _divide(
    languages: Iterable[str], system: str, setting: str, printed: Printed
) -> dict[str, list[str]]:
    """Return the languages of each mean, by what its condition adds to the setting."""
    task = set(printed.languages(setting))
    shared = set(_submitted(system, setting, printed))
    parts = {
        "": [name for name in languages if name in shared],
        WHOLE_TASK: [name for name in languages if name in task],
        OUTSIDE: [name for name in languages if name not in task],
    }
    if parts[WHOLE_TASK] == parts[""]:
        del parts[WHOLE_TASK]
    return {part: names for part, names in parts.items() if names}


def _submitted(system: str, setting: str, printed: Printed) -> list[str]:
    """Return the languages of a printed mean; of a system that the paper lacks, all of the task."""
    task = printed.languages(setting)
    theirs = [name for name in task if printed.value(system, setting, name) is not None]
    return theirs or task


def _compared(
    languages: Sequence[str], system: str, setting: str, metric: str, printed: Printed
) -> str:
    """Say how many languages are in the mean, and what the paper's mean over the same ones is."""
    task = printed.languages(setting)
    note = f"mean over {len(languages)} of {len(task)} languages"
    printed_values = (printed.value(system, setting, name, metric) for name in languages)
    values = [value for value in printed_values if value is not None]
    if len(values) == len(languages) < len(task):
        same = rounded(sum(values) / len(values), 2, percent=metric == "accuracy")
        note += f"; published over these: {same}"
    return note


def _notes(scores: Sequence[Score], system: str, published: int) -> list[str]:
    """List what differs between the languages of a mean, or from the published submission."""
    if system == ENSEMBLE:
        notes = {score.note or "" for score in scores}
        return [*notes] if len(notes) == 1 else ["over the systems run in each language"]
    runs = [score.runs or 0 for score in scores]
    if published:
        return fewer_members(runs, published)
    return [f"{span(runs)} seeds a language"] if min(runs) < max(runs) else []


def fewer_members(members: Sequence[int], published: int) -> list[str]:
    """Say how many members a vote has if the published one has more."""
    return [f"members {span(members)} of {published}"] if min(members) < published else []


def text_read(system: str, texts: Mapping[str, str] | None) -> list[str]:
    """Say that a system read more than the training set: the paper calls it non-standard."""
    setting = (texts or {}).get(system)
    return [f"read the forms of {setting} as text"] if setting else []

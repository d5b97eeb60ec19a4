"""The figures of task 2 that papers published language by language, for fingerprints.

Where no paper has a system's figures by language, Table 12 has those of the languages in which the
system is the best: in track 1 at low all seven of UZH's.
"""

from functools import cache

from kasu.cloze.data.names import COPY, FREQUENT
from kasu.cloze.evaluation.printed import (
    BEST_ACCURACY,
    ORIGINAL,
    Printed,
    cell_of,
    condition,
    read_printed,
)
from kasu.results.published import PublishedFiles
from kasu.transduction.fingerprints.target import PublishedTask


def fingerprint_task(published: PublishedFiles) -> PublishedTask:
    """Return the columns of accuracy on original forms, from the printed figures."""
    printed = read_printed(published)

    @cache
    def columns(setting: str) -> dict[str, dict[str, float]]:
        return {
            system: {
                language: value
                for language in printed.languages
                if (value := _value(printed, system, setting, language)) is not None
            }
            for system in printed.systems
        }

    return PublishedTask("cloze", COPY, cell_of, columns, nulls=(COPY, FREQUENT))


def _value(printed: Printed, system: str, setting: str, language: str) -> float | None:
    value = printed.value(system, condition(setting, ORIGINAL, language))
    if value is None and printed.best(setting, ORIGINAL).get(language) == system:
        value = printed.value(language, condition(setting, ORIGINAL), BEST_ACCURACY)
    return value

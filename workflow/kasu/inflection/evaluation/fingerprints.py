"""What task 1 published language by language, for fingerprints."""

from pathlib import Path

from kasu.inflection.evaluation.pairs import COPY
from kasu.inflection.evaluation.printed import cell_of, read_printed
from kasu.transduction.fingerprints.tables import Task


def fingerprint_task(published: str | Path) -> Task:
    """The columns of the submissions and of the baseline, from the folder of printed figures."""
    printed = read_printed(published)

    def columns(setting: str) -> dict[str, dict[str, float]]:
        return {
            system: {
                language: value
                for language in printed.languages(setting)
                if (value := printed.value(system, setting, language)) is not None
            }
            for system in ("baseline", *printed.submissions(setting))
        }

    return Task("inflection", COPY, cell_of, columns, nulls=(COPY,), reruns=printed.reruns)

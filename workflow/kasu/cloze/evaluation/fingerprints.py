"""What the papers of task 2 published language by language, for fingerprints."""

from pathlib import Path

from kasu.cloze.evaluation.printed import COPY, ORIGINAL, condition, read_printed
from kasu.transduction.fingerprints.tables import Task


def fingerprint_task(published: str | Path) -> Task:
    """The columns of accuracy on original forms, from the folder of printed figures."""
    printed = read_printed(published)

    def columns(setting: str) -> dict[str, dict[str, float]]:
        return {
            system: {
                language: value
                for language in printed.languages
                if (value := printed.value(system, condition(setting, ORIGINAL, language)))
                is not None
            }
            for system in printed.systems
        }

    return Task("cloze", COPY, _cell_of, columns)


def _cell_of(where: str) -> tuple[str, str] | None:
    """The setting and the language of `track1|original|low|de`; None of a mean over all.

    A mean over some languages has their description in the language's place, which no column has.
    """
    track, _, rest = where.partition("|")
    forms, _, rest = rest.partition("|")
    size, _, language = rest.partition("|")
    single = forms == ORIGINAL and language and "|" not in language
    return (f"{track}-{size}", language) if single else None

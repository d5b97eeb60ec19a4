"""What the overview paper prints of task 1, and where a figure of ours belongs."""

from collections.abc import Iterable
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.published import Published, read_published
from kasu.inflection.data.triples import SETTINGS

PAPER = "sigmorphon2018"
ORACLES = ("oracle-fc", "oracle-e")
PARTIAL = "partial submission"  # in the note of a mean over fewer languages than there are
OUTSIDE = "languages outside the paper"
WHOLE_TASK = "all languages of the task"


def cell_of(condition: str) -> tuple[str, str] | None:
    """The setting and language of a condition, None where it is not of one language."""
    setting, _, language = condition.partition("|")
    return (setting, language) if language not in ("", OUTSIDE, WHOLE_TASK) else None


class Printed:
    """The paper's figures of task 1, by system, condition and metric.

    One language's condition is `<setting>|<language>`; the printed tables that hold a setting share
    its systems out. A system or language that the paper lacks belongs to the last of them.
    """

    def __init__(self, figures: Iterable[Published]) -> None:
        self._figures: dict[tuple[str, str, str], Published] = {}
        self._tables: dict[tuple[str, str], str] = {}
        self._languages: dict[str, dict[str, None]] = {setting: {} for setting in SETTINGS}
        self._systems: dict[str, dict[str, None]] = {setting: {} for setting in SETTINGS}
        for figure in figures:
            setting, _, language = figure.condition.partition("|")
            if figure.paper != PAPER or setting not in (*SETTINGS, "total", "dev", "test"):
                continue
            self._figures[figure.key[2:]] = figure
            if setting not in SETTINGS:
                continue
            if language:
                self._languages[setting][language] = None
                self._systems[setting][figure.system] = None
                self._tables[figure.system, setting] = figure.table
                self._tables["", setting] = figure.table
            else:
                self._tables["", figure.metric] = figure.table
        if not self._languages[SETTINGS[0]]:
            raise KasuError("published figures", f"none of {PAPER} by language", "its Tables 13-19")

    def table(self, system: str, setting: str) -> str:
        """The table of a system's figures by language: the setting's last for one of ours."""
        return self._tables.get((system, setting)) or self._tables["", setting]

    def summary_table(self, metric: str, system: str = "", setting: str = "") -> str:
        """The table of a mean (`accuracy`) or of a language's `lemmata` or `best_accuracy`."""
        figure = self._figures.get((system, setting, metric))
        return figure.table if figure else self._tables["", metric]

    def value(
        self, system: str, setting: str, language: str = "", metric: str = "accuracy"
    ) -> float | None:
        """A printed figure, or a printed mean over languages; None where there is none."""
        figure = self._figures.get((system, f"{setting}|{language}".rstrip("|"), metric))
        return figure.value if figure else None

    def note(self, system: str, setting: str) -> str:
        """The note on a mean over languages."""
        figure = self._figures.get((system, setting, "accuracy"))
        return figure.note if figure else ""

    def languages(self, setting: str) -> list[str]:
        """The languages that have the setting."""
        return list(self._languages[setting])

    def submissions(self, setting: str) -> list[str]:
        """The systems of a setting that were submitted: neither oracles nor the baseline."""
        return [s for s in self._systems[setting] if s not in (*ORACLES, "baseline")]

    def best(self, setting: str, language: str) -> float | None:
        """The best accuracy of a submission."""
        values = (self.value(s, setting, language) for s in self.submissions(setting))
        return max((value for value in values if value is not None), default=None)


def read_printed(folder: str | Path) -> Printed:
    """Read the paper's figures of task 1 from a folder of published figures."""
    return Printed(read_published(folder))

"""The figures that the overview paper prints for task 1, and the tables where ours belong."""

from collections.abc import Iterable

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import PAPER, SETTINGS
from kasu.results.published import Published, PublishedFiles, read_published
from kasu.transduction.task.places import OUTSIDE, PART, RUN

ORACLES = ("oracle-fc", "oracle-e")
PARTIAL = "partial submission"  # the note on a mean that does not cover all languages
WHOLE_TASK = "all languages of the task"
DEV = "dev"  # the table of what a team published of accuracy on dev
RERUN = "rerun"  # the table of what a team published after the task, of a program mended


def cell_of(condition: str) -> tuple[str, str] | None:
    """Return the setting and language of a condition, or None if it concerns no single language."""
    setting, _, language = condition.partition("|")
    return (setting, language) if language not in ("", OUTSIDE, WHOLE_TASK, PART, RUN) else None


class Printed:
    """The paper's figures of task 1, by system, condition and metric.

    The condition of one language is `<setting>|<language>`. Several printed tables divide the
    systems of a setting among them. Systems and languages that the paper does not have belong in
    the last of these.
    """

    def __init__(self, figures: Iterable[Published]) -> None:
        self._figures: dict[tuple[str, str, str], Published] = {}
        self._tables: dict[tuple[str, str], str] = {}
        self._languages: dict[str, dict[str, None]] = {setting: {} for setting in SETTINGS}
        self._systems: dict[str, dict[str, None]] = {setting: {} for setting in SETTINGS}
        # What teams published themselves, by table and setting
        self._others: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
        for figure in figures:
            setting, _, language = figure.condition.partition("|")
            of_team = figure.table in (RERUN, DEV) and figure.metric == "accuracy"
            if of_team and figure.value is not None:
                columns = self._others.setdefault((figure.table, setting), {})
                columns.setdefault(f"{figure.table} {figure.system}", {})[language] = figure.value
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
        """Return the table of a system's figures by language; of a new system, the last one."""
        return self._tables.get((system, setting)) or self._tables["", setting]

    def summary_table(self, metric: str, system: str = "", setting: str = "") -> str:
        """Return the table of a mean (`accuracy`) or a language's `lemmata` or `best_accuracy`."""
        figure = self._figures.get((system, setting, metric))
        return figure.table if figure else self._tables["", metric]

    def value(
        self, system: str, setting: str, language: str = "", metric: str = "accuracy"
    ) -> float | None:
        """Return a printed figure, or a printed mean over languages; None if the paper has none."""
        figure = self._figures.get((system, f"{setting}|{language}".rstrip("|"), metric))
        return figure.value if figure else None

    def figure(
        self, system: str, setting: str, language: str = "", metric: str = "accuracy"
    ) -> float:
        """Return a printed figure as in `value`, where the paper must have one.

        Raises:
            KasuError: there is none.
        """
        value = self.value(system, setting, language, metric)
        if value is None:
            where = f"published figures of {PAPER}"
            raise KasuError(where, f"no {metric} of {system}, {setting} {language}".rstrip(), "one")
        return value

    def shows(
        self, system: str, setting: str, value: float, language: str = "", metric: str = "accuracy"
    ) -> bool | None:
        """Return whether a value has the printed digits; None if the paper has no such figure."""
        figure = self._figures.get((system, f"{setting}|{language}".rstrip("|"), metric))
        return figure.shows(value) if figure else None

    def note(self, system: str, setting: str) -> str:
        """Return the note on a mean over languages."""
        figure = self._figures.get((system, setting, "accuracy"))
        return figure.note if figure else ""

    def languages(self, setting: str) -> list[str]:
        """List the languages that have the setting."""
        return list(self._languages[setting])

    def submissions(self, setting: str) -> list[str]:
        """List the submitted systems of a setting, without oracles and baseline."""
        return [s for s in self._systems[setting] if s not in (*ORACLES, "baseline")]

    def competitors(self, setting: str, language: str) -> list[str]:
        """List the systems whose best Tables 9 and 10 print: submissions and baseline."""
        entered = ("baseline", *self.submissions(setting))
        return [each for each in entered if self.value(each, setting, language) is not None]

    def reruns(self, setting: str) -> dict[str, dict[str, float]]:
        """Return accuracies by `rerun <system>` and language."""
        return self._others.get((RERUN, setting), {})

    def dev(self, setting: str) -> dict[str, dict[str, float]]:
        """Return accuracies on dev by `dev <system>` and language."""
        return self._others.get((DEV, setting), {})

    def best(self, setting: str, language: str) -> float | None:
        """Return the best accuracy of any submission; None without one."""
        values = (self.value(s, setting, language) for s in self.submissions(setting))
        return max((value for value in values if value is not None), default=None)


def read_printed(published: PublishedFiles) -> Printed:
    """Read the paper's figures of task 1."""
    return Printed(read_published(published))

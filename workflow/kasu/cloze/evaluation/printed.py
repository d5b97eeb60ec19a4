"""The figures that the overview paper and the system papers print for task 2."""

from collections.abc import Collection, Iterable

from kasu.base.errors import KasuError
from kasu.cloze.data.names import COPY, PAPER
from kasu.results.published import Published, PublishedFiles, read_published
from kasu.transduction.task.places import OUTSIDE, PART, RUN

ORIGINAL, PLAUSIBLE = "original", "plausible"
FORMS = (ORIGINAL, PLAUSIBLE)
MEANS, BEST, BY_LANGUAGE, TOKENS, TARGETS = (
    "Table 11", "Table 12", "by language", "Table 4", "Table 5",
)  # fmt: skip
BEST_ACCURACY = "best_accuracy"  # the metric of Table 12
# As Table 12 calls systems
_SHORT = {"CPH": "copenhagen", "NBL": "neural-bl", "CBL": COPY, "UZH": "uzh", "BME-HAS": "bme-has"}


def condition(setting: str, forms: str, language: str = "") -> str:
    """Return the condition of a figure: `track1|original|low|de`, or without a language a mean."""
    track, _, size = setting.partition("-")
    return "|".join(filter(None, (track, forms, size, language)))


def cell_of(where: str) -> tuple[str, str] | None:
    """Return the setting and language of a condition.

    They are track1-low and de for `track1|original|low|de`; None unless the condition is of
    original forms and of one language.
    """
    track, _, rest = where.partition("|")
    forms, _, rest = rest.partition("|")
    size, _, language = rest.partition("|")
    single = forms == ORIGINAL and language not in ("", PART, OUTSIDE, RUN)
    return (f"{track}-{size}", language) if single else None


class Printed:
    """The printed figures of task 2, by system, condition and metric.

    Attributes:
        languages: the languages of the task.
        systems: the systems of Table 11, baselines included.
    """

    def __init__(self, figures: Iterable[Published]) -> None:
        tables = (MEANS, BEST, BY_LANGUAGE, TOKENS, TARGETS)
        own = [each for each in figures if each.paper == PAPER and each.table in tables]
        self._figures = {figure.key[2:]: figure for figure in own}
        self.languages = list(dict.fromkeys(each.system for each in own if each.table == BEST))
        self.systems = list(dict.fromkeys(each.system for each in own if each.table == MEANS))
        if not (self.languages and self.systems):
            raise KasuError("published figures", f"none of {PAPER} for task 2", f"{MEANS}, {BEST}")

    def value(self, system: str, where: str, metric: str = "accuracy") -> float | None:
        """Return a printed figure; None if there is none."""
        figure = self._figures.get((system, where, metric))
        return figure.value if figure else None

    def shows(self, system: str, where: str, metric: str, value: float) -> bool | None:
        """Return whether a value has the printed digits; None if there is no such figure."""
        figure = self._figures.get((system, where, metric))
        return figure.shows(value) if figure else None

    def exact(self, systems: Collection[str], metrics: Collection[str] = ()) -> int:
        """Count the figures of some systems with digits to show, of all metrics by default."""
        return sum(
            figure.shows(0.0) is not None
            for figure in self._figures.values()
            if figure.system in systems and (not metrics or figure.metric in metrics)
        )

    def means(self, setting: str, forms: str) -> dict[str, float]:
        """Return the mean of each system over languages (Table 11), without systems without one."""
        found = {name: self.value(name, condition(setting, forms)) for name in self.systems}
        return {name: value for name, value in found.items() if value is not None}

    def best(self, setting: str, forms: str) -> dict[str, str]:
        """Return the best system of each language (Table 12), without languages not annotated."""
        where = condition(setting, forms)
        found = {}
        for name in self.languages:
            figure = self._figures.get((name, where, BEST_ACCURACY))
            if figure and figure.value is not None:
                found[name] = _SHORT[figure.note.removeprefix("system=")]
        return found


def read_printed(published: PublishedFiles) -> Printed:
    """Read the figures of task 2."""
    return Printed(read_published(published))

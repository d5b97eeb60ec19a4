"""The grid: from the lines of the config to members by language, to jobs, and to submissions."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from kasu.base.errors import KasuError
from kasu.inflection.data.inventory import Datasets
from kasu.inflection.data.languages import share_out
from kasu.inflection.data.triples import SETTINGS
from kasu.inflection.members.families import (
    Run,
    alone,
    block_of,
    list_members,
    list_submissions,
    load_family,
)
from kasu.inflection.members.submissions import enough
from kasu.inflection.settings import GridSettings, InflectionSettings

Planned = dict[str, list[Run]]
"""Members by language."""


class Grid:
    """What a config trains and submits. Languages are resolved on first use."""

    def __init__(self, settings: InflectionSettings, datasets: Datasets) -> None:
        self.settings, self.datasets = settings, datasets

    @property
    def families(self) -> list[str]:
        """The families of all lines, each once."""
        return list(dict.fromkeys(name for line in self.settings.grid for name in line.systems))

    # Members

    def members(self, family: str, setting: str) -> Planned:
        """The members of a family by language; the lines add up.

        Raises:
            KasuError: a line names an unknown language, panel or variant.
        """
        return self._members.get((family, setting), {})

    @cached_property
    def _members(self) -> dict[tuple[str, str], Planned]:
        found: dict[tuple[str, str], dict[str, dict[Run, None]]] = {}
        for number, line in enumerate(self.settings.grid):
            where = f"config inflection.grid[{number}]"
            names = self.select(line.languages, f"{where}.languages")
            for family, setting, runs in _runs(line, where):
                cells = found.setdefault((family, setting), {})
                for name in names:
                    if setting in self.datasets.languages[name].settings:
                        cells.setdefault(name, {}).update(dict.fromkeys(runs))
        return {
            key: {name: list(runs) for name, runs in cells.items()} for key, cells in found.items()
        }

    def select(self, names: Sequence[str] | None, where: str) -> list[str]:
        """The named languages, with those of panels, as far as this run has them; None is all.

        Args:
            where: what names them, for the error.

        Raises:
            KasuError: a name is neither a panel nor a known language.
        """
        ours, known, panels = self.datasets.languages, self.datasets.known, self.settings.panels
        if names is None:
            return list(ours)
        found: dict[str, None] = {}
        for name in names:
            for language in panels.get(name, (name,)):
                if language not in known:
                    place = f"config inflection.panels.{name}" if name in panels else where
                    expected = "a panel, a released language or one of the config's"
                    if nearest := difflib.get_close_matches(language, [*known, *panels]):
                        expected += f" ({', '.join(nearest)})"
                    raise KasuError(place, f"no language {language!r}", expected)
                found[language] = None
        return [name for name in found if name in ours]

    # Jobs: a pack of languages and a block of members each

    def jobs(self, family: str, setting: str) -> dict[tuple[int, int], Planned]:
        """The members that each job of a family trains, by (pack, block)."""
        return self._jobs[family, setting]

    @cached_property
    def _jobs(self) -> dict[tuple[str, str], dict[tuple[int, int], Planned]]:
        return {
            key: dict(sorted(self._divide(cells).items())) for key, cells in self._members.items()
        }

    def _divide(self, cells: Planned) -> dict[tuple[int, int], Planned]:
        jobs: dict[tuple[int, int], Planned] = {}
        for pack, names in share_out(cells, self.settings.packs).items():
            for name in names:
                for run in cells[name]:
                    job = jobs.setdefault((pack, block_of(run)), {})
                    job.setdefault(name, []).append(run)
        return jobs

    # Submissions

    @cached_property
    def submissions(self) -> dict[str, str]:
        """The family of each submission.

        Raises:
            KasuError: two families have a submission of one name.
        """
        families: dict[str, str] = {}
        for family in self.families:
            for name in list_submissions(family):
                if name in families:
                    found = f"{family}: a second submission {name!r}, as in {families[name]}"
                    raise KasuError("config inflection.grid", found, "each name once")
                families[name] = family
        return families

    @cached_property
    def submitted(self) -> dict[str, dict[str, list[str]]]:
        """The languages of each submission by setting; a setting without any is left out."""
        found: dict[str, dict[str, list[str]]] = {}
        for system, family in self.submissions.items():
            for setting in SETTINGS:
                cells = self.members(family, setting)
                published = self.published_members(system, setting)
                names = [
                    name
                    for name, runs in cells.items()
                    if published is None or _joins(runs, published)
                ]
                if names:
                    found.setdefault(system, {})[setting] = names
        return found

    def published_members(self, system: str, setting: str) -> int | None:
        """How many members the paper's submission was made from; None if each stands alone."""
        family = self.submissions[system]
        if list_submissions(family)[system] is alone:
            return None
        return load_family(family).MEMBERS.get(setting)


def _runs(line: GridSettings, where: str) -> Iterator[tuple[str, str, list[Run]]]:
    """The members of each family and setting of a line."""
    for name in line.systems:
        family = load_family(name)
        for variant in line.variants or ():
            if variant not in family.VARIANTS:
                found = f"no variant {variant!r} of {name}"
                expected = "one of " + ", ".join(family.VARIANTS) if family.VARIANTS else "none"
                raise KasuError(f"{where}.variants", found, expected)
        for setting in line.settings or family.MEMBERS:
            yield name, setting, list_members(family, setting, line.variants or (), line.members)


def _joins(runs: Sequence[Run], published: int) -> bool:
    """Whether any variant has enough members to make a submission together."""
    counts = Counter(run.variant for run in runs)
    return any(enough(count, published) for count in counts.values())

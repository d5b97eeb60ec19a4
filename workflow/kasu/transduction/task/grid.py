"""The grid: it turns the lines of a config into members by language, jobs and submissions."""

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple, Protocol

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.job.run import seed_of
from kasu.transduction.members.families import (
    Families,
    Run,
    alone,
    block_of,
)
from kasu.transduction.members.joined import FEWEST, JoinedFamily, takes
from kasu.transduction.members.submissions import enough
from kasu.transduction.task.settings import LineSettings

Planned = dict[str, list[Run]]
"""Members by language."""


class SettingPlan(NamedTuple):
    """The members that are trained of a family in a setting, and the options that lines state."""

    options: Mapping[str, object]
    members: Planned


class Dataset(Protocol):
    """A language of a run."""

    @property
    def settings(self) -> Sequence[str]:
        """The settings that the language may have."""
        ...


class Datasets(Protocol):
    """The languages of a run, resolved on first use."""

    @property
    def languages(self) -> Mapping[str, Dataset]:
        """The languages of this run, by name."""
        ...

    @property
    def known(self) -> Collection[str]:
        """The languages that a config may name, also if this run lacks them."""
        ...

    @property
    def notices(self) -> Sequence[str]:
        """Notices on the languages for the user, before the run."""
        ...


class Grid:
    """The members that a section of the config trains, and what it submits."""

    def __init__(
        self,
        section: str,
        systems: Families,
        datasets: Datasets,
        lines: Sequence[LineSettings],
        *,
        settings: Sequence[str],
        packs: int,
        panels: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Take the keys of the section `section`; `settings` are those of the task, in order."""
        self.where, self.systems, self.datasets = f"config {section}", systems, datasets
        self.lines, self.settings, self.packs = lines, settings, packs
        self.panels = panels or {}

    @property
    def families(self) -> list[str]:
        """The families of all lines, each once."""
        return list(dict.fromkeys(name for line in self.lines for name in line.systems))

    def families_of(self, *, pooled: bool) -> list[str]:
        """List the families with pools in any setting, or, if not `pooled`, the others."""
        return [name for name in self.families if bool(self.systems.load(name).pools) == pooled]

    # Members

    def members(self, family: str, setting: str) -> Planned:
        """Return the members of a family by language; the lines add up.

        Raises:
            KasuError: a line names an unknown language, panel, variant or option, or another
                value of an option than an earlier line.
        """
        planned = self._plans.get((family, setting))
        return planned.members if planned else {}

    @property
    def idle(self) -> list[str]:
        """The lines that train nothing in this run, with their systems."""
        datasets = self.datasets.languages
        found = []
        for number, line in enumerate(self.lines):
            names = self.select(line.languages, f"{self.where}.grid[{number}].languages")
            has = {setting for name in names for setting in datasets[name].settings}
            for family in line.systems:
                if not has.intersection(line.settings or self.systems.load(family).members):
                    found.append(f"grid[{number}] ({family})")
        return found

    def options(self, family: str, setting: str) -> Mapping[str, object]:
        """Return the options that the lines state in place of the family's own section."""
        return self._plans[family, setting].options

    @cached_property
    def _plans(self) -> dict[tuple[str, str], SettingPlan]:
        found: dict[tuple[str, str], SettingPlan] = {}
        for number, line in enumerate(self.lines):
            where = f"{self.where}.grid[{number}]"
            names = self.select(line.languages, f"{where}.languages")
            for family, setting, runs in self._runs(line, where):
                self._check_options(family, line.options, f"{where}.options")
                planned = found.setdefault((family, setting), SettingPlan(line.options, {}))
                if planned.options != line.options:
                    other = f"{dict(line.options)} for {family} at {setting}"
                    expected = f"{dict(planned.options)}, as in an earlier line"
                    raise KasuError(f"{where}.options", other, expected)
                for name in names:
                    if setting in self.datasets.languages[name].settings:
                        known = planned.members.setdefault(name, [])
                        known += [run for run in runs if run not in known]
        return found

    def _check_options(self, family: str, options: Mapping[str, object], where: str) -> None:
        kind = self.systems.load(family).settings
        if options and not kind:
            raise KasuError(where, f"options of {family}", "none, as it has no settings")
        if kind:
            try:
                read_settings(options, kind)
            except KasuError as error:
                mistake = str(error).removeprefix("config").lstrip(": ")
                raise KasuError(where, f"{family}: {mistake}") from error

    def _runs(self, line: LineSettings, where: str) -> Iterator[tuple[str, str, list[Run]]]:
        """Yield the members of each family and setting of a line."""
        for name in line.systems:
            family = self.systems.load(name)
            for variant in line.variants or ():
                family.check_variant(variant, f"{where}.variants")
            for setting in line.settings or family.members:
                members = family.list_members(setting, line.variants or (), line.members)
                yield name, setting, members

    def select(self, names: Sequence[str] | None, where: str) -> list[str]:
        """Return the named languages, with the languages of panels, as far as this run has them.

        Args:
            names: languages and panels; None names all languages.
            where: the place that names them, for the error.

        Raises:
            KasuError: a name is neither a panel nor a known language.
        """
        ours = self.datasets.languages
        named = self.expand([*ours] if names is None else names, where)
        return [name for name in named if name in ours]

    def expand(self, names: Sequence[str], where: str) -> list[str]:
        """Return the named languages, with the languages of panels, even if this run lacks them.

        Args:
            where: the place that names them, for the error.

        Raises:
            KasuError: a name is neither a panel nor a known language.
        """
        found: dict[str, None] = {}
        for name in names:
            if name not in self._panels:
                self._check_language(name, where)
            found |= dict.fromkeys(self._panels.get(name, (name,)))
        return list(found)

    @cached_property
    def _panels(self) -> Mapping[str, Sequence[str]]:
        for panel, names in self.panels.items():
            where = f"{self.where}.panels.{panel}"
            if panel in self.datasets.known:
                raise KasuError(where, "the name of a language", "a name of its own")
            for name in names:
                self._check_language(name, where)
        return self.panels

    def _check_language(self, name: str, where: str) -> None:
        known, panels = self.datasets.known, self.panels
        if name not in known:
            expected = "a released language or one of the config's"
            if panels:
                expected = "a panel, " + expected
            if nearest := difflib.get_close_matches(name, [*known, *panels]):
                expected += f" ({', '.join(nearest)})"
            raise KasuError(where, f"no language {name!r}", expected)

    # A job is a pack of languages and a block of members. Where languages are pooled, each pool is
    # a pack. If there are several pools, they differ by seed, and each seed is a block

    def jobs(self, family: str, setting: str) -> dict[tuple[int, int], Planned]:
        """Return the members that each job of a family trains, by (pack, block).

        Raises:
            KasuError: as `members`.
        """
        return self._jobs.get((family, setting), {})

    def job(self, family: str, setting: str, pack: int, block: int) -> Planned:
        """Return the members that one job trains.

        Raises:
            KasuError: as `members`, or the grid has no such job.
        """
        jobs = self.jobs(family, setting)
        if (pack, block) not in jobs:
            found = f"no job {pack}-{block} of {family} at {setting}"
            expected = (
                ", ".join(f"{pack}-{block}" for pack, block in jobs) or "a line that trains it"
            )
            raise KasuError(f"{self.where}.grid", found, expected)
        return jobs[pack, block]

    @cached_property
    def _jobs(self) -> dict[tuple[str, str], dict[tuple[int, int], Planned]]:
        return {
            (family, setting): dict(sorted(self._divide(family, setting, planned.members).items()))
            for (family, setting), planned in self._plans.items()
        }

    def _divide(self, family: str, setting: str, cells: Planned) -> dict[tuple[int, int], Planned]:
        jobs: dict[tuple[int, int], Planned] = {}
        pooling = self.systems.load(family).pools.get(setting)
        packs = share_out(cells, self.packs)
        pack_of = {name: number for number, names in packs.items() for name in names}

        @cache
        def pools_of(run: Run) -> Sequence[Sequence[str]]:
            assert pooling
            names = sorted(name for name, runs in cells.items() if run in runs)
            return pooling(names, setting, run.seed)

        # Each member of each language goes to the pack that has the language
        for name, runs in cells.items():
            for run in runs:
                pack, pools = pack_of[name], pools_of(run) if pooling else ()
                if pooling:
                    (pack,) = (number for number, names in enumerate(pools) if name in names)
                block = (run.seed or 1) - 1 if len(pools) > 1 else block_of(run)
                jobs.setdefault((pack, block), {}).setdefault(name, []).append(run)
        return jobs

    # Submissions

    def joins(self, family: str) -> Sequence[str]:
        """Return the families whose members a family submits: itself, or those that it joins.

        Raises:
            KasuError: it joins a family that has no members.
        """
        loaded = self.systems.load(family)
        if not isinstance(loaded, JoinedFamily):
            return [family]
        for name in loaded.joins:
            if isinstance(self.systems.load(name), JoinedFamily):
                raise KasuError(loaded.module, f"joins {name!r}", "families that train members")
        return loaded.joins

    def voters(self, family: str, setting: str) -> dict[str, list[str]]:
        """Return the joined families that have a member to join, by language.

        The languages are those that lines name for the family that joins them.

        Raises:
            KasuError: as `members` and `joins`.
        """
        found: dict[str, list[str]] = {name: [] for name in self.members(family, setting)}
        for each in self.joins(family):
            joined, cells = self.systems.load(each), self.members(each, setting)
            for name, names in found.items():
                if any(takes(joined, run) for run in cells.get(name, ())):
                    names.append(each)
        return found

    @property
    def unheard(self) -> list[str]:
        """What a family that joins others will lack, a line for each such family and setting."""
        found = []
        for family in self.families:
            if not isinstance(self.systems.load(family), JoinedFamily):
                continue
            names = self.joins(family)
            for setting in self.settings:
                cells = self.voters(family, setting)
                votes = [voters for voters in cells.values() if len(voters) >= FEWEST]
                lacks = Counter(each for voters in votes for each in names if each not in voters)
                parts = [f"lacks {each} in {count}" for each, count in sorted(lacks.items())]
                if silent := len(cells) - len(votes):
                    parts.append(f"answers nothing in {silent}, where it has fewer than {FEWEST}")
                if parts:
                    many = f"of {len(cells)} languages {family} at {setting} {', '.join(parts)}"
                    found.append(f"{many}; it joins {', '.join(names)}")
        return found

    @cached_property
    def submissions(self) -> dict[str, str]:
        """The family of each submission.

        Raises:
            KasuError: two families have a submission of one name.
        """
        families: dict[str, str] = {}
        for family in self.families:
            for name in self.systems.load(family).all_submissions:
                if name in families:
                    found = f"{family}: a second submission {name!r}, as in {families[name]}"
                    raise KasuError(f"{self.where}.grid", found, "each name once")
                families[name] = family
        return families

    @cached_property
    def submitted(self) -> dict[str, dict[str, list[str]]]:
        """The languages of each submission by setting; a setting without any is left out."""
        found: dict[str, dict[str, list[str]]] = {}
        for system, family in self.submissions.items():
            for setting in self.settings:
                if names := self._answered(system, family, setting):
                    found.setdefault(system, {})[setting] = names
        return found

    def _answered(self, system: str, family: str, setting: str) -> list[str]:
        """Return the languages of a submission in a setting."""
        if isinstance(self.systems.load(family), JoinedFamily):
            voters = self.voters(family, setting)
            return [name for name, names in voters.items() if len(names) >= FEWEST]
        published = self.published_members(system, setting)
        makes = self.systems.load(family).makes
        made = {
            name: [run for run in runs if makes(system, run)]
            for name, runs in self.members(family, setting).items()
        }
        return [
            name
            for name, runs in made.items()
            if (runs if published is None else _joins(runs, published))
        ]

    @property
    def texts(self) -> dict[str, str]:
        """The setting whose forms are text for a submission, or for a family that it joins."""
        found: dict[str, str] = {}
        for system, family in self.submissions.items():
            for each in self.joins(family):
                if setting := self.systems.load(each).reads:
                    found[system] = setting
        return found

    def published_members(self, system: str, setting: str) -> int | None:
        """Return how many members the paper's submission was made from.

        None if each member stands alone.
        """
        family = self.systems.load(self.submissions[system])
        if family.all_submissions[system] is alone:
            return None
        return family.members.get(setting)


def _joins(runs: Sequence[Run], published: int) -> bool:
    """Return whether any variant has enough members to make a submission together."""
    counts = Counter(run.variant for run in runs)
    return any(enough(count, published) for count in counts.values())


def share_out(names: Iterable[str], packs: int) -> dict[int, list[str]]:
    """Assign languages to packs.

    Each goes by its own name alone, so a new language changes one pack.
    """
    shared: dict[int, list[str]] = {}
    for name in names:
        shared.setdefault(seed_of(name) % packs, []).append(name)
    return dict(sorted(shared.items()))

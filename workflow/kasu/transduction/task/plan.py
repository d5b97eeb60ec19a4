"""The plan of a study that trains members: jobs, submissions, and the files of both."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kasu.base.errors import KasuError
from kasu.config.settings import Section, check_once
from kasu.results.paths import Paths
from kasu.results.published import published_files
from kasu.results.study import DrawnFrom
from kasu.transduction.fingerprints.settings import FingerprintSettings
from kasu.transduction.members.families import Stack, alone
from kasu.transduction.task.costs import announce_cost
from kasu.transduction.task.grid import Grid
from kasu.transduction.task.languages import Inventory

if TYPE_CHECKING:
    from kasu.transduction.fingerprints.target import PublishedTask


class MembersPlan(ABC):
    """The part of a study's plan that concerns members and submissions.

    Attributes:
        papers: the papers whose figures the study reads.
        datasets: the datasets of the study.
        drawn: the names of figures by slug of the table that they stand under.
        stack: see kasu.transduction.members.families.Session.
    """

    papers: Sequence[str]
    datasets: Inventory[Any]
    drawn: Mapping[str, str]
    stack: Stack = "auto"

    def __init__(
        self,
        settings: Section,
        paths: Paths,
        grid: Grid,
        fingerprints: Sequence[FingerprintSettings],
    ) -> None:
        """Plan for a section of the config; `paths` are the paths of its study."""
        self.settings, self.paths, self.study = settings, paths, paths.study
        self.grid, self.fingerprints = grid, fingerprints

    @abstractmethod
    def splits(self, language: str, setting: str) -> list[str]:
        """Return the files of a language in a setting: training set, dev and test."""

    @property
    @abstractmethod
    def tables(self) -> list[str]:
        """The tables that the target of the study builds."""

    @property
    @abstractmethod
    def examples(self) -> DrawnFrom:
        """The files that examples are drawn from."""

    @property
    def warnings(self) -> DrawnFrom:
        """The files that warnings are found in: those of examples."""
        files, settings = self.examples
        needed = {name: value for name, value in settings.items() if name != "languages"}
        return DrawnFrom(files, needed)

    @property
    def figures(self) -> dict[str, str]:
        """Figures by slug of the table that they stand under."""
        return {slug: self.paths("figure", table=name) for slug, name in self.drawn.items()}

    @property
    def files(self) -> list[str]:
        """The files that the target of the study builds."""
        return [
            self.paths("scores"),
            self.paths("failures"),
            *self.figures.values(),
            *(self.paths("table", table=table) for table in self.tables),
        ]

    @property
    def fingerprint_task(self) -> "PublishedTask":
        """The figures that the task published language by language."""
        from kasu.transduction.fingerprints.target import read_task

        return read_task(self.study, self.published_files)

    @property
    def published_files(self) -> list[str]:
        """The files of the papers' figures."""
        return published_files(*self.papers)

    @property
    def notices(self) -> list[str]:
        """Notices for the user before the run: what is left out, and what members will cost.

        Raises:
            KasuError: a line of the grid or a target is wrong, or the table of what was measured.
        """
        notices = list(self.grid.datasets.notices)
        if idle := self.grid.idle:
            why = "no language of this run has such a training set"
            notices.append(f"{self.study}: nothing to train for {', '.join(idle)}: {why}")
        notices += [f"{self.study}: {line}" for line in self.grid.unheard]
        targets, submitted = self.targets, self.grid.submitted
        # Look columns up now: the table of fingerprints is made only after the last training
        if targets:
            published = self.fingerprint_task
            for target in targets:
                published.columns_for(target)
        unseen = dict.fromkeys(
            f"{system} at {setting}"
            for target in targets
            for system, setting in [(target["system"], target["setting"])]
            if not {*submitted.get(system, {}).get(setting, ())}.intersection(
                target.get("languages", self.grid.datasets.languages)
            )
        )
        if unseen:
            notices.append(f"{self.study}.fingerprints: nothing runs of {', '.join(unseen)}")
        return [*notices, *announce_cost(self.study, self.grid)]

    # Members of families: a job trains a block of them on a pack of languages

    def job_members(
        self, family: str, setting: str, pack: int | str, block: int | str
    ) -> dict[str, list]:
        """Return the members that a job trains: [variant, seed] by language."""
        job = self.grid.job(family, setting, int(pack), int(block))
        return {name: [list(run) for run in runs] for name, runs in job.items()}

    def job_splits(
        self, family: str, setting: str, pack: int | str, block: int | str
    ) -> dict[str, list[str]]:
        """Return the files that a job trains and tests on, and the text it reads, by language."""
        languages = self.grid.job(family, setting, int(pack), int(block))
        files = {language: self.splits(language, setting) for language in languages}
        if read := self.grid.systems.load(family).reads:
            for language, splits in files.items():
                splits.append(self.splits(language, read)[0])
        return files

    def job_codes(
        self, family: str, setting: str, pack: int | str, block: int | str
    ) -> dict[str, str]:
        """Return the codes of a job's languages."""
        languages = self.grid.job(family, setting, int(pack), int(block))
        return {language: self.datasets.code(language) for language in languages}

    def job_inputs(self, family: str, setting: str, pack: int | str, block: int | str) -> list[str]:
        """List what a job reads: the splits that it trains and tests on, and the family's files."""
        splits = self.job_splits(family, setting, pack, block).values()
        files = chain(*splits, self.family_files(family, setting))
        # The text may be the training set
        return [*dict.fromkeys(files)]

    def family_files(self, family: str, setting: str) -> list[str]:
        """List the files that a family's options name.

        Raises:
            KasuError: one is missing. Snakemake would keep older results and say nothing.
        """
        options = self.options(family, setting)
        files = {name: str(options[name]) for name in self.grid.systems.load(family).files}
        for name, file in files.items():
            if not Path(file).is_file():
                where = f"config {self.study}.{family}.{name}"
                raise KasuError(where, f"no file {file}", "one that exists")
        return [*files.values()]

    def options(self, family: str, setting: str) -> dict[str, object]:
        """Return the family's section of the config, with what the grid states in its place."""
        section = getattr(self.settings, family, None)
        stated = self.grid.options(family, setting)
        return section.dump() | dict(stated) if isinstance(section, Section) else {}

    def job_files(self, family: str, setting: str, pack: object, block: object) -> dict[str, str]:
        """Return the files that a job writes: members, failures, and what they cost."""
        place = {"family": family, "setting": setting, "pack": pack, "block": block}
        parts = {"members": "members", "failures": "member_failures", "seconds": "member_seconds"}
        return {part: self.paths(name, **place) for part, name in parts.items()}

    # Submissions

    def family_of(self, system: str) -> str:
        """Return the family of a submission."""
        return self.grid.submissions[system]

    def families_of(self, system: str) -> list[str]:
        """Return the families whose members a submission is made from."""
        return [*self.grid.joins(self.family_of(system))]

    def languages_of(self, system: str, setting: str) -> list[str]:
        """Return the languages of a submission in a setting."""
        return self.grid.submitted.get(system, {}).get(setting, [])

    def trained(self, system: str, setting: str) -> dict[str, list[str]]:
        """Return the files of members and failures that a submission is made from.

        Raises:
            KasuError: the grid trains none.
        """
        families = self.families_of(system)
        files = [
            self.job_files(family, setting, *job)
            for family in families
            for job in self.grid.jobs(family, setting)
        ]
        if not files:
            where = f"config {self.study}.grid"
            raise KasuError(where, f"nothing of {system} at {setting}", "a line that trains it")
        return {part: [each[part] for each in files] for part in ("members", "failures")}

    def submission_files(self, system: str, setting: str) -> dict[str, str]:
        """Return the files that a submission writes: predictions, and the languages it lacks."""
        return {
            part: self.paths(part, system=system, setting=setting)
            for part in ("predictions", "missing")
        }

    @property
    def submitted(self) -> dict[str, list[str]]:
        """The files of all submissions."""
        files = [
            self.submission_files(system, setting)
            for system, settings in self.grid.submitted.items()
            for setting in settings
        ]
        return {part: [each[part] for each in files] for part in ("predictions", "missing")}

    def drawn_from(self, folders: Mapping[str, str], codes: Mapping[str, str]) -> DrawnFrom:
        """Return what examples are drawn from: the test sets, and all submissions.

        Args:
            folders: the folder of each language's dataset.
            codes: the code of each language.
        """
        submitted = [[name, each] for name, found in self.grid.submitted.items() for each in found]
        return DrawnFrom(
            {
                "predictions": self.submitted["predictions"],
                "tests": [f"{folder}/test.parquet" for folder in folders.values()],
            },
            {"submitted": submitted, "datasets": folders, "languages": codes},
        )

    @property
    def published_members(self) -> dict[str, dict[str, int]]:
        """How many members the paper's submissions were made from, where they were several."""
        return {
            system: {
                setting: count
                for setting in self.grid.settings
                if (count := self.grid.published_members(system, setting))
            }
            for system in self.grid.submissions
        }

    @property
    def defaults(self) -> dict[str, list[str]]:
        """The variant that stands for each submission whose family has variants."""
        variants = {system: origin["variant"] for system, origin in self.origins.items()}
        return {system: [variant] for system, variant in variants.items() if variant}

    # Fingerprints

    @property
    def targets(self) -> list[dict[str, Any]]:
        """The comparisons of the config's `fingerprints`, with all languages in place of panels.

        Languages that the run lacks stay: verdicts say how many of them ran. `panel` is what the
        config names; where it names nothing, there are no `languages`.

        Raises:
            KasuError: a target names an unknown submission, variant, language or panel.
        """
        targets, families = [], self.grid.systems
        known = families.submissions
        for number, target in enumerate(self.fingerprints):
            where = f"config {self.study}.fingerprints[{number}]"
            if target.system not in known:
                found = f"no submission {target.system!r}"
                raise KasuError(f"{where}.system", found, "one of " + ", ".join(known))
            family = families.load(known[target.system])
            variant = target.variant or family.variant_of(target.system)
            if target.variant:
                family.check_variant(target.variant, f"{where}.variant")
            named: dict[str, object] = {"variant": variant}
            if target.split == "dev":
                if family.all_submissions[target.system] is not alone:
                    found = f"dev, which {target.system} does not answer"
                    raise KasuError(f"{where}.split", found, "a submission of members alone")
                named["column"] = target.column or f"dev {target.system}"
            if target.languages is not None:
                names = self.grid.expand(target.languages, f"{where}.languages")
                named |= {"languages": names, "panel": ", ".join(target.languages)}
            self.grid.expand(target.excluded, f"{where}.excluded")
            targets.append(target.dump() | named)
        keys = ("system", "variant", "setting", "column")
        check_once(
            (" ".join(filter(None, map(target.get, keys))) for target in targets),
            f"{self.study}.fingerprints",
        )
        return targets

    @property
    def dev_members(self) -> dict[str, dict[str, list[str]]]:
        """The files of members whose accuracy on dev a target asks for, by system and setting."""
        found: dict[str, dict[str, list[str]]] = {}
        for target in self.targets:
            system, setting = target["system"], target["setting"]
            if target["split"] == "dev" and self.languages_of(system, setting):
                found.setdefault(system, {})[setting] = self.trained(system, setting)["members"]
        return found

    @property
    def dev_member_files(self) -> list[str]:
        """The files of `dev_members`."""
        settings = chain.from_iterable(each.values() for each in self.dev_members.values())
        return list(dict.fromkeys(chain.from_iterable(settings)))

    @property
    def origins(self) -> dict[str, dict[str, str | None]]:
        """The default `variant` of each submission, and the submission of members `alone`.

        The latter is the submission itself, or else the first of its family with single members;
        None if the family trains none.
        """
        families, origins = self.grid.systems, {}
        for system, name in self.grid.submissions.items():
            family = families.load(name)
            singles = [each for each, made in family.all_submissions.items() if made is alone]
            singles.sort(key=lambda each: each != system)
            alone_as = next(iter(singles), None)
            origins[system] = {"variant": family.variant_of(system), "alone": alone_as}
        return origins

"""The plan of the cloze study for a config: datasets, members, submissions, tables."""

from collections.abc import Mapping
from functools import cached_property

from kasu.cloze.data.languages import Datasets
from kasu.cloze.data.names import (
    COPY,
    FREQUENT,
    MADE_TABLE,
    PAPER,
    SETTINGS,
    split_setting,
)
from kasu.cloze.families import FAMILIES
from kasu.cloze.paths import PATHS
from kasu.cloze.settings import ClozeSettings
from kasu.results.paths import Paths
from kasu.results.study import DrawnFrom, StudyReport, captions_of
from kasu.sources.workspace import Workspace
from kasu.transduction.task.grid import Grid
from kasu.transduction.task.paths import PATHS as MEMBER_PATHS
from kasu.transduction.task.plan import MembersPlan

TABLES = {
    "table_11": "Table 11",
    "by_language": "by language",
    "table_12": "Table 12",
    "table_4": "Table 4",
    "table_5": "Table 5",
}
DETAILS = {
    "conversion": "Words of the treebank",
    "features": "Features without a counterpart",
    "agreement": "Agreement of annotators",
}
NULLS = (COPY, FREQUENT)


class ClozePlan(MembersPlan):
    """The cloze study under a config's section `cloze`."""

    papers: tuple[str, ...] = (PAPER,)

    settings: ClozeSettings
    datasets: Datasets
    drawn: Mapping[str, str] = {"table_11": "table_11", "table_12": "fingerprint"}

    def __init__(self, settings: ClozeSettings, workspace: Workspace) -> None:
        paths = Paths({**MEMBER_PATHS, **PATHS}, workspace.results, "cloze")
        self.datasets = Datasets(settings.languages, paths, workspace)
        grid = Grid(
            "cloze", FAMILIES, self.datasets, settings.grid,
            settings=SETTINGS, packs=settings.packs,
        )  # fmt: skip
        super().__init__(settings, paths, grid, settings.fingerprints)

    def splits(self, language: str, setting: str) -> list[str]:
        """Return the files of a language in a setting: training set, dev and test."""
        _, size = split_setting(setting)
        return [self.paths(split, language=language) for split in (size, "dev", "test")]

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug; with datasets made from treebanks, also the table of these."""
        entries = self.settings.languages
        made = any(not isinstance(entry, str) and entry.treebank for entry in entries)
        return TABLES | ({"made": MADE_TABLE} if made else {})

    @property
    def captions(self) -> dict[str, str]:
        """The caption of each printed table, by slug."""
        return captions_of("cloze", self.printed)

    @property
    def tables(self) -> list[str]:
        """The tables that the target `cloze` builds."""
        return [*self.printed, "fingerprint", "claims"]

    @property
    def examples(self) -> DrawnFrom:
        """The files that examples are drawn from."""
        files, settings = self.drawn_from(self.datasets.dataset_folders, self.datasets.codes)
        return DrawnFrom(files, {**settings, "nulls": list(NULLS)})

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study.

        Raises:
            KasuError: the config names a language, system or panel that is unknown.
        """
        # Submissions are looked up for the errors that they raise
        datasets, _ = self.datasets, self.grid.submitted
        return StudyReport(
            name="cloze",
            title="Cloze: from a lemma in a sentence to its form, in seven languages",
            citation="Cotterell et al. (2018), CoNLL-SIGMORPHON shared task, task 2",
            paper=PAPER,
            printed=self.printed,
            captions=self.captions,
            figures=self.figures,
            counts={
                f"dataset {name}": datasets.dataset(name)["counts"]
                for name in datasets.dataset_folders
            },
            drops={
                "languages": self.paths("language_drops"),
                **{f"dataset {name}": datasets.dataset(name)["drops"] for name in datasets.made},
            },
            details={
                "Languages that failed": self.paths("failures"),
                "Fingerprints: each system against its published column, over languages": (
                    self.paths("table", table="fingerprint")
                ),
                "Claims of the paper": self.paths("table", table="claims"),
                **{
                    f"{title}: {name}": datasets.made_files(name)[part]
                    for name in datasets.made
                    for part, title in DETAILS.items()
                },
            },
            examples=self.paths("examples"),
            warnings=self.paths("warnings"),
            nulls=NULLS,
            defaults=self.defaults,
            sources=[entry for each in datasets.languages.values() for entry in each.sources],
            foreign=not any(
                # Of a dataset that is made, the released sentences that it is to find
                each.origin == "released"
                or any(part.startswith("released_") for part in each.files)
                for each in datasets.languages.values()
            ),
        )

"""The plan of the inflection study for a config: datasets, members, submissions, tables."""

from collections.abc import Mapping
from functools import cached_property
from itertools import chain

from kasu.corpora.plan import Corpora
from kasu.inflection.data.inventory import Datasets
from kasu.inflection.data.triples import PAPER, RERUNS, SETTINGS
from kasu.inflection.families import FAMILIES
from kasu.inflection.ladder.plan import Ladder
from kasu.inflection.paths import PATHS
from kasu.inflection.settings import InflectionSettings
from kasu.results.paths import Paths
from kasu.results.study import DrawnFrom, StudyReport, captions_of
from kasu.transduction.task.grid import Grid
from kasu.transduction.task.paths import PATHS as MEMBER_PATHS
from kasu.transduction.task.plan import MembersPlan

ON_DEV = "fam2018"  # printed its accuracy on dev
TABLES = {
    f"table_{number}": f"Table {number}" for number in (8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 2, 3)
}
DETAILS = {
    "Fingerprints: each system against its published column, over languages": "fingerprint",
    "Claims of the paper": "claims",
    "Systems compared in pairs, items of all languages pooled": "comparisons",
    "Learning curves": "learning_curves",
    "Differences that a test set can show": "power",
    "Properties of the datasets": "properties",
}
LADDER = {
    "Ladder: what each step adds, ours and published": "ladder",
    "Agreement with published outputs, item by item": "agreement_by_item",
}


class InflectionPlan(MembersPlan):
    """The inflection study under a config's section `inflection`."""

    papers: tuple[str, ...] = (PAPER, *RERUNS, ON_DEV)

    settings: InflectionSettings
    datasets: Datasets
    drawn: Mapping[str, str] = {"table_8": "languages", "table_13": "fingerprint"}

    def __init__(self, settings: InflectionSettings, corpora: Corpora) -> None:
        paths = Paths({**MEMBER_PATHS, **PATHS}, corpora.workspace.results, "inflection")
        self.datasets = Datasets(settings.languages, settings.frequencies, paths, corpora)
        grid = Grid(
            "inflection", FAMILIES, self.datasets, settings.grid,
            settings=SETTINGS, packs=settings.packs, panels=settings.panels,
        )  # fmt: skip
        super().__init__(settings, paths, grid, settings.fingerprints)
        self.stack = settings.stack
        self.ladder = settings.ladder and Ladder(settings.ladder, grid, corpora.workspace)

    def splits(self, language: str, setting: str) -> list[str]:
        """Return the files of a language in a setting: training set, dev and test."""
        return [self.paths(split, language=language) for split in (setting, "dev", "test")]

    # What the target builds and the report shows

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug."""
        return TABLES

    @property
    def captions(self) -> dict[str, str]:
        """The caption of each printed table, by slug."""
        return captions_of("inflection", self.printed)

    @property
    def tables(self) -> list[str]:
        """The tables that the target `inflection` builds."""
        return [*TABLES, *self.details.values()]

    @property
    def details(self) -> dict[str, str]:
        """Further tables by heading."""
        return DETAILS | (LADDER if self.ladder else {})

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study.

        Raises:
            KasuError: the config names a language, system or panel that is unknown.
        """
        # All but the datasets are looked up for the errors that they raise
        datasets, *_ = self.datasets, self.grid.submitted, self.targets, self.ladder_members
        return StudyReport(
            name="inflection",
            title="Inflection: from a lemma and features to the form, in 103 languages",
            citation="Cotterell et al. (2018), CoNLL-SIGMORPHON shared task, task 1",
            paper=PAPER,
            printed=TABLES,
            captions=self.captions,
            figures=self.figures,
            legends={
                "table_8": "accuracy by language, ours and the published baseline and best system",
                "table_13": "differences to the published column by language, and their mean",
            },
            counts={
                f"dataset {name}": datasets.dataset(name)["counts"] for name in datasets.sampled
            },
            drops={
                "languages": self.paths("language_drops"),
                **{f"dataset {name}": datasets.dataset(name)["drops"] for name in datasets.sampled},
                **({"published outputs": self.paths("output_drops")} if self.ladder else {}),
            },
            details={
                "Languages that failed": self.paths("failures"),
                **{head: self.paths("table", table=name) for head, name in self.details.items()},
            },
            examples=self.paths("examples"),
            warnings=self.paths("warnings"),
            nulls=["copy"],
            defaults=self.defaults,
            sources=[
                *(entry for each in datasets.languages.values() for entry in each.sources),
                *datasets.admitted_counts.values(),
                *(self.ladder.sources if self.ladder else ()),
            ],
            readers=[datasets.dataset(name)["counts"] for name in datasets.split],
            foreign=not any(map(datasets.is_released, datasets.languages)),
        )

    @property
    def examples(self) -> DrawnFrom:
        """The files that examples are drawn from."""
        return self.drawn_from(self.datasets.dataset_folders, self.datasets.codes)

    # The ladder

    @property
    def ladder_members(self) -> dict[str, list[str]]:
        """The files of the ladder's members by family; none without a ladder."""
        if not self.ladder:
            return {}
        setting = self.ladder.settings.setting
        return {
            family: [
                self.job_files(family, setting, *job)["members"] for job in self.ladder.jobs(family)
            ]
            for family in self.ladder.variants
        }

    @property
    def ladder_member_files(self) -> list[str]:
        """The files of all families of `ladder_members`."""
        return [*chain.from_iterable(self.ladder_members.values())]

    @property
    def ladder_tests(self) -> dict[str, str]:
        """The test sets of the ladder's languages; none without a ladder."""
        names = self.ladder.languages if self.ladder else []
        return {name: self.datasets.dataset(name)["test"] for name in names}

    @property
    def ladder_test_files(self) -> list[str]:
        """The files of `ladder_tests`."""
        return [*self.ladder_tests.values()]

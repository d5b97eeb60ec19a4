"""What exists of the inflection study for a config: datasets, members, submissions, tables."""

from collections.abc import Sequence
from functools import cached_property

from kasu.base.errors import KasuError
from kasu.base.settings import Section
from kasu.base.study import StudyReport
from kasu.corpora.plan import Corpora
from kasu.inflection.data.languages import share_out
from kasu.inflection.data.triples import PAPER
from kasu.inflection.families import blocks, load_family
from kasu.inflection.inventory import Datasets
from kasu.inflection.settings import InflectionSettings

TABLES = {
    f"table_{number}": f"Table {number}" for number in (8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 2, 3)
}
DETAILS = {
    "Claims of the paper": "claims",
    "Systems compared in pairs, items of all languages pooled": "comparisons",
    "Learning curves": "learning_curves",
    "Differences that a test set can show": "power",
    "Properties of the datasets": "properties",
}


class InflectionPlan:
    """The inflection study under a config's section `inflection`.

    Methods that give the files of a language, family, pack and so on also take a Snakemake
    wildcard in braces, unless they need to know what it stands for.
    """

    def __init__(
        self, settings: InflectionSettings, seeds: Sequence[int], corpora: Corpora
    ) -> None:
        self.settings, self.seeds = settings, seeds
        self.folder = f"{corpora.workspace.results}/inflection"
        self.datasets = Datasets(settings, self.folder, corpora)

    # What the target builds and the report shows

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug."""
        return TABLES

    @property
    def files(self) -> list[str]:
        """What the target `inflection` builds."""
        return [
            f"{self.folder}/scores.parquet",
            f"{self.folder}/failures.tsv",
            f"{self.folder}/figures/languages.svg",
            *(f"{self.folder}/tables/{table}.tsv" for table in (*TABLES, *DETAILS.values())),
        ]

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study."""
        datasets = self.datasets
        return StudyReport(
            name="inflection",
            title="Inflection: from a lemma and features to the form, in 103 languages",
            citation="Cotterell et al. (2018), CoNLL-SIGMORPHON shared task, task 1",
            paper=PAPER,
            printed=TABLES,
            captions={table: f"workflow/report/inflection_{table}.rst" for table in TABLES},
            figures={"table_8": f"{self.folder}/figures/languages.svg"},
            legends={
                "table_8": ("accuracy by language, ours and the published baseline and best system")
            },
            counts={
                f"dataset {name}": datasets.dataset(name)["counts"] for name in datasets.sampled
            },
            drops={
                "languages": f"{self.folder}/datasets/drops.tsv",
                **{f"dataset {name}": datasets.dataset(name)["drops"] for name in datasets.sampled},
            },
            details={
                "Languages that failed": f"{self.folder}/failures.tsv",
                **{name: f"{self.folder}/tables/{DETAILS[name]}.tsv" for name in DETAILS},
            },
            nulls=["copy"],
            sources=[
                *(entry for each in datasets.languages.values() for entry in each.files.values()),
                *datasets.admitted_counts.values(),
            ],
        )

    # Members of families, by pack of languages and block of members

    def packs(self, setting: str) -> dict[int, list[str]]:
        """The languages of each pack, all of which have the setting."""
        return self._packs[setting]

    @cached_property
    def _packs(self) -> dict[str, dict[int, list[str]]]:
        languages = self.datasets.languages
        having = {
            setting: [name for name, each in languages.items() if setting in each.settings]
            for setting in self.settings.settings
        }
        return {setting: share_out(having[setting], self.settings.packs) for setting in having}

    def pack_folders(self, setting: str, pack: int) -> dict[str, str]:
        """The dataset folders of the languages in a pack."""
        return {name: self.datasets.dataset_folder(name) for name in self.packs(setting)[pack]}

    def pack_datasets(self, setting: str, pack: int) -> list[str]:
        """The splits that a pack is trained and tested on."""
        splits = (setting, "dev", "test")
        names = self.packs(setting)[pack]
        return [self.datasets.dataset(name)[split] for name in names for split in splits]

    def options(self, family: str) -> dict[str, object]:
        """The family's section of the config."""
        section = getattr(self.settings, family, None)
        return section.dump() if isinstance(section, Section) else {}

    def blocks(self, family: str, setting: str) -> list[tuple[str, ...]]:
        """The members of each block of a family."""
        return blocks(load_family(family).members(setting, self.options(family), list(self.seeds)))

    def block_files(self, family: str, setting: str, pack: object, block: object) -> dict[str, str]:
        """What one job writes: members and failures."""
        stem = f"{self.folder}/members/{family}/{setting}/{pack}-{block}"
        return {"members": f"{stem}.parquet", "failures": f"{stem}.failures.tsv"}

    # Submissions

    @cached_property
    def submissions(self) -> dict[str, str]:
        """The family of each submission.

        Raises:
            KasuError: two families have a submission of one name.
        """
        families: dict[str, str] = {}
        for family in self.settings.systems:
            for name in load_family(family).SUBMISSIONS:
                if name in families:
                    found = f"{family}: a second submission {name!r}, as in {families[name]}"
                    raise KasuError("config inflection systems", found, "each name once")
                families[name] = family
        return families

    def trained(self, system: str, setting: str) -> dict[str, list[str]]:
        """The members and failures that a submission is made from."""
        family = self.submissions[system]
        files = [
            self.block_files(family, setting, pack, block)
            for pack in self.packs(setting)
            for block in range(len(self.blocks(family, setting)))
        ]
        return {part: [each[part] for each in files] for part in ("members", "failures")}

    def submission_files(self, system: str, setting: str) -> dict[str, str]:
        """What a submission writes for a setting: predictions, and the languages it lacks."""
        stem = f"{self.folder}/predictions/{system}/{setting}"
        return {"predictions": f"{stem}.parquet", "missing": f"{stem}.missing.tsv"}

    @property
    def submitted(self) -> dict[str, list[str]]:
        """The files of all submissions."""
        files = [
            self.submission_files(system, setting)
            for system in self.submissions
            for setting in self.settings.settings
        ]
        return {part: [each[part] for each in files] for part in ("predictions", "missing")}

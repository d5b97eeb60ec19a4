"""What exists of the inflection study for a config: datasets, members, submissions, tables."""

from collections.abc import Sequence
from functools import cached_property

from kasu.base.errors import KasuError
from kasu.base.settings import Section
from kasu.base.sources import Entry
from kasu.base.study import StudyReport
from kasu.base.workspace import Described, describe
from kasu.corpora.plan import Corpora
from kasu.inflection.data.languages import (
    SECTION,
    Language,
    released_languages,
    resolve_frequencies,
    resolve_languages,
    share_out,
)
from kasu.inflection.data.triples import SETTINGS, SPLITS
from kasu.inflection.families import blocks, load_family
from kasu.inflection.settings import InflectionSettings

TABLES = {
    f"table_{number}": f"Table {number}" for number in (8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 2, 3)
}
DETAILS = {
    "Claims of the paper": "claims",
    "Systems compared in pairs": "comparisons",
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
        self.settings, self.seeds, self.corpora = settings, seeds, corpora
        self.workspace = corpora.workspace
        self.folder = f"{self.workspace.results}/inflection"

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
        return StudyReport(
            name="inflection",
            title="Inflection: from a lemma and features to the form, in 103 languages",
            citation="Cotterell et al. (2018), CoNLL-SIGMORPHON shared task, task 1",
            paper="sigmorphon2018",
            printed=TABLES,
            captions={table: f"workflow/report/inflection_{table}.rst" for table in TABLES},
            figures={"table_8": f"{self.folder}/figures/languages.svg"},
            legends={
                "table_8": ("accuracy by language, ours and the published baseline and best system")
            },
            counts={f"dataset {name}": self.dataset(name)["counts"] for name in self.sampled},
            drops={
                "languages": f"{self.folder}/datasets/drops.tsv",
                **{f"dataset {name}": self.dataset(name)["drops"] for name in self.sampled},
            },
            details={
                "Languages that failed": f"{self.folder}/failures.tsv",
                **{name: f"{self.folder}/tables/{DETAILS[name]}.tsv" for name in DETAILS},
            },
            nulls=["copy"],
            sources=[
                *(entry for each in self.languages.values() for entry in each.files.values()),
                *self._admitted_counts.values(),
            ],
        )

    # Languages and their datasets

    @cached_property
    def _resolved(self) -> tuple[list[Language], list[str]]:
        return resolve_languages(self.settings.languages, self.workspace)

    @cached_property
    def languages(self) -> dict[str, Language]:
        """The languages by name, those whose sources `licences` admit.

        Raises:
            KasuError: an entry of the config is unknown, also its corpus.
        """
        found, _ = self._resolved
        for language in found:
            if language.corpus:
                self.corpora.get(language.corpus, f"{SECTION}: {language.name}")
        allows = self.workspace.allows
        return {each.name: each for each in found if all(map(allows, each.files.values()))}

    @property
    def released(self) -> list[str]:
        """The languages with a released dataset."""
        return [name for name, language in self.languages.items() if language.released]

    @property
    def sampled(self) -> list[str]:
        """The languages whose dataset is sampled from paradigms."""
        return [name for name, language in self.languages.items() if not language.released]

    def dataset(self, language: str) -> dict[str, str]:
        """The files of a dataset: splits, card, counts and drops."""
        folder = self.dataset_folder(language)
        return {
            **{split: f"{folder}/{split}.parquet" for split in SPLITS},
            "card": f"{folder}/README.md",
            "counts": f"{folder}/counts.tsv",
            "drops": f"{folder}/drops.tsv",
        }

    def dataset_folder(self, language: str) -> str:
        """The folder of a dataset."""
        return f"{self.folder}/datasets/{language}"

    @property
    def dataset_folders(self) -> dict[str, str]:
        """The folder of each language's dataset."""
        return {name: self.dataset_folder(name) for name in self.languages}

    @property
    def datasets(self) -> list[str]:
        """The splits of all datasets."""
        return [self.dataset(name)[split] for name in self.languages for split in SPLITS]

    def raw_files(self, language: str) -> dict[str, str]:
        """What a dataset is made from: released splits, or paradigms and word counts."""
        named = self.languages[language]
        files = {part: str(entry.file) for part, entry in named.files.items()}
        if named.corpus:
            files["sentences"] = self.corpora.file(named.corpus, "sentences", SECTION)
        return files

    def described(self, language: str) -> list[Described]:
        """What the card says about the sources of a dataset."""
        named = self.languages[language]
        described = [describe(entry) for entry in named.files.values()]
        return described + (self.corpora.described(named.corpus) if named.corpus else [])

    # Released files come in one job per language: all its splits, whatever the config lists

    def downloads(self, *splits: str, lock: bool = False) -> list[str]:
        """Where splits of `{language}` land from a `{collection}` of the task, or their locks."""
        folder = self.workspace.downloads / "sigmorphon2018/task1/{collection}"
        parts = [f"train-{split}" if split in SETTINGS else split for split in splits]
        return [f"{folder}/{{language}}-{part}" + ".lock" * lock for part in parts]

    def released_with(self, *splits: str) -> list[str]:
        """The registered languages with exactly these splits."""
        return [name for name, files in self._registered.items() if set(files) == set(splits)]

    def released_sources(self, language: str) -> list[dict[str, object]]:
        """Facts of the sources of a registered language, in order of SPLITS.

        Raises:
            KasuError: `licences` do not admit one of them.
        """
        files = self._registered[language].values()
        paths = [file.source.path for file in files if file.source]
        return [self.workspace.source_at(path).facts() for path in paths]

    @cached_property
    def _registered(self) -> dict[str, dict[str, Entry]]:
        return released_languages(self.workspace.registry, self.workspace.downloads)

    # Checks of the datasets

    @cached_property
    def _counts(self) -> dict[str, Entry]:
        """Word counts of the config's `frequencies`, for languages of this run."""
        found, _ = self._resolved
        names = [language.name for language in found]
        counts = resolve_frequencies(self.settings.frequencies, names, self.workspace)
        return {name: entry for name, entry in counts.items() if name in self.languages}

    @property
    def _admitted_counts(self) -> dict[str, Entry]:
        allows = self.workspace.allows
        return {name: entry for name, entry in self._counts.items() if allows(entry)}

    @property
    def word_counts(self) -> dict[str, str | None]:
        """For each language the list or corpus with its word counts, if there is one."""
        counts: dict[str, str | None] = {}
        for name in self.languages:
            files = self.raw_files(name)
            listed = self._admitted_counts.get(name)
            given = files.get("sentences") or files.get("frequencies")
            counts[name] = given or (str(listed.file) if listed else None)
        return counts

    @property
    def drops(self) -> dict[str, int]:
        """How many languages and word counts were left out, by reason."""
        found, unreached = self._resolved
        return {
            "released language neither in a mirror nor downloaded": len(unreached),
            "licence not allowed": len(found) - len(self.languages),
            "word counts: licence not allowed": len(self._counts) - len(self._admitted_counts),
        }

    @property
    def notices(self) -> list[str]:
        """What a user should know before the run."""
        _, unreached = self._resolved
        if not unreached:
            return []
        return [
            f"inflection: {len(unreached)} released languages are neither in a mirror nor "
            "downloaded; `languages: [available]` leaves them out, `languages: [all]` downloads "
            "them"
        ]

    # Members of families, by pack of languages and block of members

    def packs(self, setting: str) -> dict[int, list[str]]:
        """The languages of each pack, all of which have the setting."""
        return self._packs[setting]

    @cached_property
    def _packs(self) -> dict[str, dict[int, list[str]]]:
        having = {
            setting: [name for name, each in self.languages.items() if setting in each.settings]
            for setting in self.settings.settings
        }
        return {setting: share_out(having[setting], self.settings.packs) for setting in having}

    def pack_folders(self, setting: str, pack: int) -> dict[str, str]:
        """The dataset folders of the languages in a pack."""
        return {name: self.dataset_folder(name) for name in self.packs(setting)[pack]}

    def pack_datasets(self, setting: str, pack: int) -> list[str]:
        """The splits that a pack is trained and tested on."""
        splits = (setting, "dev", "test")
        names = self.packs(setting)[pack]
        return [self.dataset(name)[split] for name in names for split in splits]

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

"""What exists of the BLM study for a config: datasets, embeddings, predictions, tables."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from kasu.base.sources import Entry
from kasu.base.study import StudyReport
from kasu.base.workspace import Described, describe
from kasu.blm.names import (
    BY_SEED,
    FULL,
    LEXICON,
    PAPER,
    SAME,
    SPLITS,
    STATE_FEATURES,
    STUDY,
    TYPES,
)
from kasu.blm.settings import BlmSettings, VariantSettings
from kasu.lm.plan import Models

# The folder of each regime's datasets; sameTrain uses the problems that they mark for it
FOLDERS = {FULL: "datasets", SAME: "datasets", BY_SEED: "by_seed"}
# How the problems in each folder are split
WAYS_TO_SPLIT = {"datasets": "random", "by_seed": "by_seed"}
PRINTED = {
    "table_1": "Table 1",
    "figure_8": "Figure 8",
    "text": "text",
    "inferred": "inferred",
}
DETAILS = {
    "Claims of the paper": "claims",
    "Systems compared in pairs": "comparisons",
    "Errors, Figure 9": "errors",
    "Demonstration of the generator, Figures 2 to 7, 10 and 11": "demonstration",
}
# By slug of the printed table that it stands under
FIGURES = {"table_1": "table_1", "figure_8": "figure_9"}
SECTION = "config blm"


class BlmPlan:
    """The BLM study under a config's section `blm`."""

    def __init__(self, settings: BlmSettings, seeds: Sequence[int], models: Models) -> None:
        self.settings, self.seeds, self.models = settings, seeds, models
        self.workspace = models.workspace
        self.folder = f"{self.workspace.results}/{STUDY}"

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug."""
        return PRINTED

    @property
    def files(self) -> list[str]:
        """What the target `blm` builds."""
        return [
            f"{self.folder}/scores.parquet",
            *(f"{self.folder}/tables/{table}.tsv" for table in PRINTED),
            *(f"{self.folder}/tables/{table}.tsv" for table in DETAILS.values()),
            *(f"{self.folder}/figures/{figure}.svg" for figure in FIGURES.values()),
        ]

    @property
    def regimes(self) -> dict[str, str]:
        """The folder of datasets of each regime."""
        return {regime: f"{self.folder}/{FOLDERS[regime]}" for regime in self.settings.regimes}

    @property
    def folders(self) -> list[str]:
        """The folders that a dataset may lie in: one for each way to split."""
        return list(WAYS_TO_SPLIT)

    def dataset(self, type_: str) -> dict[str, str]:
        """The files of a type's dataset, with the wildcard {folder}."""
        dataset = f"{self.folder}/{{folder}}/{type_}"
        return {
            **{split: f"{dataset}/{split}.parquet" for split in ("problems", *SPLITS)},
            "card": f"{dataset}/README.md",
            "counts": f"{dataset}/counts.tsv",
            "drops": f"{dataset}/drops.tsv",
        }

    def dataset_settings(self, folder: str) -> dict[str, object]:
        """What the datasets of a folder depend on besides their sources."""
        kept = {"variant", "capitals", "test", "validation", "fill", "candidates"}
        settings = {key: value for key, value in self.settings.dump().items() if key in kept}
        return {**settings, "split": WAYS_TO_SPLIT[folder], "seed": self.seeds[0]}

    @property
    def splits(self) -> list[str]:
        """Every split of every type and regime: what is embedded, learned from and tested on."""
        return [
            f"{folder}/{type_}/{split}.parquet"
            for folder in dict.fromkeys(self.regimes.values())
            for type_ in TYPES
            for split in SPLITS
        ]

    @property
    def counted(self) -> list[str]:
        """The datasets of `allTrain`, whose problems are counted."""
        return [
            f"{self.regimes[FULL]}/{type_}/{name}.parquet"
            for type_ in TYPES
            for name in ("problems", *SPLITS)
        ]

    def source_file(self, key: str) -> str:
        """The path of the seeds or the lexicon (raises as `source`)."""
        return str(self.source(key).file)

    def source(self, key: str) -> Entry:
        """Where the seeds or the lexicon come from.

        Raises:
            KasuError: there is no such source (names the section of the config).
        """
        return self.workspace.resolve(getattr(self.settings, key), f"{SECTION} {key}")

    @property
    def fills_by_model(self) -> bool:
        """Whether a language model proposes the words of type II."""
        return self.settings.fills != LEXICON

    @property
    def fills_model(self) -> str | list[str]:
        """The folder of the model that proposes words; empty for the lexicon.

        Raises:
            KasuError: there is no such model (names the section of the config).
        """
        if not self.fills_by_model:
            return []
        return self.models.folder(self.settings.fills, f"{SECTION} fills")

    @property
    def encoder(self) -> str:
        """The name of the encoder in paths and notes."""
        return Path(self.settings.encoder).name

    @property
    def encoder_model(self) -> str | list[str]:
        """The folder of the encoder; empty for state features.

        Raises:
            KasuError: there is no such model (names the section of the config).
        """
        if self.settings.encoder == STATE_FEATURES:
            return []
        return self.models.folder(self.settings.encoder, f"{SECTION} encoder")

    @property
    def encodings(self) -> dict[str, str]:
        """The pooling of each set of sentence vectors, by its name in paths, in order of use."""
        variants = self.settings.training.variants
        return {self.encoding(variant): self._pooling(variant) for variant in variants}

    def encoding(self, variant: VariantSettings) -> str:
        """The name of the sentence vectors of a variant in paths and notes: encoder and pooling."""
        if self.settings.encoder == STATE_FEATURES:
            return STATE_FEATURES
        return f"{self.encoder}-{self._pooling(variant)}"

    def _pooling(self, variant: VariantSettings) -> str:
        return variant.pooling or self.settings.encoding.pooling

    def encoding_settings(self, encoding: str) -> dict[str, object]:
        """How the vectors of one of `encodings` are made."""
        return self.settings.encoding.dump() | {"pooling": self.encodings[encoding]}

    @property
    def embeddings(self) -> dict[str, str]:
        """The file of the sentence vectors of each variant."""
        return {
            variant.name: f"{self.folder}/embeddings/{self.encoding(variant)}.parquet"
            for variant in self.settings.training.variants
        }

    @property
    def note(self) -> str:
        """The note on the scores of every network: its sentence vectors, its number of steps."""
        most = self.settings.training.max_steps
        steps = f"at most {most} steps" if most else "no cap on steps"
        variants = self.settings.training.variants
        names = {
            encoding: ", ".join(v.name for v in variants if self.encoding(v) == encoding)
            for encoding in self.encodings
        }
        if len(names) == 1:
            return f"encoder {next(iter(names))}; {steps}"
        listed = (f"{encoding} ({variants})" for encoding, variants in names.items())
        return f"encoders {' and '.join(listed)}; {steps}"

    def described(self, type_: str) -> list[Described]:
        """What a dataset's card says of seeds, lexicon and the model that proposed words."""
        described = [describe(self.source(key)) for key in ("seeds", "lexicon")]
        if type_ == "type_I" or not self.fills_by_model:
            return described
        fills = self.settings.fills
        if entries := self.models.sources([fills]):
            return [*described, *map(describe, entries)]
        return [*described, {"name": fills, "licence": "not stated", "citation": ""}]

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study.

        Raises:
            KasuError: there is no such source or model (names the section of the config).
        """
        encoding = next(iter(self.encodings))  # all encode the same sentences
        encoded = {"sentences encoded": f"{self.folder}/embeddings/{encoding}_counts.tsv"}
        folders = {
            self.settings.fills: self.fills_model,
            self.settings.encoder: self.encoder_model,
        }
        models = self.models.sources(name for name, folder in folders.items() if folder)
        return StudyReport(
            name=STUDY,
            title="BLM: can a network complete a matrix of sentences by its rule?",
            citation="An, Jiang, Rodriguez, Nastase & Merlo (2023), BLM-AgrF",
            paper=PAPER,
            printed=PRINTED,
            captions={table: f"workflow/report/blm_{table}.rst" for table in PRINTED},
            figures={
                table: f"{self.folder}/figures/{figure}.svg" for table, figure in FIGURES.items()
            },
            legends={"figure_8": "shares of each error (Figure 9)"},
            counts=self._counted("counts") | encoded,
            drops=self._counted("drops"),
            details={
                heading: f"{self.folder}/tables/{table}.tsv" for heading, table in DETAILS.items()
            },
            nulls=["copy_unseen", "random"],
            sources=[self.source("seeds"), self.source("lexicon"), *models],
        )

    def _counted(self, kind: str) -> dict[str, str]:
        """Counts or drops of every dataset, by type and folder."""
        return {
            f"{type_} ({Path(folder).name})": f"{folder}/{type_}/{kind}.tsv"
            for folder in dict.fromkeys(self.regimes.values())
            for type_ in TYPES
        }

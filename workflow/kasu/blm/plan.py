"""The outputs of the BLM study for a config: datasets, embeddings, predictions, tables."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.blm.data.names import (
    BY_SEED,
    LEXICON,
    NULLS,
    PAPER,
    SPLITS,
    STATE_FEATURES,
    STUDY,
    TYPES,
    RegimeData,
)
from kasu.blm.paths import PATHS
from kasu.blm.settings import BlmSettings, VariantSettings
from kasu.lm import CAUSAL
from kasu.lm.models.folders import model_name
from kasu.lm.plan import Models
from kasu.results.paths import Paths
from kasu.results.study import DrawnFrom, StudyReport, captions_of
from kasu.sources.registry import Entry
from kasu.sources.workspace import Described, describe

PRINTED = {
    "table_1": "Table 1",
    "figure_8": "Figure 8",
    "text": "text",
    "inferred": "inferred",
}
DETAILS = {
    "Table 1: networks beside nulls and print": "nulls",
    "What the test sets share with training": "overlap",
    "Claims of the paper": "claims",
    "Systems compared in pairs": "comparisons",
    "Errors, Figure 9": "errors",
    "Demonstration of the generator, Figures 2 to 7, 10 and 11": "demonstration",
}
# By slug of the printed table that it stands under
FIGURES = {"table_1": "table_1", "figure_8": "figure_9"}
PREDICTED = ("networks", "heuristics")
SECTION = "config blm"
PAPER_SEEDS = "papers/blm-agrf/seeds_FR_fragments.csv"


class BlmPlan:
    """The BLM study under a config's section `blm`.

    Attributes:
        RANDOM: the folder of the datasets that are split at random.
    """

    papers: tuple[str, ...] = (PAPER,)

    RANDOM = "datasets"

    def __init__(self, settings: BlmSettings, seeds: Sequence[int], models: Models) -> None:
        self.settings, self.seeds, self.models = settings, seeds, models
        self.workspace = models.workspace
        self.paths = Paths(PATHS, self.workspace.results, STUDY)

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug."""
        return PRINTED

    @property
    def captions(self) -> dict[str, str]:
        """The caption of each printed table, by slug."""
        return captions_of(STUDY, self.printed)

    @property
    def figures(self) -> dict[str, str]:
        """The figure under each table that has one."""
        return {table: self.paths("figure", table=figure) for table, figure in FIGURES.items()}

    @property
    def files(self) -> list[str]:
        """What the target `blm` builds."""
        return [
            self.paths("scores"),
            *(self.paths("table", table=table) for table in (*PRINTED, *DETAILS.values())),
            *self.figures.values(),
        ]

    @property
    def regimes(self) -> list[RegimeData]:
        """The regimes and their datasets; sameTrain uses the problems that those of RANDOM mark."""
        study = f"{self.workspace.results}/{STUDY}"
        return [RegimeData(name, f"{study}/{at}", fold) for name, at, fold in self._regimes]

    @property
    def _regimes(self) -> list[tuple[str, str, int | None]]:
        """The name, the wildcard `folder` and the fold of each regime."""
        return [
            (name, at, fold)
            for name in self.settings.regimes
            for at, fold in (self.seed_folders if name == BY_SEED else {self.RANDOM: None}).items()
        ]

    @property
    def seed_folders(self) -> dict[str, int | None]:
        """The folders of datasets split by seed, each with its fold."""
        if not self.settings.folds:
            return {"by_seed": None}
        return {f"by_seed/fold_{fold}": fold for fold in range(1, self.settings.folds + 1)}

    @property
    def capitals(self) -> str:
        """What becomes of capitals inside a sentence (`blm.capitals`)."""
        return self.settings.capitals or ("lower" if self.settings.language == "fr" else "keep")

    def dataset_settings(self, folder: str) -> dict[str, object]:
        """Return the settings that the datasets of a folder depend on, besides their sources."""
        kept = {"variant", "capitals", "test", "validation", "fill", "candidates"}
        settings = {key: value for key, value in self.settings.dump().items() if key in kept}
        settings["capitals"] = self.capitals
        settings |= {"seed": self.seeds[0], "split": "random", "fold": None, "folds": None}
        if folder in self.seed_folders:
            settings |= {"split": "by_seed", "fold": self.seed_folders[folder]}
            settings["folds"] = self.settings.folds
        return settings

    @property
    def splits(self) -> list[str]:
        """Every split of every type and regime, for training and test."""
        folders = dict.fromkeys(at for _, at, _ in self._regimes)
        return [file for at in folders for file in self._datasets(at, SPLITS)]

    @property
    def embedded(self) -> list[str]:
        """The splits whose sentences are embedded; splits by seed have the same sentences."""
        return self._datasets(self.RANDOM, SPLITS)

    @property
    def counted(self) -> list[str]:
        """The datasets of RANDOM, whose problems are counted."""
        return self._datasets(self.RANDOM, ("problems", *SPLITS))

    def _datasets(self, folder: str, names: Sequence[str]) -> list[str]:
        """List files of the datasets of all types in a folder."""
        return [self.paths(name, folder=folder, type=type_) for type_ in TYPES for name in names]

    def source_file(self, key: str) -> str:
        """Return the path of the seeds or the lexicon (raises as `source`)."""
        return str(self.source(key).file)

    def source(self, key: str) -> Entry:
        """Return the source of the seeds or the lexicon.

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
            KasuError: there is no such model, or it is causal (names the section of the config).
        """
        if not self.fills_by_model:
            return []
        folder = self.models.folder(self.settings.fills, f"{SECTION} fills")
        if self.models.kind(self.settings.fills) == CAUSAL:
            found = f"{self.settings.fills} is causal, and sees nothing after a gap"
            raise KasuError(f"{SECTION} fills", found, f"a masked model, or {LEXICON}")
        return folder

    @property
    def encoder(self) -> str:
        """The name of the encoder in paths and notes."""
        return model_name(self.settings.encoder)

    @property
    def encodes_by_model(self) -> bool:
        """Whether the encoder is a language model."""
        return self.settings.encoder != STATE_FEATURES

    @property
    def encoder_model(self) -> str | list[str]:
        """The folder of the encoder; empty for state features.

        Raises:
            KasuError: there is no such model (names the section of the config).
        """
        if not self.encodes_by_model:
            return []
        return self.models.folder(self.settings.encoder, f"{SECTION} encoder")

    @property
    def encodings(self) -> dict[str, str]:
        """The pooling of each set of sentence vectors, by its name in paths, in order of use."""
        variants = self.settings.training.variants
        return {self.encoding(variant): self._pooling(variant) for variant in variants}

    def encoding(self, variant: VariantSettings) -> str:
        """Return the name of a variant's vectors in paths and notes: encoder and pooling."""
        if self.settings.encoder == STATE_FEATURES:
            return STATE_FEATURES
        return f"{self.encoder}-{self._pooling(variant)}"

    def _pooling(self, variant: VariantSettings) -> str:
        return variant.pooling or self.settings.encoding.pooling

    def encoding_settings(self, encoding: str) -> dict[str, object]:
        """Return the settings of one of `encodings`."""
        return self.settings.encoding.dump() | {"pooling": self.encodings[encoding]}

    @property
    def embeddings(self) -> dict[str, str]:
        """The file of the sentence vectors of each variant."""
        return {
            variant.name: self.paths("embeddings", encoding=self.encoding(variant))
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

    def described(self, type: str) -> list[Described]:
        """List what a card says of seeds, lexicon and the model that proposed words."""
        described = [describe(self.source(key)) for key in ("seeds", "lexicon")]
        if type == "type_I" or not self.fills_by_model:
            return described
        fills = self.settings.fills
        if entries := self.models.sources([fills]):
            return [*described, *map(describe, entries)]
        return [*described, {"name": fills, "licence": "not stated", "citation": ""}]

    @property
    def examples(self) -> DrawnFrom:
        """What examples are drawn from: the first network of the first regime and variant."""
        regime, folder, fold, variant = next(
            (*regime, variant)
            for regime in self._regimes
            for variant in self.settings.training.variants
            if regime[0] in (variant.regimes or (regime[0],))
        )
        run = {
            "regime": regime,
            "fold": fold,
            "model": self.settings.networks[0],
            "variant": variant.name,
            "seed": self.settings.runs[0],
        }
        files = {
            "predictions": [self.paths("predictions", solvers=each) for each in PREDICTED],
            "problems": self._datasets(folder, ("test",)),
        }
        language = self.settings.language
        return DrawnFrom(files, {"run": run, "answers": variant.answers, "language": language})

    @property
    def warnings(self) -> DrawnFrom:
        """What warnings are found in: sentence vectors, and the choices of all solvers."""
        files = {each: [self.paths("predictions", solvers=each)] for each in PREDICTED}
        for name, path in (("embeddings", "embeddings"), ("counts", "embeddings_counts")):
            files[name] = [self.paths(path, encoding=each) for each in self.encodings]
        return DrawnFrom(files, {"encodings": [*self.encodings]})

    @property
    def untestable(self) -> str | None:
        """Why the paper's claims cannot be tested on these problems; None if they can.

        Raises:
            KasuError: there is no such source.
        """
        source = self.source("seeds").source
        if source is None or source.path != PAPER_SEEDS:
            return "the problems are not the paper's"
        language = self.settings.language
        return None if language == "fr" else f"the seeds are read as {language}, not as French"

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study.

        Raises:
            KasuError: there is no such source or model (names the section of the config).
        """
        main, encoding = self.settings.training.variants[0], next(iter(self.encodings))
        # All encode the same sentences
        encoded = {"sentences encoded": self.paths("embeddings_counts", encoding=encoding)}
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
            captions=self.captions,
            figures=self.figures,
            legends={"figure_8": "shares of each error (Figure 9)"},
            counts=self._counted("counts") | encoded,
            drops=self._counted("drops"),
            details={
                heading: self.paths("table", table=table) for heading, table in DETAILS.items()
            },
            examples=self.paths("examples"),
            warnings=self.paths("warnings"),
            nulls=NULLS,
            defaults={"": [main.name, main.answers]},  # the sizes of sets come by answers
            sources=[self.source("seeds"), self.source("lexicon"), *models],
            foreign=self.untestable is not None,
        )

    def _counted(self, kind: str) -> dict[str, str]:
        """Return counts or drops by type and folder; of folds, which are much alike, the first."""
        folders = dict.fromkeys(at for _, at, fold in self._regimes if (fold or 1) == 1)
        return {
            f"{type_} ({Path(at).name})": self.paths(kind, folder=at, type=type_)
            for at in folders
            for type_ in TYPES
        }

"""What the pretraining study builds for a config: runs to score, tables, figures and the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora
from kasu.corpora.settings import AnalyserSettings
from kasu.lm import CAUSAL
from kasu.lm.models.folders import model_name
from kasu.lm.plan import Models, Trained
from kasu.pretraining.data.names import (
    FURTHER,
    HUB_SYSTEMS,
    LAST_EPOCH,
    ORDER_RULES,
    PAPER,
    RELEASED,
    TWIN,
)
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.inventory import SECTION, STUDY, PairSets, Systems, Texts
from kasu.pretraining.models.trigram import LENGTHS, TRIGRAM
from kasu.pretraining.paths import PATHS
from kasu.pretraining.settings import PretrainingSettings
from kasu.results.paths import Paths
from kasu.results.study import DrawnFrom, StudyReport

# In the paths of scores, the folder of models of the config's `published`
PUBLISHED = "published"
TABLES = {f"table_{number}": f"Table {number}" for number in (1, *range(4, 20))}
SECTIONS = {f"section_{part}": f"section {part}" for part in ("4.2", "5.1", "5.2", "5.4")}
# The tables with rows where nothing is trained; the section takes pairs in two word orders
UNTRAINED, ORDER_SECTION = ("table_1", "table_4"), "section_5.4"
# Figures by the table under which the report shows them; Figure 3 compares two word orders
FIGURES = {"table_4": 1, "table_5": 2, "table_17": 4}
ORDER_FIGURE = {"table_14": 3}


@dataclass(frozen=True)
class ScoredModel:
    """A checkpoint or a published model, and how it scores sentences.

    Attributes:
        definition: of `kasu.lm.scoring`.
        loading: how the config lets it be loaded.
    """

    folder: str
    definition: str
    loading: Mapping[str, str | bool | None]


class PretrainingPlan:
    """The study under a config's section `pretraining`. Nothing is resolved before it is needed."""

    papers: tuple[str, ...] = (PAPER,)
    # How masked models score a sentence, of `kasu.lm.scoring`; the study trains no others
    definition = "pll_original"

    def __init__(self, settings: PretrainingSettings, corpora: Corpora, models: Models) -> None:
        self.settings, self.corpora, self.models = settings, corpora, models
        self.paths = Paths(PATHS, corpora.workspace.results, STUDY)
        self.texts = Texts(settings, self.paths)
        self.pairs = PairSets(
            settings.pairs, self.paths, corpora.workspace, twins=settings.has_twins
        )
        self.systems = Systems(settings, self.paths, corpora)

    @property
    def corpus(self) -> str:
        """The study's corpus.

        Raises:
            KasuError: the config states none, so that nothing is trained.
        """
        if self.settings.corpus is None:
            raise KasuError(SECTION, "no corpus to train on", "`corpus` and `budgets`")
        return self.settings.corpus

    @property
    def language(self) -> str:
        """The language of the study's corpus; empty if nothing is trained.

        Raises:
            KasuError: the config has no such corpus.
        """
        corpus = self.settings.corpus
        return self.corpora.get(corpus, SECTION).language if corpus else ""

    @property
    def sentences(self) -> str:
        """The sentences of the study's corpus.

        Raises:
            KasuError: the config has no such corpus, or states none.
        """
        return self.corpora.file(self.corpus, "sentences", SECTION)

    @property
    def analyses(self) -> str:
        """The analyses of the study's corpus (raises as `sentences`)."""
        return self.corpora.file(self.corpus, "analyses", SECTION)

    def taken(self, text: str) -> str:
        """Return the sentences of the corpus that is taken as a text (raises as `sentences`)."""
        return self.corpora.file(self.texts.taken[text], "sentences", SECTION)

    @property
    def read_corpora(self) -> list[str]:
        """The corpora whose text is trained on; none, if nothing is trained."""
        taken = list(dict.fromkeys(self.texts.taken.values()))
        return taken or [name for name in [self.settings.corpus] if name]

    @property
    def analyser(self) -> AnalyserSettings:
        """The analyser of the study's corpus."""
        return self.corpora.analyser(self.corpus)

    @property
    def dictionary(self) -> list[str]:
        """The dictionary that `analyser` reads."""
        return self.corpora.dictionary(self.corpus)

    @property
    def lemmatised(self) -> list[str]:
        """The tables that can have a lemmatised twin: the main set of pairs, and all texts.

        None, if nothing is trained.
        """
        texts = self.texts.tables
        return [f"pairs/{self.pairs.main}", *texts] if texts else []

    @property
    def trained_models(self) -> dict[str, Trained]:
        """The trained models by their names in paths, for other studies to use.

        The text of a lemmatised model is the one before lemmatisation.

        Empty if the study's own corpus does not exist, which must not stop another study.
        """
        try:
            systems = self.systems.by_slug.values()
        except KasuError:
            return {}
        return {
            system.slug: Trained(
                self.systems.model(system), self.texts.file(system.text.removesuffix(TWIN))
            )
            for system in systems
        }

    def scored_model(self, scored: str) -> ScoredModel:
        """Return the model of `published/<name>` or `<system>/<seed>-<epoch>`.

        Raises:
            KasuError: there is no such published model.
        """
        group, name = scored.split("/")
        if group == PUBLISHED:
            model = self.published.get(name, name)
            folder = self.models.folder(model, f"{SECTION}.published")
            definition = "causal" if self.models.kind(model) == CAUSAL else self.definition
            return ScoredModel(folder, definition, self.models.loading(model))
        return ScoredModel(self.systems.checkpoint(group, *name.split("-")), self.definition, {})

    @property
    def small_files(self) -> dict[str, dict[str, str]]:
        """The files of pairs to score with each checkpoint of a small model, by name.

        The facts are those of `kasu.lm.scoring.score.ToScore`.
        """
        files = {}
        for slug in self.systems.small:
            system = self.systems.get(slug)
            for seed, epoch, pairs in product(
                self.settings.seeds, system.checkpoints, self.pairs.for_text(system.text)
            ):
                where = {"scored": f"{slug}/{seed}-{epoch}", "pairs": pairs}
                files[f"{slug}-{seed}-{epoch}-{pairs}"] = {
                    "model": self.systems.checkpoint(slug, seed, epoch),
                    "items": self.pairs.file(pairs),
                    "scores": self.paths("predictions", **where),
                    "drops": self.paths("predictions_drops", **where),
                }
        return files

    def of_small(self, key: str) -> list[str]:
        """Return the paths of `small_files` under this key, each once."""
        return list(dict.fromkeys(file[key] for file in self.small_files.values()))

    @property
    def small_pairs(self) -> list[str]:
        """The pairs that small models score."""
        return self.of_small("items")

    @cached_property
    def published(self) -> dict[str, str]:
        """The finished models to score, by name: one of `models`, or a folder."""
        return {model_name(model): model for model in self.settings.published}

    @cached_property
    def runs(self) -> list[ScoreFile]:
        """Every file of scores: of checkpoints, trigrams, published models, and sentence length."""
        plain = self.pairs.for_text("")
        checkpoints = [
            self._run(system.name, f"{system.slug}/{seed}-{epoch}/{pairs}", pairs, epoch, seed)
            for system in self.systems.by_slug.values()
            for seed, epoch in product(self.settings.seeds, system.checkpoints)
            for pairs in self.pairs.for_text(system.text)
        ]
        trigrams = [
            self._run(f"{TRIGRAM}-{text}", f"{TRIGRAM}/{text}-{pairs}", pairs)
            for text in self.texts.names
            for pairs in self.pairs.for_text(text)
        ]
        published = [
            self._run(self.models.system(model, HUB_SYSTEMS), f"{PUBLISHED}/{name}/{pairs}", pairs)
            for (name, model), pairs in product(self.published.items(), plain)
        ]
        lengths = [
            self._run(null.replace("_", " "), f"{null}/{pairs}", pairs)
            for null, pairs in product(LENGTHS, plain)
        ]
        return [*checkpoints, *trigrams, *published, *lengths]

    def _run(
        self,
        system: str,
        scores: str,
        pairs: str,
        epoch: int | None = None,
        seed: int | None = None,
    ) -> ScoreFile:
        scored, _, name = scores.rpartition("/")
        file = self.paths("predictions", scored=scored, pairs=name)
        return ScoreFile(
            system, self.pairs.file(pairs), file, epoch, self.pairs.variant(pairs), seed
        )

    @property
    def examples(self) -> DrawnFrom:
        """What examples are drawn from: the main pairs, one model's scores, and those of nulls.

        The model is the last checkpoint of the first one of the config, with the first seed, or the
        first of `published` if nothing is trained; the trigram is the first.
        """
        main = self.pairs.file(self.pairs.main)
        runs = [run for run in self.runs if run.pairs == main]
        *_, last = (run for run in runs if (run.system, run.seed) == (runs[0].system, runs[0].seed))
        nulls = [run for run in runs if run.system in self.nulls[: len(LENGTHS) + 1]]
        shown = {run.system: str(run.scores) for run in (last, *nulls)}
        return DrawnFrom(
            {"pairs": [main], "scores": [*shown.values()]},
            {"systems": [*shown], "language": self.language},
        )

    @property
    def warnings(self) -> DrawnFrom:
        """What warnings are found in: the scores of all runs."""
        return DrawnFrom({"scores": self.scores}, {"runs": [run._asdict() for run in self.runs]})

    @property
    def scored_pairs(self) -> list[str]:
        """The pairs of all runs, each file once."""
        return sorted({str(run.pairs) for run in self.runs})

    @property
    def scores(self) -> list[str]:
        """The files of scores of all runs."""
        return [str(run.scores) for run in self.runs]

    @property
    def weights(self) -> dict[str, str]:
        """The model whose weights are counted, by system."""
        return {each.name: self.systems.model(each) for each in self.systems.by_slug.values()}

    @property
    def histories(self) -> dict[str, dict[int, str]]:
        """The losses of training, by system and seed."""
        return {each.name: self.systems.histories(each) for each in self.systems.by_slug.values()}

    @property
    def history_files(self) -> list[str]:
        """The files of `histories`."""
        return [file for by_seed in self.histories.values() for file in by_seed.values()]

    @property
    def nulls(self) -> list[str]:
        """The systems without a network that score pairs."""
        lengths = (null.replace("_", " ") for null in LENGTHS)
        return [*lengths, *(f"{TRIGRAM}-{text}" for text in self.texts.names)]

    @property
    def untestable(self) -> str | None:
        """Why the paper's claims cannot be tested on these pairs and texts; None if they can.

        Raises:
            KasuError: the corpus or a source of pairs is unknown.
        """
        for name in (self.pairs.main, *self.pairs.reordered):
            source = self.pairs.source(name).source
            if source is None or not source.path.startswith(RELEASED):
                return f"the pairs {name} are not BL2MP's"
        if self.language in ("eu", ""):
            return None
        return f"the models are trained on {self.language}, not on Basque"

    @property
    def notices(self) -> list[str]:
        """What a user should know before the study runs."""
        notices = []
        if self.settings.idle:
            idle = ", ".join(self.settings.idle)
            notices.append(f"pretraining: no effect without `corpus` and `budgets`: {idle}")
        if self.pairs.left_out:
            names = ", ".join(self.pairs.left_out)
            needed = "`twins: true`" if self.settings.budgets else "`corpus` and `budgets`"
            notices.append(f"pretraining.pairs: left out without {needed}: {names} (segmented)")
        return notices

    @property
    def printed(self) -> dict[str, str]:
        """The paper's tables and a table for each further set of pairs, by slug.

        Without training, only the paper's tables that models of `published` have rows in.
        """
        paper = TABLES | SECTIONS
        if not self.settings.budgets:
            orders = [ORDER_SECTION] if self.pairs.reordered else []
            paper = {slug: paper[slug] for slug in (*UNTRAINED, *orders)}
        return paper | {f"pairs_{name}": f"{FURTHER}{name}" for name in self.pairs.further}

    @property
    def captions(self) -> dict[str, str]:
        """The caption of each printed table, by slug."""
        return {
            table: f"workflow/report/pretraining_{_caption_of(table)}.rst" for table in self.printed
        }

    @property
    def figure_numbers(self) -> dict[str, int]:
        """The number of each figure, by the table under which the report shows it.

        All are curves over the epochs of a training.
        """
        if not self.settings.budgets:
            return {}
        return FIGURES | (ORDER_FIGURE if self.pairs.reordered else {})

    @property
    def details(self) -> dict[str, str]:
        """Tables that are ours alone, by heading."""
        tables = {
            "Claims of the paper": "claims",
            "Systems compared in pairs": "comparisons",
            "Pairs kept by simple tokenizers": "kept",
        }
        if self.pairs.segmented:
            tables["Our segmentation against the released one"] = "segmentation"
        return {heading: self.paths("table", table=name) for heading, name in tables.items()}

    @property
    def files(self) -> list[str]:
        """What the target `pretraining` builds."""
        return [
            self.paths("scores"),
            *(self.paths("table", table=table) for table in self.printed),
            *self.details.values(),
            *self.figures.values(),
        ]

    @property
    def figures(self) -> dict[str, str]:
        """The figure under each table that has one."""
        return {
            table: self.paths("figure", table=f"figure_{number}")
            for table, number in self.figure_numbers.items()
        }

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study.

        Raises:
            KasuError: a corpus, an analyser, a source of pairs or a published model is unknown.
        """
        self._check()
        tokens = {
            f"tokens of {text}": self.paths("tokens_counts", text=text, part="train")
            for text in self.texts.names
        }
        return StudyReport(
            name=STUDY,
            title="Pretraining: when does BERT learn Basque grammar?",
            citation="Urbizu et al. (2024), BL2MP",
            paper=PAPER,
            printed=self.printed,
            captions=self.captions,
            figures=self.figures,
            legends={
                table: f"accuracy by epoch (Figure {number})"
                for table, number in self.figure_numbers.items()
            },
            counts={
                **self.pairs.reports("counts"),
                **self.texts.counts(),
                **self._twins("counts"),
                **tokens,
            },
            drops={
                **self.pairs.reports("drops"),
                **self.texts.drops(),
                **self._twins("drops"),
                **self._unscored(),
            },
            details=self.details,
            examples=self.paths("examples"),
            warnings=self.paths("warnings"),
            nulls=["chance", *self.nulls],
            # The best epoch is chosen on the pairs that it is measured on
            defaults={"": [LAST_EPOCH, ORDER_RULES[0]]},
            sources=[
                *(self.pairs.source(name) for name in self.pairs.settings),
                *self.models.sources(self.settings.published),
                *(each.entry for name in self.read_corpora for each in self.corpora.sources(name)),
            ],
            readers=[
                file
                for name in self.read_corpora
                for file in (
                    *self.corpora.reports(name, "drops").values(),
                    *self.corpora.treebank_files(name),
                )
            ],
            foreign=self.untestable is not None,
        )

    def _check(self) -> None:
        """Resolve all that the study names in other sections."""
        if self.settings.corpus is not None:
            for name in (self.settings.corpus, *self.texts.taken.values()):
                self.corpora.get(name, SECTION)
        if self.settings.has_twins:
            self.corpora.analyser(self.corpus)
        for model in self.settings.published:
            self.models.folder(model, f"{SECTION}.published")

    def _unscored(self) -> dict[str, str]:
        """Return what published models left out of the first pairs, by what was scored."""
        main = self.pairs.main
        return {
            f"pairs {main} scored by {name}": self.paths(
                "predictions_drops", scored=f"{PUBLISHED}/{name}", pairs=main
            )
            for name in self.published
        }

    def _twins(self, kind: str) -> dict[str, str]:
        """Return counts or drops of all twins, by what was counted."""
        tables = self.lemmatised if self.settings.has_twins else []
        return {f"twin of {table}": self.paths(f"twin_{kind}", table=table) for table in tables}


def _caption_of(table: str) -> str:
    """Return the caption of a printed table, of a further set's, or of the figures in the text."""
    if table in ("table_1", "table_4"):
        return table
    kind = table.partition("_")[0]
    return {"section": "section", "pairs": "table_4"}.get(kind, "appendix")

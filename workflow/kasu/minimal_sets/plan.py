"""The outputs of the minimal sets study for a config: sets, predictions, tables, figures."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora, Treebanks
from kasu.lm.models.definitions import DEFINITIONS, WORD
from kasu.lm.models.folders import model_name
from kasu.lm.plan import Models
from kasu.minimal_sets.data.paper import HUB_SYSTEMS, LANGUAGE, PAPER, RELEASED
from kasu.minimal_sets.inventory import Sets
from kasu.minimal_sets.material import COLLECTIONS, STUDY, BuiltSet, PairSet
from kasu.minimal_sets.pairs.design import NULLS
from kasu.minimal_sets.paths import PATHS
from kasu.minimal_sets.settings import MinimalSetsSettings
from kasu.results.paths import Paths
from kasu.results.study import DrawnFrom, StudyReport, captions_of

PRINTED = {
    "table_3": "Table 3",
    "table_2": "Table 2",
    "section_3": "section 3",
    "section_4": "section 4",
    "section_7": "section 7",
    "section_7.1": "section 7.1",
    "section_7.3": "section 7.3",
    "section_7.4": "section 7.4",
}
# Further tables by heading, in the order of the report
DETAILS = {
    "Claims of the paper": "claims",
    "Sets": "sets",
    "Scheme of cases, Table 1 and Figure 1": "scheme",
    "Systems compared in pairs": "comparisons",
    "Which wrong form wins": "preferences",
    "Tokens and accuracy": "correlations",
    "Answers that flip with the measure": "flips",
    "Mean probabilities, Figure 3": "probabilities",
    "Agreement pairs": "pairs",
    "Does the language agree": "agreement",
    "Agreement pairs, nulls and models": "pair_scores",
    "Audit of the released pairs": "audit",
}
# Tables of agreement pairs
PAIR_SCORES = "pair_scores"
OF_PAIRS = ("pairs", "agreement", PAIR_SCORES)
AUDIT = "audit"
# Tables that need no scores
DESCRIPTIONS = ("sets", "scheme")


class MinimalSetsPlan:
    """The minimal sets study under a config's section `minimal_sets`.

    Attributes:
        sets: the sets, built and released.
        evaluations: tables with scores.
    """

    papers: tuple[str, ...] = (PAPER,)

    evaluations = tuple(
        table for table in DETAILS.values() if table not in (*DESCRIPTIONS, *OF_PAIRS, AUDIT)
    )

    def __init__(
        self,
        settings: MinimalSetsSettings,
        seeds: Sequence[int],
        treebanks: Treebanks,
        models: Models,
        corpora: Corpora,
    ) -> None:
        self.settings, self.treebanks, self.models = settings, treebanks, models
        self.corpora = corpora
        self.sets = Sets(settings, seeds[0], treebanks)
        self.paths = Paths(PATHS, treebanks.workspace.results, STUDY)

    @property
    def notices(self) -> list[str]:
        """What a user should know before the study runs."""
        sets = [name for name, each in self.sets.built.items() if not each.settings.released]
        if self.settings.matches is not None or not sets:
            return []
        kept = "every match of a sentence becomes an item; before, only the last did"
        return [f"{STUDY}.matches: {kept} (`matches: last`): {', '.join(sets)}"]

    # Models and what they score

    @cached_property
    def scorers(self) -> dict[str, str]:
        """The models that score sets, by name: one of `models`, or a folder."""
        return {
            model_name(model): model
            for collection in self.settings.collections
            for model in collection.models
        }

    def model(self, model: str) -> str:
        """Return the folder of a model.

        Raises:
            KasuError: there is no such model.
        """
        return self.models.folder(self.scorers[model], COLLECTIONS)

    def system(self, model: str) -> str:
        """Return the name of a model in tables; a model of the paper has its name there."""
        return self.models.system(self.scorers[model], HUB_SYSTEMS)

    def definitions(self, model: str) -> list[str]:
        """List the definitions under which a model scores."""
        return list(self.settings.definitions.dump()[self.models.kind(self.scorers[model])])

    def loading(self, model: str) -> dict[str, str | bool | None]:
        """Return how the config lets a model be loaded."""
        return self.models.loading(self.scorers[model])

    def training_text(self, model: str) -> list[str]:
        """Return the sentences that a model was trained on, if they are known."""
        text = self.models.training_text(self.scorers[model], self.corpora)
        return [text] if text else []

    def scored_items(self, model: str) -> list[str]:
        """List the items of the sets that a model scores."""
        return self.sets.items(self.scored(model))

    def scored(self, model: str) -> list[str]:
        """List the sets that a model scores: its collections' and the released in its language."""
        sets: dict[str, None] = {}
        for collection in self.settings.collections:
            if self.scorers[model] in collection.models:
                sets |= dict.fromkeys(item.name for item in collection.own)
                sets |= {
                    name: None
                    for name, pairs in self.sets.pairs.items()
                    if pairs.collection is collection
                }
                language = self.treebanks.get(collection.treebank, COLLECTIONS).language
                if language == LANGUAGE:
                    sets |= dict.fromkeys(self.sets.released)
        return list(sets)

    @property
    def predictions(self) -> list[str]:
        """One file per model, and one of the released results."""
        systems = [*self.scorers, *([RELEASED] if self.sets.released else [])]
        return [self.paths("predictions", model=system) for system in systems]

    @property
    def pair_predictions(self) -> list[str]:
        """The predictions of the models that score pairs."""
        models = {model for each in self.sets.pairs.values() for model in each.collection.models}
        return [
            self.paths("predictions", model=name)
            for name, model in self.scorers.items()
            if model in models
        ]

    @property
    def drops(self) -> dict[str, str]:
        """The items that each model did not score, counted in a file per model."""
        return {name: self.paths("predictions_drops", model=name) for name in self.scorers}

    @property
    def tokens(self) -> list[str]:
        """Tokens of the released items, one file per set and model of the paper."""
        models = [
            name for name, model in self.scorers.items() if self.models.hub_id(model) in HUB_SYSTEMS
        ]
        return [
            self.paths("tokens", model=model, set=name)
            for model in models
            for name in self.sets.released
        ]

    # Tables and figures

    @cached_property
    def descriptions(self) -> tuple[str, ...]:
        """Tables without scores; the scheme of cases is that of the paper's language."""
        languages = set()
        for collection in self.settings.collections:
            # An unknown treebank is reported by the job that needs it
            with suppress(KasuError):
                languages.add(self.treebanks.get(collection.treebank, COLLECTIONS).language)
        covered = self.settings.released or LANGUAGE in languages
        return DESCRIPTIONS if covered else DESCRIPTIONS[:1]

    @property
    def is_scored(self) -> bool:
        """Whether there is anything to evaluate, rather than only sets to describe."""
        return bool(self.scorers or self.sets.released)

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug."""
        return PRINTED if self.is_scored else {}

    @property
    def captions(self) -> dict[str, str]:
        """The caption of each printed table, by slug."""
        return captions_of(STUDY, self.printed)

    @property
    def details(self) -> dict[str, str]:
        """Further tables by heading."""
        wanted = {
            *self.descriptions,
            *(self.evaluations if self.is_scored else ()),
            *(OF_PAIRS if self.sets.pairs else ()),
            *([AUDIT] if self.settings.audit else ()),
        }
        return {heading: table for heading, table in DETAILS.items() if table in wanted}

    @property
    def figure_variant(self) -> str | None:
        """The variant that Figure 3 shows: the released one, else the first at word level."""
        if self.sets.released:
            return RELEASED
        definitions = (each for model in self.scorers for each in self.definitions(model))
        return next(
            (
                each
                for each in definitions
                if each in DEFINITIONS and DEFINITIONS[each].level == WORD
            ),
            None,
        )

    @property
    def figures(self) -> dict[str, str]:
        """Figures by the table they stand under."""
        figures = {}
        if self.sets.released:  # nothing else of ours has a published figure beside it
            figures["table_3"] = self.paths("figure", table="table_3")
        if self.figure_variant:
            figures["section_7.1"] = self.paths("figure", table="figure_3")
        if self.sets.pairs:
            figures[PAIR_SCORES] = self.paths("figure", table=PAIR_SCORES)
        return figures

    @property
    def examples(self) -> DrawnFrom:
        """What examples are drawn from: all sets, and what models predict."""
        released = [RELEASED] if self.sets.released else []
        languages = {name: each.language for name, each in self.sets.built.items()}
        languages |= self.sets.pair_languages
        return DrawnFrom(
            {"sets": self.sets.items(self.sets.names), "predictions": self.predictions},
            {
                "definitions": [*(self.definitions(name)[0] for name in self.scorers), *released],
                "languages": languages | dict.fromkeys(self.sets.released, LANGUAGE),
            },
        )

    @property
    def warnings(self) -> DrawnFrom:
        """What warnings are found in: the scores of all models, and what these left out."""
        return DrawnFrom(
            {"predictions": self.predictions, "drops": [*self.drops.values()]},
            {"scorers": [*self.drops]},
        )

    @property
    def files(self) -> list[str]:
        """What the target `minimal_sets` builds."""
        return [
            *([self.paths("scores")] if self.is_scored else []),
            *self.figures.values(),
            *(
                self.paths("table", table=table)
                for table in (*self.printed, *self.details.values())
            ),
            *self.sets.overlaps.values(),
        ]

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study.

        Raises:
            KasuError: there is no such treebank, file or model.
        """
        for name in self.scorers:
            self.model(name)
        built: list[BuiltSet | PairSet] = [*self.sets.built.values(), *self.sets.pairs.values()]
        scored = self.settings.definitions
        treebanks = dict.fromkeys(entry for each in built for entry in each.treebank_entries)
        return StudyReport(
            name=STUDY,
            title="Minimal sets: does a language model prefer the right form?",
            citation="Gallagher & Heyer (2026), minimal sets of Georgian case alignment",
            paper=PAPER,
            printed=self.printed,
            captions=self.captions,
            figures=self.figures,
            legends={
                "section_7.1": "mean probability of each form (Figure 3)",
                PAIR_SCORES: "pairs solved by attractors and distance, nulls in grey",
            },
            counts={
                **{
                    f"treebank {entry.slug}": self.treebanks.counts(entry.slug)
                    for entry in treebanks
                },
                **self.sets.reports("counts"),
                **{f"released items in {name}": path for name, path in self.sets.overlaps.items()},
            },
            drops={
                **self.sets.reports("drops"),
                **{f"scored by {model}": path for model, path in self.drops.items()},
            },
            details={
                heading: self.paths("table", table=table) for heading, table in self.details.items()
            },
            examples=self.paths("examples"),
            warnings=self.paths("warnings") if self.is_scored else "",
            nulls=self._nulls(),
            # At each level the first; the authors' own scores where no model of ours ran
            defaults={"": [*scored.masked, *scored.causal, RELEASED]},
            sources=[
                *treebanks,
                *dict.fromkeys(each.request for each in self.sets.built.values()),
                *dict.fromkeys(r for each in self.sets.pairs.values() for r in each.requests),
                *self.sets.audited,
                *dict.fromkeys(entry for each in built for entry in each.paradigms),
                *(entry for item in self.sets.released.values() for entry in item.results),
                *self.models.sources(self.scorers.values()),
            ],
            foreign=self.descriptions != DESCRIPTIONS,
        )

    def _nulls(self) -> list[str]:
        values = (value for each in self.settings.collections for value in each.values or ())
        return [
            "chance",
            "shortest form",
            *(NULLS if self.sets.pairs else ()),
            *(f"always {value.lower()}" for value in dict.fromkeys(values)),
            *(f"fewest tokens of {self.system(model)}" for model in self.scorers),
        ]

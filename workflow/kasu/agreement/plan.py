"""The outputs of the agreement study for a config: datasets, models, predictions, tables."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple

from kasu.agreement.data.morphology import slots_of
from kasu.agreement.data.tasks import (
    BASELINES,
    LICENSED,
    NETWORKS,
    PROBED_SYSTEM,
    SUFFIX,
    VERB_NUMBER,
)
from kasu.agreement.data.transforms import BASE, OF_SUFFIXES, split_condition
from kasu.agreement.paths import PATHS
from kasu.agreement.probing import Probing
from kasu.agreement.runs import PAPER, STUDY, PredictionFile
from kasu.agreement.settings import AgreementSettings
from kasu.agreement.training_sets import TrainingSets
from kasu.base.errors import KasuError, nearest
from kasu.corpora.morphology.tagset import read_tagset
from kasu.corpora.plan import Corpora
from kasu.corpora.settings import AnalyserSettings
from kasu.results.paths import Paths
from kasu.results.study import DrawnFrom, StudyReport, captions_of

# The printed tables of each network; a table without its network is not built, but for those of
# FIRST if a task has nulls alone
FIRST = "bilstm"
FIGURES = {
    (VERB_NUMBER, "bilstm"): {"table_4": "Table 4"},
    (VERB_NUMBER, "lstm"): {"footnote_6": "footnote 6"},
    (SUFFIX, "bilstm"): {"table_5": "Table 5", "table_6": "Table 6"},
}
# The same, without a figure
FURTHER = {(SUFFIX, "bilstm"): {"table_2": "Table 2"}}
TABLES = {"section_5": "section 5", "section_6.1": "section 6.1", "section_7": "section 7"}
LANGUAGE = "eu"  # the claims are about Basque
SECTION = "config agreement"


class Cell(NamedTuple):
    """What one job trains: the networks of a system for a task, on a corpus under a condition."""

    task: str
    system: str
    condition: str
    corpus: str


class AgreementPlan:
    """The agreement study under a config's section `agreement`."""

    papers: tuple[str, ...] = (PAPER,)

    def __init__(self, settings: AgreementSettings, seeds: Sequence[int], corpora: Corpora) -> None:
        self.settings, self.seeds, self.corpora = settings, seeds, corpora
        self.paths = Paths(PATHS, corpora.workspace.results, STUDY)

    @cached_property
    def cells(self) -> dict[Cell, list[tuple[str, int]]]:
        """The variants and seeds of each cell: all lines of the grid."""
        cells: dict[Cell, list[tuple[str, int]]] = {}
        for line in self.settings.grid:
            models = product(line.variants or self.settings.variant, line.seeds or self.seeds)
            corpora = line.corpora or self.settings.corpora
            places = product([line.task], line.runs, line.conditions, corpora)
            for each, place in product(models, places):
                found = cells.setdefault(Cell(*place), [])
                if each not in found:
                    found.append(each)
        return cells

    def models(self, task: str, system: str, condition: str, corpus: str) -> list[tuple[str, int]]:
        """Return the variants and seeds of the networks of a cell.

        Raises:
            KasuError: the grid has no such cell.
        """
        cell = Cell(task, system, condition, corpus)
        if cell not in self.cells:
            names = map("/".join, self.cells)
            raise KasuError(
                f"{SECTION}.grid", f"no {'/'.join(cell)}", nearest("/".join(cell), names)
            )
        return self.cells[cell]

    @cached_property
    def training_sets(self) -> TrainingSets:
        """The training sets that the grid uses."""
        return TrainingSets(
            self.paths,
            self.settings.training_sets,
            self.main_corpus,
            ((cell.corpus, cell.condition) for cell in self.cells),
        )

    @cached_property
    def probing(self) -> Probing:
        """The probes of the networks of suffix prediction."""
        models = self.cells.get(Cell(SUFFIX, PROBED_SYSTEM, BASE, self.main_corpus), [])
        trained = list(dict.fromkeys(seed for _, seed in models))
        probes, workspace = self.settings.probes, self.corpora.workspace
        return Probing(probes, self.paths, self.main_corpus, trained, workspace)

    def variants(self, task: str, system: str, condition: str, corpus: str) -> list[str]:
        """Return the variants that the system of a cell runs on.

        Raises:
            KasuError: as `models`.
        """
        models = self.models(task, system, condition, corpus)
        return list(dict.fromkeys(variant for variant, _ in models))

    @property
    def systems(self) -> list[tuple[str, str]]:
        """The systems that run, each with its task."""
        return list(dict.fromkeys((cell.task, cell.system) for cell in self.cells))

    @property
    def networks(self) -> list[str]:
        """The systems that are trained."""
        return _of(NETWORKS, self.systems)

    @property
    def baselines(self) -> list[str]:
        """The systems that are not trained."""
        return _of(BASELINES, self.systems)

    @property
    def compared(self) -> dict[str, str]:
        """Printed tables that get a figure, by slug."""
        ran = {*self.systems}
        with_network = {task for task, system in FIGURES if (task, system) in ran}
        alone = {(task, FIRST) for task, _ in ran if task not in with_network}
        return _tables(FIGURES, alone | self._ran(self._shown))

    @property
    def printed(self) -> dict[str, str]:
        """Printed tables by slug."""
        further = _tables(FURTHER, self._ran([self.main_corpus]))
        return self.compared | further | self.probing.tables | TABLES

    @property
    def captions(self) -> dict[str, str]:
        """The caption of each printed table, by slug."""
        return captions_of(STUDY, self.printed)

    def _ran(self, corpora: Sequence[str]) -> set[tuple[str, str]]:
        """Return the systems that run on corpora, each with its task."""
        return {(cell.task, cell.system) for cell in self.cells if cell.corpus in corpora}

    @property
    def _shown(self) -> Sequence[str]:
        """The main corpus alone if it is the paper's, all corpora if it is not."""
        return self.settings.corpora if self.untestable else [self.main_corpus]

    @property
    def files(self) -> list[str]:
        """What the target `agreement` builds."""
        return [
            self.paths("scores"),
            *(self.paths("table", table=table) for table in self.printed),
            *self._curve.values(),
            *self.figures.values(),
        ]

    @property
    def figures(self) -> dict[str, str]:
        """Figures by slug of the table that they stand under."""
        compared = {table: self.paths("figure", table=table) for table in self.compared}
        drawn = self.shows_attractors
        attractors = {"section_6.1": self.paths("figure", table="attractors")} if drawn else {}
        curve = {"section_5": self.paths("figure", table="curve")} if self._curve else {}
        return compared | attractors | curve

    @property
    def shows_attractors(self) -> bool:
        """Whether there is a table of attractors: suffixes tell which words can be arguments."""
        return bool(self.answers) and self._has_suffixes

    @property
    def _has_suffixes(self) -> bool:
        tags = read_tagset(self.corpora.tagset(self.main_corpus))
        return bool(tags.suffixes) and any(slot in LICENSED for slot in slots_of(tags))

    @property
    def notices(self) -> list[str]:
        """What a user should know before the study runs."""
        if self._has_suffixes or not self.answers:
            return []
        return [
            "agreement: no table of attractors: it tells arguments by their suffixes, and "
            f"{self.corpora.tagset(self.main_corpus)} has none"
        ]

    @property
    def _curve(self) -> dict[str, str]:
        """The table of accuracy over the amount of text, by heading."""
        curve = {"Accuracy by amount of training text": self.paths("table", table="curve")}
        return curve if self.training_sets.curve else {}

    @property
    def curve_tables(self) -> list[str]:
        """The printed tables whose figures the curve has."""
        tables = ("table_4", "footnote_6", "table_6")
        return [self.paths("table", table=each) for each in tables if each in self.printed]

    def base_predictions(self, corpus: str) -> dict[str, str]:
        """Return the verb numbers predicted in a corpus, its sentences as they are, by system."""
        return {
            run.system: run.predictions
            for run in self.runs
            if (run.task, run.corpus, run.condition) == (VERB_NUMBER, corpus, BASE)
        }

    @property
    def answering(self) -> list[str]:
        """The systems of `base_predictions` in the main corpus."""
        return list(self.base_predictions(self.main_corpus))

    @property
    def answers(self) -> list[str]:
        """The files of `base_predictions` in the main corpus."""
        return list(self.base_predictions(self.main_corpus).values())

    @property
    def examples(self) -> DrawnFrom:
        """What examples are drawn from: test sets of the corpora shown, and what answered them."""
        answered = {name: self.base_predictions(name) for name in self._shown}
        files = {
            "test": [self.paths("test", corpus=name) for name in answered],
            "predictions": [path for paths in answered.values() for path in paths.values()],
        }
        corpora = [
            {
                "name": name,
                "language": self.corpora.get(name, SECTION).language,
                "systems": list(paths),
            }
            for name, paths in answered.items()
        ]
        return DrawnFrom(files, {"corpora": corpora})

    @property
    def warnings(self) -> DrawnFrom:
        """What warnings are found in: the predictions of both tasks."""
        runs = [run for run in self.runs if run.task in BASELINES]
        return DrawnFrom(
            {"predictions": [run.predictions for run in runs]},
            {"runs": [run._asdict() for run in runs]},
        )

    def sentences(self, corpus: str) -> str:
        """Return the sentences of a corpus."""
        return self.corpora.file(corpus, "sentences", SECTION)

    def analyses(self, corpus: str) -> str:
        """Return the analyses of a corpus."""
        return self.corpora.file(corpus, "analyses", SECTION)

    @property
    def analyser(self) -> AnalyserSettings:
        """The analyser of the main corpus."""
        return self.corpora.analyser(self.main_corpus)

    @property
    def dictionary(self) -> list[str]:
        """The dictionary that `analyser` reads."""
        return self.corpora.dictionary(self.main_corpus)

    @property
    def dataset_settings(self) -> dict[str, object]:
        """The settings that a dataset depends on, besides its corpus."""
        kept = {"split", "max_sentences", "length", "polite"}
        own = self.settings.model_dump(mode="json", include=kept)
        return {**own, **self.shown_settings, "seed": self.seeds[0]}

    @property
    def shown_settings(self) -> dict[str, object]:
        """The settings that decide how networks see the units of a sentence."""
        kept = {"variant", "suffix_reading", "suffix_source", "no_article"}
        return self.settings.model_dump(mode="json", include=kept)

    def training_settings(self, condition: str) -> dict[str, object]:
        """Return the settings of a training, with its condition."""
        return {**self.settings.training.dump(), "condition": condition}

    @cached_property
    def runs(self) -> list[PredictionFile]:
        """The predictions of each task, system, corpus and condition.

        Raises:
            KasuError: the config has no such corpus; a task or a condition is about suffixes, and
                the tagset of its corpus has none; a training set has other slots than the corpus
                that its networks are tested on; or networks cannot be probed as the config asks.
        """
        for name in self.settings.corpora:
            self.corpora.get(name, SECTION)
        for name, what in sorted(self._of_suffixes.items()):
            tagset = self.corpora.tagset(name)
            if not read_tagset(tagset).suffixes:
                found = f"{what} for corpus {name!r}, whose tagset {tagset} has no suffixes"
                raise KasuError(f"{SECTION}.grid", found, "other `corpora` in its line")
        for tested, name in self.training_sets.used:
            trained = self.training_sets.source(tested, name)
            slots, other = (
                ", ".join(slots_of(read_tagset(self.corpora.tagset(each))))
                for each in (tested, trained)
            )
            if slots != other:
                found = f"slots {other} in its corpus {trained!r}"
                expected = f"{slots}, as in {tested!r}, which its networks are tested on"
                raise KasuError(f"{SECTION}.training_sets {name}", found, expected)
        if self.probing.tables and self.probing.treebank:
            self.corpora.analyser(self.main_corpus)  # of the treebank's text
        return [
            PredictionFile(
                task,
                system,
                corpus,
                condition,
                self.paths(
                    "predictions", task=task, system=system, corpus=corpus, condition=condition
                ),
            )
            for task, system, condition, corpus in self.cells
        ] + self.probing.runs

    @property
    def _of_suffixes(self) -> dict[str, str]:
        """The first task or condition about suffixes, by corpus."""
        found: dict[str, str] = {}
        for cell in self.cells:
            shown, _ = split_condition(cell.condition)
            if cell.task == SUFFIX:
                found.setdefault(cell.corpus, f"task {SUFFIX}")
            elif set(shown.split("+")).intersection(OF_SUFFIXES):
                found.setdefault(cell.corpus, f"condition {shown}")
        return found

    @property
    def predictions(self) -> list[str]:
        """The files of all runs."""
        return [run.predictions for run in self.runs]

    @property
    def datasets(self) -> dict[str, str]:
        """The folder of each corpus's dataset."""
        return {
            name: str(Path(self.paths("counts", corpus=name)).parent)
            for name in self.settings.corpora
        }

    @property
    def dataset_files(self) -> list[str]:
        """The sizes and the test set of each corpus."""
        each = product(("counts", "test"), self.settings.corpora)
        return [self.paths(kind, corpus=name) for kind, name in each]

    @property
    def main_corpus(self) -> str:
        """The corpus that is compared with the published figures."""
        return self.settings.corpora[0]

    @property
    def untestable(self) -> str | None:
        """Why the main corpus cannot test the paper's claims, None if it can.

        Raises:
            KasuError: the config has no such corpus.
        """
        language = self.corpora.get(self.main_corpus, SECTION).language
        if language != LANGUAGE:
            return f"the language of the corpus is {language}, not {LANGUAGE}"
        if not any(each.entry.source for each in self.corpora.sources(self.main_corpus)):
            return "the corpus is of local files, the demo's or the user's own"
        return None

    @cached_property
    def report(self) -> StudyReport:
        """What the report shows of the study."""
        names = self.settings.corpora
        for name in names:
            self.corpora.get(name, SECTION)
        variants = {
            f"Labels that differ between variants: {name}": self.paths("variants", corpus=name)
            for name in names
        }
        by = "Accuracy by attractors, distance and number of verbs"
        attractors = {by: self.paths("table", table="attractors")} if self.shows_attractors else {}
        return StudyReport(
            name=STUDY,
            title="Agreement: can a recurrent network recover what the Basque verb agrees with?",
            citation="Ravfogel, Goldberg & Tyers (2018)",
            paper=PAPER,
            printed=self.printed,
            captions=self.captions,
            figures=self.figures,
            legends={
                "section_5": "accuracy and F1 over the amount of training text",
                "section_6.1": "accuracy by what stands between a verb and its argument",
            },
            counts=self._counted("counts"),
            drops=self._counted("drops"),
            details={
                "Claims of the paper": self.paths("table", table="claims"),
                "What printed accuracy and recall imply": self.paths("table", table="implied"),
                "Systems compared in pairs": self.paths("table", table="comparisons"),
                **attractors,
                **self._curve,
                **variants,
            },
            examples=self.paths("examples"),
            warnings=self.paths("warnings"),
            nulls=self.baselines,
            defaults={"": [self.settings.variant[0]]},
            sources=[
                *(each.entry for name in names for each in self.corpora.sources(name)),
                *self.probing.sources,
            ],
            readers=[file for name in names for file in self.corpora.treebank_files(name)],
            foreign=self.untestable is not None,
        )

    def _counted(self, kind: str) -> dict[str, str]:
        """Return counts or drops of all corpora, sources and datasets, by what was counted."""
        files: dict[str, str] = {}
        for name in self.settings.corpora:
            files |= self.corpora.reports(name, kind)
            files[f"dataset {name}"] = self.paths(kind, corpus=name)
        return files | self.probing.counted(kind) | self.training_sets.counted(kind)


def _of(kind: Mapping[str, Sequence[str]], systems: Sequence[tuple[str, str]]) -> list[str]:
    """List the systems of a kind among those that run."""
    return list(dict.fromkeys(system for task, system in systems if system in kind[task]))


def _tables(
    by_system: Mapping[tuple[str, str], Mapping[str, str]], ran: Collection[tuple[str, str]]
) -> dict[str, str]:
    """Return the tables of the systems that ran."""
    found = [tables for system, tables in by_system.items() if system in ran]
    return {slug: title for tables in found for slug, title in tables.items()}

"""The texts, the minimal pairs and the trained models of a config, and the paths of their files.

A text is a budget or the validation text. Texts and the main set of pairs have lemmatised twins:
a model trained on the twin of a budget is tested on the twin of the pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora
from kasu.lm.pretraining.recipes import complete, operations
from kasu.lm.pretraining.schedule import checkpoint_epochs
from kasu.pretraining.data.names import TWIN, name_system
from kasu.pretraining.settings import PairsSettings, PretrainingSettings
from kasu.results.paths import Paths
from kasu.sources.registry import Entry
from kasu.sources.workspace import Workspace

STUDY = "pretraining"
SECTION = f"config {STUDY}"
VALIDATION = "validation"
# Operations of a training that takes about a minute of one core; starting a job takes seconds
SMALL = 3e12


class Texts:
    """The texts of a config.

    Attributes:
        twins: endings of the names of texts: plain, and lemmatised if the config asks for it.
        names: the texts to train on: each budget, and its twin. None, if nothing is trained.
        drawn: words by budget, for budgets drawn from the study's corpus.
        taken: corpora by budget, or for the validation text, where whole corpora are taken.
    """

    def __init__(self, settings: PretrainingSettings, paths: Paths) -> None:
        self.paths = paths
        self.budgets = [budget.name for budget in settings.budgets]
        self.twins = ("", TWIN) if settings.has_twins else ("",)
        self.names = [f"{budget}{twin}" for budget in self.budgets for twin in self.twins]
        self.drawn = {each.name: each.words for each in settings.budgets if each.words}
        self.taken = {each.name: each.corpus for each in settings.budgets if each.corpus}
        if self.budgets and isinstance(settings.validation, str):
            self.taken[VALIDATION] = settings.validation

    @property
    def plain(self) -> list[str]:
        """The texts to train on that are no twins."""
        return [name for name in self.names if not name.endswith(TWIN)]

    @property
    def lemmatised(self) -> list[str]:
        """The texts to train on that are lemmatised twins."""
        return [name for name in self.names if name.endswith(TWIN)]

    @property
    def tables(self) -> list[str]:
        """Every text without its twin, as a path under the study's folder."""
        validation = [VALIDATION] if self.budgets else []
        return [f"corpora/{name}" for name in (*self.budgets, *validation)]

    def file(self, text: str) -> str:
        """Return the parquet of a text or of a twin."""
        return self.paths("text", text=text)

    def validation(self, text: str) -> str:
        """Return the validation text of a text or of a twin."""
        return self.file(f"{VALIDATION}{TWIN if text.endswith(TWIN) else ''}")

    def counts(self) -> dict[str, str]:
        """Return the counts of the texts, by what was counted."""
        drawn = {"text by budget": self.paths("budgets_counts")} if self.drawn else {}
        taken = {f"text {name}": self.paths("text_counts", text=name) for name in self.taken}
        return drawn | taken

    def drops(self) -> dict[str, str]:
        """Return the drops of drawn budgets; whole corpora leave out nothing."""
        return {"text by budget": self.paths("budgets_drops")} if self.drawn else {}


class PairSets:
    """The sets of minimal pairs of a config.

    Attributes:
        main: the set that the tables are about.
        segmented: the main set as its authors segmented it; only twins are tested on these.
        left_out: segmented sets of a config without twins, which nothing reads.
        reordered: sets with a second word order.
        further: all other sets, each with a table of its own.
    """

    def __init__(
        self,
        settings: Sequence[PairsSettings],
        paths: Paths,
        workspace: Workspace,
        *,
        twins: bool = True,
    ) -> None:
        self.paths, self._workspace = paths, workspace
        self.left_out = [pairs.name for pairs in settings if pairs.segmented and not twins]
        settings = [pairs for pairs in settings if pairs.name not in self.left_out]
        self.settings = {pairs.name: pairs for pairs in settings}
        self.main = settings[0].name
        self.segmented = [pairs.name for pairs in settings if pairs.segmented]
        self.reordered = [pairs.name for pairs in settings if pairs.reordered]
        others = (self.main, *self.segmented, *self.reordered)
        self.further = [pairs.name for pairs in settings if pairs.name not in others]

    @property
    def plain(self) -> list[str]:
        """The sets on which models of plain text are tested."""
        return [name for name in self.settings if name not in self.segmented]

    @property
    def lemmatised(self) -> list[str]:
        """The sets on which models of lemmatised text are tested."""
        return [f"{self.main}{TWIN}", *self.segmented]

    @property
    def scored(self) -> list[str]:
        """All sets, and the twin of the main set."""
        return [*self.settings, f"{self.main}{TWIN}"]

    def file(self, name: str) -> str:
        """Return the parquet of a set or of a twin."""
        return self.paths("pairs", pairs=name)

    def get(self, pairs: str) -> PairsSettings:
        """Return the settings of a set."""
        return self.settings[pairs]

    def source(self, pairs: str) -> Entry:
        """Return the source of a set.

        Raises:
            KasuError: one of its sources is unknown.
        """
        where = f"{SECTION}.pairs {pairs}"
        return self._workspace.resolve_first(self.settings[pairs].sources, where)

    def for_text(self, text: str) -> list[str]:
        """List the sets on which the models of a text are tested."""
        return self.lemmatised if text.endswith(TWIN) else self.plain

    def variant(self, name: str) -> str:
        """Return the variant of a set in the scores: empty for the main set and its twin."""
        if name in (self.main, f"{self.main}{TWIN}"):
            return ""
        return self.settings[name].segmented or name

    def reports(self, kind: str) -> dict[str, str]:
        """Return counts or drops of each set, by what was counted."""
        return {f"pairs {name}": self.paths(f"pairs_{kind}", pairs=name) for name in self.settings}


@dataclass(frozen=True)
class System:
    """A model to train, with every seed.

    Attributes:
        name: as in the paper: `BERT8L-eu5M-lemma`.
        text: what it is trained on: `5M-lemma`.
        settings: of its training.
    """

    name: str
    text: str
    epochs: int
    settings: dict[str, object]

    @property
    def slug(self) -> str:
        """The name in paths."""
        return self.name.lower()

    @property
    def checkpoints(self) -> list[int]:
        """The epochs after which a checkpoint is saved."""
        return checkpoint_epochs(self.epochs)


class Systems:
    """The models that a config trains: every size on every text; none without budgets."""

    def __init__(self, settings: PretrainingSettings, paths: Paths, corpora: Corpora) -> None:
        self.paths, self._settings, self._corpora = paths, settings, corpora

    @cached_property
    def by_slug(self) -> dict[str, System]:
        """The models by their names in paths.

        Raises:
            KasuError: there is no such corpus, whose language is part of a name.
        """
        settings = self._settings
        if settings.corpus is None:
            return {}
        language = self._corpora.get(settings.corpus, SECTION).language
        systems = [
            System(
                name_system(size.layers, language, f"{budget.name}{twin}"),
                f"{budget.name}{twin}",
                budget.epochs,
                {
                    **settings.training.dump(),
                    "layers": size.layers,
                    "hidden": size.hidden,
                    "epochs": budget.epochs,
                    "steps_per_epoch": budget.steps_per_epoch,
                },
            )
            for size in settings.models
            for budget in settings.budgets
            for twin in (("", TWIN) if settings.twins and size.twins else ("",))
        ]
        return {system.slug: system for system in systems}

    @cached_property
    def small(self) -> list[str]:
        """The names in paths of the models that train in a minute or so, on one device.

        One job trains all of them, and one scores them.

        Raises:
            KasuError: as `by_slug`, or a setting of the training is wrong.
        """
        if self._settings.gpus > 1:
            return []
        return [slug for slug, system in self.by_slug.items() if self._work(system) <= SMALL]

    def _work(self, system: System) -> float:
        settings = complete(system.settings)
        tokens = settings["steps"] * settings["tokens_per_batch"]
        return tokens * operations(settings, self._settings.vocabulary, guesses=1)

    @property
    def large(self) -> list[str]:
        """The names in paths of the other models, each with jobs of its own (raises as `small`)."""
        return [slug for slug in self.by_slug if slug not in self.small]

    @property
    def small_trainings(self) -> dict[str, list[dict[str, object]]]:
        """The jobs of each small model and seed, by name, in the order of their checkpoints.

        The facts are those of `kasu.lm.pretraining.pretrain.CheckpointJob`.
        """
        return {
            f"{slug}-{seed}": [
                {
                    "tokens": self.tokens(slug),
                    "validation": self.validation(slug),
                    "tokenizer": self.tokenizer(slug),
                    "model": self.checkpoint(slug, seed, epoch),
                    "state": self.paths("state", system=slug, seed=seed, epoch=epoch),
                    "history": self.paths("history", system=slug, seed=seed, epoch=epoch),
                    "epoch": epoch,
                    "settings": self.get(slug).settings,
                    "seed": seed,
                }
                for epoch in self.get(slug).checkpoints
            ]
            for slug in self.small
            for seed in self._settings.seeds
        }

    def of_small(self, key: str) -> list[str]:
        """Return the paths of `small_trainings` under this key, each once."""
        jobs = (job for jobs in self.small_trainings.values() for job in jobs)
        return list(dict.fromkeys(str(job[key]) for job in jobs))

    @property
    def small_streams(self) -> list[str]:
        """The encoded texts of small models, with their validation texts."""
        return [*self.of_small("tokens"), *self.of_small("validation")]

    def get(self, system: str) -> System:
        """Return the model with a name in paths.

        Raises:
            KasuError: there is none.
        """
        if system not in self.by_slug:
            known = f"one of {', '.join(self.by_slug)}" if self.by_slug else "budgets to train on"
            raise KasuError(SECTION, f"model {system!r}", known)
        return self.by_slug[system]

    def previous_state(self, system: str, seed: str, epoch: str) -> list[str]:
        """Return the state that training to a checkpoint starts from; none for the first one."""
        earlier = [each for each in self.get(system).checkpoints if each < int(epoch)]
        return [self.paths("state", system=system, seed=seed, epoch=each) for each in earlier[-1:]]

    def tokens(self, system: str) -> str:
        """Return the encoded text of a model."""
        return self.paths("tokens", text=self.get(system).text, part="train")

    def validation(self, system: str) -> str:
        """Return the encoded validation text of a model."""
        return self.paths("tokens", text=self.get(system).text, part="validation")

    def tokenizer(self, system: str) -> str:
        """Return the folder of a model's tokenizer."""
        return self.paths("tokenizer", text=self.get(system).text)

    def checkpoint(self, system: str, seed: int | str, epoch: int | str) -> str:
        """Return the model of a checkpoint."""
        return self.paths("model", system=system, seed=seed, epoch=epoch)

    def model(self, system: System) -> str:
        """Return the last checkpoint of a model with the first seed."""
        return self.checkpoint(system.slug, self._settings.seeds[0], system.epochs)

    def histories(self, system: System) -> dict[int, str]:
        """Return the losses of a model up to its last checkpoint, by seed."""
        return {
            seed: self.paths("history", system=system.slug, seed=seed, epoch=system.epochs)
            for seed in self._settings.seeds
        }

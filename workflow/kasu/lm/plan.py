"""The language models of a config: which there are, where each lies, and how it is made."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError, nearest
from kasu.base.paths import exists, lies_in
from kasu.corpora.plan import Corpora
from kasu.lm import MASKED
from kasu.lm.models.folders import (
    contradicts,
    expect_model,
    find_kind,
    kind_of,
    model_name,
    read_config,
)
from kasu.lm.models.hub import HUB, model_path
from kasu.lm.paths import PATHS
from kasu.lm.settings import ModelSettings, TrainingSettings
from kasu.results.paths import Paths
from kasu.sources.registry import Entry, Source
from kasu.sources.workspace import Workspace

_EXPECTED = "a folder, or a name of `models`"


class Trained(NamedTuple):
    """A model that a study trains: its folder, and the parquet with its training text."""

    folder: str
    text: str


class Models:
    """The models that studies may name: the config's `models`, and those that a study trains.

    Args:
        models: the config's `models`.
        trained: returns the models that a study trains, by name. It is called only for a name that
            is not among `models`.
    """

    def __init__(
        self,
        models: Sequence[ModelSettings],
        workspace: Workspace,
        trained: Callable[[], Mapping[str, Trained]] = dict,
    ) -> None:
        self.workspace, self.paths = workspace, Paths(PATHS, workspace.results)
        self._models = {model.name: model for model in models}
        self._trained = trained

    def folder(self, name: str, section: str) -> str:
        """Return the folder of a model: of the config, trained by a study, or the user's own.

        Args:
            section: where the model is named, for messages: `config blm encoder`.

        Raises:
            KasuError: there is no such model (names the section), the folder has no model that can
                be loaded, or the folder of all outputs lies in it.
        """
        if model := self._models.get(name):
            if path := _hub_path(model):
                return f"{self.workspace.downloads}/{path}"
            if model.folder is None:
                return self.paths("model", model=name)
            section = f"config models {name}"
        elif not self._is_folder(name):
            trained = self._trained()
            if name in trained:
                return trained[name].folder
            known = [*self._models, *trained]
            expected = f"{nearest(name, known)} or a folder" if known else _EXPECTED
            raise KasuError(section, f"model {name!r}: no such model", expected)
        folder = self._own(name) or name
        if not (model or exists(folder)):
            raise KasuError(section, f"{name}: no such folder", _EXPECTED)
        if lies_in(self.workspace.results, folder):
            found = f"{self.workspace.results} lies in the model {folder}"
            raise KasuError("config results", found, "a folder of its own")
        try:
            expect_model(folder)
        except KasuError as error:
            raise KasuError(section, str(error)) from error
        if model and model.kind:
            self.kind(name)
        return folder

    def _own(self, name: str) -> str | None:
        """Return the folder of a model of the user's own; None for another."""
        model = self._models.get(name)
        folder = model.folder if model else name if self._is_folder(name) else None
        return folder and str(Path(folder))  # Snakemake wants no `./`

    def _is_folder(self, name: str) -> bool:
        """Return whether a name that is none of the config's `models` is a folder's."""
        return "/" in name or (exists(name) and name not in self._trained())

    def beside(self, folder: str | Sequence[str]) -> list[str]:
        """Return a file that the job which makes or fetches the folder of a model writes beside it.

        Snakemake does not compare the contents of folders; this file tells it that a job of the
        same run makes the folder anew. Empty for a folder of the user's own, or without a folder.
        """
        if not isinstance(folder, str):
            return []
        if folder.startswith(f"{self.workspace.downloads}/"):
            return [f"{folder}.lock"]
        history = Path(folder).with_name("history.tsv")
        made = folder.startswith(f"{self.workspace.results}/")
        # A folder of the user's own may lie among the results, and then is there
        return [str(history)] if made and (history.exists() or not Path(folder).exists()) else []

    @property
    def hub_paths(self) -> list[str]:
        """The paths of the models of a hub, below the downloads."""
        return list(dict.fromkeys(filter(None, map(_hub_path, self._models.values()))))

    def fetched(self, path: str) -> ModelSettings:
        """Return how the model of a hub path is fetched.

        Raises:
            KasuError: two models of the config lie there and differ in their files or code.
        """
        first, *others = (model for model in self._models.values() if _hub_path(model) == path)
        for other in others:
            if (other.files, other.remote_code) != (first.files, first.remote_code):
                found = f"{first.name!r} and {other.name!r} are one model with other files or code"
                raise KasuError("config models", found, "the same `files` and `remote_code`")
        return first

    @property
    def pretrained(self) -> list[str]:
        """The names of the config's models that are trained on a corpus."""
        return [model.name for model in self._models.values() if model.corpus]

    def training(self, model: str) -> TrainingSettings:
        """Return how a model of the config is trained."""
        settings = self._models[model].training
        if settings is None:
            raise ValueError(f"model {model!r} is not trained here")
        return settings

    def training_text(self, name: str, corpora: Corpora) -> str | None:
        """Return the sentences that a model was trained on; None for a model trained elsewhere.

        Raises:
            KasuError: its corpus does not exist.
        """
        if model := self._models.get(name):
            corpus = model.corpus
            return corpus and corpora.file(corpus, "sentences", f"config models {name}")
        trained = self._trained().get(name)
        return trained and trained.text

    def get(self, name: str) -> ModelSettings | None:
        """Return the entry of the config's `models`; None for a model from elsewhere."""
        return self._models.get(name)

    def kind(self, name: str) -> str:
        """Return whether a model is MASKED or CAUSAL: as its own configuration says, or as stated.

        A model of a hub that neither the downloads nor a mirror hold is what the config states, or
        MASKED; its configuration is read once it has landed. What is trained here is MASKED.

        Raises:
            KasuError: its configuration contradicts what is stated, or the network in a folder of
                the user's own is neither.
        """
        model, folder = self.get(name), self._at_hand(name)
        stated = model.kind if model else None
        if folder is None or (model and model.remote_code):
            return stated or MASKED
        if stated is None:
            return kind_of(folder) if self._own(name) else find_kind(read_config(folder)) or MASKED
        config = read_config(folder)
        if contradicts(config, stated):
            found = f"kind {stated!r} of a {config.get('model_type')} network, {find_kind(config)}"
            raise KasuError(f"config models {name}", found, "the kind in config.json, or no `kind`")
        return stated

    def _at_hand(self, name: str) -> str | None:
        """Return where the configuration of a model from elsewhere can be read; None if nowhere."""
        if own := self._own(name):
            return own
        model = self.get(name)
        path = model and _hub_path(model)
        if not path:
            return None
        landed = self.workspace.downloads / path
        places = [landed, *(mirror / path for mirror in self.workspace.mirrors)]
        return next((str(each) for each in places if exists(each / "config.json")), None)

    def hub_id(self, name: str) -> str | None:
        """Return the id of a model of a hub; None for another."""
        model = self.get(name)
        return model.id if model else None

    def loading(self, name: str) -> dict[str, str | bool | None]:
        """Return how the config lets a model be loaded.

        `remote_code` is the revision whose own code may run, `untrained` whether weights that the
        checkpoint lacks are made random (see `kasu.lm.models.loading.load_parts`).
        """
        model = self.get(name)
        return {
            "remote_code": model.revision if model and model.remote_code else None,
            "untrained": bool(model and model.untrained),
        }

    def system(self, name: str, printed: Mapping[str, str]) -> str:
        """Return the name of a model in tables, which says so if it is untrained.

        Args:
            printed: a paper's names of models, by their ids on the hub.
        """
        model = self.get(name)
        system = printed.get((model and model.id) or "", model_name(name))
        return f"{system} (untrained)" if model and model.untrained else system

    def sources(self, names: Iterable[str]) -> list[Entry]:
        """Return the sources of the models that are not trained here, each once."""
        return [
            self._source(name)
            for name in dict.fromkeys(names)
            if self.hub_id(name) or self._own(name)
        ]

    def _source(self, name: str) -> Entry:
        if own := self._own(name):
            model = self.get(name)
            licence = (model and model.licence) or ""
            return Entry(model_name(name), Path(own), None, own_licence=licence, is_model=True)
        model, folder = self._models[name], Path(self.folder(name, "config models"))
        source = Source(
            name=f"{model.id}@{model.revision}",
            path=str(folder.relative_to(self.workspace.downloads)),
            url=f"{HUB}/{model.id}",
            licence=model.licence or "",
            citation=f"{HUB}/{model.id}",
        )
        return Entry(name, folder, source, is_model=True)


def _hub_path(model: ModelSettings) -> str | None:
    """Return where a model of a hub lies below the downloads; None for another."""
    return model_path(model.id, model.revision) if model.id and model.revision else None

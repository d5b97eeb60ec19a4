"""What language models exist for a config, and where the folder of each one lies."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.sources import Entry, Source
from kasu.base.workspace import Workspace
from kasu.lm.models.hub import HUB, model_path
from kasu.lm.settings import ModelSettings


class Models:
    """The models that studies may name: those of the config's `models`, and those that it trains.

    Args:
        models: the config's `models`.
        trained: gives, by name, the folder of each model that a study trains. Called when a name is
            not among `models`.
    """

    def __init__(
        self,
        models: Sequence[ModelSettings],
        workspace: Workspace,
        trained: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self.workspace = workspace
        self._models = {model.name: model for model in models}
        self._trained = trained

    def folder(self, name: str, section: str) -> str:
        """Where a model lies: of the config, trained by a study, or a folder of the user's own.

        Raises:
            KasuError: there is no such model (names the section of the config that asked).
        """
        if model := self._models.get(name):
            if model.id and model.revision:
                return f"{self.workspace.downloads}/{model_path(model.id, model.revision)}"
            return f"{self.workspace.results}/models/{name}/model"
        trained = self._trained()
        if name in trained:
            return trained[name]
        if Path(name).is_dir():
            return name
        known = ", ".join([*self._models, *trained]) or "none"
        raise KasuError(section, f"model {name!r}: no such model", f"one of {known} or a folder")

    def get(self, name: str) -> ModelSettings | None:
        """The entry of the config's `models`; None for a model from elsewhere."""
        return self._models.get(name)

    def kind(self, name: str) -> str:
        """Whether a model is masked or causal."""
        model = self.get(name)
        return model.kind if model else "masked"

    def hub_id(self, name: str) -> str | None:
        """The id of a model of a hub; None for another."""
        model = self.get(name)
        return model.id if model else None

    def remote_code(self, name: str) -> str | None:
        """The revision of a model whose own code may run, if the config lets it."""
        model = self.get(name)
        return model.revision if model and model.remote_code else None

    def sources(self, names: Iterable[str]) -> list[Entry]:
        """The sources of models, those that come from a hub, each once."""
        return [self._source(name) for name in dict.fromkeys(names) if self.hub_id(name)]

    def _source(self, name: str) -> Entry:
        """A model of a hub as a source; its lock says what was checked."""
        model, folder = self._models[name], Path(self.folder(name, "config models"))
        source = Source(
            name=f"{model.id}@{model.revision}",
            path=str(folder.relative_to(self.workspace.downloads)),
            url=f"{HUB}/{model.id}",
            licence=model.licence or "",
            citation=f"{HUB}/{model.id}",
        )
        return Entry(name, folder, source)

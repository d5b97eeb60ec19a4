"""Predict a test set with trained models."""

import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from safetensors import SafetensorError, safe_open

from kasu.agreement.models.encoding import Vocabularies, read_sentences
from kasu.agreement.models.learners import LEARNERS, Data, Network, draw_network
from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.files.tables import ParquetWriter, landing
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.vocabulary import Vocabulary


def predict(
    test: str | Path,
    model: str | Path,
    vocabulary: str | Path,
    predictions: str | Path,
    *,
    device: str,
) -> None:
    """Write the predictions of every variant and seed in a model file.

    The rows are PREDICTIONS or, if that is the task, SUFFIX_PREDICTIONS.

    Raises:
        KasuError: the device is unknown, or model and vocabulary are unreadable or do not belong
            together.
    """
    where = pick_device(device)
    models = Models(model, vocabulary)
    learner, size = models.learner, models.settings["batch_size"]
    make_deterministic(models.settings["threads"])
    with landing(predictions) as part, ParquetWriter(part, learner.schema) as writer:
        for variant, seeds in models.seeds:
            data = models.read(test, variant)
            network = models.draw(variant, seeds[0]).to(where)
            for seed in seeds:
                models.load(network, variant, seed)
                logp = learner.log_probabilities(network, data, size, where)
                writer.write(learner.table(data.sentences, logp, variant, seed))


class Models:
    """The networks that one job has trained, in a file, and the vocabularies of their variants.

    Attributes:
        task, system, settings: of the networks.
        seeds: each variant with its seeds.

    Raises:
        KasuError: model or vocabulary is unreadable.
    """

    def __init__(self, model: str | Path, vocabulary: str | Path) -> None:
        self._symbols, self._path = _read_vocabulary(vocabulary), vocabulary
        self._file = _open_model(model)
        facts = json.loads(self._file.metadata()["kasu"])
        self.settings, self.task, self.system = facts["settings"], facts["task"], facts["system"]
        self.seeds = by_variant(facts["models"])
        self.learner = LEARNERS[self.task]

    def vocabularies(self, variant: str) -> Vocabularies:
        """Return the vocabularies of a variant."""
        symbols = self._symbols[variant]
        return Vocabularies(*(Vocabulary(symbols[name]) for name in Vocabularies._fields))

    def read(self, dataset: str | Path, variant: str) -> Data:
        """Read a dataset as the networks of a variant do."""
        sentences = read_sentences(dataset, variant, self.settings["condition"], self.task)
        known = self.vocabularies(variant)
        return self.learner.encode(sentences, known, self.settings, self.system)

    def draw(self, variant: str, seed: int) -> Network:
        """Draw a network with the weights that its training starts from."""
        sizes = self.vocabularies(variant).sizes()
        return draw_network((self.task, self.system), self.settings, sizes, variant, seed)

    def load(self, network: Network, variant: str, seed: int) -> None:
        """Give a network the weights that it has after its training.

        Raises:
            KasuError: they do not fit the vocabularies.
        """
        prefix = f"{variant}/{seed}/"
        weights = {name: self._file.get_tensor(prefix + name) for name in network.state_dict()}
        try:
            network.load_state_dict(weights)
        except RuntimeError as error:
            reraise_limit(error)
            found = "other sizes than the model"
            raise KasuError(self._path, found, "the model's own") from error


def by_variant(models: Iterable[Sequence]) -> list[tuple[str, list[int]]]:
    """Group variant and seed of models by variant, both sorted."""
    pairs = sorted(map(tuple, models))
    return [
        (variant, [seed for _, seed in group])
        for variant, group in itertools.groupby(pairs, key=lambda pair: pair[0])
    ]


def _read_vocabulary(path: str | Path) -> dict[str, dict[str, list[str]]]:
    try:
        return json.loads(Path(path).read_text("utf-8"))
    except ValueError as error:
        raise KasuError(path, f"no vocabulary ({error})") from error


def _open_model(path: str | Path) -> safe_open:
    try:
        return safe_open(path, "pt")
    except SafetensorError as error:
        reraise_limit(error)
        raise KasuError(path, f"no model ({error})") from error

"""Predict a test set with trained models."""

import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from safetensors import SafetensorError, safe_open

from kasu.agreement.models.encoding import Vocabularies, read_sentences
from kasu.agreement.models.learners import LEARNERS, Network
from kasu.base.errors import KasuError
from kasu.base.tables import ParquetWriter, landing
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

    They are PREDICTIONS, or SUFFIX_PREDICTIONS, as the task of the models has it.

    Raises:
        KasuError: the device is unknown, or model and vocabulary are unreadable or do not belong
            together.
    """
    where = pick_device(device)
    symbols = _read_vocabulary(vocabulary)
    with _open_model(model) as file, landing(predictions) as part:
        facts = json.loads(file.metadata()["kasu"])
        settings, task, system = facts["settings"], facts["task"], facts["system"]
        learner = LEARNERS[task]
        make_deterministic(settings["threads"])
        with ParquetWriter(part, learner.schema) as writer:
            for variant, seeds in by_variant(facts["models"]):
                vocabularies = Vocabularies(
                    *(Vocabulary(symbols[variant][name]) for name in Vocabularies._fields)
                )
                sentences = read_sentences(test, variant, settings["condition"], task)
                data = learner.encode(sentences, vocabularies, settings, system)
                network = learner.network(vocabularies.sizes(), settings, system).to(where)
                for seed in seeds:
                    _load_weights(network, file, f"{variant}/{seed}/", vocabulary)
                    size = settings["batch_size"]
                    logp = learner.log_probabilities(network, data, size, where)
                    writer.write(learner.table(sentences, logp, variant, seed))


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
        raise KasuError(path, f"no model ({error})") from error


def _load_weights(network: Network, file: safe_open, prefix: str, vocabulary: str | Path) -> None:
    weights = {name: file.get_tensor(prefix + name) for name in network.state_dict()}
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise KasuError(vocabulary, "other sizes than the model", "the model's own") from error

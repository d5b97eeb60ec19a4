"""Predict a test set with trained verb number models."""

import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open

from kasu.agreement.data.labels import LABELS, SLOTS
from kasu.agreement.models.encoding import Encoded, Vocabularies, read_sentences
from kasu.agreement.models.networks import BIDIRECTIONAL, VerbNumberModel
from kasu.agreement.models.predictions import PREDICTIONS, prediction_table
from kasu.base.errors import KasuError
from kasu.base.tables import ParquetWriter, landing
from kasu.neural.batching import length_batches
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.vocabulary import Vocabulary


@torch.inference_mode()
def log_probabilities(
    network: VerbNumberModel, data: Encoded, batch_size: int, device: torch.device
) -> np.ndarray:
    """Compute natural log probabilities (sentences, slots, labels), in order of the sentences."""
    network.eval()
    logp = np.empty((len(data), len(SLOTS), len(LABELS)), np.float32)
    for rows in length_batches(data.lengths, batch_size, None):
        logp[rows] = network(data.batch(rows, device)).log_softmax(dim=2).cpu().numpy()
    return logp


def predict(
    test: str | Path,
    model: str | Path,
    vocabulary: str | Path,
    predictions: str | Path,
    *,
    device: str,
) -> None:
    """Write the PREDICTIONS of every variant and seed in a model file.

    Raises:
        KasuError: the device is unknown, or model and vocabulary are unreadable or do not belong
            together.
    """
    where = pick_device(device)
    symbols = _read_vocabulary(vocabulary)
    with (
        _open_model(model) as file,
        landing(predictions) as part,
        ParquetWriter(part, PREDICTIONS) as writer,
    ):
        facts = json.loads(file.metadata()["kasu"])
        settings, bidirectional = facts["settings"], BIDIRECTIONAL[facts["system"]]
        make_deterministic(settings["threads"])
        for variant, seeds in by_variant(facts["models"]):
            vocabularies = Vocabularies(
                *(Vocabulary(symbols[variant][name]) for name in Vocabularies._fields)
            )
            sentences = read_sentences(test, variant, settings["condition"])
            data = Encoded(sentences, vocabularies, settings, bidirectional)
            network = VerbNumberModel(vocabularies.sizes(), settings, bidirectional).to(where)
            for seed in seeds:
                _load_weights(network, file, f"{variant}/{seed}/", vocabulary)
                logp = log_probabilities(network, data, settings["batch_size"], where)
                best = logp.argmax(axis=2)
                writer.write(
                    prediction_table(sentences.items, sentences.gold, best, variant, seed, logp)
                )


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


def _load_weights(
    network: VerbNumberModel, file: safe_open, prefix: str, vocabulary: str | Path
) -> None:
    weights = {name: file.get_tensor(prefix + name) for name in network.state_dict()}
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise KasuError(vocabulary, "other sizes than the model", "the model's own") from error

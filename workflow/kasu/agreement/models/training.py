"""Train the verb number models of one system (BASQUE-9, BASQUE-10)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from kasu.agreement.data.labels import SLOTS
from kasu.agreement.models.encoding import Encoded, count_vocabularies, read_sentences
from kasu.agreement.models.inference import log_probabilities
from kasu.agreement.models.networks import BIDIRECTIONAL, VerbNumberModel
from kasu.base.run import Progress, log, seed_of
from kasu.base.tables import file_hash, landing, write_text, write_tsv
from kasu.neural.batching import length_batches
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.resume import Work
from kasu.neural.training import History, Weights, best_epoch, fit

HISTORY = (
    "variant",
    "seed",
    "epoch",
    "train_loss",
    "validation_loss",
    *(f"accuracy_{slot}" for slot in SLOTS),
    "score",
    "best",
)


def train_models(
    train: str | Path,
    validation: str | Path,
    model: str | Path,
    vocabulary: str | Path,
    history: str | Path,
    work: str | Path,
    *,
    system: str,
    variants: Sequence[str],
    seeds: Sequence[int],
    settings: Mapping,
    device: str,
    code: str,
) -> None:
    """Train a model for each variant and seed, one after another.

    Args:
        train, validation: datasets of verb number.
        model: safetensors; tensors are named `<variant>/<seed>/<weight>`, metadata is JSON under
            `kasu` (system, settings, models, sha256 of the data).
        vocabulary: JSON, for each variant the symbols of `token`, `lemma`, `ngram` from number 1.
        history: TSV, a row an epoch (HISTORY); `best` is 1 for the epoch whose weights are kept.
        work: folder of the resume state, removed at the end.
        system: a key of BIDIRECTIONAL.
        settings: the model's and the training's facts, as the config states them.
        code: hash of the code; with config and data it decides whether a state may be resumed.

    Raises:
        KasuError: no such device, a dataset that does not hold what it should, a loss that is no
            finite number.
    """
    where = pick_device(device)
    make_deterministic(settings["threads"])
    # How often the state is kept changes no result.
    facts = {key: value for key, value in settings.items() if key != "checkpoint_every"}
    made_of = {
        "system": system,
        "settings": facts,
        "data": {"train": file_hash(train), "validation": file_hash(validation)},
    }
    runs_on = {"code": code, "device": where.type, "torch": torch.__version__}
    state = Work(work, made_of | runs_on, settings["checkpoint_every"])
    tensors: Weights = {}
    symbols, rows = {}, []
    for variant in variants:
        task = _Task(train, validation, variant, system, settings, where)
        symbols[variant] = task.known.symbols()
        for seed in seeds:
            best, epochs = task.train(seed, state)
            tensors |= {f"{variant}/{seed}/{name}": weight for name, weight in best.items()}
            rows += _history_rows(variant, seed, epochs)
    models = [[variant, seed] for variant in variants for seed in seeds]
    _write_model(model, tensors, made_of | {"models": models})
    write_text(vocabulary, json.dumps(symbols, ensure_ascii=False))
    write_tsv(history, rows, HISTORY)
    state.remove()


class _Task:
    """The data of one variant, and how to train on it."""

    def __init__(
        self,
        train: str | Path,
        validation: str | Path,
        variant: str,
        system: str,
        settings: Mapping,
        device: torch.device,
    ) -> None:
        self.variant, self.system, self.settings = variant, system, settings
        self.device, self.bidirectional = device, BIDIRECTIONAL[system]
        sentences, held_out = (
            read_sentences(path, variant, settings["keep_verb_lemma"])
            for path in (train, validation)
        )
        self.known = count_vocabularies(sentences, settings)
        self.data, self.held_out = (
            Encoded(each, self.known, settings, self.bidirectional)
            for each in (sentences, held_out)
        )

    def train(self, seed: int, work: Work) -> tuple[Weights, History]:
        name = f"{self.system}-{self.variant}-{seed}"
        settings, data, size = self.settings, self.data, self.settings["batch_size"]
        seeded = (seed, self.variant, self.system)
        torch.manual_seed(seed_of(*seeded))
        network = VerbNumberModel(self.known.sizes(), settings, self.bidirectional).to(self.device)
        words = data.count_words(np.arange(len(data)))
        rows = f"{len(data)} sentences, {words} words, embedding rows {self.known.sizes()}"
        log.info("%s: %s, on %s", name, rows, self.device)
        progress = Progress(name, words * settings["epochs"], "word")
        return fit(
            network,
            lambda epoch: length_batches(data.lengths, size, seed_of(*seeded, epoch)),
            lambda rows: network.loss(data.batch(rows, self.device)),
            lambda: self._measure(network),
            name=name,
            epochs=settings["epochs"],
            patience=settings["patience"],
            learning_rate=settings["learning_rate"],
            work=work,
            after_step=lambda rows: progress.add(data.count_words(rows)),
        )

    def _measure(self, network: VerbNumberModel) -> dict[str, float]:
        size = self.settings["batch_size"]
        logp = log_probabilities(network, self.held_out, size, self.device)
        return measure(logp, self.held_out.sentences.gold)


def measure(logp: np.ndarray, gold: np.ndarray) -> dict[str, float]:
    """Loss (nats a sentence), accuracy of each slot, and their mean, the score (BASQUE-10).

    Args:
        logp: (sentences, slots, labels) natural logarithms.
        gold: (sentences, slots) numbers of LABELS.
    """
    right = np.take_along_axis(logp, gold[:, :, None], axis=2).astype(np.float64)
    accuracy = (logp.argmax(axis=2) == gold).mean(axis=0)
    return {
        "validation_loss": float(-right.sum(axis=(1, 2)).mean()),
        **{f"accuracy_{slot}": float(share) for slot, share in zip(SLOTS, accuracy, strict=True)},
        "score": float(accuracy.mean()),
    }


def _history_rows(variant: str, seed: int, epochs: History) -> list[dict[str, object]]:
    kept = best_epoch(epochs)
    return [
        {"variant": variant, "seed": seed, **row, "best": int(row["epoch"] == kept)}
        for row in epochs
    ]


def _write_model(path: str | Path, tensors: Weights, facts: Mapping[str, object]) -> None:
    # One metadata key: the format does not keep an order of several.
    with landing(path) as part:
        save_file(tensors, part, {"kasu": json.dumps(facts, sort_keys=True)})

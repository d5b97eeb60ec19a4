"""Train the models of one task and system (BASQUE-9, BASQUE-10)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from kasu.agreement.data.items import slots_of
from kasu.agreement.data.tasks import SUFFIX, VERB_NUMBER
from kasu.agreement.models.encoding import count_vocabularies, read_sentences
from kasu.agreement.models.inference import by_variant
from kasu.agreement.models.learners import LEARNERS, Network, draw_network
from kasu.base.limits import hint
from kasu.files.tables import ParquetReader, file_hash, landing, write_text, write_tsv
from kasu.job.run import Progress, log, seed_of
from kasu.neural.batching import length_batches
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.optimizers import adam
from kasu.neural.resume import Work
from kasu.neural.stopping import History, Patience, best_epoch
from kasu.neural.training import Weights, fit

_HISTORY = {
    task: ("variant", "seed", "epoch", "train_loss", *learner.measures, "best")
    for task, learner in LEARNERS.items()
}
HISTORY = _HISTORY[VERB_NUMBER]
SUFFIX_HISTORY = _HISTORY[SUFFIX]


@dataclass(frozen=True)
class TrainingData:
    """The training and validation splits of a dataset."""

    train: str | Path
    validation: str | Path


@dataclass(frozen=True)
class Outputs:
    """The files that a training job writes.

    Attributes:
        model: safetensors; tensors are named `<variant>/<seed>/<weight>`, metadata is JSON under
            `kasu` (task, system, settings, models, sha256 of the data).
        vocabulary: JSON: for each variant the symbols of `token`, `lemma` and `ngram`, from number
            1.
        history: TSV of HISTORY with the slots of the dataset, or SUFFIX_HISTORY if that is the
            task: one row per epoch; `best` is 1 for the epoch whose weights are kept.
    """

    model: str | Path
    vocabulary: str | Path
    history: str | Path


def train_models(
    data: TrainingData,
    outputs: Outputs,
    work: str | Path,
    *,
    task: str,
    system: str,
    models: Sequence[tuple[str, int]],
    settings: Mapping,
    device: str,
    code: str,
) -> None:
    """Train models one after another.

    Args:
        work: folder of the resume state, removed at the end.
        task, system: one of the task's networks.
        models: variant and seed of each.
        settings: `model` and `training` of the config, merged.
        code: hash of the code; a state is resumed only if code, config and data are the same.

    Raises:
        KasuError: the device is unknown, a dataset is malformed, or the loss becomes NaN or
            infinity.
    """
    where = pick_device(device)
    settings = {**settings, "slots": slots_of(ParquetReader(data.train).schema)}
    make_deterministic(settings["threads"])
    facts = {
        "task": task,
        "system": system,
        # How often the state is saved changes no result
        "settings": {key: value for key, value in settings.items() if key != "checkpoint_every"},
        "data": {"train": file_hash(data.train), "validation": file_hash(data.validation)},
    }
    runs_on = {"code": code, "device": where.type}
    state = Work(work, facts | runs_on, settings["checkpoint_every"])
    tensors: Weights = {}
    symbols: dict[str, dict[str, list[str]]] = {}
    rows: list[dict[str, object]] = []
    for variant, seeds in by_variant(models):
        prepared = _Variant(data, variant, (task, system), settings, where)
        symbols[variant] = prepared.vocabularies.symbols()
        for seed in seeds:
            best, epochs = prepared.train(seed, state)
            tensors |= {f"{variant}/{seed}/{name}": weight for name, weight in best.items()}
            rows += _history_rows(variant, seed, epochs)
    _write_model(outputs.model, tensors, facts | {"models": sorted(map(list, models))})
    write_text(outputs.vocabulary, json.dumps(symbols, ensure_ascii=False))
    write_tsv(outputs.history, rows, tuple(rows[0]))
    state.remove()


class _Variant:
    """One variant of the data, encoded, and how to train on it."""

    def __init__(
        self,
        data: TrainingData,
        variant: str,
        trained: tuple[str, str],
        settings: Mapping,
        device: torch.device,
    ) -> None:
        task, self.system = self.trained = trained
        self.learner, self.variant = LEARNERS[task], variant
        self.settings, self.device = settings, device
        sentences, held_out = (
            read_sentences(path, variant, settings["condition"], task)
            for path in (data.train, data.validation)
        )
        self.vocabularies = count_vocabularies(sentences, settings)
        self.data, self.held_out = (
            self.learner.encode(each, self.vocabularies, settings, self.system)
            for each in (sentences, held_out)
        )

    @hint(change="a smaller agreement.training.hidden or batch_size")
    def train(self, seed: int, work: Work) -> tuple[Weights, History]:
        name = f"{self.system}-{self.variant}-{seed}"
        settings, data, size = self.settings, self.data, self.settings["batch_size"]
        seeded = (seed, self.variant, self.system)
        sizes = self.vocabularies.sizes()
        network = draw_network(self.trained, settings, sizes, self.variant, seed).to(self.device)
        words = data.count_words(np.arange(len(data)))
        summary = f"{len(data)} sentences, {words} words, embedding rows {sizes}"
        log.info("%s: %s, on %s", name, summary, self.device)
        progress = Progress(name, words * settings["epochs"], "word")
        return fit(
            network,
            lambda epoch: length_batches(data.lengths, size, seed_of(*seeded, epoch)),
            lambda rows: network.loss(data.batch(rows, self.device)),
            lambda: self._measure(network),
            name=name,
            stop=Patience(settings["patience"], settings["epochs"]),
            optimizers=adam(settings["learning_rate"]),
            work=work,
            progress=progress,
            size=data.count_words,
        )

    def _measure(self, network: Network) -> dict[str, float]:
        size = self.settings["batch_size"]
        logp = self.learner.log_probabilities(network, self.held_out, size, self.device)
        return self.learner.measure(logp, self.held_out.sentences)


def _history_rows(variant: str, seed: int, epochs: History) -> list[dict[str, object]]:
    best = best_epoch(epochs)
    return [
        {"variant": variant, "seed": seed, **row, "best": int(row["epoch"] == best)}
        for row in epochs
    ]


def _write_model(path: str | Path, tensors: Weights, facts: Mapping[str, object]) -> None:
    # All in one metadata key, since the format does not keep the order of several
    with landing(path) as part:
        save_file(tensors, part, {"kasu": json.dumps(facts, sort_keys=True)})

"""Diagnostic classifiers: what can be read off the states of a network (Adi et al. 2016).

The accuracy of a probe says little by itself: it may have learnt the task from its own examples
(Hewitt & Liang 2019), or from what any encoder shows of a word. So the same probe is trained on the
states of an encoder that was never trained, on the embedding of the word alone, and on the trained
states with shuffled labels.
"""

import itertools
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn
from torch.nn import functional

from kasu.agreement.data.tasks import MAJORITY, SHUFFLED, TRAINED
from kasu.agreement.models.states import SOURCES
from kasu.job.run import log, seed_of
from kasu.neural.optimizers import adam
from kasu.neural.resume import Work
from kasu.neural.stopping import Patience
from kasu.neural.training import fit

READ = (*SOURCES, SHUFFLED)


class Split(NamedTuple):
    """Positions of the examples to train on, to choose the best epoch by (dev), and to test."""

    train: np.ndarray
    dev: np.ndarray
    test: np.ndarray


@dataclass(frozen=True)
class Task:
    """A question to probes: some words, and the label of each.

    Attributes:
        table: of the paper.
        name: of the task.
        rows: (examples,) the words, as rows of the states.
        labels: (examples,) text.
        splits: positions among the examples; test examples of different splits differ.
        kinds: of probes, each with the widths of its hidden layers.
        initialisations: of each probe, of which the best on dev is taken.
    """

    table: str
    name: str
    rows: np.ndarray
    labels: np.ndarray
    splits: Sequence[Split]
    kinds: Mapping[str, Sequence[int]]
    initialisations: int = 1


class Probed(NamedTuple):
    """The answers of one probe for the test examples of a task.

    Attributes:
        rows: (examples,) the words, as rows of the states.
        gold, predicted: (examples,) labels; under SHUFFLED gold is the shuffled one.
        scores: (examples,) the rank of the probability of the first of two labels by name, within
            the test examples of the split and divided by their number; None of other labels.
    """

    probe: str
    source: str
    rows: np.ndarray
    gold: np.ndarray
    predicted: np.ndarray
    scores: np.ndarray | None = None


def cross_splits(clusters: np.ndarray, folds: int, seed: int) -> list[Split]:
    """Split examples into folds; each is tested once, with the next one to choose the epoch by.

    Examples of one cluster stay together.

    Args:
        clusters: (examples,) names.

    Returns:
        No split if there are fewer clusters than folds.
    """
    names, cluster = np.unique(clusters, return_inverse=True)
    if len(names) < folds:
        return []
    fold = np.random.default_rng(seed).permutation(len(names))[cluster] % folds
    return [
        Split(*map(np.flatnonzero, (~np.isin(fold, [each, after]), fold == after, fold == each)))
        for each, after in ((each, (each + 1) % folds) for each in range(folds))
    ]


def build_probe(inputs: int, hidden: Sequence[int], outputs: int) -> nn.Sequential:
    """Build a linear classifier, or an MLP with tanh; it returns logits."""
    sizes = [inputs, *hidden]
    layers: list[nn.Module] = []
    for width, after in itertools.pairwise(sizes):
        layers += [nn.Linear(width, after), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], outputs))


def probe_task(
    task: Task,
    states: Mapping[str, Tensor],
    settings: Mapping,
    name: str,
    work: Work,
) -> Iterator[Probed]:
    """Yield the answers of the majority, then of each kind of probe with each of READ.

    Args:
        states: (words, width) by source.
        settings: `epochs`, `patience`, `batch_size`, `learning_rate`.
        name: of the network; with that of the task, it seeds whatever is drawn.
    """
    tested = np.concatenate([split.test for split in task.splits])
    rows, gold = task.rows[tested], task.labels[tested]
    majority = [np.repeat(_majority(task.labels[s.train]), len(s.test)) for s in task.splits]
    yield Probed(MAJORITY, TRAINED, rows, gold, np.concatenate(majority))
    name = f"{name}-{task.name}"
    shuffled = np.random.default_rng(seed_of(name, SHUFFLED)).permutation(task.labels)
    for kind, hidden in task.kinds.items():
        for source in READ:
            control = source == SHUFFLED
            inputs = states[TRAINED if control else source][task.rows].float()
            labels = shuffled if control else task.labels
            said = []
            # The rarer a label is in a test fold, the more frequent it was in training. So
            # probabilities of different folds cannot be compared, but ranks within a fold can
            for at, split in enumerate(task.splits):
                drawn = [
                    f"{name}-{kind}-{source}-{at}-{initialisation}"
                    for initialisation in range(task.initialisations)
                ]
                examples = _Examples(inputs, labels, split)
                labelled, chances = _best(examples, hidden, settings, drawn, work)
                said.append((labelled, pd.Series(chances).rank(pct=True)))
            predicted, scores = map(np.concatenate, zip(*said, strict=True))
            two = scores if len(set(task.labels)) == 2 else None
            yield Probed(kind, source, rows, labels[tested], predicted, two)


class _Examples(NamedTuple):
    """The inputs of a probe, (examples, width), and their labels, (examples,)."""

    inputs: Tensor
    labels: np.ndarray
    split: Split


def _majority(labels: np.ndarray) -> str:
    """Return the most frequent label, the first by name of equals."""
    names, counts = np.unique(labels, return_counts=True)
    return names[counts.argmax()]


def _best(
    examples: _Examples,
    hidden: Sequence[int],
    settings: Mapping,
    names: Sequence[str],
    work: Work,
) -> tuple[np.ndarray, np.ndarray]:
    """Train a probe once for each name, and let the best one on dev answer the test examples.

    Returns:
        The labels, and the probability of the first label.

    Args:
        names: one for each training, which seeds it.
    """
    inputs, labels, split = examples
    known, numbers = np.unique(labels, return_inverse=True)
    gold = torch.from_numpy(numbers)
    probes = []
    for name in names:
        torch.manual_seed(seed_of(name))
        probe = build_probe(inputs.shape[1], hidden, len(known))
        probes.append((_train(probe, inputs, gold, split, settings, name, work), probe))
    _, probe = max(probes, key=lambda pair: pair[0])
    with torch.inference_mode():
        chances = probe(inputs[split.test]).softmax(dim=1).numpy()
    return known[chances.argmax(axis=1)], chances[:, 0]


def _train(
    probe: nn.Module,
    inputs: Tensor,
    gold: Tensor,
    split: Split,
    settings: Mapping,
    name: str,
    work: Work,
) -> float:
    """Train a probe, keep its best epoch, and return its accuracy on dev there."""
    size = settings["batch_size"]

    def batches(epoch: int) -> list[np.ndarray]:
        order = np.random.default_rng(seed_of(name, epoch)).permutation(split.train)
        return [order[begin : begin + size] for begin in range(0, len(order), size)]

    @torch.inference_mode()
    def validate() -> dict[str, float]:
        logits = probe(inputs[split.dev])
        # The loss is finer than the accuracy of few examples
        loss = functional.cross_entropy(logits, gold[split.dev]).item()
        right = (logits.argmax(dim=1) == gold[split.dev]).double().mean().item()
        return {"accuracy": right, "score": -loss}

    with _quiet():
        weights, history = fit(
            probe,
            batches,
            lambda rows: functional.cross_entropy(probe(inputs[rows]), gold[rows]),
            validate,
            name=name,
            stop=Patience(settings["patience"], settings["epochs"]),
            optimizers=adam(settings["learning_rate"]),
            work=work,
        )
    probe.load_state_dict(weights)
    return max(history, key=lambda row: row["score"])["accuracy"]


@contextmanager
def _quiet() -> Iterator[None]:
    """Log no epoch of the hundreds of small trainings."""
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(level)

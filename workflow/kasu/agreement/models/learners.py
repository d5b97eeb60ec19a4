"""What training and prediction do differently for each task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import torch

from kasu.agreement.data.items import slots_of
from kasu.agreement.data.suffixes import UNSCORED
from kasu.agreement.data.tasks import LABELS, SLOTS, SUFFIX, SUFFIXES, VERB_NUMBER
from kasu.agreement.events import ANY, f1, suffix_events
from kasu.agreement.models.encoding import (
    EncodedSides,
    EncodedWhole,
    Sentences,
    Vocabularies,
)
from kasu.agreement.models.networks import BIDIRECTIONAL, RECURRENT, SuffixModel, VerbNumberModel
from kasu.agreement.models.predictions import (
    PREDICTIONS,
    SUFFIX_PREDICTIONS,
    prediction_table,
    suffix_table,
)
from kasu.job.run import seed_of
from kasu.neural.batching import length_batches, ragged_rows

Network = VerbNumberModel | SuffixModel
Data = EncodedSides | EncodedWhole


@dataclass(frozen=True)
class Learner:
    """A task as training and prediction see it.

    Attributes:
        encode: sentences, vocabularies, settings and system -> what a network reads.
        network: sizes of the vocabularies, settings and system -> random weights.
        log_probabilities: network, data, batch size and device -> natural logarithms, (sentences,
            slots, labels) or (words of all sentences, suffixes), in order of the sentences.
        measure: log probabilities and sentences -> `measures`.
        measures: names of what is measured after an epoch, for the paper's slots; `score` chooses
            the best epoch.
        table: sentences, log probabilities, variant and seed -> rows of `schema`.
    """

    encode: Callable[[Sentences, Vocabularies, Mapping, str], Data]
    network: Callable[[Sequence[int], Mapping, str], Network]
    log_probabilities: Callable[..., np.ndarray]
    measure: Callable[[np.ndarray, Sentences], dict[str, float]]
    measures: Sequence[str]
    table: Callable[[Sentences, np.ndarray, str, int], pa.Table]
    schema: pa.Schema


# Verb number


@torch.inference_mode()
def slot_log_probabilities(
    network: VerbNumberModel, data: EncodedSides, batch_size: int, device: torch.device
) -> np.ndarray:
    """Compute the log probabilities of the labels: (sentences, slots, labels)."""
    network.eval()
    logp = np.empty((*data.sentences.gold.shape, len(LABELS)), np.float32)
    for rows in length_batches(data.lengths, batch_size, None):
        logp[rows] = network(data.batch(rows, device)).log_softmax(dim=2).cpu().numpy()
    return logp


def measure_slots(
    logp: np.ndarray, gold: np.ndarray, slots: Sequence[str] = SLOTS
) -> dict[str, float]:
    """Compute loss (nats per sentence), accuracy of each slot, and their mean as score (BASQUE-10).

    Args:
        logp: (sentences, slots, labels) natural logarithms.
        gold: (sentences, slots) positions in LABELS.
        slots: their names.
    """
    right = np.take_along_axis(logp, gold[:, :, None], axis=2).astype(np.float64)
    accuracy = (logp.argmax(axis=2) == gold).mean(axis=0)
    return {
        "validation_loss": float(-right.sum(axis=(1, 2)).mean()),
        **{f"accuracy_{slot}": float(share) for slot, share in zip(slots, accuracy, strict=True)},
        "score": float(accuracy.mean()),
    }


# Suffix prediction


@torch.inference_mode()
def suffix_log_probabilities(
    network: SuffixModel, data: EncodedWhole, batch_size: int, device: torch.device
) -> np.ndarray:
    """Compute the log probabilities of the suffixes: (words of all sentences, suffixes).

    Words that are not scored have NaN.
    """
    network.eval()
    gold, starts = data.sentences.gold, data.sentences.starts
    logp = np.full((len(gold), len(SUFFIXES)), np.nan, np.float32)
    for rows in length_batches(data.lengths, batch_size, None):
        words, _ = ragged_rows(starts, rows)
        scored = words[gold[words] != UNSCORED]
        logp[scored] = network(data.batch(rows, device)).log_softmax(dim=1).cpu().numpy()
    return logp


def measure_suffixes(logp: np.ndarray, gold: np.ndarray) -> dict[str, float]:
    """Compute loss (nats per word), F1 of each suffix and of any, and their mean as score.

    Args:
        logp: (words, suffixes) natural logarithms.
        gold: (words,) positions in SUFFIXES, or UNSCORED.
    """
    scored = gold != UNSCORED
    logp, gold = logp[scored], gold[scored]
    names = np.array(SUFFIXES)
    events = suffix_events(names[gold], names[logp.argmax(axis=1)])
    found = {f"f1_{suffix.strip('-').lower()}": f1(*event) for suffix, event in events.items()}
    right = logp[np.arange(len(gold)), gold].astype(np.float64)
    return {
        "validation_loss": float(-right.mean()),
        **found,
        "score": float(np.mean([*found.values()])),
    }


LEARNERS = {
    VERB_NUMBER: Learner(
        encode=lambda sentences, vocabularies, settings, system: EncodedSides(
            sentences, vocabularies, settings, BIDIRECTIONAL[system]
        ),
        network=lambda sizes, settings, system: VerbNumberModel(
            sizes, settings, BIDIRECTIONAL[system]
        ),
        log_probabilities=slot_log_probabilities,
        measure=lambda logp, sentences: measure_slots(
            logp, sentences.gold, slots_of(sentences.items)
        ),
        measures=("validation_loss", *(f"accuracy_{slot}" for slot in SLOTS), "score"),
        table=lambda sentences, logp, variant, seed: prediction_table(
            sentences.items, sentences.gold, logp.argmax(axis=2), variant, seed, logp
        ),
        schema=PREDICTIONS,
    ),
    SUFFIX: Learner(
        encode=lambda sentences, vocabularies, settings, _: EncodedWhole(
            sentences, vocabularies, settings
        ),
        network=lambda sizes, settings, system: SuffixModel(sizes, settings, RECURRENT[system]),
        log_probabilities=suffix_log_probabilities,
        measure=lambda logp, sentences: measure_suffixes(logp, sentences.gold),
        measures=(
            "validation_loss",
            *(f"f1_{suffix.strip('-')}" for suffix in (*SUFFIXES[1:], ANY.lower())),
            "score",
        ),
        table=lambda sentences, logp, variant, seed: suffix_table(
            sentences.items,
            sentences.starts,
            sentences.gold,
            # Words with NaN are not scored, and `suffix_table` leaves them out
            logp.argmax(axis=1),
            variant,
            seed,
        ),
        schema=SUFFIX_PREDICTIONS,
    ),
}


def draw_network(
    trained: tuple[str, str], settings: Mapping, sizes: Sequence[int], variant: str, seed: int
) -> Network:
    """Draw the network of a task and system with the weights that its training starts from.

    Args:
        sizes: of the vocabularies.
    """
    task, system = trained
    torch.manual_seed(seed_of(seed, variant, system))
    return LEARNERS[task].network(sizes, settings, system)

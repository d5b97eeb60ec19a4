"""States of trained networks at chosen words, and what a fair comparison needs beside them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from kasu.agreement.data.labels import SUFFIXES
from kasu.agreement.data.links import Link, read_links
from kasu.agreement.models.encoding import EncodedWhole, Sentences, TaggerBatch
from kasu.agreement.models.inference import Models
from kasu.agreement.models.networks import SuffixModel
from kasu.base.tables import ParquetWriter, landing
from kasu.neural.batching import length_batches, ragged_rows
from kasu.neural.device import make_deterministic, pick_device

TRAINED = "trained"
UNTRAINED = "untrained"  # states of the encoder with the weights that training starts from
WORD = "word"  # the trained embedding of a word, which knows nothing of the sentence
SOURCES = (TRAINED, UNTRAINED, WORD)

# One row per variant, seed and word, in the order of the states. `suffix` and `prediction` are its
# nuclear suffix and what the network predicts
WORDS = pa.schema(
    [
        ("item_id", pa.string()),
        ("cluster", pa.string()),
        ("position", pa.int32()),
        ("forms", pa.list_(pa.string())),
        ("closest", pa.bool_()),
        ("suffix", pa.string()),
        ("prediction", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
    ]
)


def save_states(
    test: str | Path,
    model: str | Path,
    vocabulary: str | Path,
    words: str | Path,
    states: str | Path,
    *,
    device: str,
) -> None:
    """Save the states of every network in a file of suffix models, at the words linked to a verb.

    Args:
        words: receives WORDS.
        states: receives safetensors in half precision, `<variant>/<seed>/<source>`: (words of the
            variant and seed, width) for each of SOURCES.

    Raises:
        KasuError: the device is unknown, or model and vocabulary are unreadable or do not belong
            together.
    """
    where = pick_device(device)
    models = Models(model, vocabulary)
    size = models.settings["batch_size"]
    make_deterministic(models.settings["threads"])
    tensors: dict[str, Tensor] = {}
    with landing(words) as part, ParquetWriter(part, WORDS) as writer:
        for variant, seeds in models.seeds:
            data, links = models.read(test, variant), [*read_links(test, variant)]
            at = _places(links, data.sentences)
            for seed in seeds:
                network = models.draw(variant, seed).to(where).eval()
                found = {UNTRAINED: read_states(network.states, data, at, size, where)}
                models.load(network, variant, seed)
                found[TRAINED] = read_states(network.states, data, at, size, where)
                found[WORD] = read_states(network.vectors, data, at, size, where)
                predicted = _predict(network, found[TRAINED].to(where))
                writer.write(_rows(links, data.sentences, at, predicted, variant, seed))
                tensors |= {f"{variant}/{seed}/{name}": found[name].half() for name in SOURCES}
    with landing(states) as part:
        save_file(tensors, part)


@torch.inference_mode()
def read_states(
    read: Callable[[TaggerBatch], PackedSequence],
    data: EncodedWhole,
    at: np.ndarray,
    batch_size: int,
    device: torch.device,
) -> Tensor:
    """Read what a network computes at some words: (words, width), in single precision.

    Args:
        read: a method of a network in evaluation mode.
        at: (words,) their positions among the words of all sentences.
    """
    starts = data.sentences.starts
    place = np.full(starts[-1], -1)
    place[at] = np.arange(len(at))
    # Without a word, one sentence still tells the width
    needed = np.unique(np.searchsorted(starts, at, side="right") - 1) if len(at) else np.array([0])
    found: Tensor | None = None
    for batch in length_batches(data.lengths[needed], batch_size, None):
        rows = needed[batch]
        padded, lengths = pad_packed_sequence(read(data.batch(rows, device)), batch_first=True)
        values = padded.cpu()[torch.arange(padded.shape[1]) < lengths[:, None]]
        if found is None:
            found = values.new_empty(len(at), values.shape[1])
        to = torch.from_numpy(place[ragged_rows(starts, rows)[0]])
        found[to[to >= 0]] = values[to >= 0]
    assert found is not None
    return found


@torch.inference_mode()
def _predict(network: SuffixModel, states: Tensor) -> np.ndarray:
    """The suffixes that a network predicts from its states: (words,) of SUFFIXES."""
    return np.array(SUFFIXES)[network.head(states).argmax(dim=1).cpu().numpy()]


def _places(links: Sequence[Link], sentences: Sentences) -> np.ndarray:
    """The positions of linked words among the words of all sentences."""
    ids = sentences.items["item_id"].to_pylist()
    begins = dict(zip(ids, sentences.starts[:-1].tolist(), strict=True))
    return np.array([begins[each.item_id] + each.position for each in links], np.int64)


def _rows(
    links: Sequence[Link],
    sentences: Sentences,
    at: np.ndarray,
    predicted: np.ndarray,
    variant: str,
    seed: int,
) -> pa.Table:
    """Build rows of WORDS."""
    item = np.searchsorted(sentences.starts, at, side="right") - 1
    columns = {
        "item_id": [each.item_id for each in links],
        "cluster": sentences.items["cluster"].take(item),
        "position": [each.position for each in links],
        "forms": [[*each.forms] for each in links],
        "closest": [each.closest for each in links],
        "suffix": np.array(SUFFIXES)[sentences.gold[at]],
        "prediction": predicted,
        "variant": [variant] * len(links),
        "seed": [seed] * len(links),
    }
    return pa.table(columns, WORDS)

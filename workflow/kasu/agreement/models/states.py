"""States of trained networks at chosen words, and what a fair comparison needs beside them."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from safetensors.torch import save_file
from torch import Tensor

from kasu.agreement.data.annotations import LABELS, labelled_words
from kasu.agreement.data.links import linked_words
from kasu.agreement.data.suffixes import UNSCORED
from kasu.agreement.data.tasks import SUFFIXES, TRAINED, UNTRAINED, WORD
from kasu.agreement.models.encoding import EncodedWhole, TaggerBatch
from kasu.agreement.models.inference import Models
from kasu.agreement.models.networks import SuffixModel
from kasu.files.tables import ParquetWriter, landing
from kasu.neural.batching import length_batches, ragged_rows
from kasu.neural.device import make_deterministic, pick_device

SOURCES = (TRAINED, UNTRAINED, WORD)

# One row per variant, seed and word, in the order of the states: the words of the test set that are
# linked to a verb, with `forms` and `closest` (LINKS), and those of a treebank, with what follows.
# `suffix` is the nuclear suffix, null where suffix prediction does not score the word; `prediction`
# is what the network predicts
WORDS = pa.schema(
    [
        ("item_id", pa.string()),
        ("cluster", pa.string()),
        ("position", pa.int32()),
        ("forms", pa.list_(pa.string())),
        ("closest", pa.bool_()),
        ("split", pa.string()),
        *((name, pa.string()) for name in LABELS),
        ("suffix", pa.string()),
        ("prediction", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
    ]
)


def save_states(
    texts: Mapping[str, str | Path],
    model: str | Path,
    vocabulary: str | Path,
    words: str | Path,
    states: str | Path,
    *,
    seeds: Collection[int],
    device: str,
) -> None:
    """Save the states of networks in a file of suffix models at the words of WORDS.

    Args:
        texts: `test`, the test set; and `treebank`, if there is one.
        words: receives WORDS.
        states: receives safetensors in half precision, `<variant>/<seed>/<source>`: (words of the
            variant and seed, width) for each of SOURCES.
        seeds: of the networks whose states are saved.

    Raises:
        KasuError: the device is unknown, or model and vocabulary are unreadable or do not belong
            together.
    """
    where = pick_device(device)
    models = Models(model, vocabulary)
    make_deterministic(models.settings["threads"])
    tensors: dict[str, Tensor] = {}
    with landing(words) as part, ParquetWriter(part, WORDS) as writer:
        for variant, trained in models.seeds:
            read = {"test": linked_words, "treebank": labelled_words}
            asked = [
                _Asked(cast(EncodedWhole, models.read(path, variant)), read[text](path, variant))
                for text, path in texts.items()
            ]
            for seed in filter(seeds.__contains__, trained):
                found: dict[str, list[Tensor]] = {source: [] for source in SOURCES}
                # The same network is read before its training and, with the weights loaded, after
                network = models.draw(variant, seed).to(where).eval()
                for each in asked:
                    found[UNTRAINED].append(each.read(network.states, models, where))
                models.load(network, variant, seed)
                for each in asked:
                    found[TRAINED].append(each.read(network.states, models, where))
                    found[WORD].append(each.read(network.vectors, models, where))
                    predicted = _predict(network, found[TRAINED][-1].to(where))
                    writer.write(each.rows(predicted, variant, seed))
                tensors |= {
                    f"{variant}/{seed}/{source}": torch.cat(found[source]).half()
                    for source in SOURCES
                }
    with landing(states) as part:
        save_file(tensors, part)


class _Asked:
    """The words of a text whose states are asked for.

    Args:
        words: columns of WORDS.
    """

    def __init__(self, data: EncodedWhole, words: pa.Table) -> None:
        self.data, self.words = data, words
        items, starts = data.sentences.items, data.sentences.starts
        self.item = pc.index_in(words["item_id"], items["item_id"].combine_chunks()).to_numpy()
        # Positions among the words of all sentences
        self.at = starts[self.item] + words["position"].to_numpy()

    def read(
        self, compute: Callable[[TaggerBatch], Tensor], models: Models, device: torch.device
    ) -> Tensor:
        return read_states(compute, self.data, self.at, models.settings["batch_size"], device)

    def rows(self, predicted: np.ndarray, variant: str, seed: int) -> pa.Table:
        """Build rows of WORDS."""
        count, gold = len(self.at), self.data.sentences.gold[self.at]
        columns = {name: self.words[name] for name in self.words.column_names} | {
            "cluster": self.data.sentences.items["cluster"].take(self.item),
            "suffix": pa.array(np.array(SUFFIXES)[gold], mask=gold == UNSCORED),
            "prediction": predicted,
            "variant": [variant] * count,
            "seed": [seed] * count,
        }
        nothing = [None] * count
        return pa.table([columns.get(name, nothing) for name in WORDS.names], schema=WORDS)


@torch.inference_mode()
def read_states(
    read: Callable[[TaggerBatch], Tensor],
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
    # For each word of all sentences its row in the result; -1 if it is not asked for
    place = np.full(starts[-1], -1)
    place[at] = np.arange(len(at))
    # Without a word, one sentence still tells the width
    needed = np.unique(np.searchsorted(starts, at, side="right") - 1) if len(at) else np.array([0])
    found: Tensor | None = None
    for batch in length_batches(data.lengths[needed], batch_size, None):
        rows = needed[batch]
        inputs = data.batch(rows, device)
        # (L, B, width) -> (B, L, width) -> (words of the batch, width), without padding
        padded = read(inputs).transpose(0, 1).cpu()
        values = padded[torch.arange(padded.shape[1]) < inputs.whole.lengths.cpu()[:, None]]
        if found is None:
            found = values.new_empty(len(at), values.shape[1])
        to = torch.from_numpy(place[ragged_rows(starts, rows)[0]])
        found[to[to >= 0]] = values[to >= 0]
    assert found is not None
    return found


@torch.inference_mode()
def _predict(network: SuffixModel, states: Tensor) -> np.ndarray:
    """Return the suffixes that a network predicts from its states: (words,) of SUFFIXES."""
    return np.array(SUFFIXES)[network.head(states).argmax(dim=1).cpu().numpy()]

"""Vectors of sentences by any encoder of Hugging Face form."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from kasu.base.errors import KasuError
from kasu.lm.models.bucketing import pad, rows_of, token_batches
from kasu.lm.models.loading import ENCODER, load_network, load_tokenizer, longest_input

POOLINGS = ("cls", "mean")


class Encoder:
    """A frozen network that gives a vector a sentence.

    Attributes:
        dimensions: numbers of a vector.
        truncated: how many sentences were longer than the network can read, so far.
    """

    def __init__(
        self, folder: str | Path, device: torch.device, layer: int = -1, pooling: str = "cls"
    ) -> None:
        """Load it.

        Args:
            layer: which layer's states; 0 are the token embeddings, -1 is the last layer.
            pooling: `cls`, the state at the first token; `mean`, that of all tokens.

        Raises:
            KasuError: nothing that can be loaded, no such layer, no such pooling.
        """
        if pooling not in POOLINGS:
            raise KasuError("pooling", repr(pooling), " or ".join(POOLINGS))
        self.tokenizer = load_tokenizer(folder)
        self.network = load_network(folder, ENCODER, device)
        layers = self.network.config.num_hidden_layers
        if not -layers - 1 <= layer <= layers:
            raise KasuError("layer", str(layer), f"one of {layers}, or 0 for the embeddings")
        self.device, self.layer, self.pooling = device, layer, pooling
        self.dimensions = self.network.config.hidden_size
        self.longest = longest_input(self.tokenizer, self.network)
        self.truncated = 0

    def encode(
        self,
        sentences: Sequence[str],
        tokens_per_batch: int,
        after: Callable[[int], None] = lambda count: None,
    ) -> np.ndarray:
        """The vectors of sentences: (sentences, dimensions), float32.

        All batches of a width have the same shape (a short one repeats its first row), so a
        vector depends on the sentence and on `tokens_per_batch`, on no other sentence.

        Args:
            after: told how many sentences each batch had.

        Raises:
            KasuError: fewer tokens a batch than a sentence has.
        """
        vectors = np.empty((len(sentences), self.dimensions), np.float32)
        ids = self._ids(sentences)
        for rows, width in token_batches(np.array([len(row) for row in ids]), tokens_per_batch):
            full = np.resize(rows, rows_of(width, tokens_per_batch))
            full[len(rows) :] = rows[0]
            width = min(width, self.longest)
            matrix, mask = pad([ids[row] for row in full], width, self.tokenizer.pad_token_id)
            vectors[rows] = self._vectors(matrix, mask)[: len(rows)].cpu().numpy()
            after(len(rows))
        return vectors

    def _ids(self, sentences: Sequence[str]) -> list[list[int]]:
        if not len(sentences):
            return []
        ids = self.tokenizer(list(sentences), verbose=False)["input_ids"]
        long = [row for row, tokens in enumerate(ids) if len(tokens) > self.longest]
        for row in long:
            # Once more: what is cut must not be the end marker
            ids[row] = self.tokenizer(sentences[row], truncation=True, max_length=self.longest)[
                "input_ids"
            ]
        self.truncated += len(long)
        return ids

    @torch.inference_mode()
    def _vectors(self, matrix: np.ndarray, mask: np.ndarray) -> Tensor:
        shown = torch.from_numpy(mask).to(self.device)
        output = self.network(
            input_ids=torch.from_numpy(matrix).to(self.device),
            attention_mask=shown.long(),
            output_hidden_states=self.layer != -1,
        )
        states = output.last_hidden_state
        if self.layer != -1:
            states = output.hidden_states[self.layer]
        if self.pooling == "cls":
            return states[:, 0]
        weights = shown.unsqueeze(2).to(states.dtype)
        return (states * weights).sum(1) / weights.sum(1)

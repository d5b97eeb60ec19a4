"""Sentence vectors from any encoder in Hugging Face form."""

from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import BatchEncoding

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.job.run import log
from kasu.lm import ENCODER
from kasu.lm.models.bucketing import pad, rows_of, token_batches
from kasu.lm.models.loading import load_parts
from kasu.lm.models.networks import expect_tokens, rows_of_embedding
from kasu.lm.models.pieces import Gaps
from kasu.lm.models.sentence_modules import MODULES, SentenceModules, pool, read_modules

POOLINGS = ("auto", "cls", "mean")


class Encoder:
    """A frozen network that maps each sentence to a vector.

    Attributes:
        dimensions: length of a vector.
        longest: the most tokens of a sentence; longer ones are cut.
    """

    def __init__(
        self, folder: str | Path, device: torch.device, layer: int = -1, pooling: str = "cls"
    ) -> None:
        """Load the model of a folder.

        Args:
            layer: the layer whose states are used: 0 the token embeddings, -1 the last layer.
            pooling: `cls`, the state of the first token; `mean`, the mean over all tokens; `auto`,
                as the makers of a sentence encoder say (`read_modules`), or else `cls`, or `mean`
                of a causal model, whose first token sees no other.

        Raises:
            KasuError: the model cannot be loaded (see `load_parts`), or has no such layer; no such
                pooling; `cls` of a causal model, whose first token is the same in all sentences; or
                what its makers say cannot be done.
        """
        if pooling not in POOLINGS:
            raise KasuError("pooling", repr(pooling), ", ".join(POOLINGS))
        parts = load_parts(folder, ENCODER, device)
        self.tokenizer, self.network, self.longest = parts.tokenizer, parts.network, parts.longest
        # GPT-2 has no such token. Any will do, for no state of it is used
        self.padding = self.tokenizer.pad_token_id or 0
        layers = self.network.config.num_hidden_layers
        if not -layers - 1 <= layer <= layers:
            raise KasuError("layer", str(layer), f"one of {layers}, or 0 for the embeddings")
        self.device, self.layer = device, layer
        self._gaps = Gaps(self.tokenizer)
        self.modules = self._modules(Path(folder), pooling, "cls" if parts.sees_later else "mean")
        if "cls" in self.modules.poolings and not parts.sees_later:
            found = "pooling: cls of a causal model, whose first token sees no other"
            raise KasuError(folder, found, "pooling: mean")
        self.after = self.modules.after.to(device)
        self.dimensions = self.modules.dimensions
        self.longest = min(self.longest, self.modules.longest or self.longest)

    def _modules(self, folder: Path, pooling: str, otherwise: str) -> SentenceModules:
        """Return what follows the network: the steps of its makers, or one pooling.

        Args:
            otherwise: the pooling for `auto` where its makers name none.
        """
        path, width = folder / MODULES, self.network.config.hidden_size
        if pooling != "auto" or not path.is_file():
            if path.is_file():
                log.warning("%s: not used as its makers say in %s; pooled by %s",
                            folder, MODULES, pooling)  # fmt: skip
            pooled = otherwise if pooling == "auto" else pooling
            return SentenceModules((pooled,), width, nn.Identity())
        if self.layer not in (-1, self.network.config.num_hidden_layers):
            raise KasuError(path, f"layer {self.layer}", "-1, or pooling: cls or mean")
        return read_modules(folder, width)

    @hint(change="a smaller tokens_per_batch")
    def encode(
        self,
        sentences: Sequence[str],
        tokens_per_batch: int,
        after: Callable[[int], None] = lambda count: None,
    ) -> np.ndarray:
        """Encode sentences: (sentences, dimensions), float32.

        All batches of the same width have the same shape (a short one repeats its rows), so a
        vector depends on its sentence and on `tokens_per_batch`, not on the other sentences.

        Args:
            after: called after each batch with its number of sentences.

        Raises:
            KasuError: a sentence has more than `tokens_per_batch` tokens.
        """
        vectors = np.empty((len(sentences), self.dimensions), np.float32)
        ids = self._ids(sentences)
        for rows, width in token_batches(np.array([len(row) for row in ids]), tokens_per_batch):
            full = np.resize(rows, rows_of(width, tokens_per_batch))
            width = min(width, self.longest)
            matrix, mask = pad([ids[row] for row in full], width, self.padding)
            vectors[rows] = self._vectors(matrix, mask)[: len(rows)].cpu().numpy()
            after(len(rows))
        return vectors

    def count_gaps(self, sentences: Sequence[str]) -> tuple[int, int]:
        """Return in how many sentences some text is unknown to the tokenizer; how many are cut."""
        sentences = self._spelled(sentences)
        coded = self._tokenise(sentences, return_offsets_mapping=self._gaps.dropped)
        spans = coded.get("offset_mapping", repeat(()))
        unknown, cut = 0, 0
        for sentence, tokens, held in zip(sentences, coded["input_ids"], spans, strict=False):
            unknown += self._gaps.unknown in tokens or self._gaps.lost(sentence, held) > 0
            cut += len(tokens) > self.longest
        return unknown, cut

    def _spelled(self, sentences: Sequence[str]) -> list[str]:
        return [sentence.lower() if self.modules.lower else sentence for sentence in sentences]

    def _tokenise(self, sentences: list[str], **options: Any) -> BatchEncoding:
        # A literal `[SEP]` in a sentence is text
        return self.tokenizer(sentences, split_special_tokens=True, verbose=False, **options)

    def _ids(self, sentences: Sequence[str]) -> list[list[int]]:
        if not len(sentences):
            return []
        sentences = self._spelled(sentences)
        ids = self._tokenise(sentences)["input_ids"]
        for row, tokens in enumerate(ids):
            if len(tokens) > self.longest:
                # Tokenise again, so that the cut keeps the end marker
                cut = self._tokenise([sentences[row]], truncation=True, max_length=self.longest)
                ids[row] = cut["input_ids"][0]
        rows = rows_of_embedding(self.network)
        for sentence, tokens in zip(sentences, ids, strict=True):
            expect_tokens(repr(sentence), tokens, rows, self.tokenizer)
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
        return self.after(pool(states, shown, self.modules.poolings))

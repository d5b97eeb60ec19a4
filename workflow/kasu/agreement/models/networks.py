"""The networks of both tasks (Ravfogel et al. 2018 §4, §7; BASQUE-9, BASQUE-10)."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from kasu.agreement.data.tasks import LABELS, SLOTS, SUFFIXES
from kasu.agreement.models.encoding import Batch, Read, TaggerBatch, Words
from kasu.neural.bags import SummedRows
from kasu.neural.recurrent.layers import reverse

BIDIRECTIONAL = {"bilstm": True, "lstm": False}
"""Verb number prediction: the paper's system, and the left-to-right one of its footnote 6."""

RECURRENT = {"bilstm": True, "mlp": False}
"""Suffix prediction: the paper's system, and the one that sees a word without its sentence."""

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}


class WordVectors(nn.Module):
    """The sum of the token, lemma and n-gram embeddings of a word (BASQUE-9)."""

    def __init__(self, sizes: Sequence[int], dimensions: int) -> None:
        super().__init__()
        tokens, lemmas, ngrams = sizes
        self.token = nn.Embedding(tokens, dimensions, sparse=True)
        self.lemma = nn.Embedding(lemmas, dimensions, sparse=True)
        self.ngram = nn.Embedding(ngrams, dimensions, sparse=True)
        for table in (self.token, self.lemma, self.ngram):
            # A word is the sum of about 25 rows: unit variance would saturate the gates
            nn.init.normal_(table.weight, std=dimensions**-0.5)
            # Row 0 is the unknown symbol. If training knows every symbol it is never trained, so it
            # must add nothing
            nn.init.zeros_(table.weight[0])

    def forward(self, words: Words) -> Tensor:
        """Embed the distinct words of a batch: (U, dimensions)."""
        ngrams = SummedRows.apply(self.ngram.weight, words.ngram, words.ngram_begins)
        return self.token(words.token) + self.lemma(words.lemma) + ngrams


class VerbNumberModel(nn.Module):
    """An MLP for each slot on the state of a recurrent network at ⟨verb⟩ (BASQUE-10).

    The network has one layer, so its state at ⟨verb⟩ depends on the words up to it (left to right)
    and on the words after it (right to left): each direction reads only its side of the sentence.
    """

    def __init__(self, sizes: Sequence[int], settings: Mapping, bidirectional: bool) -> None:
        """Build the model with random weights.

        Args:
            sizes: rows of the token, lemma and n-gram tables.
            settings: `embedding`, `hidden` (of each direction), `mlp`, `activation`, `dropout`;
                `slots`, those of the paper unless stated.
        """
        super().__init__()
        embedding, hidden = settings["embedding"], settings["hidden"]
        self.words = WordVectors(sizes, embedding)
        self.left = nn.LSTM(embedding, hidden)
        self.right = nn.LSTM(embedding, hidden) if bidirectional else None
        self.dropout = nn.Dropout(settings["dropout"])
        self.heads = nn.ModuleDict(
            {
                slot: _mlp(hidden * (1 + bidirectional), len(LABELS), settings)
                for slot in settings.get("slots", SLOTS)
            }
        )

    def forward(self, batch: Batch) -> Tensor:
        """Compute the logits: (B, slots, labels)."""
        vectors = self.words(batch.words)
        state = self._read(self.left, batch.left, vectors)
        if self.right is not None and batch.right is not None:
            state = torch.cat([state, self._read(self.right, batch.right, vectors)], dim=1)
        state = self.dropout(state)
        return torch.stack([head(state) for head in self.heads.values()], dim=1)

    def _read(self, lstm: nn.LSTM, read: Read, vectors: Tensor) -> Tensor:
        states, _ = lstm(self.dropout(functional.embedding(read.words, vectors)))
        # The LSTM is faster on padded sequences than on packed ones. ⟨verb⟩ is the last word of a
        # side and padding follows it, so its state is right: (L, B, hidden) -> (B, hidden)
        return states[read.lengths - 1, torch.arange(len(read.lengths), device=states.device)]

    def loss(self, batch: Batch) -> Tensor:
        """Compute the sum of the cross-entropies of the slots in nats, averaged over sentences."""
        logits = self(batch)
        return len(self.heads) * functional.cross_entropy(
            logits.flatten(0, 1), batch.gold.flatten()
        )


class SuffixModel(nn.Module):
    """An MLP on the state of a bidirectional LSTM at each word (BASQUE-10), or on its embedding."""

    def __init__(self, sizes: Sequence[int], settings: Mapping, recurrent: bool) -> None:
        """Build the model with random weights.

        Args:
            sizes: rows of the token, lemma and n-gram tables.
            settings: as of VerbNumberModel.
            recurrent: whether it has the LSTM; without it, it sees no context (BASQUE-18).
        """
        super().__init__()
        embedding, hidden = settings["embedding"], settings["hidden"]
        self.words = WordVectors(sizes, embedding)
        self.left = nn.LSTM(embedding, hidden) if recurrent else None
        self.right = nn.LSTM(embedding, hidden) if recurrent else None
        self.dropout = nn.Dropout(settings["dropout"])
        self.head = _mlp(2 * hidden if recurrent else embedding, len(SUFFIXES), settings)

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Compute the logits of the words to label: (N, suffixes)."""
        return self.head(self.states(batch).transpose(0, 1)[batch.scored])

    def states(self, batch: TaggerBatch) -> Tensor:
        """Compute what the MLP reads of each word, (L, B, width).

        It is the state of the LSTM, or the embedding if there is none. Values past the end of a
        sentence mean nothing.
        """
        vectors = self.vectors(batch)
        if self.left is None or self.right is None:
            return vectors
        left, _ = self.left(vectors)
        right, _ = self.right(reverse(vectors, batch.whole.lengths))
        return self.dropout(torch.cat([left, reverse(right, batch.whole.lengths)], dim=2))

    def vectors(self, batch: TaggerBatch) -> Tensor:
        """Embed each word of the sentences: (L, B, dimensions)."""
        return self.dropout(functional.embedding(batch.whole.words, self.words(batch.words)))

    def loss(self, batch: TaggerBatch) -> Tensor:
        """Compute the cross-entropy in nats, averaged over the words to label."""
        total = functional.cross_entropy(self(batch), batch.gold, reduction="sum")
        # A batch may have nothing but verbs and unknown words
        return total / max(len(batch.gold), 1)


def _mlp(inputs: int, outputs: int, settings: Mapping) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, settings["mlp"]),
        ACTIVATIONS[settings["activation"]](),
        nn.Linear(settings["mlp"], outputs),
    )

"""The networks of both tasks (Ravfogel et al. 2018 §4, §7; BASQUE-9, BASQUE-10)."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from kasu.agreement.data.labels import LABELS, SLOTS, SUFFIXES
from kasu.agreement.models.encoding import Batch, TaggerBatch, Words

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
        self.ngram = nn.EmbeddingBag(ngrams, dimensions, mode="sum", sparse=True)
        for table in (self.token, self.lemma, self.ngram):
            # A word is the sum of about 25 rows: unit variance would saturate the gates
            nn.init.normal_(table.weight, std=dimensions**-0.5)
            # Row 0 is the unknown symbol. If training knows every symbol it is never trained, so it
            # must add nothing
            nn.init.zeros_(table.weight[0])

    def forward(self, words: Words) -> Tensor:
        """Embed the distinct words of a batch: (U, dimensions)."""
        ngrams = self.ngram(words.ngram, words.ngram_begins)
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
        if self.right is not None:
            state = torch.cat([state, self._read(self.right, batch.right, vectors)], dim=1)
        state = self.dropout(state)
        return torch.stack([head(state) for head in self.heads.values()], dim=1)

    def _read(self, lstm: nn.LSTM, words: PackedSequence, vectors: Tensor) -> Tensor:
        inputs = self.dropout(functional.embedding(words.data, vectors))
        _, (state, _) = lstm(words._replace(data=inputs))
        return state[0]

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
        self.lstm = nn.LSTM(embedding, hidden, bidirectional=True) if recurrent else None
        self.dropout = nn.Dropout(settings["dropout"])
        self.head = _mlp(2 * hidden if recurrent else embedding, len(SUFFIXES), settings)

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Compute the logits of the words to label: (N, suffixes)."""
        padded, _ = pad_packed_sequence(self.states(batch), batch_first=True)
        return self.head(padded[batch.scored])

    def states(self, batch: TaggerBatch) -> PackedSequence:
        """Compute what the MLP reads of each word: its state, or without the LSTM its embedding."""
        vectors = self.vectors(batch)
        if self.lstm is None:
            return vectors
        states, _ = self.lstm(vectors)
        return states._replace(data=self.dropout(states.data))

    def vectors(self, batch: TaggerBatch) -> PackedSequence:
        """Embed each word of the sentences."""
        words = batch.whole
        inputs = self.dropout(functional.embedding(words.data, self.words(batch.words)))
        return words._replace(data=inputs)

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

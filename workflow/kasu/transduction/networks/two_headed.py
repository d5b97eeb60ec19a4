"""Two encoders and a decoder that attends to both; all of them read padding as a symbol.

So an answer depends on the items that it is batched with.

Source: Ács (2018); what the paper leaves open is as in the released code.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.dropout import keep
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import END, Alphabet
from kasu.transduction.batch import Batch, pad
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoded, add_directions, by_direction
from kasu.transduction.layers.luong import LuongDecoder, LuongDecoderState
from kasu.transduction.networks.seq2seq import Seq2Seq, mean_loss

LONGEST = 4  # symbols of an answer for each position of the batch's sources


class NetworkSizes(NamedTuple):
    """The sizes of an encoder, or of the decoder: of embeddings, of states, and layers."""

    embedding: int
    hidden: int
    layers: int


class TwoHeaded(Seq2Seq):
    """Bidirectional LSTMs encode source and features, an LSTM attends to both.

    Args:
        dropout: share of embeddings, and of outputs between layers, that training drops.
        together: how many items are answered as one batch.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        lemma: NetworkSizes,
        features: NetworkSizes,
        decoder: NetworkSizes,
        *,
        dropout: float,
        together: int,
    ) -> None:
        super().__init__(characters, tags)
        sizes = [(characters, lemma), (tags, features), (characters, decoder)]
        self.tables = nn.ModuleList(
            nn.Embedding(len(alphabet), part.embedding) for alphabet, part in sizes
        )
        for table in self.tables:
            nn.init.xavier_uniform_(table.weight)
        self.encoders = nn.ModuleList(
            Recurrent("lstm", part.embedding, part.hidden, layers=part.layers, directions=2)
            for part in (lemma, features)
        )
        hidden = lemma.hidden + features.hidden
        self.first = nn.ModuleList(nn.Linear(hidden, decoder.hidden) for _ in range(2))
        self.decoder: LuongDecoder = LuongDecoder(
            self.tables[2], decoder.hidden, [lemma.hidden, features.hidden],
            layers=decoder.layers, bias=True,
        )  # fmt: skip
        self.dropout, self.together, self.layers = dropout, together, decoder.layers

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; sources have no START, features an END."""
        batch = super().batch(items, seed, epoch)
        tags = [[*self.tags.encode(item.tags), END] for item in items]
        return replace(batch, source=batch.source[:, 1:], tags=pad(tags, batch.tags.device))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source and tags of a batch with their positions, the target, and dropout masks.

        Masks are of source, tags and target embedded, then of outputs between layers likewise.
        """
        assert batch.target is not None
        sequences = [batch.source, batch.tags, batch.target[:, :-1]]
        widths = [table.embedding_dim for table in self.tables]
        dropped = list(zip(sequences, widths, strict=True))
        inner = [*((each.width, len(each.layers)) for each in self.encoders)]
        inner.append((self.decoder.cell.size, self.layers))
        for ids, (width, layers) in zip(sequences, inner, strict=True):
            dropped += [(ids, width)] * (layers - 1)
        # Drawn in this order, on the CPU: the same on every device
        draw = torch.Generator().manual_seed(batch.seed)
        masks = [
            keep((*ids.shape, width), self.dropout * self.training, draw).to(ids.device)
            for ids, width in dropped
        ]
        return [*_with_positions(batch), batch.target, *masks]

    def forward(self, *inputs: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        source, real, tags, real_tags, target, *rest = inputs
        masks = iter(rest)
        lemma, features, read = islice(masks, 3)
        state = self._start(
            self._encode(0, source, real, lemma, masks),
            self._encode(1, tags, real_tags, features, masks),
        )
        log_probs = self.decoder.teacher(state, target[:, :-1], read, list(masks))
        return mean_loss(log_probs, target[:, 1:])

    def start(self, batch: Batch) -> LuongDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        source, real, tags, real_tags = _with_positions(batch)
        return self._start(self._encode(0, source, real), self._encode(1, tags, real_tags))

    def limits(self, items: Sequence[Item]) -> list[int]:
        """Return the most characters of each answer, by the longest source of the batch."""
        return [LONGEST * (1 + max(len(item.source) for item in items))] * len(items)

    def _encode(
        self,
        number: int,
        ids: Tensor,
        positions: Tensor,
        embedded: Tensor | float = 1.0,
        masks: Iterable[Tensor] = (),
    ) -> Encoded:
        """Encode sequences; outputs are sums of both directions.

        Final states are those of the first layers and directions, as many as the decoder has
        layers: a decoder of two starts from both directions of the encoder's first layer.
        """
        network = self.encoders[number]
        between = list(islice(masks, len(network.layers) - 1))
        outputs, *finals = network(self.tables[number](ids) * embedded, positions, between)
        first = tuple(by_direction(final, network.size)[: self.layers] for final in finals)
        return Encoded(add_directions(outputs, network.size), positions, first)

    def _start(self, lemma: Encoded, features: Encoded) -> LuongDecoderState:
        finals = zip(lemma.final, features.final, strict=True)
        h, c = (first(torch.cat(pair, 2)) for first, pair in zip(self.first, finals, strict=True))
        # h and c of the lowest layer first, as a cell has its state
        hidden = tuple(part for layer in zip(h, c, strict=True) for part in layer)
        return self.decoder.start(hidden, [lemma, features])


def _with_positions(batch: Batch) -> list[Tensor]:
    """Return source and tags, each with its positions (B, L): all true, as padding is read too."""
    # In a stack of batches, further padding has false positions
    return [part for ids in (batch.source, batch.tags) for part in (ids, ids >= 0)]

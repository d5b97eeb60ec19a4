"""A network that reads the source in several orders, and learns in part from its own answers."""

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.dropout import keep
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.batch import Batch
from kasu.transduction.features import ManyHot
from kasu.transduction.layers.attention_decoder import AttentionDecoder, AttentionDecoderState
from kasu.transduction.layers.encoder import Order, OrderedEncoder
from kasu.transduction.networks.seq2seq import Seq2Seq, loss_until_over, read_in_part


class OrderedSeq2Seq(Seq2Seq):
    """GRUs read the source, one for each order; a GRU attends to all of them and writes.

    It starts from an affine map of their final states and the features.

    Args:
        embedding: width of embedded symbols.
        size: width of each network.
        dropout: share of what the decoder reads that training drops.
        forced: share of the items for which the decoder reads the target. For the others it reads
            its own answer, and learns as far as that goes.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        orders: Sequence[Order],
        *,
        embedding: int,
        size: int,
        dropout: float,
        forced: float,
    ) -> None:
        super().__init__(characters, tags)
        source, target = (nn.Embedding(len(characters), embedding) for _ in range(2))
        self.encoder = OrderedEncoder("gru", source, size, orders)
        self.features = ManyHot(tags)
        self.first = nn.Linear(self.encoder.width + self.features.width, size)
        self.decoder: AttentionDecoder = AttentionDecoder("gru", target, size, self.encoder.width)
        self.dropout, self.forced = dropout, forced

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, tags and target of a batch, what the decoder reads, and a dropout mask."""
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        rows, symbols = batch.target.shape
        shape = (rows, symbols - 1, self.decoder.table.embedding_dim)
        mask = keep(shape, self.dropout * self.training, draw).to(batch.target.device)
        read = read_in_part(self, batch, mask, self.forced, draw)
        return [batch.source, batch.tags, batch.target, read, mask]

    def forward(
        self, source: Tensor, tags: Tensor, target: Tensor, read: Tensor, mask: Tensor
    ) -> Tensor:
        """Return the mean loss of `inputs` per item, in nats."""
        log_probs = self.decoder.teacher(self._start(source, tags), read, mask)
        return loss_until_over(log_probs, target, read)

    def start(self, batch: Batch) -> AttentionDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        return self._start(batch.source, batch.tags)

    def _start(self, source: Tensor, tags: Tensor) -> AttentionDecoderState:
        encoded = self.encoder(source)
        first = self.first(torch.cat([*encoded.final, self.features(tags)], 1))
        return self.decoder.start((first,), encoded)

"""Train the verb number model, against a plain loop of one sentence per step (BASQUE-9, -10)."""

import copy
import itertools
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from measuring import row
from products import count_operations, product_rate, share_row
from torch import Tensor
from torch.nn import functional

from kasu.agreement.data.tasks import LABELS, SLOTS
from kasu.agreement.data.transforms import Word
from kasu.agreement.models.encoding import (
    EncodedSides,
    Sentences,
    Vocabularies,
    count_vocabularies,
    read_sentences,
)
from kasu.agreement.models.networks import VerbNumberModel
from kasu.files.tables import write_parquet
from kasu.job.run import seed_of
from kasu.neural.batching import length_batches
from kasu.neural.device import make_deterministic
from kasu.neural.optimizers import adam
from kasu.neural.vocabulary import character_ngrams

SENTENCES, TYPES, BATCH, SLICES = 20_000, 60_000, 32, 6
SETTINGS: dict[str, Any] = {  # the paper's sizes
    "embedding": 150,
    "hidden": 150,
    "mlp": 128,
    "vocabulary": 100_000,
    "ngram_lengths": [1, 5],
    "boundary_markers": False,
    "activation": "tanh",
    "dropout": 0.0,
}
CPU = torch.device("cpu")


def write_sentences(path: Path, count: int) -> None:
    """Write random words by Zipf's law, 13 per sentence on average, with random labels."""
    random = np.random.default_rng(seed_of("bench training"))
    weights = 1 / np.arange(1, TYPES + 1)
    letters = list("aaeeiioubdgptkrlnmzsxth")
    words = ["".join(random.choice(letters, random.integers(2, 12))) for _ in range(TYPES)]
    lengths = np.clip(random.poisson(13, count), 3, 40)
    drawn = random.choice(words, lengths.sum(), p=weights / weights.sum()).tolist()
    ends = np.cumsum(lengths)
    tokens = [drawn[end - length : end] for end, length in zip(ends, lengths, strict=True)]
    table = pa.table(
        {
            "item_id": [str(number) for number in range(count)],
            "cluster": [""] * count,
            "variant": ["paper"] * count,
            "tokens": tokens,
            "lemmas": [[word[:4] for word in sentence] for sentence in tokens],
            # Only conditions read these
            **dict.fromkeys(("stems", "suffixes", "licensed"), tokens),
            "finite": [[False] * len(sentence) for sentence in tokens],
            "target": random.integers(0, lengths).astype(np.int32),
            **{slot: random.choice(LABELS, count) for slot in SLOTS},
        }
    )
    write_parquet(path, table, table.schema)


def make_sentences() -> Sentences:
    """The training set, as networks read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.parquet"
        write_sentences(path, SENTENCES)
        return read_sentences(path, "paper", "base")


class Ours:
    """Batches of similar length; each distinct word once; each direction reads only its part."""

    def __init__(self, data: EncodedSides, model: VerbNumberModel) -> None:
        self.data, self.model = data, model
        self.plan = iter(length_batches(data.lengths, BATCH, 0))
        self.steps_a_slice = 12

    def loss(self, rows: np.ndarray) -> Tensor:
        return self.model.loss(self.data.batch(rows, CPU))


class Plain:
    """One sentence per step, read whole in both directions; the state at the target counts."""

    def __init__(self, data: EncodedSides, model: VerbNumberModel, known: Vocabularies) -> None:
        self.data, self.model, self.known = data.sentences, model, known
        self.plan = (rows[:1] for rows in length_batches(data.lengths, BATCH, 0))
        self.steps_a_slice = 50

    def loss(self, rows: np.ndarray) -> Tensor:
        (number,) = rows
        start, end = self.data.starts[number], self.data.starts[number + 1]
        vectors = self.vectors([self.data.types[word] for word in self.data.words[start:end]])
        assert self.model.right
        left, _ = self.model.left(vectors)
        right, _ = self.model.right(vectors.flip(0))
        target = self.data.targets[number]
        state = torch.cat([left[target], right.flip(0)[target]])
        gold = torch.from_numpy(self.data.gold[number])
        return sum(
            functional.cross_entropy(self.model.heads[slot](state), gold[number])
            for number, slot in enumerate(SLOTS)
        )

    def vectors(self, words: list[Word]) -> Tensor:
        tables, known = self.model.words, self.known
        ngrams = [character_ngrams(word.spelling, SETTINGS["ngram_lengths"]) for word in words]
        begins = np.cumsum([0, *map(len, ngrams)])[:-1]
        return (
            tables.token(torch.tensor([known.token.number(word.token) for word in words]))
            + tables.lemma(torch.tensor([known.lemma.number(word.lemma) for word in words]))
            + functional.embedding_bag(
                torch.tensor([known.ngram.number(ngram) for word in ngrams for ngram in word]),
                tables.ngram.weight,
                torch.from_numpy(begins),
                mode="sum",
                sparse=True,
            )
        )


class Trainer:
    """Run steps of one way and add up their words and CPU time."""

    def __init__(self, way: Ours | Plain) -> None:
        self.way = way
        self.optimizers = adam(0.001)(way.model)
        self.words, self.seconds = 0, 0.0

    def train(self, data: EncodedSides) -> None:
        began = time.process_time()
        for rows in itertools.islice(self.way.plan, self.way.steps_a_slice):
            loss = self.way.loss(rows)
            for optimizer in self.optimizers:
                optimizer.zero_grad()
            loss.backward()
            for optimizer in self.optimizers:
                optimizer.step()
            self.words += data.count_words(rows)
        self.seconds += time.process_time() - began


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Words per second of CPU time, ours and the plain loop in turns in this process.

    The text is random and of the paper's size, with or without a mirror.

    Raises:
        AssertionError: they do not compute the same loss.
    """
    make_deterministic(threads=1)
    sentences = make_sentences()
    known = count_vocabularies(sentences, SETTINGS)
    data = EncodedSides(sentences, known, SETTINGS, bidirectional=True)
    torch.manual_seed(1)
    model = VerbNumberModel(known.sizes(), SETTINGS, bidirectional=True)
    ways = Ours(data, model), Plain(data, copy.deepcopy(model), known)
    first = np.array([0])
    torch.testing.assert_close(*(way.loss(first) for way in ways))
    trainers = [Trainer(way) for way in ways]
    rate = product_rate()
    for trainer in trainers * SLICES:
        trainer.train(data)
    rate = max(rate, product_rate())
    ours, plain = (trainer.words / trainer.seconds for trainer in trainers)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    peer = f"plain per-sentence loop, {plain:.0f}"
    item = "BiLSTM training"
    return [
        row(item, ours, "words/CPU-s", peer, ours / plain, peak),
        share_row(item, operations_per_word(Ours(data, model), data), 1 / ours, rate),
    ]


def operations_per_word(way: Ours, data: EncodedSides) -> float:
    """Operations of a word in matrix products, forward and backward, over some batches."""
    chosen = list(itertools.islice(way.plan, way.steps_a_slice))
    counted = count_operations(lambda: [way.loss(rows).backward() for rows in chosen])
    return counted / sum(data.count_words(rows) for rows in chosen)

"""Items that are made up to learn more from few."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kasu.transduction.items import Item


def random_copies(items: Sequence[Item], seed: int) -> list[Item]:
    """Return for each item a random word to copy, as long as its source and with its tags.

    Characters are drawn by their frequency in sources and targets.

    Source: the augmentation of the team Tübingen-Oslo (2018).
    """
    counts = Counter(symbol for item in items for symbol in (*item.source, *(item.target or "")))
    symbols = sorted(counts)
    shares = np.array([counts[symbol] for symbol in symbols]) / counts.total()
    draw = np.random.default_rng(seed)
    words = ("".join(draw.choice(symbols, len(item.source), p=shares)) for item in items)
    return [Item(word, item.tags, word) for word, item in zip(words, items, strict=True)]

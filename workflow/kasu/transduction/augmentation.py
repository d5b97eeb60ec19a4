"""Items that are made up to learn more from few."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from kasu.transduction.alignments.edit_distance import common_substring
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


class AffixRule(NamedTuple):
    """How affixes change around a root, the longest common substring of source and target.

    Attributes:
        prefixes, suffixes: those of the source, of the target.
        first, last: the characters at the ends of the root, which is of one character or more.

    Source: Fam & Lepage (2018 §5.3.1).
    """

    tags: tuple[str, ...]
    prefixes: tuple[str, str]
    first: str
    last: str
    suffixes: tuple[str, str]


def affix_rules(items: Iterable[Item]) -> Counter[AffixRule]:
    """Count the rules of items in order of first occurrence; an item without a root has none."""
    found: Counter[AffixRule] = Counter()
    for item in items:
        source, target = "".join(item.source), "".join(item.target or "")
        i, j, length = common_substring(source, target)
        if length:
            root = source[i : i + length]
            suffixes = source[i + length :], target[j + length :]
            found[AffixRule(item.tags, (source[:i], target[:j]), root[0], root[-1], suffixes)] += 1
    return found


def grow(rule: AffixRule, count: int, draw: Callable[[], str]) -> list[Item]:
    """Make items that a rule holds of; `draw` draws what is between the ends of a root.

    Source: Fam & Lepage (2018 §5.3.2).
    """
    roots = (rule.first + draw() + rule.last for _ in range(count))
    words = (
        [
            f"{before}{root}{after}"
            for before, after in zip(rule.prefixes, rule.suffixes, strict=True)
        ]
        for root in roots
    )
    return [Item(source, rule.tags, target) for source, target in words]

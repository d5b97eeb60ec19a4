"""Items that are made up to learn more from few."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, takewhile, zip_longest
from typing import NamedTuple

import numpy as np

from kasu.transduction.alignments.edit_distance import common_substring
from kasu.transduction.items import Item
from kasu.transduction.ngrams import Blanks

RARE, MADE, LONGEST = 10, 5, 4  # of `grow_rare`


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


def grow_rare(items: Sequence[Item], symbols: Sequence[str], seed: int) -> list[Item]:
    """Make five items of each rule of items that holds of fewer than ten.

    Between the ends of a root are one to four of `symbols`.

    Source: Fam & Lepage (2018 §5.3.2).
    """
    draw = np.random.default_rng(seed)

    def invent() -> str:
        return "".join(draw.choice(symbols, draw.integers(1, LONGEST + 1)))

    rules = affix_rules(items).items()
    return [item for rule, count in rules if count < RARE for item in grow(rule, MADE, invent)]


Gapped = tuple[str | None, ...]
"""The symbols of a word; None is a gap."""


class Pattern(NamedTuple):
    """What two items of the same features have in common, their words aligned at the ends.

    Source: Schröder et al. (2018 §4.1).
    """

    tags: tuple[str, ...]
    source: Gapped
    target: Gapped


def agreeing(items: Iterable[Item]) -> list[Pattern]:
    """Return the pattern of each two items of the same features; there are many in large sets."""
    groups: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        groups.setdefault(item.tags, []).append(item)
    return [
        Pattern(
            tags,
            _common(one.source, other.source),
            _common(one.target or "", other.target or ""),
        )
        for tags, group in groups.items()
        for one, other in combinations(group, 2)
    ]


def _common(one: Sequence[str], other: Sequence[str]) -> Gapped:
    """Return what two words have in common at equal distances from their ends; else a gap."""
    columns = zip_longest(reversed(one), reversed(other))
    return tuple(a if a == b else None for a, b in columns)[::-1]


def fill(pattern: Pattern, blanks: Blanks, draw: np.random.Generator) -> Item:
    """Make an item of a pattern.

    Gaps of source and target are filled from the left with the same symbols, drawn by their
    frequency. Those of the longer one that are left over are filled by what is around them.

    Source: Schröder et al. (2018) §4.2.
    """
    words = pattern.source, pattern.target
    shared = [blanks.draw((), (), draw) for _ in range(min(word.count(None) for word in words))]
    source, target = (_filled(word, shared, blanks, draw) for word in words)
    return Item(source, pattern.tags, target)


def _filled(word: Gapped, shared: Sequence[str], blanks: Blanks, draw: np.random.Generator) -> str:
    """Return a word with symbols in its first gaps, and with drawn ones in those left over."""
    symbols, made = iter(shared), ""
    for place, symbol in enumerate(word):
        if symbol is None:
            # All to the left is filled; the next gap bounds what is known to the right
            right = "".join(map(str, takewhile(bool, word[place + 1 :])))
            symbol = next(symbols, None) or blanks.draw(made, right, draw)
        made += symbol
    return made

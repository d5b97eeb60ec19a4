"""The official baseline (Cotterell et al. 2018 §4.1; 2017): suffix and prefix rules of alignments.

A rule rewrites the end or the start of a lemma. Each training pair yields rules of all lengths. To
inflect, the suffix rule of the features with the longest left side is applied, then one prefix
rule. The papers do not say which of several equally good rules applies: a variant is an order of
such ties. `published` is the hash order of Python 2.7, in which the published program ran; it
reproduces the published figures exactly. `insertion` takes the rule that training saw first.

A lemma stays unchanged if its features never occur in training or no rule matches, mostly because
of a character outside the training alphabet.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kasu.transduction.alignments.alignment import GAP, align, overhangs
from kasu.transduction.alignments.tie_order import Python2Table
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, Rules
from kasu.transduction.task.settings import SIZES

START, END = "<", ">"

Rule = tuple[str, str]  # left side, right side
Counts = dict[str, dict[str, int]]  # by left side, then right side


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Rules]:
    """Learn the rules once, for all orders of ties."""
    baseline = Baseline(data.train)
    return {run: Rules(partial(baseline.inflect, ties=str(run.variant))) for run in members}


class Baseline:
    """The rules of a training set.

    Attributes:
        prefixing: whether affixes are mostly prefixes; words are then read backwards.
    """

    def __init__(self, train: Sequence[Item]) -> None:
        pairs = [(*_texts(item), item.tags) for item in train]
        self.prefixing = is_prefixing((lemma, form) for lemma, form, _ in pairs)
        self._rules: dict[tuple[str, ...], tuple[_Rules, _Rules]] = {}
        for lemma, form, tags in pairs:
            if tags not in self._rules:
                self._rules[tags] = _Rules(SUFFIX), _Rules(PREFIX)
            split = split_pair(self._turned(lemma), self._turned(form))
            for rules in self._rules[tags]:
                rules.add(split)

    def inflect(self, item: Item, ties: str) -> str:
        """Inflect a lemma; `ties` is one of VARIANTS."""
        lemma, _ = _texts(item)
        if item.tags not in self._rules:
            return lemma
        word = START + self._turned(lemma) + END
        for rules in self._rules[item.tags]:
            word = rules.rewrite(word, ties)
        return self._turned(word.replace(START, "").replace(END, ""))

    def _turned(self, word: str) -> str:
        return word[::-1] if self.prefixing else word


def _texts(item: Item) -> tuple[str, str]:
    """Return lemma and form."""
    return "".join(item.source), "".join(item.target or "")


def is_prefixing(pairs: Iterable[tuple[str, str]]) -> bool:
    """Tell whether forms overhang their lemmata more at the start than at the end.

    The overhang is counted in letters at the best offset of form to lemma. Pairs with a space or a
    hyphen do not count.

    Args:
        pairs: lemma and form.
    """
    prefix = suffix = 0
    for lemma, form in pairs:
        if {" ", "-"}.isdisjoint(lemma + form):
            before, after = overhangs(lemma, form)
            prefix += before
            suffix += after
    return prefix > suffix


class Split(NamedTuple):
    """An aligned pair, cut into prefix, middle and suffix with their gaps.

    Attributes:
        prefixes: the prefix of the lemma, of the form.
        middle: the middle of the form.
        endings: middle and suffix of the lemma, of the form.
    """

    prefixes: tuple[str, str]
    middle: str
    endings: tuple[str, str]


def split_pair(lemma: str, form: str) -> Split:
    """Align a pair; cut it after the leading gaps and before the trailing gaps of either row."""
    rows = upper, lower = align(lemma, form)
    p = max(len(row) - len(row.lstrip(GAP)) for row in rows)
    end = min(len(row.rstrip(GAP)) for row in rows)
    # In a row of gaps alone, `end` lies before `p`: the ending then starts at `end`
    return Split(
        (upper[:p], lower[:p]),
        lower[p:end],
        (upper[min(p, end) :], lower[min(p, end) :]),
    )


def suffix_rules(split: Split) -> list[Rule]:
    """Return the suffix rules of a pair with their gaps, longest first."""
    left, right = (ending + END for ending in split.endings)
    return [(left[i:], right[i:]) for i in range(len(left))]


def prefix_rules(split: Split) -> list[Rule]:
    """Return the prefix rules of a pair with their gaps, shortest first.

    Both sides contain the middle of the *form*, so a rule need not match its own lemma.
    """
    left, right = (START + prefix for prefix in split.prefixes)
    middle = split.middle
    return [(left + middle[:i], right + middle[:i]) for i in range(len(middle))]


def without_gaps(rules: Iterable[Rule]) -> list[Rule]:
    """Remove gaps and duplicates; keep the order of first occurrence."""
    return list(
        dict.fromkeys([(left.replace(GAP, ""), right.replace(GAP, "")) for left, right in rules])
    )


def matching_suffixes(word: str, counts: Counts) -> list[Rule]:
    """Return the best rules: longest left side, then highest count, then longest right side."""
    # A lemma may hold END itself, so a rule may match in several places
    ends = [place + 1 for place, letter in enumerate(word) if letter == END]
    for length in range(len(word), 0, -1):
        lefts = {word[end - length : end] for end in ends if end >= length}
        if rules := _rules_of(lefts, counts):
            return _best(rules, lambda rule: (counts[rule[0]][rule[1]], len(rule[1])))
    return []


def matching_prefixes(word: str, counts: Counts) -> list[Rule]:
    """Return the best rules: those with the highest count, whatever their length."""
    starts = [place for place, letter in enumerate(word) if letter == START]
    lefts = {word[start:end] for start in starts for end in range(start + 1, len(word) + 1)}
    return _best(_rules_of(lefts, counts), lambda rule: (counts[rule[0]][rule[1]],))


def _rules_of(lefts: set[str], counts: Counts) -> list[Rule]:
    return [(left, right) for left in lefts if left in counts for right in counts[left]]


def _best(rules: list[Rule], merit: Callable[[Rule], tuple[int, ...]]) -> list[Rule]:
    best = max(map(merit, rules), default=None)
    return [rule for rule in rules if merit(rule) == best]


def suffix_set(rules: Iterable[Rule]) -> Iterable[Rule]:
    """Order a pair's suffix rules as Python 2.7 iterates over the original's set."""
    return Python2Table(without_gaps(Python2Table(rules)))


def prefix_set(rules: Iterable[Rule]) -> Iterable[Rule]:
    """Order a pair's prefix rules likewise; the original rebuilds its set for each rule it adds."""
    table = Python2Table()
    for rule in rules:
        table.add(rule)
        table = Python2Table(without_gaps(table))
    return table


def insertion_order(side: "Side", splits: Iterable[Split]) -> Iterable[Rule]:
    """Order the rules of an MSD as training first saw them."""
    return dict.fromkeys(rule for split in splits for rule in without_gaps(side.rules(split)))


def published_order(side: "Side", splits: Iterable[Split]) -> Iterable[Rule]:
    """Order the rules of an MSD as Python 2.7 iterates over the original's dict."""
    table = Python2Table()
    for split in splits:
        rules = side.rules(split)
        new = [rule for rule in without_gaps(rules) if rule not in table]
        # The order within the pair's set matters only for two or more new keys
        for rule in new if len(new) < 2 else side.as_set(rules):
            table.add(rule)
    return table


VARIANTS = {"published": published_order, "insertion": insertion_order}


class Side(NamedTuple):
    """The functions in which suffix and prefix rules differ."""

    rules: Callable[[Split], list[Rule]]
    matching: Callable[[str, Counts], list[Rule]]
    as_set: Callable[[Iterable[Rule]], Iterable[Rule]]


SUFFIX = Side(suffix_rules, matching_suffixes, suffix_set)
PREFIX = Side(prefix_rules, matching_prefixes, prefix_set)


class _Rules:
    """The suffix rules or the prefix rules of one MSD."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._splits: list[Split] = []
        self._counts: Counts = {}
        self._ranks: dict[str, dict[Rule, int]] = {}

    def add(self, split: Split) -> None:
        self._splits.append(split)
        counts = self._counts
        for left, right in without_gaps(self._side.rules(split)):
            if left in counts:
                rights = counts[left]
                rights[right] = rights.get(right, 0) + 1
            else:
                counts[left] = {right: 1}

    def rewrite(self, word: str, ties: str) -> str:
        """Apply the best matching rule, if any; order ties only if they give different words."""
        rules = self._side.matching(word, self._counts)
        rewritten = {word.replace(*rule) for rule in rules}
        if len(rewritten) > 1:
            ranks = self._ranks_by(ties)
            return word.replace(*min(rules, key=ranks.__getitem__))
        return rewritten.pop() if rewritten else word

    def _ranks_by(self, ties: str) -> dict[Rule, int]:
        if ties not in self._ranks:
            order = VARIANTS[ties](self._side, self._splits)
            self._ranks[ties] = {rule: rank for rank, rule in enumerate(order)}
        return self._ranks[ties]


FAMILY = ModelFamily(
    __name__,
    variants=VARIANTS,
    members=dict.fromkeys(SIZES),
    submissions={"baseline": alone},
    learnt_by=learn,
)

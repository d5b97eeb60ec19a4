"""The official baseline (Cotterell et al. 2018 §4.1; 2017): suffix and prefix rules of alignments.

A rule rewrites the end, or the start, of a lemma. Every training pair gives rules of all lengths;
a form takes the suffix rule of its features with the longest left side, then one prefix rule. What
decides between rules of equal merit is not in the papers: `ties` names it. `published` is the hash
order of Python 2.7, in which the published program ran and whose figures it gives exactly;
`insertion` is the rule that training saw first.

Features never seen in training leave the lemma as it is; so does what no rule matches, a character
outside of the training alphabet above all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from kasu.inflection.data.triples import Triple
from kasu.inflection.tie_order import Python2Table
from kasu.transduction.alignment import GAP, align, overhangs

DRAWS = False

START, END = "<", ">"

Rule = tuple[str, str]  # left side, right side
Counts = dict[str, dict[str, int]]  # by left side, then right side


def inflect(
    train: Sequence[Triple],
    dev: Sequence[Triple],
    test: Sequence[tuple[str, str]],
    *,
    variants: Sequence[str],
    seeds: Sequence[int],
    settings: Mapping[str, object],
) -> dict[tuple[str | None, int | None], list[str]]:
    """Forms of the test items under each of `variants`: the ORDERS that break ties.

    Dev is never trained on, and nothing is drawn: the seed is None.
    """
    baseline = Baseline(train)
    return {
        (ties, None): [baseline.inflect(lemma, features, ties) for lemma, features in test]
        for ties in variants
    }


class Baseline:
    """The rules of a training set.

    Attributes:
        prefixing: whether affixes stand rather at the start; words are then read backwards.
    """

    def __init__(self, train: Sequence[Triple]) -> None:
        self.prefixing = is_prefixing(train)
        self._rules: dict[str, tuple[_Rules, _Rules]] = {}
        for lemma, form, features in train:
            if features not in self._rules:
                self._rules[features] = _Rules(SUFFIX), _Rules(PREFIX)
            split = split_pair(self._turned(lemma), self._turned(form))
            for rules in self._rules[features]:
                rules.add(split)

    def inflect(self, lemma: str, features: str, ties: str) -> str:
        """The form of a lemma; `ties` is one of ORDERS."""
        if features not in self._rules:
            return lemma
        word = START + self._turned(lemma) + END
        for rules in self._rules[features]:
            word = rules.rewrite(word, ties)
        return self._turned(word.replace(START, "").replace(END, ""))

    def _turned(self, word: str) -> str:
        return word[::-1] if self.prefixing else word


def is_prefixing(train: Iterable[Triple]) -> bool:
    """Whether more letters overhang at the start than at the end when form slides along lemma.

    Pairs with a space or a hyphen do not count.
    """
    prefix = suffix = 0
    for lemma, form, _ in train:
        if {" ", "-"}.isdisjoint(lemma + form):
            before, after = overhangs(lemma, form)
            prefix += before
            suffix += after
    return prefix > suffix


class Split(NamedTuple):
    """An aligned pair cut into prefix, middle and suffix, gaps included.

    Attributes:
        prefixes: the prefix of the lemma, of the form.
        middle: the middle of the form.
        endings: middle and suffix of the lemma, of the form.
    """

    prefixes: tuple[str, str]
    middle: str
    endings: tuple[str, str]


def split_pair(lemma: str, form: str) -> Split:
    """Cut an aligned pair behind the gaps that start either row, and before those that end one."""
    rows = upper, lower = align(lemma, form)
    p = max(len(row) - len(row.lstrip(GAP)) for row in rows)
    end = min(len(row.rstrip(GAP)) for row in rows)
    # A row of gaps alone: `end` lies before `p`, and the ending is what stands behind `end`.
    return Split(
        (upper[:p], lower[:p]),
        lower[p:end],
        (upper[min(p, end) :], lower[min(p, end) :]),
    )


def suffix_rules(split: Split) -> list[Rule]:
    """Suffix rules of a pair, gaps included, the longest first."""
    left, right = (ending + END for ending in split.endings)
    return [(left[i:], right[i:]) for i in range(len(left))]


def prefix_rules(split: Split) -> list[Rule]:
    """Prefix rules of a pair, gaps included, the shortest first.

    The middle of the *form* stands on both sides, so that a rule need not fit its own lemma.
    """
    left, right = (START + prefix for prefix in split.prefixes)
    middle = split.middle
    return [(left + middle[:i], right + middle[:i]) for i in range(len(middle))]


def without_gaps(rules: Iterable[Rule]) -> list[Rule]:
    """The rules without gaps, each once, in the order of the first."""
    return list(
        dict.fromkeys([(left.replace(GAP, ""), right.replace(GAP, "")) for left, right in rules])
    )


def matching_suffixes(word: str, counts: Counts) -> list[Rule]:
    """The best rules: those of the longest left side, then of highest count and longest right."""
    ends = [place + 1 for place, letter in enumerate(word) if letter == END]
    for length in range(len(word), 0, -1):
        lefts = {word[end - length : end] for end in ends if end >= length}
        if rules := _rules_of(lefts, counts):
            return _best(rules, lambda rule: (counts[rule[0]][rule[1]], len(rule[1])))
    return []


def matching_prefixes(word: str, counts: Counts) -> list[Rule]:
    """The best rules: those of highest count, whatever their length."""
    starts = [place for place, letter in enumerate(word) if letter == START]
    lefts = {word[start:end] for start in starts for end in range(start + 1, len(word) + 1)}
    return _best(_rules_of(lefts, counts), lambda rule: counts[rule[0]][rule[1]])


def _rules_of(lefts: set[str], counts: Counts) -> list[Rule]:
    return [(left, right) for left in lefts if left in counts for right in counts[left]]


def _best(rules: list[Rule], merit: Callable[[Rule], object]) -> list[Rule]:
    best = max(map(merit, rules), default=None)
    return [rule for rule in rules if merit(rule) == best]


def suffix_set(rules: Iterable[Rule]) -> Iterable[Rule]:
    """A pair's suffix rules as Python 2.7 iterates over the original's set of them."""
    return Python2Table(without_gaps(Python2Table(rules)))


def prefix_set(rules: Iterable[Rule]) -> Iterable[Rule]:
    """A pair's prefix rules likewise; the original makes the set anew for every rule it adds."""
    table = Python2Table()
    for rule in rules:
        table.add(rule)
        table = Python2Table(without_gaps(table))
    return table


def insertion_order(side: "Side", splits: Iterable[Split]) -> Iterable[Rule]:
    """An MSD's rules as training saw them first."""
    return dict.fromkeys(rule for split in splits for rule in without_gaps(side.rules(split)))


def published_order(side: "Side", splits: Iterable[Split]) -> Iterable[Rule]:
    """An MSD's rules as Python 2.7 iterates over the original's dictionary of them."""
    table = Python2Table()
    for split in splits:
        rules = side.rules(split)
        new = [rule for rule in without_gaps(rules) if rule not in table]
        # One key alone goes in wherever it stands in its set
        for rule in new if len(new) < 2 else side.as_set(rules):
            table.add(rule)
    return table


ORDERS = {"published": published_order, "insertion": insertion_order}


class Side(NamedTuple):
    """What rules of the end and of the start of words do in ways of their own."""

    rules: Callable[[Split], list[Rule]]
    matching: Callable[[str, Counts], list[Rule]]
    as_set: Callable[[Iterable[Rule]], Iterable[Rule]]


SUFFIX = Side(suffix_rules, matching_suffixes, suffix_set)
PREFIX = Side(prefix_rules, matching_prefixes, prefix_set)


class _Rules:
    """The rules of one MSD on one side of words."""

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
        """Apply the best rule, where one matches; ask for an order only where it matters."""
        rules = self._side.matching(word, self._counts)
        rewritten = {word.replace(*rule) for rule in rules}
        if len(rewritten) > 1:
            ranks = self._ranks_by(ties)
            return word.replace(*min(rules, key=ranks.__getitem__))
        return rewritten.pop() if rewritten else word

    def _ranks_by(self, ties: str) -> dict[Rule, int]:
        if ties not in self._ranks:
            order = ORDERS[ties](self._side, self._splits)
            self._ranks[ties] = {rule: rank for rank, rule in enumerate(order)}
        return self._ranks[ties]

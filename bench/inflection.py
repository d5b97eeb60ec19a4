"""The official baseline of inflection against a literal transcription of the original procedure.

The peer aligns by memoised recursion over strings, slides explicit rows along each other, and tries
every rule on every lemma. Both train on the same triples, inflect the same test sets in this
process, and must agree on every item. `insertion` compares the procedures alone; under `published`
the peer emulates the hash order of Python 2.7 for all rules, ours only for tied ones. Ratios are of
CPU time.
"""

import multiprocessing
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from measuring import peak_memory, row

from kasu.inflection.data.triples import Triple, read_triples
from kasu.inflection.systems.baseline import Baseline
from kasu.transduction.alignments.tie_order import Python2Table
from kasu.transduction.items import read_item

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "resources" / "demo" / "inflection"
TASK = "sigmorphon2018/task1/all"
CELLS = (
    ("sorani", "medium"),
    ("swahili", "medium"),
    ("hungarian", "medium"),
    ("basque", "high"),
)
TURNS = 3

Rule = tuple[str, str]


class InsertionTable(dict):
    """A set of rules in insertion order."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        super().__init__(dict.fromkeys(rules))

    def add(self, rule: Rule) -> None:
        self[rule] = None


TABLES = {"insertion": InsertionTable, "published": Python2Table}


def memoised(function: Callable) -> Callable:
    """Cache, for each pair of suffixes, what they add to the alignment of what precedes."""
    cache = {}

    def visit(upper: str, lower: str, rest: str, other: str, cost: float) -> tuple:
        if (rest, other) not in cache:
            above, below, total = function(upper, lower, rest, other, cost)
            cache[rest, other] = above[len(upper) :], below[len(lower) :], total - cost
        above, below, more = cache[rest, other]
        return upper + above, lower + below, cost + more

    return visit


def align(lemma: str, form: str) -> tuple[str, str]:
    @memoised
    def visit(upper: str, lower: str, rest: str, other: str, cost: float) -> tuple:
        if not rest:
            return upper + "_" * len(other), lower + other, cost + len(other)
        if not other:
            return upper + rest, lower + "_" * len(rest), cost + len(rest)
        unequal = 0 if rest[0] == other[0] else 1.1
        return min(
            visit(upper + rest[0], lower + other[0], rest[1:], other[1:], cost + unequal),
            visit(upper + "_", lower + other[0], rest, other[1:], cost + 1.0),
            visit(upper + rest[0], lower + "_", rest[1:], other, cost + 1.0),
            key=lambda found: found[2],
        )

    return visit("", "", lemma, form, 0)[:2]


def slide(lemma: str, form: str) -> list[str]:
    places = [
        ("_" * k + lemma + "_" * (len(form) - k), "_" * len(lemma) + form)
        for k in range(len(form) + 1)
    ]
    places += [
        ("_" * len(form) + lemma, "_" * (len(lemma) - k) + form + "_" * k)
        for k in range(len(lemma) + 1)
    ]
    best = min(places, key=lambda rows: sum(a != b for a, b in zip(*rows, strict=True)))
    columns = [pair for pair in zip(*best, strict=True) if pair != ("_", "_")]
    return ["".join(row) for row in zip(*columns, strict=True)]


def leading(text: str) -> int:
    return len(text) - len(text.lstrip("_"))


def trailing(text: str) -> int:
    return len(text) - len(text.rstrip("_"))


def rules_of(lemma: str, form: str, table: type) -> tuple[Iterable[Rule], Iterable[Rule]]:
    upper, lower = align(lemma, form)
    p = max(leading(upper), leading(lower))
    end = len(upper) - max(trailing(upper), trailing(lower))
    left, right = upper[p:end] + upper[end:] + ">", lower[p:end] + lower[end:] + ">"
    suffixes = table((left[i:], right[i:]) for i in range(min(len(left), len(right))))
    prefixes, middle = table(), lower[p:end]
    for i in range(len(middle)):
        prefixes.add(("<" + upper[:p] + middle[:i], "<" + lower[:p] + middle[:i]))
        prefixes = without_gaps(prefixes, table)
    return without_gaps(suffixes, table), prefixes


def without_gaps(rules: Iterable[Rule], table: type) -> Iterable[Rule]:
    return table((left.replace("_", ""), right.replace("_", "")) for left, right in rules)


def original(train: Sequence[Triple], test: Sequence[tuple[str, str]], ties: str) -> list[str]:
    """The original procedure, with sets and dictionaries in the order of `ties`."""
    prefix = suffix = 0
    for lemma, form, _ in train:
        rows = slide(lemma, form)
        if not any(letter in row for row in rows for letter in " -"):
            prefix += sum(map(leading, rows))
            suffix += sum(map(trailing, rows))
    turn = -1 if prefix > suffix else 1
    counted: tuple[dict, dict] = {}, {}
    for lemma, form, features in train:
        found = rules_of(lemma[::turn], form[::turn], TABLES[ties])
        for counts, rules in zip(counted, found, strict=True):
            counts = counts.setdefault(features, {})
            for rule in rules:
                counts[rule] = counts.get(rule, 0) + 1
    sides = [
        {features: (TABLES[ties](counts), counts) for features, counts in side.items()}
        for side in counted
    ]
    return [rewrite(lemma[::turn], features, sides)[::turn] for lemma, features in test]


def rewrite(lemma: str, features: str, sides: Sequence[dict]) -> str:
    if features not in sides[0]:
        return lemma
    word = f"<{lemma}>"
    merits = (lambda rule, count: (len(rule[0]), count, len(rule[1])), lambda rule, count: count)
    for side, merit in zip(sides, merits, strict=True):
        rules, counts = side.get(features, ((), {}))
        if fitting := [rule for rule in rules if rule[0] in word]:
            word = word.replace(*max(fitting, key=lambda rule: merit(rule, counts[rule])))
    return word.replace("<", "").replace(">", "")


def ours(train: Sequence[Triple], test: Sequence[tuple[str, str]], ties: str) -> list[str]:
    baseline = Baseline([read_item(lemma, features, form) for lemma, form, features in train])
    return [baseline.inflect(read_item(*asked), ties) for asked in test]


def read_cells(mirror: Path | None) -> dict[str, tuple[list[Triple], list[tuple[str, str]]]]:
    """Training triples and test items of CELLS; without a mirror, the demo's lines in turn."""
    if mirror is None:
        read = {
            file.name.split(".")[0]: read_triples(file) for file in DEMO.glob("*.paradigms.tsv")
        }
        cells = {name: (read[name][::2], read[name][1::2]) for name in sorted(read)}
    else:
        cells = {
            f"{language} {setting}": (
                read_triples(mirror / TASK / f"{language}-train-{setting}"),
                read_triples(mirror / TASK / f"{language}-test"),
            )
            for language, setting in CELLS
        }
    return {
        name: (train, [(triple.lemma, triple.features) for triple in test])
        for name, (train, test) in cells.items()
    }


def cpu(function: Callable, *arguments: object) -> tuple[float, list[str]]:
    began = time.process_time()
    found = function(*arguments)
    return time.process_time() - began, found


def speed_row(name: str, train: list[Triple], test: list, ties: str) -> dict[str, object]:
    """Time training and inflection of one cell; ours is the median of TURNS."""
    peer, expected = cpu(original, train, test, ties)
    turns = [cpu(ours, train, test, ties) for _ in range(TURNS)]
    if any(found != expected for _, found in turns):
        raise AssertionError(f"{name}, {ties}: ours and the original's forms differ")
    mine = sorted(turns)[TURNS // 2][0]
    item, unit = f"baseline, {name}, ties {ties}", "training pairs/CPU-s"
    return row(item, len(train) / mine, unit, f"literal, {len(train) / peer:.0f}", peer / mine)


def memory_row(name: str, train: list[Triple], test: list) -> dict[str, object]:
    """Peak memory of a process that trains and inflects one cell."""
    context = multiprocessing.get_context("spawn")
    peaks = []
    for function in (original, ours):
        process = context.Process(target=function, args=(train, test, "insertion"))
        process.start()
        peaks.append(peak_memory(process))
    peer, mine = peaks
    item = f"baseline, {name}: peak memory"
    return row(item, mine, "MB", f"literal, {peer:.0f}", peer / mine, mine)


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on languages of the mirror, or on the demo's without one."""
    cells = read_cells(mirror)
    largest = max(cells, key=lambda name: len(cells[name][0]))
    return [
        *(speed_row(name, *cell, ties) for name, cell in cells.items() for ties in TABLES),
        memory_row(largest, *cells[largest]),
    ]

"""Blocks of string transduction: action systems over whole files, aligner and transducer on loops.

Executors run on what their oracles say, on each pair of each language's largest training file, and
must write its form. The aligner's peer fills its trellis cell by cell; both draw the same numbers
and must agree on every alignment. The phrasal transducer's peer lists all features of each step and
adds up their weights anew; both must give the same forms. Ratios are of CPU time. Nothing here
multiplies large matrices, so there is no share of their rate.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

import numpy as np
from measuring import row

from kasu.inflection.data.triples import read_triples
from kasu.transduction.alignments.crp_alignment import TIE, _first_alignment, align_by_crp
from kasu.transduction.alignments.edit_distance import Columns, common_subsequence, levenshtein
from kasu.transduction.alignments.many_to_many import Alignment, ManyToMany, Step, is_copy
from kasu.transduction.edits.actions import (
    END,
    aligned_oracle,
    consuming,
    patching,
    patching_oracle,
    pointing,
    pointing_oracle,
)
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position
from kasu.transduction.edits.glyphs import Patches
from kasu.transduction.items import read_item
from kasu.transduction.linear.margins import smallest_step
from kasu.transduction.linear.phrasal import BEAM, NBEST, Phrasal, Sizes, loss

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "resources" / "demo" / "inflection"
TASK = "sigmorphon2018/task1"
ALIGNED = ("german", "hungarian", "swahili")

Pair = tuple[str, str]


def largest_files(mirror: Path | None) -> list[Path]:
    """The largest training file of each language; settings are nested."""
    if mirror is None:
        return sorted(DEMO.glob("*.paradigms.tsv"))
    by_language: dict[str, Path] = {}
    for setting in ("low", "medium", "high"):
        for path in sorted(mirror.glob(f"{TASK}/*/*-train-{setting}")):
            by_language[path.name.removesuffix(f"-train-{setting}")] = path
    return sorted(by_language.values())


def pairs_of(path: Path) -> list[Pair]:
    return [(triple.lemma, triple.form) for triple in read_triples(path)]


def monotone(source: str, target: str, rng: random.Random) -> Columns:
    """A random monotone alignment."""
    pieces = [(letter, None) for letter in source], [(None, letter) for letter in target]
    order = [0] * len(source) + [1] * len(target)
    rng.shuffle(order)
    sides = [iter(each) for each in pieces]
    return [next(sides[side]) for side in order]


def optimal_path(source: str, target: str, rng: random.Random) -> list[str]:
    """A random path that the dynamic oracle calls optimal."""
    oracle, state, actions = DynamicOracle(source, target), Position(), [""]
    while actions[-1] != END:
        actions.append(rng.choice(oracle.optimal(state)))
        state = oracle.after(state, actions[-1])
    return actions[1:]


SYSTEMS: dict[str, Callable[[str, str, random.Random], str]] = {
    "pointing, by warping": lambda source, target, _: pointing(
        source, pointing_oracle(source, target)
    ),
    "consuming, any alignment": lambda source, target, rng: consuming(
        source, aligned_oracle(monotone(source, target, rng))
    ),
    "consuming, dynamic oracle": lambda source, target, rng: consuming(
        source, optimal_path(source, target, rng)
    ),
}


def identity_rows(files: Sequence[Path]) -> list[dict[str, object]]:
    """Executor after oracle on every pair, one row per action system."""
    pairs = [pair for path in files for pair in pairs_of(path)]
    rows = []
    for name, write in SYSTEMS.items():
        rng = random.Random(1)
        began = time.process_time()
        wrong = [pair for pair in pairs if write(*pair, rng) != pair[1]]
        spent = time.process_time() - began
        if wrong:
            raise AssertionError(f"{name}: {len(wrong)} forms of {len(pairs)} differ: {wrong[:3]}")
        item = f"executor after oracle, {name}: {len(pairs)} pairs of {len(files)} files equal"
        rows.append(row(item, len(pairs) / spent, "pairs/CPU-s", f"in {spent:.0f} CPU s"))
    return rows


def patching_row(files: Sequence[Path]) -> dict[str, object]:
    """Hamburg's executor after its oracle, which loses letters that forms double after the lemma.

    The patches are those of the letters of each file.
    """
    lost, count = Counter[str](), 0
    began = time.process_time()
    for path in files:
        pairs = pairs_of(path)
        patches = Patches({letter for pair in pairs for word in pair for letter in word})
        for source, target in pairs:
            actions = patching_oracle(levenshtein(source, target, patches.alike), patches)
            lost[path.name] += patching(source, actions, patches) != target
        count += len(pairs)
    spent = time.process_time() - began
    most = ", ".join(f"{name} {number}" for name, number in lost.most_common(3))
    losses = f"{lost.total()} of {count} pairs lose a letter ({most})"
    item = f"executor after oracle, patching: {losses}"
    return row(item, count / spent, "pairs/CPU-s", f"in {spent:.0f} CPU s")


class LiteralCrp:
    """The aligner with a dictionary of counts and a trellis filled cell by cell."""

    def __init__(self, prior: float) -> None:
        self.counts: Counter = Counter()
        self.prior = prior

    def path(self, source: str, target: str, draw: Callable[[], float] | None) -> Columns:
        distinct = max(sum(count > 0 for count in self.counts.values()), 1)
        whole = math.log(self.counts.total() + distinct * self.prior)

        def log(upper: str | None, lower: str | None) -> float:
            return math.log(self.counts[upper, lower] + self.prior) - whole

        def ways(i: int, j: int) -> list[float]:
            ways = [-math.inf] * 3
            if i and j:
                ways[0] = sums[i - 1][j - 1] + log(source[i - 1], target[j - 1])
            if i:
                ways[1] = sums[i - 1][j] + log(source[i - 1], None)
            if j:
                ways[2] = sums[i][j - 1] + log(None, target[j - 1])
            return ways

        sums = [[0.0] * (len(target) + 1) for _ in range(len(source) + 1)]
        for i in range(len(source) + 1):
            for j in range(len(target) + 1):
                if i or j:
                    weights = ways(i, j)
                    most = max(weights)
                    rest = sum(math.exp(weight - most) for weight in weights)
                    sums[i][j] = most + math.log(rest) if draw else most
        i, j, columns = len(source), len(target), []
        while i or j:
            weights = ways(i, j)
            step = next(step for step in range(3) if weights[step] >= max(weights) - TIE)
            if draw and i and j:
                shares = [math.exp(weight - sums[i][j]) for weight in weights]
                drawn = draw()
                step = 0 if drawn < shares[0] else 1 if drawn < shares[0] + shares[1] else 2
            columns.append(
                (source[i - 1] if step != 2 else None, target[j - 1] if step != 1 else None)
            )
            i, j = i - (step != 2), j - (step != 1)
        return columns[::-1]


def literal_crp(pairs: Sequence[Pair], prior: float, passes: int, seed: int) -> list[Columns]:
    rng = np.random.default_rng(seed)
    model = LiteralCrp(prior)
    paths = [_first_alignment(*pair, common_subsequence) for pair in pairs]
    for path in paths:
        model.counts.update(path)
    for _ in range(passes):
        for place in rng.permutation(len(pairs)):
            model.counts.subtract(paths[place])
            source, target = pairs[place]
            draws = iter(rng.random(len(source) + len(target)).tolist())
            paths[place] = model.path(source, target, draws.__next__)
            model.counts.update(paths[place])
    return [model.path(*pair, None) for pair in pairs]


def crp_rows(files: Iterable[Path]) -> list[dict[str, object]]:
    """Our aligner beside the literal loop."""
    rows = []
    for path in files:
        pairs = pairs_of(path)
        began = time.process_time()
        ours = align_by_crp(pairs, prior=0.1, passes=5, seed=1)
        mine = time.process_time() - began
        expected = literal_crp(pairs, 0.1, 5, 1)
        peer = time.process_time() - began - mine
        if ours != expected:
            raise AssertionError(f"{path}: alignments differ")
        item = f"CRP alignment, {path.name}"
        unit, literal = "pairs/CPU-s", f"literal, {len(pairs) / peer:.0f}"
        rows.append(row(item, len(pairs) / mine, unit, literal, peer / mine))
    return rows


Features = list[tuple[Hashable, ...]]


class LiteralPhrasal:
    """The equations of the phrasal transducer, one feature after the other."""

    def __init__(self, aligned: Sequence[Alignment], sizes: Sizes) -> None:
        self.sizes = sizes
        self.weights: dict[Hashable, float] = {}
        self.references: dict[tuple[str, ...], list[Alignment]] = {}
        counts: dict[tuple[str, ...], Counter[str]] = {}
        for steps in aligned:
            self.references.setdefault(sum((chunk for chunk, _ in steps), ()), []).append(steps)
            for chunk, target in steps:
                counts.setdefault(chunk, Counter())[target] += 1
        self.known = {chunk: [y for y, _ in c.most_common()] for chunk, c in counts.items()}

    def local(self, source: tuple[str, ...], start: int, step: Step) -> Features:
        chunk, target = step
        c = self.sizes.context
        left, right = source[max(start - c, 0) : start], source[start + len(chunk) :][:c]
        left, right = ("{",) * (len(left) < c) + left, right + ("}",) * (len(right) < c)
        window = [*left, "".join(chunk), *right]
        found: Features = [
            ("L", i - len(left), k, *window[i : i + k], target)
            for i in range(len(window))
            for k in range(1, min(self.sizes.ngram, len(window) - i) + 1)
        ]
        return [*found, ("J", *step), *[("COPY",)] * is_copy(step)]

    def joint(self, before: Alignment, step: Step) -> Features:
        steps = [((), "{"), *before]
        n = len(steps)
        return [
            ("J", i, j, *steps[n - i : n - j + 1], *step)
            for i in range(1, min(self.sizes.joint, n) + 1)
            for j in range(1, i + 1)
        ]

    def score(self, features: Features) -> float:
        return sum(self.weights.get(feature, 0.0) for feature in features)

    def nbest(self, source: tuple[str, ...], count: int) -> list[tuple[float, Alignment]]:
        found: list[list[tuple[float, Alignment]]] = [[(0.0, [])]]
        for end in range(1, len(source) + 1):
            grown = []
            for size in range(1, min(max(map(len, self.known)), end) + 1):
                chunk, start = source[end - size : end], end - size
                unseen = [] if size > 1 else [""] if len(chunk[0]) > 1 else [chunk[0], ""]
                for score, before in found[start]:
                    for target in self.known.get(chunk, unseen):
                        step = chunk, target
                        local = self.score(self.local(source, start, step))
                        joint = self.score(self.joint(before, step))
                        grown.append((score + local + joint, [*before, step]))
            found.append(sorted(grown, key=lambda pair: -pair[0])[:BEAM])
        return found[-1][:count]

    def vector(self, source: tuple[str, ...], steps: Alignment) -> Counter:
        found: Counter = Counter()
        start = 0
        for place, step in enumerate(steps):
            found.update(self.local(source, start, step) + self.joint(steps[:place], step))
            start += len(step[0])
        return found

    def update(self, source: tuple[str, ...]) -> float:
        errors, constraints, sides = [], [], []
        for score, steps in self.nbest(source, NBEST):
            targets = [y for _, y in steps if y]
            losses = [loss(targets, [y for _, y in ref if y]) for ref in self.references[source]]
            lost = min(losses)
            reference = self.references[source][losses.index(lost)]
            errors.append(lost * max(len(steps), len(reference)))
            right = self.vector(source, reference)
            row = right.copy()
            row.subtract(self.vector(source, steps))
            constraints.append({key: float(count) for key, count in row.items() if count})
            missed = score - sum(self.weights.get(key, 0.0) * n for key, n in right.items())
            sides.append(lost + 1 + missed if lost else 0.0)
        for key, value in smallest_step(constraints, sides).items():
            self.weights[key] = self.weights.get(key, 0.0) + value
        return errors[0]

    def train(self) -> None:
        summed: dict[Hashable, float] = {}
        last = math.inf
        while (error := sum(map(self.update, self.references))) < last:
            last = error
            for key, value in self.weights.items():
                summed[key] = summed.get(key, 0.0) + value
        self.weights = summed


def phrasal_rows(files: Iterable[Path]) -> list[dict[str, object]]:
    """Training and decoding of the phrasal transducer beside its equations."""
    rows = []
    for path in files:
        items = [read_item(lemma, tags, form) for lemma, form, tags in read_triples(path)]
        sources = [(*item.source, *(f"<{tag}>" for tag in item.tags)) for item in items]
        few = min(len(items) // 2, 50)
        pairs = [(one, str(item.target)) for one, item in zip(sources, items, strict=True)]
        aligned = [each for each in ManyToMany(1, 1, 3).fit(pairs[:few]) if each]
        asked = sources[few : 2 * few]
        began = time.process_time()
        model = Phrasal(aligned, Sizes(2, 5, 2))
        model.train()
        ours = [model.nbest(source, 1)[0].form for source in asked]
        mine = time.process_time() - began
        literal = LiteralPhrasal(aligned, Sizes(2, 5, 2))
        literal.train()
        expected = ["".join(y for _, y in literal.nbest(source, 1)[0][1]) for source in asked]
        peer = time.process_time() - began - mine
        if ours != expected:
            raise AssertionError(f"{path}: forms differ")
        item = f"phrasal transducer, {few} pairs and {few} answers, {path.name}"
        rows.append(row(item, mine, "CPU-s", f"literal, {peer:.1f}", peer / mine))
    return rows


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on the mirror's languages, or on the demo's without one."""
    files = largest_files(mirror)
    small = files
    if mirror:
        small = [next(mirror.glob(f"{TASK}/*/{name}-train-low")) for name in ALIGNED]
    return [*identity_rows(files), patching_row(files), *crp_rows(small), *phrasal_rows(small)]

"""What the paper says of its models, each claim with the test that could refute it (S-18)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from kasu.base.scores import cluster_bootstrap
from kasu.pretraining.cells import Cell, Cells, Key, Pretrained, parse_system
from kasu.pretraining.comparisons import paired_values
from kasu.pretraining.filters import judge_orders

CLAIMS = ("paper", "claim", "test", "variant", "result", "evidence")
PAPER = "bl2mp2024"
MARGIN = 0.02
"""What counts as no loss: two points, about the smallest difference that 1,200 pairs show."""
OVERFIT = 1.05
"""A development loss this many times its lowest value is a sign of overfitting."""
EASIEST = "A"
History = Mapping[str, Mapping[int, Mapping[str, float]]]


class Difference(NamedTuple):
    """Differences whose mean a claim is about: (items) values, weights and clusters."""

    values: np.ndarray
    weights: np.ndarray
    clusters: np.ndarray
    says: str


class Claim(NamedTuple):
    """`no_loss` claims hold where the difference is above -MARGIN, others where it is above 0."""

    claim: str
    test: str
    difference: Difference | None
    no_loss: bool = False


def judge_claims(cells: Cells, losses: History, seed: int) -> list[dict]:
    """Rows of CLAIMS: holds, fails or untestable here.

    Args:
        losses: by system and epoch, a map with `dev_loss`.
    """
    own = _own(cells)
    claims = [
        _size_of_corpus(own, cells),
        *_levels(own, cells),
        *_overfitting(cells, losses),
        *_twins(own, cells),
        _word_order(cells),
    ]
    rows = []
    for claim in claims:
        result, evidence = _judge(claim, seed)
        named = {"paper": PAPER, "claim": claim.claim, "test": claim.test, "variant": ""}
        rows.append(named | {"result": result, "evidence": evidence})
    return rows


def _judge(claim: Claim, seed: int) -> tuple[str, str]:
    if claim.difference is None:
        return "untestable", "a model that it takes did not run"
    values, weights, clusters, says = claim.difference
    if not weights.sum():
        return "untestable", "no pair is left"
    low, high = cluster_bootstrap(values, clusters, weights=weights, seed=seed)
    mean = values.sum() / weights.sum()
    evidence = f"{says}difference {mean:+.4f} ({low:+.4f} to {high:+.4f})"
    floor = -MARGIN if claim.no_loss else 0.0
    if low > floor:
        return "holds", evidence
    if high < 0:
        return "fails", evidence
    return "untestable", f"{evidence}: within chance"


Own = dict[Pretrained, Key]


def _own(cells: Cells) -> Own:
    """The models trained on a budget, by what their names say, at their last checkpoint."""
    last = {
        (key.system, key.variant): key
        for key, cell in cells.items()
        if parse_system(key.system) and not key.reordered and not cell.null
    }
    own: Own = {}
    for (system, _), key in last.items():
        own.setdefault(parse_system(system), key)
    return own


def _budgets(own: Own) -> dict[str, list[int]]:
    """By model, smallest first, the budgets it was trained on, smallest first; no twins."""
    found: dict[str, list[int]] = {}
    for named in sorted(own, key=lambda named: (named.layers, named.model, named.words)):
        if not named.twin:
            found.setdefault(named.model, []).append(named.words)
    return found


def _paired(a: Cell, b: Cell) -> Difference:
    values_a, values_b, clusters = paired_values(a, b)
    says = f"{values_a.mean():.4f} and {values_b.mean():.4f}, " if len(clusters) else ""
    return Difference(values_a - values_b, np.ones(len(clusters)), clusters, says)


def _size_of_corpus(own: Own, cells: Cells) -> Claim:
    budgets = _budgets(own)
    words = sorted({each for found in budgets.values() for each in found})
    difference = None
    if len(budgets) > 1 and len(words) > 1:
        small = own.get(Pretrained(next(iter(budgets)), words[-1], False))
        large = own.get(Pretrained(list(budgets)[-1], words[0], False))
        if small and large:
            difference = _paired(cells[small], cells[large])
    return Claim(
        "The size of the corpus matters more than that of the model (§5.1)",
        "the smallest model on the largest corpus minus the largest model on the smallest",
        difference,
    )


def _levels(own: Own, cells: Cells) -> Iterator[Claim]:
    for model, words in _budgets(own).items():
        for size in words:
            key = own[Pretrained(model, size, False)]
            largest = size == words[-1] and len(words) > 1
            difference = _between_levels(cells[key], -1 if largest else 1)
            if largest:
                claim = f"At the largest corpus level A is no easier: {key.system} (§5.3)"
                yield Claim(claim, "levels B and C minus level A, margin 0.02", difference, True)
            else:
                claim = f"Level A is easier than B and C: {key.system} (§5.3)"
                yield Claim(claim, "level A minus levels B and C", difference)


def _between_levels(cell: Cell, sign: int) -> Difference | None:
    kept, solved = cell.kept.all(axis=0), cell.solved.mean(axis=0)
    easy = kept & cell.where("level", EASIEST)
    hard = kept & ~easy & np.isin(cell.pairs["level"], cell.values("level"))
    if not easy.any() or not hard.any():
        return None
    a, b = solved[easy].mean(), solved[hard].mean()
    # Each group centred, so that resampling its size adds nothing to the spread of its mean
    apart = easy * (solved - a) / easy.sum() - hard * (solved - b) / hard.sum()
    values = sign * (apart[kept] * kept.sum() + a - b)
    says = f"A {a:.4f}, others {b:.4f}, "
    return Difference(values, np.ones(len(values)), cell.pairs["source_id"][kept], says)


def _overfitting(cells: Cells, losses: History) -> Iterator[Claim]:
    for system, history in losses.items():
        scored = sorted(
            key.epoch
            for key in cells
            if key.system == system and not key.reordered and key.epoch in history
        )
        dev = {epoch: history[epoch]["dev_loss"] for epoch in scored}
        if not dev or dev[scored[-1]] <= OVERFIT * min(dev.values()):
            continue
        best = min(scored, key=dev.__getitem__)
        at = Key(system, "", False, best)
        last = at._replace(epoch=scored[-1])
        yield Claim(
            f"Overfitting does not hinder grammar: {system} (§5.1)",
            f"epoch {last.epoch} minus epoch {best} with the lowest dev loss, margin {MARGIN}",
            _paired(cells[last], cells[at]) if at in cells and last in cells else None,
            True,
        )


def _twins(own: Own, cells: Cells) -> Iterator[Claim]:
    for model, words in _budgets(own).items():
        for size in words:
            base, twin = (own.get(Pretrained(model, size, which)) for which in (False, True))
            if not base or not twin:
                continue
            if size == words[0]:
                difference = _paired(cells[twin], cells[base])
                claim = f"Lemmatisation helps with the smallest corpus: {base.system} (§5.5)"
                yield Claim(claim, "the twin minus the model", difference)
            elif size == words[-1]:
                difference = _paired(cells[base], cells[twin])
                claim = f"Lemmatisation does not help with the largest: {base.system} (§5.5)"
                yield Claim(claim, f"the model minus the twin, margin {MARGIN}", difference, True)


def _word_order(cells: Cells) -> Claim:
    last: Own = {}
    for key in cells:
        named = parse_system(key.system)
        if named and key.reordered and not named.twin and not cells[key].null:
            last[named] = key
    ends = [last[named] for named in sorted(last, key=lambda named: named.words)]
    difference = None
    if len(ends) > 1:
        (small, kept_small), (large, kept_large) = (_cost(cells[ends[at]]) for at in (0, -1))
        kept = kept_small & kept_large
        values = (small - large)[kept]
        clusters = cells[ends[0]].pairs["source_id"][kept]
        if kept.any():
            says = f"costs {small[kept].mean():.4f} and {large[kept].mean():.4f}, "
            difference = Difference(values, np.ones(len(values)), clusters, says)
    return Claim(
        "A second word order costs more with less text (§5.4)",
        "its cost (original order minus both) with the smallest corpus minus with the largest",
        difference,
    )


def _cost(cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    """How much less of a pair is right in both orders than in one, and whether it is kept."""
    judged = [
        judge_orders(*each, "both_filtered") for each in zip(cell.runs, cell.others, strict=True)
    ]
    both = np.array([solved for _, solved in judged])
    kept = np.array([kept for kept, _ in judged]).all(axis=0)
    return cell.solved.mean(axis=0) - both.mean(axis=0), kept

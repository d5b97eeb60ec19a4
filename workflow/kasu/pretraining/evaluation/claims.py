"""What the paper says of its models, each claim with the test that could refute it (S-18)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kasu.base.scores import LEVEL, cluster_bootstrap
from kasu.pretraining.evaluation.cells import Cell, Cells, Key, Pretrained, parse_system
from kasu.pretraining.evaluation.differences import Difference, between, closest, cost, paired
from kasu.pretraining.models.histories import History
from kasu.pretraining.models.systems import HUB_SYSTEMS

CLAIMS = ("paper", "claim", "test", "variant", "result", "evidence")
PAPER = "bl2mp2024"
MARGIN = 0.02
"""What counts as no loss: two points, about the smallest difference that 1,200 pairs show."""
OVERFIT = 1.05
"""A development loss this many times its lowest value is a sign of overfitting."""
CHANCE = 0.5
FEW_WORDS = 5_000_000
"""The paper's smallest corpus: what it says of little text is of this one (§5.2, §5.5, S-18)."""
ENOUGH_WORDS = 125_000_000
"""The paper's largest corpus: with it, and not before, all levels and types of pairs are alike
and lemmatisation does not help (§5.3, §5.5, S-18)."""
MULTILINGUAL = ("mBERT", "XLM-RoBERTa-base", "XLM-RoBERTa-large", "IXAmBERT")
"""The multilingual ones of HUB_SYSTEMS (§5.6)."""
LITTLE = f"a model of at most {FEW_WORDS:,} words"
ENOUGH = f"a model of at least {ENOUGH_WORDS:,} words"


class Claim(NamedTuple):
    """A statement of the paper, of all models or of one system; without a difference untestable.

    `no_loss` claims hold where the difference is above -MARGIN, others where it is above 0.
    """

    says: str
    section: str
    test: str
    needs: str
    no_loss: bool = False
    system: str = ""
    difference: Difference | None = None


def judge_claims(cells: Cells, losses: Mapping[str, History], seed: int) -> list[dict]:
    """Rows of CLAIMS: holds, fails or untestable here.

    A statement has a row for each system that it is about, or one row that says what is missing.

    Args:
        losses: by system and epoch, a map with `dev_loss`.
    """
    own = _own(cells)
    claims = [
        _size_of_corpus(own, cells),
        *_dips(own, cells),
        *_overfitting(cells, losses),
        *_types(own, cells),
        *_levels(own, cells),
        *_word_order(_own(cells, reordered=True), cells),
        *_twins(own, cells),
        *_published(cells),
    ]
    rows = []
    for claim in claims:
        result, evidence = _judge(claim, seed)
        system = f": {claim.system}" if claim.system else ""
        named = {"paper": PAPER, "claim": f"{claim.says}{system} ({claim.section})"}
        named |= {"test": claim.test, "variant": ""}
        rows.append(named | {"result": result, "evidence": evidence})
    return rows


def _judge(claim: Claim, seed: int) -> tuple[str, str]:
    if claim.difference is None:
        return "untestable", f"takes {claim.needs}"
    values, clusters, says, tried = claim.difference
    if not len(values):
        return "untestable", "no pair is left"
    level = 1 - (1 - LEVEL) / tried
    low, high = cluster_bootstrap(values, clusters, seed=seed, level=level)
    evidence = f"{says}difference {values.mean():+.4f} ({low:+.4f} to {high:+.4f})"
    floor = -MARGIN if claim.no_loss else 0.0
    if low > floor:
        return "holds", evidence
    if high < floor:
        return "fails", evidence
    return "untestable", f"{evidence}: within chance"


def _by_system(claim: Claim, differences: Mapping[str, Difference | None]) -> list[Claim]:
    """The claim for each system, or as it is if there is none."""
    return [
        claim._replace(system=system, difference=difference)
        for system, difference in differences.items()
    ] or [claim]


Own = dict[Pretrained, list[Key]]


def _own(cells: Cells, *, reordered: bool = False) -> Own:
    """Checkpoints of the models trained on a budget, by what their names say, smallest first."""
    found: dict[Pretrained, dict[str, list[Key]]] = {}
    for key, cell in cells.items():
        named = parse_system(key.system)
        if named and key.reordered == reordered and not cell.null:
            found.setdefault(named, {}).setdefault(key.variant, []).append(key)
    order = sorted(found, key=lambda named: (named.layers, named.model, named.words, named.twin))
    return {named: next(iter(found[named].values())) for named in order}


def _budgets(own: Own) -> dict[str, list[int]]:
    """By model, smallest first, the budgets it was trained on, smallest first; no twins."""
    found: dict[str, list[int]] = {}
    for named in own:
        if not named.twin:
            found.setdefault(named.model, []).append(named.words)
    return found


def _last(
    own: Own, cells: Cells, *, least: int = 0, most: float = float("inf"), twin: bool = False
) -> dict[str, Cell]:
    """By system, the last checkpoint of models, or of twins, of `least` to `most` words."""
    return {
        keys[-1].system: cells[keys[-1]]
        for named, keys in own.items()
        if named.twin == twin and least <= named.words <= most
    }


def _size_of_corpus(own: Own, cells: Cells) -> Claim:
    budgets = _budgets(own)
    words = sorted({each for found in budgets.values() for each in found})
    difference = None
    if len(budgets) > 1 and len(words) > 1:
        small = own.get(Pretrained(next(iter(budgets)), words[-1], False))
        large = own.get(Pretrained(list(budgets)[-1], words[0], False))
        if small and large:
            difference = paired(cells[small[-1]], cells[large[-1]])
    return Claim(
        "The size of the corpus matters more than that of the model",
        "§5.1",
        "the smallest model on the largest corpus minus the largest model on the smallest",
        "models of two sizes on corpora of two sizes",
        difference=difference,
    )


def _dips(own: Own, cells: Cells) -> Iterator[Claim]:
    below, rises = {}, {}
    for named, (*earlier, last) in own.items():
        if named.twin or not earlier:
            continue
        lowest = min(earlier, key=lambda key: cells[key].accuracy)
        cell, tried = cells[lowest], len(earlier)
        kept = cell.kept.all(axis=0)
        values, clusters = CHANCE - cell.solved[:, kept].mean(axis=0), cell.pairs["source_id"][kept]
        says = f"epoch {lowest.epoch}, the lowest of {tried}: "
        below[last.system] = Difference(values, clusters, says, tried)
        risen = paired(cells[last], cell)
        rises[last.system] = risen._replace(says=f"{says}{risen.says}", tried=tried)
    needs = "a model with two checkpoints"
    test = "one half minus the accuracy of the lowest checkpoint before the last"
    yield from _by_system(Claim("Accuracy first falls below chance", "§5.1", test, needs), below)
    test = "the last checkpoint minus the lowest before it"
    yield from _by_system(Claim("Accuracy rises after its low", "§5.1", test, needs), rises)


def _overfitting(cells: Cells, losses: Mapping[str, History]) -> list[Claim]:
    differences = {}
    for system, history in losses.items():
        keys = [key for key in cells if key[:3] == (system, "", False) and key.epoch in history]
        dev = {key: history[key.epoch]["dev_loss"] for key in keys}
        if not dev or dev[keys[-1]] <= OVERFIT * min(dev.values()):
            continue
        best = min(dev, key=dev.__getitem__)
        difference = paired(cells[keys[-1]], cells[best])
        says = f"epochs {keys[-1].epoch} and {best.epoch}: {difference.says}"
        differences[system] = difference._replace(says=says)
    claim = Claim(
        "Overfitting does not hinder grammar",
        "§5.1",
        f"the last epoch minus that of the lowest dev loss, margin {MARGIN}",
        f"a model whose dev loss ends above {OVERFIT} times its lowest",
        True,
    )
    return _by_system(claim, differences)


def _types(own: Own, cells: Cells) -> Iterator[Claim]:
    few = _last(own, cells, most=FEW_WORDS)
    many = _last(own, cells, least=ENOUGH_WORDS)
    twins = _last(own, cells, most=FEW_WORDS, twin=True)
    for other in ("E1", "E2"):
        says = f"With little text E3 is easier than {other}"
        yield from _easier(says, "§5.2", LITTLE, few, "type", "E3", [other])
        says = f"With enough text E3 is no easier than {other}"
        yield from _easier(says, "§5.5", ENOUGH, many, "type", "E3", [other], no_loss=True)
    for other in ("E2", "E3"):
        says = f"With little text, lemmatised, E1 is easier than {other}"
        yield from _easier(says, "§5.5", f"the twin of {LITTLE}", twins, "type", "E1", [other])


def _levels(own: Own, cells: Cells) -> Iterator[Claim]:
    fewer = _last(own, cells, most=ENOUGH_WORDS - 1)
    says, needs = "Level A is easier than B and C", f"a model of less than {ENOUGH_WORDS:,} words"
    yield from _easier(says, "§5.3", needs, fewer, "level", "A", ["B", "C"])
    many = _last(own, cells, least=ENOUGH_WORDS)
    says = "With enough text level A is no easier"
    yield from _easier(says, "§5.3", ENOUGH, many, "level", "A", ["B", "C"], no_loss=True)


def _easier(
    says: str,
    section: str,
    needs: str,
    found: Mapping[str, Cell],
    column: str,
    value: str,
    others: Sequence[str],
    *,
    no_loss: bool = False,
) -> list[Claim]:
    """That pairs of one type or level are easier than those of others; with `no_loss` no easier."""
    rest = " and ".join(others)
    test = f"{rest} minus {value}, margin {MARGIN}" if no_loss else f"{value} minus {rest}"
    differences = {
        system: between(cell, column, value, others, -1 if no_loss else 1)
        for system, cell in found.items()
    }
    claim = Claim(says, section, test, f"{needs}, pairs of each {column}", no_loss)
    return _by_system(claim, differences)


def _word_order(own: Own, cells: Cells) -> list[Claim]:
    differences = {}
    for model, words in _budgets(own).items():
        if len(words) < 2:
            continue
        ends = [own[Pretrained(model, words[at], False)][-1] for at in (0, -1)]
        (small, kept_small), (large, kept_large) = (cost(cells[key]) for key in ends)
        kept = kept_small & kept_large
        if kept.any():
            says = f"{ends[0].system} loses {small[kept].mean():.4f}, "
            says += f"{ends[1].system} {large[kept].mean():.4f}, "
            clusters = cells[ends[0]].pairs["source_id"][kept]
            differences[model] = Difference((small - large)[kept], clusters, says)
    claim = Claim(
        "A second word order costs more with less text",
        "§5.4",
        "its cost (original order minus both) with the smallest corpus minus with the largest",
        "a model on two budgets, pairs in two word orders",
    )
    return _by_system(claim, differences)


def _twins(own: Own, cells: Cells) -> Iterator[Claim]:
    both = {
        named: (cells[keys[-1]], cells[own[twin][-1]])
        for named, keys in own.items()
        if not named.twin and (twin := named._replace(twin=True)) in own
    }
    helps = {
        own[named][-1].system: paired(twin, base)
        for named, (base, twin) in both.items()
        if named.words <= FEW_WORDS
    }
    says, test = "Lemmatisation helps with little text", "the twin minus the model"
    yield from _by_system(Claim(says, "§5.5", test, f"{LITTLE} and its twin"), helps)
    no_help = {
        own[named][-1].system: paired(base, twin)
        for named, (base, twin) in both.items()
        if named.words >= ENOUGH_WORDS
    }
    says = "Lemmatisation does not help with enough text"
    test = f"the model minus the twin, margin {MARGIN}"
    yield from _by_system(Claim(says, "§5.5", test, f"{ENOUGH} and its twin", True), no_help)


def _published(cells: Cells) -> Iterator[Claim]:
    for best, of, systems in (
        ("ElhBERTeu-base", "published", tuple(HUB_SYSTEMS.values())),
        ("IXAmBERT", "multilingual", MULTILINGUAL),
    ):
        found = {name: cells.get(Key(name, "", False, None)) for name in systems}
        missing = [name for name, cell in found.items() if cell is None]
        yield Claim(
            f"{best} is the best of the {of} models",
            "§5.6",
            "its accuracy minus that of the model that comes closest, on pairs that both keep",
            ", ".join(missing),
            difference=None if missing else closest(found.pop(best), found),
        )

"""Claims of the paper about its models, each with a test that could refute it (S-18)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kasu.base.scores import LEVEL, cluster_bootstrap
from kasu.pretraining.evaluation.cells import Cell, Cells, Key
from kasu.pretraining.evaluation.differences import Difference, between, closest, cost, paired
from kasu.pretraining.models.histories import History
from kasu.pretraining.names import HUB_SYSTEMS, Pretrained, parse_system

PAPER = "bl2mp2024"
MARGIN = 0.02
"""A difference that counts as no loss: two points, about the smallest that 1,200 pairs show."""
OVERFIT = 1.05
"""A final development loss this many times the lowest is a sign of overfitting."""
CHANCE = 0.5
FEW_WORDS = 5_000_000
"""Little text: the paper's smallest corpus (§5.2, §5.5, S-18)."""
ENOUGH_WORDS = 125_000_000
"""Enough text: the paper's largest corpus, the only one with which all levels and types of pairs
are equally hard and lemmatisation does not help (§5.3, §5.5, S-18)."""
MULTILINGUAL = ("mBERT", "XLM-RoBERTa-base", "XLM-RoBERTa-large", "IXAmBERT")
"""The multilingual models of HUB_SYSTEMS (§5.6)."""
LITTLE = f"a model of at most {FEW_WORDS:,} words"
ENOUGH = f"a model of at least {ENOUGH_WORDS:,} words"


class Claim(NamedTuple):
    """A statement of the paper, about one system or about all; untestable without a difference.

    says: the statement.
    section: of the paper.
    test: the difference that is tested.
    needs: what is missing if there is no difference.
    no_loss: the claim holds if the difference is above -MARGIN, not above 0.
    """

    says: str
    section: str
    test: str
    needs: str
    no_loss: bool = False
    system: str = ""
    difference: Difference | None = None


def judge_claims(cells: Cells, losses: Mapping[str, History], seed: int) -> list[dict]:
    """Rows of CLAIMS: holds, fails or untestable.

    One row per statement and system; one row in all for a statement without a system to test.

    Args:
        losses: by system, then epoch, a map with `dev_loss`.
    """
    trained = _Trained(cells)
    claims = [
        _size_of_corpus(trained),
        *_dips(trained),
        *_overfitting(cells, losses),
        *_types(trained),
        *_levels(trained),
        *_word_order(_Trained(cells, reordered=True)),
        *_twins(trained),
        *_published(cells),
    ]
    rows = []
    for claim in claims:
        result, evidence = _judge(claim, seed)
        system = f": {claim.system}" if claim.system else ""
        what = {"paper": PAPER, "claim": f"{claim.says}{system} ({claim.section})"}
        what |= {"test": claim.test, "variant": ""}
        rows.append(what | {"result": result, "evidence": evidence})
    return rows


def _judge(claim: Claim, seed: int) -> tuple[str, str]:
    """The result of a claim and its evidence."""
    if claim.difference is None:
        return "untestable", f"takes {claim.needs}"
    values, clusters, says, tried = claim.difference
    if not len(values):
        return "untestable", "no pair is left"
    # Bonferroni: a difference chosen from several gets a wider interval
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
    """One claim per system, or the claim itself if there is none."""
    return [
        claim._replace(system=system, difference=difference)
        for system, difference in differences.items()
    ] or [claim]


class _Trained:
    """The models trained on a budget, smallest first.

    Attributes:
        keys: the checkpoints of each model in order of epoch. Of several variants the first, so
            the main set of pairs if the model was tested on it.
    """

    def __init__(self, cells: Cells, *, reordered: bool = False) -> None:
        self.cells = cells
        variants: dict[Pretrained, dict[str, list[Key]]] = {}
        for key, cell in cells.items():
            model = parse_system(key.system)
            if model and key.reordered == reordered and not cell.null:
                variants.setdefault(model, {}).setdefault(key.variant, []).append(key)
        order = sorted(variants, key=lambda each: (each.layers, each.model, each.words, each.twin))
        self.keys = {model: next(iter(variants[model].values())) for model in order}

    def last(self, model: Pretrained) -> Cell:
        """The last checkpoint of a model."""
        return self.cells[self.keys[model][-1]]

    def system(self, model: Pretrained) -> str:
        """The name of a model."""
        return self.keys[model][-1].system

    def budgets(self) -> dict[str, list[int]]:
        """The words that each size of model was trained on, smallest first, without twins."""
        budgets: dict[str, list[int]] = {}
        for model in self.keys:
            if not model.twin:
                budgets.setdefault(model.model, []).append(model.words)
        return budgets

    def last_by_system(
        self, *, least: int = 0, most: float = float("inf"), twin: bool = False
    ) -> dict[str, Cell]:
        """The last checkpoints of models, or of twins, of `least` to `most` words."""
        return {
            self.system(model): self.last(model)
            for model in self.keys
            if model.twin == twin and least <= model.words <= most
        }


def _size_of_corpus(trained: _Trained) -> Claim:
    budgets = trained.budgets()
    words = sorted({size for sizes in budgets.values() for size in sizes})
    difference = None
    if len(budgets) > 1 and len(words) > 1:
        small = Pretrained(next(iter(budgets)), words[-1], False)
        large = Pretrained(list(budgets)[-1], words[0], False)
        if small in trained.keys and large in trained.keys:
            difference = paired(trained.last(small), trained.last(large))
    return Claim(
        "The size of the corpus matters more than that of the model",
        "§5.1",
        "the smallest model on the largest corpus minus the largest model on the smallest",
        "models of two sizes on corpora of two sizes",
        difference=difference,
    )


def _dips(trained: _Trained) -> Iterator[Claim]:
    below, rises = {}, {}
    for model, (*earlier, last) in trained.keys.items():
        if model.twin or not earlier:
            continue
        lowest = min(earlier, key=lambda key: trained.cells[key].accuracy)
        cell, tried = trained.cells[lowest], len(earlier)
        kept = cell.kept.all(axis=0)
        values, clusters = CHANCE - cell.solved[:, kept].mean(axis=0), cell.pairs["source_id"][kept]
        says = f"epoch {lowest.epoch}, the lowest of {tried}: "
        below[last.system] = Difference(values, clusters, says, tried)
        rise = paired(trained.cells[last], cell)
        rises[last.system] = rise._replace(says=f"{says}{rise.says}", tried=tried)
    needs = "a model with two checkpoints"
    test = "one half minus the accuracy of the lowest checkpoint before the last"
    yield from _by_system(Claim("Accuracy first falls below chance", "§5.1", test, needs), below)
    test = "the last checkpoint minus the lowest before it"
    yield from _by_system(Claim("Accuracy rises after its low", "§5.1", test, needs), rises)


def _overfitting(cells: Cells, losses: Mapping[str, History]) -> list[Claim]:
    differences = {}
    for system, history in losses.items():
        # By epoch, so the last key is the last checkpoint
        dev_losses = {
            key: history[key.epoch]["dev_loss"]
            for key in cells
            if key[:3] == (system, "", False) and key.epoch is not None and key.epoch in history
        }
        if not dev_losses:
            continue
        last = [*dev_losses][-1]
        if dev_losses[last] <= OVERFIT * min(dev_losses.values()):
            continue
        best = min(dev_losses, key=dev_losses.__getitem__)
        difference = paired(cells[last], cells[best])
        says = f"epochs {last.epoch} and {best.epoch}: {difference.says}"
        differences[system] = difference._replace(says=says)
    claim = Claim(
        "Overfitting does not hinder grammar",
        "§5.1",
        f"the last epoch minus that of the lowest dev loss, margin {MARGIN}",
        f"a model whose dev loss ends above {OVERFIT} times its lowest",
        True,
    )
    return _by_system(claim, differences)


def _types(trained: _Trained) -> Iterator[Claim]:
    little = trained.last_by_system(most=FEW_WORDS)
    enough = trained.last_by_system(least=ENOUGH_WORDS)
    twins = trained.last_by_system(most=FEW_WORDS, twin=True)
    for other in ("E1", "E2"):
        says = f"With little text E3 is easier than {other}"
        yield from _easier(Claim(says, "§5.2", "", LITTLE), little, "type", "E3", [other])
        says = f"With enough text E3 is no easier than {other}"
        yield from _easier(Claim(says, "§5.5", "", ENOUGH, True), enough, "type", "E3", [other])
    for other in ("E2", "E3"):
        says = f"With little text, lemmatised, E1 is easier than {other}"
        claim = Claim(says, "§5.5", "", f"the twin of {LITTLE}")
        yield from _easier(claim, twins, "type", "E1", [other])


def _levels(trained: _Trained) -> Iterator[Claim]:
    fewer = trained.last_by_system(most=ENOUGH_WORDS - 1)
    needs = f"a model of less than {ENOUGH_WORDS:,} words"
    claim = Claim("Level A is easier than B and C", "§5.3", "", needs)
    yield from _easier(claim, fewer, "level", "A", ["B", "C"])
    enough = trained.last_by_system(least=ENOUGH_WORDS)
    claim = Claim("With enough text level A is no easier", "§5.3", "", ENOUGH, True)
    yield from _easier(claim, enough, "level", "A", ["B", "C"])


def _easier(
    claim: Claim, cells: Mapping[str, Cell], column: str, value: str, others: Sequence[str]
) -> list[Claim]:
    """Test by system whether pairs of one type or level are easier (no_loss: no easier)."""
    rest = " and ".join(others)
    if claim.no_loss:
        sign, test = -1, f"{rest} minus {value}, margin {MARGIN}"
    else:
        sign, test = 1, f"{value} minus {rest}"
    claim = claim._replace(test=test, needs=f"{claim.needs}, pairs of each {column}")
    differences = {
        system: between(cell, column, value, others, sign) for system, cell in cells.items()
    }
    return _by_system(claim, differences)


def _word_order(trained: _Trained) -> list[Claim]:
    differences = {}
    for name, words in trained.budgets().items():
        if len(words) < 2:
            continue
        smallest, largest = (Pretrained(name, words[at], False) for at in (0, -1))
        cost_small, kept_small = cost(trained.last(smallest))
        cost_large, kept_large = cost(trained.last(largest))
        kept = kept_small & kept_large
        if kept.any():
            says = f"{trained.system(smallest)} loses {cost_small[kept].mean():.4f}, "
            says += f"{trained.system(largest)} {cost_large[kept].mean():.4f}, "
            clusters = trained.last(smallest).pairs["source_id"][kept]
            differences[name] = Difference((cost_small - cost_large)[kept], clusters, says)
    claim = Claim(
        "A second word order costs more with less text",
        "§5.4",
        "its cost (original order minus both) with the smallest corpus minus with the largest",
        "a model on two budgets, pairs in two word orders",
    )
    return _by_system(claim, differences)


def _twins(trained: _Trained) -> Iterator[Claim]:
    both = {
        model: (trained.last(model), trained.last(twin))
        for model in trained.keys
        if not model.twin and (twin := model._replace(twin=True)) in trained.keys
    }
    helps = {
        trained.system(model): paired(twin, base)
        for model, (base, twin) in both.items()
        if model.words <= FEW_WORDS
    }
    says, test = "Lemmatisation helps with little text", "the twin minus the model"
    yield from _by_system(Claim(says, "§5.5", test, f"{LITTLE} and its twin"), helps)
    no_help = {
        trained.system(model): paired(base, twin)
        for model, (base, twin) in both.items()
        if model.words >= ENOUGH_WORDS
    }
    says = "Lemmatisation does not help with enough text"
    test = f"the model minus the twin, margin {MARGIN}"
    yield from _by_system(Claim(says, "§5.5", test, f"{ENOUGH} and its twin", True), no_help)


def _published(cells: Cells) -> Iterator[Claim]:
    for best, group, systems in (
        ("ElhBERTeu-base", "published", tuple(HUB_SYSTEMS.values())),
        ("IXAmBERT", "multilingual", MULTILINGUAL),
    ):
        keys = {name: Key(name, "", False, None) for name in systems}
        scored = {name: cells[key] for name, key in keys.items() if key in cells}
        missing = [name for name in systems if name not in scored]
        yield Claim(
            f"{best} is the best of the {group} models",
            "§5.6",
            "its accuracy minus that of the model that comes closest, on pairs that both keep",
            ", ".join(missing),
            difference=None if missing else closest(scored.pop(best), scored),
        )

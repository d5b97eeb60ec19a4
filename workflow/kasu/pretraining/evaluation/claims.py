"""Claims of the paper about its models, each with a test that could refute it (S-18).

A model that ends no better than the strongest null (chance, the longer or the shorter sentence, a
trigram) was not trained long enough to show what the paper found in models that had learnt: claims
on its last checkpoint are untestable. Types and levels of BL2MP also differ for nulls, and a
preference for the shorter sentence is below chance: such claims must hold beyond the null.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.files.tables import write_tsv
from kasu.pretraining.data.names import HUB_SYSTEMS, PAPER, Pretrained, parse_system
from kasu.pretraining.evaluation.differences import (
    NO_PAIR,
    Evidence,
    below_chance,
    between,
    cost,
    ends_at_null,
    paired,
    twins,
)
from kasu.pretraining.evaluation.pair_results import CheckpointOnPairs, Checkpoints, PairResults
from kasu.pretraining.models.histories import History, Losses, mean_history
from kasu.results.differences import Difference, Sample
from kasu.results.scores import CLAIMS
from kasu.results.verdicts import Claim, Untestable, judge_claims

MARGIN = 0.02
"""A difference that counts as no loss: two points, about the smallest that 1,200 pairs show."""
OVERFIT = 1.05
"""A final development loss this many times the lowest is a sign of overfitting."""
FEW_WORDS = 5_000_000
"""Little text: the paper's smallest corpus (§5.2, §5.5, S-18)."""
ENOUGH_WORDS = 125_000_000
"""Enough text: the paper's largest corpus, the only one with which all levels and types of pairs
are equally hard and lemmatisation does not help (§5.3, §5.5, S-18)."""
MULTILINGUAL = ("mBERT", "XLM-RoBERTa-base", "XLM-RoBERTa-large", "IXAmBERT")
"""The multilingual models of HUB_SYSTEMS (§5.6)."""
BEYOND = "and beyond the same of the strongest null"
LITTLE = f"a model of at most {FEW_WORDS:,} words"
ENOUGH = f"a model of at least {ENOUGH_WORDS:,} words"


def write_claims(
    checkpoints: Checkpoints, losses: Losses, claims: str | Path, untestable: str | None = None
) -> None:
    """Write CLAIMS of the study.

    Args:
        losses: of each seed; claims are about the means.
        untestable: why these pairs cannot speak for any claim; None if they can.
    """
    means = {system: mean_history([*by_seed.values()]) for system, by_seed in losses.items()}
    listed = list_claims({}, {}) if untestable else list_claims(checkpoints, means)
    if untestable:
        listed = (replace(claim, evidence=Untestable(untestable)) for claim in listed)
    write_tsv(claims, judge_claims(PAPER, listed), CLAIMS)


def list_claims(checkpoints: Checkpoints, losses: Mapping[str, History]) -> Iterator[Claim]:
    """Yield the paper's claims: one per statement and system, or one without a system to test.

    Args:
        losses: by system, then epoch, a map with `dev_loss`.
    """
    trained = _Trained(checkpoints)
    yield from _size_of_corpus(trained)
    yield from _dips(trained)
    yield from _overfitting(checkpoints, losses)
    yield from _types(trained)
    yield from _levels(trained)
    yield from _word_order(_Trained(checkpoints, reordered=True))
    yield from _twins(trained)
    yield from _published(checkpoints)


class _Statement(NamedTuple):
    """A statement of the paper, tested on each system by itself.

    section: of the paper.
    test: what is compared.
    needs: what is missing if there is no system to test.
    """

    says: str
    section: str
    test: str
    needs: str

    def on(self, evidence: Mapping[str, Evidence]) -> Iterator[Claim]:
        """Yield one claim per system; an untestable one if there is none."""
        if not evidence:
            missing = Untestable(f"takes {self.needs}")
            yield Claim(f"{self.says} ({self.section})", self.test, missing)
        for system, each in evidence.items():
            yield Claim(f"{self.says}: {system} ({self.section})", self.test, each)


class _Trained:
    """The models trained on a budget, smallest first.

    Attributes:
        keys: the checkpoints of each model in order of epoch, under its first variant: the main set
            of pairs if the model was tested on it.
    """

    def __init__(self, checkpoints: Checkpoints, *, reordered: bool = False) -> None:
        self.checkpoints = checkpoints
        variants: dict[Pretrained, dict[str, list[CheckpointOnPairs]]] = {}
        for key, results in checkpoints.items():
            model = parse_system(key.system)
            if model and key.reordered == reordered and not results.null:
                variants.setdefault(model, {}).setdefault(key.variant, []).append(key)
        order = sorted(variants, key=lambda each: (each.layers, each.model, each.words, each.twin))
        self.keys = {model: next(iter(variants[model].values())) for model in order}

    def last(self, model: Pretrained) -> PairResults:
        """Return the last checkpoint of a model."""
        return self.checkpoints[self.keys[model][-1]]

    def system(self, model: Pretrained) -> str:
        """Return the name of a model."""
        return self.keys[model][-1].system

    def budgets(self) -> dict[str, list[int]]:
        """Return the words that each size of model was trained on, rising, without twins."""
        budgets: dict[str, list[int]] = {}
        for model in self.keys:
            if not model.twin:
                budgets.setdefault(model.model, []).append(model.words)
        return budgets

    def of_words(
        self, *, least: int = 0, most: float = float("inf"), twin: bool = False
    ) -> list[Pretrained]:
        """Return the models, or the twins, of `least` to `most` words."""
        return [model for model in self.keys if model.twin == twin and least <= model.words <= most]

    def at_null(self, *models: Pretrained) -> Untestable | None:
        """Say why the last checkpoints of models cannot show a difference; None if they can."""
        keys = (self.keys[model][-1] for model in models)
        reasons = (ends_at_null(self.checkpoints, key, key.system) for key in keys)
        return next(filter(None, reasons), None)


def _size_of_corpus(trained: _Trained) -> Iterator[Claim]:
    statement = _Statement(
        "The size of the corpus matters more than that of the model",
        "§5.1",
        "the smallest model on the largest corpus minus the largest model on the smallest",
        "models of two sizes on corpora of two sizes",
    )
    budgets = trained.budgets()
    words = sorted({size for sizes in budgets.values() for size in sizes})
    evidence: dict[str, Evidence] = {}
    if len(budgets) > 1 and len(words) > 1:
        small = Pretrained(next(iter(budgets)), words[-1], False)
        large = Pretrained(list(budgets)[-1], words[0], False)
        if small in trained.keys and large in trained.keys:
            systems = f"{trained.system(small)} and {trained.system(large)}"
            evidence[systems] = trained.at_null(small, large) or paired(
                trained.last(small), trained.last(large)
            )
    yield from statement.on(evidence)


def _dips(trained: _Trained) -> Iterator[Claim]:
    below: dict[str, Evidence] = {}
    rises: dict[str, Evidence] = {}
    for model, (*earlier, last) in trained.keys.items():
        if model.twin or not earlier:
            continue
        lowest = min(earlier, key=lambda key: trained.checkpoints[key].accuracy)
        results, tried = trained.checkpoints[lowest], len(earlier)
        says = f"epoch {lowest.epoch}, the lowest of {tried}: "
        below[last.system] = below_chance(trained.checkpoints, lowest, tried=tried, says=says)
        rises[last.system] = trained.at_null(model) or paired(
            trained.checkpoints[last], results, tried=tried, says=says
        )
    needs = "a model with two checkpoints"
    test = (
        "one half minus the accuracy of the lowest checkpoint before the last; and beyond the same "
        "of the lowest null"
    )
    yield from _Statement("Accuracy first falls below chance", "§5.1", test, needs).on(below)
    test = "the last checkpoint minus the lowest before it"
    yield from _Statement("Accuracy rises after its low", "§5.1", test, needs).on(rises)


def _overfitting(checkpoints: Checkpoints, losses: Mapping[str, History]) -> Iterator[Claim]:
    evidence: dict[str, Evidence] = {}
    for system, history in losses.items():
        # In order of epoch, so the last key is the last checkpoint
        dev_losses = {
            key: history[key.epoch]["dev_loss"]
            for key in checkpoints
            if key[:3] == (system, "", False) and key.epoch is not None and key.epoch in history
        }
        if not dev_losses:
            continue
        last = [*dev_losses][-1]
        best = min(dev_losses, key=dev_losses.__getitem__)
        if dev_losses[last] <= OVERFIT * dev_losses[best]:
            continue
        # If it had learnt by neither of the two, there was nothing to hinder
        stuck = [
            ends_at_null(checkpoints, key, f"{system}, epoch {key.epoch},") for key in (last, best)
        ]
        says = f"epochs {last.epoch} and {best.epoch}: "
        found = paired(checkpoints[last], checkpoints[best], floor=-MARGIN, says=says)
        evidence[system] = (all(stuck) and stuck[0]) or found
    yield from _Statement(
        "Overfitting does not hinder grammar",
        "§5.1",
        f"the last epoch minus that of the lowest dev loss, margin {MARGIN}",
        f"a model whose dev loss ends above {OVERFIT} times its lowest",
    ).on(evidence)


def _types(trained: _Trained) -> Iterator[Claim]:
    little = trained.of_words(most=FEW_WORDS)
    enough = trained.of_words(least=ENOUGH_WORDS)
    twins = trained.of_words(most=FEW_WORDS, twin=True)
    for other in ("E1", "E2"):
        test = f"E3 minus {other}; {BEYOND}"
        statement = _Statement(f"With little text E3 is easier than {other}", "§5.2", test, LITTLE)
        yield from _compare_kinds(statement, trained, little, "type", [("E3", other)])
        test = f"{other} minus E3, margin {MARGIN}"
        says = f"With enough text E3 is no easier than {other}"
        statement = _Statement(says, "§5.5", test, ENOUGH)
        yield from _compare_kinds(statement, trained, enough, "type", [(other, "E3")], -MARGIN)
    for other in ("E2", "E3"):
        says = f"With little text, lemmatised, E1 is easier than {other}"
        statement = _Statement(says, "§5.5", f"E1 minus {other}; {BEYOND}", f"the twin of {LITTLE}")
        yield from _compare_kinds(statement, trained, twins, "type", [("E1", other)])


def _levels(trained: _Trained) -> Iterator[Claim]:
    fewer = trained.of_words(most=ENOUGH_WORDS - 1)
    enough = trained.of_words(least=ENOUGH_WORDS)
    needs = f"a model of less than {ENOUGH_WORDS:,} words"
    says, test = "Level A is easier than B and C", f"A minus B, and A minus C; {BEYOND}"
    statement = _Statement(says, "§5.3", test, needs)
    kinds = [("A", "B"), ("A", "C")]
    yield from _compare_kinds(statement, trained, fewer, "level", kinds)
    says = "With enough text level A is no easier"
    test = f"B minus A, and C minus A, margin {MARGIN}"
    statement = _Statement(says, "§5.3", test, ENOUGH)
    kinds = [("B", "A"), ("C", "A")]
    yield from _compare_kinds(statement, trained, enough, "level", kinds, -MARGIN)


def _compare_kinds(
    statement: _Statement,
    trained: _Trained,
    models: Sequence[Pretrained],
    column: str,
    kinds: Sequence[tuple[str, str]],
    floor: float = 0.0,
) -> Iterator[Claim]:
    """Test by model whether pairs of the first type or level of each of `kinds` are easier."""
    evidence: dict[str, Evidence] = {}
    for model in models:
        key = trained.keys[model][-1]
        found = [between(trained.checkpoints, key, column, *both, floor=floor) for both in kinds]
        evidence[trained.system(model)] = trained.at_null(model) or _together(found)
    yield from statement._replace(needs=f"{statement.needs}, pairs of each {column}").on(evidence)


def _word_order(trained: _Trained) -> Iterator[Claim]:
    evidence: dict[str, Evidence] = {}
    for name, words in trained.budgets().items():
        if len(words) > 1:
            smallest, largest = (Pretrained(name, words[at], False) for at in (0, -1))
            evidence[name] = trained.at_null(smallest, largest) or _extra_cost(
                trained, smallest, largest
            )
    yield from _Statement(
        "A second word order costs more with less text",
        "§5.4",
        "its cost (original order minus both) with the smallest corpus minus with the largest",
        "a model on two budgets, pairs in two word orders",
    ).on(evidence)


def _extra_cost(trained: _Trained, smallest: Pretrained, largest: Pretrained) -> Evidence:
    costs: list[dict[str, float]] = []
    clusters: dict[str, str] = {}
    for model in (smallest, largest):
        results = trained.last(model)
        lost, kept = cost(results)
        items = results.pairs["item_id"][kept]
        costs.append(dict(zip(items, lost[kept], strict=True)))
        clusters.update(zip(items, results.pairs["source_id"][kept], strict=True))
    # The two may have the pairs in different orders
    both = [item for item in costs[0] if item in costs[1]]
    if not both:
        return NO_PAIR
    among = np.array([clusters[item] for item in both])
    samples = [Sample(np.array([each[item] for item in both]), among) for each in costs]
    says = f"{trained.system(smallest)} loses {samples[0].mean:.4f}, "
    says += f"{trained.system(largest)} {samples[1].mean:.4f}, "
    return Difference.of(*samples, says=says)


def _twins(trained: _Trained) -> Iterator[Claim]:
    helps: dict[str, Evidence] = {}
    no_help: dict[str, Evidence] = {}
    for model in trained.of_words():
        twin = model._replace(twin=True)
        if twin not in trained.keys:
            continue
        system, both = trained.system(model), (trained.last(twin), trained.last(model))
        stuck = trained.at_null(model, twin)
        if model.words <= FEW_WORDS:
            keys = (trained.keys[each][-1] for each in (twin, model))
            helps[system] = stuck or twins(trained.checkpoints, *keys)
        if model.words >= ENOUGH_WORDS:
            no_help[system] = stuck or paired(*both[::-1], floor=-MARGIN)
    says, test = "Lemmatisation helps with little text", f"the twin minus the model; {BEYOND}"
    yield from _Statement(says, "§5.5", test, f"{LITTLE} and its twin").on(helps)
    says = "Lemmatisation does not help with enough text"
    test = f"the model minus the twin, margin {MARGIN}"
    yield from _Statement(says, "§5.5", test, f"{ENOUGH} and its twin").on(no_help)


def _published(checkpoints: Checkpoints) -> Iterator[Claim]:
    for best, group, systems in (
        ("ElhBERTeu-base", "published", tuple(HUB_SYSTEMS.values())),
        ("IXAmBERT", "multilingual", MULTILINGUAL),
    ):
        keys = {name: CheckpointOnPairs(name, "", False, None) for name in systems}
        scored = {name: checkpoints[key] for name, key in keys.items() if key in checkpoints}
        missing = [name for name in systems if name not in scored]
        evidence: Evidence = Untestable(f"takes {', '.join(missing)}")
        if not missing:
            leader = scored.pop(best)
            evidence = _together(
                [paired(leader, results, says=f"{name}: ") for name, results in scored.items()]
            )
        yield Claim(
            f"{best} is the best of the {group} models (§5.6)",
            "its accuracy minus that of each other model, on pairs that both keep",
            evidence,
        )


def _together(found: Sequence[Evidence]) -> Untestable | list[Difference]:
    """Return differences that must all hold, or why one of them is missing."""
    differences: list[Difference] = []
    for each in found:
        if isinstance(each, Untestable):
            return each
        differences += [each] if isinstance(each, Difference) else each
    return differences

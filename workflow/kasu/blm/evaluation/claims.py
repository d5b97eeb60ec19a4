"""The paper's claims, each with a test that could refute it (BLM-20)."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from kasu.blm.data.names import FULL, NULLS, SAME, TYPES
from kasu.blm.data.problems import CANDIDATES
from kasu.blm.evaluation.experiments import (
    NETWORKS,
    Choices,
    Experiment,
    Experiments,
    under_each_type,
)
from kasu.blm.models.predictions import ERROR_LABELS
from kasu.results.differences import Difference, Sample
from kasu.results.nulls import above
from kasu.results.verdicts import Claim, Untestable

MOST, RARE = "N2_alter", ("coordination", "mis_num")
MARGIN = 0.1  # how far above chance a null may be and still count as not solving the task

MISSING = "a system or a regime that it takes did not run"
CAPPED = "max_steps ended the training of a network before its epochs or its patience did"
NO_ERROR = "the network makes no error"

Evidence = Difference | Sequence[Difference] | Untestable
_Part = tuple[np.ndarray, Choices]  # a value for each problem, and what was chosen


def list_claims(experiments: Experiments, *, untestable: str | None) -> Iterator[Claim]:
    """Yield the claims of each variant.

    Args:
        untestable: why no claim can be tested on these problems; None if they can.
    """
    by_key = dict(under_each_type(experiments))
    for variant in sorted({key.variant for key in by_key}):
        for says, test, evidence in _Claims(by_key, variant).all():
            yield Claim(says, test, Untestable(untestable) if untestable else evidence, variant)


class _Claims:
    """The claims of one variant, and the evidence of its experiments."""

    def __init__(self, experiments: Experiments, variant: str) -> None:
        """Take all experiments, those of every system under each training type."""
        self.experiments, self.variant = experiments, variant

    def all(self) -> Iterator[tuple[str, str, Evidence]]:
        """Yield each claim, its test and the evidence."""
        for kind in TYPES:
            yield (
                f"To find the right answer on {kind}, a model must detect the rules (abstract)",
                f"chance (1/6) minus F1 of each null: holds above -{MARGIN}, if no null is "
                f"{100 * MARGIN:.0f} points above chance",
                self._nulls(kind),
            )
        for model in NETWORKS:
            for kind in TYPES:
                yield (
                    f"With all training data, the {model} does well on {kind} (§3.2)",
                    "F1 minus that of the strongest null, same problems: no credit for what a null "
                    "can do",
                    self._above_nulls(model, kind),
                )
        yield (
            "The FFNN does better than the CNN on all training data (§3.2)",
            "mean difference of F1 over the nine pairs of training and test type",
            self._between_networks(),
        )
        for model in NETWORKS:
            for kind in TYPES[1:]:
                yield (
                    f"With as few problems as type I has, the {model} collapses on {kind} (§3.2)",
                    "F1 with all training data minus F1 with few, same type, same test problems",
                    self._collapse(model, kind),
                )
        for model in NETWORKS:
            yield (
                f"Most errors of the {model} are {MOST} (§3.2)",
                "its share minus that of the next label, mean over the nine pairs, all training "
                "data",
                self._most(model),
            )
            yield (
                f"{' and '.join(RARE)} are rare errors of the {model} (§3.2)",
                "mean share of the other three labels minus that of the two, over the nine pairs",
                self._rare(model),
            )

    def _within(self, model: str, kind: str, regime: str = FULL) -> Choices | None:
        """Return the choices of a system that is tested on the type that it was trained on."""
        return self.experiments.get(Experiment(self.variant, regime, kind, kind, model))

    def _pairs(self, model: str) -> list[Choices | None]:
        """Return the nine experiments of a system with all training data."""
        keys = (
            Experiment(self.variant, FULL, train, test, model) for train in TYPES for test in TYPES
        )
        return [self.experiments.get(key) for key in keys]

    def _nulls(self, kind: str) -> Evidence:
        nulls = {name: self._within(name, kind) for name in NULLS}

        def measure(*each: Choices) -> list[Difference]:
            return [
                _mean([(1 / CANDIDATES - _solved(choices), choices)], name, floor=-MARGIN)
                for name, choices in zip(nulls, each, strict=True)
            ]

        return _evidence(list(nulls.values()), measure)

    def _above_nulls(self, model: str, kind: str) -> Evidence:
        def measure(network: Choices, *nulls: Choices) -> Difference:
            named = zip(NULLS, nulls, strict=True)
            return above(_sample(network), {name: _sample(null) for name, null in named})

        return _evidence([self._within(name, kind) for name in (model, *NULLS)], measure)

    def _between_networks(self) -> Evidence:
        def measure(*each: Choices) -> Difference:
            # The nine experiments of one network, then the nine of the other
            half = len(each) // 2
            pairs = zip(each[:half], each[half:], strict=True)
            means = (
                np.mean([_solved(choices).mean() for choices in network])
                for network in (each[:half], each[half:])
            )
            says = " and ".join(
                f"{name} {mean:.4f}" for name, mean in zip(NETWORKS, means, strict=True)
            )
            return _mean([(_solved(one) - _solved(other), one) for one, other in pairs], says)

        return _evidence([choices for model in NETWORKS for choices in self._pairs(model)], measure)

    def _collapse(self, model: str, kind: str) -> Evidence:
        """Compare training on all problems with training on as many as type I has."""

        def measure(many: Choices, few: Choices) -> Difference:
            says = f"{many.solved.mean():.4f} with all, {few.solved.mean():.4f} with few"
            return _mean([(_solved(many) - _solved(few), many)], says)

        return _evidence([self._within(model, kind, regime) for regime in (FULL, SAME)], measure)

    def _most(self, model: str) -> Evidence:
        def measure(*each: Choices) -> Difference | Untestable:
            shares = {
                label: np.mean([(choices.labels == label).mean() for choices in each])
                for label in ERROR_LABELS
            }
            if all(choices.solved.all() for choices in each):
                return Untestable(NO_ERROR)
            # The most frequent of the other labels
            rival = max((label for label in shares if label != MOST), key=lambda x: shares[x])
            parts = [
                (_share(choices, [MOST]) - _share(choices, [rival]), choices) for choices in each
            ]
            says = f"{MOST} {shares[MOST]:.4f}, {rival} {shares[rival]:.4f}"
            return _mean(parts, says, tried=len(shares) - 1)

        return _evidence(self._pairs(model), measure)

    def _rare(self, model: str) -> Evidence:
        rest = [label for label in ERROR_LABELS if label not in RARE]

        def measure(*each: Choices) -> Difference | Untestable:
            if all(choices.solved.all() for choices in each):
                return Untestable(NO_ERROR)
            return _mean(
                [
                    (_share(choices, rest) / len(rest) - _share(choices, RARE) / len(RARE), choices)
                    for choices in each
                ]
            )

        return _evidence(self._pairs(model), measure)


def _evidence(
    of_experiments: Sequence[Choices | None], measure: Callable[..., Evidence]
) -> Evidence:
    """Measure experiments, if all of them ran to their end."""
    ran = [choices for choices in of_experiments if choices]
    if len(ran) < len(of_experiments):
        return Untestable(MISSING)
    if any(choices.capped for choices in ran):
        return Untestable(CAPPED)
    return measure(*ran)


def _mean(
    parts: Sequence[_Part], says: str = "", *, floor: float = 0.0, tried: int = 1
) -> Difference:
    """Return the mean over experiments of equal weight; lexical seeds are independent."""
    # Every experiment has the same weight, however many problems it has
    values, clusters, weights = (
        np.concatenate(arrays)
        for arrays in zip(
            *(
                (value, choices.clusters, np.full(len(value), 1 / len(value)))
                for value, choices in parts
            ),
            strict=True,
        )
    )
    if len(parts) > 1:
        above = sum(bool(value.mean() > 0) for value, _ in parts)
        says = ", ".join(filter(None, (says, f"above 0 in {above} of {len(parts)} cells")))
    says = f"{says}, " if says else ""
    return Difference.of(Sample(values, clusters, weights), floor=floor, tried=tried, says=says)


def _sample(choices: Choices) -> Sample:
    return Sample(_solved(choices), choices.clusters)


def _solved(choices: Choices) -> np.ndarray:
    """Return the share of runs that solved each problem."""
    return choices.solved.mean(axis=0)


def _share(choices: Choices, labels: Sequence[str]) -> np.ndarray:
    """Return the share of runs that chose one of the labels, by problem."""
    return np.isin(choices.labels, labels).mean(axis=0)

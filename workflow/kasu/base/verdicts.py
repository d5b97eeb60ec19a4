"""Verdicts on the claims of a paper: four words that mean the same in every study.

- holds: the difference that the claim asserts is beyond chance, or the fact that it states is so.
- fails: the opposite difference is beyond chance, or the fact is not so.
- undecided: the difference is within chance. The evidence names the smallest difference that as
  many items would have shown with a probability of POWER.
- untestable here: what the claim is about did not run, or our data cannot speak for it.

A difference is beyond chance if its p value is below ALPHA after Holm's correction over all
differences that the claims of one paper test under one variant. A claim of several differences
holds if each is beyond chance, and fails if the opposite of any is.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t

from kasu.base.scores import LEVEL, holm

ALPHA = round(1 - LEVEL, 9)
POWER = 0.8
_TINY = 1e-9  # float error


class Verdict(StrEnum):
    """What the evidence says of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    UNTESTABLE = "untestable here"


class Sample(NamedTuple):
    """Scores whose mean is compared.

    values: one score per item, shape (items,).
    clusters: the item's cluster (source sentence, lexical seed), shape (items,); only clusters are
        independent.
    weights: of the items in the mean, shape (items,); default 1.
    """

    values: ArrayLike
    clusters: ArrayLike
    weights: ArrayLike | None = None


@dataclass(frozen=True)
class Difference:
    """A difference that a claim says is above `floor`.

    Attributes:
        value: the difference.
        low, high: its interval at LEVEL.
        p: two-sided p of a difference equal to `floor`.
        clusters: how many independent clusters of items it rests on.
        standard_error: of `value`; 0 if all clusters agree.
        floor: 0, or the loss below 0 that still counts as none.
        says: what was compared; opens the evidence.
        noun: what it is; a correlation is a difference from none.
        tried: how many differences this one was chosen from.
    """

    value: float
    low: float
    high: float
    p: float
    clusters: int
    standard_error: float
    floor: float = 0.0
    says: str = ""
    noun: str = "difference"
    tried: int = 1

    @classmethod
    def of(
        cls,
        sample: Sample,
        other: Sample | None = None,
        *,
        floor: float = 0.0,
        tried: int = 1,
        says: str = "",
    ) -> Self:
        """Return the mean of a sample, less that of another, with the cluster-robust t test.

        The samples may share clusters, as two systems on the same items do.

        Args:
            tried: how many differences this one was chosen from (Bonferroni).

        Raises:
            ValueError: a sample is empty.
        """
        value, residuals, clusters = 0.0, [], []
        for each, sign in ((sample, 1), (other, -1)):
            if each is None:
                continue
            scores = np.asarray(each.values, float)
            if not len(scores):
                raise ValueError("a sample without an item")
            weights = np.ones_like(scores) if each.weights is None else np.asarray(each.weights)
            mean = np.average(scores, weights=weights)
            value += sign * float(mean)
            # What each item adds to the error of the mean
            residuals.append(sign * weights * (scores - mean) / weights.sum())
            clusters.append(np.asarray(each.clusters))
        _, index = np.unique(np.concatenate(clusters), return_inverse=True)
        by_cluster = np.bincount(index, np.concatenate(residuals))
        low, high, p, error = _t_test(value, floor, by_cluster, tried)
        return cls(value, low, high, p, len(by_cluster), error, floor, says, tried=tried)

    @property
    def smallest(self) -> float:
        """The smallest distance from `floor` that would be beyond chance with probability POWER.

        Before Holm's correction over the claims. By Student's t, shifted by the difference.
        """
        freedom = self.clusters - 1
        critical = t.isf(ALPHA / 2 / self.tried, freedom) + t.isf(1 - POWER, freedom)
        return float(critical * self.standard_error)

    @property
    def enough(self) -> int:
        """How many clusters that all agree would be beyond chance, by the sign test."""
        return math.ceil(math.log2(2 * self.tried / ALPHA))

    def describe(self, p: float) -> str:
        """Write the evidence, with the corrected p."""
        interval = f"({self.low:+.4f} to {self.high:+.4f})"
        evidence = f"{self.says}{self.noun} {self.value:+.4f} {interval}, p {p:.2g}"
        if p < ALPHA:
            return evidence
        if self.clusters < 2:
            return f"{evidence}: nothing follows from one cluster"
        if self.standard_error < _TINY:
            agree = f"all {self.clusters} clusters agree, {self.enough} would be enough"
            return f"{evidence}: within chance; {agree}"
        power = f"{self.clusters:,} clusters show {self.smallest:.4f} in {POWER:.0%} of samples"
        return f"{evidence}: within chance; {power}"


@dataclass(frozen=True)
class Fact:
    """A claim without chance: printed figures compared, or cells equal to print."""

    holds: bool
    evidence: str


@dataclass(frozen=True)
class Untestable:
    """Why a claim cannot be tested here."""

    why: str


@dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    Attributes:
        says: the claim, with its section.
        test: what is compared, with any tolerance.
        evidence: a difference, several of which all must hold, a fact, or why there is none.
        variant: of the study.
    """

    says: str
    test: str
    evidence: Difference | Sequence[Difference] | Fact | Untestable
    variant: str | None = None

    @property
    def differences(self) -> Sequence[Difference]:
        """The differences that it tests."""
        if isinstance(self.evidence, Fact | Untestable):
            return ()
        return [self.evidence] if isinstance(self.evidence, Difference) else self.evidence


def every(equal: Collection[bool], what: str, nothing: str) -> Fact | Untestable:
    """The fact that all are equal; untestable if there is none.

    Args:
        what: a noun for one of them, in the plural.
        nothing: why there may be none.
    """
    if not equal:
        return Untestable(nothing)
    return Fact(all(equal), f"{sum(equal):,} of {len(equal):,} {what}")


def judge_claims(paper: str, claims: Iterable[Claim]) -> list[dict]:
    """Return rows of CLAIMS: the verdict on each claim and its evidence, in their order.

    Raises:
        ValueError: a claim tests an empty list of differences.
    """
    families: dict[str | None, list[float]] = {}
    claims = list(claims)
    for claim in claims:
        families.setdefault(claim.variant, []).extend(each.p for each in claim.differences)
    # Taken in the order of the claims
    corrected = {variant: iter(holm(family)) for variant, family in families.items()}
    rows = []
    for claim in claims:
        p_values = [next(corrected[claim.variant]) for _ in claim.differences]
        result, evidence = _judge(claim, p_values)
        named = {"paper": paper, "claim": claim.says, "test": claim.test, "variant": claim.variant}
        rows.append(named | {"result": str(result), "evidence": evidence})
    return rows


def _judge(claim: Claim, p_values: Sequence[float]) -> tuple[Verdict, str]:
    """Return the verdict on a claim, given the corrected p of each of its differences."""
    if isinstance(claim.evidence, Untestable):
        return Verdict.UNTESTABLE, claim.evidence.why
    if isinstance(claim.evidence, Fact):
        return Verdict.HOLDS if claim.evidence.holds else Verdict.FAILS, claim.evidence.evidence
    if not p_values:
        raise ValueError(f"a claim without a difference: {claim.says}")
    parts = list(zip(claim.differences, p_values, strict=True))
    verdicts = {
        Verdict.UNDECIDED
        if not p < ALPHA  # or it is undefined
        else (Verdict.HOLDS if each.value > each.floor else Verdict.FAILS)
        for each, p in parts
    }
    evidence = "; ".join(each.describe(p) for each, p in parts)
    # The worst part decides
    for verdict in (Verdict.FAILS, Verdict.UNDECIDED):
        if verdict in verdicts:
            return verdict, evidence
    return Verdict.HOLDS, evidence


def _t_test(
    value: float, floor: float, by_cluster: np.ndarray, tried: int
) -> tuple[float, float, float, float]:
    """Return the interval of a difference, its p and its standard error.

    Args:
        by_cluster: what each cluster adds to the error, shape (clusters,).
    """
    count = len(by_cluster)
    if count < 2:
        return -np.inf, np.inf, 1.0, np.inf
    standard_error = float(np.sqrt(count / (count - 1) * (by_cluster**2).sum()))
    if standard_error < _TINY:
        # All clusters agree: the sign test says how often they would by chance
        p = 1.0 if abs(value - floor) < _TINY else 2 * 0.5**count
        return value, value, min(tried * p, 1.0), 0.0
    margin = float(t.isf(ALPHA / 2 / tried, count - 1) * standard_error)
    p = 2 * float(t.sf(abs(value - floor) / standard_error, count - 1))
    return value - margin, value + margin, min(tried * p, 1.0), standard_error

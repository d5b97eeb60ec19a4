"""Verdicts on the claims of a paper: four words that mean the same in every study.

- holds: the difference that the claim asserts is beyond chance, or the fact that it states is true.
- fails: the opposite difference is beyond chance, or the fact is false.
- undecided: the difference is within chance. The evidence names the smallest difference that as
  many clusters would have shown with a probability of POWER, after the same correction.
- untestable here: what the claim is about did not run, our data cannot speak for it, or a null
  solves it (`kasu.results.nulls`).

A difference is beyond chance if its p value is below ALPHA after Holm's correction over all
differences that the claims of one paper test under one variant. A claim of several differences
holds if each is beyond chance, and fails if the opposite of any is.

A claim is about figures of ours or about print alone, which says nothing of our systems: the two
are counted apart.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from kasu.results.differences import ALPHA, Difference
from kasu.results.scores import CLAIMS
from kasu.results.statistics import holm

ENOUGH = 0.9  # the share that must be at hand for a claim about all


class Verdict(StrEnum):
    """What the evidence says of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    UNTESTABLE = "untestable here"


class About(StrEnum):
    """The figures that a claim is judged by."""

    OURS = "ours"
    PRINT = "print"  # also where the authors' own scores are added up again


@dataclass(frozen=True)
class Fact:
    """A claim without chance: printed figures compared, or cells equal to print."""

    holds: bool
    evidence: str


@dataclass(frozen=True)
class Untestable:
    """The reason why a claim cannot be tested here."""

    why: str


@dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    Attributes:
        says: the claim, with its section.
        test: what is compared, with any tolerance.
        evidence: a difference, several of which all must hold, a fact, or why there is none.
        variant: the variant of the study.
        about: whose figures it is judged by.
    """

    says: str
    test: str
    evidence: Difference | Sequence[Difference] | Fact | Untestable
    variant: str | None = None
    about: About = About.OURS

    @property
    def differences(self) -> Sequence[Difference]:
        """The differences that the claim tests; none if a null solves one of them."""
        if isinstance(self.evidence, Fact | Untestable) or self.solved:
            return ()
        return _listed(self.evidence)

    @property
    def solved(self) -> str:
        """The nulls that solve the claim, with what was measured; empty if none does."""
        if isinstance(self.evidence, Fact | Untestable):
            return ""
        found = [each for each in _listed(self.evidence) if each.solved]
        return "; ".join(f"{each.solved}: {each.describe()}" for each in found)


def _listed(evidence: Difference | Sequence[Difference]) -> Sequence[Difference]:
    return [evidence] if isinstance(evidence, Difference) else evidence


def every(
    equal: Collection[bool], what: str, nothing: str, *, of: int | None = None
) -> Fact | Untestable:
    """Return the fact that all are equal; untestable if there is none.

    The claim fails if one is not equal. It holds if all are, and they are ENOUGH of those that
    the claim is about.

    Args:
        what: a noun for one of them, in the plural.
        nothing: why there may be none.
        of: how many the claim is about; by default as many as there are.
    """
    if not equal:
        return Untestable(nothing)
    found = f"{sum(equal):,} of {len(equal):,} {what}"
    return too_few(len(equal), of, found) if of and all(equal) else Fact(all(equal), found)


def too_few(count: int, of: int, found: str) -> Fact | Untestable:
    """Return the fact that a claim holds; untestable if fewer than ENOUGH were at hand.

    Args:
        count: how many were at hand.
        of: how many the claim is about.
        found: the evidence.
    """
    if count < ENOUGH * of:
        return Untestable(f"{found}, but the claim is about {of:,}")
    return Fact(True, found)


def judge_claims(paper: str, claims: Iterable[Claim]) -> list[dict]:
    """Return rows of CLAIMS: the verdict on each claim and its evidence, in their order.

    Raises:
        ValueError: a claim tests an empty list of differences.
    """
    claims = list(claims)
    tests = [(claim.variant, each.p) for claim in claims for each in claim.differences]
    corrected = holm([p for _, p in tests], [variant for variant, _ in tests])
    # By variant, how many differences are not rejected
    kept = Counter(
        variant for (variant, _), p in zip(tests, corrected, strict=True) if not p < ALPHA
    )
    rows, p_values = [], iter(corrected)
    for claim in claims:
        own = list(islice(p_values, len(claim.differences)))
        # Holm's method divides ALPHA by the number of differences that are not rejected yet. With
        # the others as they are, a difference that was not rejected had to be below this level
        result, evidence = _judge(claim, own, ALPHA / max(kept[claim.variant], 1))
        cells = (claim.says, claim.test, claim.variant, str(claim.about), str(result), evidence)
        rows.append(dict(zip(CLAIMS, (paper, *cells), strict=True)))
    return rows


def _judge(claim: Claim, p_values: Sequence[float], level: float) -> tuple[Verdict, str]:
    """Return the verdict on a claim, and the evidence.

    Args:
        p_values: the corrected p of each of its differences.
        level: the level that the p of a difference had to be below as measured.
    """
    if isinstance(claim.evidence, Untestable):
        return Verdict.UNTESTABLE, claim.evidence.why
    if isinstance(claim.evidence, Fact):
        return Verdict.HOLDS if claim.evidence.holds else Verdict.FAILS, claim.evidence.evidence
    if claim.solved:
        return Verdict.UNTESTABLE, claim.solved
    if not p_values:
        raise ValueError(f"a claim without a difference: {claim.says}")
    parts = [_part(each, p, level) for each, p in zip(claim.differences, p_values, strict=True)]
    verdicts = [verdict for verdict, _ in parts]
    evidence = "; ".join(text for _, text in parts)
    # The worst part decides
    for verdict in (Verdict.FAILS, Verdict.UNDECIDED):
        if verdict in verdicts:
            return verdict, evidence
    return Verdict.HOLDS, evidence


def _part(difference: Difference, p: float, level: float) -> tuple[Verdict, str]:
    """Return what one difference says of its claim, and the evidence; see `_judge`."""
    evidence = f"{difference.describe()}, corrected {p:.2g}"
    if not p < ALPHA:  # or it is undefined
        return Verdict.UNDECIDED, f"{evidence}: {difference.undecided(level)}"
    if difference.asserted:
        return Verdict.HOLDS, evidence
    return Verdict.FAILS if difference.refutes else Verdict.UNDECIDED, evidence

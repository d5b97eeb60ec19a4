"""Fingerprints: is a system, language by language, the one that was published?

One mean says little of a reimplementation: two unlike systems may share it. Over languages, paired
differences to the published column say more. Runs of a stable system differ by their seeds by 1 to
2 points a language; at low, systems of other teams mostly differ by 6 points and more.

Verdicts, by the words of `kasu.base.reproduction`; a *column* holds a published submission's
accuracy by language:

- differs: the standard deviation of the differences exceeds the cap, or another team's column is
  nearer. Near is the root mean square (RMS) of the differences over the languages both have.
- agrees: none of these, and the interval of the mean difference lies within the margin around the
  expected difference. Where the cap exceeds the RMS to the nearest other team, the own column must
  be nearer than that by POINT.
- consistent: none of these, but the interval holds the expected difference.
- agrees in kind: none of these; the own column is the nearest, but the mean is off.
- uninformative: too few languages for a spread; a published mean that any broken program comes as
  near to, below FLOOR or not above that of copying the lemma; or a verdict that a null, which
  cannot do what is tested, earns too, or a better one.

Expected difference, margin and cap are stated in the config before the run. In the file of a family
they would be part of its code, and a changed bound would train it anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Self

import numpy as np

from kasu.base.reproduction import FLOOR, State, judge
from kasu.base.scores import mean_interval

MARGIN = 0.02
CAPS = {"low": 0.04, "medium": 0.03, "high": 0.02}
POINT = 0.01
FEWEST = 3  # languages that show a spread
SHARED = 0.5  # of our languages: a column with fewer is not compared

Column = Mapping[str, float]
"""Accuracy by language."""

PublishedMembers = Mapping[str, Mapping[str, int]]
"""How many members a published submission was made from, by system and setting, if several."""

REASONS = {
    State.AGREES: "the interval lies within the margin",
    State.CONSISTENT: "the interval holds the expected difference",
    State.IN_KIND: "the mean is off",
}

_EARNED = {
    State.AGREES: "agrees as well",
    State.CONSISTENT: "is consistent too",
    State.IN_KIND: "agrees in kind too",
}
"""Verdicts that speak for a system, best first, and what a reason says of a null that earns one."""

_ROUNDING = 0.5e-4  # of printed shares
_TINY = 1e-9


@dataclass(frozen=True)
class Bounds:
    """What a right program may show, stated before the run.

    Attributes:
        expected: difference of the means, ours minus published.
        margin: how far the interval may lie from it; None where the paper leaves too much open for
            more than *agrees in kind*.
        cap: the largest standard deviation; None is no cap.
        why: what is known of a difference, for the reason.
    """

    expected: float = 0.0
    margin: float | None = MARGIN
    cap: float | None = None
    why: str = ""


@dataclass(frozen=True)
class Other:
    """Another column: its RMS to ours, and the own column's over the same languages."""

    column: str
    rms: float
    own: float

    @property
    def further(self) -> float:
        """By how much it is further away than the own column."""
        return self.rms - self.own


@dataclass(frozen=True)
class Fingerprint:
    """The differences of a system to its own column, and the distances of the other columns.

    Attributes:
        differences: by language, ours minus published.
        published: the mean of the own column over the same languages.
        others: the other columns with at least a share SHARED of these languages.
        copied: the mean of copying the lemma over these languages, if it is known for all.
    """

    own: str
    differences: np.ndarray
    published: float
    others: Sequence[Other]
    copied: float | None = None

    @classmethod
    def of(
        cls, ours: Column, own: str, columns: Mapping[str, Column], copied: Column | None = None
    ) -> Self:
        """Compare a system with a column, by the languages that both have.

        Args:
            own: the column's name.
            columns: all published columns, also the own.
            copied: the accuracy of copying the lemma.
        """
        theirs = columns[own]
        names = [name for name in ours if name in theirs]
        others = []
        for column, values in columns.items():
            shared = [name for name in names if name in values]
            if column != own and len(shared) >= max(SHARED * len(names), 1):
                rms = (_rms(_differences(ours, each, shared)) for each in (values, theirs))
                others.append(Other(column, *rms))
        published = float(np.mean([theirs[name] for name in names])) if names else 0.0
        copies = [copied[name] for name in names if name in copied] if copied else []
        null = float(np.mean(copies)) if copies and len(copies) == len(names) else None
        return cls(own, _differences(ours, theirs, names), published, others, null)

    @property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.differences.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """Its interval, by Student's t over languages."""
        if len(self.differences) < 2:
            return -np.inf, np.inf
        return mean_interval(self.differences)

    @property
    def sd(self) -> float:
        """The standard deviation of the differences; NaN of a single one."""
        return float(self.differences.std(ddof=1)) if len(self.differences) > 1 else np.nan

    @property
    def rms(self) -> float:
        """The distance to the own column."""
        return _rms(self.differences)

    @property
    def rank(self) -> int:
        """The place of the own column among all columns by RMS."""
        return 1 + sum(other.further < -_TINY for other in self.others)

    @property
    def nearest(self) -> Other | None:
        """The nearest column of another team, against the own column."""
        others = (other for other in self.others if team(other.column) != team(self.own))
        return min(others, key=lambda other: other.further, default=None)

    def judge_beside(self, nulls: Mapping[str, "Fingerprint"], bounds: Bounds) -> tuple[State, str]:
        """The verdict and its reason, where nulls are known.

        Args:
            nulls: their fingerprints for the same column and languages.
        """
        (verdict, reason), ranks = self.judge(bounds), [*_EARNED]
        if verdict in _EARNED:
            for name, null in nulls.items():
                as_well, _ = null.judge(bounds)
                if as_well in ranks[: ranks.index(verdict) + 1]:
                    return State.UNINFORMATIVE, f"the null {name} {_EARNED[as_well]}"
        return verdict, reason

    def judge(self, bounds: Bounds) -> tuple[State, str]:
        """The verdict and its reason, for what the system does alone."""
        if len(self.differences) < FEWEST:
            return State.UNINFORMATIVE, f"fewer than {FEWEST} languages show no spread"
        if self.published < FLOOR:
            return State.UNINFORMATIVE, f"published mean {self.published:.4f}: near zero"
        if self.copied is not None and self.published <= self.copied:
            found = f"published mean {self.published:.4f}: not above {self.copied:.4f} by copying"
            return State.UNINFORMATIVE, found
        near = self.nearest
        if near and near.further < -_TINY:
            found = f"RMS {near.rms:.4f} against {near.own:.4f}"
            return State.DIFFERS, f"{near.column} is nearer: {found}"
        if bounds.cap is not None and self.sd > bounds.cap + _ROUNDING:
            return State.DIFFERS, f"SD {self.sd:.4f} above the cap {bounds.cap:.4f}"
        return self._judge_mean(bounds, near)

    def _judge_mean(self, bounds: Bounds, near: Other | None) -> tuple[State, str]:
        """The verdict where the own column is nearest and the spread small enough."""
        if bounds.margin is None:
            return State.IN_KIND, _join("no margin is stated", bounds.why)
        barred, margin = "", bounds.margin
        if near and near.further < POINT and (bounds.cap is None or bounds.cap > near.rms):
            barred = f"{near.column} is as near to {100 * POINT:.0f} point"
            margin = -1.0  # within which no interval lies
        low, high = (end - bounds.expected for end in self.interval)
        state = judge(low, high, margin=margin, slack=_ROUNDING, nearest=True)
        return state, _join(REASONS[state], barred, bounds.why)


def _join(*reasons: str) -> str:
    return "; ".join(filter(None, reasons))


def team(column: str) -> str:
    """The team of a submission, or of its rerun: `uzh` of `uzh-01`."""
    return column.removeprefix("rerun ").rpartition("-")[0] or column


def _differences(ours: Column, theirs: Column, names: Sequence[str]) -> np.ndarray:
    return np.array([ours[name] - theirs[name] for name in names])


def _rms(differences: np.ndarray) -> float:
    return float(sqrt(np.mean(differences**2)))

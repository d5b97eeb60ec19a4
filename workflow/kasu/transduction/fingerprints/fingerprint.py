"""Fingerprints: whether a system is, language by language, the one that was published.

One mean says little of a reimplementation: two unlike systems may share it. Over languages, paired
differences to the published column say more. Runs of a stable system differ by their seeds by 1 to
2 points a language; at low, systems of other teams mostly differ by 6 points and more.

Verdicts use the words of `kasu.results.reproduction`. A *column* holds a published submission's
accuracy by language. Its distance is the root mean square (RMS) of the differences over the
languages that both have.

- differs: another team's column is nearer, or the standard deviation (SD) of the differences
  exceeds both the cap and what seeds alone may make.
- agrees: none of these, and the interval of the mean difference lies within the margin around the
  expected difference, over ENOUGH of the languages asked for. Ours has gone no more than a QUARTER
  of the way to the nearest other team; where the cap exceeds the RMS to that team, the own column
  must be nearer by POINT.
- consistent: none of these, but the interval holds the expected difference.
- agrees in kind: none of these. The own column is the nearest, but the mean is off, by no more than
  a QUARTER of the way from copying the lemma (or 0, where that did not run) to print; if it is off
  by more, the system differs. Where no other team's column is compared, nothing agrees in kind.
- uninformative: too few languages for a spread; an accuracy that is no number; or a published mean
  that any broken program comes as near to: below FLOOR, or not above that of copying the lemma. It
  also takes the place of a word that speaks for a system if the SD is above the cap but seeds may
  have made it; if the interval is wider than WIDE; or if a null, which cannot do what is tested,
  earns the same word or a better one.

Expected difference, margin and cap are stated in the config before the run. In the file of a family
they would be part of its code, and a changed bound would train it anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Self

import numpy as np
from scipy.special import stdtrit

from kasu.results.reproduction import FLOOR, State, judge
from kasu.results.statistics import LEVEL

MARGIN = 0.02
CAPS = {"low": 0.04, "medium": 0.03, "high": 0.02}
POINT = 0.01
QUARTER = 0.25  # of the way to another team's column
WIDE = 0.10  # width of the interval of a mean difference
FEWEST = 3  # languages that show a spread
ENOUGH = 0.9  # of the languages asked for
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

EARNED = {
    State.AGREES: "agrees as well",
    State.CONSISTENT: "is consistent too",
    State.IN_KIND: "agrees in kind too",
}
"""Verdicts that speak for a system, best first, and the words of a reason if a null earns one."""

_ROUNDING = 0.5e-4  # of printed shares
_TINY = 1e-9


@dataclass(frozen=True)
class Bounds:
    """Bounds of what a right program may show, stated before the run but for `chance` and `wanted`.

    Attributes:
        expected: difference of the means, ours minus published.
        margin: how far the interval may lie from it; None where the paper leaves too much open for
            more than *agrees in kind*.
        cap: the largest SD; None is no cap.
        why: what is known of a difference, for the reason.
        chance: the largest SD that seeds alone may make; None if it was not measured.
        wanted: how many languages are to be compared; by default those that are.
    """

    expected: float = 0.0
    margin: float | None = MARGIN
    cap: float | None = None
    why: str = ""
    chance: float | None = None
    wanted: int = 0


@dataclass(frozen=True)
class Other:
    """Another column: its RMS to ours, and the RMS of the own column over the same languages.

    Attributes:
        apart: the RMS between the two columns.
        gap: the mean difference, the other minus the own.
    """

    column: str
    rms: float
    own: float
    apart: float
    gap: float

    @property
    def further(self) -> float:
        """The distance by which this column is further away than the own column."""
        return self.rms - self.own

    def way(self, expected: float) -> float:
        """Return the share of the way to this column that ours has gone.

        The way begins at the own column plus the expected difference. Ours is projected onto it, by
        the law of cosines; 0 where the columns are equal.
        """
        along = (self.apart**2 + self.own**2 - self.rms**2) / 2 - expected * self.gap
        return along / self.apart**2 if self.apart else 0.0


@dataclass(frozen=True)
class Panel:
    """A published column over some languages, and the other columns there.

    Attributes:
        own: the name of the column.
        published: its accuracies, (languages,).
        others: the columns with at least a share SHARED of these languages.
        gaps: the own column minus each of them, (others, languages); NaN where one has no figure.
        copied: the mean of copying the lemma over these languages, if it is known for all.
    """

    own: str
    published: np.ndarray
    others: Sequence[str]
    gaps: np.ndarray
    copied: float | None = None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        own: str,
        columns: Mapping[str, Column],
        copied: Column | None = None,
    ) -> Self:
        """Make the panel of one language or more, all of which the own column has.

        Args:
            columns: all published columns, also the own.
            copied: the accuracy of copying the lemma.
        """
        published = np.array([columns[own][name] for name in names])
        others = [
            column
            for column, values in columns.items()
            if column != own
            and sum(name in values for name in names) >= max(SHARED * len(names), 1)
        ]
        figures = [[columns[column].get(name, np.nan) for name in names] for column in others]
        gaps = published - np.array(figures, float).reshape(len(others), len(names))
        copies = [copied[name] for name in names if name in copied] if copied else []
        null = float(np.mean(copies)) if copies and len(copies) == len(names) else None
        return cls(own, published, others, gaps, null)

    @cached_property
    def mean(self) -> float:
        """The mean of the own column."""
        return float(self.published.mean())

    def measure(self, differences: np.ndarray) -> list["Fingerprint"]:
        """Return the fingerprint of each system.

        All are measured at once, since the resolution of a verdict asks for hundreds.

        Args:
            differences: ours minus published, (systems, languages).
        """
        count = differences.shape[1]
        means = differences.mean(axis=1)
        sds = differences.std(axis=1, ddof=1) if count > 1 else np.full(len(means), np.nan)
        # Student's t over languages
        half = -stdtrit(count - 1, (1 - LEVEL) / 2) * sds / sqrt(count) if count > 1 else np.inf
        lows, highs = means - half, means + half
        squares = differences**2
        # RMS to each other column over the languages that it has, (systems, others), and that of
        # the own column over the same languages
        has = ~np.isnan(self.gaps)
        shared = np.maximum(has.sum(axis=1), 1)
        theirs = np.nansum((differences[:, None] + self.gaps) ** 2, axis=2) / shared
        rms, own = np.sqrt(theirs), np.sqrt(squares @ has.T / shared)
        apart = np.sqrt(np.nansum(self.gaps**2, axis=1) / shared)
        gaps = -np.nansum(self.gaps, axis=1) / shared
        # The place of the own column among all, and the nearest column of another team
        ranks = 1 + (rms - own < -_TINY).sum(axis=1)
        rivals = np.array([team(name) != team(self.own) for name in self.others], bool)
        further = np.where(rivals, rms - own, np.inf)
        nearby = further.argmin(axis=1).tolist() if rivals.any() else []
        distances = np.sqrt(squares.mean(axis=1)).tolist()
        found = []
        for k, row in enumerate(differences):
            nearest = None
            if nearby:
                n = nearby[k]
                nearest = Other(
                    self.others[n], float(rms[k, n]), float(own[k, n]), float(apart[n]),
                    float(gaps[n]),
                )  # fmt: skip
            found.append(Fingerprint(
                self, row, float(means[k]), (float(lows[k]), float(highs[k])), float(sds[k]),
                distances[k], int(ranks[k]), nearest,
            ))  # fmt: skip
        return found


@dataclass(frozen=True)
class Fingerprint:
    """The differences of a system to its own column, and the distances of the other columns.

    Attributes:
        differences: by language, ours minus published.
        mean: the mean difference.
        interval: its interval, by Student's t over languages.
        sd: the SD of the differences; NaN of a single one.
        rms: the distance to the own column.
        rank: the place of the own column among all columns by RMS.
        nearest: the nearest column of another team, against the own column.
    """

    panel: Panel
    differences: np.ndarray
    mean: float
    interval: tuple[float, float]
    sd: float
    rms: float
    rank: int
    nearest: Other | None

    @classmethod
    def of(
        cls, ours: Column, own: str, columns: Mapping[str, Column], copied: Column | None = None
    ) -> "Fingerprint":
        """Compare a system with a column, by the languages that both have, one or more.

        Args:
            own: the column's name.
            columns: all published columns, also the own.
            copied: the accuracy of copying the lemma.
        """
        names = [name for name in ours if name in columns[own]]
        panel = Panel.of(names, own, columns, copied)
        accuracies = np.array([ours[name] for name in names])
        return panel.measure(accuracies[None] - panel.published)[0]

    def judge_beside(self, nulls: Mapping[str, "Fingerprint"], bounds: Bounds) -> tuple[State, str]:
        """Return the verdict and its reason, where nulls are known.

        Args:
            nulls: their fingerprints for the same column and languages.
        """
        verdict, reason = self.judge(bounds)
        for name, null in nulls.items():
            as_well, _ = null.earn(bounds)
            if earns(as_well, verdict):
                return State.UNINFORMATIVE, f"the null {name} {EARNED[as_well]}"
        return verdict, reason

    def judge(self, bounds: Bounds) -> tuple[State, str]:
        """Return the verdict and its reason, for what the system does alone."""
        word, reason = self.earn(bounds)
        if word not in EARNED:
            return word, reason
        low, high = self.interval
        if self._above(bounds):
            # Unstable training excuses a spread, but must not help
            word = State.UNINFORMATIVE
            reason = f"SD {self.sd:.4f} above the cap {bounds.cap:.4f}, as seeds alone may make it"
        elif high - low > WIDE:
            word = State.UNINFORMATIVE
            reason = f"the interval is {100 * (high - low):.1f} points wide"
        elif word is State.AGREES and (barred := self._bar(bounds)):
            # Without a margin the next word is left
            word, reason = self._judge_mean(-1.0, bounds), f"{reason}, but {barred}"
        return word, "; ".join(filter(None, (reason, bounds.why)))

    def earn(self, bounds: Bounds) -> tuple[State, str]:
        """Return the word by columns, spread and mean, and its reason.

        A null that earns the word takes it away. Other things make a word of a system doubtful: a
        spread that seeds alone may make, a wide interval, too few languages, a way gone to another
        team. They do not speak for the system against a null, so they do not count here.
        """
        published, copied = self.panel.mean, self.panel.copied
        if len(self.differences) < FEWEST:
            return State.UNINFORMATIVE, f"fewer than {FEWEST} languages show no spread"
        if not np.isfinite(self.differences).all():
            return State.UNINFORMATIVE, "an accuracy is no number"
        if published < FLOOR:
            return State.UNINFORMATIVE, f"published mean {published:.4f}: near zero"
        if copied is not None and published <= copied:
            found = f"published mean {published:.4f}: not above {copied:.4f} by copying"
            return State.UNINFORMATIVE, found
        near = self.nearest
        if near and near.further < -_TINY:
            found = f"RMS {near.rms:.4f} against {near.own:.4f}"
            return State.DIFFERS, f"{near.column} is nearer: {found}"
        excused = bounds.chance is not None and self.sd <= bounds.chance
        if self._above(bounds) and not excused:
            return State.DIFFERS, f"SD {self.sd:.4f} above the cap {bounds.cap:.4f}"
        word, reason = State.IN_KIND, "no margin is stated"
        if bounds.margin is not None:
            word = self._judge_mean(bounds.margin, bounds)
            reason = REASONS[word]
        if word is State.IN_KIND:
            off, way = abs(self.mean - bounds.expected), published - (copied or 0.0)
            if off > QUARTER * way + _TINY:
                found = f"{100 * off:.1f} of {100 * way:.1f} points from copying to print"
                return State.DIFFERS, f"the mean is off by {found}"
            if not near:
                # Of one column alone, being the nearest says nothing
                word = State.UNINFORMATIVE if bounds.margin is None else State.DIFFERS
                reason += ", and no other team's column is compared"
        return word, reason

    def _above(self, bounds: Bounds) -> bool:
        return bounds.cap is not None and self.sd > bounds.cap + _ROUNDING

    def _judge_mean(self, margin: float, bounds: Bounds) -> State:
        low, high = (end - bounds.expected for end in self.interval)
        return judge(low, high, margin=margin, slack=_ROUNDING, nearest=True)

    def _bar(self, bounds: Bounds) -> str:
        """Say what keeps a system from *agrees*; return an empty text if nothing does."""
        near = self.nearest
        if len(self.differences) < ENOUGH * bounds.wanted:
            return f"over {len(self.differences)} of {bounds.wanted} languages"
        if near and near.further < POINT and (bounds.cap is None or bounds.cap > near.rms):
            return f"{near.column} is as near to {100 * POINT:.0f} point"
        if near and (way := near.way(bounds.expected)) > QUARTER + _TINY:
            return f"{100 * way:.0f} % of the way to {near.column}"
        return ""


def earns(state: State, verdict: State) -> bool:
    """Return whether a null in this state takes a verdict away: its word is as good, or better."""
    ranks = [*EARNED]
    return verdict in EARNED and state in ranks[: ranks.index(verdict) + 1]


def team(column: str) -> str:
    """Return the team of a column: `uzh` of `uzh-01`, `rerun uzh-01` and `dev uzh-01 a-part`."""
    return column.removeprefix("dev ").removeprefix("rerun ").rpartition("-")[0] or column

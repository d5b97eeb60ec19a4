"""The ladder of variants beside the published one: how much each step helps, by language.

Makarov & Clematide (2018) go from an aligner's actions (static) to the optimal actions in states
that the model reaches by itself (explored), and on to its own roll-outs (released). Languages are
the sample: the mean difference has Student's interval, and a sign test judges the claim on the
order, for our members and the published outputs alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from statistics import fmean
from typing import Self

import numpy as np
from scipy.special import ndtri

from kasu.files.tables import write_drops, write_tsv
from kasu.inflection.data.triples import PAPER
from kasu.inflection.ladder.item_agreement import AGREEMENT, agreement_rows
from kasu.inflection.ladder.published_outputs import (
    OURS,
    THEIRS,
    ComparedOutputs,
    System,
    read_outputs,
)
from kasu.results.differences import ALPHA, POWER, Difference, Sample
from kasu.results.verdicts import Claim, Untestable, judge_claims

LADDER = (
    "row", "side", "system", "variant", "over", "language", "languages", "members", "value", "low",
    "high", "wins", "ties", "losses", "sign_p", "verdict", "evidence",
)  # fmt: skip
"""`row` says what a row is: `accuracy`, of a system in a language or, without one, its mean over
`languages`; `step`, the mean difference of a variant over another, with the languages in which it
wins, ties and loses; `order`, the verdict that every step up the claimed order helps; `ends`, that
its last variant is above its first. `side` is ours or published; `variant` of a published system is
the one of ours that it is. `members` are models whose accuracies are averaged."""

FEWEST = 6  # languages: won alike, fewer still have p > 0.05

_TINY = 1e-9  # float error


@dataclass(frozen=True)
class SignTest(Difference):
    """The mean of differences over languages, and the p of a sign test.

    Attributes:
        wins, ties, losses: numbers of languages.
        spread: standard deviation of the differences.
    """

    wins: int = 0
    ties: int = 0
    losses: int = 0
    spread: float = 0.0

    @classmethod
    def over(cls, differences: Mapping[str, float]) -> Self:
        """Test differences by language."""
        from scipy.stats import binomtest

        values = np.array([*differences.values()])
        wins, losses = int((values > _TINY).sum()), int((values < -_TINY).sum())
        ties = len(values) - wins - losses
        mean = Difference.of(Sample(values, [*differences]))
        return cls(
            mean.value,
            mean.low,
            mean.high,
            float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0,
            len(values),
            mean.standard_error,
            says=f"{wins} won, {ties} tied, {losses} lost: ",
            wins=wins,
            ties=ties,
            losses=losses,
            spread=float(values.std(ddof=1)) if len(values) > 1 else np.nan,
        )

    @property
    def asserted(self) -> bool:
        """Whether more languages are won than lost; one large loss may turn the mean around."""
        return self.wins > self.losses

    def smallest(self, level: float = ALPHA) -> float:
        """Return the mean of normal differences that this test finds with probability POWER."""
        from scipy.stats import beta, binom

        count = self.wins + self.losses
        needed = int(binom.isf(level / 2, count, 0.5)) + 1  # wins
        if needed > count:
            return np.inf
        # How likely each win must be
        share = beta.ppf(POWER, needed, count - needed + 1)
        return float(ndtri(share) * self.spread)


def compare_outputs(
    published: Sequence[Mapping],
    members: Mapping[str, Sequence[str | Path]],
    datasets: Mapping[str, str | Path],
    out: Mapping[str, str | Path],
    *,
    family: str,
    variants: Mapping[str, Sequence[str | None]],
    order: Sequence[str],
    margin: float,
) -> None:
    """Write the ladder and the agreement by item.

    Args:
        published, members, datasets, variants: as for `read_outputs`.
        out: files to write: `ladder` (LADDER), `agreement` (AGREEMENT) and `drops`.
        family: the family whose variants are the ladder.
        order: the variants that the claim is about, from worst to best.
        margin: how far two rates of agreement may lie apart and still count as equal.
    """
    outputs, drops = read_outputs(published, members, datasets, variants)
    write_tsv(out["ladder"], ladder_rows(outputs, family, order), LADDER)
    write_tsv(out["agreement"], agreement_rows(outputs, margin), AGREEMENT)
    write_drops(out["drops"], drops)


def ladder_rows(outputs: ComparedOutputs, family: str, order: Sequence[str]) -> list[dict]:
    """Return the rows of LADDER: accuracies of all systems, steps and verdicts of both sides."""
    rows: list[dict] = []
    for system in outputs.systems:
        rows += _accuracy_rows(outputs, system)
    for side in (OURS, THEIRS):
        # The published side is its votes, since only the lowest rung has single models
        found = {
            each.variant: each
            for each in outputs.systems
            if each.side == side and each.single == (side == OURS)
            if each.variant and (side == THEIRS or each.name == family)
        }
        first = [variant for variant in order if variant in found]
        rungs = [*first, *(variant for variant in found if variant not in first)]
        steps = {
            (low, high): SignTest.over(_differences(outputs, found[high], found[low]))
            for low, high in combinations(rungs, 2)
            if _differences(outputs, found[high], found[low])
        }
        for (low, high), step in steps.items():
            rows.append(_named(found[high]) | {"row": "step", "over": low} | _measured(step))
        rows += _judged(side, steps, order)
    empty = dict.fromkeys(LADDER)
    return [empty | row for row in rows]


def _named(system: System) -> dict[str, str | None]:
    return {"side": system.side, "system": system.name, "variant": system.variant}


def _accuracy_rows(outputs: ComparedOutputs, system: System) -> Iterator[dict]:
    named = _named(system) | {"row": "accuracy"}
    values = outputs.accuracies(system)
    counts = {name: len(members) for name, members in outputs.systems[system].items()}
    for language in sorted(values):
        found = {"language": language, "members": counts[language], "value": values[language]}
        yield named | found
    yield (
        named
        | {"languages": len(values), "members": sum(counts.values())}
        | {"value": fmean(values.values())}
    )


def _differences(outputs: ComparedOutputs, high: System, low: System) -> dict[str, float]:
    """Return the difference in accuracy in each language that both systems have, sorted by name."""
    ours, theirs = outputs.accuracies(high), outputs.accuracies(low)
    return {name: ours[name] - theirs[name] for name in sorted(ours.keys() & theirs.keys())}


def _measured(step: SignTest) -> dict[str, object]:
    spread = step.clusters > 1  # one language has none
    return {
        "languages": step.clusters, "value": step.value, "low": step.low if spread else None,
        "high": step.high if spread else None, "wins": step.wins, "ties": step.ties,
        "losses": step.losses, "sign_p": step.p,
    }  # fmt: skip


def _judged(
    side: str, steps: Mapping[tuple[str, str], SignTest], order: Sequence[str]
) -> Iterator[dict]:
    """Yield the verdicts on the claimed order of one side, corrected together."""
    ends = (order[0], order[-1])
    parts = {"order": list(pairwise(order)), "ends": [ends]}
    claims = [
        Claim(row, "sign test over languages", _evidence(steps, pairs), side)
        for row, pairs in parts.items()
    ]
    for judged in judge_claims(PAPER, claims):
        yield {
            "row": judged["claim"], "side": side, "over": ends[0], "variant": ends[1],
            "verdict": judged["result"], "evidence": judged["evidence"],
        }  # fmt: skip


def _evidence(
    steps: Mapping[tuple[str, str], SignTest], pairs: Sequence[tuple[str, str]]
) -> Sequence[Difference] | Untestable:
    for low, high in pairs:
        if (low, high) not in steps:
            return Untestable(f"no language has both {low} and {high}")
        if steps[low, high].clusters < FEWEST:
            return Untestable(f"fewer than {FEWEST} languages")
    return [steps[pair] for pair in pairs]

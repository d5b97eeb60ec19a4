"""Agreement of our members with the published ones, item by item.

Two runs of one system differ by their seeds. If a member of ours is the same system, it agrees with
a published member as often as two published ones do with each other. Two more comparisons say what
that is worth. Each published seed, held out, shows what the same system would give; *other* systems
show what a wrong one would give.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from kasu.inflection.data.triples import PAPER
from kasu.inflection.ladder.published_outputs import OURS, THEIRS, ComparedOutputs, Forms, System
from kasu.results.differences import Difference, Sample
from kasu.results.verdicts import Claim, Untestable, judge_claims
from kasu.transduction.fingerprints.fingerprint import FEWEST

AGREEMENT = (
    "row", "a", "b", "language", "languages", "pairs", "agreement", "both_wrong", "wrong_alike",
    "seeds_agreement", "difference", "low", "high", "margin", "verdict", "evidence",
)  # fmt: skip
"""How often two systems give the same form for an item, as a mean over `pairs` of members and, in
rows without a language, over `languages`. `row` says what `b` is: `seeds`, another seed of the
published single models `a`; `held out`, one of these seeds, taken for ours, against the rest;
`ours`, our variant that `a` is; `other`, any other system. `wrong_alike` is the share of the items
wrong in both (`both_wrong`) that have the same wrong form. `difference` is `agreement` less
`seeds_agreement`."""

Pair = tuple[np.ndarray, np.ndarray]


def agreement_rows(outputs: ComparedOutputs, margin: float) -> list[dict]:
    """Return the rows of AGREEMENT for each published system of single models.

    Args:
        margin: how far two rates of agreement may lie apart and still count as equal.
    """
    rows = []
    for a, theirs in outputs.systems.items():
        if a.side != THEIRS or not a.single:
            continue
        rows += _with_mean({"row": "seeds", "a": a.name, "b": a.name}, _among(outputs.gold, theirs))
        for row, b, rest, others in (*_held_out(a, theirs), *_partners(outputs, a)):
            found = list(_between(outputs.gold, rest, others))
            named = {"row": row, "a": a.name, "b": b}
            rows += _with_mean(named, found, margin)[-1 if row == "held out" else 0 :]
    empty = dict.fromkeys(AGREEMENT)
    return [empty | row for row in rows]


def _held_out(a: System, theirs: Forms) -> Iterator[tuple[str, str, Forms, Forms]]:
    """Yield each published model of a system, as if it were ours, with the others as the rest."""
    for place in range(min(map(len, theirs.values()))):
        rest = {name: [*own[:place], *own[place + 1 :]] for name, own in theirs.items()}
        one = {name: [own[place]] for name, own in theirs.items()}
        yield "held out", f"{a.name}, no. {place + 1}", rest, one


def _partners(outputs: ComparedOutputs, a: System) -> Iterator[tuple[str, str, Forms, Forms]]:
    """Yield the systems that a system is compared with, and how each is related to it."""
    for b, forms in outputs.systems.items():
        if b.side == OURS and b.variant == a.variant:
            yield "ours", _name(b), outputs.systems[a], forms
        # A vote of the same variant may be the vote of these very models
        elif b.variant != a.variant:
            yield "other", _name(b), outputs.systems[a], forms


def _among(gold: Mapping[str, np.ndarray], theirs: Forms) -> Iterator[dict]:
    """Yield how often two of these models agree, by language."""
    for language in sorted(theirs):
        if pairs := list(combinations(theirs[language], 2)):
            measured = _measure(gold[language], pairs)
            yield {"language": language, "seeds_agreement": measured["agreement"]} | measured


def _between(gold: Mapping[str, np.ndarray], theirs: Forms, others: Forms) -> Iterator[dict]:
    """Yield how often each of these models agrees with each of others, by language."""
    for row in _among(gold, theirs):
        language, seeds = row["language"], row["seeds_agreement"]
        if language in others:
            measured = _measure(gold[language], [*product(theirs[language], others[language])])
            yield row | measured | {"difference": measured["agreement"] - seeds}


def _with_mean(
    named: Mapping[str, str], rows: Iterable[dict], margin: float | None = None
) -> list[dict]:
    """Return rows by language and their mean; nothing without rows.

    The mean is judged if there is a margin.
    """
    found = [{**named, **row} for row in rows]
    if not found:
        return []
    judged = {} if margin is None else _judge(found, margin)
    return [*found, {**named, **_mean(found), **judged}]


def _name(system: System) -> str:
    return f"{system.name} {system.variant}" if system.side == OURS else system.name


def _measure(gold: np.ndarray, pairs: Sequence[Pair]) -> dict[str, float | int | None]:
    same = np.array([a == b for a, b in pairs])
    wrong = np.array([(a != gold) & (b != gold) for a, b in pairs])
    return {
        "pairs": len(pairs), "agreement": float(same.mean()), "both_wrong": float(wrong.mean()),
        "wrong_alike": float(same[wrong].mean()) if wrong.any() else None,
    }  # fmt: skip


def _mean(rows: list[dict]) -> dict[str, object]:
    """Average the figures of rows by language."""
    means: dict[str, object] = {
        "languages": len(rows), "pairs": sum(row["pairs"] for row in rows)
    }  # fmt: skip
    for name in ("agreement", "both_wrong", "wrong_alike", "seeds_agreement", "difference"):
        values = [row[name] for row in rows if row.get(name) is not None]
        means[name] = float(np.mean(values)) if values else None
    return means


def _judge(rows: list[dict], margin: float) -> dict[str, object]:
    """Judge whether the mean difference is within the margin, by two one-sided t tests."""
    languages = [row["language"] for row in rows]
    values = np.array([row["difference"] for row in rows])
    above, below = (
        Difference.of(Sample(sign * values, languages), floor=-margin, says=says)
        for sign, says in ((1, "this less seeds: "), (-1, "seeds less this: "))
    )
    enough = len(rows) >= FEWEST
    evidence = [above, below] if enough else Untestable(f"fewer than {FEWEST} languages")
    claim = Claim("as often as two seeds", f"margin {margin}", evidence)
    (judged,) = judge_claims(PAPER, [claim])
    spread = len(rows) > 1  # one language has none
    return {
        "low": above.low if spread else None, "high": above.high if spread else None,
        "margin": margin, "verdict": judged["result"], "evidence": judged["evidence"],
    }  # fmt: skip

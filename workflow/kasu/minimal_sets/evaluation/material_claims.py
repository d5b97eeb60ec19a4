"""The paper's claims on the material: the verbs of the sets, and the tokens of their words."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.outcomes import Claim, Outcome, coverage, verdict
from kasu.minimal_sets.evaluation.tokenisation import known_tokens, pool
from kasu.minimal_sets.released.paper import CASES

SAME_TOKENIZER = ("XLM-RoBERTa(bs)", "XLM-RoBERTa(lg)")


def aspect_claims(items: Mapping[str, Sequence[Mapping]]) -> Iterator[Claim]:
    """Which tense or aspect of the verb triggers each alignment (S-12).

    Args:
        items: set of the paper -> items of the sets built in its place; the released items do not
            record the verb.
    """
    for claim, start, name, value in (
        ("The past screeve goes with the ergative (Table 1)", "transitive-erg", "tense", "Past"),
        ("The perfective triggers the ergative (§7.2)", "transitive-erg", "aspect", "Perf"),
        ("Dative subjects are of the perfective (Table 1)", "transitive-dat", "aspect", "Perf"),
    ):
        test = f"all verbs of its sets with a recorded {name} have {name.capitalize()}={value}"
        yield claim, test, _all_have(items, start, name, value)


def _all_have(items: Mapping[str, Sequence[Mapping]], start: str, name: str, value: str) -> Outcome:
    verbs = [
        row[name]
        for paper_set, rows in items.items()
        if paper_set.startswith(start)
        for row in rows
        if row[name]
    ]
    if not verbs:
        return "untestable", f"no {name} recorded, or no such set"
    having = verbs.count(value)
    return verdict(having == len(verbs)), f"{having} of {len(verbs)} items"


def token_claims(group: Group, seed: int) -> Iterator[Claim]:
    """Tokens and performance (section 7.4)."""
    base, large = SAME_TOKENIZER
    counts = [_mean_tokens(group, system) for system in SAME_TOKENIZER]
    outcome = "untestable", "numbers of tokens are not known"
    if None not in counts:
        outcome = verdict(counts[0] != counts[1]), f"{counts[0]:.3f} and {counts[1]:.3f}"
    yield (
        f"{base} and {large} differ in tokens of a target word: 2.1 and 2.2 (§7.4)",
        "mean tokens of the right form over the same items",
        outcome,
    )
    for case in CASES:
        for kind in ("word", "sentence"):
            yield (
                f"Tokens of the {kind} do not correlate with performance in the {case} sets (§7.4)",
                "pooled r, permutation of items within sets: p of 0.05 or more",
                _uncorrelated(group, case, kind, seed),
            )


def _mean_tokens(group: Group, system: str) -> float | None:
    counts = [
        cell.of_right(cell.units["form_tokens"])
        for key, cell in group.cells.items()
        if key.system == system
    ]
    mean = float(np.concatenate(counts).mean()) if counts else np.nan
    return None if np.isnan(mean) else mean


def _uncorrelated(group: Group, case: str, kind: str, seed: int) -> Outcome:
    known = known_tokens(group.of_case(case), kind)
    if not known:
        return "untestable", "numbers of tokens are not known"
    pooled = pool(known, kind, None, seed)
    if pooled["r"] is None:
        return "untestable", "numbers of tokens do not vary"
    interval = f"({pooled['low']:+.2f} to {pooled['high']:+.2f})"
    evidence = f"r {pooled['r']:+.2f} {interval}, p {pooled['p']:.4f}; {pooled['files']} files"
    return verdict(pooled["p"] >= 0.05), f"{evidence}, {coverage(group, case)}"

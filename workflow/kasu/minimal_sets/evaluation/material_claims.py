"""The paper's claims on the material: the verbs of the sets, and the tokens of their words."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from kasu.minimal_sets.data.paper import CASES
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.tokenisation import known_tokens, pool
from kasu.results.differences import ALPHA, Difference
from kasu.results.verdicts import Claim, Fact, Untestable, every

SAME_TOKENIZER = ("XLM-RoBERTa(bs)", "XLM-RoBERTa(lg)")
NO_CORRELATION = 0.1
"""A correlation that is closer to 0 counts as none."""


def aspect_claims(items: Mapping[str, Sequence[Mapping]]) -> Iterator[Claim]:
    """Yield the claims on which tense or aspect of the verb triggers each alignment (S-12).

    Args:
        items: set of the paper -> items of the sets built in its place; the released items do not
            record the verb.
    """
    for claim, start, name, value in (
        ("The past screeve goes with the ergative (Table 1)", "transitive-erg", "tense", "Past"),
        ("The perfective triggers the ergative (§7.2)", "transitive-erg", "aspect", "Perf"),
        ("Dative subjects are of the perfective (Table 1)", "transitive-dat", "aspect", "Perf"),
    ):
        having = [
            row[name] == value
            for paper_set, rows in items.items()
            if paper_set.startswith(start)
            for row in rows
            if row[name]
        ]
        yield Claim(
            claim,
            f"all verbs of its sets with a recorded {name} have {name.capitalize()}={value}",
            every(having, "items", f"no {name} recorded, or no such set of the paper's treebank"),
        )


def token_claims(group: Group, seed: int) -> Iterator[Claim]:
    """Yield the claims on tokens and performance (section 7.4)."""
    base, large = SAME_TOKENIZER
    yield Claim(
        f"{base} and {large} differ in tokens of a target word: 2.1 and 2.2 (§7.4)",
        "mean tokens of the right form over the same items",
        _differ(group),
        group.variant,
    )
    for case in CASES:
        for kind in ("word", "sentence"):
            yield Claim(
                f"Tokens of the {kind} do not correlate with performance in the {case} sets (§7.4)",
                f"pooled r (sentences resampled), closer to 0 than {NO_CORRELATION}",
                _uncorrelated(group, case, kind, seed),
                group.variant,
            )


def _differ(group: Group) -> Fact | Untestable:
    first, second = (_mean_tokens(group, system) for system in SAME_TOKENIZER)
    if first is None or second is None:
        return Untestable("numbers of tokens are not known")
    return Fact(first != second, f"{first:.3f} and {second:.3f}")


def _mean_tokens(group: Group, system: str) -> float | None:
    counts = [
        scored.of_right(scored.units["form_tokens"])
        for key, scored in group.sets.items()
        if key.system == system
    ]
    mean = float(np.concatenate(counts).mean()) if counts else np.nan
    return None if np.isnan(mean) else mean


def _uncorrelated(group: Group, case: str, kind: str, seed: int) -> Difference | Untestable:
    known = known_tokens(group.of_case(case), kind)
    if not known:
        return Untestable("numbers of tokens are not known")
    pooled = pool(known, kind, None, seed)
    if pooled["r"] is None:
        return Untestable("numbers of tokens do not vary")
    r, low, high = (float(pooled[name]) for name in ("r", "low", "high"))
    # Test how far |r| is below NO_CORRELATION; the standard error follows from the interval of r
    standard_error = (high - low) / 2 / -ndtri(ALPHA / 2)
    p = 2 * ndtr(-abs(abs(r) - NO_CORRELATION) / standard_error) if standard_error else 1.0
    sentences = np.concatenate([scored.sentences for scored in known.values()])
    return Difference(
        value=-abs(r),
        low=-max(abs(low), abs(high)),
        high=0.0 if low < 0 < high else -min(abs(low), abs(high)),
        p=float(p),
        clusters=len(np.unique(sentences)),
        standard_error=standard_error,
        floor=-NO_CORRELATION,
        says=f"r {r:+.2f} ({low:+.2f} to {high:+.2f}), {group.coverage(case)}, "
        f"files: {pooled['files']}; -|r| as a ",
    )

"""Claims on what models are given, tokens and verbs; and what all claims are judged with."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kasu.minimal_sets.evaluation.cells import Group
from kasu.minimal_sets.evaluation.tokenisation import known_tokens, pool
from kasu.minimal_sets.released.paper import CASES, SETS

ALIKE = ("XLM-RoBERTa(bs)", "XLM-RoBERTa(lg)")  # they share a tokenizer

Outcome = tuple[str, str]
"""Result and evidence."""
Claim = tuple[str, str, Outcome]
ABSENT = "untestable", "the sets or systems that it takes are not there"


def verdict(holds: bool) -> str:
    """A result of CLAIMS."""
    return "holds" if holds else "fails"


def there(group: Group, case: str) -> str:
    """How much of what the paper averages over the sets of a case there is."""
    cells = group.of_case(case)
    sets = sum(found == case for found in SETS.values())
    systems = f"{len({key.system for key in cells})} of {len(group.systems)} systems"
    return f"{len({key.set for key in cells})} of {sets} {case} sets, {systems}"


def of_aspect(items: Mapping[str, Sequence[Mapping]]) -> Iterator[Claim]:
    """What the paper says triggers each alignment, by the verbs of its sets (S-12).

    Args:
        items: set of the paper -> those of the sets that were built in its place, as nobody
            recorded the verbs of the released ones.
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
        for tested, rows in items.items()
        if tested.startswith(start)
        for row in rows
        if row[name]
    ]
    if not verbs:
        return "untestable", f"no {name} recorded, or no such set"
    having = verbs.count(value)
    return verdict(having == len(verbs)), f"{having} of {len(verbs)} items"


def of_tokens(group: Group, seed: int) -> Iterator[Claim]:
    """Section 7.4."""
    counts = [_token_counts(group, system) for system in ALIKE]
    outcome = "untestable", "numbers of tokens are not known"
    if None not in counts:
        outcome = verdict(counts[0] != counts[1]), f"{counts[0]:.3f} and {counts[1]:.3f}"
    yield (
        f"{ALIKE[0]} and {ALIKE[1]} differ in tokens of a target word: 2.1 and 2.2 (§7.4)",
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


def _token_counts(group: Group, system: str) -> float | None:
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
    found = pool(known, kind, None, seed)
    if found["r"] is None:
        return "untestable", "numbers of tokens do not vary"
    interval = f"({found['low']:+.2f} to {found['high']:+.2f})"
    evidence = f"r {found['r']:+.2f} {interval}, p {found['p']:.4f}; {found['files']} files"
    return verdict(found["p"] >= 0.05), f"{evidence}, {there(group, case)}"

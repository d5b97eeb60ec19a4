"""The paper's claims, each with the test that could refute it (S-18)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from kasu.base.published import rounded, shows
from kasu.base.scores import cluster_bootstrap
from kasu.minimal_sets.evaluation.cells import Cell, mean_over_cells
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.heads import untrained_heads
from kasu.minimal_sets.evaluation.material_claims import aspect_claims, token_claims
from kasu.minimal_sets.evaluation.outcomes import ABSENT, Claim, Outcome, coverage, verdict
from kasu.minimal_sets.evaluation.preferences import ALL, FAILED, PRINTED, count
from kasu.minimal_sets.released.paper import CASES, PAPER, SETS

BEST = "mGPT-ka"
# Case -> mean accuracy in percent at word and at sentence level: in section 7, and in section 7.1
# where that differs
ACCURACIES = {"nom": (88.6, 67.3), "dat": (48.8, 32.3), "erg": (24.4, 27.1)}
REPEATED = {"dat": (32.3, 36.6)}
# Case -> mean probability, and its number of decimals (section 7.1)
PROBABILITIES = {"nom": (0.03, 2), "dat": (0.029, 3), "erg": (0.008, 3)}
# Case -> percent of failed items with the preferred wrong form above the other (section 7.3)
SHARES = {"dat": 83.2, "erg": 74.4, "nom": 79}


def judge_claims(
    groups: Sequence[Group], seed: int, items: Mapping[str, Sequence[Mapping]]
) -> list[dict]:
    """Return rows of CLAIMS, by variant: each claim holds, fails or is untestable.

    Args:
        items: set of the paper -> items of the sets built in its place, for the claims on verbs.
    """
    rows = [_row(claim, None) for claim in (*_text_claims(), *aspect_claims(items))]
    for group in groups:
        claims = [_case_claims(group, seed)]
        if group.level == "word":
            claims += [_word_claims(group, seed), token_claims(group, seed)]
        else:
            claims += [_sentence_claims(group, seed)]
        rows += [_row(claim, group.variant) for claim in chain.from_iterable(claims)]
    return rows


def _row(claim: Claim, variant: str | None) -> dict:
    text, test, (result, evidence) = claim
    return {
        "paper": PAPER,
        "claim": text,
        "test": test,
        "variant": variant,
        "result": result,
        "evidence": evidence,
    }


def _above_zero(mean: float, low: float, high: float) -> Outcome:
    """The outcome of a difference that should be above 0, from its interval."""
    return verdict(low > 0), f"difference {mean:+.3f} ({low:+.3f} to {high:+.3f})"


def _text_claims() -> Iterator[Claim]:
    """Claims that the text of the paper settles."""
    yield (
        "Accuracy and probability follow how frequent the cases are (§7.1)",
        "a correlation over cases",
        ("untestable", "three cases cannot support a correlation"),
    )
    for case, figures in REPEATED.items():
        first = ACCURACIES[case]
        yield (
            f"Sections 7 and 7.1 give the same averages of the {case} sets",
            "the printed figures",
            (
                verdict(first == figures),
                f"§7 {first[0]} and {first[1]}, §7.1 {figures[0]} and {figures[1]}",
            ),
        )


# At both levels


def _case_claims(group: Group, seed: int) -> Iterator[Claim]:
    level = f"{group.level} level"
    for better, worse in (("nom", "dat"), ("dat", "erg")):
        yield (
            f"Models do better on {better} than on {worse}, {level} (§7)",
            "mean accuracy of the cells, difference above 0",
            _difference(group, better, worse, seed),
        )
    yield (
        f"Most models do worst on the ergative, {level} (§7)",
        "in how many systems the mean over the sets of a case is least for erg",
        _worst(group, "erg"),
    )
    at = ("word", "sentence").index(group.level)
    for case in CASES:
        yield (
            f"The average accuracy of the {case} sets is {ACCURACIES[case][at]} %, {level} (§7)",
            "the mean over cells, in one decimal, of shares or of whole percents",
            _average(group, case, ACCURACIES[case][at]),
        )
    for case, figures in REPEATED.items():
        yield (
            f"The average accuracy of the {case} sets is {figures[at]} %, {level} (§7.1)",
            "the mean over cells, in one decimal, of shares or of whole percents",
            _average(group, case, figures[at]),
        )
    yield (
        f"All models compared were trained, {level} (§6)",
        "no system whose tokens all have about 1 / V of the probability (GEO-17)",
        _trained(group),
    )


def _difference(group: Group, better: str, worse: str, seed: int) -> Outcome:
    above, below = group.of_case(better), group.of_case(worse)
    if not above or not below:
        return ABSENT
    means = [np.mean([cell.correct.mean() for cell in each.values()]) for each in (above, below)]
    values, weights, sentences = [], [], []
    # Centre each case on its mean: the bootstrap then draws deviations from the difference, and a
    # draw with more sentences of one case than of the other does not shift it
    for cells, mean, sign in ((above, means[0], 1), (below, means[1], -1)):
        for cell in cells.values():
            weight = 1 / len(cell) / len(cells)
            values.append(sign * weight * (cell.correct - mean))
            weights.append(np.full(len(cell), weight / 2))
            sentences.append(cell.sentences)
    low, high = cluster_bootstrap(
        np.concatenate(values),
        np.concatenate(sentences),
        weights=np.concatenate(weights),
        seed=seed,
    )
    difference = float(means[0] - means[1])
    result, evidence = _above_zero(difference, difference + low, difference + high)
    return result, f"{evidence}; {coverage(group, better)}; {coverage(group, worse)}"


def _worst(group: Group, case: str) -> Outcome:
    accuracies: dict[str, dict[str, list[float]]] = {}
    for key, cell in group.cells.items():
        of_system = accuracies.setdefault(key.system, {})
        of_system.setdefault(SETS[key.set], []).append(cell.correct.mean())
    means = [
        {right: float(np.mean(of_sets)) for right, of_sets in by_case.items()}
        for by_case in accuracies.values()
        if by_case.keys() == set(CASES)
    ]
    if not means:
        return ABSENT
    worst = sum(min(by_case, key=by_case.__getitem__) == case for by_case in means)
    return verdict(2 * worst > len(means)), f"{worst} of {len(means)}"


def _average(group: Group, case: str, printed: float) -> Outcome:
    cells = group.of_case(case)
    if not group.complete(case):
        return "untestable", f"only {coverage(group, case)}"
    shares = [100 * cell.correct.mean() for cell in cells.values()]
    whole = [float(rounded(share, 0)) for share in shares]
    means = float(np.mean(shares)), float(np.mean(whole))
    holds = any(shows(mean, printed, 1) for mean in means)
    return verdict(holds), f"{rounded(means[0], 2)}, of whole percents {rounded(means[1], 2)}"


def _trained(group: Group) -> Outcome:
    judged = untrained_heads(group.cells)
    flagged = sorted({head.system for head, untrained in judged.items() if untrained})
    if not judged:
        return "untestable", "vocabularies are not known, or too few texts"
    evidence = f"untrained head: {', '.join(flagged)}" if flagged else "none looks untrained"
    return verdict(not flagged), f"{evidence}; {len(judged)} systems judged"


# At sentence level


def _sentence_claims(group: Group, seed: int) -> Iterator[Claim]:
    yield (
        f"{BEST} does best in every set, sentence level (§7.1)",
        "accuracy less that of the best other system of the set: the mean above 0, each above 0",
        _best(group, seed),
    )


def _best(group: Group, seed: int) -> Outcome:
    differences, sets_won = [], 0
    rivals: set[str] = set()
    for name in dict.fromkeys(key.set for key in group.cells):
        systems = {key.system: cell for key, cell in group.cells.items() if key.set == name}
        claimed = systems.pop(BEST, None)
        if claimed is None:
            continue
        paired = [cell for cell in systems.values() if list(cell.items) == list(claimed.items)]
        if not paired:
            continue
        rivals.update(systems)
        strongest = max(paired, key=lambda cell: cell.correct.mean())
        difference = claimed.correct.astype(float) - strongest.correct
        differences.append((difference, claimed.sentences))
        sets_won += difference.mean() > 0
    if not differences:
        return ABSENT
    result, evidence = _above_zero(*mean_over_cells(differences, seed))
    evidence += f"; above 0 in {sets_won} of {len(differences)} sets, beside {len(rivals)} systems"
    return (result if sets_won == len(differences) else "fails"), evidence


# At word level


def _word_claims(group: Group, seed: int) -> Iterator[Claim]:
    for case, (preferred, other, _, ties_count) in PRINTED.items():
        cells = list(group.of_case(case).values())
        covered = coverage(group, case)
        yield (
            f"Where {case} is right and a model fails, it prefers {preferred} to {other} (§7.3)",
            "share of failed items, the interval above one half (sentences resampled)",
            _prefers(cells, preferred, other, covered, seed),
        )
        yield (
            f"On failed {case} items {preferred} is preferred in {SHARES[case]} % (§7.3)",
            "the share of failed items, in one decimal; over all items beside it",
            _share_printed(group, case, preferred, other, ties_count, seed),
        )
        yield (
            f"The probability of {case} where it is right is {PROBABILITIES[case][0]} (§7.1)",
            "mean over cells of the right form, in the digits printed; of all forms beside it",
            _probability(group, case),
        )
        yield (
            f"Models give the right form the most probability in the {case} sets (§7, Figure 3)",
            "mean probability of the right form less that of the best other case, above 0",
            _certainty(cells, covered, seed),
        )


def _prefers(cells: list[Cell], preferred: str, other: str, covered: str, seed: int) -> Outcome:
    if not cells:
        return ABSENT
    counted = count(cells, preferred, other, FAILED, seed)
    if not counted["n"]:
        return "untestable", f"no item failed; {covered}"
    result = verdict(counted["low"] > 0.5)
    interval = f"{100 * counted['low']:.1f} to {100 * counted['high']:.1f}"
    share = f"{100 * counted['share']:.1f} % ({interval}) of {counted['n']}"
    return result, f"{share}, {counted['ties']} ties; {covered}"


def _share_printed(
    group: Group, case: str, preferred: str, other: str, ties_count: bool, seed: int
) -> Outcome:
    if not group.complete(case):
        return "untestable", f"only {coverage(group, case)}"
    cells = list(group.of_case(case).values())
    shares = []
    for over in (FAILED, ALL):
        counted = count(cells, preferred, other, over, seed)
        if not counted["n"]:
            return "untestable", "no item failed"
        ties = counted["ties"] / counted["n"] if ties_count else 0
        shares.append(100 * (counted["share"] + ties))
    over_failed, over_all = (rounded(share, 1, near=SHARES[case]) for share in shares)
    evidence = f"{over_failed} over failed items, {over_all} over all items"
    return verdict(shows(shares[0], SHARES[case], 1)), evidence


def _probability(group: Group, case: str) -> Outcome:
    printed, digits = PROBABILITIES[case]
    cells = group.of_case(case).values()
    if not group.complete(case):
        return "untestable", f"only {coverage(group, case)}"
    right = float(np.mean([np.exp(cell.of_right(cell.scores)).mean() for cell in cells]))
    all_forms = float(np.mean([np.exp(cell.scores).mean() for cell in cells]))
    evidence = f"{rounded(right, 4)} of the right form, {rounded(all_forms, 4)} of all forms"
    return verdict(shows(right, printed, digits)), evidence


def _certainty(cells: list[Cell], covered: str, seed: int) -> Outcome:
    if not cells:
        return ABSENT
    means = np.mean([np.exp(cell.scores).mean(axis=0) for cell in cells], axis=0)
    right = cells[0].right[0]
    rival = max((at for at in range(len(means)) if at != right), key=lambda at: means[at])
    leads = [
        (np.exp(cell.scores[:, right]) - np.exp(cell.scores[:, rival]), cell.sentences)
        for cell in cells
    ]
    result, evidence = _above_zero(*mean_over_cells(leads, seed))
    return result, f"{evidence} to {cells[0].values[rival]}; {covered}"

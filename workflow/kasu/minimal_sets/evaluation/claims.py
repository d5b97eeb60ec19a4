"""What the paper says of its models, each claim with the test that could refute it (S-18)."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kasu.base.scores import cluster_bootstrap
from kasu.minimal_sets.evaluation.cells import Cell, Group, mean_over_cells
from kasu.minimal_sets.evaluation.material_claims import (
    ABSENT,
    Claim,
    Outcome,
    of_aspect,
    of_tokens,
    there,
    verdict,
)
from kasu.minimal_sets.evaluation.preferences import ALL, FAILED, PRINTED, count
from kasu.minimal_sets.released.paper import CASES, PAPER, SETS

CLAIMS = ("paper", "claim", "test", "variant", "result", "evidence")

BEST = "mGPT-ka"
# Case -> percent at word and at sentence level: section 7, and section 7.1 where it differs
ACCURACIES = {"nom": (88.6, 67.3), "dat": (48.8, 32.3), "erg": (24.4, 27.1)}
REPEATED = {"dat": (32.3, 36.6)}
PROBABILITIES = {"nom": (0.03, 2), "dat": (0.029, 3), "erg": (0.008, 3)}  # and digits printed
SHARES = {"dat": 83.2, "erg": 74.4, "nom": 79}


def judge_claims(
    groups: Sequence[Group], seed: int, items: Mapping[str, Sequence[Mapping]]
) -> list[dict]:
    """Rows of CLAIMS: holds, fails or untestable, by variant.

    Args:
        items: set of the paper -> the items built in its place, for the claims on their verbs.
    """
    named = [(claim, None) for claim in (*_of_the_paper(), *of_aspect(items))]
    for group in groups:
        of_level = _of_words if group.level == "word" else _of_sentences
        named += [(claim, group.variant) for claim in _of_cases(group, seed)]
        named += [(claim, group.variant) for claim in of_level(group, seed)]
        if group.level == "word":
            named += [(claim, group.variant) for claim in of_tokens(group, seed)]
    return [
        {
            "paper": PAPER, "claim": claim, "test": test, "variant": variant,
            "result": result, "evidence": evidence,
        }
        for (claim, test, (result, evidence)), variant in named
    ]  # fmt: skip


def _above(mean: float, low: float, high: float, unit: str = "") -> Outcome:
    """Of a difference that should be above 0."""
    result = "holds" if low > 0 else "fails"
    return result, f"{unit}{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def _of_the_paper() -> Iterator[Claim]:
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


def _of_cases(group: Group, seed: int) -> Iterator[Claim]:
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
    # Centred, so that a draw with more sentences of one case than of the other moves nothing
    for cells, mean, sign in ((above, means[0], 1), (below, means[1], -1)):
        for cell in cells.values():
            weight = 1 / len(cell) / len(cells)
            values.append(sign * weight * (cell.correct - mean))
            weights.append(np.full(len(cell), weight / 2))
            sentences.append(cell.sentences)
    values, weights, sentences = map(np.concatenate, (values, weights, sentences))
    low, high = cluster_bootstrap(values, sentences, weights=weights, seed=seed)
    difference = float(means[0] - means[1])
    result, evidence = _above(difference, difference + low, difference + high, "difference ")
    return result, f"{evidence}; {there(group, better)}; {there(group, worse)}"


def _worst(group: Group, case: str) -> Outcome:
    means: dict[str, dict[str, list]] = {}
    for key, cell in group.cells.items():
        means.setdefault(key.system, {}).setdefault(SETS[key.set], []).append(cell.correct.mean())
    known = {
        system: {name: np.mean(values) for name, values in by_case.items()}
        for system, by_case in means.items()
        if by_case.keys() == set(CASES)
    }
    if not known:
        return ABSENT
    worst = [system for system, by_case in known.items() if min(by_case, key=by_case.get) == case]
    return verdict(2 * len(worst) > len(known)), f"{len(worst)} of {len(known)}"


def _average(group: Group, case: str, printed: float) -> Outcome:
    cells = group.of_case(case)
    if not group.complete(case):
        return "untestable", f"only {there(group, case)}"
    shares = [100 * cell.correct.mean() for cell in cells.values()]
    means = float(np.mean(shares)), float(np.mean([round(share) for share in shares]))
    # 88.55 is printed as 88.6
    holds = any(abs(mean - printed) <= 0.05 + 1e-9 for mean in means)
    return verdict(holds), f"{means[0]:.2f}, of whole percents {means[1]:.2f}"


def _trained(group: Group) -> Outcome:
    flagged = sorted({key.system for key, cell in group.cells.items() if cell.untrained})
    judged = {key.system for key, cell in group.cells.items() if cell.judged}
    if not judged:
        return "untestable", "numbers of tokens or vocabularies are not known"
    evidence = f"untrained head: {', '.join(flagged)}" if flagged else "none looks untrained"
    return verdict(not flagged), f"{evidence}; {len(judged)} systems judged"


# At sentence level


def _of_sentences(group: Group, seed: int) -> Iterator[Claim]:
    yield (
        f"{BEST} does best in every set, sentence level (§7.1)",
        "accuracy less that of the best other system of the set: the mean above 0, each above 0",
        _best(group, seed),
    )


def _best(group: Group, seed: int) -> Outcome:
    differences, sets, rivals = [], 0, set()
    for name in dict.fromkeys(key.set for key in group.cells):
        here = {key.system: cell for key, cell in group.cells.items() if key.set == name}
        mine = here.pop(BEST, None)
        others = [cell for cell in here.values() if mine and list(cell.items) == list(mine.items)]
        if not others:
            continue
        rivals.update(here)
        best = max(others, key=lambda cell: cell.correct.mean())
        difference = mine.correct.astype(float) - best.correct
        differences.append((difference, mine.sentences))
        sets += difference.mean() > 0
    if not differences:
        return ABSENT
    result, evidence = _above(*mean_over_cells(differences, seed), "difference ")
    everywhere = sets == len(differences)
    evidence += f"; above 0 in {sets} of {len(differences)} sets, beside {len(rivals)} systems"
    return (result if everywhere else "fails"), evidence


# At word level


def _of_words(group: Group, seed: int) -> Iterator[Claim]:
    for case, (preferred, other, _, ties_count) in PRINTED.items():
        cells = list(group.of_case(case).values())
        where = there(group, case)
        yield (
            f"Where {case} is right and a model fails, it prefers {preferred} to {other} (§7.3)",
            "share of failed items, the interval above one half (sentences resampled)",
            _default(cells, preferred, other, where, seed),
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
            _certainty(cells, where, seed),
        )


def _default(cells: list[Cell], preferred: str, other: str, where: str, seed: int) -> Outcome:
    if not cells:
        return ABSENT
    counted = count(cells, preferred, other, FAILED, seed)
    if not counted["n"]:
        return "untestable", f"no item failed; {where}"
    result = verdict(counted["low"] > 0.5)
    interval = f"{100 * counted['low']:.1f} to {100 * counted['high']:.1f}"
    share = f"{100 * counted['share']:.1f} % ({interval}) of {counted['n']}"
    return result, f"{share}, {counted['ties']} ties; {where}"


def _share_printed(
    group: Group, case: str, preferred: str, other: str, ties_count: bool, seed: int
) -> Outcome:
    if not group.complete(case):
        return "untestable", f"only {there(group, case)}"
    cells = list(group.of_case(case).values())
    shares = []
    for over in (FAILED, ALL):
        counted = count(cells, preferred, other, over, seed)
        if not counted["n"]:
            return "untestable", "no item failed"
        ties = counted["ties"] / counted["n"] if ties_count else 0
        shares.append(100 * (counted["share"] + ties))
    evidence = f"{shares[0]:.1f} over failed items, {shares[1]:.1f} over all items"
    return verdict(abs(shares[0] - SHARES[case]) <= 0.05 + 1e-9), evidence


def _probability(group: Group, case: str) -> Outcome:
    printed, digits = PROBABILITIES[case]
    cells = group.of_case(case).values()
    if not group.complete(case):
        return "untestable", f"only {there(group, case)}"
    right = float(np.mean([np.exp(cell.of_right(cell.scores)).mean() for cell in cells]))
    every = float(np.mean([np.exp(cell.scores).mean() for cell in cells]))
    evidence = f"{right:.4f} of the right form, {every:.4f} of all forms"
    return verdict(round(right, digits) == printed), evidence


def _certainty(cells: list[Cell], where: str, seed: int) -> Outcome:
    if not cells:
        return ABSENT
    means = np.mean([np.exp(cell.scores).mean(axis=0) for cell in cells], axis=0)
    right = cells[0].right[0]
    best = max((at for at in range(len(means)) if at != right), key=lambda at: means[at])
    leads = [
        (np.exp(cell.scores[:, right]) - np.exp(cell.scores[:, best]), cell.sentences)
        for cell in cells
    ]
    result, evidence = _above(*mean_over_cells(leads, seed), "difference ")
    return result, f"{evidence} to {cells[0].values[best]}; {where}"

"""The paper's claims, each with the test that could refute it (S-18)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kasu.minimal_sets.data.paper import CASES, PAPER, SETS
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.heads import untrained_heads
from kasu.minimal_sets.evaluation.material_claims import aspect_claims, token_claims
from kasu.minimal_sets.evaluation.nulls import nulls
from kasu.minimal_sets.evaluation.preferences import PRINTED, failed, hits_of, share_as_printed
from kasu.minimal_sets.evaluation.scored_sets import ScoredSet
from kasu.results.differences import Difference, Sample
from kasu.results.published import rounded, shows
from kasu.results.verdicts import About, Claim, Fact, Untestable
from kasu.results.verdicts import judge_claims as judge

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
    """Return rows of CLAIMS: the verdict on each claim, by variant.

    Args:
        items: set of the paper -> items of the sets built in its place, for the claims on verbs.
    """
    claims = [replace(each, about=About.PRINT) for each in _text_claims()]
    claims += aspect_claims(items)
    for group in groups:
        of_group = [*_case_claims(group)]
        if group.level == "word":
            of_group += [*_word_claims(group), *token_claims(group, seed)]
        else:
            of_group += _sentence_claims(group)
        claims += [replace(each, about=group.about) for each in of_group]
    return judge(PAPER, claims)


def _sample(sets: Sequence[ScoredSet], values: Sequence[np.ndarray]) -> Sample:
    """Return the (items) values of all sets as one sample, every set with the same weight."""
    return Sample(
        np.concatenate(values),
        np.concatenate([scored.sentences for scored in sets]),
        np.concatenate([np.full(len(scored), 1 / len(scored)) for scored in sets]),
    )


def _text_claims() -> Iterator[Claim]:
    """Yield the claims that the text of the paper settles."""
    yield Claim(
        "Accuracy and probability follow how frequent the cases are (§7.1)",
        "a correlation over cases",
        Untestable("three cases cannot support a correlation"),
    )
    for case, figures in REPEATED.items():
        first = ACCURACIES[case]
        yield Claim(
            f"Sections 7 and 7.1 give the same averages of the {case} sets",
            "the printed figures",
            Fact(
                first == figures,
                f"§7 {first[0]} and {first[1]}, §7.1 {figures[0]} and {figures[1]}",
            ),
        )


# At both levels


def _case_claims(group: Group) -> Iterator[Claim]:
    level, variant = f"{group.level} level", group.variant
    for better, worse in (("nom", "dat"), ("dat", "erg")):
        yield Claim(
            f"Models do better on {better} than on {worse}, {level} (§7)",
            "mean accuracy of the cells, difference above 0 (sentences are clusters)",
            _difference(group, better, worse),
            variant,
        )
    yield Claim(
        f"Most models do worst on the ergative, {level} (§7)",
        "more than half of the systems have their lowest mean over the sets of a case for erg",
        _worst(group, "erg"),
        variant,
    )
    at = ("word", "sentence").index(group.level)
    averages = [(case, ACCURACIES[case][at], "§7") for case in CASES]
    averages += [(case, figures[at], "§7.1") for case, figures in REPEATED.items()]
    for case, printed, section in averages:
        yield Claim(
            f"The average accuracy of the {case} sets is {printed} %, {level} ({section})",
            "the mean over cells, of shares or of whole percents, in the decimal printed",
            _average(group, case, printed),
            variant,
        )
    yield Claim(
        f"All models compared were trained, {level} (§6)",
        "no system whose scores are whole multiples of log V (GEO-17)",
        _trained(group),
        variant,
    )


def _difference(group: Group, better: str, worse: str) -> Difference | Untestable:
    sets = [list(group.of_case(case).values()) for case in (better, worse)]
    covered = f"{group.coverage(better)}; {group.coverage(worse)}"
    if not all(sets):
        return Untestable(f"only {covered}")
    above, below = (_sample(each, [scored.correct for scored in each]) for each in sets)
    says = f"{covered}: {above.mean:.4f} and {below.mean:.4f}, {_by_nulls(group, better, worse)}, "
    return Difference.of(above, below, says=says)


def _by_nulls(group: Group, better: str, worse: str) -> str:
    """Say how large the same difference is for the nulls that need no tokenizer.

    The paper says itself that models default to the frequent case. So a null with the same
    difference is reported, but does not refute the claim.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for key, _, solved in nulls(group.sets):
        if not key.system.startswith("fewest tokens"):
            of_case = found.setdefault(key.system, {}).setdefault(SETS[key.set], [])
            of_case.append(float(solved.mean()))
    shown = [
        f"{name} {np.mean(by_case[better]) - np.mean(by_case[worse]):+.4f}"
        for name, by_case in found.items()
        if {better, worse} <= by_case.keys()
    ]
    return ", ".join(shown)


def _worst(group: Group, case: str) -> Fact | Untestable:
    accuracies: dict[str, dict[str, list[float]]] = {}
    for key, scored in group.sets.items():
        of_system = accuracies.setdefault(key.system, {})
        of_system.setdefault(SETS[key.set], []).append(scored.correct.mean())
    means = [
        {right: float(np.mean(of_sets)) for right, of_sets in by_case.items()}
        for by_case in accuracies.values()
        if by_case.keys() == set(CASES)
    ]
    if len(means) < len(group.systems):
        # Of a few systems more than half can do worst on one case by chance
        having = f"{len(means)} of {len(group.systems)} systems"
        return Untestable(f"only {having} have sets of all three cases")
    # A system that does equally badly on another case does not do worst on this one
    worst = [by_case[case] < min(by_case[c] for c in CASES if c != case) for by_case in means]
    return Fact(2 * sum(worst) > len(worst), f"{sum(worst)} of {len(means)} systems")


def _average(group: Group, case: str, printed: float) -> Fact | Untestable:
    sets = group.of_case(case)
    if not group.complete(case):
        return Untestable(f"only {group.coverage(case)}")
    shares = [100 * scored.correct.mean() for scored in sets.values()]
    whole = [float(rounded(share, 0)) for share in shares]
    means = float(np.mean(shares)), float(np.mean(whole))
    equal = any(shows(mean, printed, 1) for mean in means)
    return Fact(equal, f"{rounded(means[0], 2)}, of whole percents {rounded(means[1], 2)}")


def _trained(group: Group) -> Fact | Untestable:
    judged = untrained_heads(group.sets)
    if not judged:
        return Untestable("vocabularies are not known, or too few texts")
    flagged = sorted({head.system for head, untrained in judged.items() if untrained})
    evidence = f"untrained head: {', '.join(flagged)}" if flagged else "none looks untrained"
    return Fact(not flagged, f"{evidence}; {len(judged)} systems judged")


# At sentence level


def _sentence_claims(group: Group) -> Iterator[Claim]:
    yield Claim(
        f"{BEST} does best in every set, sentence level (§7.1)",
        "in each set its accuracy less that of the best other system, above 0 (paired by item)",
        _best(group),
        group.variant,
    )


def _best(group: Group) -> list[Difference] | Untestable:
    if not group.complete():
        covered = "; ".join(group.coverage(case) for case in CASES)
        return Untestable(f"only {covered}")
    differences = []
    for name in dict.fromkeys(key.set for key in group.sets):
        systems = {key.system: scored for key, scored in group.sets.items() if key.set == name}
        claimed = systems.pop(BEST, None)
        if not claimed or not systems:
            continue
        # Some systems may lack an item: compare the items that all have
        shared = set(claimed.items).intersection(*(scored.items for scored in systems.values()))
        claimed, *rivals = (
            scored.take(np.isin(scored.items, sorted(shared)))
            for scored in (claimed, *systems.values())
        )
        if shared:
            strongest = max(rivals, key=lambda scored: scored.correct.mean())
            differences.append(
                Difference.of(
                    Sample(claimed.correct, claimed.sentences),
                    Sample(strongest.correct, strongest.sentences),
                    tried=len(rivals),
                    says=f"{name}, best of {len(rivals)} others: ",
                )
            )
    return differences or Untestable(f"no set that {BEST} and another system scored")


# At word level


def _word_claims(group: Group) -> Iterator[Claim]:
    for case, (preferred, other, _, ties_count) in PRINTED.items():
        yield Claim(
            f"Where {case} is right and a model fails, it prefers {preferred} to {other} (§7.3)",
            f"failed items with {preferred} above {other} less those with {other} above, as shares "
            "of all failed items: above 0",
            _prefers(group, case, preferred, other),
            group.variant,
        )
        yield Claim(
            f"On failed {case} items {preferred} is preferred in {SHARES[case]} % (§7.3)",
            f"share of failed items with {preferred} strictly above {other}, in the decimal "
            "printed; beside it over all items, with ties as in the released code",
            _share_printed(group, case, preferred, other, ties_count),
            group.variant,
        )
        yield Claim(
            f"The probability of {case} where it is right is {PROBABILITIES[case][0]} (§7.1)",
            "mean over cells of the right form, in the digits printed; of all forms beside it",
            _probability(group, case),
            group.variant,
        )
        yield Claim(
            f"Models give the right form the most probability in the {case} sets (§7, Figure 3)",
            "mean probability of the right form less that of the best other case, above 0",
            _certainty(group, case),
            group.variant,
        )


def _prefers(group: Group, case: str, preferred: str, other: str) -> Difference | Untestable:
    sets, covered = list(group.of_case(case).values()), group.coverage(case)
    if not sets:
        return Untestable(f"only {covered}")
    sets = list(map(failed, sets))
    lead = np.concatenate(
        [hits_of(scored, preferred, other) - hits_of(scored, other, preferred) for scored in sets]
    )
    if not len(lead):
        return Untestable(f"no item failed; {covered}")
    ties = int((lead == 0).sum())
    # The same for a null that prefers the shorter of the two wrong forms
    lengths = [scored.units["form_length"] for scored in sets]
    places = [(scored.values.index(preferred), scored.values.index(other)) for scored in sets]
    shorter = np.concatenate(
        [np.sign(each[:, b] - each[:, a]) for each, (a, b) in zip(lengths, places, strict=True)]
    )
    says = f"{len(lead)} failed items, {ties} ties; {covered}: shorter form {shorter.mean():+.4f}, "
    return Difference.of(
        Sample(lead, np.concatenate([scored.sentences for scored in sets])),
        says=says,
    )


def _share_printed(
    group: Group, case: str, preferred: str, other: str, ties_count: bool
) -> Fact | Untestable:
    if not group.complete(case):
        return Untestable(f"only {group.coverage(case)}")
    sets = list(group.of_case(case).values())
    hits = np.concatenate([hits_of(failed(scored), preferred, other) for scored in sets])
    if not len(hits):
        return Untestable("no item failed")
    of_failed = 100 * float(hits.mean())
    printed = 100 * share_as_printed(sets, preferred, other, ties_count)
    over_failed, over_all = (rounded(share, 1, near=SHARES[case]) for share in (of_failed, printed))
    evidence = f"{over_failed} over failed items, {over_all} over all items as released"
    return Fact(shows(of_failed, SHARES[case], 1), evidence)


def _probability(group: Group, case: str) -> Fact | Untestable:
    printed, digits = PROBABILITIES[case]
    sets = group.of_case(case).values()
    if not group.complete(case):
        return Untestable(f"only {group.coverage(case)}")
    right = float(np.mean([np.exp(scored.of_right(scored.scores)).mean() for scored in sets]))
    all_forms = float(np.mean([np.exp(scored.scores).mean() for scored in sets]))
    evidence = f"{rounded(right, 4)} of the right form, {rounded(all_forms, 4)} of all forms"
    return Fact(shows(right, printed, digits), evidence)


def _certainty(group: Group, case: str) -> Difference | Untestable:
    sets, covered = list(group.of_case(case).values()), group.coverage(case)
    if not sets:
        return Untestable(f"only {covered}")
    means = np.mean([np.exp(scored.scores).mean(axis=0) for scored in sets], axis=0)
    right = sets[0].right[0]
    rivals = [at for at in range(len(means)) if at != right]
    rival = max(rivals, key=lambda at: means[at])
    lead = [np.exp(scored.scores[:, right]) - np.exp(scored.scores[:, rival]) for scored in sets]
    says = f"{case} to {sets[0].values[rival]}, {covered}: "
    return Difference.of(_sample(sets, lead), tried=len(rivals), says=says)

"""Ensembles without a network: votes over members' answers, and choices by accuracy on dev."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeVar

from kasu.transduction.items import Answer, answer_of

DIGITS = 12  # sums of weights are equal if they agree in so many

K = TypeVar("K")


def majority(answers: Sequence[Sequence[str]]) -> list[str]:
    """Return the most frequent form of each item; of ties, the earliest member's.

    Zurich drew one of them at random (Makarov & Clematide 2018). Its members differ in nothing but
    their seed, so the earliest is as good a draw.

    Args:
        answers: (members, items), each member's forms.
    """
    # `most_common` keeps equal counts in order of first occurrence
    return [Counter(forms).most_common(1)[0][0] for forms in zip(*answers, strict=True)]


def weighted(answers: Sequence[Sequence[str]], weights: Sequence[float]) -> list[str]:
    """Return the form of each item whose voters weigh most; of ties, that of the heaviest voter.

    Args:
        answers: (voters, items), each voter's forms.
        weights: (voters,).
    """
    voted = []
    for forms in zip(*answers, strict=True):
        sums = defaultdict[str, float](float)
        for form, weight in zip(forms, weights, strict=True):
            sums[form] += weight
        most = round(max(sums.values()), DIGITS)
        # `sorted` keeps voters of equal weight in their order
        heaviest = sorted(zip(forms, weights, strict=True), key=lambda pair: -pair[1])
        voted.append(next(form for form, _ in heaviest if round(sums[form], DIGITS) == most))
    return voted


def interpolate(one: Answer, other: Answer, share: float) -> Answer:
    """Return the forms of two n-best lists by their scores, best first.

    The scores of each list are stretched to lie between 0 and 1; a form that a list lacks has 0
    there. If all scores of a list are equal, each becomes 1. Ties go to the form that comes first,
    in `one` before `other`.

    Args:
        one: a list with scores.
        other: likewise.
        share: how much `one` counts, from 0 to 1; `other` counts the rest.
    """
    scores = dict.fromkeys([*one.forms, *other.forms], 0.0)
    for answer, weight in ((one, share), (other, 1 - share)):
        low, high = min(answer.scores), max(answer.scores)
        for form, score in zip(answer.forms, answer.scores, strict=True):
            scores[form] += weight * ((score - low) / (high - low) if high > low else 1)
    ranked = sorted(scores.items(), key=lambda pair: -round(pair[1], DIGITS))
    return answer_of(ranked)


def best_on_dev(accuracies: Mapping[K, float | None], count: int) -> list[K]:
    """Return the `count` members of highest accuracy on dev, best first, ties in their order.

    Where the language has no dev set, members come in their order.
    """
    return sorted(accuracies, key=lambda member: -(accuracies[member] or 0))[:count]

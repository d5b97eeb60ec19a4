"""Nulls: what chooses an option without knowing what is tested, and how often it is right.

A null scores each option. An item is worth what it is to a model: a tie counts one divided by the
number of equals. A null is a flaw of the benchmark if it is above chance beyond doubt, and solves
it if its interval is above SOLVED. As many are tried, that interval is at a level that allows for
all of them (Bonferroni).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from kasu.audits.data.findings import NULL, Finding
from kasu.audits.data.items import IN_PAIRS, IN_SETS, Benchmark, option_name
from kasu.audits.nulls.bags import bags_of_words, medoid_scores, parallelogram_scores
from kasu.lm.scoring.clusters import interval
from kasu.results.statistics import tied

SOLVED = 0.9

Scores = np.ndarray
"""(items, options): what a null makes of each option; NaN where it cannot say."""


def plain_nulls(benchmark: Benchmark) -> dict[str, Scores]:
    """Return the scores of all nulls that need the items alone and fit their form, by name."""
    options, count = benchmark.options, len(benchmark.columns)
    characters, words = measure(options, len), measure(options, lambda text: len(text.split()))
    found = {
        "longer": characters,
        "shorter": -characters,
        "more words": words,
        "fewer words": -words,
        "copying the context": copied_words(benchmark),
    }
    context = [text for sentences in benchmark.contexts for text in sentences[-3:]]
    # Bags of the last three sentences, and of all options
    bags = bags_of_words([*context, *(text for each in options for text in each)])
    candidates = bags[len(context) :]
    if count > 2:
        likeness = medoid_scores(candidates, count)
        found |= {"most like the others": likeness, "least like the others": -likeness}
    if all(len(sentences) >= 3 for sentences in benchmark.contexts):
        found["parallelogram"] = parallelogram_scores(bags[: len(context)], candidates, count)
    if benchmark.form != IN_PAIRS:  # where the column says which is right
        kind = "always" if benchmark.form == IN_SETS else "position"
        always = np.eye(count)
        for at, column in enumerate(benchmark.columns):
            scores = np.tile(always[at], (len(benchmark), 1))
            found[f"{kind} {option_name(column)}"] = scores
    return found


def measure(options: Iterable[Sequence[str]], value: Callable[[str], float]) -> Scores:
    """Score each option by a number of its own."""
    return np.array([[value(text) for text in each] for each in options], float)


def copied_words(benchmark: Benchmark) -> Scores:
    """Count the words of each option that stand in its context, too, but for those of all options.

    The context are the sentences before, the sentence around a mask, or what all options share.
    """
    scores = []
    for sentences, strings in zip(benchmark.contexts, benchmark.strings, strict=True):
        bags = [Counter(text.lower().split()) for text in strings]
        common = bags[0].copy()
        for bag in bags[1:]:
            common &= bag
        context = {word for text in sentences for word in text.lower().split()} | {*common}
        own = ((bag - common) for bag in bags)
        scores.append([sum(n for word, n in bag.items() if word in context) for bag in own])
    return np.array(scores, float)


def most_often_right(right: Iterable[str], strings: Iterable[Sequence[str]]) -> Scores:
    """Score each string by how often it was the right one in training items."""
    counts = Counter(right)
    return measure(strings, lambda text: counts[text])


def judge_nulls(benchmark: Benchmark, worths: Mapping[str, np.ndarray]) -> list[Finding]:
    """Return a finding for each null over all items, and then for each phenomenon.

    Args:
        worths: by name, what the items are worth to it.
    """
    everything = np.ones(len(benchmark), bool)
    parts: list[tuple[str | None, np.ndarray]] = [(None, everything), *benchmark.groups.items()]
    found: list[Finding] = []
    for group, members in parts:
        tried = len(worths) * (1 if group is None else len(benchmark.groups))
        found += _of_group(benchmark, worths, group, members, tried)
    return found


def _of_group(
    benchmark: Benchmark,
    worths: Mapping[str, np.ndarray],
    group: str | None,
    members: np.ndarray,
    tried: int,
) -> Iterator[Finding]:
    best = strongest({name: values[members] for name, values in worths.items()})
    for name, values in worths.items():
        mine, clusters = values[members], benchmark.clusters[members]
        low, high = interval(mine, clusters)
        least, most = interval(mine, clusters, tried)
        flaw = least > benchmark.chance
        says = []
        if name == best:
            says.append(f"best of {len(worths)}")
        if flaw or name == best:
            says.append(f"{100 * least:.1f}–{100 * most:.1f} corrected for {tried} tried")
            known = "above chance" if flaw else "not above chance"
            word = "solves it" if least >= SOLVED else known
            says.append(f"{word} ({100 * benchmark.chance:.1f})" if word == known else word)
        yield Finding(
            NULL, name, len(mine), group, share=float(mine.mean()), low=low, high=high,
            ties=int(tied(mine).sum()), says="; ".join(says), flaw=flaw,
        )  # fmt: skip


def strongest(worths: Mapping[str, np.ndarray]) -> str:
    """Return the name of the null with the highest mean; of equals, the first."""
    return max(worths, key=lambda name: worths[name].mean())

"""Items that stand in a text or among training items, and who is right without them."""

from collections.abc import Iterator, Mapping

import numpy as np

from kasu.audits.data.copies import Copies
from kasu.audits.data.findings import LEAK, Example, Finding
from kasu.audits.data.items import Benchmark
from kasu.audits.form import SHOWN
from kasu.corpora.texts.sentences import mask, normalise
from kasu.lm.scoring.clusters import interval


def leaks_in_text(benchmark: Benchmark, copies: Copies) -> dict[str, np.ndarray]:
    """Return which items have an option in a text: verbatim, and as a near copy alone."""
    verbatim = [any(map(copies.has, each)) for each in benchmark.options]
    near = [any(map(copies.has_near, each)) for each in benchmark.options]
    return _beside("option in the text", verbatim, near)


def leaks_in_training(benchmark: Benchmark, training: Benchmark) -> dict[str, np.ndarray]:
    """Return which items share all their options, or the right one, with a training item."""
    found: dict[str, np.ndarray] = {}
    for name, texts_of in (
        ("same options in training", lambda items: items.options),
        ("right option in training", lambda items: right_options(items)),
    ):
        copies = []
        for key in (normalise, lambda text: mask(normalise(text))):
            seen = {frozenset(map(key, each)) for each in texts_of(training)}
            copies.append([frozenset(map(key, each)) in seen for each in texts_of(benchmark)])
        found |= _beside(name, *copies)
    return found


def right_options(benchmark: Benchmark) -> list[list[str]]:
    """Return the right option of each item, alone in a list."""
    return [[each[at]] for each, at in zip(benchmark.options, benchmark.right, strict=True)]


def _beside(name: str, verbatim: list[bool], near: list[bool]) -> dict[str, np.ndarray]:
    there = np.array(verbatim)
    return {name: there, f"{name}, near copy": np.array(near) & ~there}


def judge_leaks(
    benchmark: Benchmark, leaks: Mapping[str, np.ndarray], worths: Mapping[str, np.ndarray]
) -> Iterator[Finding]:
    """Yield a finding for each kind of leak, and for each share that is left without such items.

    Args:
        leaks: by kind, which items leak.
        worths: by name, what items are worth to the best null and to models.
    """
    for name, leaked in leaks.items():
        places = np.flatnonzero(leaked)
        says = [
            f"{other}: {100 * values[leaked].mean():.1f} on them"
            for other, values in worths.items()
            if len(places)
        ]
        yield Finding(
            LEAK, name, len(benchmark), found=len(places), share=len(places) / len(benchmark),
            says="; ".join(says), flaw=len(places) > 0,
            examples=[Example(benchmark.names[at], benchmark.options[at]) for at in places[:SHOWN]],
        )  # fmt: skip
        rest = ~leaked
        for other, values in worths.items() if len(places) and rest.any() else ():
            low, high = interval(values[rest], benchmark.clusters[rest])
            yield Finding(
                LEAK, f"{other}, without {name}", int(rest.sum()),
                share=float(values[rest].mean()), low=low, high=high,
            )  # fmt: skip

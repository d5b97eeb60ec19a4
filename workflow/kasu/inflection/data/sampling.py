"""Sample datasets from paradigms and word counts as the organisers did (overview §3.1, S-6)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.portable import log
from kasu.corpora.paradigms.frequencies import Frequencies
from kasu.corpora.paradigms.unimorph import read_paradigms
from kasu.inflection.data.syncretism import share_counts
from kasu.inflection.data.triples import SETTINGS, Triple, write_dataset
from kasu.inflection.data.words import count_forms
from kasu.job.run import seed_of
from kasu.sources.cards import UNDETERMINED
from kasu.transduction.bundles import bundles_of
from kasu.transduction.items import Item, read_tags

LARGEST = {"low": 100, "medium": 1_000, "high": 10_000}
FULL = 12_000


class Sampling(NamedTuple):
    """The settings by which word counts become weights of triples.

    Attributes:
        resolution, em: see `syncretism.share_counts`.
        smoothing: see `sample_triples`.
    """

    resolution: str = "neural"
    em: int = 0
    smoothing: float = 0.0


def split_sizes(n: int, where: object = "dataset") -> dict[str, int]:
    """Return the size of each split for `n` distinct (lemma, features) (S-6).

    A missing setting has size 0.

    Args:
        where: the dataset, as errors name it.

    Raises:
        KasuError: `n` is too small for any split.
    """
    if n >= FULL:
        train, held_out = 10_000, 1_000
    elif n - 200 > 1_000:
        train, held_out = min(10_000, n - 200), 100
    else:
        train, held_out = n - 100, 50
    if train < 1:
        raise KasuError(where, f"{n} distinct (lemma, features)", "more than 100")
    sizes, smaller = {}, 0
    for setting in SETTINGS:
        size = min(LARGEST[setting], train)
        # Above 1,000 triples, even a few more than medium make a high setting
        sizes[setting] = size if size > smaller else 0
        smaller = max(smaller, size)
    return {**sizes, "dev": held_out, "test": held_out}


def sample_triples(
    triples: Sequence[Triple], weights: np.ndarray, *, seed: int, smoothing: float = 0.0
) -> dict[str, list[Triple]]:
    """Draw triples without replacement in proportion to their weights, and split them.

    Training sets keep the order of the draw, so a smaller set is the head of a larger one. The
    triples drawn last are shuffled and halved into dev and test. Of several forms of one cell, the
    first drawn stays.

    The organisers do not say how they drew triples whose form has no token, though their sizes show
    that they did. With `smoothing` 0 these come last, in uniformly random order: the distribution
    says no more. A positive `smoothing` is added to the tokens of every triple.

    Args:
        weights: tokens of each triple, [triples].

    Raises:
        KasuError: there are too few cells, or `smoothing` is negative.
    """
    if not smoothing >= 0:
        raise KasuError("smoothing", str(smoothing), "0 or more")
    sizes = split_sizes(len({triple.slot for triple in triples}))
    generator = np.random.default_rng(seed_of("triples", seed))
    drawn: dict[tuple[str, str], Triple] = {}
    for at in _draw(weights + smoothing, generator).tolist():
        drawn.setdefault(triples[at].slot, triples[at])
    order = list(drawn.values())
    train = max(sizes[setting] for setting in SETTINGS)
    held_out = order[train : train + sizes["dev"] + sizes["test"]]
    held_out = [held_out[at] for at in generator.permutation(len(held_out))]
    return {
        **{setting: order[: sizes[setting]] for setting in SETTINGS},
        "dev": held_out[: sizes["dev"]],
        "test": held_out[sizes["dev"] :],
    }


def _draw(weights: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Draw all triples without replacement; triples without weight come last, shuffled.

    Items drawn by weight come in the order of exponential waiting times with the weights as rates
    (Efraimidis & Spirakis 2006), so one sort draws them all. The times have the same bits on every
    processor, as variables of NumPy's other distributions may not.
    """
    # Exponential with rate 1; divided by a weight, with the weight as rate
    waiting = -log(1 - generator.random(len(weights)))
    weighted = weights > 0
    waiting[weighted] /= weights[weighted]
    return np.lexsort((waiting, ~weighted))


def build_sampled(
    paradigms: str | Path,
    words: str | Path | None,
    folder: str | Path,
    *,
    language: str,
    settings: Mapping[str, Any],
    seed: int,
    sources: Sequence[Mapping[str, str]],
    code: str = UNDETERMINED,
) -> None:
    """Sample a dataset from a paradigm file and word counts.

    A bundle of features that stands there in two orders is one, unless a lemma has different forms
    for them.

    Args:
        paradigms: a file in UniMorph's columns.
        words: a list of word counts, or a corpus (a parquet file of sentences); with None all
            triples are equally likely.
        folder: receives one parquet file per split, README.md, counts.tsv and drops.tsv.
        language: name of the dataset.
        settings: fields of `Sampling`; a missing one keeps its default.
        sources: `name`, `licence` and `citation` of each source, for the card.
        code: of the language, for the card and for upper and lower case.

    Raises:
        KasuError: paradigms or counts are unusable, the counts are not of the language, there are
            too few cells, or a setting is unknown.
    """
    if unknown := sorted(settings.keys() - set(Sampling._fields)):
        raise KasuError("sampling", f"unknown setting {unknown[0]!r}", ", ".join(Sampling._fields))
    sampling = Sampling(**settings)
    triples, drops = read_paradigms(paradigms)
    ordered = _in_one_order(triples)
    turned = sum(one != other for one, other in zip(triples, ordered, strict=True))
    triples = [*dict.fromkeys(ordered)]
    drops["the same line again"] += len(ordered) - len(triples)
    steps = {"triples with features in another order": turned, **_count_paradigms(triples)}
    split_sizes(steps["distinct (lemma, features)"], paradigms)  # before words are counted
    weights = np.zeros(len(triples))
    if words is not None:
        counted = count_forms(words, {triple.form for triple in triples}, language, code)
        keys = [counted.key(triple.form) for triple in triples]
        weights = share_counts(
            triples, keys, counted.counts,
            resolution=sampling.resolution, em=sampling.em, seed=seed,
        )  # fmt: skip
        steps.update(_count_tokens(keys, counted))
    splits = sample_triples(triples, weights, seed=seed, smoothing=sampling.smoothing)
    drawn = max(len(splits[setting]) for setting in SETTINGS) + 2 * len(splits["dev"])
    drops["a further form of a cell"] += len(triples) - steps["distinct (lemma, features)"]
    drops["not drawn"] += steps["distinct (lemma, features)"] - drawn
    write_dataset(
        folder, splits, +drops, language=language, sources=sources, code=code, steps=steps
    )


def _in_one_order(triples: Sequence[Triple]) -> list[Triple]:
    """Put the features of cells in one order, as `kasu inflect train` does."""
    tags = {features: read_tags(features) for features in {triple.features for triple in triples}}
    bundles = bundles_of([Item(lemma, tags[features], form) for lemma, form, features in triples])
    order = {features: bundles.rewrite(features) for features in tags}
    return [triple._replace(features=order[triple.features]) for triple in triples]


def _count_paradigms(triples: Sequence[Triple]) -> dict[str, int]:
    return {
        "triples": len(triples),
        "distinct (lemma, features)": len({triple.slot for triple in triples}),
        "distinct forms": len({t.form for t in triples}),
        "triples with a form of several words": sum(" " in t.form for t in triples),
    }


def _count_tokens(keys: Sequence[str], counted: Frequencies) -> dict[str, int]:
    readings = Counter(keys)
    ambiguous = [key for key, count in readings.items() if count > 1]
    return {
        "tokens of the list or corpus": counted.tokens,
        "tokens": sum(counted.counts.values()),
        "attested forms": len(counted.counts),
        "triples with an attested form": sum(readings[key] for key in counted.counts),
        "ambiguous forms": len(ambiguous),
        "attested ambiguous forms": sum(key in counted.counts for key in ambiguous),
        "tokens shared out": sum(counted.counts.get(key, 0) for key in ambiguous),
    }

"""Score suffix prediction (Ravfogel et al. 2018 §7: Tables 5 and 6; BASQUE-12, -17, -18)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.agreement.data.tasks import BASELINES, SUFFIX, SUFFIXES
from kasu.agreement.data.transforms import BASE, split_condition
from kasu.agreement.evaluation.rows import (
    TITLES,
    WORD_ONLY,
    all_and_each,
    score_share,
    title_of,
)
from kasu.agreement.events import ANY, shares, suffix_events
from kasu.agreement.runs import PAPER, STUDY
from kasu.files.tables import read_parquet
from kasu.results.differences import Difference, Sample
from kasu.results.nulls import above, beyond, strongest
from kasu.results.scores import Score
from kasu.results.verdicts import Claim, Untestable

# Systems that the paper prints
PRINTED = {"bilstm": "BiLSTM suffix", "mlp": "MLP on embedding"}


def score_suffixes(
    files: Mapping[str, str | Path], condition: str, variant: str, corpus: str, seed: int
) -> Iterator[Score]:
    """Yield the scores of one corpus, condition and variant, over all seeds and for each.

    Args:
        files: the predictions of each system.
        corpus: empty for the corpus that is compared with the published figures, else its name.
        seed: of the bootstrap.
    """
    for system, path in files.items():
        places = _places(system, condition)
        shown = PRINTED.get(system, system)
        named = Score(STUDY, PAPER, system=shown, variant=variant, predictions=path)
        for run, part in all_and_each(read_suffixes(path, variant)):
            for suffix, row in _score_part(part, replace(named, seed=run), seed):
                for table, title, metrics in places:
                    if row.metric in metrics:
                        cell = "|".join(filter(None, (title, f"suffix={suffix}", corpus)))
                        yield replace(row, table=table, condition=cell)


def read_suffixes(path: str | Path, variant: str) -> pd.DataFrame:
    """Read one variant of the predictions of a system."""
    columns = ["cluster", "gold", "prediction", "seed"]
    table = read_parquet(path, columns, [("variant", "==", variant)])
    return table.to_pandas(strings_to_categorical=True)


def _places(system: str, condition: str) -> list[tuple[str, str, Sequence[str]]]:
    """Return the tables that list a system under a condition: table, condition and metrics."""
    title = title_of(condition)
    if system == "mlp":
        # Its base is a row of its own: `Word-only`, or `Word-only, trained on 300k`
        base = split_condition(condition)[0] == BASE
        rest = title.removeprefix(TITLES[BASE]) if base else f", {title}"
        return [("Table 6", WORD_ONLY + rest, ("f1",))]
    places: list[tuple[str, str, Sequence[str]]] = [("Table 6", title, ("f1",))]
    if condition == BASE:
        places.append(("Table 5", "", ("precision", "recall", "f1")))
    return places


def _score_part(part: pd.DataFrame, named: Score, seed: int) -> Iterator[tuple[str, Score]]:
    """Yield each metric of each suffix, with its interval over the clusters."""
    clusters, seeds = part["cluster"].cat.codes.to_numpy(), part["seed"].to_numpy()
    gold, predicted = (part[column].astype(str).to_numpy() for column in ("gold", "prediction"))
    for suffix, events in suffix_events(gold, predicted).items():
        for metric, hits, trials, words in shares(events):
            row = score_share(named, metric, hits, trials, clusters[words], seeds[words], seed=seed)
            if metric == "f1" and row.value is None:
                row = replace(row, value=0.0, note="no word has it or is predicted to: zero")
            yield suffix, row


# Claims


NULL = "the strongest null"
NULLS = [(system, BASE) for system in BASELINES[SUFFIX]]


class Order(NamedTuple):
    """A claim that F1 is higher in one cell than in another: system and condition of each.

    A system may be NULL, the strongest null.
    """

    says: str
    higher: tuple[str, str]
    lower: tuple[str, str]


ORDERS = (
    Order(
        "Suffixes are harder to predict without the forms of the verbs",
        ("bilstm", BASE), ("bilstm", "no_verb"),
    ),
    Order("They are harder still without the sentence", ("bilstm", "no_verb"), ("mlp", BASE)),
    Order(
        "Without the forms of the verbs results are far from random",
        ("bilstm", "no_verb"), (NULL, BASE),
    ),
    Order("Some words tend to have a suffix in any sentence", ("lexicon", BASE), ("prior", BASE)),
    Order("The sentence tells more than that tendency", ("bilstm", BASE), ("lexicon", BASE)),
)  # fmt: skip
EASIEST, HARDER = "-a", ("-ak", "-ek")


def list_suffix_claims(
    files: Mapping[tuple[str, str], str | Path], variant: str, why: str | None
) -> Iterator[Claim]:
    """Yield the claims of §7.1 with their evidence, one difference for each suffix.

    Args:
        files: predictions by system and condition.
        why: why these data cannot test the paper's claims, None if they can.
    """
    asked = {cell for order in ORDERS for cell in (order.higher, order.lower)} | {*NULLS}
    samples = {} if why else _read_samples({c: p for c, p in files.items() if c in asked}, variant)
    for order in ORDERS:
        higher, lower = " under ".join(order.higher), " under ".join(order.lower)
        yield Claim(
            f"{order.says} (§7.1)",
            f"F1 of {higher} minus {lower}, for each suffix and for any",
            Untestable(why) if why else _differences(samples, order),
            variant,
        )
    yield Claim(
        f"{EASIEST} is easier than {' and '.join(HARDER)} (§7.1)",
        f"F1 of {EASIEST} minus that of each other, of bilstm under {BASE}; and beyond the same of "
        "the strongest null",
        Untestable(why) if why else _differences_of_suffixes(samples),
        variant,
    )


Samples = Mapping[tuple[str, str], Mapping[str, Sample]]


def _read_samples(
    files: Mapping[tuple[str, str], str | Path], variant: str
) -> dict[tuple[str, str], dict[str, Sample]]:
    """Read the events of F1 of each suffix: hits, and clusters as numbers that all files share."""
    frames = {cell: read_suffixes(path, variant) for cell, path in files.items()}
    names = sorted({name for each in frames.values() for name in each["cluster"].cat.categories})
    samples: dict[tuple[str, str], dict[str, Sample]] = {}
    for cell, frame in frames.items():
        clusters = frame["cluster"].cat.set_categories(names).cat.codes.to_numpy()
        gold, predicted = (frame[each].astype(str).to_numpy() for each in ("gold", "prediction"))
        samples[cell] = {}
        for suffix, events in suffix_events(gold, predicted).items():
            ((hits, trials, words),) = (rest for name, *rest in shares(events) if name == "f1")
            samples[cell][suffix] = Sample(hits[trials], clusters[words[trials]])
    return samples


def _differences(samples: Samples, order: Order) -> list[Difference] | Untestable:
    nulls = [cell for cell in NULLS if cell in samples]
    by_null = order.lower[0] == NULL
    cells = [order.higher] if by_null and nulls else [order.higher, order.lower]
    absent = [cell for cell in cells if cell not in samples]
    if absent:
        return Untestable(f"{' and '.join(map(' under '.join, absent))} did not run")
    compared = []
    for suffix in (*SUFFIXES[1:], ANY):
        higher = samples[order.higher][suffix]
        lower = {cell[0]: samples[cell][suffix] for cell in (nulls if by_null else [order.lower])}
        lower = {name: each for name, each in lower.items() if np.size(each.values)}
        # The demo's text need not have each of them
        if not np.size(higher.values) or not lower:
            continue
        if by_null:
            compared.append(above(higher, lower, says=f"{suffix} "))
        else:
            ((_, other),) = lower.items()
            says = f"{suffix} {higher.mean:.4f} and {other.mean:.4f}, "
            compared.append(Difference.of(higher, other, says=says))
    return compared or Untestable("no word has a suffix")


def _differences_of_suffixes(samples: Samples) -> list[Difference] | Untestable:
    if ("bilstm", BASE) not in samples:
        return Untestable(f"bilstm under {BASE} did not run")
    found = samples["bilstm", BASE]
    missing = [each for each in (EASIEST, *HARDER) if not np.size(found[each].values)]
    if missing:
        return Untestable(f"no word has {' or '.join(missing)}")
    nulls = {cell[0]: samples[cell] for cell in NULLS if cell in samples}
    if not nulls:
        return Untestable(f"no null ran under {BASE}")
    # The words with these suffixes are those of the BiLSTM, so each null has events too
    name = strongest({name: each[EASIEST] for name, each in nulls.items()})
    compared = []
    for each in HARDER:
        own, null = ((one[EASIEST], one[each]) for one in (found, nulls[name]))
        says = f"{EASIEST} {own[0].mean:.4f}, {each} {own[1].mean:.4f}, "
        compared += beyond(own, null, name, says=says)
    return compared

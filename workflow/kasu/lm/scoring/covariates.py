"""Does being right go with length, pieces and frequency? A logistic regression for each system.

A covariate is what the right text of an item has more of than the wrong ones on average:
characters, pieces of the model's tokenizer, and, by a text, the logarithm of how frequent its words
are. Standard errors are clustered: items of a cluster are not independent (Liang & Zeger 1986).
"""

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kasu.corpora.texts.tokens import mean_frequency, tokenise
from kasu.job.run import Progress
from kasu.lm.pretraining.texts import read_texts
from kasu.lm.scoring.accuracy import right_and_wrong
from kasu.lm.scoring.compare import System, Verdicts
from kasu.lm.scoring.items import item_name, read_rows
from kasu.results.statistics import FEW, LEVEL, tied

SAME = "the same in all items"
FOLLOWS = "follows from the ones before"
ONE_CLASS = "all items are {}"
ONE_CLUSTER = "all items are of one cluster"
APART = "tells right from wrong without exception"
UNSETTLED = "the fit does not settle, as where covariates together tell right from wrong"
NARROW = f"fewer than {FEW} clusters: the interval is too narrow"


class Effect(NamedTuple):
    """What a covariate does to the odds of being right, beside the other ones.

    items: those that are right or wrong; clusters: of these.
    ties: items that are neither, and left out.
    sd: the standard deviation of the covariate, in its own unit.
    odds: the factor of the odds by one standard deviation more, with its interval at LEVEL; None
        where `note` says why there is none.
    """

    system: System
    covariate: str
    items: int
    clusters: int
    ties: int
    sd: float
    odds: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    note: str = ""


class Items(NamedTuple):
    """The rows of a file by name, and the counts of a text's words."""

    rows: Mapping[str, Mapping[str, object]]
    counts: Counter[str] | None


def read_counted(path: Path, text: Path | None) -> Items:
    """Read a file of items, and then count the words of a text.

    Args:
        text: as `kasu.lm.pretraining.texts.read_texts` takes it; None for no frequency.

    Raises:
        KasuError: a file cannot be read.
    """
    rows = {item_name(row, number): row for number, row in enumerate(read_rows(path), 1)}
    if text is None:
        return Items(rows, None)
    counts: Counter[str] = Counter()
    progress = Progress(text.name, unit="lines")
    for line in read_texts(text):
        counts.update(tokenise(line))
        progress.add()
    return Items(rows, counts)


def effects(items: Items, scores: pa.Table, judged: Mapping[System, Verdicts]) -> Iterator[Effect]:
    """Yield the effects on each system of a model.

    Args:
        scores: SCORES of the model.
        judged: what items are worth to its systems.
    """
    columns = ("item_id", "column", "characters", "tokens")
    sizes: dict[str, dict[str, tuple[int, int]]] = {}
    for item, column, *of in zip(*(scores[name].to_pylist() for name in columns), strict=True):
        sizes.setdefault(item, {})[column] = tuple(of)
    more = {
        name: np.array(_more(row, sizes[name], items.counts))
        for name, row in items.rows.items()
        if name in sizes and all(right_and_wrong(row, sizes[name]))
    }
    names = ["characters", "pieces", "frequency"][: 2 if items.counts is None else 3]
    for system, verdicts in judged.items():
        known = {name: worth for name, worth in verdicts.worths.items() if name in more}
        worths = np.array([*known.values()])
        sharp = ~tied(worths) if len(worths) else np.zeros(0, bool)
        kept = [name for name, keep in zip(known, sharp, strict=True) if keep]
        clusters = [verdicts.clusters.of[name] for name in kept]
        values = np.array([more[name] for name in kept]).reshape(len(kept), len(names))
        for at, found in enumerate(fit(worths[sharp] > 0, values, clusters)):
            sd = float(values[:, at].std()) if kept else 0.0
            yield Effect(
                system, names[at], len(kept), len(set(clusters)), int((~sharp).sum()), sd, *found
            )


def _more(
    row: Mapping[str, object],
    sizes: Mapping[str, tuple[int, int]],
    counts: Counter[str] | None,
) -> list[float]:
    """Return by how much the right text of an item exceeds the mean of the wrong ones."""
    right, wrong = right_and_wrong(row, sizes)
    texts = {column: [float(each) for each in of] for column, of in sizes.items()}
    if counts is not None:
        for column, values in texts.items():
            values.append(mean_frequency(tokenise(str(row[column])), counts))
    of_wrong = np.mean([texts[each] for each in wrong], axis=0)
    return (np.array(texts[str(right)]) - of_wrong).tolist()


Found = tuple[float | None, float | None, float | None, float | None, str]
"""Odds, low, high, p, note."""


def fit(right: np.ndarray, values: np.ndarray, clusters: Sequence[str]) -> list[Found]:
    """Fit a logistic regression with clustered standard errors; return an effect by covariate.

    Args:
        right: (items,), whether an item is right.
        values: (items, covariates), in any unit.
        clusters: of the items.
    """
    # statsmodels takes a second to import
    import statsmodels.api as sm
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    count = values.shape[1]
    if len(set(right.tolist())) < 2:
        reason = ONE_CLASS.format("right" if right.any() else "wrong")
        return [(None, None, None, None, reason if len(right) else "no items")] * count
    if len(set(clusters)) < 2:
        return [(None, None, None, None, ONE_CLUSTER)] * count
    notes = [""] * count
    used: list[int] = []
    scaled = values - values.mean(axis=0)
    for at in range(count):
        if not scaled[:, at].any():
            notes[at] = SAME
        elif np.linalg.matrix_rank(scaled[:, [*used, at]]) <= len(used):
            notes[at] = FOLLOWS
        else:
            used.append(at)
    empty: list[Found] = [(None, None, None, None, note) for note in notes]
    if not used:
        return empty
    design = sm.add_constant(scaled[:, used] / scaled[:, used].std(axis=0), has_constant="add")
    codes = np.unique(clusters, return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", PerfectSeparationWarning)
        try:
            fitted = sm.Logit(right.astype(float), design).fit(
                disp=0, maxiter=200, cov_type="cluster", cov_kwds={"groups": codes}
            )
            settled = bool(fitted.mle_retvals["converged"])
        except (PerfectSeparationWarning, np.linalg.LinAlgError):
            settled = False
    if not settled:
        for at in used:
            note = APART if _tells_apart(right, values[:, at]) else UNSETTLED
            empty[at] = None, None, None, None, note
        return empty
    ends = fitted.conf_int(1 - LEVEL)
    note = NARROW if len(set(clusters)) < FEW else ""
    for place, at in enumerate(used, 1):
        low, high = np.exp(ends[place])
        odds = float(np.exp(fitted.params[place]))
        empty[at] = odds, float(low), float(high), float(fitted.pvalues[place]), note
    return empty


def _tells_apart(right: np.ndarray, values: np.ndarray) -> bool:
    """Return whether the values of all right items are above, or all below, those of wrong ones."""
    mine, others = values[right], values[~right]
    return bool(mine.min() > others.max() or mine.max() < others.min())

"""Score diagnostic classifiers beside their nulls (§7.1; BASQUE-21, -22)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from kasu.agreement.data.tasks import (
    ABOUT_VERB,
    ANY_VERB,
    CLOSEST_VERB,
    MAJORITY,
    SHUFFLED,
    TRAINED,
    UD_PROBES,
    UNTRAINED,
    WORD,
    WRONG,
)
from kasu.agreement.evaluation.rows import all_and_each, score_share
from kasu.agreement.runs import PAPER, STUDY
from kasu.files.tables import read_parquet
from kasu.results.differences import Difference, Sample
from kasu.results.scores import Score
from kasu.results.verdicts import Claim, Untestable

# The parts of each table: whether the network predicts the suffix of the word
PARTS: dict[str, dict[str, Sequence[bool] | None]] = {
    CLOSEST_VERB: {"total": None, "BiLSTM_wrong": (False,), "BiLSTM_correct": (True,)},
    UD_PROBES: {"": None},
}
ALL_VERBS = f"{ABOUT_VERB}{ANY_VERB}"
# What a probe reads, as tables write it after its name; nothing for the trained states
READS = {
    TRAINED: "",
    UNTRAINED: ", untrained encoder",
    WORD: ", word without sentence",
    SHUFFLED: ", shuffled labels",
}
NULLS = (UNTRAINED, WORD)


def read_probed(path: str | Path, variant: str) -> pd.DataFrame:
    """Read one variant of PROBED, with `hit`: whether the probe is right."""
    frame = read_parquet(path, filters=[("variant", "==", variant)]).to_pandas()
    frame["hit"] = frame["gold"] == frame["prediction"]
    return frame


def score_probes(
    probed: pd.DataFrame, file: str | Path, variant: str, seed: int
) -> Iterator[Score]:
    """Yield the scores of both tables, over all seeds and for each.

    Args:
        probed: from `read_probed`.
        file: the file that it was read from.
        seed: of the bootstrap.
    """
    for names, group in probed.groupby(["table", "task", "probe", "source"]):
        table, task, probe, source = map(str, names)
        for part, right in PARTS[table].items():
            named = Score(
                STUDY,
                PAPER,
                table=table,
                system=f"{probe}{READS[source]}",
                condition=";".join(filter(None, (task, part))),
                variant=variant,
                predictions=file,
            )
            chosen = group if right is None else group[group["right"].isin(right)]
            for run, own in all_and_each(chosen):
                row = score_share(
                    replace(named, seed=run),
                    "accuracy",
                    own["hit"].to_numpy(),
                    np.ones(len(own), bool),
                    own["cluster"].astype("category").cat.codes.to_numpy(),
                    own["seed"].to_numpy(),
                    seed=seed,
                )
                yield row
                if (sample := ranks(own)) is not None:
                    auc = Difference.of(sample)
                    # The interval is normal, but an AUC lies between 0 and 1
                    low, high = max(auc.low, 0.0), min(auc.high, 1.0)
                    yield replace(row, metric="auc", value=auc.value, low=low, high=high)


def ranks(words: pd.DataFrame) -> Sample | None:
    """Return a sample whose mean is the area under the ROC curve (AUC), None if it is not defined.

    The AUC is the probability that a probe ranks a word with the first label above one with the
    other; 0.5 is chance, however frequent either label is. For each word, take the share of the
    words with the other label that it is ranked rightly against; the AUC is their mean. The values
    spread as in DeLong et al. (1988): the words of both labels add to the error.
    """
    score, first = words["score"].to_numpy(float), words["gold"] == words["gold"].min()
    first = first.to_numpy()
    if np.isnan(score).any() or first.all() or not first.any():
        return None
    # By sign, a higher score is right for words of either label; a tie counts one half
    share = np.empty(len(score))
    for kind, sign in ((first, 1), (~first, -1)):
        own, other = sign * score[kind], np.sort(sign * score[~kind])
        below, upto = (np.searchsorted(other, own, side) for side in ("left", "right"))
        share[kind] = (below + upto) / 2 / len(other)
    weights = np.where(first, 1 / first.sum(), 1 / (~first).sum()) / 2
    area = (weights * share).sum()
    # Each label has half of the weight, so deviations from the area are doubled: the mean stays,
    # and each label adds its whole error
    return Sample(2 * share - area, words["cluster"].to_numpy(), weights)


def list_probe_claims(
    probed: pd.DataFrame | None, variant: str, why: str | None
) -> Iterator[Claim]:
    """Yield the claims on diagnostic classifiers with their evidence.

    Args:
        probed: from `read_probed`, None if nothing was probed.
        why: why these data cannot test the paper's claims, None if they can.
    """
    why = why or (None if probed is not None else "no state was probed")
    frame = pd.DataFrame() if probed is None or why else probed
    tasks = [] if why else list(dict.fromkeys(frame["task"]))
    forms = [task for task in tasks if task.startswith(ABOUT_VERB) and task != ALL_VERBS]
    wrong = [task for task in tasks if task.endswith(WRONG)]
    others = [task for task in tasks if not task.startswith(ABOUT_VERB) and task not in wrong]
    says = "Probes tell the word's own verb better where the BiLSTM predicts its suffix (§7.1)"
    yield Claim(
        says,
        "accuracy where the suffix is right minus where it is wrong, for each form and probe",
        Untestable(why) if why else _by_outcome(frame, forms),
        variant,
    )
    yield Claim(
        f"{says}, over all verbs",
        "the same, in all sentences of two verbs",
        Untestable(why) if why else _by_outcome(frame, [ALL_VERBS]),
        variant,
    )
    yield Claim(
        f"{says}, and not for the mix of labels there",
        "the same, by the area under the ROC curve, which a majority does not raise",
        Untestable(why) if why else _by_outcome(frame, [ALL_VERBS], ranked=True),
        variant,
    )
    yield Claim(
        "The state at a word encodes whether the closest verb is its own (§7.1)",
        "area under the ROC curve on trained states minus an untrained encoder and the word alone, "
        "in all sentences of two verbs",
        Untestable(why) if why else _beyond_nulls(frame, [ALL_VERBS], NULLS, ranked=True),
        variant,
    )
    yield Claim(
        "Suffix recovery teaches number, case, POS and the edge to the head (§7.1)",
        "accuracy on trained states minus an untrained encoder and the word alone, for each task",
        Untestable(why) if why else _beyond_nulls(frame, others, NULLS),
        variant,
    )
    yield Claim(
        "Number and case can be read off the state even where the suffix is wrong (§7.1)",
        "accuracy on trained states minus the majority",
        Untestable(why) if why else _beyond_nulls(frame, wrong, (MAJORITY,)),
        variant,
    )


def _by_outcome(
    probed: pd.DataFrame, tasks: Sequence[str], *, ranked: bool = False
) -> list[Difference] | Untestable:
    """Measure how much better probes are where the network is right than where it is wrong.

    Args:
        ranked: by the AUC, not by accuracy.
    """
    found = []
    for task in tasks:
        majority = _words(probed, task, MAJORITY, TRAINED)
        for probe in _probes(probed, task):
            words = _words(probed, task, probe, TRAINED)
            read = ranks if ranked else hits
            one, other = (read(words[words["right"] == each]) for each in (True, False))
            if one is None or other is None:
                continue
            says = f"{task}, {probe} {_mean(one)} and {_mean(other)}"
            if not ranked:
                parts = (hits(majority[majority["right"] == each]) for each in (True, False))
                says += f" (majority {' and '.join(_mean(each) for each in parts if each)})"
            found.append(Difference.of(one, other, says=f"{says}, "))
    return found or Untestable("too few linked words, or all suffixes right or wrong")


def _beyond_nulls(
    probed: pd.DataFrame, tasks: Sequence[str], nulls: Sequence[str], *, ranked: bool = False
) -> list[Difference] | Untestable:
    """Measure how much better probes of trained states are than nulls, on the same words.

    Args:
        nulls: MAJORITY, or other sources that the same probe reads.
        ranked: by the AUC, not by accuracy.
    """
    read = ranks if ranked else hits
    found = []
    for task in tasks:
        for probe, null in product(_probes(probed, task), nulls):
            words = _words(probed, task, probe, TRAINED)
            named, source = (MAJORITY, TRAINED) if null == MAJORITY else (probe, null)
            one, other = read(words), read(_words(probed, task, named, source))
            if one is None or other is None:
                continue
            says = f"{task}, {probe} {_mean(one)}, {named}{READS[source]} {_mean(other)}, "
            found.append(Difference.of(one, other, says=says))
    return found or Untestable("no word was asked about")


def hits(words: pd.DataFrame) -> Sample | None:
    """Return a sample whose mean is the accuracy, None without a word."""
    return Sample(words["hit"].to_numpy(float), words["cluster"].to_numpy()) if len(words) else None


def _mean(sample: Sample) -> str:
    weights = None if sample.weights is None else np.asarray(sample.weights)
    return f"{np.average(np.asarray(sample.values), weights=weights):.4f}"


def _probes(probed: pd.DataFrame, task: str) -> list[str]:
    return sorted(set(probed.loc[probed["task"] == task, "probe"]) - {MAJORITY})


def _words(probed: pd.DataFrame, task: str, probe: str, source: str) -> pd.DataFrame:
    """Return the words of a task as one probe labels them; in the same order for all probes."""
    return probed[
        (probed["task"] == task) & (probed["probe"] == probe) & (probed["source"] == source)
    ]

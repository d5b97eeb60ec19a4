"""Score diagnostic classifiers beside their nulls (§7.1: Table 3; BASQUE-21)."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from kasu.agreement.evaluation.rows import all_and_each, share_row
from kasu.agreement.runs import PAPER, STUDY
from kasu.base.tables import read_parquet
from kasu.base.verdicts import Claim, Difference, Sample, Untestable

# The parts of each table: whether the network predicts the suffix of the word
PARTS: dict[str, dict[str, Sequence[bool] | None]] = {
    "Table 3": {"total": None, "BiLSTM_wrong": (False,), "BiLSTM_correct": (True,)},
    "section 7.1 UD probes": {"": None},
}
MAJORITY = "majority"
ALL_VERBS = "verb=any"
# What a probe reads, after its name; nothing of the trained states
READS = {
    "trained": "",
    "untrained": ", untrained encoder",
    "word": ", word without sentence",
    "shuffled": ", shuffled labels",
}
NULLS = ("untrained", "word")


def read_probed(path: str | Path, variant: str) -> pd.DataFrame:
    """Read one variant of PROBED, with `hit`: whether the probe is right."""
    frame = read_parquet(path, filters=[("variant", "==", variant)]).to_pandas()
    frame["hit"] = frame["gold"] == frame["prediction"]
    return frame


def score_probes(probed: pd.DataFrame, variant: str, seed: int) -> Iterator[dict]:
    """Yield the scores of both tables (SCORES), over all seeds and for each.

    Args:
        probed: from `read_probed`.
        seed: of the bootstrap.
    """
    key = {"study": STUDY, "paper": PAPER, "variant": variant}
    for names, group in probed.groupby(["table", "task", "probe", "source"]):
        table, task, probe, source = map(str, names)
        for part, right in PARTS[table].items():
            condition = {"table": table, "system": f"{probe}{READS[source]}"}
            condition["condition"] = ";".join(filter(None, (task, part)))
            chosen = group if right is None else group[group["right"].isin(right)]
            for run, own in all_and_each(chosen):
                row = share_row(
                    "accuracy",
                    own["hit"].to_numpy(),
                    np.ones(len(own), bool),
                    own["cluster"].astype("category").cat.codes.to_numpy(),
                    own["seed"].to_numpy(),
                    seed=seed,
                )
                yield {**key, **condition, "seed": run, **row}


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
    forms = [task for task in tasks if task.startswith("verb=") and task != ALL_VERBS]
    wrong = [task for task in tasks if task.endswith("BiLSTM wrong")]
    others = [task for task in tasks if not task.startswith("verb=") and task not in wrong]
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
        "the same, of what a probe is better than the majority on the same words",
        Untestable(why) if why else _by_outcome(frame, [ALL_VERBS], beyond_majority=True),
        variant,
    )
    yield Claim(
        "The state at a word encodes whether the closest verb is its own (§7.1)",
        "accuracy on trained states minus the majority, an untrained encoder and the word alone, "
        "in all sentences of two verbs",
        Untestable(why) if why else _beyond_nulls(frame, [ALL_VERBS], (MAJORITY, *NULLS)),
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
    probed: pd.DataFrame, tasks: list[str], *, beyond_majority: bool = False
) -> list[Difference] | Untestable:
    """How much better probes are where the network is right than where it is wrong."""
    found = []
    for task in tasks:
        majority = _cell(probed, task, MAJORITY, "trained")
        for probe in _probes(probed, task):
            cell = _cell(probed, task, probe, "trained")
            value = cell["hit"].astype(float)
            if beyond_majority:
                value = value - majority["hit"].to_numpy(float)
            right, wrong = (cell["right"] == each for each in (True, False))
            if not (right.any() and wrong.any()):
                continue
            null = majority["hit"].to_numpy(float)
            says = (
                f"{task}, {probe} {value[right].mean():.4f} and {value[wrong].mean():.4f} "
                f"(majority {null[right].mean():.4f} and {null[wrong].mean():.4f}), "
            )
            clusters = cell["cluster"]
            one, other = (Sample(value[each], clusters[each]) for each in (right, wrong))
            found.append(Difference.of(one, other, says=says))
    return found or Untestable("too few linked words, or all suffixes right or wrong")


def _beyond_nulls(
    probed: pd.DataFrame, tasks: Sequence[str], nulls: Sequence[str]
) -> list[Difference] | Untestable:
    """How much better probes of trained states are than nulls, on the same words.

    Args:
        nulls: MAJORITY, or what else the same probe reads.
    """
    found = []
    for task in tasks:
        for probe, null in product(_probes(probed, task), nulls):
            cell = _cell(probed, task, probe, "trained")
            named, source = (MAJORITY, "trained") if null == MAJORITY else (probe, null)
            other = _cell(probed, task, named, source)
            says = (
                f"{task}, {probe} {cell['hit'].mean():.4f}, "
                f"{named}{READS[source]} {other['hit'].mean():.4f}, "
            )
            samples = (Sample(each["hit"], each["cluster"]) for each in (cell, other))
            found.append(Difference.of(*samples, says=says))
    return found or Untestable("no word was asked about")


def _probes(probed: pd.DataFrame, task: str) -> list[str]:
    return sorted(set(probed.loc[probed["task"] == task, "probe"]) - {MAJORITY})


def _cell(probed: pd.DataFrame, task: str, probe: str, source: str) -> pd.DataFrame:
    """The words of a task as one probe labels them; in the same order for all probes."""
    return probed[
        (probed["task"] == task) & (probed["probe"] == probe) & (probed["source"] == source)
    ]

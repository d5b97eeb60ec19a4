"""Suffix prediction by whether the closest verb is the right one (§7.1: Table 2; BASQUE-20)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.links import read_verbs
from kasu.agreement.data.tasks import SUFFIXES
from kasu.agreement.evaluation.rows import all_and_each, score_share
from kasu.agreement.evaluation.suffixes import PRINTED
from kasu.agreement.runs import PAPER, STUDY
from kasu.files.tables import read_parquet
from kasu.results.differences import Difference, Sample
from kasu.results.scores import Score
from kasu.results.verdicts import Claim, Untestable

TABLE = "Table 2"
LINKED = ("bilstm", "lexicon")  # the paper's system, and a null that sees no verb
PRINTED_VERB = "da"
LEAST = 500  # words linked to a verb in sentences with a form that has rows of its own
PLACES = {True: "closest_verb_correct", False: "closest_verb_incorrect"}


def read_events(test: str | Path, predictions: str | Path, variant: str) -> pd.DataFrame:
    """Read the gold and predicted suffixes that link their word to a verb.

    Returns:
        A row for each word with a linked suffix, and one for each word predicted to have one, once
        for each form among the verbs of its sentence: form, closest, suffix, gold (or predicted),
        hit, cluster, seed.
    """
    verbs = read_verbs(test, variant)
    words = ["item_id", "position", "gold", "prediction", "cluster", "seed"]
    linked = pc.field("item_id").isin(pa.array([*verbs], pa.string()))
    rows = read_parquet(predictions, words, (pc.field("variant") == variant) & linked)
    events = []
    for item_id, at, gold, predicted, cluster, seed in zip(
        *(rows[name].to_pylist() for name in words), strict=True
    ):
        found = verbs[item_id]
        for suffix, is_gold in ((gold, True), (predicted, False)):
            closest = found.is_closest(suffix, at)
            if closest is not None:
                same = (closest, suffix, is_gold, gold == predicted, cluster, seed)
                events += [(form, *same) for form in dict.fromkeys(found.forms)]
    names = ["form", "closest", "suffix", "gold", "hit", "cluster", "seed"]
    return pd.DataFrame(events, columns=names)


def score_closest(
    events: pd.DataFrame, predictions: str | Path, system: str, variant: str, seed: int
) -> Iterator[Score]:
    """Yield the scores of Table 2, for PRINTED_VERB and each form with LEAST words.

    Args:
        events: from `read_events`.
        predictions: the file that they were read from.
        system: one of LINKED.
        seed: of the bootstrap.
    """
    runs = max(events["seed"].nunique(dropna=False), 1)
    words = Counter(events.loc[events["gold"], "form"])
    shown = [form for form in sorted(words) if form == PRINTED_VERB or words[form] / runs >= LEAST]
    named = Score(
        STUDY, PAPER, TABLE, PRINTED.get(system, system), variant=variant, predictions=predictions
    )
    chosen = events[events["form"].isin(shown)]
    for (form, closest, suffix), group in chosen.groupby(["form", "closest", "suffix"]):
        condition = f"verb={form};{PLACES[bool(closest)]};suffix={suffix}"
        for run, part in all_and_each(group):
            yield from _score_part(part, replace(named, condition=condition, seed=run), seed)


def _score_part(part: pd.DataFrame, named: Score, seed: int) -> Iterator[Score]:
    """Yield recall and precision, each with its number of words, and F1."""
    hits, gold = part["hit"].to_numpy(), part["gold"].to_numpy()
    clusters, seeds = (
        part["cluster"].astype("category").cat.codes.to_numpy(),
        part["seed"].to_numpy(),
    )
    for metric, trials, counted in (
        ("recall", gold, "recall_n_gold"),
        ("precision", ~gold, "precision_n_predicted"),
        ("f1", np.ones(len(part), bool), None),
    ):
        row = score_share(named, metric, hits & trials, trials, clusters, seeds, seed=seed)
        yield row
        if counted:
            yield replace(row, metric=counted, value=row.n, low=None, high=None)


def closest_claim(events: pd.DataFrame | None, variant: str, why: str | None) -> Claim:
    """Return the claim that suffixes are easier where the closest verb is the right one.

    Args:
        events: of the BiLSTM, None if it did not run.
        why: why these data cannot test the paper's claims, None if they can.
    """
    evidence: list[Difference] | Untestable
    if why or events is None:
        evidence = Untestable(why or "bilstm under base did not run")
    else:
        evidence = _differences(events[events["form"] == PRINTED_VERB])
    return Claim(
        f"With {PRINTED_VERB}, suffixes are easier where the closest verb is the right one (§7.1)",
        "F1 where it is minus F1 where it is not, for each suffix of its sentences that is in both",
        evidence,
        variant,
    )


def _differences(events: pd.DataFrame) -> list[Difference] | Untestable:
    found = []
    for suffix in SUFFIXES[1:]:
        of_suffix = events[events["suffix"] == suffix]
        right, wrong = (of_suffix[of_suffix["closest"] == closest] for closest in (True, False))
        if len(right) and len(wrong):
            says = f"{suffix} {right['hit'].mean():.4f} and {wrong['hit'].mean():.4f}, "
            found.append(Difference.of(_sample(right), _sample(wrong), says=says))
    return found or Untestable(f"no suffix is in sentences with {PRINTED_VERB} both ways")


def _sample(events: pd.DataFrame) -> Sample:
    return Sample(events["hit"].to_numpy(), events["cluster"].to_numpy())

"""Claims of Ravfogel, Goldberg & Tyers (2018, §6.1) that compare conditions (Table 4)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.agreement.data.tasks import BASELINES, SLOTS, VERB_NUMBER
from kasu.files.tables import read_parquet
from kasu.results.differences import Difference, Sample
from kasu.results.nulls import above
from kasu.results.verdicts import Claim, Untestable

# Accuracy that a condition may lose and still count as close; the paper lost 0.5 to 1.1 points
CLOSE = 0.02
NETWORK = "bilstm"


NULL = "the strongest null"


class Ablation(NamedTuple):
    """A claim that one condition is more accurate than another.

    Attributes:
        higher, lower: conditions of the BiLSTM; `lower` NULL: the strongest null under `higher`.
        floor: as in Difference.
    """

    says: str
    higher: str
    lower: str
    floor: float = 0.0


ABLATIONS = (
    Ablation("Suffixes alone tell less than the words with them", "base", "suffixes_only"),
    Ablation("Suffixes and their order tell something by themselves", "suffixes_only", NULL),
    Ablation("Words without their suffixes tell less", "base", "no_suffixes"),
    Ablation("Words without their suffixes tell something", "no_suffixes", NULL),
    Ablation("Little is lost without case", "neutralised_case", "base", -CLOSE),
    Ablation("A single verb is easier than several", "single_verb", "base"),
    Ablation("Sentences without -ak are easier", "no_ak", "base"),
    Ablation("Without -ak, a single verb is easier still", "single_verb+no_ak", "no_ak"),
)


def list_ablation_claims(
    predictions: Mapping[str, Mapping[str, str | Path]], variant: str, why: str | None
) -> Iterator[Claim]:
    """Yield the claims with their evidence, one difference for each slot.

    Args:
        predictions: by condition and system, of the BiLSTM and of nulls.
        why: why these data cannot test the paper's claims, None if they can.
    """
    outcomes = {} if why else _read_all(predictions, variant)
    for each in ABLATIONS:
        loss = f", which may lose {-each.floor:g}" if each.floor else ""
        test = f"accuracy of {each.higher} minus {each.lower}{loss}, for each argument"
        evidence = Untestable(why) if why else _evidence(outcomes, each)
        yield Claim(f"{each.says} (§6.1)", test, evidence, variant)


Outcomes = Mapping[str, Mapping[str, pd.DataFrame]]  # by condition and system


def _read_all(
    predictions: Mapping[str, Mapping[str, str | Path]], variant: str
) -> dict[str, dict[str, pd.DataFrame]]:
    asked = {name for each in ABLATIONS for name in (each.higher, each.lower)}
    return {
        condition: {system: _read(path, variant) for system, path in files.items()}
        for condition, files in predictions.items()
        if condition in asked and NETWORK in files
    }


def _read(path: str | Path, variant: str) -> pd.DataFrame:
    columns = ["item_id", "cluster", "slot", "gold", "prediction"]
    table = read_parquet(path, columns, [("variant", "==", variant)])
    frame = table.to_pandas(strings_to_categorical=True)
    frame["right"] = frame["gold"].astype(str) == frame["prediction"].astype(str)
    return frame


def _evidence(outcomes: Outcomes, ablation: Ablation) -> list[Difference] | Untestable:
    conditions = [name for name in (ablation.higher, ablation.lower) if name != NULL]
    if absent := [name for name in conditions if name not in outcomes]:
        return Untestable(f"{' and '.join(absent)} did not run")
    found = outcomes[ablation.higher]
    others = outcomes.get(ablation.lower, found)
    nulls = [system for system in BASELINES[VERB_NUMBER] if system in found]
    if ablation.lower == NULL and not nulls:
        return Untestable(f"no null ran under {ablation.higher}")
    # A tagset may lack some of the paper's slots
    common = set(found[NETWORK]["slot"]) & set(others[NETWORK]["slot"])
    differences = []
    for slot in (slot for slot in SLOTS if slot in common):
        parts = {system: each[each["slot"] == slot] for system, each in found.items()}
        own = parts[NETWORK]
        if ablation.lower == NULL:
            samples = {system: _sample(parts[system]) for system in nulls}
            differences.append(above(_sample(own), samples, says=f"{slot} "))
        else:
            other = others[NETWORK]
            other = other[other["slot"] == slot]
            differences.append(_difference(own, other, slot, ablation.floor))
    return differences or Untestable("the corpus has none of the slots")


def _difference(one: pd.DataFrame, other: pd.DataFrame, slot: str, floor: float) -> Difference:
    says = f"{slot} {one['right'].mean():.4f} and {other['right'].mean():.4f}, "
    # Fewer sentences may be easier ones: say how accurate the other condition is on the same
    if one["item_id"].nunique() < other["item_id"].nunique():
        same = other["item_id"].isin(one["item_id"].unique())
        says += f"{other.loc[same, 'right'].mean():.4f} on the same sentences, "
    return Difference.of(_sample(one), _sample(other), floor=floor, says=says)


def _sample(cell: pd.DataFrame) -> Sample:
    return Sample(cell["right"].to_numpy(), np.asarray(cell["cluster"].astype(str)))

"""Claims of Ravfogel, Goldberg & Tyers (2018, §6.1) that compare conditions (Table 4)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.agreement.data.labels import SLOTS
from kasu.agreement.tasks import MAJORITY
from kasu.base.tables import read_parquet
from kasu.base.verdicts import Claim, Difference, Sample, Untestable

# Accuracy that a condition may lose and still count as close; the paper lost 0.5 to 1.1 points
CLOSE = 0.02


class Ablation(NamedTuple):
    """A claim that one condition is more accurate than another.

    Attributes:
        higher, lower: conditions of the BiLSTM, or MAJORITY.
        floor: as in Difference.
    """

    says: str
    higher: str
    lower: str
    floor: float = 0.0


ABLATIONS = (
    Ablation("Suffixes alone tell less than the words with them", "base", "suffixes_only"),
    Ablation("Suffixes and their order tell something by themselves", "suffixes_only", MAJORITY),
    Ablation("Words without their suffixes tell less", "base", "no_suffixes"),
    Ablation("Words without their suffixes tell something", "no_suffixes", MAJORITY),
    Ablation("Little is lost without case", "neutralised_case", "base", -CLOSE),
    Ablation("A single verb is easier than several", "single_verb", "base"),
    Ablation("Sentences without -ak are easier", "no_ak", "base"),
    Ablation("Without -ak, a single verb is easier still", "single_verb+no_ak", "no_ak"),
)


def list_ablation_claims(
    predictions: Mapping[str, str | Path], variant: str, why: str | None
) -> Iterator[Claim]:
    """Yield the claims with their evidence, one difference for each slot.

    Args:
        predictions: of the BiLSTM, by condition, and of MAJORITY under `base`.
        why: why these data cannot test the paper's claims, None if they can.
    """
    outcomes = {name: _read(path, variant) for name, path in predictions.items()}
    for each in ABLATIONS:
        evidence: list[Difference] | Untestable
        absent = [name for name in (each.higher, each.lower) if name not in outcomes]
        if why or absent:
            evidence = Untestable(why or f"{' and '.join(absent)} did not run")
        else:
            higher, lower = outcomes[each.higher], outcomes[each.lower]
            # A tagset may lack some of the paper's
            slots = [slot for slot in SLOTS if slot in set(higher["slot"]) & set(lower["slot"])]
            evidence = [
                _difference(higher, lower, slot, each.floor) for slot in slots
            ] or Untestable("the corpus has none of the slots")
        loss = f", which may lose {-each.floor:g}" if each.floor else ""
        test = f"accuracy of {each.higher} minus {each.lower}{loss}, for each argument"
        yield Claim(f"{each.says} (§6.1)", test, evidence, variant)


def _read(path: str | Path, variant: str) -> pd.DataFrame:
    columns = ["item_id", "cluster", "slot", "gold", "prediction"]
    table = read_parquet(path, columns, [("variant", "==", variant)])
    frame = table.to_pandas(strings_to_categorical=True)
    frame["right"] = frame["gold"].astype(str) == frame["prediction"].astype(str)
    return frame


def _difference(higher: pd.DataFrame, lower: pd.DataFrame, slot: str, floor: float) -> Difference:
    one, other = (each[each["slot"] == slot] for each in (higher, lower))
    says = f"{slot} {one['right'].mean():.4f} and {other['right'].mean():.4f}, "
    # Fewer sentences may be easier sentences: what the other condition does on them says how much
    if one["item_id"].nunique() < other["item_id"].nunique():
        same = other["item_id"].isin(one["item_id"].unique())
        says += f"{other.loc[same, 'right'].mean():.4f} on the same sentences, "
    return Difference.of(_sample(one), _sample(other), floor=floor, says=says)


def _sample(cell: pd.DataFrame) -> Sample:
    return Sample(cell["right"].to_numpy(), np.asarray(cell["cluster"].astype(str)))

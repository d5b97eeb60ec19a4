"""The claims of Ravfogel, Goldberg & Tyers (2018) that verb number prediction can test."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from kasu.agreement.data.labels import SLOTS
from kasu.base.verdicts import Claim, Difference, Sample, Untestable

Cells = Mapping[tuple[str, str], pd.DataFrame]  # predictions by system and slot


def list_claims(predictions: pd.DataFrame, variant: str, why: str | None) -> Iterator[Claim]:
    """Yield the claims with their evidence, from the predictions under the paper's condition.

    Args:
        predictions: of one variant, all systems and seeds; from `read_predictions`.
        why: why these data cannot test the paper's claims, None if they can.
    """
    groups = predictions.groupby(["system", "slot"], observed=True)
    cells: Cells = {(str(system), str(slot)): cell for (system, slot), cell in groups}
    absolutives = predictions.loc[predictions["slot"] == "absolutive", "gold"]
    marked = (absolutives != "none").mean()
    for slot in SLOTS:
        yield Claim(
            f"The BiLSTM learns the number of the {slot} (§6.1)",
            "accuracy of BiLSTM minus the majority rate, on the same items",
            Untestable(why) if why else _more_accurate(cells, slot, "bilstm", "majority"),
            variant,
        )
    for slot in ("ergative", "absolutive"):
        yield Claim(
            f"Reading both ways helps with the {slot} (footnote 6)",
            "accuracy of BiLSTM minus unidirectional LSTM, on the same items",
            Untestable(why) if why else _more_accurate(cells, slot, "bilstm", "lstm"),
            variant,
        )
    yield Claim(
        "Recall is lower for the dative than for the ergative (§6.1)",
        "recall of the ergative minus recall of the dative",
        Untestable(why) if why else _order_of_recall(cells),
        variant,
    )
    yield Claim(
        "Recall is highest for the absolutive (§6.1)",
        "none: recall asks only whether an argument is found, not for its number",
        Untestable(why or f"100 % by construction: {marked:.2%} of the verbs mark an absolutive"),
        variant,
    )


def _more_accurate(cells: Cells, slot: str, a: str, b: str) -> Difference | Untestable:
    """How much more accurate one system is than another on the items of a slot."""
    for system in (a, b):
        if (system, slot) not in cells:
            return Untestable(f"{system} did not run")
    one, other = _right(cells[a, slot]), _right(cells[b, slot])
    return Difference.of(one, other, says=f"{_mean(one)} and {_mean(other)}, ")


def _order_of_recall(cells: Cells) -> Difference | Untestable:
    """How much higher the BiLSTM's recall is on ergatives than on datives."""
    found = {}
    for slot in ("ergative", "dative"):
        if ("bilstm", slot) not in cells:
            return Untestable("bilstm did not run")
        found[slot] = _found(cells["bilstm", slot])
        if not np.size(found[slot].values):
            return Untestable(f"no item has a {slot}")
    says = f"{_mean(found['ergative'])} and {_mean(found['dative'])}, "
    if ("ngram", "ergative") in cells:
        # The lemma of the hidden verb shows whether there is an ergative
        says += f"ngram {_mean(_found(cells['ngram', 'ergative']))} of ergatives, "
    return Difference.of(found["ergative"], found["dative"], says=says)


def _right(cell: pd.DataFrame) -> Sample:
    """Whether each label is right."""
    return Sample((cell["gold"] == cell["prediction"]).to_numpy(), cell["cluster"].to_numpy())


def _found(cell: pd.DataFrame) -> Sample:
    """Whether each present argument is predicted present."""
    present = cell[cell["gold"] != "none"]
    return Sample((present["prediction"] != "none").to_numpy(), present["cluster"].to_numpy())


def _mean(sample: Sample) -> str:
    return f"{np.asarray(sample.values, float).mean():.4f}"

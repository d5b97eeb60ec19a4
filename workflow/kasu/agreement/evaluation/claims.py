"""The claims of Ravfogel, Goldberg & Tyers (2018) that verb number prediction can test."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from kasu.agreement.data.tasks import BASELINES, MAJORITY, SLOTS, VERB_NUMBER
from kasu.results.differences import Difference, Sample
from kasu.results.nulls import above
from kasu.results.verdicts import Claim, Untestable

BySlot = Mapping[tuple[str, str], pd.DataFrame]  # predictions by system and slot


def list_claims(predictions: pd.DataFrame, variant: str, why: str | None) -> Iterator[Claim]:
    """Yield the claims with their evidence, from the predictions under the paper's condition.

    Args:
        predictions: of one variant, all systems and seeds; from `read_predictions`.
        why: why these data cannot test the paper's claims, None if they can.
    """
    groups = predictions.groupby(["system", "slot"], observed=True)
    by_slot: BySlot = {(str(system), str(slot)): answers for (system, slot), answers in groups}
    absolutives = predictions.loc[predictions["slot"] == "absolutive", "gold"]
    marked = (absolutives != "none").mean()
    for slot in SLOTS:
        yield Claim(
            f"The BiLSTM learns the number of the {slot} (§6.1)",
            "accuracy of BiLSTM minus that of the strongest null, on the same items",
            Untestable(why) if why else _above_nulls(by_slot, slot),
            variant,
        )
    for slot in ("ergative", "absolutive"):
        yield Claim(
            f"Reading both ways helps with the {slot} (footnote 6)",
            "accuracy of BiLSTM minus unidirectional LSTM, on the same items",
            Untestable(why) if why else _both_ways(by_slot, slot),
            variant,
        )
    yield Claim(
        "Recall is lower for the dative than for the ergative (§6.1)",
        "recall of the ergative minus recall of the dative",
        Untestable(why) if why else _order_of_recall(by_slot),
        variant,
    )
    yield Claim(
        "Recall is highest for the absolutive (§6.1)",
        "none: recall asks only whether an argument is found, not for its number",
        Untestable(why or f"100 % by construction: {marked:.2%} of the verbs mark an absolutive"),
        variant,
    )


def _above_nulls(by_slot: BySlot, slot: str) -> Difference | Untestable:
    """Measure how much more accurate the BiLSTM is than the strongest null that ran."""
    nulls = _nulls(by_slot, slot, _right)
    if missing := [each for each in ("bilstm", MAJORITY) if (each, slot) not in by_slot]:
        return Untestable(f"{missing[0]} did not run")
    return above(_right(by_slot["bilstm", slot]), nulls, says="bilstm ")


def _both_ways(by_slot: BySlot, slot: str) -> Difference | Untestable:
    """Measure how much more accurate the BiLSTM is than the LSTM."""
    if missing := [each for each in ("bilstm", "lstm") if (each, slot) not in by_slot]:
        return Untestable(f"{missing[0]} did not run")
    one, other = _right(by_slot["bilstm", slot]), _right(by_slot["lstm", slot])
    return Difference.of(one, other, says=f"bilstm {one.mean:.4f}, lstm {other.mean:.4f}, ")


def _order_of_recall(by_slot: BySlot) -> Difference | Untestable:
    """Measure how much higher the BiLSTM's recall is on ergatives than on datives."""
    found = {}
    for slot in ("ergative", "dative"):
        if ("bilstm", slot) not in by_slot:
            return Untestable("bilstm did not run")
        found[slot] = _found(by_slot["bilstm", slot])
        if not np.size(found[slot].values):
            return Untestable(f"no item has a {slot}")
    # The lemma of the hidden verb shows whether there is an ergative
    for name, null in _nulls(by_slot, "ergative", _found).items():
        if np.all(null.values):
            recalls = ", ".join(
                f"bilstm {each.mean:.4f} of the {slot}" for slot, each in found.items()
            )
            return Untestable(f"{name} finds every ergative, so the test could not fail: {recalls}")
    says = ", ".join(f"{slot} {each.mean:.4f}" for slot, each in found.items())
    return Difference.of(found["ergative"], found["dative"], says=f"{says}, ")


def _nulls(by_slot: BySlot, slot: str, read: Callable[[pd.DataFrame], Sample]) -> dict[str, Sample]:
    """Read each null that ran, on the items of a slot."""
    return {
        system: read(by_slot[system, slot])
        for system in BASELINES[VERB_NUMBER]
        if (system, slot) in by_slot
    }


def _right(answers: pd.DataFrame) -> Sample:
    """Return a sample of whether each label is right."""
    return Sample(
        (answers["gold"] == answers["prediction"]).to_numpy(), answers["cluster"].to_numpy()
    )


def _found(answers: pd.DataFrame) -> Sample:
    """Return a sample of whether each present argument is predicted present."""
    present = answers[answers["gold"] != "none"]
    return Sample((present["prediction"] != "none").to_numpy(), present["cluster"].to_numpy())

"""Precision, recall and F1 by hand, and as the paper prints them."""

import csv
from pathlib import Path

import numpy as np
import pytest

from kasu.agreement.events import f1, shares, suffix_events

PUBLISHED = Path(__file__).resolve().parents[2] / "resources" / "published"
GOLD = np.array(["-a", "-a", "-ak", "none", "none", "-ek"])
PREDICTED = np.array(["-a", "none", "-a", "-a", "none", "-ek"])


def found(suffix: str) -> dict[str, tuple[int, int]]:
    events = suffix_events(GOLD, PREDICTED)[suffix]
    return {
        name: (int((hits & trials).sum()), int(trials.sum()))
        for name, hits, trials, _ in shares(events)
    }


@pytest.mark.parametrize(
    ("suffix", "precision", "recall", "both"),
    [
        ("-a", (1, 3), (1, 2), (2, 5)),
        ("-ak", (0, 0), (0, 1), (0, 1)),
        ("-ek", (1, 1), (1, 1), (2, 2)),
        # the wrong suffix is a suffix
        ("Any", (3, 4), (3, 4), (6, 8)),
    ],
)
def test_precision_recall_and_f1_are_shares_of_events(suffix, precision, recall, both):
    assert found(suffix) == {"precision": precision, "recall": recall, "f1": both}
    hits, trials = both
    assert f1(*suffix_events(GOLD, PREDICTED)[suffix]) == hits / trials


def test_events_know_their_words():
    *_, (_, hits, _, words) = shares(suffix_events(GOLD, PREDICTED)["-ek"])
    assert words[hits].tolist() == [5, 5]


def test_f1_is_0_if_there_is_nothing_to_find():
    assert f1(np.zeros(3, bool), np.zeros(3, bool)) == 0.0


def test_printed_f1_agrees_with_printed_precision_and_recall():
    """All six rows of Table 5, within 0.1."""
    with (PUBLISHED / "basque_table5.tsv").open(encoding="utf-8") as file:
        printed: dict[str, dict[str, float]] = {}
        for row in csv.DictReader(file, delimiter="\t"):
            printed.setdefault(row["condition"], {})[row["metric"]] = float(row["value"])
    assert len(printed) == 6
    for row in printed.values():
        precision, recall = row["precision"], row["recall"]
        assert row["f1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=0.1)

"""One record per file of predictions: the plan lists them, the evaluation reads them."""

from typing import NamedTuple

STUDY = "agreement"
PAPER = "basque2018"  # in the published figures


class PredictionFile(NamedTuple):
    """The predictions of one system for a task, trained on one corpus under one condition."""

    task: str
    system: str
    corpus: str
    condition: str
    predictions: str

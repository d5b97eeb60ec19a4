"""The share of a test set that occurs in the training set, word for word."""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kasu.blm.data.names import TYPES, RegimeData
from kasu.blm.models.predictions import read_problems, read_training, split_path, trains_in
from kasu.files.tables import write_tsv

OVERLAP = ("variant", "regime", "train", "test", "n", "candidate_sets", "answers")
"""One row per regime, training type, test type and variant. `n` counts test problems, those of all
folds together. `candidate_sets` is the share of them whose six candidates are those of a training
problem, in any order; `answers` is the share whose right answer is a sentence of training, in a
context or as a candidate. Problems for validation are not among them."""


def measure_overlap(
    regimes: Sequence[RegimeData], overlap: str | Path, *, variants: Sequence[Mapping]
) -> None:
    """Measure what test sets share with training sets (OVERLAP).

    Args:
        variants: as in the settings of training: `name`, `answers` and perhaps `regimes`.
    """
    found: dict[tuple[str, str, str, str], list[tuple[bool, bool]]] = {}
    for variant, regime in product(variants, regimes):
        if not trains_in(variant, regime.name):
            continue
        tests = {
            test: read_problems(split_path(regime.folder, test, "test"), variant["answers"])
            for test in TYPES
        }
        for train in TYPES:
            training, _ = read_training(regime, train, variant["answers"])
            for test, problems in tests.items():
                key = variant["name"], regime.name, train, test
                found.setdefault(key, []).extend(_overlap(training, problems))
    rows = []
    for key, problems in found.items():
        sets, answers = (sum(shared) / len(problems) for shared in zip(*problems, strict=True))
        rows.append(dict(zip(OVERLAP, (*key, len(problems), sets, answers), strict=True)))
    write_tsv(overlap, rows, OVERLAP)


def _overlap(training: pa.Table, problems: pa.Table) -> list[tuple[bool, bool]]:
    """Return whether training has the candidates and the right answer of each problem."""
    sets = {frozenset(texts) for texts in training["candidates"].to_pylist()}
    sentences = {
        text
        for column in ("context", "candidates")
        for text in pc.unique(pc.list_flatten(training[column])).to_pylist()
    }
    columns = (problems[name].to_pylist() for name in ("candidates", "answer"))
    return [
        (frozenset(texts) in sets, texts[answer] in sentences)
        for texts, answer in zip(*columns, strict=True)
    ]

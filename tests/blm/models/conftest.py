"""Problems of the three types with invented sentences, and their vectors."""

import itertools
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kasu.blm.data.names import TYPES
from kasu.blm.data.problems import PROBLEMS
from kasu.files.tables import write_parquet

LABELS = ["True", "agreement_error", "N1_alter", "N2_alter", "coordination", "mis_num"]
WIDTH = 12
NAMES = 40


def vector(sentence: str) -> list[float]:
    """One number for the label, one for the name, and a little noise."""
    name, label = sentence.split()
    noise = np.random.default_rng(random.Random(sentence).randrange(2**32)).normal(0, 0.05, WIDTH)
    noise[LABELS.index(label)] += 1
    noise[6 + int(name) % 6] += 1
    return noise.tolist()


def problem(number: int, kind: str, variant: str, same_train: str | None) -> dict:
    draw = random.Random(f"{kind} {number}")
    shown = draw.sample(LABELS, 6)
    name = draw.randrange(NAMES)
    return {
        "problem_id": f"{kind}-{number}-{variant}",
        "clause": "main",
        "seed": number % 4,
        "sequence": 0,
        "context": [f"{name} {label}" for label in LABELS] + [f"{(name + 1) % NAMES} True"],
        "candidates": [f"{name} {label}" for label in shown],
        "labels": shown,
        "answer": shown.index("True"),
        "variant": variant,
        "same_train": same_train,
    }


SIZES = {"train": 60, "validation": 20, "test": 30}


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """A folder with three types and a vector for every sentence."""
    folder = tmp_path_factory.mktemp("blm")
    for kind in TYPES:
        number = 0
        for split, size in SIZES.items():
            marks = ["train"] * 16 + ["validation"] * 4 + [None] * size
            if split == "test":
                marks = [None] * size
            rows = [
                problem(number + row, kind, variant, marks[row])
                for row in range(size)
                for variant in ("released", "paper")
            ]
            write_parquet(folder / kind / f"{split}.parquet", rows, PROBLEMS)
            number += size
    sentences = sorted(f"{name} {label}" for name, label in itertools.product(range(NAMES), LABELS))
    schema = pa.schema([("sentence", pa.string()), ("vector", pa.list_(pa.float32(), WIDTH))])
    rows = [{"sentence": each, "vector": vector(each)} for each in sentences]
    write_parquet(folder / "embeddings.parquet", rows, schema)
    return folder

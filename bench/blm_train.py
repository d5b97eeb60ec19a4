"""Train on type II, against the rate at which this machine multiplies matrices (BLM-11 to -15).

Vectors and problems are random and of the paper's sizes: time does not depend on their content.
"""

import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from products import product_rate, share_row

from kasu.blm.data.names import TYPES, RegimeData
from kasu.blm.data.problems import CANDIDATES, PROBLEMS
from kasu.blm.models.networks import CONTEXT, make_network
from kasu.blm.models.training import Grid, train_networks
from kasu.files.tables import write_parquet
from kasu.job.run import seed_of
from kasu.neural.device import make_deterministic

SENTENCES, WIDTH = 30_000, 768
TRAIN, VALIDATION, TEST = 27_648, 6_912, 3_840
THREADS = 1  # CPU time means little if threads wait for one another
EPOCHS = 1  # of the paper's 50, which all take the same time
SETTINGS = {
    "batch_size": 100,
    "patience": EPOCHS,
    "max_steps": None,
    "learning_rate": 0.001,
    "checkpoint_every": 600,
}
VARIANTS = {
    name: {
        "name": name,
        "answers": "released",
        "sizes": name,
        "loss": score,
        "score": score,
        "epochs": EPOCHS,
    }
    for name, score in (("paper", "cosine"), ("released", "dot"))
}


def write_data(folder: Path) -> None:
    """Write vectors, type II at its full size, and one test problem of each other type."""
    random = np.random.default_rng(seed_of("bench blm_train"))
    names = np.array([f"s{number:05}" for number in range(SENTENCES)])
    numbers = random.standard_normal((SENTENCES, WIDTH), np.float32)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), WIDTH)
    table = pa.table({"sentence": names, "vector": vectors})
    write_parquet(folder / "embeddings.parquet", table, table.schema)
    for kind in TYPES:
        for split, size in (("train", TRAIN), ("validation", VALIDATION), ("test", TEST)):
            count = size if kind == "type_II" else 1
            columns = {
                "problem_id": [f"{split}-{number}" for number in range(count)],
                "seed": np.zeros(count, np.int32),
                "context": list(random.choice(names, (count, CONTEXT))),
                "candidates": list(random.choice(names, (count, CANDIDATES))),
                "labels": [["True", *"abcde"]] * count,
                "answer": np.zeros(count, np.int32),
                "variant": ["released"] * count,
            }
            table = pa.table(
                [columns.get(name, [None] * count) for name in PROBLEMS.names], PROBLEMS
            )
            write_parquet(folder / kind / f"{split}.parquet", table, PROBLEMS)


def operations(model: str, sizes: str) -> float:
    """Additions and multiplications of a run without those of the loss and of Adam."""
    with torch.device("meta"):
        network = make_network(model, sizes, WIDTH)
    first, *others = (layer for layer in network.modules() if hasattr(layer, "weight"))
    first, rest = work(first), sum(map(work, others))
    # Backward, a layer costs twice its forward pass; the first needs no gradient of its input
    learnt = EPOCHS * TRAIN * (2 * first + 3 * rest)
    return learnt + (EPOCHS * VALIDATION + TEST) * (first + rest)


def work(layer: torch.nn.Module) -> int:
    """Operations of a layer for the forward pass of one problem."""
    outputs = 1
    if isinstance(layer, torch.nn.Conv2d):
        shrunk = 2 * (1, 4, 8).index(layer.in_channels) + 2
        outputs = (CONTEXT - shrunk) * (WIDTH - shrunk)
    return 2 * outputs * layer.weight.numel()


def run(folder: Path, model: str, sizes: str) -> tuple[float, float]:
    """Wall and CPU seconds of a full run: data, training, validation, tests, files."""
    began = time.monotonic(), time.process_time()
    settings = SETTINGS | {"variants": [VARIANTS[sizes]], "threads": THREADS}
    train_networks(
        Grid([RegimeData("allTrain", str(folder))], [model], [1], settings, types=["type_II"]),
        {sizes: folder / "embeddings.parquet"},
        folder / "work",
        predictions=folder / "predictions.parquet",
        history=folder / "history.tsv",
        device="cpu",
        code="bench",
    )
    return time.monotonic() - began[0], time.process_time() - began[1]


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Operations per CPU second of each network's run, as a share of the rate around it.

    The data are random and of the paper's size, with or without a mirror.
    """
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")  # as in training; before the first tensor
    make_deterministic(THREADS)
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        for model, sizes in (("FFNN", "paper"), ("FFNN", "released"), ("CNN", "paper")):
            before = product_rate()
            wall, seconds = run(folder, model, sizes)
            rate = max(before, product_rate())
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            item = f"{model} ({sizes}), type II, {EPOCHS} of 50 epochs in {wall:.0f} s"
            line = share_row(item, operations(model, sizes), seconds, rate)
            figures.append({**line, "peak_mb": round(peak)})
    return figures

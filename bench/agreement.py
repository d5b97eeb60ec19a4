"""A job of the agreement study: several networks in one process, against a process for each.

Networks of one job share the import of torch, the dataset and its features. What a process costs
before it trains, against the training of a job of `config/real.yaml`, five seeds of eight epochs,
says how much is left to gain. The text is random, and a seventh of that config's: with more of it
features take longer, but the import does not, so the share falls.
"""

import multiprocessing
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path

from measuring import row
from training import SETTINGS, write_sentences

from kasu.agreement.data.tasks import VERB_NUMBER
from kasu.agreement.data.transforms import BASE
from kasu.agreement.models.training import Outputs, TrainingData, train_models

TRAIN, VALIDATION = 8_000, 1_000  # sentences
SEEDS, EPOCHS = 5, 8  # of a job of real.yaml
MEASURED = (1, 2, 3)  # seeds, of one epoch
OPTIONS = {
    **SETTINGS,
    "condition": BASE,
    "batch_size": 32,
    "epochs": 1,
    "patience": 1,
    "learning_rate": 0.001,
    "threads": 1,
    "checkpoint_every": 600,
}


def train(folder: str, seeds: Sequence[int]) -> None:
    """Train the networks of some seeds, as the script of a job does."""
    data, place = Path(folder), Path(folder) / "-".join(map(str, seeds))
    train_models(
        TrainingData(data / "train.parquet", data / "validation.parquet"),
        Outputs(*(place.with_suffix(end) for end in (".safetensors", ".json", ".tsv"))),
        place / "work",
        task=VERB_NUMBER,
        system="bilstm",
        models=[("paper", seed) for seed in seeds],
        settings=OPTIONS,
        device="cpu",
        code="",
    )


def cpu_of(folder: str, shares: Sequence[Sequence[int]]) -> float:
    """CPU seconds of new processes, each with its share of the seeds.

    Raises:
        AssertionError: a process failed.
    """
    before = _cpu_of_children()
    for seeds in shares:
        process = multiprocessing.get_context("spawn").Process(target=train, args=(folder, seeds))
        process.start()
        process.join()
        if process.exitcode:
            raise AssertionError(f"seeds {seeds}: training failed")
    return _cpu_of_children() - before


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """One row, with or without a mirror: the share of a job that is not training."""
    with tempfile.TemporaryDirectory() as folder:
        for number, name in ((TRAIN, "train"), (VALIDATION, "validation")):
            write_sentences(Path(folder) / f"{name}.parquet", number)
        apart = cpu_of(folder, [(seed,) for seed in MEASURED])
        packed = cpu_of(folder, [MEASURED])
    start = (apart - packed) / (len(MEASURED) - 1)
    epoch = (packed - start) / len(MEASURED)
    job, alone = start + SEEDS * EPOCHS * epoch, SEEDS * (start + EPOCHS * epoch)
    item = f"agreement, a job of {SEEDS} networks: imports, loading, features"
    peer = f"a process for each, {100 * SEEDS * start / alone:.1f} (goal of a job: under 10)"
    return [row(item, 100 * start / job, "% of CPU", peer, alone / job)]

"""Batches of masked rows as tensors, each prepared while the one before is trained on."""

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from kasu.lm.pretraining.packing import MaskedRows
from kasu.lm.pretraining.parallel import rank, world

PLACES = 128  # if every pass had another size, the heap would grow from step to step
NO_GUESS = -100  # a target that `cross_entropy` leaves out


class Pass(NamedTuple):
    """The part of a batch that is in memory at once.

    read: (rows, length), token ids with masks.
    at: (places), where to predict in the flattened rows.
    gold: (places), the correct tokens; NO_GUESS where a place only fills up a multiple of PLACES.
    """

    read: Tensor
    at: Tensor
    gold: Tensor


class TrainingBatch(NamedTuple):
    """A training step's rows.

    passes: those of this process, each with its number in the batch.
    guesses: the number of places to predict in the batch of all processes.
    """

    passes: list[tuple[int, Pass]]
    guesses: int


class Batches:
    """The batches of a run by step.

    Attributes:
        rows: the masked rows, in the order of training.
        waited: seconds spent waiting for batches so far.
    """

    def __init__(self, rows: MaskedRows, settings: Mapping, device: torch.device) -> None:
        """Prepare the batches; `settings` are those of `recipes.complete`."""
        self.rows, self.device, self.waited = rows, device, 0.0
        self._batch_rows = settings["tokens_per_batch"] // settings["length"]
        self._pass_rows = settings["tokens_per_pass"] // settings["length"]

    @contextmanager
    def between(self, step: int, until: int) -> Iterator[Iterator[TrainingBatch]]:
        """Yield the batches of steps `step` up to, not including, `until`."""
        with ThreadPoolExecutor(1) as thread:

            def batches() -> Iterator[TrainingBatch]:
                following = thread.submit(self.make, step)
                for later in range(step + 1, until + 1):
                    began = time.monotonic()
                    batch = following.result()
                    self.waited += time.monotonic() - began
                    if later < until:
                        following = thread.submit(self.make, later)
                    yield batch

            yield batches()

    def make(self, step: int) -> TrainingBatch:
        """Return the batch of a step, its passes dealt out to the processes in turn."""
        read, gold, hidden = self.rows.take(step * self._batch_rows, self._batch_rows)
        passes = []
        for number, start in enumerate(range(0, self._batch_rows, self._pass_rows)):
            if number % world() == rank():
                part = slice(start, start + self._pass_rows)
                made = make_pass(read[part], gold[part], hidden[part], self.device)
                passes.append((number, made))
        return TrainingBatch(passes, int(hidden.sum()))


def make_pass(read: np.ndarray, gold: np.ndarray, hidden: np.ndarray, device: torch.device) -> Pass:
    """Put masked rows (see `MaskedRows.take`) on a device as tensors."""
    at, gold = np.flatnonzero(hidden), gold[hidden]
    fill = (0, -len(at) % PLACES)
    arrays = read, np.pad(at, fill), np.pad(gold, fill, constant_values=NO_GUESS)
    tensors = [torch.from_numpy(array) for array in arrays]
    if device.type == "cuda":
        # A thread begins on GPU 0, and pinning would open a context there
        with torch.cuda.device(device):
            tensors = [tensor.pin_memory().to(device, non_blocking=True) for tensor in tensors]
    return Pass(*tensors)

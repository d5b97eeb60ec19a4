"""The device that a network runs on, and the switches that make runs reproducible."""

import ctypes
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from kasu.base.errors import KasuError
from kasu.job.gpus import VISIBLE, take_gpus, visible_gpus
from kasu.job.run import log

DEVICES = ("auto", "cpu", "cuda")
_WORKSPACE = "CUBLAS_WORKSPACE_CONFIG"
_TRIM, _MMAP = -1, -3  # numbers of settings in glibc's malloc.h
_KEPT, _BLOCK = 1 << 29, 1 << 25  # bytes: in all, and the largest block, which glibc bounds


def pick_device(name: str) -> torch.device:
    """Return the device of that name; `auto` is a GPU if there is one.

    The process keeps one GPU (see `take_gpus`), unless torchrun started it: then it sees those of
    all processes of its job.

    Raises:
        KasuError: the name is unknown, or `cuda` without a GPU.
    """
    if name not in DEVICES:
        raise KasuError("device", repr(name), " or ".join(DEVICES))
    if name != "cpu" and "LOCAL_RANK" not in os.environ:
        take_gpus()
    if name == "cpu":
        return torch.device("cpu")
    if torch.cuda.is_available():
        return torch.device("cuda")
    found, hidden = "there is no GPU", os.environ.get(VISIBLE)
    if visible_gpus():
        found = "torch cannot use the GPU that is there"
    elif hidden is not None:
        found += f" ({VISIBLE} is {hidden!r})"
    if name == "cuda":
        missing = OSError(errno.ENODEV, "no GPU")
        raise KasuError(
            "device", f"cuda asked for, but {found}", "device: cpu or auto"
        ) from missing
    if found != "there is no GPU":
        log.info("on the processor: %s", found)
    return torch.device("cpu")


@contextmanager
def as_it_was() -> Iterator[None]:
    """Undo what `make_deterministic` switches, in a process that goes on with other work."""
    mode, threads = torch.get_deterministic_debug_mode(), torch.get_num_threads()
    workspace = os.environ.get(_WORKSPACE)
    tf32 = torch.backends.cudnn.allow_tf32
    fills = torch.utils.deterministic.fill_uninitialized_memory
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(mode)
        torch.backends.cudnn.allow_tf32 = tf32
        torch.utils.deterministic.fill_uninitialized_memory = fills
        torch.set_num_threads(threads)
        if workspace is None:
            os.environ.pop(_WORKSPACE, None)


def make_deterministic(threads: int) -> None:
    """Make the same seed give the same bytes on the same machine; call it before the first tensor.

    The process also keeps the memory that it frees, up to half a gigabyte.

    The number of threads decides the order of sums, so it is a fact of the experiment. On a GPU,
    recurrent layers compute in float32 as they do on a CPU.
    """
    # cuBLAS reads this when CUDA starts; without it, recurrent kernels vary from run to run.
    os.environ.setdefault(_WORKSPACE, ":4096:8")
    # As `use_deterministic_algorithms` does, which would also import torch's compiler: two seconds
    torch.set_deterministic_debug_mode("error")
    # By default cuDNN cuts factors to TF32, with 10 bits of mantissa in place of 23
    torch.backends.cudnn.allow_tf32 = False
    # Kasu never reads uninitialised memory, and filling it takes a tenth of a training step.
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.set_num_threads(threads)
    _keep_memory()


def _keep_memory() -> None:
    """Let the process keep the memory that it frees for what it needs next.

    glibc gives it back to the system, so that each step of a training may ask for zeroed pages
    anew: an eighth of an update of the edit transducer. Other libraries than glibc stay as they
    are.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(_TRIM, _KEPT)
        mallopt(_MMAP, _BLOCK)

"""Where a network runs, and how two runs give the same bytes."""

import os

import torch

from kasu.base.errors import KasuError

DEVICES = ("auto", "cpu", "cuda")


def pick_device(name: str) -> torch.device:
    """The device of that name; `auto` is the GPU where there is one.

    Raises:
        KasuError: `cuda` where there is no GPU, or another name.
    """
    if name not in DEVICES:
        raise KasuError("device", repr(name), " or ".join(DEVICES))
    if name == "cuda" and not torch.cuda.is_available():
        raise KasuError("device", "cuda asked for, but no GPU is here", "device: cpu or auto")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def make_deterministic(threads: int) -> None:
    """Let the same seed give the same bytes on the same machine: call before the first tensor.

    The number of threads decides the order of sums, so it is a fact of the experiment.
    """
    # cuBLAS reads it when CUDA starts; its recurrent kernels vary from run to run without.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True)
    # Nothing here reads memory before it is written; filling it costs a tenth of a step.
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.set_num_threads(threads)

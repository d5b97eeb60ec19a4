"""Training in several processes with one device each, started by torchrun; or in a single one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, distributed


def rank() -> int:
    """Return the number of this process; process 0 writes files."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def world() -> int:
    """Return the number of processes that train together."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


@contextmanager
def joined(device: torch.device) -> Iterator[torch.device]:
    """Join the other processes if torchrun started this one.

    Yields:
        The device of this process.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield device
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
        distributed.init_process_group("nccl", device_id=device)
    else:
        distributed.init_process_group("gloo")
    try:
        yield device
    finally:
        distributed.destroy_process_group()


def wait() -> None:
    """Wait until all processes have come here."""
    if distributed.is_initialized():
        distributed.barrier()


def add_up(tensors: list[Tensor]) -> None:
    """Replace each tensor by its sum over all processes."""
    if world() == 1:
        return
    # One message for all tensors
    flat = torch.cat([tensor.flatten() for tensor in tensors])
    distributed.all_reduce(flat)
    for tensor, summed in zip(tensors, flat.split([t.numel() for t in tensors]), strict=True):
        tensor.copy_(summed.view_as(tensor))

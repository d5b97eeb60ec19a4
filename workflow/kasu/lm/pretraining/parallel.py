"""Training in several processes, a device each, as `torchrun` starts them; one alone needs none."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, distributed

from kasu.base.errors import KasuError
from kasu.base.run import die_with_parent, log


def rank() -> int:
    """The number of this process; the first one writes."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def world() -> int:
    """How many processes train together."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


@contextmanager
def joined(device: torch.device) -> Iterator[torch.device]:
    """Join the others, if torchrun started this process; the device that it has for itself."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield device
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield device
    finally:
        distributed.destroy_process_group()


def wait() -> None:
    """Go on when all have come here."""
    if distributed.is_initialized():
        distributed.barrier()


def add_up(tensors: list[Tensor]) -> None:
    """Put in place of each tensor the sum of it over all processes."""
    if world() == 1:
        return
    flat = torch.cat([tensor.flatten() for tensor in tensors])
    distributed.all_reduce(flat)
    for tensor, summed in zip(tensors, flat.split([t.numel() for t in tensors]), strict=True):
        tensor.copy_(summed.view_as(tensor))


def launch(arguments: Mapping, processes: int) -> None:
    """Run `pretrain_checkpoint(**arguments)` in that many processes of this machine.

    What the first of them logs is logged here; what they say on stderr if one ends with a bug.
    All of them end with this process.

    Raises:
        KasuError: what one of them raised; or one was killed, or ended with a bug.
    """
    with tempfile.TemporaryDirectory() as name:
        given, failed = Path(name, "arguments.json"), Path(name, "error")
        given.write_text(json.dumps(arguments, default=str), encoding="utf-8")
        # From the address of this package: a rank knows nothing of the path of this process
        package = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
        run = ("-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}")
        command = [
            sys.executable,
            *run,
            "-m",
            "kasu.lm.pretraining.torchrun_process",
            str(given),
            str(failed),
        ]
        with (
            Path(name, "stderr").open("w+", encoding="utf-8", errors="replace") as said,
            subprocess.Popen(
                command, env={**os.environ, "PYTHONPATH": path},
                preexec_fn=partial(die_with_parent, os.getpid()),
                stdout=subprocess.PIPE, stderr=said, text=True, errors="replace",
            ) as torchrun,
        ):  # fmt: skip
            for line in torchrun.stdout:
                log.info("%s", line.rstrip())
            status = torchrun.wait()
            if failed.exists():
                raise KasuError(*json.loads(failed.read_text(encoding="utf-8")))
            said.seek(0)
            for line in said if status else ():
                log.info("%s", line.rstrip())
        if status:
            raise KasuError("torchrun", f"ended with status {status} (see above)", "it to finish")

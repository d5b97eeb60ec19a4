"""Where a figure was measured: the processor."""

import platform
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")


def processor_model(cpuinfo: Path = CPUINFO) -> str:
    """Return the model of the processor, or its architecture where `cpuinfo` names no model."""
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def processor(cpuinfo: Path = CPUINFO) -> str:
    """Return what networks compute on: the model, the instruction set of torch, a GPU if any."""
    import torch  # takes seconds, and `kasu record` needs none

    parts = [processor_model(cpuinfo), torch.backends.cpu.get_cpu_capability()]
    if torch.cuda.is_available():
        parts.append(torch.cuda.get_device_name())
    return ", ".join(parts)

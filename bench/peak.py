"""What instruction set and clock imply: the most operations a second of one core.

A core of an instruction set may have fewer units than the best of its kind, as some Xeons have one
of 512 bits and Zen 4 two of 256, so the figure is an upper bound.
"""

import ctypes
import mmap
import platform
import time
from collections.abc import Set
from functools import lru_cache

from kasu.records.provenance import CPUINFO

# Additions and multiplications a cycle of two units that multiply and add, by what /proc/cpuinfo
# calls the instructions, the widest first
CYCLE = {
    "float32": {"avx512f": 64, "fma": 32, "avx": 16, "sse2": 8},
    # AMX: 16 x 32 times 32 x 16 in 16 cycles
    "bfloat16": {"amx_bf16": 1024, "avx512_bf16": 128},
}
TURNS = 20_000_000
# dec rdi; jnz to itself; ret: one turn takes one cycle on every x86-64 core of today
_LOOP = bytes.fromhex("48ffcf 75fb c3")


def operations_per_cycle(flags: Set[str], dtype: str) -> int | None:
    """The most operations a cycle in `float32` or `bfloat16`; None where it is unknown.

    Without instructions of its own, bfloat16 is computed as float32 or slower.
    """
    own = [count for flag, count in CYCLE[dtype].items() if flag in flags]
    if not own and dtype == "bfloat16":
        return operations_per_cycle(flags, "float32")
    return max(own, default=None)


@lru_cache
def peak_rate(dtype: str) -> float | None:
    """The most operations a second of a core of this machine; None where it is unknown."""
    cycle, hertz = operations_per_cycle(_flags(), dtype), clock_rate()
    return cycle * hertz if cycle and hertz else None


def _flags() -> set[str]:
    lines = CPUINFO.read_text("utf-8").splitlines() if CPUINFO.exists() else []
    found = (line.partition(":")[2].split() for line in lines if line.startswith("flags"))
    return set(next(found, ()))


def clock_rate() -> float | None:
    """Cycles a second of a core under load, measured; None on other than x86-64.

    A virtual machine states another clock than the one that its cores run at.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    try:
        code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:  # forbidden, as by SELinux
        return None
    code.write(_LOOP)
    start = ctypes.addressof(ctypes.c_char.from_buffer(code))
    loop = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(start)
    began = time.process_time()
    loop(TURNS)
    return TURNS / (time.process_time() - began)

"""The rate at which this machine multiplies matrices, and which share of it a computation reaches.

A ratio to a peer depends on the processor, since peers use its instructions worse or better; the
share says how much is left. The rate is the best over shapes and over the kernels that torch may
choose: with MKL a processor of AMD multiplies at half of what oneDNN reaches with packed weights.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from math import prod
from typing import NamedTuple

import torch
from measuring import row
from peak import peak_rate
from torch import Tensor
from torch.nn.functional import linear
from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

# Rows, inner and outer width of a product
SHAPES = (2048, 2048, 2048), (1024, 1024, 1024), (2048, 768, 3072), (512, 768, 768)
SHAPES_OF_GPU = (8192, 8192, 8192), (16384, 1024, 4096), (16384, 4096, 1024)
SECONDS = 0.1  # that one way takes, at least
UNITS = {"cpu": ("GFLOP/CPU-s", 1e9), "cuda": ("TFLOP/s", 1e12)}

warnings.filterwarnings("ignore", "TF32")  # GPUs of Intel, whenever the flags of oneDNN are set


class Rate(NamedTuple):
    """Operations a second (of the CPU on a CPU) of the best product, and how it was computed."""

    speed: float
    dtype: str
    how: str


def _count_recurrent(x: list[int], inputs: list[int], states: list[int], *_: object) -> int:
    """A forward pass over (steps, rows, width), padding included.

    Args:
        inputs, states: shapes of the weights that multiply them.
    """
    return 2 * x[0] * x[1] * (prod(inputs) + prod(states))


# Operations that torch does not count by itself
UNCOUNTED = {
    torch.ops.mkldnn._linear_pointwise: lambda x, *_, out_shape, **__: 2 * prod(x) * out_shape[-1],
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: (
        lambda q, k, v, *_, **__: sdpa_flop_count(q, k, v)
    ),
    torch.ops.aten.mkldnn_rnn_layer: lambda *sizes, **_: _count_recurrent(*sizes),
    # The gradients of what is multiplied: of the inputs and states, and of the weights
    torch.ops.aten.mkldnn_rnn_layer_backward: lambda *sizes, **_: 2 * _count_recurrent(*sizes),
}


@torch.inference_mode()
def product_rate(*dtypes: torch.dtype, device: str = "cpu") -> Rate:
    """The best over shapes, kernels and data types; on a CPU, with the threads that torch has.

    Args:
        dtypes: those that the computation may use, by default float32 alone.
    """
    return max(
        Rate(2 * prod(shape) / _seconds(way, device), str(dtype).removeprefix("torch."), how)
        for dtype in dtypes or (torch.float32,)
        for shape in (SHAPES if device == "cpu" else SHAPES_OF_GPU)
        for how, way in _ways(shape, dtype, device)
    )


def _ways(
    shape: tuple[int, int, int], dtype: torch.dtype, device: str
) -> Iterator[tuple[str, Callable[[], Tensor]]]:
    """The ways in which torch computes a linear layer, by name."""
    rows, inner, outer = shape
    x, weight = (torch.randn(size, inner, dtype=dtype, device=device) for size in (rows, outer))
    sizes = "x".join(map(str, shape))
    if device != "cpu":
        yield sizes, lambda: linear(x, weight)
        return
    if dtype == torch.float32:  # in bfloat16 it takes minutes
        with torch.backends.mkldnn.flags(enabled=False):
            yield f"{sizes} without oneDNN", lambda: linear(x, weight)
    if torch.backends.mkldnn.is_available():
        yield f"{sizes} by oneDNN", lambda: linear(x, weight)
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, None)
        compute = torch.ops.mkldnn._linear_pointwise
        yield f"{sizes} packed by oneDNN", lambda: compute(x, packed, None, "none", [], "none")


def _seconds(way: Callable[[], object], device: str) -> float:
    """Seconds of one call, on a CPU those of all its threads."""
    clock, times = seconds_of(device), 0
    way()
    began = clock()
    while times == 0 or clock() - began < SECONDS:
        way()
        times += 1
    return (clock() - began) / times


def seconds_of(device: str) -> Callable[[], float]:
    """The clock of a device: CPU seconds, or those of the day once a GPU has done its work."""
    if device == "cpu":
        return time.process_time

    def elapsed() -> float:
        torch.cuda.synchronize()
        return time.monotonic()

    return elapsed


def count_operations(compute: Callable[[], object]) -> int:
    """The additions and multiplications in the matrix products of a computation."""
    with FlopCounterMode(display=False, custom_mapping=UNCOUNTED) as counter:
        compute()
    return counter.get_total_flops()


def share(ours: float, products: float, peak: float | None) -> float | None:
    """The share of the machine's rate that a computation reaches, at most 1.

    That rate is the one of its products. What is faster than these shows that it is higher: then it
    is the peak that instruction set and clock imply, or unknown (None).
    """
    bound = products if ours <= products else peak
    return ours / bound if bound and ours <= bound else None


def share_row(
    item: str, operations: float, seconds: float, rate: Rate, device: str = "cpu"
) -> dict[str, object]:
    """Operations per (CPU) second, beside the rate of `product_rate` and the implied peak."""
    unit, scale = UNITS[device]
    ours, implied = operations / seconds, peak_rate(rate.dtype) if device == "cpu" else None
    known = f"{implied / scale:.0f}" if implied else "unknown"
    best = f"{rate.speed / scale:.0f} ({rate.dtype}, {rate.how})"
    peer = f"matrix product, {best}; implied peak, {known}"
    reached = share(ours, rate.speed, implied)
    return row(f"{item}: share of the rate", ours / scale, unit, peer, reached)

"""The rate at which this machine multiplies matrices, and which share of it a computation reaches.

A ratio to a peer depends on the processor, since peers use its instructions worse or better; the
share says how much is left.
"""

import time
from collections.abc import Callable
from math import prod

import torch
from measuring import row
from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

SIDE, TIMES = 2048, 10  # of the square matrices, and of their product


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


def product_rate() -> float:
    """Operations per CPU second of a product of two square matrices, in float32."""
    a, b = torch.ones(SIDE, SIDE), torch.ones(SIDE, SIDE)
    a @ b
    began = time.process_time()
    for _ in range(TIMES):
        a @ b
    return TIMES * 2 * SIDE**3 / (time.process_time() - began)


def count_operations(compute: Callable[[], object]) -> int:
    """The additions and multiplications in the matrix products of a computation."""
    with FlopCounterMode(display=False, custom_mapping=UNCOUNTED) as counter:
        compute()
    return counter.get_total_flops()


def share_row(item: str, operations: float, seconds: float, rate: float) -> dict[str, object]:
    """Operations per CPU second, beside the rate of `product_rate`."""
    ours = operations / seconds
    peer = f"matrix product, {rate / 1e9:.0f}"
    return row(f"{item}: share of the rate", ours / 1e9, "GFLOP/CPU-s", peer, ours / rate)

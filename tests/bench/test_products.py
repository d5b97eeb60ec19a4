"""Operations of matrix products, counted also where torch does not, and the rate beside them."""

import peak
import products
import pytest
import torch
from products import Rate, count_operations, product_rate, share, share_row
from torch import nn

XEON = {"sse2", "avx", "avx2", "fma", "avx512f", "avx512_bf16", "amx_bf16"}


def test_those_of_an_lstm_are_counted_forward_and_backward():
    lstm, x = nn.LSTM(5, 7), torch.randn(3, 4, 5, requires_grad=True)
    # Of 3 steps and 4 rows: four gates of 7, from 5 inputs and 7 states
    forward = 2 * 3 * 4 * 4 * 7 * (5 + 7)
    assert count_operations(lambda: lstm(x)) == forward
    assert count_operations(lambda: lstm(x)[0].sum().backward()) == 3 * forward


@pytest.mark.parametrize(
    ("ours", "implied", "expected"),
    [
        (50, 200, 0.5),  # of the products
        (100, None, 1),
        (120, 200, 0.6),  # faster than the products: of what the processor implies
        (120, None, None),
        (220, 200, None),  # faster than that, too: neither is the machine's rate
    ],
)
def test_a_share_is_never_over_1(ours, implied, expected):
    assert share(ours, 100, implied) == expected


@pytest.mark.parametrize(
    ("flags", "float32", "bfloat16"),
    [
        (set(), None, None),
        ({"sse2", "avx"}, 16, 16),
        ({"sse2", "avx", "avx2", "fma"}, 32, 32),
        (XEON - {"amx_bf16"}, 64, 128),
        (XEON, 64, 1024),
    ],
)
def test_instructions_imply_operations_a_cycle(flags, float32, bfloat16):
    found = [peak.operations_per_cycle(flags, dtype) for dtype in ("float32", "bfloat16")]
    assert found == [float32, bfloat16]


def test_a_row_says_which_product_was_the_best_and_what_is_unknown(monkeypatch):
    monkeypatch.setattr(products, "peak_rate", lambda dtype: None)
    found = share_row("x", 60e9, 2, Rate(100e9, "float32", "8x8x8 by oneDNN"))
    peer = "matrix product, 100 (float32, 8x8x8 by oneDNN); implied peak, unknown"
    assert (found["value"], found["peer"], found["ratio"]) == (30, peer, 0.3)


def test_the_best_product_is_the_rate(monkeypatch):
    monkeypatch.setattr(products, "SHAPES", [(1, 2, 3), (4, 5, 6)])
    monkeypatch.setattr(products, "_seconds", lambda way, device: way().numel() ** 0)
    assert product_rate() == (2 * 4 * 5 * 6, "float32", "4x5x6 without oneDNN")

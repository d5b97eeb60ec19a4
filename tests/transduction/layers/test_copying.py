import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.layers.copying import mixture


def test_what_is_generated_and_what_is_copied_add_up():
    # The source is 1 2 1; the third id is foreign to a vocabulary of two
    log_probs = mixture(
        vocabulary=torch.tensor([[[0.25, 0.75]]]),
        attention=torch.tensor([[[0.5, 0.3, 0.2]]]),
        copied=torch.tensor([[1, 2, 1]]),
        generate=torch.tensor([[[0.6]]]),
        size=3,
    )
    expected = [0.6 * 0.25, 0.6 * 0.75 + 0.4 * 0.7, 0.4 * 0.3]
    assert log_probs.exp()[0, 0].tolist() == pytest.approx(expected, abs=1e-6)


def test_a_symbol_of_no_probability_has_a_finite_logarithm():
    log_probs = mixture(
        torch.tensor([[[0.0, 1.0]]]),
        torch.tensor([[[1.0]]]),
        torch.tensor([[1]]),
        torch.tensor([[[0.5]]]),
        2,
    )
    assert log_probs[0, 0, 0].item() == pytest.approx(-27.631, abs=1e-3)


@given(st.integers(0, 999), st.integers(1, 4), st.integers(1, 6), st.integers(0, 3))
def test_probabilities_sum_to_one(seed, rows, length, foreign):
    draw = torch.Generator().manual_seed(seed)
    log_probs = mixture(
        torch.randn(rows, 2, 7, generator=draw).softmax(2),
        torch.randn(rows, 2, length, generator=draw).softmax(2),
        torch.randint(7 + foreign, (rows, length), generator=draw),
        torch.rand(rows, 2, 1, generator=draw),
        7 + foreign,
    )
    assert torch.allclose(log_probs.exp().sum(2), torch.ones(rows, 2), atol=1e-5)

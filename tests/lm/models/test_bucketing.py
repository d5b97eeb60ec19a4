import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.lm.models.bucketing import pad, rows_of, token_batches

LENGTHS = st.lists(st.integers(1, 30), max_size=60).map(np.array)


def test_batches_hold_as_many_tokens_as_they_may():
    batches = token_batches(np.array([3, 7, 4, 8, 1]), 8)
    assert [(batch.rows.tolist(), batch.width) for batch in batches] == [
        ([0, 2], 4),
        ([4], 4),
        ([1], 8),
        ([3], 8),
    ]


@given(LENGTHS)
def test_every_row_is_in_one_batch(lengths):
    batches = token_batches(lengths, 64)
    rows = [row for batch in batches for row in batch.rows.tolist()]
    assert sorted(rows) == list(range(len(lengths)))
    for batch in batches:
        assert batch.width * len(batch.rows) <= 64
        assert 0 <= batch.width - lengths[batch.rows].max() < 4
        assert lengths[batch.rows].min() > batch.width - 4


def test_a_row_longer_than_a_batch_is_refused():
    with pytest.raises(KasuError, match="tokens per batch: 8; expected at least 12"):
        token_batches(np.array([3, 9]), 8)


def test_padding_fills_up_to_the_width():
    matrix, mask = pad([[5, 6], [7, 8, 9]], 4, 0)
    assert matrix.tolist() == [[5, 6, 0, 0], [7, 8, 9, 0]]
    assert mask.tolist() == [[True, True, False, False], [True, True, True, False]]


def test_no_row_makes_no_batch():
    assert token_batches(np.array([], int), 8) == []


def test_a_row_may_fill_a_batch():
    ((rows, width),) = token_batches(np.array([8]), 8)
    assert (rows.tolist(), width) == ([0], 8)
    assert [rows_of(width, 20) for width in (4, 8, 20, 24)] == [5, 2, 1, 0]

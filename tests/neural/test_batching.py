import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kasu.neural import batching
from kasu.neural.batching import length_batches, ragged_rows

lengths = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=60)


@given(lengths, st.integers(1, 7), st.one_of(st.none(), st.integers(0, 5)))
def test_every_row_is_in_one_batch(lengths, size, seed):
    batches = length_batches(np.array(lengths), size, seed)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= size for batch in batches)


def test_batches_without_a_seed_are_sorted_by_length():
    batches = length_batches(np.array([[2, 1], [1, 5], [2, 0], [1, 4]]), 3, None)
    # The second part goes down, then up: 5, 4, 0, 1
    assert [batch.tolist() for batch in batches] == [[1, 3, 2], [0]]


def test_rows_of_a_shuffled_batch_have_similar_lengths():
    sizes = np.random.default_rng(1).integers(1, 20, (2_000, 1))
    spread = [np.ptp(sizes[batch]) for batch in length_batches(sizes, 10, 3)]
    assert max(spread) <= 1


def test_a_seed_decides_the_order():
    sizes = np.arange(50)[:, None]
    one, same, other = (
        [batch.tolist() for batch in length_batches(sizes, 4, seed)] for seed in (1, 1, 2)
    )
    assert one == same != other


def test_ragged_rows():
    values, starts = np.array(list("abcdef")), np.array([0, 2, 2, 5, 6])
    positions, begins = ragged_rows(starts, np.array([2, 1, 0]))
    assert "".join(values[positions]) == "cdeab"
    assert begins.tolist() == [0, 3, 3]


def test_pools_of_batches_are_fixed(monkeypatch):
    # four rows a pool; the order decides the bytes of trained networks
    monkeypatch.setattr(batching, "POOL", 2)
    sizes = np.array([[5, 1], [2, 9], [5, 0], [1, 1], [4, 4], [2, 3], [3, 3], [1, 0], [6, 6]])
    found = [batch.tolist() for batch in length_batches(sizes, 2, 1)]
    assert found == [[5, 6], [2, 8], [3], [4, 0], [7, 1]]


def test_a_pool_has_300_batches():
    # if all 1,200 rows were sorted together, each batch would have rows of one length
    sizes = np.arange(1_200)[:, None] // 2
    pooled = length_batches(sizes, 2, 1)
    assert any(np.ptp(sizes[batch]) for batch in pooled)
    first = sorted(number for batch in pooled for number in batch.tolist())
    assert first == list(range(1_200))
    assert not any(np.ptp(sizes[batch]) for batch in length_batches(sizes[:600], 2, 1))

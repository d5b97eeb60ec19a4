import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kasu.lm.pretraining.masking import draw, mask_tokens

BEGINS = np.arange(1000) % 3 != 1  # two thirds of the tokens begin a word
EVERY = np.ones(1000, bool)


def rows_of(seed, rows, width):
    matrix = np.random.default_rng(seed).integers(5, 1000, (rows, width))
    matrix[:, 0], matrix[:, -1] = 2, 3
    return matrix


def test_numbers_are_even_and_follow_from_seed_and_number():
    numbers = draw(1, np.arange(100_000, dtype=np.uint64))
    assert (numbers == draw(1, np.arange(100_000, dtype=np.uint64))).all()
    assert abs(np.histogram(numbers, 10, (0, 1))[0] / 10_000 - 1).max() < 0.05
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.01
    assert not (numbers[:100] == draw(2, np.arange(100, dtype=np.uint64))).any()


@given(st.integers(0, 50), st.integers(1, 4), st.integers(3, 40))
def test_words_are_masked_whole(seed, rows, width):
    matrix = rows_of(seed, rows, width)
    read, hidden = mask_tokens(matrix, np.arange(rows), BEGINS, seed, 0)
    assert not hidden[:, [0, -1]].any()
    assert (read[~hidden] == matrix[~hidden]).all()
    goes_on = ~BEGINS[matrix[:, 2:-1]]
    assert (hidden[:, 2:-1][goes_on] == hidden[:, 1:-2][goes_on])[
        matrix[:, 1:-2][goes_on] > 4
    ].all()


def test_four_in_five_masked_tokens_become_the_mask():
    matrix = np.full((200, 500), 7)
    read, hidden = mask_tokens(matrix, np.arange(200), EVERY, 1, 0)
    assert abs(hidden.mean() - 0.15) < 0.01
    assert abs((read[hidden] == 4).mean() - 0.8) < 0.02
    assert abs((read[hidden] == 7).mean() - 0.1) < 0.02
    others = read[hidden & (read != 4) & (read != 7)]
    assert others.min() >= 5
    assert others.max() < 1000
    assert len(np.unique(others)) > 500


def test_the_mask_of_a_row_does_not_depend_on_other_rows():
    matrix = rows_of(1, 6, 50)
    numbers = np.array([4, 9, 2, 7, 0, 5])
    read, hidden = mask_tokens(matrix, numbers, BEGINS, 3, np.array([0, 1, 0, 1, 0, 1]))
    alone = mask_tokens(matrix[3:4], numbers[3:4], BEGINS, 3, 1)
    assert (alone[0] == read[3]).all()
    assert (alone[1] == hidden[3]).all()


def test_copies_and_seeds_differ():
    matrix = rows_of(1, 4, 100)
    masks = [
        mask_tokens(matrix, np.arange(4), EVERY, seed, copy)[1]
        for seed, copy in ((1, 0), (1, 1), (2, 0))
    ]
    assert all((one != other).any() for one in masks for other in masks if one is not other)


def test_the_next_copy_of_a_row_is_not_the_next_row():
    matrix = np.full((3, 100), 7)
    first, second = (mask_tokens(matrix, np.arange(3), EVERY, 1, copy)[1] for copy in (0, 1))
    assert all((one != other).any() for one in first for other in second)


# The bytes of a resumed or repeated training follow from these numbers
def test_drawn_numbers_are_fixed():
    assert draw(1, np.arange(4, dtype=np.uint64)).tolist() == [
        0.3381666012719897, 0.5665615751722809, 0.7457817572627011, 0.9710027535867962,
    ]  # fmt: skip
    assert draw(2**63 + 5, np.array([10**12], np.uint64)).tolist() == [0.5474440416700255]


def test_masks_are_fixed():
    matrix = np.array([[2, *range(5, 29), 3], [2, *range(29, 53), 3]])
    begins, numbers = np.arange(60) % 3 != 1, np.array([4, 1_000_000])
    found = []
    for copy in (0, np.array([3, 7])):
        read, hidden = mask_tokens(matrix, numbers, begins, 7, copy)
        for row in (0, 1):
            found.append((np.flatnonzero(hidden[row]).tolist(), read[row][hidden[row]].tolist()))
    assert found == [
        ([1, 7, 8, 9, 20, 21, 22], [4] * 7),
        ([4, 17, 18], [4] * 3),
        ([19, 20, 21], [4] * 3),
        ([1], [4]),
    ]


def test_kept_and_random_tokens_are_fixed():
    read, hidden = mask_tokens(np.full((1, 200), 7), np.array([0]), EVERY, 1, 0)
    kept = np.flatnonzero(hidden & (read == 7)).tolist()
    other = np.flatnonzero(hidden & (read != 7) & (read != 4)).tolist()
    assert (kept, other, read[0, other].tolist()) == ([111, 187], [45, 65], [104, 42])

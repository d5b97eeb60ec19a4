"""Splits (BLM-9, S-11)."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.blm.data.splits import TEST, TRAIN, VALIDATION, same_train, split_problems, split_sizes
from kasu.blm.data.types import generate_type_i
from kasu.blm.generation.seeds import read_seeds

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds"
RULES = {"split": "random", "test": 0.1, "validation": 0.2, "seed": 1, "folds": None}


@pytest.fixture(scope="module")
def problems():
    return generate_type_i(read_seeds(SEEDS / "fra.tsv"), ["released"])


def sizes(split) -> list[int]:
    return [int((split == part).sum()) for part in (TRAIN, VALIDATION, TEST)]


def test_sizes_of_the_paper():
    assert split_sizes(2304, 0.1, 0.2) == (1658, 415, 231)
    assert split_sizes(38400, 0.1, 0.2) == (27648, 6912, 3840)
    assert 1658 + 415 == 2073
    assert 27648 + 6912 == 34560


def test_validation_of_the_text_is_a_tenth():
    assert split_sizes(2304, 0.1, 0.1) == (1865, 208, 231)


@given(st.integers(1, 50_000), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_sizes_add_up(count, test, validation):
    parts = split_sizes(count, test, validation)
    assert sum(parts) == count
    assert min(parts) >= 0


def test_random_pools_the_clause_types(problems):
    split = split_problems(problems, RULES)
    assert sizes(split) == [1658, 415, 231]
    assert set(problems.clause[split == TEST]) == {0, 1, 2}


def test_the_split_depends_on_the_seed(problems):
    split = split_problems(problems, RULES)
    assert (split == split_problems(problems, RULES)).all()
    assert (split != split_problems(problems, {**RULES, "seed": 2})).any()


def test_same_train_uses_all_of_type_i_except_test(problems):
    split = split_problems(problems, RULES)
    chosen = same_train(problems, split, RULES)
    assert sizes(chosen) == [1658, 415, 0]
    assert (chosen[split == TEST] == -1).all()


def test_splits_by_seed_share_no_seed(problems):
    rules = {**RULES, "split": "by_seed"}
    split = split_problems(problems, rules)
    parts = [set(problems.origin[split == part].tolist()) for part in (TRAIN, VALIDATION, TEST)]
    assert [len(part) for part in parts] == [22, 6, 4]
    assert sum(map(len, parts)) == len(set.union(*parts))
    chosen = same_train(problems, split, rules)
    assert np.array_equal(chosen, np.where(split == TEST, -1, split))


def seeds_of(problems, split) -> list[set[int]]:
    return [set(problems.origin[split == part].tolist()) for part in (TRAIN, VALIDATION, TEST)]


def test_folds_test_every_seed_once(problems):
    rules = {**RULES, "split": "by_seed", "folds": 8}
    folds = [
        seeds_of(problems, split_problems(problems, {**rules, "fold": fold}))
        for fold in range(1, 9)
    ]
    assert {tuple(map(len, parts)) for parts in folds} == {(22, 6, 4)}
    assert all(len(set.union(*parts)) == 32 for parts in folds)
    assert sorted(seed for *_, tested in folds for seed in tested) == list(range(32))
    assert len({frozenset(validated) for _, validated, _ in folds}) == 8


def test_folds_of_unequal_size():
    problems = generate_type_i(read_seeds(SEEDS / "eng.tsv"), ["released"])
    rules = {**RULES, "split": "by_seed", "folds": 3}
    folds = [
        seeds_of(problems, split_problems(problems, {**rules, "fold": fold})) for fold in (1, 2, 3)
    ]
    assert [tuple(map(len, parts)) for parts in folds] == [(4, 1, 3), (4, 1, 3), (4, 2, 2)]


@pytest.mark.parametrize("folds", [3, 16])
def test_same_train_has_all_of_type_i_in_a_fold_except_test(problems, folds):
    rules = {**RULES, "split": "by_seed", "folds": folds, "fold": 2}
    split = split_problems(problems, rules)
    assert np.array_equal(same_train(problems, split, rules), np.where(split == TEST, -1, split))


def test_more_folds_than_seeds():
    problems = generate_type_i(read_seeds(SEEDS / "eng.tsv"), ["released"])
    rules = {**RULES, "split": "by_seed", "fold": 9, "folds": 9}
    with pytest.raises(KasuError, match="6 train, 2 validation, 0 test; expected one or more"):
        split_problems(problems, rules)


def test_an_unknown_way_to_split_is_one_line(problems):
    with pytest.raises(KasuError, match="split: 'by_text'; expected random or by_seed"):
        split_problems(problems, {**RULES, "split": "by_text"})


def test_impossible_share(problems):
    with pytest.raises(KasuError, match=r"shares 0.1 and 1.0; expected numbers between 0 and 1"):
        split_problems(problems, {**RULES, "validation": 1.0})


def test_too_few_seeds():
    problems = generate_type_i(read_seeds(SEEDS / "eng.tsv")[:2], ["released"])
    with pytest.raises(KasuError, match="0 train, 1 validation, 1 test; expected one or more seed"):
        split_problems(problems, {**RULES, "split": "by_seed"})

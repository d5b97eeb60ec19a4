"""Sentences drawn for a budget."""

from hypothesis import given
from hypothesis import strategies as st

from kasu.cloze.data.drawing import choose_hit, draw, head, tokens
from kasu.cloze.data.sentences import Word
from kasu.cloze.data.treebank import Candidate

LENGTHS = st.lists(st.integers(1, 30), max_size=60)


def sentences(lengths: list[int]) -> list[Candidate]:
    word = Word("a", "a", "N")
    return [Candidate(f"s{n}", [word] * size, [0]) for n, size in enumerate(lengths)]


@given(LENGTHS, st.integers(1, 200))
def test_the_last_sentence_reaches_the_budget(lengths, budget):
    drawn = draw(sentences(lengths), budget, tokens, seed=1)
    sizes = [tokens(each) for each in drawn]
    if sum(lengths) >= budget:
        assert sum(sizes) >= budget > sum(sizes[:-1])
    else:
        assert sorted(each.id for each in drawn) == sorted(f"s{n}" for n in range(len(lengths)))


@given(LENGTHS, st.integers(1, 200), st.integers(1, 200))
def test_a_smaller_budget_draws_the_head_of_a_larger(lengths, one, other):
    small, large = sorted((one, other))
    drawn = draw(sentences(lengths), large, tokens, seed=1)
    assert head(drawn, small) == draw(sentences(lengths), small, tokens, seed=1)


@given(LENGTHS, st.integers(1, 200), st.randoms())
def test_the_order_of_the_treebank_does_not_matter(lengths, budget, random):
    given_order = sentences(lengths)
    shuffled = random.sample(given_order, len(given_order))
    drawn = draw(given_order, budget, tokens, seed=1)
    assert draw(shuffled, budget, tokens, seed=1) == drawn


def test_another_seed_draws_others():
    many = sentences([1] * 100)
    ids = [[each.id for each in draw(many, 10, tokens, seed)] for seed in (1, 2)]
    assert ids[0] != ids[1]
    assert {len(each) for each in ids} == {10}


def test_one_hit_of_a_sentence_is_chosen_and_every_hit_can_be():
    word = Word("a", "a", "N")
    chosen = {choose_hit(Candidate(f"s{n}", [word] * 9, [2, 5, 8]), seed=1) for n in range(50)}
    assert chosen == {2, 5, 8}

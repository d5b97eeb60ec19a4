"""Edit actions: the papers' examples, and executor after oracle is the identity."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.inflection.data.triples import read_triples
from kasu.transduction.alignments.crp_alignment import align_by_crp
from kasu.transduction.edits.actions import (
    COPY,
    DELETE,
    END,
    MOVE,
    ActionAlphabet,
    aligned_oracle,
    consuming,
    moving_oracle,
    pointing,
    pointing_oracle,
)
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position

# Few letters make many ties; some letters are also letters of special actions
words = st.text("ab", max_size=8) | st.text("COPYDELTMVN", max_size=9) | st.text(max_size=12)


def test_pointing_oracle_of_the_paper():
    # Dumitrescu & Boroș (2018) §2; MOVE is their INC, END their EOS
    actions = pointing_oracle("face", "făceau")
    assert actions == [COPY, "ă", MOVE, MOVE, COPY, MOVE, COPY, "a", "u", END]


@pytest.mark.parametrize(
    ("source", "target", "actions"),
    [
        ("a", "aa", [COPY, COPY, END]),
        ("aa", "a", [COPY, END]),
        ("", "ab", ["a", "b", END]),
        ("ab", "", [END]),
    ],
)
def test_pointing_oracle(source, target, actions):
    assert pointing_oracle(source, target) == actions


def test_moving_oracle_of_the_paper():
    # Sorokin (2018) Figure 1, without its first column; MOVE is its step
    rows = zip("vo~lver", "vuelvo~", strict=True)
    columns = [tuple(None if symbol == "~" else symbol for symbol in each) for each in rows]
    expected = "v MOVE u e MOVE l MOVE v MOVE o MOVE MOVE END"
    assert " ".join(moving_oracle(columns)) == expected


@pytest.mark.parametrize(
    ("columns", "actions"),
    [
        ([], [END]),
        ([(None, "g"), (None, "e"), ("a", "a")], ["g", "e", "a", MOVE, END]),
        # After a deletion, what is inserted belongs to the next symbol
        ([("a", None), (None, "x"), ("b", "b")], [MOVE, "x", "b", MOVE, END]),
        ([("a", None), (None, "x")], [MOVE, "x", END]),
        ([("a", "a"), ("b", None), (None, "x")], ["a", MOVE, MOVE, "x", END]),
        ([(None, "x")], ["x", END]),
    ],
)
def test_moving_oracle(columns, actions):
    assert moving_oracle(columns) == actions


@settings(max_examples=30)
@given(st.lists(st.tuples(words, words), max_size=2))
def test_moving_actions_spell_the_target_and_pass_the_source(pairs):
    for (source, target), columns in zip(pairs, align_by_crp(pairs, passes=0, seed=1), strict=True):
        actions = moving_oracle(columns)
        assert "".join(action for action in actions if action not in (MOVE, END)) == target
        assert actions.count(MOVE) == len(source)
        assert actions[-1] == END


@pytest.mark.parametrize(
    ("actions", "written"),
    [
        ([COPY, COPY, "x", END], "aax"),
        ([MOVE, COPY, END], "b"),
        # The pointer stops at the last symbol
        ([MOVE, MOVE, MOVE, COPY, END], "b"),
        ([COPY, END, COPY], "a"),
        ([COPY], "a"),
    ],
)
def test_pointing(actions, written):
    assert pointing("ab", actions) == written


@pytest.mark.parametrize(
    ("actions", "written"),
    [
        ([COPY, COPY, "x", END], "abx"),
        ([DELETE, COPY, END], "b"),
        ([COPY, "x", END, COPY], "ax"),
        (["x"], "x"),
    ],
)
def test_consuming(actions, written):
    assert consuming("ab", actions) == written


def test_consuming_beyond_the_end():
    with pytest.raises(IndexError):
        consuming("a", [COPY, COPY])


@pytest.mark.parametrize(
    ("grouped", "actions"),
    [
        (True, [COPY, COPY, DELETE, DELETE, "o", COPY, DELETE, "!", END]),
        (False, [COPY, COPY, DELETE, "o", DELETE, COPY, DELETE, "!", END]),
    ],
)
def test_aligned_oracle(grouped, actions):
    columns = [
        ("f", "f"),
        ("l", "l"),
        ("i", "o"),
        ("e", None),
        ("g", "g"),
        ("e", None),
        (None, "!"),
    ]
    assert aligned_oracle(columns, grouped=grouped) == actions


def test_a_symbol_shares_its_id_with_its_insertion():
    alphabet = ActionAlphabet("ba", [COPY, DELETE])
    assert alphabet.symbols == [COPY, DELETE, "a", "b"]
    assert alphabet.encode([COPY, DELETE, "a", "b", END, "x"]) == [4, 5, 6, 7, 2, 3]
    assert alphabet.decode([4, 7, 2]) == [COPY, "b"]


@given(words, words)
def test_pointing_writes_the_target(source, target):
    assert pointing(source, pointing_oracle(source, target)) == target


@given(words, words, st.randoms(use_true_random=False), st.booleans())
def test_consuming_writes_the_target_of_any_alignment(source, target, rng, grouped):
    actions = aligned_oracle(monotone(source, target, rng), grouped=grouped)
    assert consuming(source, actions) == target


@given(words, words, st.randoms(use_true_random=False))
def test_consuming_writes_the_target_on_any_optimal_path(source, target, rng):
    assert consuming(source, optimal_path(source, target, rng)) == target


def monotone(source, target, rng):
    """A random monotone alignment."""
    columns, i, j = [], 0, 0
    while i < len(source) or j < len(target):
        steps = [(1, 1), (1, 0), (0, 1)]
        fitting = [(di, dj) for di, dj in steps if i + di <= len(source) and j + dj <= len(target)]
        di, dj = rng.choice(fitting)
        columns.append((source[i] if di else None, target[j] if dj else None))
        i, j = i + di, j + dj
    return columns


def optimal_path(source, target, rng):
    """A random path that the dynamic oracle calls optimal."""
    oracle, state, actions = DynamicOracle(source, target), Position(), []
    while not actions or actions[-1] != END:
        actions.append(rng.choice(oracle.optimal(state)))
        state = oracle.after(state, actions[-1])
    return actions


@pytest.mark.real
def test_identity_on_real_pairs(mirror):
    """A third of the low files, some of the others; `bench/transduction.py` takes them all."""
    rng, wrong, count = random.Random(1), [], 0
    paths = sorted(mirror.glob("sigmorphon2018/task1/*/*-train-*"))
    lows = {path for path in paths if path.name.endswith("-low")}
    for path in [*sorted(lows)[::3], *sorted({*paths} - lows)[::3]]:
        low = path in lows
        triples = [triple for triple in read_triples(path) if low or rng.random() < 0.05]
        pairs = [(triple.lemma, triple.form) for triple in triples]
        alignments = (
            align_by_crp(pairs, seed=1) if low else [monotone(*pair, rng) for pair in pairs]
        )
        for (source, target), columns in zip(pairs, alignments, strict=True):
            written = (
                pointing(source, pointing_oracle(source, target)),
                consuming(source, aligned_oracle(columns)),
                consuming(source, optimal_path(source, target, rng)),
            )
            count += 1
            if written != (target,) * 3:
                wrong.append((path.name, source, target))
    assert count > 10_000
    assert wrong == []

"""Edit actions: the papers' examples, and executor after oracle is the identity."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.inflection.data.triples import read_triples
from kasu.transduction.alignments.crp_alignment import align_by_crp
from kasu.transduction.alignments.edit_distance import levenshtein
from kasu.transduction.edits.actions import (
    COPY,
    DELETE,
    END,
    MOVE,
    ActionAlphabet,
    aligned_oracle,
    consuming,
    moving_oracle,
    patching,
    patching_oracle,
    pointing,
    pointing_oracle,
)
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position
from kasu.transduction.edits.glyphs import Patches

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


PATCHES = Patches("aäoöuü")  # 0: a and ä; 1: o and ö, u and ü
NONE = Patches("")


def taught(source, target, patches):
    return patching_oracle(levenshtein(source, target, patches.alike), patches)


@pytest.mark.parametrize(("patches", "changed"), [(PATCHES, "PATCH 0"), (NONE, "ä")])
def test_patching_oracle_of_the_paper(patches, changed):
    """Table 2; the actions are counted by the specification."""
    actions = taught("Baumhaus", "Baumhäuser", patches)
    expected = [*[COPY, MOVE] * 5, changed, MOVE, *[COPY, MOVE] * 2, "e", "r", END]
    assert (len(actions), actions) == (19, expected)
    assert patching("Baumhaus", actions, patches) == "Baumhäuser"


@pytest.mark.parametrize(
    ("source", "target", "actions"),
    [
        # Unlike letters; deletions; insertions before, within and after
        ("ab", "cb", ["c", MOVE, COPY, MOVE, END]),
        ("abc", "ac", [COPY, MOVE, MOVE, COPY, MOVE, END]),
        ("ac", "xabcd", ["x", COPY, MOVE, "b", COPY, MOVE, "d", END]),
        ("ou", "öü", ["PATCH 1", MOVE, "PATCH 1", MOVE, END]),
        ("ö", "u", ["u", MOVE, END]),
        ("", "a", ["a", END]),
        ("a", "", [MOVE, END]),
        ("", "", [END]),
    ],
)
def test_patching_oracle(source, target, actions):
    assert taught(source, target, PATCHES) == actions


@pytest.mark.parametrize(
    ("actions", "written"),
    [
        ([COPY, COPY, MOVE, "PATCH 1", "PATCH 1", END], "bböö"),
        # A patch that does not apply writes nothing
        (["PATCH 1", MOVE, "PATCH 0", COPY, END], "o"),
        # Past the end nothing is copied or patched, and nothing repeated
        ([MOVE, MOVE, MOVE, COPY, "PATCH 1", "x", "x", "y", "x", END], "xyx"),
        (["x", "x", MOVE, COPY, MOVE, "o", "o", "u", END], "xxou"),
        ([COPY, END, COPY], "b"),
        ([COPY], "b"),
    ],
)
def test_patching(actions, written):
    assert patching("bo", actions, PATCHES) == written


def test_a_form_that_doubles_a_letter_after_the_lemma_loses_it():
    """Schröder et al. (2018) §7.3, Haida. With a patch from ä to a, the last a would be ä's."""
    actions = taught("ñíiyä", "ñíiyä'waa", NONE)
    assert actions == [*[COPY, MOVE] * 5, "'", "w", "a", "a", END]
    assert patching("ñíiyä", actions, NONE) == "ñíiyä'wa"


def test_patching_from_nothing():
    assert patching("", ["a", "a", COPY, MOVE, "b", END], PATCHES) == "ab"


def doubled(source, actions, patches):
    """Whether actions repeat a symbol after the source, from its last one on."""
    after = [number for number, action in enumerate(actions) if action == MOVE]
    end = after[len(source) - 1] if source else -1
    before = patching(source, actions[: end + 1], patches)[-1:]
    added = actions[end + 1 : -1]
    return any(one == other for one, other in zip([before, *added], added, strict=False))


marked = st.text("aäoöub", max_size=9)


@settings(max_examples=60)
@given(words | marked, words | marked)
def test_patching_writes_the_target_unless_it_doubles(source, target):
    actions = taught(source, target, PATCHES)
    assert (patching(source, actions, PATCHES) == target) != doubled(source, actions, PATCHES)


@pytest.mark.real
def test_patching_on_real_pairs(mirror):
    """2,000 pairs; `bench/transduction.py` has all of them."""
    paths = sorted(mirror.glob("sigmorphon2018/task1/*/*-train-*"))
    rng, lost, count = random.Random(1), Counter[str](), 0
    for path in rng.sample(paths, 40):
        pairs = [(triple.lemma, triple.form) for triple in read_triples(path)]
        patches = Patches({*"".join(map("".join, pairs))})
        for source, target in rng.sample(pairs, 50):
            actions = taught(source, target, patches)
            right = patching(source, actions, patches) == target
            assert right != doubled(source, actions, patches)
            count += 1
            lost[path.name] += not right
    assert (count, +lost) == (
        2000,
        {
            "friulian-train-medium": 6, "votic-train-medium": 5, "greenlandic-train-low": 3,
            "icelandic-train-medium": 2, "faroese-train-medium": 1,
            "northern-sami-train-medium": 1, "old-french-train-low": 1,
        },
    )  # fmt: skip


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

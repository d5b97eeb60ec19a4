"""The phrasal transducer: its features, its search against all hypotheses, its training."""

import copy
import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from kasu.transduction.alignments.many_to_many import is_tag
from kasu.transduction.linear.phrasal import BEAM, NBEST, Hypothesis, Phrasal, Sizes, loss


def steps(written):
    """Steps as they are written: source:target, a bar between."""
    return [
        (tuple(source), target) for source, target in (s.split(":") for s in written.split("|"))
    ]


def labels(features, kind):
    return Counter({key: count for key, count in features.items() if str(key[0]).startswith(kind)})


ABC = str.maketrans("\0\2\3\4\5", "{}abc")


def ngrams(sizes, aligned, target):
    """The n-grams that speak for a target; symbols are numbered as they occur."""
    features = Phrasal([aligned], sizes).features([*"abc"], aligned)
    return [
        key.translate(ABC)
        for key, label in features
        if isinstance(key, str) and label == target and not key.startswith("J")
    ]


def test_ngrams_of_a_chunk_in_the_middle_and_at_the_start():
    aligned = steps("a:A|b:B|c:C")
    sizes = Sizes(context=1, ngram=3, joint=0)
    assert ngrams(sizes, aligned, "B") == [
        "-1:-1:a", "-1:0:ab", "-1:1:abc", "0:0:b", "0:1:bc", "1:1:c",
    ]  # fmt: skip
    assert ngrams(sizes, aligned, "A") == [
        "-1:-1:{", "-1:0:{a", "-1:1:{ab", "0:0:a", "0:1:ab", "1:1:b",
    ]  # fmt: skip


def test_a_chunk_counts_as_one_symbol_and_boundaries_once():
    aligned = steps("ab:X|c:C")
    assert ngrams(Sizes(2, 2, 0), aligned, "X") == [
        "-1:-1:{", "-1:0:{ab", "0:0:ab", "0:1:abc", "1:1:c", "1:2:c}", "2:2:}",
    ]  # fmt: skip


def test_histories_of_two_steps_are_four():
    aligned = steps("a:A|b:B|c:C")
    made = Phrasal([aligned], Sizes(0, 0, 2))
    found = made.features([*"abc"], aligned)
    codes = "\1\2\3"
    assert [key for key, label in found if label == codes[2]] == [
        "J0:", "J1:\2", "J2:\1\2", "J2:\1",
    ]  # fmt: skip
    # Before the first step, and before the second, there is a boundary, which `Sizes.joint` counts
    assert [key for key, label in found if label == codes[0]] == ["J0:", "J1:\0"]
    assert [key for key, label in found if label == codes[1]] == [
        "J0:", "J1:\1", "J2:\0\1", "J2:\0",
    ]  # fmt: skip


def test_copies_are_one_feature():
    aligned = steps("a:a|b:B|c:c|ab:ab")
    assert Phrasal([aligned], Sizes(1, 3, 1)).features([*"abcab"], aligned)["COPY", ""] == 3


def test_what_a_chunk_may_yield():
    made = Phrasal([steps("a:A|b:"), steps("a:B|b:"), steps("a:B|cd:X")], Sizes(1, 1, 0))

    def targets(*chunk):
        return [made.nbest(chunk, 9)[i].form for i in range(len(made.candidates(chunk)))]

    # Without weights the more frequent first
    assert targets("a") == ["B", "A"]
    assert targets("b") == [""]
    # Only within a longer chunk, or never seen; a tag is nothing that can be written
    assert targets("c") == ["c", ""]
    assert targets("z") == ["z", ""]
    assert targets("<T>") == [""]
    assert made.candidates(("c", "d")) == made.candidates(("c", "d"))
    assert made.candidates(("a", "b")) == []


def every_hypothesis(source, known):
    """All ways to cover a source by known steps; single symbols that have none stay or go."""
    if not source:
        yield []
    for size in range(1, len(source) + 1):
        chunk = tuple(source[:size])
        targets = known.get(chunk, ())
        if not targets and size == 1:
            targets = [""] if is_tag(chunk[0]) else ["", chunk[0]]
        for target in targets:
            for rest in every_hypothesis(source[size:], known):
                yield [(chunk, target), *rest]


def ends(output, finished):
    """Features of an output: its last character and its length; at the end whether it has a B."""
    yield output[-1:]
    yield len(output)
    if finished:
        yield "B" in output


KNOWN = {("a",): ["A", ""], ("b",): ["b", "BB"], ("a", "b"): ["C"], ("<T>",): ["t", ""]}
TRAINING = [[(chunk, target)] for chunk, targets in KNOWN.items() for target in targets]


@given(
    st.lists(st.sampled_from(["a", "b", "c", "<T>"]), min_size=1, max_size=6),
    st.integers(0, 2),
    st.integers(1, 3),
    st.integers(0, 3),
    st.booleans(),
    st.integers(0, 99),
)
@settings(max_examples=25)
def test_search_without_a_beam_finds_the_best_of_all(source, context, ngram, joint, extra, seed):
    made = Phrasal(
        TRAINING, Sizes(context, ngram, joint), extra=ends if extra else None, beam=10**6
    )
    every = [*every_hypothesis(source, KNOWN)]
    vectors = [made.features(source, steps) for steps in every]
    draw = random.Random(seed)
    for key, label in dict.fromkeys(key for vector in vectors for key in vector):
        made.weights.setdefault(key, {})[label] = draw.gauss(0, 1)
    scored = [
        (sum(count * made.weights[key][label] for (key, label), count in vector.items()), steps)
        for vector, steps in zip(vectors, every, strict=True)
    ]
    scored.sort(key=lambda pair: -pair[0])
    found = made.nbest(source, 12)
    assert [each.score for each in found] == pytest.approx([score for score, _ in scored[:12]])
    for each in found:
        assert each.score == pytest.approx(dict((str(s), x) for x, s in scored)[str(each.steps)])
    assert len({str(each.steps) for each in found}) == len(found) == min(12, len(every))


def test_a_beam_keeps_so_many_hypotheses_and_all_that_are_asked_for():
    made = Phrasal(TRAINING, Sizes(1, 1, 0), beam=2)
    assert len(made.nbest([*"aaaa"], 1)) == 1
    assert len(made.nbest([*"aaaa"], 5)) == 5
    assert made.nbest([], 3) == [Hypothesis(0.0, [])]


def test_a_narrow_beam_misses_what_pays_later():
    training = [steps("a:A"), steps("a:"), steps("b:b")]
    forms = []
    for beam in (1, 2):
        made = Phrasal(training, Sizes(0, 1, 1), beam=beam)
        # A is better, but what comes after nothing pays more
        made.weights = {"0:0:\3": {"A": 1.0, "": 0.9}, "J1:\2": {"\3": 5.0}}
        forms.append(made.nbest([*"ab"], 1)[0].form)
    assert forms == ["Ab", "b"]


def drawn(seed, count=6):
    """Aligned pairs of a small language, two of a source at times."""
    draw = random.Random(seed)
    return [
        [((each,), draw.choice(KNOWN[each,])) for each in draw.choices("ab", k=draw.randint(1, 4))]
        for _ in range(count)
    ]


def source_of(aligned):
    return tuple(symbol for chunk, _ in aligned for symbol in chunk)


def score(made, source, aligned):
    features = made.features(source, aligned)
    return sum(
        count * made.weights.get(key, {}).get(label, 0.0)
        for (key, label), count in features.items()
    )


def targets(aligned):
    return [target for _, target in aligned if target]


@given(st.integers(0, 200), st.booleans())
@settings(max_examples=40)
def test_an_update_gives_all_hypotheses_their_margins(seed, extra):
    aligned = drawn(seed)
    made = Phrasal(aligned, Sizes(1, 3, 2), extra=ends if extra else None)
    for source in dict.fromkeys(map(source_of, aligned)):
        pairs = [each for each in aligned if source_of(each) == source]
        before = made.nbest(source, BEAM)[:NBEST]
        cases = []
        for each in before:
            losses = [loss(targets(each.steps), targets(right)) for right in pairs]
            right = pairs[losses.index(min(losses))]
            kept = score(made, source, right) - score(made, source, each.steps)
            cases.append((each.steps, right, min(losses) + 1 if min(losses) else kept))
        made.update(source)
        for other, right, margin in cases:
            assert score(made, source, right) - score(made, source, other) >= margin - 1e-6


def test_error_is_the_loss_times_the_number_of_steps():
    made = Phrasal([steps("a:A|b:b|a:A")], Sizes(1, 1, 0))
    made.weights = {"0:0:\3": {"A": -1.0, "": 1.0}}
    # Ties between A and nothing are gone: nothing is best for each a, so two of three are missed
    made._known["a",].append(made._code((("a",), "")))
    assert made.update(("a", "b", "a")) == pytest.approx(2 / 3 * 3)
    assert loss([], []) == 0
    assert loss(["ab", "c"], ["ab"]) == 0.5


def test_a_second_pass_over_separable_data_changes_nothing():
    aligned = [steps("a:A|b:b"), steps("b:BB|a:"), steps("a:A|a:A|b:BB")]
    made = Phrasal(aligned, Sizes(2, 5, 2))
    sources = [*map(source_of, aligned)]
    for _ in range(50):
        before = copy.deepcopy(made.weights)
        errors = [made.update(source) for source in sources]
        if made.weights == before:
            break
    assert made.weights == before
    assert errors == [0, 0, 0]
    assert [made.nbest(source, 1)[0].form for source in sources] == ["Ab", "BB", "AABB"]


def summed(*several):
    found = {}
    for weights in several:
        for key, by_label in weights.items():
            for label, weight in by_label.items():
                labels = found.setdefault(key, {})
                labels[label] = labels.get(label, 0.0) + weight
    return found


def test_weights_are_the_sum_of_those_after_each_pass():
    aligned = drawn(3, 12)
    by_hand = Phrasal(aligned, Sizes(1, 3, 2))
    after = []
    errors = []
    for _ in range(3):
        errors.append(sum(map(by_hand.update, dict.fromkeys(map(source_of, aligned)))))
        after.append(copy.deepcopy(by_hand.weights))
    made = Phrasal(aligned, Sizes(1, 3, 2))
    assert made.train(passes=1) == errors[:1]
    assert made.weights == after[0]
    assert errors[1] < errors[0]
    made = Phrasal(aligned, Sizes(1, 3, 2))
    made.train(passes=2)
    assert made.weights == summed(*after[:2])


def test_the_pass_that_is_no_better_is_left_out():
    aligned = [steps("a:A|b:b"), steps("b:BB|a:")]
    made = Phrasal(aligned, Sizes(2, 5, 2))
    errors = made.train()
    assert errors[-1] >= errors[-2]
    assert all(one > other for one, other in pairwise(errors[:-1]))
    same = Phrasal(aligned, Sizes(2, 5, 2))
    same.train(passes=len(errors) - 1)
    assert made.weights == same.weights


def test_dev_ends_the_training_by_edits_of_the_summed_weights():
    aligned = drawn(3, 12)
    dev = [([*"ab"], "Ab"), ([*"ba"], "zzz"), ([*"bbb"], "bBBBB")]
    made = Phrasal(aligned, Sizes(1, 3, 2))
    errors = made.train(dev)
    assert errors[-1] >= errors[-2]
    found = []
    for passes in range(1, len(errors) + 1):
        same = Phrasal(aligned, Sizes(1, 3, 2))
        same.train(passes=passes)
        forms = [same.nbest(source, 1)[0].form for source, _ in dev]
        found.append(sum(map(Levenshtein.distance, forms, (form for _, form in dev))))
        if passes == len(errors) - 1:
            assert made.weights == same.weights
    # The training set alone does not end it sooner
    assert found == errors


def test_no_pairs_and_no_sources():
    made = Phrasal([], Sizes(1, 3, 2))
    assert made.train() == [0, 0]
    assert made.train([([*"ab"], "b")], passes=1) == [1]
    assert made.nbest([*"ab", "<T>"], 2)[0].form == "ab"


def test_extra_features_are_those_of_the_output_alone():
    """Those of the outputs before are taken back."""
    seen = []

    def spy(output, finished):
        seen.append((output, finished))
        return [len(output)]

    made = Phrasal([steps("a:A|b:bb")], Sizes(1, 1, 0), extra=spy)
    made.weights = {(1,): {"": 5.0}, (3,): {"": 2.0}}
    assert made.nbest([*"ab"], 1) == [Hypothesis(2.0, steps("a:A|b:bb"))]
    assert seen == [("A", False), ("Abb", True)]
    assert labels(made.features([*"ab"], steps("a:A|b:bb")), "(") == {((3,), ""): 1}

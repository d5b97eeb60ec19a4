"""Divide counts among readings: sums, unambiguous forms, shares in a toy language."""

from collections import defaultdict
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.inflection.data.syncretism import _Network, _number, share_counts


def by_word(readings, counts: dict[str, int], **chosen) -> dict[tuple, float]:
    words = [form for _, form, _ in readings]
    found = share_counts(readings, words, counts, **chosen)
    return dict(zip(readings, found.tolist(), strict=True))


def english() -> tuple[list[tuple[str, str, str]], dict[str, int]]:
    """Strong verbs distinguish past and participle, 3 to 1; weak verbs and base forms do not."""
    readings, counts = [], {}
    slots = {"V;PRS;3;SG": 20, "V;PST": 60, "V.PTCP;PST": 20}
    for i in range(30):
        for slot, share in slots.items():
            form = f"strong{i}-{slot}"
            readings.append((f"strong{i}", form, slot))
            counts[form] = share * (1 + i % 4)
    for i in range(30):
        for slot, share in slots.items():
            form = f"weak{i}-{'ed' if 'PST' in slot else slot}"
            readings.append((f"weak{i}", form, slot))
            counts[form] = counts.get(form, 0) + share * (1 + i % 3)
    return readings, counts


def test_shares_of_systematic_syncretism_follow_the_lemmata_that_distinguish():
    readings, counts = english()
    found = by_word(readings, counts)
    for i in range(30):
        past = found[f"weak{i}", f"weak{i}-ed", "V;PST"]
        assert past / counts[f"weak{i}-ed"] == pytest.approx(0.75, abs=0.03)


def test_expected_counts_may_join_the_training():
    readings, counts = english()
    found = by_word(readings, counts, em=3)
    past = found["weak0", "weak0-ed", "V;PST"]
    assert past / counts["weak0-ed"] == pytest.approx(0.75, abs=0.03)


def test_a_slot_that_is_mostly_syncretic_is_no_rarer():
    """Nominative and accusative are equally frequent; one lemma in ten distinguishes them."""
    readings, counts = [], defaultdict(int)
    for i in range(100):
        forms = {"NOM": f"a{i}", "ACC": f"a{i}m" if i % 10 == 0 else f"a{i}", "DAT": f"a{i}d"}
        for case, form in forms.items():
            readings.append((f"a{i}", form, f"N;{case}"))
            counts[form] += 10
    # A verb form that is also the dative of a noun and equally frequent
    readings += [("v", "a1d", "V;PRS"), ("v", "vi", "V;PST")]
    counts["a1d"] += 10
    counts["vi"] += 10
    found = by_word(readings, counts)
    assert found["a1", "a1", "N;NOM"] == pytest.approx(10, abs=0.5)
    assert found["a1", "a1", "N;ACC"] == pytest.approx(10, abs=0.5)


def test_a_frequent_lemma_takes_more_of_a_form():
    """Homographs of two lemmata, one of which is ten times as frequent in its other forms."""
    readings = [
        *(("often", f"o{j}", f"N;{j}") for j in range(4)),
        ("often", "same", "N;4"),
        *(("seldom", f"s{j}", f"N;{j}") for j in range(4)),
        ("seldom", "same", "N;4"),
        *(("third", f"t{j}", f"N;{j}") for j in range(5)),
    ]
    counts = {
        f"{letter}{j}": n for letter, n in (("o", 500), ("s", 50), ("t", 50)) for j in range(5)
    }
    found = by_word(readings, {**counts, "same": 550})
    assert found["often", "same", "N;4"] == pytest.approx(500, abs=10)


def test_rare_bundles_share_strength_with_similar_ones():
    """No verb distinguishes past and present in the dual; in other numbers they stand 3 to 1."""
    readings, counts = [], {}
    for i in range(20):
        for number in ("SG", "PL", "DU"):
            for tense, tokens in (("PST", 30), ("PRS", 10)):
                form = f"v{i}{number}" + ("" if number == "DU" else tense)
                readings.append((f"v{i}", form, f"V;{tense};{number}"))
                counts[form] = counts.get(form, 0) + tokens
    found = by_word(readings, counts)
    assert found["v0", "v0DU", "V;PST;DU"] / 40 == pytest.approx(0.75, abs=0.1)


def shares_of(bundle: str, forms: int) -> float:
    """The share of a slot in a syncretic form, where others have ten tokens of it and of `N;B`."""
    readings, counts = [], {}
    for lemma in range(30):
        for form in range(forms):
            readings.append((f"{lemma}", f"{lemma}a{form}", bundle))
            counts[f"{lemma}a{form}"] = 10 // forms
        readings.append((f"{lemma}", f"{lemma}b", "N;B"))
        counts[f"{lemma}b"] = 10
    readings += [("same", "ab", bundle), ("same", "ab", "N;B")]
    return by_word(readings, {**counts, "ab": 100})["same", "ab", bundle]


def test_forms_of_one_cell_divide_its_tokens():
    assert shares_of("N;A", 1) == pytest.approx(50, abs=0.1)
    assert shares_of("N;A", 2) == pytest.approx(50, abs=0.1)
    assert shares_of("N;A", 5) == pytest.approx(50, abs=0.1)


def test_a_feature_counts_once_in_a_bundle():
    assert shares_of("N;A;A;A", 2) == shares_of("N;A", 2)


@pytest.mark.parametrize(("tokens", "past"), [(10, 50), (100, 50), (1_000, 92.8)])
def test_a_few_tokens_of_one_word_do_not_outweigh_the_prior(tokens, past):
    """One verb distinguishes past and present, and only its past occurs."""
    readings = [
        ("sing", "sang", "V;PST"), ("sing", "sings", "V;PRS"),
        ("put", "put", "V;PST"), ("put", "put", "V;PRS"),
    ]  # fmt: skip
    found = by_word(readings, {"sang": tokens, "put": 100})
    assert found["put", "put", "V;PST"] == pytest.approx(past, abs=0.1)


def test_uniform_shares():
    readings = [("a", "x", "N;1"), ("a", "x", "N;2"), ("b", "x", "N;1"), ("b", "y", "N;2")]
    found = share_counts(readings, ["x", "x", "x", "y"], {"x": 6, "y": 5}, resolution="uniform")
    assert found.tolist() == [2, 2, 2, 5]


def test_readings_share_the_count_of_their_key():
    readings = [("Pole", "Pole", "N;SG"), ("pole", "pole", "N;SG")]
    assert share_counts(readings, ["pole", "pole"], {"pole": 8}).sum() == pytest.approx(8)


def test_no_counts_and_no_readings():
    assert share_counts([], [], {}).tolist() == []
    readings = [("a", "x", "N;1"), ("a", "x", "N;2")]
    assert share_counts(readings, ["x", "x"], {}).tolist() == [0, 0]
    assert share_counts(readings, ["x", "x"], {"x": 4}).sum() == pytest.approx(4)


@settings(max_examples=25)
@given(
    st.sets(
        st.tuples(
            st.sampled_from("abcd"), st.sampled_from("wxyz"), st.sampled_from(["N;A", "N;B", "V;A"])
        ),
        min_size=1,
    ),
    st.dictionaries(st.sampled_from("wxyz"), st.integers(0, 10**6)),
    st.integers(0, 2),
)
@example(
    found={("b", "w", "N;A"), ("a", "x", "N;A"), ("a", "w", "N;A")}, counts={"w": 2, "x": 3}, em=1
)
def test_shares_sum_to_the_count_and_unambiguous_forms_keep_theirs(found, counts, em):
    readings = sorted(found)
    words = [form for _, form, _ in readings]
    shared = share_counts(readings, words, counts, em=em)
    assert np.isfinite(shared).all() and (shared >= 0).all()
    for word in set(words):
        of_word = [share for share, other in zip(shared, words, strict=True) if other == word]
        assert sum(of_word) == pytest.approx(counts.get(word, 0))
        if len(of_word) == 1:
            assert of_word == [counts.get(word, 0)]


def test_the_same_seed_gives_the_same_shares():
    readings, counts = english()
    words = [form for _, form, _ in readings]
    one, two = (share_counts(readings, words, counts, seed=3) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_an_unknown_resolution_is_refused():
    with pytest.raises(KasuError, match="resolution: 'guess'; expected neural or uniform"):
        share_counts([("a", "b", "N")], ["b"], {}, resolution="guess")


def test_the_gradient_is_that_of_the_loss():
    """Of two slots one has two forms, a feature occurs twice in a bundle, a lemma has no token."""
    readings = [
        ("a", "x", "N;A;A"), ("a", "y", "N;B"), ("a", "z", "N;B"),
        ("b", "u", "N;A;A"), ("b", "v", "N;C;B"), ("c", "w", "V;C"), ("c", "o", "V;B"),
    ]  # fmt: skip
    words = [form for _, form, _ in readings]
    lexicon = _number(readings, words, {"x": 20, "y": 70, "z": 3, "u": 9, "v": 31})
    network = _Network(lexicon, 1)
    loss = network.loss(lexicon.tokens, lexicon.alone)
    # Weights of the size that training gives
    weights = 10 * network.weights
    _, gradient = loss(weights)
    step = 1e-6
    for at in np.ndindex(weights.shape):
        moved = np.zeros_like(weights)
        moved[at] = step
        slope = (loss(weights + moved)[0] - loss(weights - moved)[0]) / (2 * step)
        assert gradient[at] == pytest.approx(slope, abs=1e-7)


def test_a_step_that_is_far_too_long_has_no_overflow():
    readings, counts = english()
    lexicon = _number(readings, [form for _, form, _ in readings], counts)
    network = _Network(lexicon, 1)
    value, gradient = network.loss(lexicon.tokens, lexicon.alone)(1e4 * network.weights)
    assert np.isfinite(value) and np.isfinite(gradient).all()


def test_shares_are_the_same_to_the_last_bit_on_any_processor():
    readings, counts = english()
    found = share_counts(readings, [form for _, form, _ in readings], counts)
    assert sha256(found.astype("<f8").tobytes()).hexdigest()[:16] == "cf86eba0a1e70bb3"

"""The queries of each definition, against sums by hand on toy models (GEO-7 to GEO-9, BL2MP-5)."""

import itertools
import math
from collections import Counter

import pytest
import torch

from kasu.lm.models.definitions import DEFINITIONS, Text
from kasu.lm.models.language_model import load_model
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import ItemText
from kasu.lm.scoring.score import score_rows

M = 99


def asked(definition, text):
    return [(*query,) for query in DEFINITIONS[definition].queries(text, M)]


def sentence(*ids, ends=(), words=()):
    return Text(ids, tuple(at in ends for at in range(len(ids))), words)


def score(model, definition, *items):
    entries = encode_items(model, items, definition, "error", Counter())
    return [row["log_probability"] for row in score_rows(model, entries, definition, 2048)]


def test_a_form_is_filled_in_from_left_to_right_with_one_mask():
    text = Text((1, M, 2), (False,) * 3, target=(7, 8, 9))
    assert asked("word_released", text) == [
        ((1, M, 2), (1,), (7,)),
        ((1, 7, M, 2), (2,), (8,)),
        ((1, 7, 8, M, 2), (3,), (9,)),
    ]


def test_the_intended_sentence_score_has_one_mask_after_the_past():
    assert asked("sentence_intended", sentence(1, 2, 3)) == [
        ((1, M), (1,), (2,)),
        ((1, 2, M), (2,), (3,)),
    ]


def test_in_the_released_sentence_scores_earlier_masks_remain():
    contexts = [(1, M), (1, M, 2, M), (1, M, 2, M, 3, M)]
    for definition, positions in (("dec19", (1, 3, 5)), ("dec24", (1, 1, 1))):
        assert asked(f"sentence_released_{definition}", sentence(1, 2, 3, 4)) == [
            (ids, (at,), (token,))
            for ids, at, token in zip(contexts, positions, (2, 3, 4), strict=True)
        ]


def test_pseudo_log_likelihood_masks_each_token_but_special_ones():
    assert asked("pll_original", sentence(1, 5, 6, 2, ends=(0, 3))) == [
        ((1, M, 6, 2), (1,), (5,)),
        ((1, 5, M, 2), (2,), (6,)),
    ]


def test_within_a_word_later_tokens_are_masked_too():
    text = sentence(1, 5, 6, 7, 2, ends=(0, 4), words=(None, 0, 0, 1, None))
    assert asked("pll_within_word_l2r", text) == [
        ((1, M, M, 7, 2), (1,), (5,)),
        ((1, 5, M, 7, 2), (2,), (6,)),
        ((1, 5, 6, M, 2), (3,), (7,)),
    ]


def test_within_a_word_of_four_tokens_all_later_ones_are_masked():
    text = sentence(1, 5, 6, 7, 8, 9, 2, ends=(0, 6), words=(None, 0, 0, 0, 0, 1, None))
    assert asked("pll_within_word_l2r", text) == [
        ((1, M, M, M, M, 9, 2), (1,), (5,)),
        ((1, 5, M, M, M, 9, 2), (2,), (6,)),
        ((1, 5, 6, M, M, 9, 2), (3,), (7,)),
        ((1, 5, 6, 7, M, 9, 2), (4,), (8,)),
        ((1, 5, 6, 7, 8, M, 2), (5,), (9,)),
    ]


def test_a_causal_model_is_queried_once():
    assert asked("causal", sentence(1, 5, 6, ends=(0,))) == [((1, 5, 6), (0, 1), (5, 6))]
    assert asked("causal_released", sentence(5, 6)) == [((5, 6), (0,), (6,))]
    assert asked("causal_released", sentence(5)) == []


def test_under_a_uniform_model_the_form_with_fewest_tokens_wins(uniform):
    # etxe ##ak ##a | etxe: the pattern of an untrained head (GEO-17)
    three, one = score(
        uniform,
        "word_released",
        ItemText("1", "form_good", "etxeaka", "[MASK] du", "etxeaka"),
        ItemText("1", "form_bad", "etxe du", "[MASK] du", "etxe"),
    )
    assert one == pytest.approx(-math.log(uniform.vocabulary))
    assert three == pytest.approx(-3 * math.log(uniform.vocabulary))
    assert one > three


def test_equal_numbers_of_tokens_tie_to_the_bit_under_a_uniform_model(uniform):
    # and a tie is wrong: nothing is strictly larger
    for definition in ("pll_original", "sentence_released_dec24"):
        good, bad = score(
            uniform,
            definition,
            ItemText("1", "good", "gizon ak du"),
            ItemText("1", "bad", "ak du gizon"),
        )
        assert good == bad
        assert not good > bad


def log_table(model):
    return model.network.table.log_softmax(dim=1).double()


def ids(model, text):
    return model.tokenizer(text, add_special_tokens=False)["input_ids"]


def test_causal_scores_of_a_bigram_model_by_hand(bigram):
    model = bigram("causal")
    text = "gizon ak etxe a ikusi du"
    tokens = ids(model, text)
    table = log_table(model)
    by_hand = sum(float(table[one, two]) for one, two in itertools.pairwise(tokens))
    (natural,) = score(model, "causal", ItemText("1", "s", text))
    (bits,) = score(model, "causal_released", ItemText("1", "s", text))
    assert natural == pytest.approx(by_hand, abs=1e-5)
    assert bits == pytest.approx(by_hand / math.log(2), abs=1e-5)  # GEO-9: base 2


def test_intended_and_both_releases_differ_on_three_tokens(bigram):
    model = bigram("masked")
    first, second, third = ids(model, "gizon ikusi du")
    table, mask = log_table(model), model.mask
    item = ItemText("1", "s", "gizon ikusi du")
    begin = table[first, second]
    by_hand = {
        "sentence_intended": begin + table[second, third],
        "sentence_released_dec19": begin + table[second, third],
        "sentence_released_dec24": begin + table[first, third],
    }
    for definition, expected in by_hand.items():
        assert score(model, definition, item) == [pytest.approx(float(expected), abs=1e-5)]
    assert mask not in (first, second, third)


def test_a_bidirectional_model_scores_the_three_differently(bert):
    model = load_model(bert, "masked", device=torch.device("cpu"))
    item = ItemText("1", "s", "gizon ikusi du")
    found = [
        score(model, f"sentence_{name}", item)[0]
        for name in ("intended", "released_dec19", "released_dec24")
    ]
    assert len({round(value, 3) for value in found}) == 3


def test_the_released_definitions_floor_a_token(bigram):
    model = bigram("causal")
    model.network.table = torch.zeros_like(model.network.table)
    model.network.table[:, 0] = 100.0
    item = ItemText("1", "s", "gizon du")
    assert score(model, "causal_released", item) == [pytest.approx(math.log2(1e-12))]
    assert score(model, "causal", item) == [pytest.approx(-100, abs=1e-4)]


def test_floored_tokens_are_counted_by_text(bigram):
    model = bigram("causal")
    # gizon follows anything; every other token is below the floor
    table = torch.zeros_like(model.network.table)
    table[:, ids(model, "gizon")] = 100.0
    model.network.table = table
    texts = ("du gizon du du", "du gizon", "gizon gizon du")
    items = [ItemText(str(at), "s", text) for at, text in enumerate(texts)]
    for definition, floored in (("causal_released", [2, 0, 1]), ("causal", [0, 0, 0])):
        entries = encode_items(model, items, definition, "error", Counter())
        rows = score_rows(model, entries, definition, 2048)
        assert [row["floored"] for row in rows] == floored
        assert [row["scored"] for row in rows] == [3, 1, 2]

"""Untrained heads: missing from a checkpoint, or found by their scores (GEO-17)."""

import csv
import math
import shutil
from collections import Counter

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from kasu.base.errors import KasuError
from kasu.lm.models.language_model import load_model
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import ItemText
from kasu.lm.scoring.score import score_rows
from kasu.lm.scoring.untrained import untrained_differences, untrained_head

CPU = torch.device("cpu")
VOCABULARY = {"RemBERT": 250_300, "HPLT": 32_768, "XLM-RoBERTa": 250_002, "mBERT": 119_547}


def scores(spread, mean=None, texts=100):
    draw = np.random.default_rng(1)
    counts = draw.integers(1, 6, texts)
    mean = -math.log(50_000) if mean is None else mean
    return [draw.normal(mean, spread, count).sum() for count in counts], counts


def test_a_random_head_is_found():
    values, counts = scores(spread=0.6)
    assert untrained_head(values, 50_000, counts)
    assert untrained_head(values, 50_000)


def test_a_trained_head_is_not():
    for mean in (-4, -math.log(50_000)):  # the second is at chance on average, but varies
        values, counts = scores(spread=5, mean=mean)
        assert not untrained_head(values, 50_000, counts)
        assert not untrained_head(values, 50_000)


def test_few_texts_are_not_judged():
    values, counts = scores(spread=0, texts=19)
    assert untrained_head(values, 50_000, counts) is None
    assert untrained_head([], 50_000) is None
    assert untrained_head(np.zeros(30), 50_000, np.zeros(30, int)) is None


def test_differences_of_whole_tokens_betray_a_random_head():
    draw = np.random.default_rng(1)
    tokens = draw.integers(-3, 4, 200)
    size = math.log(50_000)
    assert untrained_differences(size * (tokens + draw.normal(0, 0.15, 200)), 50_000) is True
    assert untrained_differences(size * draw.normal(0, 2, 200), 50_000) is False


def test_differences_of_less_than_a_token_say_nothing():
    small = np.random.default_rng(1).normal(0, 0.1, 500)
    assert untrained_differences(math.log(50_000) * small, 50_000) is None


@pytest.mark.real
def test_of_the_published_models_only_rembert_is_untrained(mirror):
    files = (mirror / "papers/georgian-case-alignment/results/full").glob("mlm-*word-level.csv")
    found = set()
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            values = [
                math.log(float(value))
                for row in csv.DictReader(file)
                for name, value in row.items()
                if name.startswith("p_form")
            ]
        (size,) = (size for name, size in VOCABULARY.items() if f"mlm-{name}" in path.name)
        found.add(("RemBERT" in path.name, untrained_head(values, size)))
    assert found == {(True, True), (False, False)}


def test_twenty_texts_are_enough():
    nat = math.log(50_000)
    assert untrained_head([-2 * nat] * 20, 50_000, [2] * 20)
    assert untrained_head([-2 * nat] * 20, 50_000)


@pytest.mark.parametrize(("off", "untrained"), [(0.09, True), (0.11, False)])
def test_how_close_a_token_of_a_random_head_is(off, untrained):
    nat = math.log(50_000)
    values = [-3 * (1 + sign * off) * nat for sign in (1, -1)] * 10
    assert untrained_head(values, 50_000, [3] * 20) is untrained


@pytest.mark.parametrize(("off", "untrained"), [(0.19, True), (0.21, False)])
def test_how_close_a_text_of_a_random_head_is_to_a_multiple(off, untrained):
    nat = math.log(50_000)
    assert untrained_head([-(2 + off) * nat, -(3 - off) * nat] * 10, 50_000) is untrained


def test_a_sure_prediction_is_near_no_positive_multiple():
    assert not untrained_head([-0.01] * 20, 50_000)


def test_texts_without_a_scored_token_do_not_count():
    nat = math.log(50_000)
    values, counts = [-nat] * 20 + [0.0] * 20, [1] * 20 + [0] * 20
    assert untrained_head(values, 50_000, counts)
    assert not untrained_head(values[1:], 50_000, counts[1:])


@pytest.fixture
def copied(tmp_path, bert):
    return shutil.copytree(bert, tmp_path / "copied")


def test_a_checkpoint_without_its_head_is_scored_if_it_is_said_to_be_untrained(copied, caplog):
    weights = load_file(copied / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if not name.startswith("cls.")}
    save_file(kept, copied / "model.safetensors", {"format": "pt"})
    with pytest.raises(KasuError, match=r"no weights cls\.predictions\.bias.* it is `untrained`"):
        load_model(copied, "masked", device=CPU)
    with caplog.at_level("WARNING", "kasu"):
        model = load_model(copied, "masked", device=CPU, untrained=True)
        again = load_model(copied, "masked", device=CPU, untrained=True)
    assert "cls.predictions.transform.dense.weight" in model.missing
    assert "untrained: the checkpoint lacks" in caplog.text
    question = (torch.tensor([[2, 5, 3]]), [0], [1], [5])
    assert model.log_probabilities(*question) == again.log_probabilities(*question)


def test_a_head_that_looks_untrained_is_said(uniform, bigram, caplog):
    items = [ItemText(str(number), "s", "etxe " * number) for number in range(2, 23)]
    for model, definition in ((uniform, "pll_original"), (bigram("causal"), "causal_released")):
        score_rows(
            model, encode_items(model, items, definition, "error", Counter()), definition, 256
        )
    line = "uniform, pll_original: scores like those of an untrained head"
    assert [each.message for each in caplog.records if each.levelname == "WARNING"] == [line]

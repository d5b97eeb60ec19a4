"""States are those of the network that predicts, at the words that are linked to a verb."""

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import load_file

from kasu.agreement.data.sentences import SCHEMA
from kasu.agreement.data.treebank import TREEBANK
from kasu.agreement.models.inference import Models, predict
from kasu.agreement.models.states import WORDS, read_states, save_states
from kasu.files.tables import write_parquet

CPU = torch.device("cpu")


@pytest.fixture
def second_verb(draw_suffixes):
    """Draw sentences whose second verb, *da*, licenses *-a* alone; the first has its own suffix."""

    def draw(count, seed):
        for row in draw_suffixes(count, seed):
            verb, suffix = row["stems"][3], row["suffixes"][2]
            words = {name: [*row[name], "da"] for name in ("tokens", "stems", "lemmas")}
            marks = {"suffixes": [*row["suffixes"], "none"], "finite": [*row["finite"], True]}
            licensed = ["", "", "", suffix if verb != "da" else "-a", "-a"]
            yield {**row, **words, **marks, "licensed": licensed, "variant": "paper"}

    return draw


@pytest.fixture
def trained(tmp_path, second_verb, settings, train):
    for seed, (name, count) in enumerate({"train": 60, "validation": 20, "test": 20}.items()):
        write_parquet(tmp_path / f"{name}.parquet", second_verb(count, seed), SCHEMA)
    settings["epochs"] = 2
    return train(tmp_path, tmp_path, settings, seeds=[1, 2], task="suffix")


@pytest.fixture
def saved(trained):
    paths = [trained / name for name in ("test.parquet", "model", "vocabulary")]
    paths[0] = {"test": paths[0]}
    save_states(*paths, trained / "words", trained / "states", seeds=(1, 2), device="cpu")
    return pq.read_table(trained / "words"), load_file(trained / "states")


def test_one_row_for_each_linked_word_of_each_network(saved):
    words, states = saved
    assert words.schema.equals(WORDS)
    rows = words.to_pylist()
    linked = {row["item_id"] for row in rows}
    # Where both verbs license *-a*, no word is linked; the noun before the first verb is closest
    assert 0 < len(linked) < 20
    assert len(rows) == 2 * len(linked)
    assert {row["position"] for row in rows} == {2}
    assert {row["closest"] for row in rows} == {True}
    assert rows[0]["forms"][1] == "da" and rows[0]["suffix"] != "-a"
    names = ("trained", "untrained", "word")
    assert set(states) == {f"paper/{seed}/{name}" for seed in (1, 2) for name in names}
    assert states["paper/2/untrained"].shape == (len(linked), 24)
    assert states["paper/2/word"].shape == (len(linked), 12)


def test_the_prediction_is_that_of_the_test_set(saved, trained):
    paths = [trained / name for name in ("test.parquet", "model", "vocabulary", "predictions")]
    predict(*paths, device="cpu")
    keys = ("item_id", "position", "seed", "prediction")
    predicted = {tuple(row[key] for key in keys) for row in pq.read_table(paths[-1]).to_pylist()}
    assert {tuple(row[key] for key in keys) for row in saved[0].to_pylist()} <= predicted


def test_the_states_are_those_before_and_after_training(saved, trained):
    words, states = saved
    models = Models(trained / "model", trained / "vocabulary")
    data = models.read(trained / "test.parquet", "paper")
    first = words.to_pylist()[0]
    row = data.sentences.items["item_id"].to_pylist().index(first["item_id"])
    batch = data.batch(np.array([row]), CPU)
    network = models.draw("paper", 1).eval()
    with torch.inference_mode():
        before = network.states(batch)[first["position"], 0]
        models.load(network, "paper", 1)
        after = network.states(batch)[first["position"], 0]
        vector = network.vectors(batch)[first["position"], 0]
    for name, expected in {"untrained": before, "trained": after, "word": vector}.items():
        torch.testing.assert_close(states[f"paper/1/{name}"][0], expected.half())
    assert not torch.allclose(before, after)


def test_states_of_a_treebank_follow_those_of_the_test_set(saved, trained):
    """The second unit is no word of the treebank; verbs have no suffix to predict."""
    rows = pq.read_table(trained / "test.parquet").to_pylist()[:2]
    labels = {name: ["a", None, "c", "d", "e"] for name in ("upos", "case", "number", "deprel")}
    rows = [row | labels | {"split": "dev"} for row in rows]
    write_parquet(trained / "treebank", rows, TREEBANK)
    texts = {"test": trained / "test.parquet", "treebank": trained / "treebank"}
    paths = [trained / name for name in ("model", "vocabulary", "more_words", "more_states")]
    save_states(texts, *paths, seeds=[1], device="cpu")
    words, states = pq.read_table(paths[2]), load_file(paths[3])
    first = words.filter(pc.field("seed") == 1).to_pylist()
    linked = saved[0].filter(pc.field("seed") == 1).to_pylist()
    assert first[: len(linked)] == linked
    assert [(row["position"], row["upos"]) for row in first[len(linked) :]] == 2 * [
        (0, "a"), (2, "c"), (3, "d"), (4, "e"),
    ]  # fmt: skip
    assert [row["suffix"] for row in first[len(linked) :]][2:4] == [None, None]
    assert set(words["seed"].to_pylist()) == {1}
    assert len(states) == 3
    for name, values in states.items():
        torch.testing.assert_close(values[: len(linked)], saved[1][name])
        assert len(values) == len(first)


def test_without_a_linked_word_the_states_are_none(trained):
    models = Models(trained / "model", trained / "vocabulary")
    data = models.read(trained / "test.parquet", "paper")
    network = models.draw("paper", 1).eval()
    assert read_states(network.states, data, np.array([], int), 16, CPU).shape == (0, 24)

"""Training a small masked language model on sentences that a grammar makes."""

import itertools

import numpy as np
import pyarrow as pa
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.base.tables import read_tsv, write_parquet
from kasu.lm import pretrain as module
from kasu.lm.encoder import Encoder
from kasu.lm.fingerprint import folder_hash
from kasu.lm.loading import MASKED, load_network, load_tokenizer
from kasu.lm.pretrain import learning_rate, mask_tokens, pretrain
from kasu.lm.tokenizer import SPECIAL

SETTINGS = {
    "vocabulary": 90,
    "layers": 1,
    "hidden": 64,
    "length": 16,
    "tokens_per_batch": 128,
    "steps": 12,
    "learning_rate": 0.003,
    "warmup": 0.25,
    "held_out": 0.2,
    "evaluate_every": 5,
    "threads": 1,
    "checkpoint_every": 600,
}
NOUNS = ("chat", "voisin", "livre", "jardin", "train", "pont")
TEXTS = [
    sentence
    for first, second, verb in itertools.product(NOUNS, NOUNS, ("dort", "part", "rit"))
    for sentence in (
        f"Le {first} du {second} {verb}.",
        f"Les {first}s des {second}s {verb.replace('t', 'tent')}.",
    )
]
SCHEMA = pa.schema([("text", pa.string()), ("split_key", pa.string())])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "corpus.parquet"
    rows = [{"text": text, "split_key": f"{number:016x}"} for number, text in enumerate(TEXTS)]
    write_parquet(path, rows, SCHEMA)
    return path


def train(corpus, folder, code="1", **changes):
    pretrain(
        corpus, folder / "model", folder / "history.tsv", folder / "work",
        settings=SETTINGS | changes, seed=1, device="cpu", code=code,
    )  # fmt: skip
    return folder / "model"


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    return train(corpus, tmp_path_factory.mktemp("trained"))


def test_a_second_run_gives_the_same_bytes(corpus, trained, tmp_path):
    assert folder_hash(train(corpus, tmp_path)) == folder_hash(trained)
    history = (tmp_path / "history.tsv").read_bytes()
    assert history == (trained.parent / "history.tsv").read_bytes()


def test_another_seed_or_text_gives_another_model(corpus, trained, tmp_path):
    assert folder_hash(train(corpus, tmp_path, steps=11)) != folder_hash(trained)


def test_a_killed_run_resumes_to_the_same_bytes(corpus, trained, tmp_path, monkeypatch):
    class Killed(Exception):
        pass

    def killed(step, settings):
        if step == 8:
            raise Killed
        return learning_rate(step, settings)

    monkeypatch.setattr(module, "learning_rate", killed)
    with pytest.raises(Killed):
        train(corpus, tmp_path, checkpoint_every=0)
    assert not (tmp_path / "model").exists()
    seen = []
    monkeypatch.setattr(
        module, "learning_rate", lambda *args: seen.append(args[0]) or learning_rate(*args)
    )
    train(corpus, tmp_path, checkpoint_every=0)
    assert seen == [8, 9, 10, 11]
    assert folder_hash(tmp_path / "model") == folder_hash(trained)
    assert not (tmp_path / "work").exists()


def test_the_history_says_what_a_null_gets(trained):
    rows = read_tsv(trained.parent / "history.tsv", module.HISTORY)
    assert [row["step"] for row in rows] == ["5", "10", "12"]
    assert float(rows[-1]["train_loss"]) < float(rows[0]["train_loss"])
    assert {row["majority_accuracy"] for row in rows} == {rows[0]["majority_accuracy"]}
    assert 0 < float(rows[0]["majority_accuracy"]) < 0.5


def test_it_learns_more_than_the_null(corpus, tmp_path):
    train(corpus, tmp_path, steps=150, evaluate_every=150)
    (row,) = read_tsv(tmp_path / "history.tsv")
    assert float(row["validation_accuracy"]) > 2 * float(row["majority_accuracy"])


def test_the_folder_loads_as_any_model(trained):
    cpu = torch.device("cpu")
    assert Encoder(trained, cpu, pooling="mean").encode(TEXTS[:3], 64).shape == (3, 64)
    network, tokenizer = load_network(trained, MASKED, cpu), load_tokenizer(trained)
    assert network.config.vocab_size == len(tokenizer)
    assert tokenizer.model_max_length == 16
    names = {path.name for path in trained.iterdir()}
    assert names == {
        "config.json",
        "kasu.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }


def test_special_tokens_have_their_numbers(trained):
    tokenizer = load_tokenizer(trained)
    numbers = tokenizer.convert_tokens_to_ids(list(SPECIAL))
    assert numbers == [0, 1, 2, 3, 4]
    coded = tokenizer("Le [MASK] dort.")["input_ids"]
    whole = tokenizer("Le dort.")["input_ids"]
    assert coded == [*whole[:2], 4, *whole[2:]]


def test_a_width_of_no_whole_heads_is_one_line(corpus, tmp_path):
    with pytest.raises(KasuError, match="hidden: 100; expected a multiple of 64"):
        train(corpus, tmp_path, hidden=100)


def test_too_little_text_is_one_line(tmp_path):
    path = tmp_path / "corpus.parquet"
    write_parquet(path, [{"text": "Oui.", "split_key": "0"}], SCHEMA)
    with pytest.raises(KasuError, match=r"corpus\.parquet: no sentence for \w+ of 1"):
        train(path, tmp_path)


@given(st.integers(0, 50), st.integers(1, 4), st.integers(3, 12))
def test_only_ordinary_tokens_are_hidden(seed, rows, width):
    matrix = np.random.default_rng(seed).integers(5, 50, (rows, width))
    matrix[:, 0], matrix[:, -1] = 2, 0
    shown = matrix != 0
    read, hidden = mask_tokens(matrix, shown, 50, seed)
    assert hidden.any()
    assert not hidden[:, [0, -1]].any()
    assert (read[~hidden] == matrix[~hidden]).all()
    assert ((read[hidden] == 4) | (read[hidden] >= 5)).all()


def test_of_the_hidden_tokens_four_in_five_are_masks():
    matrix = np.full((200, 100), 7)
    read, hidden = mask_tokens(matrix, matrix > 0, 1000, 1)
    assert abs(hidden.mean() - 0.15) < 0.01
    assert abs((read[hidden] == 4).mean() - 0.8) < 0.02
    assert abs((read[hidden] == 7).mean() - 0.1) < 0.02


def test_the_learning_rate_rises_and_falls():
    settings = {"steps": 10, "warmup": 0.2, "learning_rate": 1.0}
    rates = [learning_rate(step, settings) for step in range(10)]
    assert rates[:3] == [0.5, 1.0, 8 / 9]
    assert rates[-1] == pytest.approx(1 / 9)

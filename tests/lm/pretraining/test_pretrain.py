"""Training a small masked language model on sentences that a grammar makes."""

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace

import pyarrow as pa
import pytest
import torch

from kasu.base.errors import KasuError
from kasu.files.seals import folder_hash
from kasu.files.tables import read_tsv, write_parquet
from kasu.lm import MASKED
from kasu.lm.models.encoder import Encoder
from kasu.lm.models.loading import load_parts, load_tokenizer
from kasu.lm.pretraining import trainer as module
from kasu.lm.pretraining.packing import encode_corpus
from kasu.lm.pretraining.pretrain import (
    EPOCH_HISTORY,
    CheckpointJob,
    pretrain,
    pretrain_checkpoint,
    pretrain_together,
)
from kasu.lm.pretraining.schedule import learning_rate
from kasu.lm.pretraining.tokenizer import SPECIAL, write_tokenizer

SETTINGS = {
    "vocabulary": 90,
    "layers": 1,
    "hidden": 64,
    "length": 16,
    "tokens_per_batch": 128,
    "tokens_per_pass": 64,
    "steps": 12,
    "learning_rate": 0.003,
    "warmup": 0.25,
    "dropout": 0.1,
    "held_out": 0.2,
    "evaluate_every": 5,
    "threads": 1,
    "checkpoint_every": 600,
}
CHAIN = {
    key: value
    for key, value in SETTINGS.items()
    if key not in ("vocabulary", "steps", "held_out", "evaluate_every")
} | {"epochs": 4, "steps_per_epoch": 3}
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


def train(corpus, folder, seed=1, **changes):
    pretrain(
        corpus, folder / "model", folder / "history.tsv", folder / "work",
        settings=SETTINGS | changes, seed=seed, device="cpu", code="1",
    )  # fmt: skip
    return folder / "model"


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    return train(corpus, tmp_path_factory.mktemp("trained"))


def test_a_second_run_gives_the_same_bytes(corpus, trained, tmp_path):
    assert folder_hash(train(corpus, tmp_path)) == folder_hash(trained)
    history = (tmp_path / "history.tsv").read_bytes()
    assert history == (trained.parent / "history.tsv").read_bytes()


def weights(model):
    return (model / "model.safetensors").read_bytes()


def test_another_seed_or_text_gives_another_model(corpus, trained, tmp_path):
    assert weights(train(corpus, tmp_path, seed=2)) != weights(trained)
    rows = [{"text": text, "split_key": f"{number:016x}"} for number, text in enumerate(TEXTS)]
    write_parquet(tmp_path / "corpus.parquet", rows[::-1], SCHEMA)
    assert weights(train(tmp_path / "corpus.parquet", tmp_path)) != weights(trained)


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


def test_the_history_holds_the_accuracy_of_the_null(trained):
    rows = read_tsv(trained.parent / "history.tsv", module.HISTORY)
    assert [row["step"] for row in rows] == ["5", "10", "12"]
    assert float(rows[-1]["train_loss"]) < float(rows[0]["train_loss"])
    assert {row["majority_accuracy"] for row in rows} == {rows[0]["majority_accuracy"]}
    assert 0 < float(rows[0]["majority_accuracy"]) < 0.5


def test_it_learns_more_than_the_null(corpus, tmp_path):
    train(corpus, tmp_path, steps=200, evaluate_every=200, masking="token")
    (row,) = read_tsv(tmp_path / "history.tsv")
    assert float(row["validation_accuracy"]) > 2 * float(row["majority_accuracy"])


def test_the_folder_loads_like_any_model(trained):
    cpu = torch.device("cpu")
    assert Encoder(trained, cpu, pooling="mean").encode(TEXTS[:3], 64).shape == (3, 64)
    tokenizer, network, *_ = load_parts(trained, MASKED, cpu)
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


def test_special_tokens_have_fixed_ids(trained):
    tokenizer = load_tokenizer(trained)
    numbers = tokenizer.convert_tokens_to_ids(list(SPECIAL))
    assert numbers == [0, 1, 2, 3, 4]
    coded = tokenizer("Le [MASK] dort.")["input_ids"]
    whole = tokenizer("Le dort.")["input_ids"]
    assert coded == [*whole[:2], 4, *whole[2:]]


def test_a_width_without_whole_heads_is_one_line(corpus, tmp_path):
    with pytest.raises(KasuError, match="hidden: 100; expected a multiple of 64"):
        train(corpus, tmp_path, hidden=100)


def test_too_little_text_is_one_line(tmp_path):
    path = tmp_path / "corpus.parquet"
    write_parquet(path, [{"text": "Oui.", "split_key": "0"}], SCHEMA)
    with pytest.raises(KasuError, match=r"corpus\.parquet: no sentence for \w+"):
        train(path, tmp_path)


@pytest.fixture(scope="module")
def streams(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    write_tokenizer(corpus, folder / "tokenizer", vocabulary=90, length=16)
    for name in ("train", "validation"):
        encode_corpus(corpus, folder / "tokenizer", folder / f"{name}.npy", folder / "counts.tsv")
    return folder


def job(streams, out, epoch, previous=None, **changes):
    """A job that JSON can hold."""
    paths = {
        "tokens": streams / "train.npy", "validation": streams / "validation.npy",
        "tokenizer": streams / "tokenizer", "previous": previous, "model": out / "model",
        "state": out / "state", "history": out / "history.tsv", "work": out / "work",
    }  # fmt: skip
    plain = {key: path and str(path) for key, path in paths.items()}
    other = {"epoch": epoch, "seed": 1, "device": "cpu", "code": "1"}
    return CheckpointJob(**plain, **other, settings=CHAIN | changes)


def checkpoint(streams, out, epoch, previous=None, **changes):
    pretrain_checkpoint(job(streams, out, epoch, previous, **changes))
    return out


@pytest.fixture(scope="module")
def whole(streams, tmp_path_factory):
    return checkpoint(streams, tmp_path_factory.mktemp("whole"), 4)


def contents(out):
    """Everything that a job leaves behind."""
    files = [(out / name).read_bytes() for name in ("state", "history.tsv")]
    return folder_hash(out / "model"), *files


def test_a_chain_of_jobs_gives_the_bytes_of_one(streams, whole, tmp_path):
    previous = None
    for epoch in (1, 2, 4):
        out = checkpoint(streams, tmp_path / str(epoch), epoch, previous)
        previous = out / "state"
    assert contents(out) == contents(whole)
    rows = read_tsv(out / "history.tsv", EPOCH_HISTORY)
    assert [(row["epoch"], row["step"]) for row in rows] == [("1", "3"), ("2", "6"), ("4", "12")]
    network = load_parts(tmp_path / "1" / "model", MASKED, torch.device("cpu")).network
    assert network.config.vocab_size == len(load_tokenizer(tmp_path / "1" / "model"))


def jobs_of(streams, folder, **changes):
    """The jobs of a training up to its last checkpoint, as one process does them."""
    return [
        replace(job(streams, folder / str(epoch), epoch, **changes), work="") for epoch in (1, 2, 4)
    ]


def test_models_that_are_trained_together_have_the_bytes_of_their_own_jobs(
    streams, whole, tmp_path
):
    trainings = {
        "a": jobs_of(streams, tmp_path / "a"),
        "b": [replace(each, seed=2) for each in jobs_of(streams, tmp_path / "b")],
    }
    pretrain_together(trainings, tmp_path / "work")
    assert contents(tmp_path / "a/4") == contents(whole)
    assert weights(tmp_path / "b/4/model") != weights(tmp_path / "a/4/model")
    assert not (tmp_path / "work").exists()


def test_a_model_that_fails_loses_no_other_and_trained_ones_are_not_trained_again(
    streams, whole, tmp_path, monkeypatch
):
    bad = [
        replace(each, settings=CHAIN | {"hidden": 100})
        for each in jobs_of(streams, tmp_path / "bad")
    ]
    good = jobs_of(streams, tmp_path / "good")
    with pytest.raises(
        KasuError, match=r"^bad failed: settings, hidden: 100; expected a multiple of 64"
    ):
        pretrain_together({"bad": bad, "good": good}, tmp_path / "work")
    assert folder_hash(tmp_path / "good/4/model") == folder_hash(whole / "model")
    # The next run finds neither models nor the fault
    shutil.rmtree(tmp_path / "good")
    trained = []
    train = module.Trainer._train
    monkeypatch.setattr(
        module.Trainer, "_train", lambda *given: trained.append(given[0].step) or train(*given)
    )
    both = {"bad": jobs_of(streams, tmp_path / "bad"), "good": good}
    pretrain_together(both, tmp_path / "work")
    assert trained == [*range(12)]
    assert folder_hash(tmp_path / "good/4/model") == folder_hash(whole / "model")
    assert folder_hash(tmp_path / "bad/4/model") == folder_hash(whole / "model")


def test_a_job_killed_at_some_step_resumes_to_the_same_bytes(streams, whole, tmp_path):
    given = job(streams, tmp_path, 4, checkpoint_every=0)
    # Slow steps, so that the kill can hit anywhere within a step or between two
    script = (
        "import json, sys, time; from kasu.lm.pretraining import trainer;"
        "from kasu.lm.pretraining.pretrain import *;"
        "train = trainer.Trainer._train;"
        "trainer.Trainer._train = lambda *given: (time.sleep(0.05), train(*given));"
        "pretrain_checkpoint(CheckpointJob(**json.loads(sys.argv[1])))"
    )
    path = os.pathsep.join(sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", script, json.dumps(asdict(given))],
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        end = time.monotonic() + 600
        while not (tmp_path / "work" / "state.pt").exists():
            assert process.poll() is None, "it ended too early"
            assert time.monotonic() < end, "no state in ten minutes"
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.3))
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "model").exists()
    assert contents(checkpoint(streams, tmp_path, 4)) == contents(whole)
    assert not (tmp_path / "work").exists()


def test_a_state_of_another_config_is_one_line(streams, whole, tmp_path):
    with pytest.raises(
        KasuError, match=r"a checkpoint of another run: settings, warmup 0.25; expected 0.5"
    ):
        checkpoint(streams, tmp_path, 4, whole / "state", warmup=0.5)


def test_a_chain_that_continues_under_other_code_logs_it(streams, tmp_path, caplog):
    first = checkpoint(streams, tmp_path / "1", 1)
    with caplog.at_level("INFO", "kasu"):
        checkpoint(streams, tmp_path / "2", 2, first / "state")
        assert not [line for line in caplog.messages if "made under" in line]
        later = job(streams, tmp_path / "other", 2, first / "state")
        pretrain_checkpoint(replace(later, code="2"))
    (said,) = [line for line in caplog.messages if "made under" in line]
    assert said.endswith("state: made under code 1, now 2: not the bytes of one run")


def test_a_state_of_a_later_epoch_is_one_line(streams, whole, tmp_path):
    with pytest.raises(KasuError, match="step 12; expected one before 6"):
        checkpoint(streams, tmp_path, 2, whole / "state")


def test_an_epoch_without_checkpoint_is_one_line(streams, tmp_path):
    with pytest.raises(KasuError, match="epoch: 3; expected one of 1, 2, 4"):
        checkpoint(streams, tmp_path, 3)


@pytest.mark.real
def test_basque_text_runs_end_to_end(mirror, tmp_path):
    text = mirror / "wikipedia" / "eu_more" / "flores_sib200.eu.txt.xz"
    write_tokenizer(text, tmp_path / "tokenizer", vocabulary=2000, length=64, fewer=False)
    for name in ("train", "validation"):
        encode_corpus(text, tmp_path / "tokenizer", tmp_path / f"{name}.npy", tmp_path / "counts")
    out = checkpoint(tmp_path, tmp_path / "out", 1, layers=2, length=64, steps_per_epoch=5)
    (row,) = read_tsv(out / "history.tsv", EPOCH_HISTORY)
    assert 6 < float(row["validation_loss"]) < 8
    network = load_parts(out / "model", MASKED, torch.device("cpu")).network
    assert network.config.max_position_embeddings == 64


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 0}, "no epochs or no steps_per_epoch; expected both"),
        ({"steps": 11}, "settings, steps: 11; expected epochs times steps_per_epoch"),
    ],
)
def test_a_chain_needs_epochs_that_make_its_steps(streams, tmp_path, changes, message):
    with pytest.raises(KasuError, match=message):
        checkpoint(streams, tmp_path, 1, **{"steps": 12} | changes)


def test_a_chain_does_not_train_a_checkpoint_again(streams, whole, tmp_path):
    with pytest.raises(KasuError, match="step 12; expected one before 12"):
        checkpoint(streams, tmp_path, 4, whole / "state")

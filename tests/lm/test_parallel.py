"""Two processes on one machine; their gradients travel over gloo."""

import pytest
import torch

from kasu.base.tables import read_tsv
from kasu.lm.loading import MASKED, load_network
from kasu.lm.packing import encode_corpus
from kasu.lm.parallel import add_up, launch, rank, world
from kasu.lm.pretrain import pretrain_checkpoint
from kasu.lm.tokenizer import write_tokenizer

TEXTS = [f"Le {a} du {b} {c}." for a in ("chat", "pont") for b in ("train", "livre", "jardin")
         for c in ("dort", "part", "rit")]  # fmt: skip
SETTINGS = {
    "layers": 1, "hidden": 64, "length": 16, "tokens_per_batch": 96, "tokens_per_pass": 32,
    "learning_rate": 0.003, "dropout": 0.1, "epochs": 2, "steps_per_epoch": 3,
}  # fmt: skip


def test_one_process_is_alone():
    assert (rank(), world()) == (0, 1)
    numbers = [torch.ones(2)]
    add_up(numbers)
    assert numbers[0].tolist() == [1.0, 1.0]


def test_two_processes_train_as_one_does(tmp_path):
    (tmp_path / "a.txt").write_text("\n".join(TEXTS))
    write_tokenizer(tmp_path / "a.txt", tmp_path / "tokenizer", vocabulary=60, length=16)
    tokens = tmp_path / "a.npy"
    encode_corpus(tmp_path / "a.txt", tmp_path / "tokenizer", tokens, tmp_path / "a.tsv")
    networks, losses = [], []
    for name, train in (
        ("one", lambda given: pretrain_checkpoint(**given)),
        ("two", lambda given: launch(given, 2)),
    ):
        out = tmp_path / name
        train({
            "tokens": tokens, "validation": tokens, "tokenizer": tmp_path / "tokenizer",
            "previous": None, "model": out / "model", "state": out / "state",
            "history": out / "history.tsv", "work": out / "work", "epoch": 2, "seed": 1,
            "settings": SETTINGS, "device": "cpu", "code": "1",
        })  # fmt: skip
        networks.append(load_network(out / "model", MASKED, torch.device("cpu")))
        losses += [
            [float(row["train_loss"]), float(row["validation_loss"])]
            for row in read_tsv(out / "history.tsv")
        ]
        assert not (out / "work").exists()
    weights = zip(*(network.state_dict().values() for network in networks), strict=True)
    assert max((one - other).abs().max().item() for one, other in weights) < 1e-3
    assert losses[:2] == [pytest.approx(pair, rel=1e-4) for pair in losses[2:]]

"""Trained members as a folder: which are kept; the command's tests show the rest."""

import json

import pytest

from kasu.base.errors import KasuError
from kasu.inflection import models
from kasu.inflection.models import Model, train_folder
from kasu.transduction.items import Answer, read_item
from kasu.transduction.members.families import Data, Run
from kasu.transduction.members.networks import NetworkFamily

ITEMS = [read_item(lemma, "N;PL", lemma + "ak") for lemma in ("bal", "dan", "kel", "ner")]
DATA = Data("toy", "low", ITEMS, ITEMS[:1], [])
OPTIONS = {"hidden": 4, "embedding": 4, "epochs": 1}
RUNS = [Run("released", seed) for seed in (1, 2, 3)]


@pytest.fixture
def diverging(monkeypatch):
    """Seeds whose training diverges."""
    seeds = set()
    train = NetworkFamily.train_networks

    def train_or_diverge(family, data, runs, options, session):
        error = KasuError("training", "loss nan", "a finite loss")
        networks = train(family, data, runs, options, session)
        return {run: error if run.seed in seeds else networks[run] for run in runs}

    monkeypatch.setattr(NetworkFamily, "train_networks", train_or_diverge)
    return seeds


def test_a_member_that_diverges_is_left_out(diverging, tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    diverging.add(2)
    train_folder(tmp_path, "iitbhu", DATA, RUNS, OPTIONS, "cpu")
    assert json.loads((tmp_path / "model.json").read_text())["members"] == [1, 3]
    assert "member 2: left out: training: loss nan; expected a finite loss" in caplog.messages
    assert len(Model(tmp_path).networks) == 2


def test_if_all_diverge_there_is_no_model(diverging, tmp_path):
    diverging.update((1, 2, 3))
    with pytest.raises(KasuError, match="training of iitbhu: all members diverge; expected"):
        train_folder(tmp_path, "iitbhu", DATA, RUNS, OPTIONS, "cpu")
    assert not (tmp_path / "model.json").exists()


def test_a_form_that_was_found_twice_is_given_once():
    answer = Answer(["a", "b", "a", "c"], [-1.0, -2.0, -3.0, -4.0])
    assert models._first(answer, 3) == Answer(["a", "b", "c"], [-1.0, -2.0, -4.0])
    assert models._first(answer, 1) == Answer(["a"], [-1.0])


def test_what_was_learned_is_read_again(tmp_path):
    train_folder(tmp_path, "iitbhu", DATA, RUNS[:1], OPTIONS, "cpu")
    one, two = Model(tmp_path), Model(tmp_path)
    for network, other in zip(one.networks, two.networks, strict=True):
        weights, others = network.state_dict(), other.state_dict()
        assert all((weights[name] == others[name]).all() for name in weights)
    assert one.answer(ITEMS) == two.answer(ITEMS)


def test_damaged_weights_are_refused(tmp_path):
    train_folder(tmp_path, "iitbhu", DATA, RUNS[:1], OPTIONS, "cpu")
    weights = tmp_path / "1.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(KasuError, match="changed since it was written"):
        Model(tmp_path)

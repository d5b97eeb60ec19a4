"""Training on invented vectors: schedules, outputs, byte-exact resume."""

import itertools
import logging
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import safetensors.torch
import torch

from kasu.blm.data.datasets import build_type_i
from kasu.blm.data.names import SPLITS, TYPES, RegimeData
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.models import training
from kasu.blm.models.predictions import PREDICTIONS
from kasu.blm.models.state_features import STATE_WIDTH, state_features
from kasu.blm.models.training import Grid, Schedule, train_networks
from kasu.files.tables import read_parquet, read_tsv, write_parquet
from kasu.neural.resume import read_state

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds" / "fra.tsv"
WIDTH = 12
VARIANTS = [
    {"name": "paper", "answers": "paper", "sizes": "paper", "loss": "cosine", "score": "cosine"},
    {"name": "released", "answers": "released", "sizes": "released", "loss": "dot", "score": "dot"},
]
EPOCHS = 3
SETTINGS = {
    "variants": VARIANTS[:1],
    "batch_size": 20,
    "patience": 3,
    "max_steps": None,
    "learning_rate": 0.003,
    "threads": 1,
    "checkpoint_every": 600,
}


def train(data: Path, out: Path, *, regimes=("allTrain",), weights=False, **changes) -> Path:
    axes = {"models": ["FFNN"], "seeds": [1]}
    axes |= {key: changes.pop(key) for key in list(changes) if key in axes}
    code = changes.pop("code", "1")
    embeddings = changes.pop("embeddings", {})
    epochs = changes.pop("epochs", EPOCHS)
    settings = {**SETTINGS, **changes}
    settings["variants"] = [{"epochs": epochs} | variant for variant in settings["variants"]]
    places = [RegimeData(regime, str(data)) for regime in regimes]
    train_networks(
        Grid(places, **axes, settings=settings),
        {v["name"]: data / "embeddings.parquet" for v in settings["variants"]} | embeddings,
        out / "work",
        predictions=out / "predictions.parquet",
        history=out / "history.tsv",
        device="cpu",
        code=code,
        weights=out / "weights" if weights else None,
    )
    return out


def contents(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in ("predictions.parquet", "history.tsv")]


def predicted(out: Path) -> list[dict]:
    return pq.read_table(out / "predictions.parquet").to_pylist()


def solved(rows: list[dict], **where: object) -> float:
    chosen = [
        row["chosen"] == row["answer"]
        for row in rows
        if all(row[key] == value for key, value in where.items())
    ]
    return sum(chosen) / len(chosen)


# Schedules


def settings(**changes) -> dict:
    return {"batch_size": 100, "epochs": 50, "max_steps": None} | changes


def test_steps_at_the_sizes_of_the_paper():
    small, large = Schedule(1658, settings(), 1), Schedule(27_648, settings(), 1)
    assert (small.steps_per_epoch, small.steps, small.epochs) == (17, 850, 50)
    assert (large.steps_per_epoch, large.steps, large.epochs) == (277, 13_850, 50)


def test_a_cap_on_steps_is_the_same_for_all_sizes_and_shortens_the_last_epoch():
    small, large = (Schedule(size, settings(max_steps=300), 1) for size in (1658, 27_648))
    assert (small.steps, small.epochs) == (large.steps, 18) == (300, 18)
    assert large.epochs == 2
    assert [len(large.batches(epoch)) for epoch in (1, 2)] == [277, 23]
    assert sum(len(small.batches(epoch)) for epoch in range(1, 19)) == 300


def test_each_epoch_has_every_problem_once_in_its_own_order():
    schedule = Schedule(250, settings(), 1)
    first, second = (np.concatenate(schedule.batches(epoch)) for epoch in (1, 2))
    assert [len(batch) for batch in schedule.batches(1)] == [100, 100, 50]
    assert sorted(first) == sorted(second) == list(range(250))
    assert first.tolist() != second.tolist()
    assert first.tolist() == np.concatenate(schedule.batches(1)).tolist()
    assert first.tolist() != np.concatenate(Schedule(250, settings(), 2).batches(1)).tolist()


# Jobs


@pytest.mark.parametrize("model", ["FFNN", "CNN"])
def test_networks_learn_what_the_vectors_show(tmp_path, data, model):
    out = train(data, tmp_path, models=[model], variants=VARIANTS, epochs=30, patience=30)
    rows = predicted(out)
    for variant in ("paper", "released"):
        assert solved(rows, variant=variant, train="type_I", test="type_I") > 0.8


def test_what_a_job_writes(tmp_path, data):
    regimes = ("allTrain", "sameTrain")
    out = train(data, tmp_path, regimes=regimes, seeds=[1, 2], variants=VARIANTS, epochs=2)
    table = pq.read_table(out / "predictions.parquet")
    assert table.schema.equals(PREDICTIONS)
    # regimes, training types, variants, seeds, test types, problems
    assert table.num_rows == 2 * 3 * 2 * 2 * 3 * 30
    first = table.slice(0, 1).to_pylist()[0]
    assert first | {"chosen": 0, "label": ""} == {
        "regime": "allTrain", "fold": None, "train": "type_I", "test": "type_I", "model": "FFNN",
        "variant": "paper", "seed": 1, "capped": False, "problem_id": "type_I-80-paper",
        "cluster": 0, "chosen": 0, "label": "", "answer": first["answer"],
    }  # fmt: skip
    for row in table.to_pylist():
        assert (row["label"] == "True") == (row["chosen"] == row["answer"])
    history = read_tsv(out / "history.tsv")
    assert history[0]["epoch"] == "1" and history[0]["steps"] == "3"
    sizes = ("regime", "train_problems", "validation_problems")
    assert {tuple(row[key] for key in sizes) for row in history} == {
        ("allTrain", "60", "20"),
        ("sameTrain", "32", "8"),
    }
    assert [row["best"] for row in history].count("1") == 2 * 3 * 2 * 2
    assert not (out / "work").exists()


def test_the_best_epoch_has_the_lowest_validation_loss(tmp_path, data):
    history = read_tsv(train(data, tmp_path, epochs=6, learning_rate=0.03) / "history.tsv")
    for kind in TYPES:
        rows = [row for row in history if row["train"] == kind]
        lowest = min(rows, key=lambda row: float(row["validation_loss"]))
        assert lowest["best"] == "1"


@pytest.fixture
def misleading(tmp_path, data) -> Path:
    """Problems to validate on whose right answer is always wrong: training makes the loss worse."""
    folder = tmp_path / "misleading"
    for kind in TYPES:
        for split in SPLITS:
            rows = pq.read_table(data / kind / f"{split}.parquet").to_pylist()
            for row in rows if split == "validation" else ():
                row["answer"] = row["labels"].index("N2_alter")
            write_parquet(folder / kind / f"{split}.parquet", rows, PROBLEMS)
    (folder / "embeddings.parquet").symlink_to(data / "embeddings.parquet")
    return folder


def test_the_weights_of_the_best_epoch_are_tested_and_kept(tmp_path, misleading):
    whole, first = (
        train(misleading, tmp_path / str(epochs), models=["CNN"], epochs=epochs, weights=True)
        for epochs in (10, 1)
    )
    history = read_tsv(whole / "history.tsv")
    assert {row["epoch"] for row in history if row["best"] == "1"} == {"1"}
    # The last weights would solve most problems; a run of one epoch has no later weights
    assert solved(predicted(whole)) < 0.5
    assert contents(whole)[0] == contents(first)[0]
    for path in (whole / "weights").iterdir():
        kept, expected = (
            safetensors.torch.load_file(out / path.name)
            for out in (whole / "weights", first / "weights")
        )
        assert all(torch.equal(kept[name], expected[name]) for name in expected)


def test_problems_that_tie_are_counted_in_the_log(tmp_path, data, caplog):
    caplog.set_level("INFO", logger="kasu")
    table = pq.read_table(data / "embeddings.parquet")
    alike = [row | {"vector": [1.0] * WIDTH} for row in table.to_pylist()]
    write_parquet(tmp_path / "alike.parquet", alike, table.schema)
    embeddings = {"paper": tmp_path / "alike.parquet"}
    train(data, tmp_path, variants=VARIANTS[:1], epochs=1, embeddings=embeddings)
    lines = [line for line in caplog.messages if line.endswith("problems tie")]
    assert len(lines) == 9  # each type of training with each of test
    assert {line.rpartition(": ")[2] for line in lines} == {"30 of 30 problems tie"}


def test_folds_have_one_run_each(tmp_path, data):
    folds = [RegimeData("bySeed", str(data), fold) for fold in (1, 2)]
    runs = Grid([RegimeData("allTrain", str(data)), *folds], ["FFNN"], [5, 6], SETTINGS).runs()
    of_type_i = [run.name for run in runs if run.train == "type_I"]
    assert of_type_i == [
        "allTrain-type_I-FFNN-paper-5",
        "allTrain-type_I-FFNN-paper-6",
        "bySeed-1-type_I-FFNN-paper-5",
        "bySeed-2-type_I-FFNN-paper-5",
    ]


def caps(out: Path) -> list[bool]:
    return [row["capped"] for row in predicted(out) if row["train"] == "type_I"][:1]


def test_a_network_that_the_cap_stopped_is_marked(tmp_path, data):
    # Nine steps are three epochs
    for most, capped in ((4, True), (9, False), (None, False)):
        assert caps(train(data, tmp_path / str(most), max_steps=most)) == [capped]


def test_a_network_whose_patience_ended_first_is_not_capped():
    schedule = Schedule(60, {"batch_size": 20, "epochs": 9, "max_steps": 12}, 1)
    losing = [{"epoch": epoch, "score": -epoch} for epoch in range(1, 5)]
    assert schedule.capped(losing, patience=4)
    assert not schedule.capped(losing, patience=3)
    assert not schedule.capped(losing[:3], patience=2)


def test_steps_stop_at_the_cap(tmp_path, data):
    history = read_tsv(train(data, tmp_path, max_steps=4) / "history.tsv")
    assert [row["steps"] for row in history if row["train"] == "type_I"] == ["3", "4"]


def test_weights_are_saved_only_on_request(tmp_path, data):
    out = train(data, tmp_path, epochs=1, weights=True)
    kept = safetensors.torch.load_file(out / "weights" / "allTrain-type_I-FFNN-paper-1.safetensors")
    assert kept["layers.0.weight"].shape == (42, 84)
    assert not (train(data, tmp_path / "none", epochs=1) / "weights").exists()


def test_bytes_depend_on_the_seed_alone(tmp_path, data):
    one, two, other = (
        contents(train(data, tmp_path / name, models=["CNN"], seeds=[seed]))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one == two
    assert one[1] != other[1]


class Killed(Exception):
    pass


@pytest.mark.parametrize("steps", [2, 4, 10, 12])
def test_a_killed_job_resumes_to_the_same_bytes(tmp_path, data, monkeypatch, caplog, steps):
    whole = train(data, tmp_path / "whole", seeds=[1, 2])
    made = itertools.count(1)

    def loss(*arguments):
        if torch.is_grad_enabled() and next(made) > steps:
            raise Killed
        return margin_loss(*arguments)

    margin_loss = training.margin_loss
    monkeypatch.setattr(training, "margin_loss", loss)
    with pytest.raises(Killed):
        train(data, tmp_path / "killed", seeds=[1, 2], checkpoint_every=0)
    assert not (tmp_path / "killed" / "predictions.parquet").exists()
    monkeypatch.undo()
    caplog.clear()
    with caplog.at_level(logging.INFO, "kasu"):
        train(data, tmp_path / "killed", seeds=[1, 2])
    assert "discarded" not in caplog.text
    assert ("allTrain-type_I-FFNN-paper-1: epoch 1" in caplog.text) == (steps < 3)
    assert contents(tmp_path / "killed") == contents(whole)


def test_a_state_of_another_code_is_discarded(tmp_path, data, caplog, monkeypatch):
    monkeypatch.setattr(training, "write_tsv", None)
    with pytest.raises(TypeError):  # everything is trained, and the state remains
        train(data, tmp_path, epochs=1)
    monkeypatch.undo()
    caplog.clear()
    with caplog.at_level(logging.INFO, "kasu"):
        train(data, tmp_path, epochs=1, code="2")
    assert "state of another config, data or code: discarded" in caplog.text


def test_a_finished_network_leaves_a_small_state(tmp_path, data, monkeypatch):
    monkeypatch.setattr(training, "write_tsv", None)
    with pytest.raises(TypeError):
        train(data, tmp_path, epochs=1)
    for state in (tmp_path / "work").glob("*.pt"):
        assert set(read_state(state)) == {"chosen", "history"}


# What can be learned at all


@pytest.fixture(scope="module")
def states(tmp_path_factory) -> Path:
    """Type I of the French seeds; the vector of a sentence shows its grammatical numbers only."""
    folder = tmp_path_factory.mktemp("states")
    facts = {"variant": ["released"], "capitals": "lower", "split": "random", "test": 0.1}
    facts |= {"validation": 0.2, "seed": 1, "folds": None}
    source = {"name": "seeds", "licence": "not stated", "citation": "none"}
    build_type_i(SEEDS, folder / "type_I", settings=facts, language="fr", sources=[source])
    for kind in TYPES[1:]:
        (folder / kind).symlink_to(folder / "type_I")
    columns = ("context", "context_states", "candidates", "candidate_states")
    problems = pq.read_table(folder / "type_I" / "problems.parquet", columns=list(columns))
    flat = [itertools.chain.from_iterable(problems[name].to_pylist()) for name in columns]
    state_of = dict([*zip(*flat[:2], strict=True), *zip(*flat[2:], strict=True)])
    # Projected to more numbers: of 16 output units with a ReLU too many die
    spread = np.random.default_rng(1).normal(size=(STATE_WIDTH, 128))
    rows = [
        {"sentence": each, "vector": (state_features(state_of[each]) @ spread).tolist()}
        for each in sorted(state_of)
    ]
    schema = pa.schema([("sentence", pa.string()), ("vector", pa.list_(pa.float32(), 128))])
    write_parquet(folder / "embeddings.parquet", rows, schema)
    return folder


def test_each_variant_trains_its_own_epochs(data, tmp_path):
    variants = [VARIANTS[0] | {"epochs": 2}, VARIANTS[1] | {"epochs": 4}]
    history = read_tsv(train(data, tmp_path, variants=variants, patience=9) / "history.tsv")
    last = {row["variant"]: row["epoch"] for row in history}
    assert last == {"paper": "2", "released": "4"}


def test_a_variant_has_its_own_vectors_and_regimes(data, tmp_path):
    """One grid with two poolings: the same network on other vectors, in one regime only."""
    shuffled = read_parquet(data / "embeddings.parquet").to_pylist()
    for row, other in zip(shuffled, [shuffled[-1], *shuffled[:-1]], strict=True):
        row["vector"] = list(reversed(other["vector"]))
    schema = pa.schema([("sentence", pa.string()), ("vector", pa.list_(pa.float32(), WIDTH))])
    write_parquet(tmp_path / "other.parquet", shuffled, schema)
    released = VARIANTS[1]
    variants = [released, released | {"name": "other", "regimes": ["allTrain"]}]
    regimes, embeddings = ("allTrain", "sameTrain"), {"other": tmp_path / "other.parquet"}
    out = train(data, tmp_path, regimes=regimes, variants=variants, embeddings=embeddings)
    rows = predicted(out)
    ran = {(row["variant"], row["regime"]) for row in rows}
    assert ran == {("released", "allTrain"), ("released", "sameTrain"), ("other", "allTrain")}
    alone = tmp_path / "alone"
    train(data, alone, variants=[released | {"name": "other"}], embeddings=embeddings)
    mine, its = (
        [row["chosen"] for row in all_rows if row["variant"] == "other"]
        for all_rows in (rows, predicted(alone))
    )
    base = [
        row["chosen"] for row in rows if (row["variant"], row["regime"]) == ("released", "allTrain")
    ]
    assert mine == its != base


def test_numbers_alone_suffice_to_learn_the_rule(tmp_path, states):
    released = [VARIANTS[1] | {"epochs": 50}]
    facts = {"batch_size": 100, "patience": 50, "learning_rate": 0.001}
    settings = {**SETTINGS, **facts, "variants": released}
    train_networks(
        Grid([RegimeData("allTrain", str(states))], ["FFNN"], [1], settings, types=["type_I"]),
        {"released": states / "embeddings.parquet"},
        tmp_path / "work",
        predictions=tmp_path / "predictions.parquet",
        history=tmp_path / "history.tsv",
        device="cpu",
        code="1",
    )
    assert solved(predicted(tmp_path), test="type_I") > 0.9  # copy_unseen solves 0.2

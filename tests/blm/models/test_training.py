"""Training on invented vectors: schedules, outputs, byte-exact resume, errors."""

import itertools
import logging
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import safetensors.torch
import torch

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv, write_parquet
from kasu.blm.data.datasets import build_type_i
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.models import training
from kasu.blm.models.predictions import PREDICTIONS, predict_heuristics
from kasu.blm.models.state_features import STATE_WIDTH, state_features
from kasu.blm.models.training import Grid, Schedule, train_networks
from kasu.blm.names import RegimeData

LABELS = ["True", "agreement_error", "N1_alter", "N2_alter", "coordination", "mis_num"]
SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds" / "fra.tsv"
WIDTH = 12
NAMES = 40
TYPES = ("type_I", "type_II", "type_III")
VARIANTS = [
    {"name": "paper", "answers": "paper", "sizes": "paper", "loss": "cosine", "score": "cosine"},
    {"name": "released", "answers": "released", "sizes": "released", "loss": "dot", "score": "dot"},
]
EPOCHS = 3


def vector(sentence: str) -> list[float]:
    """One number for the label, one for the name, and a little noise."""
    name, label = sentence.split()
    noise = np.random.default_rng(random.Random(sentence).randrange(2**32)).normal(0, 0.05, WIDTH)
    noise[LABELS.index(label)] += 1
    noise[6 + int(name) % 6] += 1
    return noise.tolist()


def problem(number: int, kind: str, variant: str, same_train: str | None) -> dict:
    draw = random.Random(f"{kind} {number}")
    shown = draw.sample(LABELS, 6)
    name = draw.randrange(NAMES)
    return {
        "problem_id": f"{kind}-{number}-{variant}",
        "clause": "main",
        "seed": number % 4,
        "sequence": 0,
        "context": [f"{name} {label}" for label in LABELS] + [f"{(name + 1) % NAMES} True"],
        "candidates": [f"{name} {label}" for label in shown],
        "labels": shown,
        "answer": shown.index("True"),
        "variant": variant,
        "same_train": same_train,
    }


SIZES = {"train": 60, "validation": 20, "test": 30}


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """A folder with three types and a vector for every sentence."""
    folder = tmp_path_factory.mktemp("blm")
    for kind in TYPES:
        number = 0
        for split, size in SIZES.items():
            marks = ["train"] * 16 + ["validation"] * 4 + [None] * size
            if split == "test":
                marks = [None] * size
            rows = [
                problem(number + row, kind, variant, marks[row])
                for row in range(size)
                for variant in ("released", "paper")
            ]
            write_parquet(folder / kind / f"{split}.parquet", rows, PROBLEMS)
            number += size
    sentences = sorted(f"{name} {label}" for name, label in itertools.product(range(NAMES), LABELS))
    schema = pa.schema([("sentence", pa.string()), ("vector", pa.list_(pa.float32(), WIDTH))])
    rows = [{"sentence": each, "vector": vector(each)} for each in sentences]
    write_parquet(folder / "embeddings.parquet", rows, schema)
    return folder


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
        for split in SIZES:
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
        assert set(torch.load(state, weights_only=True)) == {"chosen", "history"}


# Errors


def test_a_sentence_without_a_vector_is_named(tmp_path, data):
    rows = pq.read_table(data / "embeddings.parquet").slice(1)
    write_parquet(tmp_path / "embeddings.parquet", rows, rows.schema)
    for kind in TYPES:
        (tmp_path / kind).symlink_to(data / kind)
    with pytest.raises(
        KasuError, match=r"train\.parquet: no vector of '0 N1_alter' in .*; expected one"
    ):
        train(tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("vectors", "line"),
    [
        (pa.array([[1.0, float("nan")]], pa.list_(pa.float32(), 2)), "a: NaN or infinity"),
        (pa.array([[1.0, 2.0]], pa.list_(pa.float32())), "1 rows of list<.*of the same length"),
        (pa.array([], pa.list_(pa.float32(), 2)), "0 rows of fixed_size_list"),
    ],
)
def test_malformed_vectors_are_one_line(tmp_path, data, vectors, line):
    table = pa.table({"sentence": pa.array(["a"] * len(vectors), pa.string()), "vector": vectors})
    write_parquet(tmp_path / "embeddings.parquet", table, table.schema)
    for kind in TYPES:
        (tmp_path / kind).symlink_to(data / kind)
    with pytest.raises(KasuError, match=rf"embeddings\.parquet.*{line}"):
        train(tmp_path, tmp_path)


def test_an_unknown_answer_set_is_one_line(tmp_path, data):
    with pytest.raises(KasuError, match="answers: 'mine'; expected released or paper"):
        train(data, tmp_path, variants=[VARIANTS[0] | {"answers": "mine"}])


def test_a_problem_with_a_wrong_number_of_candidates_is_named(tmp_path, data):
    rows = [problem(number, "type_I", "paper", None) for number in range(3)]
    rows[1]["candidates"] = rows[1]["candidates"][:5]
    for kind in TYPES[1:]:
        (tmp_path / kind).symlink_to(data / kind)
    for split in ("train", "validation", "test"):
        write_parquet(tmp_path / "type_I" / f"{split}.parquet", rows, PROBLEMS)
    (tmp_path / "embeddings.parquet").symlink_to(data / "embeddings.parquet")
    with pytest.raises(KasuError, match="type_I-1-paper: 5 in candidates; expected 6"):
        train(tmp_path, tmp_path)


def test_same_train_without_marked_problems_is_one_line(tmp_path, data):
    for kind in TYPES:
        for split in SIZES:
            rows = [problem(number, kind, "paper", None) for number in range(3)]
            write_parquet(tmp_path / kind / f"{split}.parquet", rows, PROBLEMS)
    (tmp_path / "embeddings.parquet").symlink_to(data / "embeddings.parquet")
    with pytest.raises(KasuError, match=r"train\.parquet: no problems of sameTrain"):
        train(tmp_path, tmp_path, regimes=("sameTrain",))


# Heuristics


def test_heuristics_write_the_same_schema_as_networks(tmp_path, data):
    predict_heuristics(
        [RegimeData("allTrain", str(data))],
        tmp_path / "heuristics.parquet",
        heuristics={
            "oracle": lambda problems: problems["answer"].to_pylist(),
            "first": lambda problems: [0] * problems.num_rows,
            "none": lambda problems: [-1] * problems.num_rows,
        },
        learned={},
        variants=VARIANTS,
    )
    table = pq.read_table(tmp_path / "heuristics.parquet")
    assert table.schema.equals(PREDICTIONS)
    rows = table.to_pylist()
    assert len(rows) == 2 * 3 * 3 * 30
    assert solved(rows, model="oracle") == 1.0
    assert 0 < solved(rows, model="first") < 0.4
    assert {row["label"] for row in rows if row["model"] == "none"} == {"none"}
    assert {(row["train"], row["seed"]) for row in rows} == {(None, None)}


def test_heuristics_choose_where_the_networks_of_a_variant_do(tmp_path, data):
    variants = [VARIANTS[1], VARIANTS[1] | {"name": "other", "regimes": ["allTrain"]}]
    regimes = [RegimeData(name, str(data)) for name in ("allTrain", "sameTrain")]
    predict_heuristics(
        regimes,
        tmp_path / "p.parquet",
        heuristics={"first": lambda problems: [0] * problems.num_rows},
        learned={"second": lambda training, problems: np.ones(problems.num_rows, int)},
        variants=variants,
    )
    rows = pq.read_table(tmp_path / "p.parquet").to_pylist()
    assert {(row["variant"], row["regime"]) for row in rows} == {
        ("released", "allTrain"), ("released", "sameTrain"), ("other", "allTrain")
    }  # fmt: skip
    assert {row["model"] for row in rows} == {"first", "second"}


def test_what_learns_from_training_problems_has_a_row_for_each_type(tmp_path, data):
    def by_count(training, problems):
        return np.full(problems.num_rows, training.num_rows % 5)

    predict_heuristics(
        [
            RegimeData("allTrain", str(data)),
            RegimeData("sameTrain", str(data)),
            RegimeData("bySeed", str(data), 2),
        ],
        tmp_path / "heuristics.parquet",
        heuristics={},
        learned={"by_count": by_count},
        variants=VARIANTS[:1],
    )
    rows = pq.read_table(tmp_path / "heuristics.parquet").to_pylist()
    assert len(rows) == 3 * 3 * 3 * 30
    # 60 problems to train; 32 of them for sameTrain
    assert {(row["regime"], row["fold"], row["chosen"]) for row in rows} == {
        ("allTrain", None, 0), ("sameTrain", None, 2), ("bySeed", 2, 0),
    }  # fmt: skip
    assert {row["train"] for row in rows} == set(TYPES)
    assert {(row["seed"], row["capped"]) for row in rows} == {(None, None)}


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

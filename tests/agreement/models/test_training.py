import csv
import json
import logging
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import safetensors

from kasu.agreement.data.tasks import SLOTS
from kasu.agreement.models.inference import predict
from kasu.base.errors import KasuError
from kasu.neural.resume import read_state

OUTPUTS = ("model", "vocabulary", "history")


def predicted(datasets: Path, out: Path) -> list[dict]:
    paths = [datasets / "test.parquet", out / "model", out / "vocabulary", out / "predictions"]
    predict(*paths, device="cpu")
    return pq.read_table(out / "predictions").to_pylist()


def contents(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in OUTPUTS]


def history(out: Path) -> list[dict[str, str]]:
    with (out / "history").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def accuracy(rows: list[dict], slot: str) -> float:
    right = [row["gold"] == row["prediction"] for row in rows if row["slot"] == slot]
    return sum(right) / len(right)


def majority(rows: list[dict], slot: str) -> float:
    gold = Counter(row["gold"] for row in rows if row["slot"] == slot)
    return max(gold.values()) / gold.total()


@pytest.mark.parametrize(("system", "margin"), [("bilstm", 0.2), ("lstm", 0.0)])
def test_models_learn_what_suffixes_show(tmp_path, datasets, settings, train, system, margin):
    rows = predicted(datasets, train(datasets, tmp_path, settings, system=system))
    for slot in SLOTS:
        assert accuracy(rows, slot) > majority(rows, slot) + margin


def test_with_permuted_labels_only_the_majority_rate_is_reached(
    tmp_path, datasets, settings, train, write_dataset, draw_sentences
):
    """The answer does not leak into the input."""
    shuffle = random.Random(1)
    for seed, (name, count) in enumerate({"train": 400, "validation": 60, "test": 400}.items()):
        sentences = draw_sentences(count, seed)
        for slot in SLOTS:
            for row in sentences:
                row[slot] = "plural" if shuffle.random() < 0.2 else "singular"
        write_dataset(tmp_path / f"{name}.parquet", sentences, ["paper"])
    rows = predicted(tmp_path, train(tmp_path, tmp_path, settings))
    for slot in SLOTS:
        assert majority(rows, slot) - 0.08 < accuracy(rows, slot) <= majority(rows, slot) + 0.02


def suffix_f1(rows: list[dict]) -> float:
    (shown,) = (row for row in rows if row["best"] == "1")
    return float(shown["score"])


@pytest.fixture(scope="module")
def suffix_data(tmp_path_factory, write_dataset, draw_suffixes) -> Path:
    folder = tmp_path_factory.mktemp("suffixes")
    for seed, (name, count) in enumerate({"train": 300, "validation": 60, "test": 60}.items()):
        write_dataset(folder / f"{name}.parquet", draw_suffixes(count, seed), ["paper"])
    return folder


@pytest.mark.parametrize(
    ("system", "condition", "least", "most"),
    [
        ("bilstm", "base", 0.9, 1.0),
        # The verb tells all there is: neither without it nor without the sentence
        ("bilstm", "no_verb+no_verb_lemma", 0.0, 0.5),
        ("mlp", "base", 0.0, 0.5),
    ],
)
def test_suffixes_are_learnt_from_the_verb(
    tmp_path, suffix_data, settings, train, system, condition, least, most
):
    settings |= {"condition": condition, "patience": 8}
    trained = train(suffix_data, tmp_path, settings, task="suffix", system=system)
    rows = predicted(suffix_data, trained)
    assert len(rows) == 60 * 3  # a verb is not scored
    assert (rows[2]["position"], rows[2]["gold"][0]) == (2, "-")
    assert least <= suffix_f1(history(trained)) <= most


def test_what_a_job_writes(tmp_path, datasets, settings, train):
    settings["epochs"] = 2
    train(datasets, tmp_path, settings, variants=["paper", "released"], seeds=[1, 2])
    with safetensors.safe_open(tmp_path / "model", "pt") as file:
        facts = json.loads(file.metadata()["kasu"])
        assert {name.rsplit("/", 1)[0] for name in file.keys()} == {  # noqa: SIM118
            "paper/1", "paper/2", "released/1", "released/2",
        }  # fmt: skip
        assert file.get_tensor("paper/1/left.weight_hh_l0").shape == (48, 12)
    assert facts["system"] == "bilstm"
    assert facts["settings"]["embedding"] == 12
    vocabulary = json.loads((tmp_path / "vocabulary").read_text("utf-8"))
    assert list(vocabulary) == ["paper", "released"]
    assert list(vocabulary["paper"]) == ["token", "lemma", "ngram"]
    rows = history(tmp_path)
    assert [(row["variant"], row["seed"], row["epoch"]) for row in rows[:3]] == [
        ("paper", "1", "1"), ("paper", "1", "2"), ("paper", "2", "1"),
    ]  # fmt: skip
    assert [row["best"] for row in rows].count("1") == 4
    assert not (tmp_path / "work").exists()


def test_bytes_depend_on_the_seed_alone(tmp_path, datasets, settings, train):
    settings |= {"epochs": 2, "dropout": 0.2}
    one, two = (train(datasets, tmp_path / name, settings) for name in "ab")
    assert contents(one) == contents(two)
    other = train(datasets, tmp_path / "c", settings, seeds=[2])
    assert history(one)[0]["train_loss"] != history(other)[0]["train_loss"]


def start(datasets: Path, out: Path, settings, **changes) -> subprocess.Popen:
    """Run the same job in its own process."""
    script = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path;"
        "from conftest import train_networks; given = json.loads(sys.argv[2]);"
        "train_networks(Path(given.pop('datasets')), Path(given.pop('out')), **given)"
    )
    given = {"datasets": str(datasets), "out": str(out), "settings": settings, **changes}
    return subprocess.Popen(
        [sys.executable, "-c", script, str(Path(__file__).parent), json.dumps(given)]
    )


def wait_for_epoch(epoch: int, path: Path, process: subprocess.Popen) -> None:
    end = time.monotonic() + 120
    while not path.exists() or read_state(path).get("epoch", 0) < epoch:
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < end, f"no epoch {epoch} in two minutes"
        time.sleep(0.002)


def test_a_killed_job_resumes_to_the_same_bytes(tmp_path, datasets, settings, train, caplog):
    settings |= {"dropout": 0.2, "epochs": 3, "patience": 3}
    whole = train(datasets, tmp_path / "whole", settings, seeds=[1, 2])
    killed = tmp_path / "killed"
    with start(datasets, killed, {**settings, "checkpoint_every": 0}, seeds=[1, 2]) as process:
        # the first model is finished, the second in progress
        wait_for_epoch(2, killed / "work" / "bilstm-paper-2.pt", process)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not (killed / "model").exists()
    caplog.clear()
    with caplog.at_level(logging.INFO, "kasu"):
        train(datasets, killed, settings, seeds=[1, 2])
    assert "bilstm-paper-2: resumes at epoch" in caplog.text
    assert "bilstm-paper-1: epoch" not in caplog.text
    assert contents(killed) == contents(whole)
    assert predicted(datasets, killed) == predicted(datasets, whole)
    assert (killed / "predictions").read_bytes() == (whole / "predictions").read_bytes()


@pytest.mark.parametrize("change", ["settings", "code", "data"])
def test_a_state_of_other_facts_is_discarded(
    tmp_path, datasets, settings, train, caplog, write_dataset, draw_sentences, change
):
    settings |= {"epochs": 2, "checkpoint_every": 0}
    with pytest.raises(KasuError):  # the second variant is missing: the state of the first remains
        train(datasets, tmp_path, settings, variants=["paper", "unknown"])
    assert (tmp_path / "work" / "bilstm-paper-1.pt").exists()
    changes = {"code": "2"} if change == "code" else {}
    if change == "settings":
        settings["learning_rate"] = 0.02
    if change == "data":
        for seed, name in enumerate(["train", "validation"]):
            write_dataset(tmp_path / f"{name}.parquet", draw_sentences(50, 7 + seed))
        datasets = tmp_path
    with caplog.at_level(logging.INFO, "kasu"):
        train(datasets, tmp_path, settings, **changes)
    assert "state of another config, data or code: discarded" in caplog.text
    fresh = train(datasets, tmp_path / "fresh", settings, **changes)
    assert contents(tmp_path) == contents(fresh)


def test_how_often_the_state_is_saved_changes_nothing(tmp_path, datasets, settings, train):
    settings["epochs"] = 1
    often = train(datasets, tmp_path / "often", {**settings, "checkpoint_every": 0})
    assert contents(often) == contents(train(datasets, tmp_path / "seldom", settings))


def test_a_loss_of_nan_names_epoch_and_step(tmp_path, datasets, settings, train):
    settings["learning_rate"] = float("inf")
    with pytest.raises(KasuError, match=r"bilstm-paper-1: loss nan at epoch 1, step 2; expected"):
        train(datasets, tmp_path, settings)
    assert not (tmp_path / "model").exists()


def test_a_language_with_one_agreement_has_one_label(
    tmp_path, settings, train, write_subjects, draw_sentences
):
    for seed, (name, count) in enumerate({"train": 60, "validation": 20, "test": 20}.items()):
        write_subjects(tmp_path / f"{name}.parquet", draw_sentences(count, seed))
    settings["epochs"] = 1
    rows = predicted(tmp_path, train(tmp_path, tmp_path, settings))
    assert {row["slot"] for row in rows} == {"subject"}
    assert len({row["item_id"] for row in rows}) == len(rows) == 20
    assert list(history(tmp_path)[0]) == [
        "variant", "seed", "epoch", "train_loss", "validation_loss", "accuracy_subject", "score",
        "best",
    ]  # fmt: skip

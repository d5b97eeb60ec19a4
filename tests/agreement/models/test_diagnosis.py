"""From saved states to what probes say of each word."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import save_file

from kasu.agreement.models.diagnosis import diagnose, treebank_tasks
from kasu.agreement.models.predictions import PROBED
from kasu.agreement.models.states import WORDS
from kasu.files.tables import write_parquet
from kasu.neural.resume import Work
from kasu.results.published import read_published

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"

SETTINGS = {
    "verbs": ["da", "any", "zen"], "folds": 3, "hidden": 4, "batch_size": 8, "epochs": 30,
    "patience": 30, "learning_rate": 0.05, "treebank_hidden": [100, 50], "initialisations": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory):
    """The folder of 60 words, half of them in sentences with *da*, two with *zen*."""
    folder = tmp_path_factory.mktemp("diagnosed")
    rows = [
        {
            "item_id": f"s{number}", "cluster": f"c{number}", "position": 1,
            "forms": ["dute", "zen" if number < 2 else "da" if number % 2 else "dira"],
            "closest": number % 3 > 0, "suffix": "-ek",
            "prediction": "-ek" if number % 4 else "-a", "variant": "paper", "seed": 1,
        }
        for number in range(60)
    ]  # fmt: skip
    write_parquet(folder / "words", rows, WORDS)
    state = torch.zeros(60, 2).half()
    state[:, 0] = torch.tensor([1.0 if row["closest"] else -1.0 for row in rows])
    nothing = torch.zeros(60, 2).half()
    states = {"trained": state, "untrained": nothing, "word": nothing.clone()}
    save_file({f"paper/1/{name}": each for name, each in states.items()}, folder / "states")
    paths = [folder / name for name in ("words", "states", "predictions", "work")]
    diagnose(*paths, settings=SETTINGS, code="")
    assert not (folder / "work").exists()
    return folder


@pytest.fixture
def probed(diagnosed):
    """What the probes say of these words."""
    return pq.read_table(diagnosed / "predictions")


# Of each word: upos, case, number, deprel, suffix, what the network predicts
ANNOTATED = {
    "right": ("NOUN", "Erg", "Sing", "nsubj", "-ak", "-ak"),
    "wrong": ("NOUN", "Abs", "Plur", "obj", "-ak", "-a"),
    "dative": ("PROPN", "Dat", "Sing", "iobj", "-ari", "-ari"),
    "other": ("NOUN", "Ine", "none", "obl", "none", "-a"),
    "odd": ("NOUN", "Dat", "none", "iobj", "-ak", "-a"),  # no dative ends so
    "verb": ("AUX", "none", "none", "aux", None, "none"),
}


def asked_of(words, splits=("train", "dev", "test")):
    """The tasks on a treebank with each of some words in each split, and the words asked about."""
    names = ["upos", "case", "number", "deprel", "suffix", "prediction"]
    rows = [
        dict(zip(names, ANNOTATED[word], strict=True)) | {"split": split, "item_id": word}
        for split in splits
        for word in words
    ]
    linked = {"closest": True, "forms": ["da", "dira"], "suffix": "-ek", "prediction": "-ek"}
    table = pa.Table.from_pylist([linked, *rows], WORDS)
    ids = table["item_id"].to_pylist()
    return {
        task.name: (sorted({ids[at] for at in task.rows}), sorted(set(task.labels)), task)
        for task in treebank_tasks(table, SETTINGS)
    }


def test_a_treebank_is_asked_six_things_two_of_them_by_outcome():
    asked = {name: found[:2] for name, found in asked_of(ANNOTATED).items()}
    every = sorted(ANNOTATED)
    assert asked == {
        "number|BiLSTM correct": (["dative", "right"], ["Sing"]),
        "nuclear case|BiLSTM correct": (["dative", "right"], ["Dat", "Erg"]),
        "erg vs abs on -ak": (["right", "wrong"], ["Abs", "Erg"]),
        "number|BiLSTM wrong": (["wrong"], ["Plur"]),
        "nuclear case|BiLSTM wrong": (["odd", "wrong"], ["Abs", "Dat"]),
        "POS|all words": (every, ["AUX", "NOUN", "PROPN"]),
        "any case (16 values incl. none)|all words": (every, ["Abs", "Dat", "Erg", "Ine", "none"]),
        "dependency edge to head|all words": (every, ["aux", "iobj", "nsubj", "obj", "obl"]),
    }


def test_the_tasks_have_the_names_that_the_paper_prints():
    printed = {
        each.condition
        for each in read_published(PUBLISHED)
        if each.table == "section 7.1 UD probes"
    }
    assert set(asked_of(ANNOTATED)) == printed


def test_probes_of_a_treebank_keep_its_splits_and_have_the_sizes_of_the_paper():
    *_, task = asked_of(ANNOTATED)["POS|all words"]
    assert (task.kinds, task.initialisations) == ({"MLP 100-50": [100, 50]}, 2)
    assert [[*part] for part in task.splits[0]] == [[*range(6)], [*range(6, 12)], [*range(12, 18)]]
    assert task.rows.tolist() == [*range(1, 19)]  # row 0 is a word of the test set


def test_a_task_that_lacks_words_of_a_split_is_left_out():
    assert asked_of(ANNOTATED, ["train", "test"]) == {}
    assert "nuclear case|BiLSTM wrong" not in asked_of(["right", "verb"])


def test_a_row_for_each_word_that_a_probe_was_asked_about(probed):
    assert probed.schema.equals(PROBED)
    rows = probed.to_pylist()
    # The majority, and two probes with three sources and shuffled labels
    assert len(rows) == (29 + 60) * (1 + 2 * 4)
    # *zen* has fewer words than folds
    assert {row["task"] for row in rows} == {"verb=da", "verb=any"}
    asked = [row for row in rows if (row["task"], row["probe"]) == ("verb=da", "majority")]
    assert sorted(int(row["item_id"][1:]) for row in asked) == list(range(3, 60, 2))
    for row in asked:
        number = int(row["item_id"][1:])
        assert row["gold"] == ("closest" if number % 3 else "other")
        assert row["right"] == bool(number % 4)


def test_probes_read_the_states_that_they_are_named_after(probed):
    rows = [row for row in probed.to_pylist() if row["task"] == "verb=any"]
    for source, most in {"trained": 1.0, "untrained": 2 / 3, "word": 2 / 3}.items():
        own = [r for r in rows if (r["probe"], r["source"]) == ("linear", source)]
        assert sum(r["gold"] == r["prediction"] for r in own) / 60 == pytest.approx(most)


def test_a_state_is_resumed_only_with_its_words(diagnosed, tmp_path, monkeypatch):
    """The same states may belong to words with other labels."""
    seen = []

    class Recorded(Work):
        def __init__(self, folder, facts, every):
            seen.append(facts)
            super().__init__(folder, facts, every)

    monkeypatch.setattr("kasu.agreement.models.diagnosis.Work", Recorded)
    paths = [diagnosed / "states", tmp_path / "predictions", tmp_path / "work"]
    settings = SETTINGS | {"verbs": []}
    diagnose(diagnosed / "words", *paths, settings=settings, code="")
    rows = pq.read_table(diagnosed / "words").to_pylist()
    write_parquet(tmp_path / "others", [row | {"suffix": "-a"} for row in rows], WORDS)
    diagnose(tmp_path / "others", *paths, settings=settings, code="")
    assert seen[0] != seen[1]

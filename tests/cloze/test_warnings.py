"""Warnings of cloze: lemmata come from the targets of each language, nulls from the plan."""

import pytest

from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.data.sentences import Word
from kasu.cloze.warnings import find_warnings
from kasu.files.tables import write_parquet
from kasu.transduction.members.predictions import PREDICTIONS

FREQUENT = [f"dog{number}en" for number in range(20)]


@pytest.fixture
def find(tmp_path):
    sentences = [
        [Word("The", None, None), Word(f"dog{n}s", f"dog{n}", "N", (f"dog{n}s",))]
        for n in range(20)
    ]
    write_dataset(tmp_path / "toy", {"test": sentences}, language="toy", sources=[])

    def run(*systems):
        paths = []
        for name, forms in systems:
            rows = [
                {"system": name, "setting": "track1-low", "language": "toy", "members": 1}
                | {"variant": None, "seed": 1, "item": item, "gold": f"dog{item}s"}
                | {"prediction": given}
                for item, given in enumerate(forms)
            ]
            paths.append(str(tmp_path / f"{name}.parquet"))
            write_parquet(paths[-1], rows, PREDICTIONS)
        found = find_warnings(
            {"predictions": paths},
            submitted=[(name, "track1-low") for name, _ in systems],
            datasets={"toy": str(tmp_path / "toy")},
            nulls=["frequent"],
        )
        return [(each.system, each.warning) for each in found]

    return run


@pytest.mark.parametrize(
    ("forms", "null"),
    [([f"dog{n}" for n in range(20)], "copying the lemma"), (FREQUENT, "frequent")],
)
def test_a_network_that_answers_as_a_null_does(find, forms, null):
    wrong = f"answers as {null} does in 99% of the items or more"
    assert find(("uzh", forms), ("frequent", FREQUENT)) == [("uzh", wrong)]


def test_a_network_with_answers_of_its_own(find):
    assert find(("uzh", [f"dog{n}s" for n in range(20)]), ("frequent", FREQUENT)) == []


def test_test_sentences_that_stand_in_the_training_set_too(tmp_path):
    sentences = [[Word(f"dog{n}s", f"dog{n}", "N", (f"dog{n}s",))] for n in range(20)]
    write_dataset(
        tmp_path / "toy", {"low": sentences[5:], "test": sentences}, language="toy", sources=[]
    )
    write_parquet(tmp_path / "p.parquet", [], PREDICTIONS)
    (found,) = find_warnings(
        {"predictions": [str(tmp_path / "p.parquet")]},
        submitted=[("uzh", "track1-low")],
        datasets={"toy": str(tmp_path / "toy")},
        nulls=[],
    )
    assert (found.system, found.where) == ("test set", "low, toy, 15 of 20 items")

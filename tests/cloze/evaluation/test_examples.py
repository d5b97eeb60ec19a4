"""Examples of cloze: the sentence with its gap, the lemma, and what systems answered."""

import pytest

from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.evaluation.examples import take_examples
from kasu.files.tables import write_parquet
from kasu.results.examples import Answer, Example, read_examples
from kasu.transduction.members.predictions import PREDICTIONS


@pytest.fixture
def take(tmp_path, sentences):
    write_dataset(tmp_path / "toy", {"test": sentences}, language="toy", sources=[])

    def run(*systems, code="en"):
        """Each system: its name and its forms for dogs, Barking, Dog."""
        paths = []
        for name, forms in systems:
            rows = [
                {"system": name, "setting": "track1-low", "language": "toy", "members": 1}
                | {"item": item, "gold": gold, "prediction": given, "seed": 1, "variant": None}
                for item, (gold, given) in enumerate(
                    zip(("dogs", "Barking", "Dog"), forms, strict=True)
                )
            ]
            write_parquet(tmp_path / f"{name}.parquet", rows, PREDICTIONS)
            paths.append(str(tmp_path / f"{name}.parquet"))
        take_examples(
            {"predictions": paths, "tests": []},
            tmp_path / "e.tsv",
            submitted=[[name, "track1-low"] for name, _ in systems],
            datasets={"toy": str(tmp_path / "toy")},
            languages={"toy": code},
            nulls=["frequent"],
            seed=1,
        )
        return read_examples(tmp_path / "e.tsv")

    return run


def test_a_sentence_has_a_gap_at_its_target(take):
    notes, examples = take(("frequent", ["dog"] * 3), ("uzh", ["dog", "barking", "DOGS"]))
    assert notes == [
        "All 3 words asked for in test sentences, each once per setting: "
        "1 right and 2 wrong, as uzh answers."
    ]
    assert examples[0] == Example(
        "toy 1",
        "toy, track1-low",
        "en",
        texts=(("", "[…] dogs"), ("lemma", "bark")),
        gold=(("form", "Barking"),),
        # Capital letters aside, as the official scorer has it
        answers=(
            Answer("uzh", "barking", "right", "form"),
            Answer("frequent", "dog", "wrong", "form"),
        ),
    )
    by_item = {each.item: each for each in examples}
    assert by_item["toy 0"].texts == (
        ("", "The […]"),
        ("lemma", "dog"),
        ("would fit too", "dog"),
    )
    # What fits too is named, and yet not the form of the treebank
    assert by_item["toy 0"].answers[0] == Answer("uzh", "dog", "wrong", "form")


@pytest.mark.parametrize(("code", "result"), [("tr", "wrong"), ("en", "right")])
def test_lower_case_is_that_of_the_language(take, code, result):
    _, examples = take(("uzh", ["dogs", "BARKING", "dog"]), code=code)
    (found,) = (each for each in examples if each.item == "toy 1")
    assert found.answers[0].result == result

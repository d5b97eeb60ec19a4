"""Released sentences found again in a treebank."""

import pytest

from kasu.cloze.data.recovery import RECOVERED, Released, read_released
from kasu.cloze.data.sentences import Word
from kasu.cloze.data.treebank import Candidate

DEV = "The\tthe\tDT\ndogs/dog\tdog\t_\nbark\tbark\t_\n\nGo\tgo\t_\n\nGo\tgo\t_\n"


def candidate(forms: str, *hits: int) -> Candidate:
    return Candidate(forms, [Word(form, None, None) for form in forms.split()], list(hits))


@pytest.fixture
def released(written):
    def make(split: str, text: str) -> Released:
        return Released(split, written(**{split: text})[split])

    return make


def test_sentences_and_targets_found_again(released):
    dev = released("dev", DEV)
    dev.find(candidate("The dogs bark", 0, 2))
    dev.find(candidate("Go"))
    dev.find(candidate("Stay", 0))
    assert list(dev.row().values()) == ["dev", 3, 2, 1, 4, 3, 1]
    assert list(dev.row()) == list(RECOVERED)


def test_each_released_sentence_is_found_once(released):
    dev = released("dev", DEV)
    for _ in range(3):
        dev.find(candidate("Go", 0))
    assert list(dev.row().values()) == ["dev", 3, 2, 2, 4, 2, 2]


def test_a_training_set_has_sentences_only(released):
    high = released("high", "Dogs\tdog\tN;PL\n\nCats\tcat\tN;PL\n")
    high.find(candidate("Cats", 0))
    assert list(high.row().values()) == ["high", 2, 1, 1, None, None, None]


def test_the_largest_training_set_is_looked_for_in_train(written):
    files = written(high="Dogs\tdog\tN;PL\n", dev=DEV)
    assert {split: each.split for split, each in read_released(files).items()} == {
        "train": "high",
        "dev": "dev",
    }

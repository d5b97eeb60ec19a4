"""Warnings of agreement: one label for all, the answers of a null, a test set of one class."""

import pytest

from kasu.agreement.models.predictions import PREDICTIONS, SUFFIX_PREDICTIONS
from kasu.agreement.warnings import find_warnings
from kasu.files.tables import write_parquet
from kasu.results.warnings.table import ResultWarning

GOLD = ["singular", "singular", "plural", "singular"] * 10


@pytest.fixture
def find(tmp_path):
    """Find the warnings of runs: task, system, condition, and by (slot, seed) what is answered."""

    def run(*runs, gold=GOLD):
        named = []
        for number, (task, system, condition, answers) in enumerate(runs):
            schema = PREDICTIONS if task == "verb_number" else SUFFIX_PREDICTIONS
            rows = [
                dict.fromkeys(schema.names)
                | {"variant": "paper", "seed": seed, "item_id": str(item)}
                | {"gold": right, "prediction": given}
                | ({"slot": slot} if slot else {})
                for (slot, seed), labels in answers.items()
                for item, (right, given) in enumerate(zip(gold, labels, strict=True))
            ]
            path = tmp_path / f"{number}.parquet"
            write_parquet(path, rows, schema)
            named.append({"task": task, "system": system, "corpus": "es", "condition": condition})
            named[-1]["predictions"] = str(path)
        files = {"predictions": [run["predictions"] for run in named]}
        return list(find_warnings(files, runs=named))

    return run


def test_a_network_of_one_label_is_said_to_be_one(find):
    constant = ["singular"] * 40
    assert find(
        ("verb_number", "bilstm", "base", {("subject", 1): constant, ("subject", 2): GOLD}),
        # A null may be a null, and is not read twice
        ("verb_number", "majority", "base", {("subject", None): constant}),
    ) == [
        ResultWarning(
            "bilstm",
            "gives the same answer, 'singular', to every item",
            "verb_number, es, base, paper, subject, 40 items, seed 1",
        )
    ]


def test_a_network_that_answers_as_a_null_does_is_compared_under_its_own_condition(find):
    lemma = ["plural"] * 39 + ["singular"]
    own = {("subject", 1): lemma}
    assert find(
        ("verb_number", "lemma", "base", {("subject", None): lemma}),
        ("verb_number", "ngram", "base", {("subject", None): lemma}),
        ("verb_number", "lstm", "base", own),
        ("verb_number", "lstm", "no_verb", own),
    ) == [
        ResultWarning(
            "lstm",
            "answers as lemma does in 99% of the items or more",
            "verb_number, es, base, paper, subject, 40 items, seed 1",
        )
    ]


def test_slots_are_apart(find):
    constant = ["none"] * 40
    (found,) = find(
        ("verb_number", "bilstm", "base", {("dative", 1): constant, ("ergative", 1): GOLD})
    )
    assert found.where == "verb_number, es, base, paper, dative, 40 items, seed 1"


def test_suffixes_have_no_slot(find):
    (found,) = find(("suffix", "mlp", "base", {("", 3): ["-a"] * 40}), gold=["-a", "-ak"] * 20)
    assert found.where == "suffix, es, base, paper, 40 items, seed 3"


def test_a_test_set_of_one_class_is_named_once(find):
    one = ["singular"] * 40
    answers = {("subject", 1): one}
    assert find(
        ("verb_number", "lstm", "base", answers),
        ("verb_number", "bilstm", "base", answers),
        gold=one,
    ) == [
        ResultWarning(
            "test set",
            "the right answer to every item is 'singular': a constant is right everywhere",
            "verb_number, es, base, paper, subject, 40 items",
        )
    ]

"""Warnings of pretraining: scores that tell the sentences of no pair apart, a model like a null."""

import math

import pytest

from kasu.files.tables import write_parquet
from kasu.lm.scoring.score import SCORES
from kasu.pretraining.models.trigram import LENGTHS, NULL_SCORES
from kasu.pretraining.warnings import find_warnings
from kasu.results.warnings.table import ResultWarning

BY_LENGTH = [(-1.0, -2.0)] * 10 + [(-2.0, -1.0)] * 20
OTHER = [(-5.0, -2.0), (-1.0, -2.0)] * 15


@pytest.fixture
def find(tmp_path):
    """Find the warnings of runs: system, definition, epoch, and the scores of each pair.

    Of the good sentences, `longer` have a token more than the bad ones, and `unknown` a token for
    text that is not known.
    """

    def run(*runs, longer=0, unknown=0):
        named = []
        for number, (system, definition, epoch, scores) in enumerate(runs):
            path = str(tmp_path / f"{number}.parquet")
            rows = [
                {"item_id": str(item), "column": column, "definition": definition}
                | {"log_probability": score, "unit": "nat", "scored": 4, "vocabulary": 1000}
                | {"tokens": 4 + (column == "sentence_good" and item < longer)}
                | {"unknown": int(column == "sentence_good" and item < unknown)}
                for item, two in enumerate(scores)
                # A second word order is not compared
                for column, score in zip(
                    ("sentence_bad", "sentence_good", "sentence_good_reorder"),
                    (*two[::-1], -9.0),
                    strict=True,
                )
            ]
            write_parquet(path, rows, NULL_SCORES if definition in LENGTHS else SCORES)
            seed = None if epoch is None else 1
            named.append({"system": system, "pairs": "p", "scores": path})
            named[-1] |= {"epoch": epoch, "seed": seed}
        return list(find_warnings({"scores": []}, runs=named))

    return run


@pytest.mark.parametrize(
    ("score", "wrong"),
    [
        (-1.0, "gives the options of every item the same score"),
        (math.nan, "gives no item finite scores"),
    ],
)
def test_scores_that_tell_nothing(find, score, wrong):
    assert find(("BERT", "pll_original", 4, [(score, score)] * 3)) == [
        ResultWarning("BERT", wrong, "epoch 4, 3 pairs, seed 1")
    ]


def test_a_null_may_have_equal_scores(find):
    assert find(("fewer characters", "fewer_characters", None, [(-1.0, -1.0)] * 20)) == []


def test_a_model_that_prefers_what_a_null_prefers(find):
    null = ("fewer characters", "fewer_characters", None, BY_LENGTH)
    like = [(good * 3, bad * 3) for good, bad in BY_LENGTH]
    found = find(("BERT", "pll_original", 4, like), null, ("BERT", "pll_original", 8, OTHER))
    assert found == [
        ResultWarning(
            "BERT",
            "answers as fewer characters does in 99% of the items or more",
            "epoch 4, 30 pairs, seed 1",
        )
    ]


def test_an_untrained_head(find):
    log = 4 * math.log(1 / 1000)
    scores = [(log - 0.2, log + 0.1), (log + 0.1, log - 0.2)] * 15
    # A checkpoint may have just begun
    assert find(("BERT", "pll_original", None, scores), ("BERT", "pll_original", 1, scores)) == [
        ResultWarning("BERT", "scores like those of an untrained head", "30 pairs")
    ]


def test_few_pairs_have_sentences_of_the_same_number_of_tokens(find):
    run = ("BERT", "pll_original", 4, OTHER)
    assert find(run, longer=15) == []
    assert find(run, longer=16) == [
        ResultWarning(
            "BERT",
            "keeps fewer than half of the pairs, those whose sentences have the same number of "
            "tokens",
            "epoch 4, 14 of 30 pairs, seed 1",
        )
    ]


@pytest.mark.parametrize(("unknown", "told"), [(1, False), (2, True)])
def test_text_that_a_model_does_not_know(find, unknown, told):
    warning = ResultWarning(
        "BERT",
        "has no tokens for some text of many pairs, and cannot tell unknown words apart",
        "epoch 4, 2 of 30 pairs, seed 1",
    )
    found = find(("BERT", "pll_original", 4, OTHER), unknown=unknown)
    assert found == [warning] * told

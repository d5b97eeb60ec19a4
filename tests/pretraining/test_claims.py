"""Claims: holds, fails, or untestable; each on made-up models that must give that answer."""

import numpy as np
import pytest

from kasu.pretraining.cells import read_cells
from kasu.pretraining.claims import judge_claims

COUNT = 180
GOOD, BAD = [1.0] * COUNT, [-1.0] * COUNT
HALF = [1.0, -1.0] * (COUNT // 2)


def judge(runs, losses=None) -> dict[str, str]:
    rows = judge_claims(read_cells(runs), losses or {}, seed=1)
    return {row["claim"].split(" (")[0]: row["result"] for row in rows}


def grid(make_run, small_on_large, large_on_small):
    leads = {
        "BERT4L-eu5M": HALF,
        "BERT4L-eu125M": small_on_large,
        "BERT12L-eu5M": large_on_small,
        "BERT12L-eu125M": GOOD,
    }
    return [make_run(system, lead, epoch=1) for system, lead in leads.items()]


@pytest.mark.parametrize(
    ("small_on_large", "large_on_small", "result"),
    [(GOOD, HALF, "holds"), (HALF, GOOD, "fails"), (HALF, HALF, "untestable")],
)
def test_size_of_corpus(make_run, small_on_large, large_on_small, result):
    judged = judge(grid(make_run, small_on_large, large_on_small))
    assert judged["The size of the corpus matters more than that of the model"] == result


def test_nothing_to_test(make_run):
    judged = judge([make_run("mBERT", HALF)])
    assert set(judged.values()) == {"untestable"}


def test_levels(make_run):
    # pairs go through the three levels in threes
    easy = [1.0 if n // 3 % 3 == 0 else (-1.0) ** n for n in range(COUNT)]
    judged = judge(
        [make_run("BERT8L-eu5M", easy, epoch=1), make_run("BERT8L-eu125M", GOOD, epoch=1)]
    )
    assert judged["Level A is easier than B and C: BERT8L-eu5M"] == "holds"
    assert judged["At the largest corpus level A is no easier: BERT8L-eu125M"] == "holds"


@pytest.mark.parametrize(("last", "result"), [(GOOD, "holds"), (BAD, "fails")])
def test_overfitting(make_run, last, result):
    runs = [make_run("BERT8L-eu5M", GOOD, epoch=1), make_run("BERT8L-eu5M", last, epoch=2)]
    losses = {"BERT8L-eu5M": {1: {"dev_loss": 5.0}, 2: {"dev_loss": 9.0}}}
    assert judge(runs, losses)["Overfitting does not hinder grammar: BERT8L-eu5M"] == result


def test_no_overfitting_no_claim(make_run):
    losses = {"BERT8L-eu5M": {1: {"dev_loss": 5.0}}}
    judged = judge([make_run("BERT8L-eu5M", GOOD, epoch=1)], losses)
    assert not [claim for claim in judged if claim.startswith("Overfitting")]


def test_twins(make_run):
    runs = [
        make_run("BERT8L-eu5M", HALF, epoch=1), make_run("BERT8L-eu5M-lemma", GOOD, epoch=1),
        make_run("BERT8L-eu125M", GOOD, epoch=1), make_run("BERT8L-eu125M-lemma", GOOD, epoch=1),
    ]  # fmt: skip
    judged = judge(runs)
    assert judged["Lemmatisation helps with the smallest corpus: BERT8L-eu5M"] == "holds"
    assert judged["Lemmatisation does not help with the largest: BERT8L-eu125M"] == "holds"


def test_word_order(make_run):
    draw = np.random.default_rng(1)
    wrong = list(draw.choice([1.0, -1.0], COUNT))
    runs = [
        make_run("BERT8L-eu5M", GOOD, epoch=1, again=wrong),
        make_run("BERT8L-eu125M", GOOD, epoch=1, again=GOOD),
    ]
    assert judge(runs)["A second word order costs more with less text"] == "holds"

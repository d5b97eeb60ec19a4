"""What is measured after an epoch, by hand."""

import numpy as np
import pytest

from kasu.agreement.data.suffixes import UNSCORED
from kasu.agreement.models.learners import measure_slots, measure_suffixes


def test_the_score_of_an_epoch_is_the_mean_accuracy_of_the_slots():
    gold = np.array([[0, 1, 2], [1, 1, 0]])
    share = np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]])  # none is always the likeliest
    logp = np.log(np.stack([share, share, share], axis=1))
    measured = measure_slots(logp, gold)
    assert measured == pytest.approx(
        {
            # the right labels have 1/2, 1/4, 1/4 and 1/4, 1/4, 1/2
            "validation_loss": np.log(32),
            "accuracy_ergative": 0.5,
            "accuracy_absolutive": 0.0,
            "accuracy_dative": 0.5,
            "score": 1 / 3,
        }
    )


def test_the_score_of_an_epoch_is_the_mean_f1_of_the_suffixes_and_of_any():
    # none, -ek, -a, -ak, and a word that is not scored
    gold = np.array([0, 1, 2, 3, UNSCORED], np.int8)
    likeliest = [0, 1, 1, 0]
    share = np.full((5, 6), 0.1)
    share[range(4), likeliest] = 0.5
    share[4] = np.nan
    measured = measure_suffixes(np.log(share), gold)
    assert measured == pytest.approx(
        {
            "validation_loss": (2 * np.log(2) + 2 * np.log(10)) / 4,
            "f1_ek": 2 / 3,
            **{"f1_a": 0.0, "f1_ak": 0.0, "f1_ari": 0.0, "f1_ei": 0.0},
            "f1_any": 4 / 5,  # 2 of 3 found, both right
            "score": (2 / 3 + 4 / 5) / 6,
        }
    )

"""Scorers: they give the scores of scikit-learn, and what is not one is refused."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kasu.transduction.classification.classifiers import LEARNERS, draw_classifiers, fit
from kasu.transduction.classification.scorers import Frequencies, Layers, Trees, load_scorer

# Two items of one class, one of another; the first four features tell them apart
KNOWN = csr_matrix([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1]] * 10)
CLASSES = [0, 0, 1] * 10


def ensemble(learner):
    (found,) = draw_classifiers(learner, 1, 1, 200)
    return [*found]


@pytest.mark.parametrize("learner", LEARNERS)
def test_scores_prefer_the_class_of_the_same_features(learner):
    found = fit(ensemble(learner), KNOWN, CLASSES).score(KNOWN[:3])
    assert found.shape == (3, 2)
    assert found.argmax(axis=1).tolist() == [0, 0, 1]


@pytest.mark.parametrize("number", [2, 5])
@pytest.mark.parametrize("learner", LEARNERS)
def test_scores_are_those_of_scikit_learn(learner, number):
    """To the last bit, from the arrays of the scorer too."""
    draw = np.random.default_rng(1)
    train = csr_matrix(draw.integers(0, 2, (60, 8)).astype(float))
    asked = csr_matrix(draw.integers(0, 2, (40, 8)).astype(float))
    classes = [*range(number), *draw.integers(0, number, 60 - number).tolist()]
    trained = ensemble(learner)
    scorer = fit(trained, train, classes)
    expected = np.zeros((40, number))
    for each in trained:
        if hasattr(each, "predict_proba"):
            expected += each.predict_proba(asked)
        else:
            found = each.decision_function(asked)
            expected += found if number > 2 else np.stack([-found, found], axis=1)
    assert np.array_equal(scorer.score(asked), expected)
    loaded = load_scorer(scorer.arrays(), 8, number)
    assert np.array_equal(loaded.score(asked), expected)
    assert loaded.score(asked[:0]).shape == (0, number)


@pytest.mark.parametrize(("classes", "columns"), [([0, 0, 0], 6), ([0, 1, 1], 0)])
def test_without_a_choice_or_a_feature_classes_have_their_frequency(classes, columns):
    features = KNOWN[:3, :columns]
    found = fit(ensemble("regression"), features, classes).score(features)
    assert found.tolist() == [np.bincount(classes).tolist()] * 3


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_scorer_of_other_features_or_classes_is_refused(learner):
    arrays = fit(ensemble(learner), KNOWN, CLASSES).arrays()
    load_scorer(arrays, 6, 2)
    for features, classes in ((1, 2), (6, 3)):
        with pytest.raises((IndexError, ValueError)):
            load_scorer(arrays, features, classes)


TREE = {
    "roots": [0], "features": [1, 0, 0], "absent": [1, 0, 0], "present": [2, 0, 0],
    "leaves": [1, 2], "classes": [0, 1], "shares": [1.0, 1.0], "count": [2],
}  # fmt: skip


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"present": [0, 0, 0], "absent": [0, 0, 0], "leaves": [0, 0]},
    ],
)
def test_a_tree_walks_to_its_leaves(bad):
    tree = Trees(**{name: np.array(each) for name, each in (TREE | bad).items()})
    expected = [[1, 1]] * 2 if bad else [[1, 0], [0, 1]]
    assert tree.score(csr_matrix([[1, 0], [0, 1]])).tolist() == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("present", [2, 1, 0]),  # a walk that does not end
        ("absent", [0, 0, 0]),
        ("present", [3, 0, 0]),
        ("present", [-1, 0, 0]),
        ("features", [-1, 0, 0]),
        ("features", [2, 0, 0]),
        ("roots", [-1]),
        ("roots", [3]),
        ("leaves", [1, 3]),
        ("classes", [0, 2]),
        ("shares", [1.0]),
        ("count", []),
        ("extra", []),
    ],
)
def test_a_tree_that_leads_astray_is_refused(name, value):
    arrays = {key: np.array(each) for key, each in (TREE | {name: value}).items()}
    with pytest.raises((IndexError, TypeError, ValueError)):
        load_scorer(arrays, 2, 2)


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"weights0": np.zeros((2, 2)), "biases0": np.zeros(2)},
        {"probable": np.array([True]), "weights0": np.zeros((2, 2)), "bias": np.zeros(2)},
    ],
)
def test_arrays_of_another_kind_are_refused(arrays):
    with pytest.raises((KeyError, ValueError)):
        load_scorer(arrays, 2, 2)


def test_layers_by_hand():
    """relu([1, 1] W) = [0, 3], of which the second layer makes 3 - 1."""
    weights = [np.array([[1.0, 1.0], [-2.0, 2.0]]), np.array([[5.0], [1.0]])]
    biases = [np.zeros(2), np.array([-1.0])]
    asked = csr_matrix([[1.0, 1.0]])
    assert Layers(weights, biases, False).score(asked).tolist() == [[-2, 2]]
    assert Frequencies(np.array([3, 1])).score(asked).tolist() == [[3, 1]]

"""What classifiers have learnt: scores of classes, given features that are 0 or 1.

A scorer gives the scores of the classifier of scikit-learn that it was taken from. It is arrays, so
that it can be saved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Arrays = Mapping[str, ndarray]
"""What a scorer is made of, by name."""


@dataclass(frozen=True)
class Frequencies:
    """The frequency of each class, whatever the features.

    Attributes:
        counts: (classes,).
    """

    counts: ndarray

    def score(self, asked: "csr_matrix") -> ndarray:
        """Return the scores of all classes, (items, classes)."""
        return np.tile(self.counts, (asked.shape[0], 1))

    def arrays(self) -> Arrays:
        """Return what it is made of."""
        return {"counts": self.counts}


@dataclass(frozen=True)
class Layers:
    """A network, or a linear classifier, which is a network of one layer.

    Attributes:
        weights: of each layer, (inputs, outputs).
        biases: likewise, (outputs,). A single output is the score of the second of two classes.
        probable: whether scores become probabilities.
    """

    weights: Sequence[ndarray]
    biases: Sequence[ndarray]
    probable: bool

    def score(self, asked: "csr_matrix") -> ndarray:
        """Return the scores of all classes, (items, classes)."""
        from scipy.special import expit
        from threadpoolctl import threadpool_limits

        scores: Any = asked
        # With one thread the sums of floats are the same each time
        with threadpool_limits(1):
            for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
                scores = scores if number == 0 else np.maximum(scores, 0)
                scores = scores @ weights + bias
        if scores.shape[1] == 1:
            second = expit(scores) if self.probable else scores
            return np.hstack([1 - second if self.probable else -second, second])
        if self.probable:
            scores = np.exp(scores - scores.max(axis=1, keepdims=True))
            scores /= scores.sum(axis=1, keepdims=True)
        return scores

    def arrays(self) -> Arrays:
        """Return what it is made of."""
        named = {"probable": np.array([self.probable])}
        for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            named |= {f"weights{number}": weights, f"biases{number}": bias}
        return named


@dataclass(frozen=True)
class Trees:
    """Decision trees, whose scores are added. The nodes of all are one list.

    Attributes:
        roots: the first node of each tree, (trees,).
        features: the feature that a node asks for, (nodes,).
        absent, present: the node that follows if the feature is 0 or 1, (nodes,); 0 after a leaf.
        leaves, classes, shares: what leaves say: a leaf, a class and its share there.
        count: how many classes there are, (1,).

    Raises:
        ValueError: a node is out of place, so that a walk would not end.
    """

    roots: ndarray
    features: ndarray
    absent: ndarray
    present: ndarray
    leaves: ndarray
    classes: ndarray
    shares: ndarray
    count: ndarray

    def __post_init__(self) -> None:
        nodes = np.arange(len(self.features))
        leaf = self.present == 0
        for following in (self.absent, self.present):
            if not (leaf | (following > nodes) & (following < len(nodes))).all():
                raise ValueError("a node out of place")
        if min(self.features.min(), self.roots.min()) < 0:
            raise ValueError("a place below 0")

    def score(self, asked: "csr_matrix") -> ndarray:
        """Return the scores of all classes, (items, classes)."""
        from scipy.sparse import csr_matrix

        shape = len(self.features), int(self.count[0])
        said = csr_matrix((self.shares, (self.leaves, self.classes)), shape)
        has = asked.toarray() != 0
        scores = np.zeros((len(has), shape[1]))
        for root in self.roots:
            at, walking = np.full(len(has), root), np.arange(len(has))
            while len(walking := walking[self.present[at[walking]] != 0]):
                node = at[walking]
                found = has[walking, self.features[node]]
                at[walking] = np.where(found, self.present[node], self.absent[node])
            ends = said[at].tocoo()
            scores[ends.row, ends.col] += ends.data
        return scores

    def arrays(self) -> Arrays:
        """Return what they are made of."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


Scorer = Frequencies | Layers | Trees


def scorer_of(classifier: Any) -> Scorer:
    """Take what a trained classifier of scikit-learn has learnt.

    Args:
        classifier: a network, a linear classifier, or one decision tree, in a forest or not.
    """
    if hasattr(classifier, "coefs_"):
        return Layers(classifier.coefs_, classifier.intercepts_, True)
    if hasattr(classifier, "coef_"):
        weights = [np.ascontiguousarray(classifier.coef_.T)]
        return Layers(weights, [classifier.intercept_], hasattr(classifier, "predict_proba"))
    (tree,) = getattr(classifier, "estimators_", [classifier])
    nodes = tree.tree_
    # It asks whether a feature is above one half. In a leaf, places are negative
    inner = nodes.children_left > 0
    (leaves,) = np.nonzero(~inner)
    shares = nodes.value[leaves, 0]
    rows, classes = np.nonzero(shares)
    features, absent, present = (
        np.where(inner, each, 0).astype(np.int32)
        for each in (nodes.feature, nodes.children_left, nodes.children_right)
    )
    return Trees(
        roots=np.zeros(1, np.int32),
        features=features,
        absent=absent,
        present=present,
        leaves=leaves[rows].astype(np.int32),
        classes=classes.astype(np.int32),
        shares=shares[rows, classes],
        count=np.array([shares.shape[1]]),
    )


def join_trees(trees: Sequence[Trees]) -> Trees:
    """Return several trees as one scorer."""
    first = 0
    moved: list[Arrays] = []
    for each in trees:
        named = dict(each.arrays())
        for name in ("roots", "leaves"):
            named[name] = named[name] + first
        for name in ("absent", "present"):
            named[name] = np.where(named[name], named[name] + first, 0)
        moved.append(named)
        first += len(each.features)
    joined = {name: np.concatenate([each[name] for each in moved]) for name in moved[0]}
    return Trees(**joined | {"count": trees[0].count})


def load_scorer(arrays: Arrays, features: int, classes: int) -> Scorer:
    """Return a scorer from what it is made of.

    Raises:
        IndexError, KeyError, TypeError, ValueError: it is not what `arrays` returned, or is of
            other features and classes.
    """
    from scipy.sparse import csr_matrix

    scorer: Scorer
    if "counts" in arrays:
        scorer = Frequencies(arrays["counts"])
    elif "roots" in arrays:
        scorer = Trees(**arrays)
        if scorer.features.max() >= max(features, 1):
            raise ValueError("a feature too many")
    else:
        numbers = range(len(arrays) // 2)
        weights, biases = (
            [arrays[f"{name}{number}"] for number in numbers] for name in ("weights", "biases")
        )
        scorer = Layers(weights, biases, bool(arrays["probable"][0]))
    shape = scorer.score(csr_matrix((1, features))).shape
    if shape != (1, classes):
        raise ValueError(f"scores of {shape[1:]} classes")
    return scorer

"""Classifiers of scikit-learn, of which a system keeps the one that is best on dev.

scikit-learn is imported in the functions that need it: every plan reads the families.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.base import ClassifierMixin

    from kasu.transduction.classification.scorers import Scorer

NETWORK, TREE, SUPPORT_VECTORS, FOREST, REGRESSION = LEARNERS = (
    "network",
    "tree",
    "support_vectors",
    "forest",
    "regression",
)
"""A network of one hidden layer, a decision tree, a linear support-vector machine, a random forest,
and a logistic regression."""

TREES = 100


def draw_classifiers(
    learner: str, seed: int, draws: int, epochs: int
) -> Iterator[Iterable["ClassifierMixin"]]:
    """Yield each draw of a learner: classifiers whose scores are added. Only networks have several.

    A network has a hidden layer of 100 to 500 units. Weight decay and learning rate are drawn
    evenly on a scale of logarithms, from 1e-5 to 0.01 and from 0.0005 to 0.01. Everything else is
    scikit-learn's default.

    Args:
        draws: how many networks.
        epochs: of a network at most.
    """
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    draw = np.random.default_rng(seed)
    seeds = draw.integers(1 << 31, size=TREES).tolist()
    if learner == NETWORK:
        for each in draw.integers(1 << 31, size=draws).tolist():
            one = np.random.default_rng(each)
            yield [
                MLPClassifier(
                    [int(one.integers(100, 500, endpoint=True))],
                    alpha=10 ** one.uniform(-5, -2),
                    learning_rate_init=10 ** one.uniform(-3.3, -2),
                    max_iter=epochs,
                    random_state=each,
                )
            ]
    elif learner == FOREST:
        # Tree by tree: together, their counts of thousands of classes would fill the memory
        yield (RandomForestClassifier(1, random_state=each) for each in seeds)
    elif learner == TREE:
        yield [DecisionTreeClassifier(random_state=seeds[0])]
    elif learner == SUPPORT_VECTORS:
        yield [LinearSVC(random_state=seeds[0])]
    else:
        yield [LogisticRegression(random_state=seeds[0])]


def fit(
    ensemble: Iterable["ClassifierMixin"], train: "csr_matrix", classes: Sequence[int]
) -> "Scorer | None":
    """Train classifiers; return what they have learnt, or None if the training diverges.

    Without a choice of classes or without a feature, classes have their frequency.

    Args:
        ensemble: untrained classifiers; several are trees.
        train: features of training items, (items, features).
        classes: of the training items, 0 to one less than there are.
    """
    import warnings

    import numpy as np
    from threadpoolctl import threadpool_limits

    from kasu.transduction.classification.scorers import Frequencies, Trees, join_trees, scorer_of

    counts = np.bincount(np.array(classes, int))
    if len(counts) < 2 or not train.shape[1]:
        return Frequencies(counts)
    found = []
    # With one thread the sums of floats are the same each time
    with threadpool_limits(1), warnings.catch_warnings():
        # An end before convergence, or more classes than half the items, is as in print
        warnings.simplefilter("ignore", UserWarning)
        for classifier in ensemble:
            try:
                found.append(scorer_of(classifier.fit(train, classes)))
            except ValueError as error:
                if "non-finite" not in str(error):
                    raise
                return None
    trees = [each for each in found if isinstance(each, Trees)]
    return join_trees(trees) if trees else found[0]

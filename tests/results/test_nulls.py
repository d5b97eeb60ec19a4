"""Claims beside nulls: what a null solves, and what it shows too."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.results.differences import Sample
from kasu.results.nulls import above, beyond, strongest
from kasu.results.verdicts import Claim, judge_claims

ITEMS = 40


def share(right: int, items: int = ITEMS) -> Sample:
    """The first items are right."""
    return Sample([1.0] * right + [0.0] * (items - right), range(items))


def word(evidence) -> str:
    return judge_claims("paper", [Claim("", "", evidence)])[0]["result"]


def test_the_strongest_null_is_the_one_to_beat():
    nulls = {"weak": share(10), "strong": share(36), "strong too": share(36)}
    assert strongest(nulls) == "strong"
    found = above(share(20), nulls, says="X ")
    assert found.value == pytest.approx(-0.4)
    assert found.describe().startswith("X 0.5000, strong 0.9000, difference -0.4000 (")
    assert word(above(share(20), {"weak": share(10)})) == "holds"


@pytest.mark.parametrize(
    ("system", "null", "result"),
    [
        (36, 40, "untestable here"),  # a network with 90 % is refuted by nothing
        (40, 40, "untestable here"),
        (0, 40, "untestable here"),
        (40, 37, "untestable here"),  # nor would three more right items be beyond chance
        (40, 30, "holds"),
        (20, 30, "fails"),
        (30, 30, "undecided"),
    ],
)
def test_a_null_that_solves_it_judges_nobody(system, null, result):
    found = above(share(system), {"medoid": share(null)})
    assert word(found) == result
    assert found.solved == ("the null medoid solves it" if result == "untestable here" else "")


def test_a_null_may_be_solved_only_by_clusters():
    # Ten wrong items of one sentence are one observation
    clustered = [0] * 10 + list(range(1, 31))
    null = Sample([0.0] * 10 + [1.0] * 30, clustered)
    assert above(Sample([1.0] * 40, clustered), {"null": null}).solved
    assert not above(share(40), {"null": share(30)}).solved


@given(st.integers(0, ITEMS), st.integers(0, ITEMS))
def test_no_system_holds_or_fails_by_what_a_null_solves(system, null):
    """And where the null leaves room, the perfect system holds."""
    result = word(above(share(system), {"null": share(null)}))
    perfect = word(above(share(ITEMS), {"null": share(null)}))
    assert (result == "untestable here") == (perfect == "untestable here")
    assert perfect in ("holds", "untestable here")


def kinds(easy: int, hard: int) -> tuple[Sample, Sample]:
    first = Sample([1.0] * easy + [0.0] * (ITEMS - easy), range(ITEMS))
    second = Sample([1.0] * hard + [0.0] * (ITEMS - hard), range(ITEMS, 2 * ITEMS))
    return first, second


@pytest.mark.parametrize(
    ("system", "null", "result", "parts"),
    [
        ((40, 20), (20, 20), "holds", 1),
        ((40, 20), (10, 20), "holds", 1),  # the null has the opposite
        ((40, 20), (24, 20), "holds", 2),
        ((40, 20), (40, 20), "undecided", 2),  # the null shows it too
        ((36, 20), (40, 4), "undecided", 2),  # and more: it refutes nothing
        ((20, 20), (30, 20), "undecided", 2),
        ((20, 40), (30, 20), "fails", 2),
    ],
)
def test_a_kind_is_easier_only_beyond_the_null(system, null, result, parts):
    found = beyond(kinds(*system), kinds(*null), "longer")
    assert (word(found), len(found)) == (result, parts)


def test_the_evidence_names_the_null_and_what_it_shows():
    own, further = beyond(kinds(40, 20), kinds(24, 20), "longer", says="A and B ")
    assert own.describe().startswith("A and B longer +0.1000, difference +0.5000 (")
    assert further.describe().startswith("beyond longer a difference +0.4000 (")
    assert [each.tried for each in beyond(kinds(9, 1), kinds(9, 1), "x", tried=3)] == [3, 3]


def test_beyond_a_null_is_paired_by_item():
    # The system follows the null item by item, and has eight further items of the easy kind
    generator = np.random.default_rng(1)
    null = tuple(Sample(generator.integers(0, 2, 40).astype(float), clusters)
                 for clusters in (range(40), range(40, 80)))  # fmt: skip
    null[0].values[:8], null[1].values[:4] = 0.0, 0.0
    easy = null[0].values.copy()
    easy[:8] = 1.0
    if null[0].mean <= null[1].mean:
        null[0].values[30:] = easy[30:] = 1.0
    _, further = beyond((Sample(easy, range(40)), null[1]), null, "null")
    assert further.value == pytest.approx(0.2)
    assert further.p < 0.01


@given(st.lists(st.integers(1, ITEMS), min_size=2, max_size=5))
def test_a_stronger_null_never_helps(rights):
    values = [above(share(20), {"null": share(right)}).value for right in sorted(rights)]
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(values))


@pytest.mark.parametrize(("clusters", "solved"), [(1, True), (5, True), (6, False)])
def test_few_clusters_are_not_a_null_that_solves_it(clusters, solved):
    found = above(share(clusters, clusters), {"weak": share(0, clusters)})
    assert found.solved == ("too few clusters for any system" if solved else "")
    assert word(found) == ("untestable here" if solved else "holds")

"""Clusters of items: which column tells, and the interval that follows."""

import pytest

from kasu.base.errors import KasuError
from kasu.lm.scoring.clusters import interval, read_clusters
from kasu.results.statistics import wilson


@pytest.mark.parametrize(
    ("row", "named", "column"),
    [
        ({"lemma": "l", "sentence_id": "s", "source_id": "o"}, None, "source_id"),
        ({"lemma": "l", "sentence_id": "s"}, None, "sentence_id"),
        ({"lemma": "l", "kind": "k"}, None, "lemma"),
        ({"lemma": "l", "kind": "k"}, "kind", "kind"),
        ({"lemma": "l"}, "", None),
        ({"kind": "k"}, None, None),
    ],
)
def test_which_column_tells(row, named, column):
    found = read_clusters("i.tsv", [row, row], named)
    assert (found.column, found.shared) == (column, column)
    assert found.of == (
        {"1": row[column], "2": row[column]} if column else {"1": "1\n", "2": "2\n"}
    )


def test_items_without_a_value_share_nothing():
    rows = [{"item_id": f"i{n}", "lemma": lemma} for n, lemma in enumerate([None, "", "a", "b"])]
    found = read_clusters("i.tsv", rows)
    assert (found.column, found.shared, len({*found.of.values()})) == ("lemma", None, 4)
    assert read_clusters("i.tsv", [*rows, {"item_id": "c", "lemma": "b"}]).shared == "lemma"


def test_a_column_that_is_not_there_is_one_line():
    with pytest.raises(KasuError, match=r"'lema' \(--cluster\); expected one of lemma, kind"):
        read_clusters("i.tsv", [{"lemma": "l", "kind": "k"}], "lema")


def test_the_interval_is_that_of_clusters():
    assert interval([1, 0] * 10, range(20)) == wilson(10, 20)
    # In each lemma one of two is right, as of ten items
    assert interval([1, 0] * 10, [at // 2 for at in range(20)]) == wilson(5, 10)
    low, high = interval([1] * 10 + [0] * 10, [at // 5 for at in range(20)])
    assert low < wilson(10, 20)[0] and high > wilson(10, 20)[1]

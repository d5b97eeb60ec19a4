"""What items share, as their source sentence: items of one cluster are not independent."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from kasu.lm.scoring.items import Row, cell_text, choose_column, item_name, names_of
from kasu.results.statistics import LEVEL, share_interval, wilson

CLUSTERS = ("source_id", "sentence_id", "lemma")
"""The columns of clusters; by default the first that there is."""
COLUMNS = ("cluster", "clusters")  # of tables: the column of the items, and how many clusters
SAYS = "items of one {} are a cluster: intervals and tests are of clusters, not of items"
DRAWS = 10_000  # of a bootstrap whose interval allows for several tries
SEED = 1


class Clusters(NamedTuple):
    """The cluster of each item.

    column: the column of the items that tells; None if each item is a cluster.
    of: the cluster by the name of the item.
    """

    column: str | None
    of: Mapping[str, str]

    @property
    def shared(self) -> str | None:
        """The column, if two items share a cluster."""
        return self.column if len({*self.of.values()}) < len(self.of) else None


def read_clusters(
    path: str | Path,
    rows: Sequence[Row],
    named: str | None = None,
    usual: Sequence[str] = CLUSTERS,
) -> Clusters:
    """Return the clusters of the rows of a file; a row without a value is one of its own.

    Args:
        named: the column; by default the first of `usual`, and none if it is empty.

    Raises:
        KasuError: there is no such column.
    """
    column = choose_column(path, names_of(rows), named, usual, "--cluster")
    names = (item_name(row, number) for number, row in enumerate(rows, 1))
    values = (cell_text(row, column) if column else "" for row in rows)
    # A line of its own, as the name of an item may be a value
    of = {name: value or f"{name}\n" for name, value in zip(names, values, strict=True)}
    return Clusters(column, of)


def independent(clusters: ArrayLike) -> bool:
    """Return whether each item has a cluster of its own, by the clusters of items, (items,)."""
    return len(np.unique(clusters)) == np.size(clusters)


def interval(
    values: Sequence[float] | np.ndarray, clusters: ArrayLike, tried: int = 1
) -> tuple[float, float]:
    """Return the interval of a mean of 0 to 1, at a level that allows for `tried` of them.

    Wilson's where items are independent, else over clusters: see `share_interval`.

    Args:
        values: one per item, (items,).
        clusters: the item's cluster, (items,).
    """
    level = 1 - (1 - LEVEL) / tried
    if independent(clusters):
        return wilson(float(sum(values)), len(values), level)
    every = np.ones(len(values), bool)
    draws = DRAWS if tried > 1 else 1000
    return share_interval(values, every, clusters, seed=SEED, draws=draws, level=level)


class _Row(Protocol):
    @property
    def cluster(self) -> str | None: ...


def shown_columns(columns: Sequence[str], rows: Iterable[_Row]) -> list[str]:
    """Return the columns of a table: COLUMNS only where items share a cluster."""
    shared = any(row.cluster for row in rows)
    return [name for name in columns if shared or name not in COLUMNS]

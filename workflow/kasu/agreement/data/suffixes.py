"""The words whose suffix is to be predicted, and those that are left out (BASQUE-8)."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.tasks import MASKED, SUFFIXES
from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet

UNSCORED = -1
# Why a word is not scored. A word that can be a verb is never stripped
VERBS = "can be finite verbs"
UNKNOWN = "not known to the analyser, end as a suffix does"


def gold_suffixes(items: pa.Table, path: str | Path) -> np.ndarray:
    """Return the suffixes of all words as positions in SUFFIXES: (words of all items,).

    UNSCORED are words that can be finite verbs, and those that the analyser does not know and that
    end as a suffix does.

    Raises:
        KasuError: a suffix is unknown, or no word is scored; the error names `path`.
    """
    suffixes = pc.list_flatten(items["suffixes"])
    found = pc.index_in(suffixes, pa.array(SUFFIXES))
    left_out = _left_out(items)
    unknown = pc.filter(suffixes, pc.and_not(pc.is_null(found), pa.array(left_out[UNKNOWN])))
    if len(unknown):
        expected = " or ".join((*SUFFIXES, MASKED))
        raise KasuError(path, f"suffix {unknown[0].as_py()!r}", expected)
    gold = pc.fill_null(found, UNSCORED).to_numpy().astype(np.int8)
    gold[left_out[VERBS]] = UNSCORED
    if not (gold != UNSCORED).any():
        raise KasuError(path, "no word to score", "one or more that are known and no verbs")
    return gold


def count_unscored(path: str | Path) -> Counter[str]:
    """Count the words of a dataset file that are not scored, by variant and reason."""
    table = read_parquet(path, ["variant", "suffixes", "finite"])
    counts: Counter[str] = Counter()
    for variant in sorted(table["variant"].unique().to_pylist()):
        left_out = _left_out(table.filter(pc.field("variant") == variant))
        for reason, words in left_out.items():
            counts[f"{variant}: words that suffix prediction leaves out: {reason}"] = words.sum()
    return counts


def _left_out(items: pa.Table) -> dict[str, np.ndarray]:
    """Return whether each word is left out, by reason: (words of all items,)."""
    return {
        VERBS: pc.list_flatten(items["finite"]).to_numpy(),
        UNKNOWN: pc.equal(pc.list_flatten(items["suffixes"]), MASKED).to_numpy(),
    }

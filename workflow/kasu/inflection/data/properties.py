"""Check what the organisers say about the datasets of the task (Cotterell et al. 2018, §3.1)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from scipy.stats import spearmanr

from kasu.base.tables import write_tsv
from kasu.corpora.frequencies import count_asked
from kasu.inflection.data.sampling import FULL, split_sizes
from kasu.inflection.data.triples import SETTINGS, SPLITS, Triple, read_dataset

LEVEL = 0.05
PROPERTIES = ("language", "property", "holds", "evidence")
VERDICTS = {True: "holds", False: "fails", None: "untestable here"}


class Property(NamedTuple):
    """A statement, whether it holds (None: not testable here), and the evidence."""

    property: str
    holds: bool | None
    evidence: str


def check_properties(folder: str | Path, words: str | Path | None = None) -> list[Property]:
    """Check a dataset; `words` is a list of word counts of its language or a corpus.

    Raises:
        KasuError: the dataset or the list is unreadable.
    """
    folder = Path(folder)
    splits = {split: read_dataset(folder / f"{split}.parquet") for split in SPLITS}
    counts = None
    if words is not None:
        forms = {triple.form for split in SPLITS for triple in splits[split]}
        found = count_asked(words, forms)
        counts = {form: found.counts.get(found.key(form), 0) for form in forms}
    return properties_of(splits, counts)


def properties_of(
    splits: Mapping[str, Sequence[Triple]], counts: Mapping[str, int] | None = None
) -> list[Property]:
    """Check splits (a missing setting is empty); `counts` gives the tokens of every form."""
    train = _longest(splits)
    both = [*train, *splits["dev"], *splits["test"]]
    held_out = [0] * len(train) + [1] * (len(both) - len(train))
    return [
        _nested(splits),
        _disjoint(splits),
        _sizes(splits),
        _once(splits),
        _tendency("frequent forms come first in training", range(len(train)), train, counts),
        _tendency("forms of dev and test are rarer", held_out, both, counts),
    ]


def _longest(splits: Mapping[str, Sequence[Triple]]) -> Sequence[Triple]:
    return max((splits[setting] for setting in SETTINGS), key=len)


def _nested(splits: Mapping[str, Sequence[Triple]]) -> Property:
    name = "a smaller training set is the head of a larger one"
    present = [setting for setting in SETTINGS if splits[setting]]
    pairs = list(pairwise(present))
    if not pairs:
        return Property(name, None, "a single training set")
    bad = [
        f"{small} is not the head of {large}"
        for small, large in pairs
        if splits[small] != splits[large][: len(splits[small])]
    ]
    return Property(name, not bad, "; ".join(bad) or ", ".join(f"{s} in {b}" for s, b in pairs))


def _disjoint(splits: Mapping[str, Sequence[Triple]]) -> Property:
    cells = {
        "train": {(t.lemma, t.features) for setting in SETTINGS for t in splits[setting]},
        "dev": {(t.lemma, t.features) for t in splits["dev"]},
        "test": {(t.lemma, t.features) for t in splits["test"]},
    }
    shared = {
        f"{a} and {b}": len(cells[a] & cells[b])
        for a, b in (("train", "dev"), ("train", "test"), ("dev", "test"))
    }
    evidence = "; ".join(f"{pair} share {count}" for pair, count in shared.items())
    return Property(
        "train, dev and test share no (lemma, features)", not any(shared.values()), evidence
    )


def _sizes(splits: Mapping[str, Sequence[Triple]]) -> Property:
    found = {split: len(splits[split]) for split in SPLITS}
    train = len(_longest(splits))
    # The number n that the sizes follow from is unknown: try those that could give this one
    likely = (train + 100, train + 200, FULL)
    holds = any(split_sizes(n) == found for n in likely if n > 100)
    evidence = ", ".join(f"{split} {size}" for split, size in found.items())
    return Property("sizes follow from the number of (lemma, features)", holds, evidence)


def _once(splits: Mapping[str, Sequence[Triple]]) -> Property:
    parts = {"train": _longest(splits), "dev": splits["dev"], "test": splits["test"]}
    again = {
        part: len(triples) - len({(t.lemma, t.features) for t in triples})
        for part, triples in parts.items()
    }
    evidence = ", ".join(f"{part} {count} again" for part, count in again.items())
    return Property("no (lemma, features) stands twice", not any(again.values()), evidence)


def _tendency(
    name: str, order: Sequence[int], triples: Sequence[Triple], counts: Mapping[str, int] | None
) -> Property:
    """Test whether counts fall along `order` (S-6): rank correlation, one-sided at LEVEL."""
    if counts is None:
        return Property(name, None, "no list of word counts")
    tokens = [counts[triple.form] for triple in triples]
    evidence = f"{sum(count > 0 for count in tokens)} of {len(tokens)} forms in the list"
    if len(set(tokens)) < 2:
        return Property(name, None, evidence)
    rho, p = spearmanr(order, tokens, alternative="less")
    return Property(name, bool(p < LEVEL), f"{evidence}, rho {rho:.3f}, p {p:.2g}")


def write_properties(
    out: str | Path, folders: Mapping[str, str | Path], words: Mapping[str, str | Path | None]
) -> None:
    """Write one row per language and property (PROPERTIES).

    Args:
        folders: the dataset of each language.
        words: the word counts of each language (as in `check_properties`), or None.
    """
    rows = [
        {"language": language, **checked._asdict(), "holds": VERDICTS[checked.holds]}
        for language, folder in folders.items()
        for checked in check_properties(folder, words[language])
    ]
    write_tsv(out, rows, PROPERTIES)

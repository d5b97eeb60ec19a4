"""Check what the organisers say about the datasets of the task (Cotterell et al. 2018, §3.1)."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.special import ndtri

from kasu.files.tables import write_tsv
from kasu.inflection.data.sampling import FULL, split_sizes
from kasu.inflection.data.triples import PAPER, SETTINGS, SPLITS, Triple, read_dataset
from kasu.inflection.data.words import Matched, match_words
from kasu.results.differences import ALPHA, Difference
from kasu.results.verdicts import Claim, Fact, Untestable, every, judge_claims

PROPERTIES = ("language", "property", "test", "result", "evidence")
"""One statement on one dataset per row, with the words of `kasu.results.verdicts` in `result`."""

BY_CONSTRUCTION = "by construction: Kasu drew the dataset by these counts"


def check_properties(
    folder: str | Path, words: str | Path | None = None, *, drawn: bool = False, code: str = ""
) -> list[Claim]:
    """Check a dataset.

    Args:
        words: a list of word counts of its language or a corpus.
        drawn: whether Kasu drew the dataset by these counts.
        code: the code of the language, for upper and lower case.

    Raises:
        KasuError: the dataset or the list is unreadable.
    """
    folder = Path(folder)
    splits = {split: read_dataset(folder / f"{split}.parquet") for split in SPLITS}
    forms = {triple.form for split in SPLITS for triple in splits[split]}
    matched = None if words is None or drawn else match_words(words, forms, code)
    return properties_of(splits, Untestable(BY_CONSTRUCTION) if drawn else matched)


def properties_of(
    splits: Mapping[str, Sequence[Triple]], words: Matched | Untestable | None = None
) -> list[Claim]:
    """Check splits; a missing setting is empty.

    Args:
        words: the word counts of the forms, or why they cannot show anything.
    """
    train = _longest(splits)
    both = [*train, *splits["dev"], *splits["test"]]
    held_out = [0] * len(train) + [1] * (len(both) - len(train))
    return [
        Claim(
            "a smaller training set is the head of a larger one",
            "row by row",
            _nested(splits),
        ),
        Claim(
            "train, dev and test share no (lemma, features)",
            "how many each two share",
            _disjoint(splits),
        ),
        Claim(
            "sizes follow from the number of (lemma, features)",
            "one of the numbers that give this training set also gives dev and test",
            _sizes(splits),
        ),
        Claim(
            "no (lemma, features) stands twice",
            "how many rows repeat one",
            _once(splits),
        ),
        Claim(
            "frequent forms come first in training",
            "rank correlation of place and rarity, above 0",
            _tendency(range(len(train)), train, words),
        ),
        Claim(
            "forms of dev and test are rarer",
            "rank correlation of being held out and rarity, above 0",
            _tendency(held_out, both, words),
        ),
    ]


def _longest(splits: Mapping[str, Sequence[Triple]]) -> Sequence[Triple]:
    return max((splits[setting] for setting in SETTINGS), key=len)


def _nested(splits: Mapping[str, Sequence[Triple]]) -> Fact | Untestable:
    present = [setting for setting in SETTINGS if splits[setting]]
    heads = {
        f"{small} in {large}": splits[small] == splits[large][: len(splits[small])]
        for small, large in pairwise(present)
    }
    bad = "".join(f"; not {pair}" for pair, head in heads.items() if not head)
    return every(heads.values(), f"smaller sets are heads{bad}", "a single training set")


def _disjoint(splits: Mapping[str, Sequence[Triple]]) -> Fact:
    cells = {
        "train": {t.slot for setting in SETTINGS for t in splits[setting]},
        "dev": {t.slot for t in splits["dev"]},
        "test": {t.slot for t in splits["test"]},
    }
    shared = {
        f"{a} and {b}": len(cells[a] & cells[b])
        for a, b in (("train", "dev"), ("train", "test"), ("dev", "test"))
    }
    evidence = "; ".join(f"{pair} share {count}" for pair, count in shared.items())
    return Fact(not any(shared.values()), evidence)


def _sizes(splits: Mapping[str, Sequence[Triple]]) -> Fact:
    found = {split: len(splits[split]) for split in SPLITS}
    train = len(_longest(splits))
    # The number n that the sizes follow from is unknown: try those that could give this one
    likely = (train + 100, train + 200, FULL)
    evidence = ", ".join(f"{split} {size}" for split, size in found.items())
    return Fact(any(split_sizes(n) == found for n in likely if n > 100), evidence)


def _once(splits: Mapping[str, Sequence[Triple]]) -> Fact:
    parts = {"train": _longest(splits), "dev": splits["dev"], "test": splits["test"]}
    again = {part: len(triples) - len({t.slot for t in triples}) for part, triples in parts.items()}
    evidence = ", ".join(f"{part} {count} again" for part, count in again.items())
    return Fact(not any(again.values()), evidence)


def _tendency(
    order: Sequence[int], triples: Sequence[Triple], words: Matched | Untestable | None
) -> Difference | Untestable:
    """Test whether counts fall along `order` (S-6), by Spearman's rank correlation."""
    from scipy.stats import spearmanr  # takes half a second to import

    if words is None:
        return Untestable("no list of word counts")
    if isinstance(words, Untestable):
        return words
    if not words.enough:
        return Untestable(f"{words.words}: {words.share}; expected {words.expected}")
    counts = words.counts({triple.form for triple in triples})
    tokens = [counts[triple.form] for triple in triples]
    if len(set(tokens)) < 2:
        return Untestable(f"all forms have {tokens[0] if tokens else 0} tokens")
    rho, p = spearmanr(order, np.negative(tokens))
    # Fisher's interval
    standard_error = 1 / np.sqrt(max(len(tokens) - 3, 1))
    margin = -ndtri(ALPHA / 2) * standard_error
    centre = np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12))
    low, high = np.tanh([centre - margin, centre + margin])
    return Difference(
        float(rho), float(low), float(high), float(p), len(tokens), standard_error,
        says=f"{words.share}; ", noun="correlation",
    )  # fmt: skip


def write_properties(
    out: str | Path,
    folders: Mapping[str, str | Path],
    words: Mapping[str, str | Path | None],
    drawn: Collection[str] = (),
    *,
    codes: Mapping[str, str],
) -> None:
    """Write one row per language and property (PROPERTIES); Holm's correction covers them all.

    Args:
        folders: the dataset of each language.
        words: the word counts of each language (as in `check_properties`), or None.
        drawn: the languages whose dataset Kasu drew by these counts.
        codes: the code of each language.
    """
    checked = [
        (language, claim)
        for language, folder in folders.items()
        for claim in check_properties(
            folder, words[language],
            drawn=language in drawn, code=codes[language],
        )
    ]  # fmt: skip
    judged = judge_claims(PAPER, [claim for _, claim in checked])
    rows = [
        {
            "language": language,
            "property": row["claim"],
            **{key: row[key] for key in ("test", "result", "evidence")},
        }
        for (language, _), row in zip(checked, judged, strict=True)
    ]
    write_tsv(out, rows, PROPERTIES)

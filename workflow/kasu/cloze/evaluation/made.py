"""Figures of a dataset made from a treebank: coverage, what was found again, agreement."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kasu.cloze.data.annotations import AGREEMENT
from kasu.cloze.data.names import MADE, UD_SPLITS
from kasu.cloze.data.recovery import RECOVERED
from kasu.cloze.data.treebank import CONVERSION
from kasu.files.tables import read_counts, read_tsv

Figure = tuple[str, str, float, int | None]
"""Condition, metric, value, and the number of items of a share."""


def figures(folder: str | Path) -> list[Figure]:
    """Read the figures of a dataset from the tables beside it.

    Shares of `tokens` are of all tokens of the treebank, shares of `words` of its nouns, verbs and
    adjectives.

    Raises:
        KasuError: as `read_tsv`.
    """
    folder = Path(folder)
    return [*_candidates(folder), *_coverage(folder), *_recovery(folder), *_agreement(folder)]


def _share(condition: str, metric: str, count: float, of: float) -> Iterator[Figure]:
    if of:
        yield condition, metric, count / of, int(of)


def _candidates(folder: Path) -> Iterator[Figure]:
    counts = read_counts(folder / "counts.tsv")
    for split in UD_SPLITS:
        if sentences := counts.get(f"{split}: sentences of the treebank"):
            candidates = counts.get(f"{split}: candidate sentences", 0)
            yield split, "sentences", sentences, None
            yield from _share(split, "candidates_share", candidates, sentences)
            words = counts.get(f"{split}: words that may be asked for", 0)
            yield split, "words_to_ask_for", words, None
    inflected = counts["inflected words"]
    found = counts["inflected words that the paradigms have"]
    yield from _share("treebank", "inflected_words_share", found, inflected)


def _coverage(folder: Path) -> Iterator[Figure]:
    totals: Counter[str] = Counter()
    for row in read_tsv(folder / MADE["conversion"], CONVERSION):
        totals.update({column: int(row[column]) for column in CONVERSION[2:]})
    for column in ("converted", "lossless"):
        yield from _share("treebank", f"{column}_tokens_share", totals[column], totals["tokens"])
    for column in ("lemma", "form", "cell"):
        yield from _share("treebank", f"{column}_words_share", totals[column], totals["classed"])


def _recovery(folder: Path) -> Iterator[Figure]:
    for row in read_tsv(folder / MADE["recovered"], RECOVERED):
        counts = {column: int(row[column] or 0) for column in RECOVERED[1:]}
        where = f"released {row['split']}"
        found, targets = counts["found"], counts["targets_found"]
        yield from _share(where, "sentences_found_share", found, counts["sentences"])
        yield from _share(where, "candidates_share", counts["candidates"], found)
        yield from _share(where, "targets_found_share", targets, counts["targets"])
        yield from _share(where, "targets_recovered_share", counts["recovered"], targets)


def _agreement(folder: Path) -> Iterator[Figure]:
    for row in read_tsv(folder / MADE["agreement"], AGREEMENT):
        where, forms, items = f"{row['a']} and {row['b']}", int(row["forms"]), int(row["items"])
        for metric, cell, n in (
            ("forms_judged_alike_share", row["agreed"], forms),
            ("same_sets_share", row["same_sets"], items),
            ("kappa", row["kappa"], forms),
        ):
            if cell:
                yield where, metric, float(cell), n

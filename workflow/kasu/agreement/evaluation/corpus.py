"""Facts of the corpus that the paper states: sizes, and which arguments its sentences show."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.sizes import limit_of
from kasu.agreement.data.tasks import SPLITS
from kasu.agreement.runs import PAPER, STUDY
from kasu.files.tables import ParquetReader, read_counts, read_parquet
from kasu.results.scores import Score
from kasu.results.statistics import share_interval

ERGATIVE = "sentences whose verb marks ERG.PL3"  # as the published figures name this condition
COLUMNS = ["cluster", "variant", "tokens", "suffixes", "dative", "third_plural_ergative"]


def corpus_facts(dataset: str | Path, seed: int, corpus: str = "") -> list[Score]:
    """Measure the corpus: its sizes (§5), and shares of the sentences of its test set.

    One share is of sentences with a dative (§6.1). The others are of sentences whose target marks
    a third person plural ergative: the share without a word in *-ek* (§7, BASQUE-19), by its form
    and by its suffix.

    Args:
        dataset: the folder with counts.tsv and test.parquet.
        corpus: its name in the conditions; empty where it has none.
    """
    counts = read_counts(Path(dataset, "counts.tsv"))
    path = Path(dataset, "test.parquet")
    present = ParquetReader(path).schema.names
    test = read_parquet(path, [name for name in COLUMNS if name in present])
    rows: list[Score] = []
    for variant in sorted(test["variant"].unique().to_pylist()):
        items = test.filter(pc.field("variant") == variant)
        named = Score(STUDY, PAPER, system="corpus", condition=corpus, variant=variant)
        rows += _sizes(counts, variant, named)
        # The shares are of arguments that only a language like Basque has
        if set(COLUMNS) <= {*present}:
            rows += _shares(items, named, seed)
    return rows


def _sizes(counts: dict[str, int], variant: str, named: Score) -> Iterator[Score]:
    """Yield the sizes of the corpus and its splits."""
    sizes: dict[str, tuple[int, str | None]] = {"sentences_total": (counts["sentences"], None)}
    for split in SPLITS:
        size, most = counts[f"{variant}: {split}"], counts.get(limit_of(split))
        short = most is not None and size < most
        note = f"the corpus has fewer than max_sentences ({most:,})" if short else None
        sizes[f"sentences_{split}"] = (size, note)
    for metric, (size, note) in sizes.items():
        yield replace(named, table="section 5", metric=metric, value=size, note=note)


def _shares(items: pa.Table, named: Score, seed: int) -> Iterator[Score]:
    """Yield each share with its interval over the clusters."""
    clusters = items["cluster"].to_numpy()
    every = np.ones(len(items), bool)
    dative = pc.not_equal(items["dative"], "none").to_numpy()
    marked = items["third_plural_ergative"].to_numpy()
    form = _any_of(items["tokens"], lambda words: pc.ends_with(pc.utf8_lower(words), "ek"))
    suffix = _any_of(items["suffixes"], lambda suffixes: pc.equal(suffixes, "-ek"))
    with_dative = ("section 6.1", "", "share_sentences_with_dative", "target verbs of the test set")
    by_form = ("section 7", ERGATIVE, "share_without_word_in_-ek", "words whose form ends in -ek")
    by_suffix = (
        "section 7", ERGATIVE, "share_without_suffix_-ek",
        "words that the analyser gives the plural article and ergative: no pronoun, numeral, name",
    )  # fmt: skip
    for (table, condition, metric, note), hits, trials in (
        (with_dative, dative, every),
        (by_form, marked & ~form, marked),
        (by_suffix, marked & ~suffix, marked),
    ):
        n = int(trials.sum())
        low, high = share_interval(hits, trials, clusters, seed=seed)
        yield replace(
            named,
            table=table,
            condition="|".join(filter(None, (condition, named.condition))),
            metric=metric,
            value=hits.sum() / n if n else None,
            low=low,
            high=high,
            n=n,
            runs=1,
            note=note,
        )


def _any_of(lists: pa.ChunkedArray, test: Callable) -> np.ndarray:
    """Return whether any value of each list passes a test: (lists,)."""
    passed = test(pc.list_flatten(lists)).to_numpy()
    lengths = pc.list_value_length(lists).to_numpy()
    # The list of each value that passed; a list passes if it has one or more
    of = np.repeat(np.arange(len(lists)), lengths)[passed]
    return np.bincount(of, minlength=len(lists)) > 0

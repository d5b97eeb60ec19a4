"""The items of a dataset: what is right, what is wrong, and what each item is about."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kasu.audits.data.items import IN_CHOICES, IN_SETS, Benchmark, option_name, read_benchmark
from kasu.base.errors import KasuError
from kasu.exports.dataset import Dataset, rows_of


@dataclass(frozen=True)
class Item:
    """One item.

    Attributes:
        about: its phenomenon; empty if the dataset has none.
        context: what stands before the options; of a set, the sentence up to the form.
        options: sentences, the right one first.
        strings: what tells them apart: of a set its forms, else the options.
        names: of the options, as columns have them.
        row: all columns.
    """

    about: str
    context: Sequence[str]
    options: Sequence[str]
    strings: Sequence[str]
    names: Sequence[str]
    row: Mapping[str, object]


def read_forms(dataset: Dataset, by: str | None) -> dict[str, Benchmark]:
    """Read each split as minimal pairs, minimal sets or multiple choice.

    Args:
        by: the column of phenomena; by default that of the first split that has one by itself, for
            all splits.

    Raises:
        KasuError: a split is none of these, or lacks the column.
    """
    forms = {split: read_benchmark(file, by=by) for split, file in dataset.files.items()}
    columns = [each.by for each in forms.values()]
    if by is None and None in columns and any(columns):
        return read_forms(dataset, next(filter(None, columns)))
    return forms


def items_of(dataset: Dataset, split: str, benchmark: Benchmark) -> Iterator[Item]:
    """Yield the items of a split.

    Raises:
        KasuError: an option has nothing but blanks, or a wrong option is the right one.
    """
    rows = rows_of(dataset.tables[split])
    for at, row in enumerate(rows):
        where = f"{dataset.files[split]}: item {benchmark.names[at]}"
        right = int(benchmark.right[at])
        order = [right, *(other for other in range(len(benchmark.columns)) if other != right)]
        options = [benchmark.options[at][place] for place in order]
        strings = [benchmark.strings[at][place] for place in order]
        if not all(map(str.strip, strings)):
            raise KasuError(where, "an option without text", "a text")
        if options[0] in options[1:]:
            raise KasuError(where, f"{options[0]!r} as right and as wrong", "sentences that differ")
        yield Item(
            about=benchmark.phenomena[at] if benchmark.by else "",
            context=benchmark.contexts[at],
            options=options,
            strings=strings,
            names=[option_name(benchmark.columns[place]) for place in order],
            row=row,
        )


@dataclass(frozen=True)
class Pair:
    """A minimal pair.

    Attributes:
        uid: of its paradigm: of pairs the phenomenon, of sets also the right and the wrong value,
            as `subjects_nom_erg`; without phenomena the dataset's name stands for one.
        right, wrong: the values of a minimal set; empty in pairs.
        before: the sentence up to the word in which the halves differ.
        words: the word, right and wrong; empty if the halves differ in more than one.
    """

    uid: str
    good: str
    bad: str
    right: str
    wrong: str
    before: str
    words: tuple[str, str]
    item: Item


def pairs_of(dataset: Dataset, form: str, by: str | None) -> Iterator[Pair]:
    """Yield the minimal pairs of all splits: of a set, the right form with each wrong one.

    Args:
        form: the form of export, for errors.

    Raises:
        KasuError: the dataset has no minimal pairs; in multiple choice, a wrong candidate may be a
            grammatical sentence.
    """
    for split, benchmark in _expect_pairs(dataset, form, by).items():
        for item in items_of(dataset, split, benchmark):
            for at in range(1, len(item.options)):
                yield _pair(dataset.name, item, at, benchmark.form == IN_SETS)


def _expect_pairs(dataset: Dataset, form: str, by: str | None) -> dict[str, Benchmark]:
    benchmarks = read_forms(dataset, by)
    for benchmark in benchmarks.values():
        if benchmark.form == IN_CHOICES:
            raise KasuError(dataset.path, f"{IN_CHOICES} for {form}", "minimal pairs or sets")
    return benchmarks


def _pair(name: str, item: Item, at: int, is_set: bool) -> Pair:
    good, bad = item.options[0], item.options[at]
    about = item.about or name
    if is_set:
        right, wrong = item.names[0], item.names[at]
        words = (item.strings[0], item.strings[at])
        return Pair(
            f"{about}_{right}_{wrong}", good, bad, right, wrong, item.context[0], words, item
        )
    place = differing_word(good, bad)
    halves = good.split(), bad.split()
    words = ("", "") if place is None else (halves[0][place], halves[1][place])
    before = "" if place is None else " ".join(halves[0][:place])
    return Pair(about, good, bad, "", "", before, words, item)


def differing_word(good: str, bad: str) -> int | None:
    """Return the place of the only word in which two sentences differ; None if there is none."""
    halves = good.split(), bad.split()
    if len(halves[0]) != len(halves[1]):
        return None
    places = [at for at, (one, other) in enumerate(zip(*halves, strict=True)) if one != other]
    return places[0] if len(places) == 1 else None


def as_name(text: str) -> str:
    """Return a name for files and tasks."""
    return re.sub(r"[^\w.-]+", "_", text).strip("_.") or "none"


def expect_apart(where: object, texts: Sequence[str]) -> dict[str, str]:
    """Return a name for each text.

    Raises:
        KasuError: two texts have one name, also where capitals and small letters are the same.
    """
    names = {text: as_name(text) for text in texts}
    taken: dict[str, str] = {}
    for text, name in names.items():
        other = taken.setdefault(name.casefold(), text)
        if other != text:
            raise KasuError(where, f"{other!r} and {text!r} as one name, {name!r}", "names apart")
    return names

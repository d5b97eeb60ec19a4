"""Triples of lemma, form and features: read the released files, write and read datasets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from kasu.base.cards import UNDETERMINED, write_card
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, split_row, write_counts, write_drops, write_parquet
from kasu.corpora.compressed import lines
from kasu.corpora.unimorph import tidy
from kasu.transduction.items import Item, read_item
from kasu.transduction.members.settings import SIZES

PAPER = "sigmorphon2018"
SETTINGS = SIZES
SPLITS = (*SETTINGS, "dev", "test")
TRIPLES = pa.schema([("lemma", pa.string()), ("form", pa.string()), ("features", pa.string())])
COLUMNS = {
    "lemma": "the citation form",
    "form": "the inflected form",
    "features": "the features (MSD) of the cell, in the UniMorph schema",
}
CITATION = (
    "Cotterell et al. (2018). The CoNLL-SIGMORPHON 2018 Shared Task: Universal Morphological "
    "Reinflection."
)


class Triple(NamedTuple):
    """A lemma, the form, and the features (MSD) of its cell."""

    lemma: str
    form: str
    features: str


def read_dataset(path: str | Path) -> list[Triple]:
    """Read one split, in its order.

    Raises:
        KasuError: the file is unreadable or a column is missing.
    """
    table = read_parquet(path, TRIPLES.names)
    return list(map(Triple, *(column.to_pylist() for column in table.columns)))


def read_items(path: str | Path) -> list[Item]:
    """Read one split as items, in its order.

    Raises:
        KasuError: as `read_dataset`.
    """
    return [read_item(lemma, features, form) for lemma, form, features in read_dataset(path)]


def read_triples(path: str | Path) -> list[Triple]:
    """Read a released file in its order, skipping blank lines.

    Like the official code, this strips each line of white space and splits it at tabs. A form thus
    keeps leading and trailing blanks (Kurmanji and Livonian have such forms), but blanks before the
    lemma, after the features and around a semicolon between these are lost. Nothing else changes:
    no code point is normalised.

    Raises:
        KasuError: the file has no triple or a line without three columns or with a NUL, or as
            `split_row` and `compressed.lines`.
    """
    return _read_triples(path)[0]


def _read_triples(path: str | Path) -> tuple[list[Triple], int]:
    triples, blank = [], 0
    for number, line in lines(path):
        if not (line := line.strip()):
            blank += 1
            continue
        columns = split_row(line, f"{path}:{number}")
        if len(columns) != 3:
            where, found = f"{path}:{number}", f"{len(columns)} columns"
            raise KasuError(where, found, "lemma, form, features, separated by tabs")
        if "\0" in line:
            raise KasuError(f"{path}:{number}", "a NUL character", "lemma, form, features")
        lemma, form, features = columns
        triples.append(Triple(lemma, form, tidy(features)))
    if not triples:
        raise KasuError(path, "no triple", "lines of lemma, form, features")
    return triples, blank


def read_splits(
    files: Mapping[str, str | Path],
    folder: str | Path,
    *,
    language: str,
    sources: Sequence[Mapping[str, str]],
    code: str = UNDETERMINED,
) -> None:
    """Write the files of a language that is split already as a dataset.

    Training sets keep every line: a cell may have several forms. In dev and test only the last of
    several forms stays, as in the official scorer.

    Args:
        files: by split, without the settings that the language does not have.
        folder: receives one parquet file per split, README.md, counts.tsv and drops.tsv.
        language: name of the dataset.
        sources: `name`, `licence` and `citation` of each source, for the card.
        code: of the language, for the card.

    Raises:
        KasuError: there is no dev, test or training file, or as `read_triples`.
    """
    for needed in ("dev", "test"):
        if needed not in files:
            raise KasuError(f"dataset {language}", f"no {needed} file", ", ".join(SPLITS))
    if not set(files) & set(SETTINGS):
        raise KasuError(f"dataset {language}", "no training file", ", ".join(SPLITS))
    splits: dict[str, list[Triple]] = {}
    drops: Counter[str] = Counter()
    for split in (split for split in SPLITS if split in files):
        triples, blank = _read_triples(files[split])
        splits[split] = triples if split in SETTINGS else _last_of_each_cell(triples)
        drops[f"{split}: blank line"] += blank
        drops[f"{split}: the cell again, later"] += len(triples) - len(splits[split])
    write_dataset(folder, splits, +drops, language=language, sources=sources, code=code)


def _last_of_each_cell(triples: Sequence[Triple]) -> list[Triple]:
    last = {(triple.lemma, triple.features): at for at, triple in enumerate(triples)}
    return [triples[at] for at in sorted(last.values())]


def write_dataset(
    folder: str | Path,
    splits: Mapping[str, Sequence[Triple]],
    drops: Mapping[str, int],
    *,
    language: str,
    sources: Sequence[Mapping[str, str]],
    code: str = UNDETERMINED,
    steps: Mapping[str, int] | None = None,
) -> None:
    """Write all splits in their order, with card, counts and drops.

    A missing split becomes a file without rows. `steps` are counts written before those of the
    splits.
    """
    folder = Path(folder)
    counts = dict(steps or {})
    for split in SPLITS:
        triples = splits.get(split, [])
        columns = zip(*triples, strict=True) if triples else [()] * len(TRIPLES)
        table = pa.table([pa.array(column, pa.string()) for column in columns], schema=TRIPLES)
        write_parquet(folder / f"{split}.parquet", table, TRIPLES)
        cells = len({(triple.lemma, triple.features) for triple in triples})
        counts[f"{split}: rows"] = len(triples)
        counts[f"{split}: lemmata"] = len({triple.lemma for triple in triples})
        counts[f"{split}: further forms of a cell"] = len(triples) - cells
    write_counts(folder / "counts.tsv", counts)
    write_drops(folder / "drops.tsv", drops)
    write_card(
        folder / "README.md",
        title=f"Inflection: {language}",
        summary="Inflected forms with their lemma and features. Order matters: low is the head of "
        "medium, medium that of high.",
        header={"language": [code], "task_categories": ["text-generation"]},
        sources=sources,
        splits=SPLITS,
        columns=COLUMNS,
        citation=CITATION,
    )

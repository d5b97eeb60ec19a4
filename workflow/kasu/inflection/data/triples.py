"""Triples of lemma, form and features: read the released files, write and read datasets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.unimorph import ParadigmCell, read_listed
from kasu.files.tables import read_parquet, write_counts, write_drops, write_parquet
from kasu.sources.cards import UNDETERMINED, write_card
from kasu.transduction.items import Item, read_item
from kasu.transduction.task.settings import SIZES

PAPER = "sigmorphon2018"
RERUNS = ("sorokin2018", "dumitrescu2018")  # what teams published after the task
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


Triple = ParadigmCell
"""A lemma, the form, and the features (MSD) of its cell."""


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
    """Read a released file, or a system's answers, in its order and without dropping any line.

    Raises:
        KasuError: as `read_listed`.
    """
    return read_listed(path, released=True)[0]


def read_splits(
    files: Mapping[str, str | Path],
    folder: str | Path,
    *,
    language: str,
    sources: Sequence[Mapping[str, str]],
    code: str = UNDETERMINED,
    released: bool = False,
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
        released: keep every triple, as the organisers released them.

    Raises:
        KasuError: there is no dev, test or training file, or as `read_listed`.
    """
    for needed in ("dev", "test"):
        if needed not in files:
            raise KasuError(f"dataset {language}", f"no {needed} file", ", ".join(SPLITS))
    if not set(files) & set(SETTINGS):
        raise KasuError(f"dataset {language}", "no training file", ", ".join(SPLITS))
    splits: dict[str, list[Triple]] = {}
    drops: Counter[str] = Counter()
    for split in (split for split in SPLITS if split in files):
        triples, dropped = read_listed(files[split], released=released)
        splits[split] = triples if split in SETTINGS else _last_of_each_cell(triples)
        drops.update({f"{split}: {reason}": count for reason, count in dropped.items()})
        drops[f"{split}: the cell again, later"] += len(triples) - len(splits[split])
    write_dataset(folder, splits, +drops, language=language, sources=sources, code=code)


def _last_of_each_cell(triples: Sequence[Triple]) -> list[Triple]:
    last = {triple.slot: at for at, triple in enumerate(triples)}
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
        cells = {triple.slot for triple in triples}
        counts[f"{split}: rows"] = len(triples)
        counts[f"{split}: lemmata"] = len({lemma for lemma, _ in cells})
        counts[f"{split}: further forms of a cell"] = len(triples) - len(cells)
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

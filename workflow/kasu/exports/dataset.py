"""Read what is to be exported: a folder or file of a dataset with its card, or a file of items."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.config.reading import check_value
from kasu.config.settings import LanguageCode
from kasu.files.seals import expect_sealed
from kasu.files.tables import expect_distinct, read_parquet
from kasu.lm.scoring.items import item_name, names_of, read_rows
from kasu.sources.cards import (
    UNDETERMINED,
    Card,
    forbids_derivatives,
    is_unknown,
    read_card,
    strictest,
)

CARD = "README.md"
LICENCE, ATTRIBUTION = "licence", "attribution"
OF_ROWS = {
    LICENCE: "under which the row may be used",
    ATTRIBUTION: "whom to name for it",
}
"""The columns that each row of an export has, and what they mean."""
ITEMS = "test"
"""The split of a file of items."""


@dataclass(frozen=True)
class Dataset:
    """What an export says.

    Attributes:
        name: of the folder, or of a file without a card or of a frame.
        card: every licence in it is stated; its splits have rows.
        files: where each split was read.
        tables: the rows of each split, with OF_ROWS.
    """

    path: Path
    name: str
    card: Card
    files: Mapping[str, Path]
    tables: Mapping[str, pa.Table]

    @property
    def licence(self) -> str:
        """The licence of the whole, the strictest of its sources."""
        return strictest([source[LICENCE] for source in self.card.sources])

    @property
    def language(self) -> str:
        """The language; `mul` if there are several, `und` if none is stated."""
        languages = self.card.header.get("language") or [UNDETERMINED]
        return languages[0] if len(languages) == 1 else "mul"


@dataclass
class Stated:
    """What the user states of a dataset that does not say it itself.

    Attributes:
        licence: of what states none.
        attribution: whom to name for rows of a file without a card.
        language: of a file without a card, by ISO 639.
        name: of a frame, whose file is temporary.
    """

    licence: str | None = None
    attribution: str | None = None
    language: str | None = None
    name: str | None = None
    used: bool = False

    def settle(self, where: str, licence: object) -> str:
        """Return a licence as stated, or the user's where it is unknown.

        Raises:
            KasuError: it is unknown and the user states none, or it forbids derivatives.
        """
        stated = licence if isinstance(licence, str) else ""
        if is_unknown(stated):
            if self.licence is None:
                found = f"licence {stated!r}" if stated.strip() else "no licence"
                raise KasuError(where, found, "one that is known; or state it with --licence")
            stated, self.used = self.licence, True
        if forbids_derivatives(stated):
            raise KasuError(
                where, f"{stated} forbids derivatives", "a licence that allows another form"
            )
        return stated


def read_dataset(path: str | Path, stated: Stated) -> Dataset:
    """Read a dataset of Kasu, one split of it, or a file of items of the user.

    Raises:
        KasuError: there is none; a licence is unknown or forbids derivatives; the language is no
            code; the user states what the dataset says itself; or a file cannot be read, or has
            changed since a job wrote it.
    """
    path = Path(path)
    if stated.licence is not None and is_unknown(stated.licence):
        raise KasuError("--licence", repr(stated.licence), "a licence")
    if stated.language is not None:
        check_value("--language", stated.language, LanguageCode)
    if path.is_dir():
        dataset = _of_card(path, path, read_card(path / CARD), stated)
    elif card := _card_beside(path):
        dataset = _of_card(path, path.parent, replace(card, splits=[path.stem]), stated)
    else:
        dataset = _of_file(path, stated)
    if stated.licence is not None and not stated.used:
        found = f"states its licence, {dataset.licence}"
        raise KasuError(path, found, f"no --licence {stated.licence}")
    return dataset


def _card_beside(path: Path) -> Card | None:
    """Return the card of which a file is a split; a README.md of another kind is none."""
    with suppress(KasuError):
        card = read_card(path.parent / CARD)
        if path.suffix == ".parquet" and path.stem in card.splits:
            return card
    return None


def _of_card(path: Path, folder: Path, card: Card, stated: Stated) -> Dataset:
    for option, value in (("attribution", stated.attribution), ("language", stated.language)):
        if value is not None:
            raise KasuError(path, f"has a card, which states the {option}", f"no --{option}")
    sources = [
        {
            **source,
            LICENCE: stated.settle(f"{folder / CARD}: {source['name']}", source[LICENCE]),
        }
        for source in card.sources
    ]
    whole = strictest([source[LICENCE] for source in sources])
    attribution = "; ".join(
        f"{source['name']} ({source['citation']})" if source["citation"] else source["name"]
        for source in sources
    )
    files = {split: folder / f"{split}.parquet" for split in card.splits}
    for file in (folder / CARD, *files.values()):
        expect_sealed(file)
    tables = {
        split: _completed(file, _flat(file, read_parquet(file)), whole, attribution, stated)
        for split, file in files.items()
    }
    return _filled(path, folder.resolve().name, replace(card, sources=sources), files, tables)


def _of_file(path: Path, stated: Stated) -> Dataset:
    if path.suffix == ".parquet":
        expect_sealed(path)
        table = _flat(path, read_parquet(path))
    else:
        table = _table(path, read_rows(path))
    title, name = (stated.name or part for part in (path.stem, path.name))
    attribution = stated.attribution or name
    table = _completed(path, table, None, attribution, stated)
    card = Card(
        title=title,
        summary=f"Items of {name}.",
        header={"language": [stated.language or UNDETERMINED]},
        sources=[
            {"name": name, LICENCE: licence, "citation": stated.attribution or ""}
            for licence in sorted(table[LICENCE].unique().to_pylist())
        ],
        splits=[ITEMS],
        columns=dict.fromkeys(table.column_names, "as in the file"),
        citation=attribution,
    )
    return _filled(path, title, card, {ITEMS: path}, {ITEMS: table})


def _filled(
    path: Path,
    name: str,
    card: Card,
    files: Mapping[str, Path],
    tables: Mapping[str, pa.Table],
) -> Dataset:
    """Return the dataset of the splits that have rows, each licence of a row among its sources."""
    filled = {split: table for split, table in tables.items() if table.num_rows}
    if not filled:
        raise KasuError(path, "no rows", "at least one")
    known = {source[LICENCE] for source in card.sources}
    of_rows = {value for table in filled.values() for value in table[LICENCE].unique().to_pylist()}
    others = [
        {"name": name, LICENCE: licence, "citation": ""} for licence in sorted(of_rows - known)
    ]
    card = replace(
        card,
        sources=[*card.sources, *others],
        splits=[*filled],
        columns={**card.columns, **OF_ROWS},
    )
    return Dataset(path, name, card, {split: files[split] for split in filled}, filled)


def _completed(
    file: Path, table: pa.Table, licence: str | None, attribution: str, stated: Stated
) -> pa.Table:
    """Add OF_ROWS to the rows of a split, or complete them where a row has its own.

    Args:
        licence: of rows in a table without that column.
    """
    names = table.column_names
    if LICENCE in names:
        rows = table.select([name for name in ("item_id", LICENCE) if name in names]).to_pylist()
        licences = [
            stated.settle(f"{file}: item {item_name(row, number)}", row[LICENCE])
            for number, row in enumerate(rows, 1)
        ]
    else:
        licences = [stated.settle(str(file), licence)] * table.num_rows
    own = table[ATTRIBUTION].to_pylist() if ATTRIBUTION in names else [None] * table.num_rows
    columns = {
        LICENCE: licences,
        ATTRIBUTION: [value or attribution for value in own],
    }
    for name, values in columns.items():
        column = pa.array(values, pa.string())
        if name in names:
            table = table.set_column(names.index(name), name, column)
        else:
            table = table.append_column(name, column)
    return table


def _table(path: Path, rows: Sequence[Mapping[str, object]]) -> pa.Table:
    """Return rows as a table; in JSON lines a later row may have more columns than the first."""
    columns: dict[str, pa.Array] = {}
    for name in names_of(rows):
        try:
            columns[name] = pa.array([row.get(name) for row in rows])
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            reason = str(error).splitlines()[0]
            raise KasuError(f"{path}, {name}", reason, "values of one type") from error
    return _flat(path, pa.table(columns))


def _flat(path: Path, table: pa.Table) -> pa.Table:
    """Check that cells are texts, numbers, truth values, or lists of these."""
    expect_distinct(path, table.column_names)
    for field in table.schema:
        if pa.types.is_nested(element_of(field.type) or field.type):
            raise KasuError(f"{path}, {field.name}", str(field.type), "values or lists of them")
    return table.replace_schema_metadata()


def element_of(column: pa.DataType) -> pa.DataType | None:
    """Return the type of the elements of a column of lists; None of another column."""
    # Polars and some backends of pandas write large lists
    if isinstance(column, pa.ListType | pa.LargeListType | pa.FixedSizeListType):
        return column.value_type
    return None


def rows_of(table: pa.Table) -> Iterable[Mapping[str, object]]:
    """Yield the rows of a table."""
    for batch in table.to_batches():
        yield from batch.to_pylist()

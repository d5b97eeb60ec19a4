"""The sheet for annotators as a table and as a page that works in a browser without a server."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kasu.base.visible import UNSEEN
from kasu.cloze.data.annotations import MARK, SHEET, Item, sheet_cell, sheet_rows
from kasu.cloze.data.names import MADE
from kasu.files.tables import write_text, write_tsv


def write_sheet(folder: str | Path, items: Sequence[Item], title: str) -> None:
    """Write the sheet and its page (MADE).

    The page saves lines of the table, with the marks that were set.
    """
    rows = [{name: sheet_cell(cell) for name, cell in row.items()} for row in sheet_rows(items)]
    write_tsv(Path(folder) / MADE["sheet"], rows, SHEET)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    shown = [
        {
            "item": item.id,
            "sentence": item.sentence,
            "lemma": item.word.lemma,
            "forms": [
                {"form": form, "features": " | ".join(features), "original": form == item.word.form}
                for form, features in item.forms.items()
            ],
        }
        for item in items
    ]
    page = environment.get_template("sheet.html.j2").render(
        title=title,
        items=shown,
        columns=SHEET,
        cells=_cells(items, rows),
        marks=[sheet_cell(""), sheet_cell(MARK)],
        unseen=UNSEEN.pattern,
        file=f"{title}-annotated.tsv",
        # A browser keeps no answers for other items
        fingerprint=hashlib.sha256(repr(shown).encode()).hexdigest()[:12],
    )
    write_text(Path(folder) / MADE["page"], page)


def _cells(items: Iterable[Item], rows: Iterable[Mapping[str, str]]) -> list[tuple[str, list[str]]]:
    """Return for each item the cells that its rows share, and the cells of each form, unmarked."""
    last = SHEET.index("form")
    rest = iter(rows)
    of_items = []
    for item in items:
        of_item = [list(next(rest).values()) for _ in item.forms]
        forms = ["\t".join(cells[last:-1]) for cells in of_item]
        of_items.append(("\t".join(of_item[0][:last]), forms))
    return of_items

"""The sheet for annotators as a table and as a page that works in a browser without a server."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kasu.base.tables import write_text, write_tsv
from kasu.cloze.data.annotations import SHEET, Item, sheet_rows
from kasu.cloze.names import MADE


def write_sheet(folder: str | Path, items: Sequence[Item], title: str) -> None:
    """Write the sheet and its page (MADE); what the page saves has the columns of the table."""
    write_tsv(Path(folder) / MADE["sheet"], sheet_rows(items), SHEET)
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
        file=f"{title}-annotated.tsv",
        # A browser keeps no answers for other items
        fingerprint=hashlib.sha256(repr(shown).encode()).hexdigest()[:12],
    )
    write_text(Path(folder) / MADE["page"], page)

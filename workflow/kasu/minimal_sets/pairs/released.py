"""Released files of MultiBLiMP: their rows, as the hub has them."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.paths import own
from kasu.corpora.texts.compressed import lines
from kasu.files.tables import csv_rows, read_tsv

PRINTED = own("resources/multiblimp/printed.tsv")
_PRINTED = ("iso", "language", "name", "phenomenon", "condition", "certainty", "pairs")
ALL = "all"
_KINDS = {"verb": "verb", "aux": "auxiliary", "ptcp": "participle"}
_NEEDED = (
    "sen", "wrong_sen", "lang", "phenomenon", "grammatical_feature", "ungrammatical_feature", "wo",
    "inflect_item", "head", "head_idx", "cop", "cop_idx", "child", "child_idx", "swap_head",
    "metadata",
)  # fmt: skip


class Row(NamedTuple):
    """A released pair; `line` of the file, `cells` by column, `about` its sentence."""

    line: int
    cells: Mapping[str, str]
    about: Mapping[str, str]

    @property
    def pair(self) -> tuple[str, str]:
        """The right and the wrong sentence."""
        return self.cells["sen"], self.cells["wrong_sen"]

    @property
    def condition(self) -> str:
        """The condition, as sets of pairs have it."""
        cells = self.cells
        names = ("grammatical_feature", "ungrammatical_feature", "wo")
        return " ".join([*map(cells.__getitem__, names), _KINDS[cells["inflect_item"]]])

    @property
    def treebank(self) -> str:
        """The name of the file of the sentence, without its ending."""
        return Path(self.about.get("treebank", "")).stem

    def place(self, column: str) -> int | None:
        """Return a place in the sentence, from 0; None if the row states none."""
        text = self.cells[column]
        return int(float(text)) if text else None


def read_released(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a released file, plain or compressed.

    Raises:
        KasuError: as `csv_rows`; no column, not as many cells as columns, another language, or
            metadata that are not a map; with the line.
    """
    table = csv_rows((line for _, line in lines(path)), path, "\t")
    _, header = next(table, (1, []))
    if missing := [name for name in _NEEDED if name not in header]:
        raise KasuError(path, f"no column {missing[0]!r}", "the columns of MultiBLiMP's files")
    for number, cells in table:
        where = f"{path}:{number}"
        if len(cells) != len(header):
            raise KasuError(where, f"{len(cells)} cells", f"{len(header)}")
        row = dict(zip(header, cells, strict=True))
        try:
            about = ast.literal_eval(row["metadata"])
            if not isinstance(about, dict) or row["inflect_item"] not in _KINDS:
                raise ValueError
            found = Row(number, row, about)
            for column in ("head_idx", "cop_idx", "child_idx"):
                found.place(column)
        except (ValueError, SyntaxError) as error:
            expected = "a map of the sentence, places, and verb, aux or ptcp"
            raise KasuError(where, "metadata or places that cannot be read", expected) from error
        yield found


class Printed(NamedTuple):
    """Printed numbers of a language: by phenomenon and condition ("" for all), pairs."""

    iso: str
    name: str
    pairs: dict[tuple[str, str], int]


def read_printed(language: str) -> Printed | None:
    """Return what is printed of a language, by its code of two or three letters, or None."""
    rows = [row for row in read_tsv(PRINTED, _PRINTED) if language in (row["iso"], row["language"])]
    if not rows:
        return None
    pairs = {(row["phenomenon"], row["condition"]): int(row["pairs"]) for row in rows}
    return Printed(rows[0]["iso"], rows[0]["name"], pairs)

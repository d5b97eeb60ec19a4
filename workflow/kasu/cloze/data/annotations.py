"""Sheets for annotators of plausible forms, the answers, and how far annotators agree (§3.2).

A sheet has a row for each form in the table of each target. An annotator marks the forms that fit
the sentence grammatically; the form of the treebank is marked already.

A sheet is for a spreadsheet, so its cells differ from those of other tables. Each is in quotation
marks, so that nothing inside it begins another cell. One that would run as a formula has an
apostrophe before it. A sheet that comes back may lack both.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.visible import FORMULA, as_text
from kasu.cloze.data.sentences import Word, target_class
from kasu.corpora.paradigms.unimorph import Paradigms
from kasu.files.tables import read_tsv

SHEET = ("item", "sentence", "lemma", "form", "features", "original", "fits")
"""Columns of a sheet. `features` are those of all cells with the form; `original` is `x` at the
form of the treebank; annotators write `x` into `fits`."""
AGREEMENT = ("a", "b", "items", "forms", "agreed", "kappa", "same_sets")
"""Columns of agreement.tsv: two annotators, the items that both returned, their further forms, the
share of forms judged alike, Cohen's kappa over them, and the share of items with equal sets."""

MARK, GAP = "x", "___"
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
MOST_FORMS = 5
"""A target with more plausible forms is left out of the test set."""


class Item(NamedTuple):
    """A target of the test set: its sentence, its place, and the forms of its table.

    Attributes:
        forms: the features of the cells of each form; the form of the treebank comes first.
    """

    id: str
    words: Sequence[Word]
    place: int
    forms: Mapping[str, Sequence[str]]

    @property
    def word(self) -> Word:
        """The word that is asked for."""
        return self.words[self.place]

    @property
    def sentence(self) -> str:
        """The text of the sentence, with a gap at the target."""
        shown = [GAP if at == self.place else word.form for at, word in enumerate(self.words)]
        return " ".join(shown)


def make_item(sentence_id: str, words: Sequence[Word], place: int, paradigms: Paradigms) -> Item:
    """Make the item of a target, with the forms of its class in the table of its lemma.

    If the table has no cell of the class of the word, all its forms are given.
    """
    word = words[place]
    table = paradigms.table(word.lemma or "")
    own = [cell for cell in table if target_class(cell.features) == target_class(word.features)]
    forms: dict[str, list[str]] = {word.form: []}
    by_key = {paradigms.key(word.form): word.form}
    for cell in own or table:
        # At the beginning of a sentence the form of the treebank has a capital
        form = by_key.setdefault(paradigms.key(cell.form), cell.form)
        forms.setdefault(form, []).append(cell.features)
    return Item(f"{sentence_id}:{place + 1}", words, place, forms)


def sheet_rows(items: Iterable[Item]) -> Iterator[dict[str, str]]:
    """Yield the rows of SHEET."""
    for item in items:
        for form, features in item.forms.items():
            original = MARK if form == item.word.form else ""
            yield {
                "item": item.id, "sentence": item.sentence, "lemma": item.word.lemma or "",
                "form": form, "features": " | ".join(features), "original": original,
                "fits": original,
            }  # fmt: skip


def sheet_cell(text: str) -> str:
    """Return a cell of a sheet, which a spreadsheet shows as text and `read_cell` reads back."""
    return '"' + as_text(text).replace('"', '""') + '"'


def read_cell(cell: str) -> str:
    """Return the text of a cell, with or without its quotation marks and apostrophe."""
    if quoted := _QUOTED.fullmatch(cell):
        cell = quoted[1].replace('""', '"')
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell[1:]) else cell


def _among(cell: str, known: Collection[str]) -> str:
    """Return the text of a cell.

    Sheets of older versions have texts without quotation marks and apostrophes.
    """
    text = read_cell(cell)
    return cell if text not in known and cell in known else text


Marks = Mapping[str, frozenset[str]]
"""The forms that an annotator marked, by item."""


def read_annotations(path: str | Path, items: Sequence[Item]) -> Marks:
    """Read a sheet that an annotator returns; it may lack items.

    Raises:
        KasuError: an item or form is not of the sheet, a form stands twice, a mark is not `x`, an
            item lacks forms or has no mark; or as `read_tsv`.
    """
    known = {item.id: item for item in items}
    needed = ("item", "form", "fits")
    marks: dict[str, dict[str, bool]] = {}
    for number, row in enumerate(read_tsv(path, needed, read_cell), start=2):
        where, item = f"{path}:{number}", known.get(_among(row["item"], known))
        if item is None:
            raise KasuError(where, f"no item {row['item']!r}", "items of sheet.tsv")
        if (form := _among(row["form"], item.forms)) not in item.forms:
            expected = f"one of {', '.join(item.forms)}"
            raise KasuError(where, f"{item.id}: no form {form!r}", expected)
        if (mark := read_cell(row["fits"]).strip().lower()) not in ("", MARK):
            raise KasuError(where, f"the mark {row['fits']!r}", f"{MARK} or nothing")
        of_item = marks.setdefault(item.id, {})
        if form in of_item:
            raise KasuError(where, f"{item.id}: {form!r} again", "each form once")
        of_item[form] = mark == MARK
    for name, of_item in marks.items():
        if missing := [form for form in known[name].forms if form not in of_item]:
            raise KasuError(path, f"{name}: no line for {missing[0]!r}", "all forms of an item")
        if not any(of_item.values()):
            raise KasuError(path, f"{name}: no form that fits", "one or more")
    return {
        name: frozenset(form for form, fits in of_item.items() if fits)
        for name, of_item in marks.items()
    }


def plausible(item: Item, annotations: Sequence[Marks]) -> tuple[str, ...]:
    """Return the forms that fit a target, the form of the treebank first.

    A form fits if more than half of the annotators who returned the item have marked it.
    """
    returned = [marks[item.id] for marks in annotations if item.id in marks]
    votes = {form: sum(form in marked for marked in returned) for form in item.forms}
    further = [form for form in item.forms if form != item.word.form]
    return item.word.form, *(form for form in further if 2 * votes[form] > len(returned))


def agreement_rows(
    annotations: Mapping[str, Marks], items: Sequence[Item]
) -> list[dict[str, object]]:
    """Return the rows of AGREEMENT, one per pair of annotators.

    The form of the treebank, which was marked beforehand, does not count.
    """
    rows: list[dict[str, object]] = []
    for (a, first), (b, second) in combinations(annotations.items(), 2):
        both = [item for item in items if item.id in first and item.id in second]
        judged = [
            (form in first[item.id], form in second[item.id])
            for item in both
            for form in item.forms
            if form != item.word.form
        ]
        same = sum(
            first[item.id] | {item.word.form} == second[item.id] | {item.word.form} for item in both
        )
        rows.append(
            {"a": a, "b": b, "items": len(both), "forms": len(judged)}
            | {"agreed": _share(sum(x == y for x, y in judged), len(judged))}
            | {"kappa": kappa(judged), "same_sets": _share(same, len(both))}
        )
    return rows


def kappa(judged: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa of two annotators; None if chance alone would make them agree."""
    if not judged:
        return None
    n = len(judged)
    observed = sum(a == b for a, b in judged) / n
    yes_a, yes_b = (sum(each) / n for each in zip(*judged, strict=True))
    chance = yes_a * yes_b + (1 - yes_a) * (1 - yes_b)
    return None if chance == 1 else (observed - chance) / (1 - chance)


def _share(count: int, of: int) -> float | None:
    return count / of if of else None

"""Inflect the words of a file with a system that was trained on a file of paradigms."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.schema import tidy
from kasu.corpora.paradigms.unimorph import Columns, is_header, is_no_form
from kasu.corpora.texts.compressed import lines, split_lines
from kasu.files.tables import split_row
from kasu.job.run import log

if TYPE_CHECKING:
    from kasu.transduction.items import Answer


class Asked(NamedTuple):
    """A line of words to inflect: its place in the file, and its cells; `form` may be empty."""

    where: str
    lemma: str
    form: str
    features: str

    @property
    def slot(self) -> tuple[str, str]:
        """What the forms of one item share."""
        return self.lemma, tidy(self.features)


class Inflected(NamedTuple):
    """What was asked, notes of what training lacks, and the forms with their scores or None."""

    asked: Asked
    notes: Sequence[str]
    forms: Sequence[tuple[str, float | None]]


def inflect(folder: Path, items: str | Path | None = None, best: int = 1) -> list[Inflected]:
    """Inflect words, and log what training lacks and how many given forms are right.

    Args:
        folder: a trained model.
        items: lines of lemma and features, or of lemma, form and features; by default those of
            standard input.
        best: the most forms of a word.

    Raises:
        KasuError: the model or the items cannot be read.
    """
    from kasu.inflection.models import Model
    from kasu.transduction.items import read_item

    asked = list(read_asked(items))
    model = Model(folder)
    given = [read_item(each.lemma, tidy(each.features)) for each in asked]
    read, notes = zip(*map(model.read, given), strict=True) if given else ((), ())
    answers = model.answer(read, best)
    for each, noted in zip(asked, notes, strict=True):
        if noted:
            log.warning("%s: %s, %s: %s", each.where, each.lemma, each.features, "; ".join(noted))
    if any(notes):
        turned = sum(one != other for one, other in zip(given, read, strict=True))
        log.info(
            "items: %d; features of %d put in the order of training; %s",
            len(read), turned, model.count_unknown(read),
        )  # fmt: skip
    _log_score(asked, answers)
    return [
        Inflected(each, noted, _pairs(answer))
        for each, noted, answer in zip(asked, notes, answers, strict=True)
    ]


def _pairs(answer: "Answer") -> list[tuple[str, float | None]]:
    scores: Sequence[float | None] = answer.scores or [None] * len(answer.forms)
    return list(zip(answer.forms, scores, strict=True))


def _log_score(asked: Sequence["Asked"], answers: Sequence["Answer"]) -> None:
    """Say how many first forms are right, as the official scorer counts, of lines with a form."""
    from kasu.inflection.evaluation.scorer import score
    from kasu.results.published import rounded

    judged = [
        (each, answer)
        for each, answer in zip(asked, answers, strict=True)
        if not is_no_form(each.lemma, each.form)
    ]
    if not judged:
        return
    right = {each.slot: each.form for each, _ in judged}
    guesses = {each.slot: answer.forms[0] for each, answer in judged if answer.forms}
    result = score(right, guesses)
    # Of several forms of an item the last one counts
    for count, what in (
        (len(judged) - len(right), "with an earlier form of the same item"),
        (len(asked) - len(judged), "without a form"),
    ):
        if count:
            log.info("lines %s, not judged: %d", what, count)
    log.info(
        "items whose right form is given: %d; accuracy %s %%, mean Levenshtein distance %s",
        result.items, rounded(result.accuracy, 2, percent=True), rounded(result.levenshtein, 4),
    )  # fmt: skip


def read_asked(path: str | Path | None) -> Iterator[Asked]:
    """Yield the lines of words to inflect, stripped like lines to train on.

    Raises:
        KasuError: a line has no lemma or the wrong number of columns, standard input is closed, or
            as `Columns.conclude`, `split_row` and `lines`.
    """
    name = str(path or "standard input")
    if not path and sys.stdin is None:
        raise KasuError(name, "closed", "lines of lemma and features")
    read = lines(path) if path else split_lines(sys.stdin.buffer, name)
    check = Columns(name)
    for number, text in read:
        if not (line := text.strip()):
            continue
        # Without its lemma a line would be read one column too far to the left
        if not text.partition("\t")[0].strip():
            raise KasuError(f"{name}:{number}", "an empty lemma", "lemma and features")
        columns = split_row(line, f"{name}:{number}")
        if is_header(columns):
            log.info("%s:%d: a header, left out", name, number)
            continue
        if len(columns) not in (2, 3, 4):
            expected = "lemma and features, separated by a tab"
            raise KasuError(f"{name}:{number}", f"{len(columns)} columns", expected)
        at = min(len(columns), 3) - 1
        check.holds(number, columns, at)
        form = columns[1].strip() if at == 2 else ""
        yield Asked(f"{name}:{number}", columns[0].strip(), form, columns[at].strip())
    check.conclude()

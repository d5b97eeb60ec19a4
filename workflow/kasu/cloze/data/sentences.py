"""Sentences with target words: read files, and what each track shows of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.cloze.data.names import TRACKS
from kasu.corpora.texts.compressed import lines

TARGET_CLASSES = ("N", "V", "ADJ")
"""The classes of words that are inflected: nouns, verbs and adjectives (§2.2)."""

HIDDEN = "_"


class Word(NamedTuple):
    """A token of a sentence, with all that the dataset knows of it.

    Attributes:
        lemma, features: None where the source gives none.
        plausible: all forms that fit the place of a target, the original one first; else empty.
    """

    form: str
    lemma: str | None
    features: str | None
    plausible: tuple[str, ...] = ()

    @property
    def target(self) -> bool:
        """Whether the token is one of the words that systems inflect."""
        return bool(self.plausible)


Sentence = Sequence[Word]


def target_class(features: str | None) -> str:
    """Return which of TARGET_CLASSES a word is of, empty if of none; a participle is a verb."""
    first = (features or "").partition(";")[0].partition(".")[0]  # V of V.PTCP
    return first if first in TARGET_CLASSES else ""


class Row(NamedTuple):
    """A line of a file: its number and three columns, without blanks around them."""

    line: int
    form: str
    lemma: str
    features: str


def read_rows(path: str | Path) -> list[list[Row]]:
    """Read a file of sentences, separated by blank lines, with a line of three columns per token.

    Blanks around a column are lost; the released files have none. No code point is normalised.
    Columns may be empty: systems guessed empty forms, and the lemma of `#` is empty in the released
    files.

    Raises:
        KasuError: the file has no sentence, a line has not three columns or holds a NUL character,
            or as `compressed.lines`.
    """
    sentences: list[list[Row]] = [[]]
    for number, line in lines(path):
        if not line.strip():
            sentences.append([])
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 3:
            found, expected = f"{len(columns)} columns", "form, lemma, features, separated by tabs"
            raise KasuError(f"{path}:{number}", found, expected)
        if "\0" in line:
            raise KasuError(f"{path}:{number}", "a NUL character", "form, lemma, features")
        sentences[-1].append(Row(number, *columns))
    if not (sentences := [rows for rows in sentences if rows]):
        raise KasuError(path, "no sentence", "lines of form, lemma, features")
    return sentences


def read_training(path: str | Path) -> list[Sentence]:
    """Read a training set.

    Targets are the tokens of TARGET_CLASSES, and tokens that have a lemma and no features. In
    the released files the two are the same words: the second is how track 2 marks the first.

    Raises:
        KasuError: a token of these classes has no lemma, there is no target, or as `read_rows`.
    """

    def is_target(row: Row, annotated: bool) -> bool:
        if row.features == HIDDEN:
            return row.lemma != HIDDEN
        return bool(target_class(row.features))

    return _read(path, is_target, lambda row: (row.form,))


def read_uncovered(path: str | Path) -> list[Sentence]:
    """Read dev or test sentences with the forms that are asked for.

    A target has a lemma and no features. Its forms are separated by slashes.

    Raises:
        KasuError: a target has no lemma or an empty form, there is no target, or as `read_rows`.
    """

    def is_target(row: Row, annotated: bool) -> bool:
        # Where no token has features, those without a lemma are context
        return row.features == HIDDEN and (annotated or row.lemma != HIDDEN)

    def forms(row: Row) -> tuple[str, ...]:
        found = [form.strip() for form in row.form.split("/")]
        if not all(found):
            where, expected = f"{path}:{row.line}", "forms separated by slashes, none empty"
            raise KasuError(where, f"the target {row.form!r}", expected)
        return tuple(found)

    return _read(path, is_target, forms)


def _read(
    path: str | Path,
    is_target: Callable[[Row, bool], bool],
    forms: Callable[[Row], tuple[str, ...]],
) -> list[Sentence]:
    sentences = read_rows(path)
    annotated = any(row.features != HIDDEN for rows in sentences for row in rows)
    found: list[Sentence] = []
    for rows in sentences:
        words = []
        for row in rows:
            if not (row.form and row.features):
                raise KasuError(f"{path}:{row.line}", "an empty form or features", "both")
            asked = is_target(row, annotated)
            if asked and row.lemma in (HIDDEN, ""):
                expected = "its lemma"
                if annotated and row.features == HIDDEN:
                    expected += ", or features if it is not asked for"
                raise KasuError(f"{path}:{row.line}", "a target without a lemma", expected)
            plausible = forms(row) if asked else ()
            lemma, features = (None if cell == HIDDEN else cell for cell in row[2:])
            words.append(Word(plausible[0] if asked else row.form, lemma, features, plausible))
        found.append(words)
    if not any(word.target for words in found for word in words):
        raise KasuError(path, "no target", "one or more")
    return found


# What participants saw


class Seen(NamedTuple):
    """What a system sees of a token; a hidden part is None."""

    form: str | None
    lemma: str | None
    features: str | None


def see(word: Word, track: str, *, covered: bool) -> Seen:
    """Return what a track shows of a token (§2.2).

    Both tracks show the lemma of a target. Training shows its form too, and in track 1 its
    features. Of all other tokens track 1 shows everything, track 2 only the form.

    Args:
        covered: whether forms and features of targets are hidden, as in dev and test.
    """
    full = track == TRACKS[0]
    if not word.target:
        return Seen(*word[:3]) if full else Seen(word.form, None, None)
    if covered:
        return Seen(None, word.lemma, None)
    return Seen(word.form, word.lemma, word.features if full else None)


def check_shown(
    sentences: Sequence[Sentence], path: str | Path, track: str, *, covered: bool
) -> None:
    """Check a released file of what participants saw against the whole.

    Raises:
        KasuError: a token differs, or the number of tokens or sentences.
    """
    shown = read_rows(path)
    if len(shown) != len(sentences):
        raise KasuError(path, f"{len(shown)} sentences", f"{len(sentences)}, as in the whole file")
    for rows, words in zip(shown, sentences, strict=True):
        if len(rows) != len(words):
            where, found = f"{path}:{rows[0].line}", f"a sentence of {len(rows)} tokens"
            raise KasuError(where, found, f"{len(words)}, as in the whole file")
        for row, word in zip(rows, words, strict=True):
            expected = tuple(
                HIDDEN if cell is None else cell for cell in see(word, track, covered=covered)
            )
            if row[1:] != expected:
                found = " ".join(row[1:])
                raise KasuError(f"{path}:{row.line}", f"{found!r}", repr(" ".join(expected)))


# Targets


def targets(sentences: Sequence[Sentence]) -> list[Word]:
    """Return the targets of all sentences, in their order: the items of a split."""
    return [word for words in sentences for word in words if word.target]


def has_plausible(sentences: Sequence[Sentence]) -> bool:
    """Return whether plausible forms were annotated: whether some target has more than one form."""
    return any(len(word.plausible) > 1 for word in targets(sentences))

"""The rules of CoNLL-U and CoNLL-U Plus for the lines, ids, features and heads of a sentence.

Sources: https://universaldependencies.org/format.html and ext-format.html; what features a cell
may hold also follows Grew (its library conll 1.19).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from conllu.exceptions import ParseException
from conllu.parser import parse_id_value

from kasu.base.errors import KasuError
from kasu.job.run import log

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
EMPTY = "_"  # a cell without a value
SPACED = frozenset(("form", "lemma", "misc"))  # columns whose cells may hold blanks
DECLARATION = "# global.columns = " + " ".join(COLUMNS).upper()


class Layout(NamedTuple):
    """The columns of a file.

    names: as the file declares them, or those of CoNLL-U.
    pick: a row and an empty cell -> the cells of COLUMNS; None if the row has just these.
    """

    names: tuple[str, ...]
    pick: Callable[[Sequence[str]], tuple[str, ...]] | None = None


PLAIN = Layout(tuple(" ".join(COLUMNS).upper().split()))


def read_layout(declared: str, where: str) -> Layout:
    """Return the layout that a comment `global.columns` declares; columns it lacks are empty.

    Columns beyond those of CoNLL-U are not read; the log names them. The format allows a file
    without words, as annotation of the words of another file: that is not read.

    Raises:
        KasuError: no ID or no FORM, or a column twice.
    """
    names = tuple(declared.split())
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise KasuError(where, f"{twice[0]} twice in global.columns", "each column once")
    if lacking := [name for name in PLAIN.names[:2] if name not in names]:
        found = f"global.columns without {' and '.join(lacking)} ({' '.join(names)})"
        raise KasuError(where, found, f"ID, FORM and others of {' '.join(PLAIN.names[2:])}")
    if names == PLAIN.names:
        return PLAIN
    if further := [name for name in names if name not in PLAIN.names]:
        log.warning("%s: columns that are not read: %s", where, ", ".join(further))
    places = [names.index(name) if name in names else len(names) for name in PLAIN.names]
    return Layout(names, itemgetter(*places))


def suspicious(lines: str, cells: Iterable[Iterable[str]]) -> bool:
    """Return whether lines may hold what `check_cells` refuses, by a quick test."""
    blank = " " in lines or "\N{NO-BREAK SPACE}" in lines
    return blank or "\0" in lines or not all(map(all, cells))


def check_cells(cells: Sequence[str], where: str) -> None:
    """Check that no cell of a line is empty, and that only words and notes hold blanks.

    Notes hold them within, as the validator of UD has it: `SpaceAfter=No ` would mean nothing.

    Raises:
        KasuError: one is, or has a blank or a NUL.
    """
    for name, cell in zip(COLUMNS, cells, strict=True):
        if not cell:
            raise KasuError(where, f"no {name}", "a word, or _ where there is none")
        if "\0" in cell:
            raise KasuError(where, "a NUL character", "a word, or _ where there is none")
        if name not in SPACED and re.search(r"\s", cell):
            raise KasuError(where, f"a blank in {name.upper()}: {cell!r}", "blanks in words only")
        if name == "misc" and cell != cell.strip():
            raise KasuError(where, f"a blank around MISC: {cell!r}", "blanks within notes only")


_SOUND: set[str] = set()  # FEATS cells that have passed: a treebank repeats few of them
MOST_SOUND = 1 << 16


def are_sound(cells: set[str]) -> bool:
    """Return whether `broken_feature` finds nothing in FEATS cells."""
    if _SOUND.issuperset(cells):
        return True
    if any(map(broken_feature, cells)):
        return False
    if len(_SOUND) > MOST_SOUND:
        _SOUND.clear()
    _SOUND.update(cells)
    return True


def broken_feature(cell: str) -> tuple[str, str] | None:
    """Return what is wrong with a FEATS cell, and what was expected, or None.

    Case does not tell two names apart, as in Grew. Their order is not checked.
    """
    seen = set()
    for part in cell.split("|") if cell != EMPTY else ():
        name, _, value = part.partition("=")
        if not (name and value):
            return f"{part!r} in FEATS ({cell})", "Name=Value, separated by |, or _ for none"
        if name.lower() in seen:
            return f"feature {name} twice in FEATS ({cell})", f"once, as {name}=A,B for two values"
        seen.add(name.lower())
    return None


@lru_cache(1 << 10)
def _plain_ids(size: int) -> tuple[list[str], Mapping[str, int]]:
    """Return the ids of a sentence of words alone, and their numbers."""
    ids = [*map(str, range(1, size + 1))]
    return ids, dict(zip(("0", *ids), range(size + 1), strict=True))


def check_ids(ids: list[str], path: object, line: int) -> Mapping[str, int]:
    """Return the numbers of 0 and of each word by id; the ids must be complete and in order.

    Raises:
        KasuError: with the line: an id is missing, repeated, out of order or no id.
    """
    plain, numbers = _plain_ids(len(ids))
    if ids == plain:
        return numbers
    number = {"0": 0}
    # Words so far, empty nodes after the last word, last word of a multiword token, next id
    words, empty, covered, text = 0, 0, 0, "1"
    for at, cell in enumerate(ids, line):
        if cell == text:
            words += 1
            number[text] = words
            empty, text = 0, str(words + 1)
            continue
        match _parse_id(cell, f"{path}:{at}"):
            case int():
                again = "again" if cell in number else "out of order"
                raise KasuError(f"{path}:{at}", f"id {cell} {again}", text)
            case (first, "-", last):
                if first != words + 1 or first <= covered:
                    raise KasuError(f"{path}:{at}", f"multiword token {cell}", f"{text}-…")
                covered = last
            case (word, _, rank):
                if (word, rank) != (words, empty + 1):
                    expected = f"{words}.{empty + 1} or {text}"
                    raise KasuError(f"{path}:{at}", f"empty node {cell}", expected)
                empty = rank
    if covered > words:
        found = f"a multiword token up to {covered}, but no word {words + 1}"
        raise KasuError(f"{path}:{line + len(ids) - 1}", found)
    return number


def _parse_id(cell: str, where: str) -> int | tuple[int, str, int]:
    try:
        if (parsed := parse_id_value(cell)) is not None:
            return parsed
    except (ParseException, ValueError):  # int() takes 4,300 digits
        pass
    raise KasuError(where, f"id {cell!r}", "a number, a range (1-2) or an empty node (1.1)")


def broken_head(
    heads: Sequence[str], relations: Sequence[str], number: Mapping[str, int]
) -> tuple[int, str, str] | None:
    """Return what is wrong with the heads of words: word, found, expected; or None.

    Heads exist and form trees. A word without a head has no relation either.

    Args:
        heads, relations: HEAD and DEPREL of each word; relations only if a word has no head (`_`).
        number: as from `check_ids`.
    """
    places = [*map(number.get, heads, repeat(-1))]
    for word, head in enumerate(heads, 1) if -1 in places else ():
        if head == EMPTY:
            if (relation := relations[word - 1]) != EMPTY:
                found = f"relation {relation!r} of word {word}, which has no head"
                return word, found, "_ in both HEAD and DEPREL, or in neither"
            places[word - 1] = 0
        elif places[word - 1] < 0:
            found = f"head {head!r} of word {word} does not exist"
            return word, found, f"0 to {len(number) - 1}"
    places = [0, *places]
    if looped := _first_in_cycle(places):
        found = f"word {looped} heads itself, through {_cycle(places, looped)}"
        return looped, found, "a tree below 0"
    return None


def _first_in_cycle(heads: list[int]) -> int:
    """Return the first word on a cycle, or 0 if there is none; `heads[w]` is the head of word w."""
    walk = [0] * len(heads)  # the start of the walk towards the root that first reached a word
    for start in range(1, len(heads)):
        word = start
        while word and not walk[word]:
            walk[word] = start
            word = heads[word]
        # The walk met itself, not an earlier one that reached the root
        if word and walk[word] == start:
            return min(_cycle(heads, word))
    return 0


def _cycle(heads: list[int], word: int) -> list[int]:
    cycle = [heads[word]]
    while cycle[-1] != word:
        cycle.append(heads[cycle[-1]])
    return cycle

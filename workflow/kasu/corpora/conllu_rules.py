"""The rules of CoNLL-U and CoNLL-U Plus for the lines, ids, features and heads of a sentence.

Sources: https://universaldependencies.org/format.html and ext-format.html; what features a cell
may hold also follows Grew (its library conll 1.19).
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from conllu.exceptions import ParseException
from conllu.parser import parse_id_value

from kasu.base.errors import KasuError
from kasu.base.run import log

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
    """The layout that a comment `global.columns` declares; columns it lacks are empty.

    Columns beyond those of CoNLL-U are not read; the log names them.

    Raises:
        KasuError: no ID, or a column twice.
    """
    names = tuple(declared.split())
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise KasuError(where, f"{twice[0]} twice in global.columns", "each column once")
    if "ID" not in names:
        found = f"global.columns without ID ({' '.join(names)})"
        raise KasuError(where, found, f"ID and some of {' '.join(PLAIN.names[1:])}")
    if names == PLAIN.names:
        return PLAIN
    if further := [name for name in names if name not in PLAIN.names]:
        log.info("note: %s: columns that are not read: %s", where, ", ".join(further))
    places = [names.index(name) if name in names else len(names) for name in PLAIN.names]
    return Layout(names, itemgetter(*places))


def suspicious(lines: str) -> bool:
    """Whether lines of words may hold what `check_cells` refuses; quick, for whole sentences."""
    return (
        " " in lines or "\N{NO-BREAK SPACE}" in lines or "\0" in lines
        or "\t\t" in lines or "\t\n" in lines or "\n\t" in lines or "\t" in (lines[0], lines[-1])
    )  # fmt: skip


def check_cells(cells: Sequence[str], where: str) -> None:
    """Check that no cell of a line is empty, and that only words and notes hold blanks.

    Raises:
        KasuError: one is, or has a blank or a NUL.
    """
    for name, cell in zip(COLUMNS, cells, strict=True):
        if not cell:
            raise KasuError(where, f"no {name}", "a word, or _ where there is none")
        if name == "form" and "\0" in cell:
            raise KasuError(where, "a NUL character", "a word, or _ where there is none")
        if name not in SPACED and re.search(r"\s", cell):
            raise KasuError(where, f"a blank in {name.upper()}: {cell!r}", "blanks in words only")


@lru_cache(1 << 16)
def broken_feature(cell: str) -> tuple[str, str] | None:
    """What is wrong with a FEATS cell, and what was expected: `Name=Value`, each name once.

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


def check_ids(ids: Sequence[str], path: object, line: int) -> dict[str, int]:
    """The numbers of 0 and of each word by id; the ids must be complete and in order.

    Raises:
        KasuError: with the line: an id is missing, repeated, out of order or no id.
    """
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


def check_heads(
    words: Sequence[tuple[int, str, str]], number: dict[str, int], path: object
) -> None:
    """Check that the heads of words, where they have one, form trees.

    Args:
        words: line, HEAD and DEPREL of each word in order; both are `_` where it has no head.
        number: as from `check_ids`.

    Raises:
        KasuError: with the line: a head that does not exist, a relation without a head, a cycle.
    """
    heads = [0]
    for at, cell, relation in words:
        head = number.get(cell, -1)
        if head < 0:
            if cell != EMPTY:
                found = f"head {cell!r} of word {len(heads)} does not exist"
                raise KasuError(f"{path}:{at}", found, f"0 to {len(number) - 1}")
            if relation != EMPTY:
                found = f"relation {relation!r} of word {len(heads)}, which has no head"
                raise KasuError(f"{path}:{at}", found, "_ in both HEAD and DEPREL, or in neither")
            head = 0
        heads.append(head)
    if looped := _first_in_cycle(heads):
        found = f"word {looped} heads itself, through {_cycle(heads, looped)}"
        raise KasuError(f"{path}:{words[looped - 1][0]}", found, "a tree below 0")


def _first_in_cycle(heads: list[int]) -> int:
    """The first word on a cycle, or 0 if there is none; `heads[w]` is the head of word w."""
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

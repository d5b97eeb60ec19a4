"""Read requests; a syntax error names line and column, what was found and what was expected.

Clauses refer to nodes and edges by name, and blocks may come in any order, so names are resolved
once all blocks have been read.
"""

# Written by hand: a grammar of lark's adds 90 ms to the 300 ms in which `kasu query` starts, takes
# 0.5 ms instead of 0.2 to parse a request, and needs its own table to say what was expected.

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn, TypeVar

from kasu.base.errors import KasuError
from kasu.base.patterns import Pattern
from kasu.files.reading import read_text
from kasu.queries.labels import BASIC, ENHANCED, PARTS, SPANS
from kasu.queries.naming import RESERVED, Names
from kasu.queries.request import (
    COMPARISONS,
    Clause,
    Comment,
    Comparison,
    Condition,
    Distance,
    Edge,
    EdgeOrder,
    FeatureTest,
    HasEdge,
    Label,
    Node,
    NumberTest,
    Order,
    Request,
    Structure,
    Value,
)
from kasu.queries.tokens import RequestWord, split_request, translate_regex

STRUCTURES = ("is_projective", "is_tree", "is_forest", "is_cyclic")
BLOCKS = ("pattern", "with", "without", "global")
SAME_MARK = {"≤": "<=", "≥": ">="}
NUMBERS = {"__id__", *SPANS}  # features with numbers as values
Whole = Comment | Structure
T = TypeVar("T")


def read_request(request: str | Path) -> Request:
    """Read a request from a text, recognised by its brace, or from a file.

    Raises:
        KasuError: the file is missing or not UTF-8, or as `parse_request`.
    """
    if isinstance(request, str) and "{" in request:
        return parse_request(request)
    text = read_text(request, "a file, or a text such as pattern { N [] }")
    return parse_request(text, Path(request))


def parse_request(text: str, where: object = "request") -> Request:
    """Parse a request; `where` names it in errors.

    Raises:
        KasuError: with `where`, line and column: a syntax error, an unbound name, a name bound
            twice, an invalid regular expression.
    """
    return _RequestParser(split_request(text, where), where).request(text)


class _Cursor:
    """A place among the words of a request."""

    def __init__(self, words: list[RequestWord], where: object) -> None:
        self.words, self.where, self.at = words, where, 0

    @property
    def word(self) -> RequestWord:
        return self.words[self.at]

    def fail(self, expected: str) -> NoReturn:
        """Report the next word as unexpected."""
        self.complain(self.word, f"found {self.word}", expected)

    def complain(self, word: RequestWord, found: str, expected: str = "") -> NoReturn:
        raise KasuError(f"{self.where}:{word.line}:{word.column}", found, expected)

    def next(self) -> RequestWord:
        """Read a word."""
        self.at += 1
        return self.words[self.at - 1]

    def sees(self, *marks: str) -> bool:
        """Return whether one of the marks is the next word."""
        return self.word.kind == "mark" and self.word.text in marks

    def skip(self, mark: str) -> bool:
        """Skip a mark if it is the next word; return whether it was."""
        if seen := self.sees(mark):
            self.at += 1
        return seen

    def take(self, *marks: str) -> RequestWord:
        """Read one of the marks."""
        if not self.sees(*marks):
            self.fail(" or ".join(marks))
        return self.next()

    def name(self, what: str) -> RequestWord:
        """Read a name; `what` it stands for is named in the error."""
        if self.word.kind != "name":
            self.fail(what)
        return self.next()

    def listed(self, item: Callable[[], T], separator: str, end: str) -> list[T]:
        """Read items up to `end`, with a separator between them and optionally after the last."""
        items = []
        while not self.sees(end):
            items.append(item())
            if not self.skip(separator) and not self.sees(end):
                self.fail(f"{separator} or {end}")
        return items


class _RequestParser(_Cursor):
    """A recursive descent over the words; a method reads one construct and returns its meaning."""

    # Blocks

    def request(self, text: str) -> Request:
        pattern: list[tuple[RequestWord, Clause]] = []
        filters: list[tuple[bool, list[tuple[RequestWord, Clause]]]] = []
        structures: list[str] = []
        metadata: list[Condition] = []
        while self.word.kind != "end":
            if self.word.text not in BLOCKS or self.word.kind != "name":
                self.fail("pattern, with, without or global")
            kind = self.next().text
            self.take("{")
            if kind == "global":
                for item in self.listed(self.whole, ";", "}"):
                    if isinstance(item, str):
                        structures.append(item)
                    else:
                        metadata.append(item)
            else:
                clauses = self.listed(self.clause, ";", "}")
                if kind == "pattern":
                    pattern += clauses
                    # In the pattern they say the same as in a `global` block
                    structures += [c.name for _, c in clauses if isinstance(c, Structure)]
                    metadata += [c.condition for _, c in clauses if isinstance(c, Comment)]
                else:
                    filters.append((kind == "with", clauses))
            self.take("}")
        names = Names(self.where, None)
        main = names.block(pattern)
        blocks = [
            Names(self.where, names).block(clauses, positive) for positive, clauses in filters
        ]
        return Request(text, main, tuple(blocks), tuple(structures), tuple(metadata))

    def whole(self) -> str | Condition:
        """Read an item of a `global` block."""
        if self.word.kind == "name" and self.word.text.startswith("is_"):
            return self.structure(self.word.text)
        return self.condition("a comment's key")

    def structure(self, name: str) -> str:
        if name.replace("is_not_", "is_") not in STRUCTURES:
            self.fail(", ".join(STRUCTURES) + ", or is_not_ for is_")
        self.next()
        return name

    # Clauses

    def clause(self) -> tuple[RequestWord, Clause]:
        """Read a clause; return it and its first word."""
        start = self.word
        if (whole := self.reserved()) is not None:
            return start, whole
        if self.skip("*"):
            label = self.edge()
            return start, HasEdge(self.name("a node").text, label, out=False)
        first = self.name("a node, an edge or *")
        if self.skip(":"):
            source = self.name("a node")
            return start, Edge(source.text, self.edge(), self.name("a node").text, first.text)
        if self.sees("->", "-[", "-[^"):
            label = self.edge()
            if self.skip("*"):
                return start, HasEdge(first.text, label, out=True)
            return start, Edge(first.text, label, self.name("a node or *").text)
        if self.sees("["):
            return start, self.node(first)
        if self.sees("(") and first.text in ("length", "delta"):
            return start, self.distance(first)
        if "." in first.text:
            return start, self.comparison(first)
        return start, self.order(first)

    def reserved(self) -> Whole | None:
        """Read `meta.speaker = S1`, `!meta.speaker` or `global.is_tree`; None for others."""
        name = self.words[self.at + 1] if self.sees("!") else self.word
        owner, dot, rest = name.text.partition(".")
        if name.kind != "name" or not dot or owner not in RESERVED:
            return None
        if owner == "meta":
            return Comment(replace(self.condition("a comment's key"), name=rest))
        return None if self.sees("!") else Structure(self.structure(rest))

    def node(self, name: RequestWord) -> Node:
        alternatives = []
        while self.take("["):
            alternatives.append(tuple(self.listed(self.feature, ",", "]")))
            self.take("]")
            if not self.skip("|"):
                break
        return Node(name.text, tuple(alternatives))

    def feature(self) -> Condition:
        return self.condition("a feature")

    def condition(self, what: str) -> Condition:
        """Read `name`, `!name`, `name = value|value`, `name <> value`, `name = re"..."`."""
        absent = self.skip("!")
        name = self.name(what)
        if self.sees("["):
            layer = self.words[self.at + 1].text
            self.fail(f"{name.text}__{layer}: Grew writes layers with two underscores")
        if absent:
            return Condition(name.text, "absent")
        if not self.sees("=", "<>"):
            return Condition(name.text, "present")
        return self.valued(name.text, self.next().text == "=")

    def valued(self, name: str, equal: bool) -> Condition:
        """Read the right side of an equation."""
        word = self.word
        if word.kind in ("regex", "pcre"):
            return Condition(name, "matches" if equal else "not matches", pattern=self.regex())
        if equal and self.skip("*"):
            return Condition(name, "present")
        values = [self.value()]
        while self.skip("|"):
            values.append(self.value())
        return Condition(name, "in" if equal else "not in", frozenset(values))

    def value(self) -> str:
        if self.word.kind not in ("name", "string", "number"):
            self.fail("a value")
        if self.word.kind == "name" and self.word.text.startswith("lex."):
            self.fail("a value (quote one with a dot; lexicons are not read)")
        return self.next().text

    def regex(self) -> Pattern:
        word, options = self.next(), ""
        if word.kind == "regex":
            text = translate_regex(word.text)
        else:
            text, _, options = word.text[1:].rpartition("/")
        try:
            return Pattern(text, ignore_case=bool(options))
        except KasuError as error:
            self.complain(word, str(error))

    def edge(self) -> Label:
        """Read `->`, or a label between -[ and ]->."""
        mark = self.take("->", "-[", "-[^").text
        if mark == "->":
            return Label()
        label = Label(self.label(negated=mark == "-[^"))
        self.take("]->")
        return label

    def label(self, negated: bool) -> tuple[Condition, ...]:
        if self.word.kind in ("regex", "pcre"):
            kind = "not matches" if negated else "matches"
            return (Condition("label", kind, pattern=self.regex()),)
        if self.word.kind == "end":
            self.fail("a label")
        following = self.words[self.at + 1]
        if self.sees("!") or (following.kind, following.text) in (("mark", "="), ("mark", "<>")):
            if negated:
                self.fail("labels after ^")
            return tuple(self.listed(self.part, ",", "]->"))
        values = [self.value()]
        while self.skip("|"):
            values.append(self.value())
        return (Condition("label", "not in" if negated else "in", frozenset(values)),)

    def part(self) -> Condition:
        """Read `1=nsubj`, `2=*`, `2<>pass`, `!deep`; unlike a node's condition not a bare `2`."""
        start = self.word
        condition = self.condition(f"a part of a label ({', '.join(PARTS)})")
        if condition.kind == "present" and self.words[self.at - 1] is start:
            self.fail(f"= or <> (write {start.text}=* for any value)")
        # No basic edge has another part, so `!enhanced` holds for all of them
        allowed = (*PARTS, ENHANCED) if condition.kind == "absent" else PARTS
        if condition.name not in allowed:
            expected = f"{', '.join(PARTS)} ({BASIC})"
            self.complain(start, f"part {condition.name!r} of a label", expected)
        return condition

    def distance(self, name: RequestWord) -> Distance:
        self.take("(")
        left = self.name("a node").text
        self.take(",")
        right = self.name("a node").text
        self.take(")")
        mark = self.mark()
        return Distance(name.text == "delta", left, right, mark, self.number())

    def mark(self) -> str:
        text = self.take(*COMPARISONS, *SAME_MARK).text
        return SAME_MARK.get(text, text)

    def number(self) -> float:
        if self.word.kind not in ("name", "number") or not _is_number(self.word.text):
            self.fail("a number")
        return float(self.next().text)

    def comparison(self, left: RequestWord) -> Comparison | FeatureTest | NumberTest:
        value = self.reference(left)
        mark = self.mark()
        right = self.word
        if right.kind == "name" and "." in right.text and not _is_number(right.text):
            return Comparison(value, mark, self.reference(self.next()))
        if mark in ("=", "<>") and value.feature not in NUMBERS:
            condition = self.valued(value.feature, mark == "=")
            if len(condition.values) > 1:
                self.complain(right, "found a disjunction", f"[{value.feature} = …|…] of a node")
            return FeatureTest(value, condition)
        return NumberTest(value, mark, self.number())

    def reference(self, word: RequestWord) -> Value:
        owner, _, feature = word.text.partition(".")
        return Value(owner, feature)

    def order(self, left: RequestWord) -> Order | EdgeOrder:
        """Read an order of nodes or of edges; `Names` decides which once it knows all edges."""
        mark = self.take("->>", "<", "<<", ">", ">>", "><", "<>").text
        right = self.name("a node or an edge")
        if mark in (">", ">>"):
            return Order(mark.replace(">", "<"), right.text, left.text)
        if mark in ("><", "<>"):
            return EdgeOrder(mark, left.text, right.text)
        return Order(mark, left.text, right.text)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", text) is not None

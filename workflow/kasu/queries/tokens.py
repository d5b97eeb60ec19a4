"""The words of a request: names, strings, regular expressions and marks, each with its place.

The language is that of https://grew.fr/doc/request, except that letters of any script need no
quotes.
"""

import re
from typing import NamedTuple

from kasu.base.errors import KasuError

SKIPPED = r"\s+|%[^\n]*|/\*.*?\*/"
QUOTED = r'(?P<regex>re"(?:[^"\\]|\\.)*")|(?P<string>"(?:[^"\\]|\\.)*")'
PCRE = r"(?P<pcre>/(?:[^/\\\n]|\\.)+/i?)"
# A name does not end in a dash or a dot: `N-[nsubj]->M` starts with the name N
NAME = r"(?P<name>\w(?:[\w'.-]*[\w'])?\$?(?:\.\w+)?)"
MARKS = r"->>|->|-\[\^|-\[|<<|>>|><|<>|<=|>=|≤|≥|[{}()\[\];:,=!*|<>]"
CLAUSES = re.compile(
    rf"(?P<skip>{SKIPPED})|{QUOTED}|{PCRE}"
    rf"|(?P<number>-\d+(?:\.\d+)?)|{NAME}|(?P<mark>{MARKS})",
    re.DOTALL,
)
# Between -[ and ]->, where a label may hold a colon
LABELS = re.compile(
    rf"(?P<skip>{SKIPPED})|{QUOTED}|{PCRE}|(?P<name>[\w@.][\w:.@$'/~+-]*)"
    r"|(?P<mark>\]->|<>|[=!*|,])",
    re.DOTALL,
)
SET = re.compile(r"\[\^?\]?[^\]]*\]")  # of characters, in a regular expression of Str
KINDS = {"regex": "a regular expression", "string": "a string", "number": "a number"}


class RequestWord(NamedTuple):
    """A word of a request.

    kind: name, string, regex, pcre, number, mark or end.
    text: the word; of a string or a regex, its content without quotes and escapes.
    """

    kind: str
    text: str
    line: int
    column: int

    def __str__(self) -> str:
        if self.kind == "end":
            return "the end of the request"
        return f"{KINDS[self.kind]} {self.text!r}" if self.kind in KINDS else repr(self.text)


def split_request(text: str, where: object) -> list[RequestWord]:
    """Split a request into words, followed by one of kind `end`.

    Raises:
        KasuError: with `where`, line and column: a character that cannot start a word, or an
            unclosed string or comment.
    """
    words = []
    at, line, begin, marks = 0, 1, 0, CLAUSES
    while at < len(text):
        match = marks.match(text, at)
        if match is None:
            raise KasuError(f"{where}:{line}:{at - begin + 1}", *_reason(text[at:], marks))
        kind = str(match.lastgroup)
        if kind != "skip":
            words.append(RequestWord(kind, _meaning(kind, match[0]), line, at - begin + 1))
            if kind == "mark" and match[0] in ("-[", "-[^", "]->"):
                marks = CLAUSES if match[0] == "]->" else LABELS
        if lines := match[0].count("\n"):
            line += lines
            begin = match.start() + match[0].rfind("\n") + 1
        at = match.end()
    return [*words, RequestWord("end", "", line, at - begin + 1)]


def _reason(rest: str, marks: re.Pattern[str]) -> tuple[str, str]:
    """Return what was found and what was expected where no word starts."""
    if rest.startswith(('"', 're"')):
        return "a string without an end", '"'
    if rest.startswith("/*"):
        return "a comment without an end", "*/"
    if marks is LABELS:
        return f"{rest[0]!r} in an edge label", "labels and ]->"
    return f"{rest[0]!r}", "a name, a string or a mark of the request language"


def _meaning(kind: str, text: str) -> str:
    if kind in ("string", "regex"):
        return re.sub(r'\\(["\\])', r"\1", text.removeprefix("re")[1:-1])
    return text


def translate_regex(text: str) -> str:
    """Translate a regular expression of OCaml's Str, which Grew uses, to Python.

    In Str, groups and alternatives are written with a backslash, and a bare parenthesis or bar
    stands for itself, as does a backslash inside a set. https://ocaml.org/manual/api/Str.html
    """
    parts, at = [], 0
    while at < len(text):
        if match := SET.match(text, at):
            negated = match[0].startswith("[^")
            inside = match[0][1 + negated : -1]
            parts.append("[" + "^" * negated + re.sub(r"([\\\[\]&~|])", r"\\\1", inside) + "]")
            at = match.end()
            continue
        if text[at] == "\\" and at + 1 < len(text):
            after = text[at + 1]
            parts.append(
                after
                if after in "()|"
                else rf"\{after}"
                if after in "b123456789"
                else re.escape(after)
            )
            at += 2
            continue
        parts.append(text[at] if text[at] in ".*+?^$" else re.escape(text[at]))
        at += 1
    return "".join(parts)

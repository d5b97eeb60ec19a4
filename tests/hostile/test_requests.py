"""Requests that are bad or hostile: each ends in a line, or matches what is stated here."""

import os

import pytest

from kasu.base import patterns
from kasu.corpora.treebanks.treebank import read_conllu
from kasu.queries import graph
from kasu.queries.match import search
from kasu.queries.parsing import read_request


def row(number, form="a", head=0):
    return f"{number}\t{form}\t{form}\tNOUN\t_\t_\t{head}\tdep\t_\t_\n"


def star(size):
    """A sentence whose words all hang on the first."""
    return "".join(row(number, head=int(number > 1)) for number in range(1, size + 1)) + "\n"


def matches(folder, request, sentence):
    (folder / "t.conllu").write_text(sentence)
    path = folder / "r.req"
    path.write_bytes(request if isinstance(request, bytes) else request.encode())
    return sum(1 for _ in search(read_request(path), read_conllu(folder / "t.conllu")))


NODE = "pattern {{ N [form={}] }}"
LINES = {
    "another text": ("hello", ":1:1: found 'hello'; expected pattern, with, without or global"),
    "unclosed": ("pattern { N [", ":1:14: found the end of the request; expected a feature"),
    "an unclosed comment": ("/* pattern", ":1:1: a comment without an end; expected */"),
    "an unclosed string": (
        NODE.format('"' + "\\a" * 10_000),
        ':1:19: a string without an end; expected "',
    ),
    "NUL": (
        "pattern { N [\0] }",
        ":1:14: '\\x00'; expected a name, a string or a mark of the request language",
    ),
    "UTF-16": ("pattern { N [] }".encode("utf-16"), ":1: invalid UTF-8 at byte 1 of the line"),
    "invalid UTF-8": (b'pattern { N [form="\xff"] }', ":1: invalid UTF-8 at byte 20 of the line"),
    "an unbound node": (
        "pattern { N -> M; X.upos = NOUN }",
        ":1:19: no node or edge 'X' for X.upos; expected one bound here (quote a value with a dot)",
    ),
    "a bad expression of Str": (
        NODE.format('re"*("'),
        ":1:19: regular expression '*\\\\(': nothing to repeat at position 0",
    ),
    "a repeated repeat": (
        NODE.format('re"a**"'),
        ":1:19: regular expression 'a**': multiple repeat at position 2",
    ),
    "a bad expression of PCRE": (
        NODE.format("/(/"),
        ":1:19: regular expression '(': missing ) at position 1",
    ),
    "a repeat of 99,999,999,999": (
        NODE.format("/a{99999999999}/"),
        ":1:19: regular expression 'a{99999999999}': repeat count too big at position 2",
    ),
    "repeats that multiply": (
        NODE.format("/((a{1000}){1000}){1000}/"),
        ":1:19: regular expression '((a{1000}){1000}){1000}': too many repeats; "
        "expected 10000 in all",
    ),
    "a group that is not there": (
        NODE.format('re"\\\\9"'),
        ":1:19: regular expression '\\\\9': invalid group reference at position 2",
    ),
    "5,000 nodes": (
        "pattern { " + " ".join(f"N{n} [];" for n in range(5000)) + "}",
        ":1:810: over 100 nodes; expected fewer",
    ),
    "a chain of 1,500 nodes": (
        "pattern { " + " ".join(f"N{n} -> N{n + 1};" for n in range(1500)) + "}",
        ":1:1193: over 100 nodes; expected fewer",
    ),
    "10,000 dashes": (
        "pattern { " + "a-" * 10_000 + " }",
        ":1:20010: '-'; expected a name, a string or a mark of the request language",
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_a_bad_request_is_one_line(tmp_path, line, case):
    request, expected = LINES[case]
    assert line(matches, tmp_path, request, star(3)) == f"DIR/r.req{expected}"


@pytest.mark.parametrize("expression", ["/(a|a)+$/", 're"\\\\(a\\\\|a\\\\)+$"'])
def test_an_expression_that_takes_too_long_is_one_line(tmp_path, line, monkeypatch, expression):
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    sentence = row(1, "a" * 40 + "!") + "\n"
    assert line(matches, tmp_path, NODE.format(expression), sentence) == (
        f"regular expression '(a|a)+$': over 0.05 s on {'a' * 40 + '!'!r}; "
        "expected a pattern without repeats of repeats"
    )


FREE = {
    "two free nodes": ("pattern { A[]; B[] }", 60),
    "five free nodes": ("pattern { A[]; B[]; C[]; D[]; E[] }", 20),
    "free nodes that no binding satisfies": (
        "pattern { A[]; B[]; C[]; D[]; A.form <> B.form }",
        60,
    ),
    "free nodes of a filter": ("pattern { A[] } without { B[]; C[]; D[!form] }", 20),
}


@pytest.mark.parametrize("case", FREE)
def test_a_search_that_tries_too_much_is_one_line(tmp_path, line, monkeypatch, case):
    monkeypatch.setattr(graph, "MOST", 3_000)
    request, words = FREE[case]
    assert line(matches, tmp_path, request, star(words)) == (
        "t:1: the request tries over 3,000 words for its nodes; "
        "expected nodes linked by edges or order"
    )


ACCEPTED = {
    "empty: any sentence once": ("", 1),
    "BOM and CRLF": ("\ufeffpattern {\r\n N [upos=NOUN]\r\n}\r\n", 30),
    "2,000 times the same clause": ("pattern { " + "A -> B; " * 2_000 + "}", 30),
    "a distance of 5,000 digits": ("pattern { A -> B; length(A,B) < " + "9" * 5_000 + " }", 30),
    "a repeat of a repeat on a short word": (NODE.format("/(a+)+$/"), 30),
    "two free nodes": ("pattern { A[upos=NOUN]; B[upos=NOUN] }", 870),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_an_odd_request_matches(tmp_path, case):
    request, count = ACCEPTED[case]
    assert matches(tmp_path, request, star(30)) == count


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda path: None, "No such file or directory"),
        (lambda path: path.mkdir(), "a folder"),
        (os.mkfifo, "a pipe or device"),
    ],
)
def test_what_is_no_file_is_one_line(tmp_path, line, make, expected):
    make(tmp_path / "x.req")
    where = f"DIR/x.req: {expected}"
    found = line(read_request, tmp_path / "x.req")
    assert found == f"{where}; expected a file, or a text such as pattern {{ N [] }}"

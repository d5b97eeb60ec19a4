"""Texts that anyone may have written are read in time linear in their length.

Measured is how the time grows when a text becomes eight times as long, never the time itself: by 8
where it is linear, by 64 where it is quadratic.
"""

import time
from contextlib import suppress

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.morphology.stream import UNIT
from kasu.corpora.texts import sentences as text
from kasu.corpora.treebanks.treebank import COMMENT
from kasu.corpora.wiki.dump import Block
from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.templates import read_templates
from kasu.corpora.wiki.wikitext import plain_text

WIKI = read_templates("en", wiki_names("en"))
LONG_ENOUGH = 0.002  # seconds; shorter times say little
LONGEST = 1 << 17  # repetitions


def seconds(function, argument) -> float:
    start = time.process_time()
    with suppress(KasuError):
        function(argument)
    return time.process_time() - start


def growth(function, make) -> float:
    """How many times as long a text takes that has eight times as many repetitions."""
    size = 128
    while (short := min(seconds(function, make(size)) for _ in range(3))) < LONG_ENOUGH:
        if size >= LONGEST:
            return 1
        size *= 2
    return min(seconds(function, make(8 * size)) for _ in range(2)) / short


def pages(titles: str) -> None:
    list(Block("dump", titles.encode() + b"\xff", 0, False, 0).pages())


def plain(wikitext: str) -> None:
    plain_text(wikitext, WIKI)


READERS = {
    "known templates in known templates": (plain, lambda n: "{{small|" * n + "a" + "}}" * n),
    "templates that never close": (plain, lambda n: "a {{small|b" * n),
    "templates one after another": (plain, lambda n: "{{a}}" * n + "b"),
    "templates with many arguments": (plain, lambda n: "a {{small|" + "b|" * n + "}}"),
    "links in captions": (plain, lambda n: "[[File:a|[" * n + "]]]" * n),
    "links that never end in a template": (plain, lambda n: "a {{small|" + "[[b|" * n + "}}"),
    "tables in tables": (plain, lambda n: "<table>" * n + "a" + "</table>" * n),
    "tags without an end": (plain, lambda n: "<ref " * n),
    "extension tags within one tag": (plain, lambda n: "<math <ref " * n + ">"),
    "things cut in brackets": (plain, lambda n: "(" * n + "{{cn}}, " * n),
    "holes after the end of a sentence": (plain, lambda n: "Aa" + ".{{a}}" * n + "b"),
    "lines with nothing but templates": (plain, lambda n: "a\n" + "{{a}}\n" * n + "b"),
    "a heading without an end": (plain, lambda size: "=" * size + "a"),
    "blanks after what could be a redirect": (
        WIKI.names.redirect.match,
        lambda size: "#REDIRECT" + " " * size,
    ),
    "titles that never close": (pages, lambda size: "<title>" * size),
    "an empty comment": (COMMENT.match, lambda size: "# text =" + " " * size),
    "units that never close": (UNIT.findall, lambda size: "^a" * size),
    "superblanks that never close": (UNIT.findall, lambda size: "[a" * size),
}


@pytest.mark.parametrize("unit", ["« ", "'''a"])
def test_quotes_that_never_close_take_linear_time_beyond_the_longest_paragraph(monkeypatch, unit):
    monkeypatch.setattr(text, "LONGEST_PARAGRAPH", 500, raising=False)
    assert growth(lambda quotes: text.split_sentences(quotes, "eu"), lambda n: unit * n) < 24


@pytest.mark.parametrize("reader", READERS)
def test_eight_times_the_text_takes_not_much_more_than_eight_times_as_long(reader):
    assert growth(*READERS[reader]) < 24

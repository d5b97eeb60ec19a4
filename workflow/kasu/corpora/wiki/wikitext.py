"""Wikitext to paragraphs of plain text.

One linear scan cuts what a reader does not see as running text (tables, references, files,
categories) and puts in the text of templates that is known; mwparserfromhell then parses the rest,
one paragraph at a time. The scan saves the parser most of its work and bounds the time that a
malformed page can cost: the parser is quadratic or worse in constructs that never close.

A hole is something that a reader sees and whose text no rule knows: other templates, formulas,
images in a line. It is marked until its sentence is dropped. MediaWiki's Preprocessor_Hash.php and
Sanitizer.php say where constructs begin and end.
"""

import html
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import mwparserfromhell
import regex
from mwparserfromhell.nodes import ExternalLink, HTMLEntity, Tag, Text, Wikilink

from kasu.corpora.wiki.scan import ADDRESS, CUT, FORMULAS, HOLE, Scan, hides
from kasu.corpora.wiki.templates import Templates

# What begins a paragraph of its own: the marks of a list item, or a horizontal rule
_START = re.compile(r"(?:[*#:;]+|-{4,})[ \t]*")
# A term and the colon before its definition in the same line; no colon of a link or an address
_TERM = re.compile(r"((?:[^\[\]:]|\[\[[^\[\]]*\]\]|://)*):(?!//)")
# Text that is shown as it is, in every variant of the language
_UNCONVERTED = re.compile(r"-\{([^{}|:;]*)\}-")
# A longer number than any entity has stays as it is written, as in MediaWiki
_ENTITY = re.compile(r"&#?\w{1,40};")
# Links without markup inside need no parser; they are the great majority
_LINK = re.compile(r"\[\[([^\[\]{}|<>\n]+)(?:\|([^\[\]{}|<>\n]+))?\]\]")
# The target names no namespace or wiki, also not in percent signs or entities
_PLAIN_LINK = re.compile(r"\[\[([^\[\]{}|<>\n:%& ][^\[\]{}|<>\n:%&]*)(?:\|([^\[\]{}|<>\n]+))?\]\]")
_MARKUP = re.compile(r"\[|''|://|<|\{")
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
# The last is a behaviour switch of an extension or a release whose names are not known
_RESIDUE = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|\|\||^[|!]|-\{|<!--|</?[A-Za-z][^<>]*>"
    r"|__[^\W\d_a-z]+(?:_[^\W\d_a-z]+)*__",
    re.MULTILINE,
)
# A paragraph with more openings than this is left out: parsing it could take minutes
MAX_OPENINGS = 400

MISSING = "Xa\uffff"
"""Stands in a paragraph for a hole, so that sentences are split as at a word with a capital."""
_QUOTES = re.compile("''+")
_LISTS = frozenset("*#:;-")
_NUMBERED = re.compile("\uffff([0-9]+)\uffff")
_ALONE = re.compile("(?:[\ufffe \t]|\uffff[0-9]+\uffff[.,;:]*)+")
# Right after the end of a sentence stands a note. A short word before the period can be shortened
_NOTE = regex.compile(
    r"((?:(?<=[^\W\d_]{2}|[)\]\"»”’%])[.!?…]|[。！？।۔])[)\]\"»”’]*\ufffe*)"
    r"(?:\uffff[0-9]+\uffff\ufffe*)+(?=\s*$|\s+(?!\p{Ll}|[\ufffe\uffff]))"
)
LOOK_BACK = 64  # characters
_MARKS = frozenset({CUT, HOLE})
_BLANK = CUT + " \t"
_UNFINISHED = re.compile(r"[\w,(–—\uffff-]['\ufffe \t]*\Z")
_AWAITS = re.compile(r"[\w,:;(=–—\uffff-]['\ufffe \t]*\Z")  # so does a colon before a formula
# Something cut beside what it could have kept apart; elsewhere nothing is to be tidied
_BESIDE = re.compile(r"\ufffe(?<=[\s(（\[,;:،、–—/-]\ufffe)")
# Cuts with nothing but blanks between them
_CUTS = re.compile(r"\ufffe(?:\s*\ufffe)*")
_BRACKETS = frozenset({"()", "[]", "（）"})
_ASIDE = re.compile("[()（）]|\uffff([0-9]+)\uffff")
_PAIRS = {"(": ")", "（": "）"}
_LEADING = frozenset(",;:=–—/，、：")  # before brackets that are no aside
_SEPARATORS = frozenset(" \t\n\xa0,;:،、–—/-")
_COMMAS = frozenset(",;،、")
_REPEATED = re.compile(r"[,;،、]\s*(?=[,;،、])")
_ENDING = _COMMAS | {".", "。"}
_POINTS = frozenset(".,;:!?…)。，、")


class Plain(NamedTuple):
    """The text of a page.

    Attributes:
        paragraphs: paragraphs and list items as plain text without line breaks, with MISSING where
            text is missing.
        residue: how many paragraphs were left out because markup remained in them.
        unclosed: how many templates, tables, comments and dropped elements were never closed.
        holes: what is missing, in the order of the marks: names of templates and functions, `<tag>`
            of formulas and scores, `[[…]]` of images, ADDRESS.
        brackets: how many pairs of brackets were left out since nothing remained in them.
        asides: how many were left out since text is missing in them.
    """

    paragraphs: list[str]
    residue: int
    unclosed: int
    holes: list[str]
    brackets: int
    asides: int


def plain_text(wikitext: str, templates: Templates, title: str = "") -> Plain:
    """Turn the wikitext of a page into paragraphs; headings are dropped (BASQUE-1).

    Link labels, titles of external links, and bold and italic text stay; list items become
    paragraphs. What stands on lines of its own, as infoboxes do, is no hole.
    """
    scan = Scan(wikitext, templates, title)
    inline = _Inline(scan)
    paragraphs, residue, holes = [], 0, []
    sources = _paragraph_sources(scan.text())
    if not FORMULAS.isdisjoint(scan.holes):
        sources = _with_formulas(sources, scan.holes)
    for source in sources:
        # A hole on a line of its own stands for a block, not for text
        if not source or (source[0] in _MARKS and _ALONE.fullmatch(source)):
            continue
        shown = inline.text(source)
        shown = shown and templates.names.switches.sub("", shown)
        if shown is None or _RESIDUE.search(shown):
            residue += 1
            continue
        # Entities last, so that they cannot become markup
        if shown := " ".join(_ENTITY.sub(_unescape, shown).split()):
            if HOLE in shown:
                holes += [scan.holes[int(number)] for number in _NUMBERED.findall(shown)]
                shown = _NUMBERED.sub(MISSING, shown)
            paragraphs.append(shown)
    return Plain(paragraphs, residue, scan.unclosed, holes, inline.brackets, inline.asides)


def _last_part(link: re.Match) -> str:
    return link[2] or link[1]


def _unescape(entity: re.Match) -> str:
    return html.unescape(entity[0])


def _paragraph_sources(text: str) -> Iterable[str]:
    lines: list[str] = []
    preformatted: bool | None = None  # whether the last line is; None if that is unknown
    between = ""  # what is left of lines without text since the last one with text
    for line in text.split("\n"):
        had = line
        line = line.strip(_BLANK)
        if not line or (line[0] == HOLE and _ALONE.fullmatch(line)):
            if had.strip():
                between = between or CUT
                between += line
                continue
            start = None
        else:
            start = _START.match(line)
        heading = _is_heading(line)
        if not line or start or heading:
            yield from _sources(lines, between)
            lines, between = [], ""
            if start:
                item = line[start.end() :]
                if ";" in start[0] and (term := _TERM.match(item)):
                    yield term[1]
                    item = item[term.end() :]
                yield item
            elif heading:
                yield ""
            continue
        # Lines of templates between two lines of text either join them or part them
        if between:
            if _continues(lines, between, line):
                lines.append(between)
            else:
                yield from _sources(lines, between)
                lines = []
            between = ""
        # Preformatted lines are blocks of their own. Before a first one, a tag may have stood
        indented, first = had[0] == " ", not lines
        if lines and preformatted not in (None, indented):
            yield from _sources(lines, "")
            lines = []
        preformatted = None if first and indented else indented
        lines.append(line)
    yield from _sources(lines, between)


def _sources(lines: list[str], between: str) -> Iterable[str]:
    if lines:
        yield "\n".join(lines)
    if HOLE in between:
        yield between


def _with_formulas(sources: Iterable[str], holes: Sequence[str]) -> Iterable[str]:
    """Return the sources, with formulas on lines of their own joined to their sentences.

    A sentence goes on into a formula unless it has ended, and after it in lower case.
    """
    text, after = "", ""  # the last source with text, and the formulas since
    for source in sources:
        if source and source[0] in _MARKS and _ALONE.fullmatch(source):
            if any(holes[int(number)] in FORMULAS for number in _NUMBERED.findall(source)):
                after += " " + source
            continue
        goes_on = after and source.lstrip("'[")[:1].islower()
        if after and _AWAITS.search(text[-LOOK_BACK:]):
            text += after
        elif goes_on:
            yield text
            text = after
        if goes_on:
            text += " " + source
        else:
            yield text
            text = source
        after = ""
    yield text + (after if _AWAITS.search(text[-LOOK_BACK:]) else "")


def _continues(lines: Sequence[str], between: str, line: str) -> bool:
    """Return whether a line of text goes on after lines with nothing but templates and the like.

    They stand for themselves unless the sentence before them has not ended and one of them shows
    something, or the next line begins in lower case.
    """
    is_hole = HOLE in between
    if line.lstrip("'[")[:1].islower():
        return is_hole or bool(lines)
    return is_hole and bool(lines) and bool(_UNFINISHED.search(lines[-1][-LOOK_BACK:]))


def _is_heading(line: str) -> bool:
    return len(line) > 2 and line[0] == line[-1] == "="


class _Inline:
    """Resolves links and quotes in paragraphs; counts the brackets that it leaves out."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.names = scan.templates.names
        self.brackets = self.asides = 0

    def text(self, source: str) -> str | None:
        """Return the text; None if a link never closes or parsing would take too long."""
        # Simple links and quotes need no parser, and most paragraphs have nothing else
        if "[[" in source:
            source = _PLAIN_LINK.sub(_last_part, source)
            source = _LINK.sub(self._simple_link, source)
        if self.names.has_variants:
            source = _UNCONVERTED.sub(r"\1", source)
        openings = _MARKUP.findall(source)
        if openings and _only_pairs(openings, source):
            source = source.replace("''", "")
        elif openings:
            if len(openings) > MAX_OPENINGS or source.count("[[") != source.count("]]"):
                return None
            if "<" in source and _TAG.search(source):
                return None  # MediaWiki shows it as it is written: it is no tag
            nodes = mwparserfromhell.parse(source).nodes
            source = _QUOTES.sub("", "".join(self._shown(nodes)))
        if CUT in source and _BESIDE.search(source):
            source = self._tidy(source)
        if HOLE in source:
            source, asides = _without_asides(_NOTE.sub(r"\1", source), self.scan.holes)
            self.asides += asides
        return source.replace(CUT, "")

    def _simple_link(self, link: re.Match) -> str:
        target, label = link.groups()
        return "" if hides(self.names, target) else label or self.names.shown(target)

    def _shown(self, nodes: Iterable) -> Iterable[str]:
        for node in nodes:
            if isinstance(node, Text | HTMLEntity):
                yield str(node)
            elif isinstance(node, Wikilink):
                if not hides(self.names, str(node.title)):
                    if node.text is not None and node.text.nodes:
                        yield from self._shown(node.text.nodes)
                    else:
                        yield self.names.shown("".join(self._shown(node.title.nodes)))
            elif isinstance(node, ExternalLink):
                if not node.brackets:
                    yield self.scan.hole(ADDRESS)
                elif node.title is not None:
                    yield from self._shown(node.title.nodes)
                else:  # a number in brackets, as of a reference
                    yield CUT
            elif isinstance(node, Tag) and node.contents is not None:
                yield from self._shown(node.contents.nodes)

    def _tidy(self, text: str) -> str:
        """Remove what nothing is left beside where something is cut: brackets, commas, blanks."""
        parts, done = [], 0
        while (cut := text.find(CUT, done)) >= 0:
            # Widen the cut over separators on both sides
            start, end = cut, cut + 1
            while start > done and text[start - 1] in _SEPARATORS:
                start -= 1
            while end < len(text) and (text[end] in _SEPARATORS or text[end] == CUT):
                end += 1
            opening, closing = text[max(done, start - 1) : start], text[end : end + 1]
            shown = text[done:start]
            # Empty brackets go; beside one bracket, the separators go; else they are joined
            if opening and closing and opening + closing in _BRACKETS:
                shown = shown[:-1].rstrip(" \xa0")
                end += 1
                self.brackets += 1
            elif not (opening and opening in "(（") and not (closing and closing in ")）"):
                shown += _joined(text[start:end], closing)
            parts.append(shown)
            done = end
        return "".join(parts) + text[done:]


def _only_pairs(openings: Sequence[str], source: str) -> bool:
    """Return whether the only markup of a line is pairs of two quotes, which need no parser."""
    return (
        len(openings) % 2 == 0
        and all(opening == "''" for opening in openings)
        and len(openings) * 2 == source.count("'")
        and "'''" not in source
        and source[0] not in _LISTS
        and "\n" not in source
    )


def _without_asides(text: str, holes: Sequence[str]) -> tuple[str, int]:
    """Leave out brackets that hold a hole, and count them: a sentence is whole without them.

    Brackets that a sentence may need stay: within a word, such as `f(x)`, after a comma, a colon or
    the like, and with formulas, such as pairs of numbers.
    """
    opened: list[tuple[int, list[str]]] = []  # where, and the holes in it
    cuts: list[tuple[int, int]] = []
    for token in _ASIDE.finditer(text):
        mark, number = token.group(0, 1)
        if mark in _PAIRS:
            opened.append((token.start(), []))
        elif number and opened:
            opened[-1][1].append(holes[int(number)])
        elif opened and not number:
            start, missing = opened.pop()
            before = text[max(0, start - LOOK_BACK) : start]
            stripped = before.rstrip(" \t\n\xa0" + CUT)
            # Scripts that write wide brackets have no blanks between words
            apart = mark == "）" or (
                (not before or len(stripped) < len(before))
                and not text[token.end() : token.end() + 1].isalnum()
            )
            if (
                missing
                and apart
                and FORMULAS.isdisjoint(missing)
                and _PAIRS[text[start]] == mark
                and stripped[-1:] not in _LEADING
            ):
                # An outer pair takes in the cuts of its inner pairs
                while cuts and cuts[-1][0] > start:
                    cuts.pop()
                cuts.append((start - len(before) + len(stripped), token.end()))
            elif opened:
                # Brackets that stay leave their holes to the pair around them
                opened[-1][1].extend(missing)
    kept, done = [], 0
    for start, end in cuts:
        kept.append(text[done:start])
        done = end
    return "".join(kept) + text[done:], len(cuts)


def _joined(run: str, then: str) -> str:
    """Join separators around a cut with what follows, without a comma or blank too many."""
    cut = run.index(CUT)
    before, rest = run[:cut], _REPEATED.sub("", _CUTS.sub("", run[cut:]))
    if (rest.lstrip() or then)[:1] in _ENDING and before.rstrip()[-1:] in _COMMAS:
        before = before.rstrip()[:-1]
    return (before.rstrip() if (rest or then)[:1] in _POINTS else before) + rest

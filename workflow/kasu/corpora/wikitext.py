"""Wikitext to paragraphs of plain text.

One linear scan cuts what a reader does not see as running text (templates, tables, references,
files, categories); mwparserfromhell then parses the rest, one paragraph at a time. The scan saves
the parser most of its work and bounds the time that a malformed page can cost: the parser is
quadratic or worse in constructs that never close.
"""

import html
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, HTMLEntity, Tag, Text, Wikilink

# Elements removed with their content, which is not parsed: it ends at the first end tag
DROPPED = (
    "ce|categorytree|chem|gallery|graph|h[1-6]|hiero|imagemap|includeonly|indicator|inputbox|"
    "mapframe|maplink|math|pre|ref|references|score|section|source|syntaxhighlight|table|"
    "templatedata|templatestyles|timeline"
)
# Elements whose tags are removed and whose content stays; those in BLOCK end a paragraph
BLOCK = "blockquote|br|center|dd|div|dl|dt|hr|li|ol|p|poem|td|th|tr|ul"
INLINE = (
    "abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|nobr|noinclude|onlyinclude|"
    "q|rb|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
_TOKEN = re.compile(
    rf"<!--|</?(?:(?P<dropped>nowiki|{DROPPED})|(?P<block>{BLOCK})|(?P<inline>{INLINE}))\b[^<>]*>"
    r"|\{\{+|\{\||\}\}+|\|\}(?!\})|\[\[|\]\]",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\.(?:djvu|gif|jpe?g|mp[34]|og[agv]|opus|pdf|png|svg|tiff?|wav|web[mp])$", re.IGNORECASE
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)*|simple")
# What begins a paragraph of its own: the marks of a list item, or a horizontal rule
_START = re.compile(r"(?:[*#:;]+|-{4,})[ \t]*")
_MAGIC_WORD = re.compile(r"__[^\W\d_]+__")
# A longer number than any entity has stays as it is written, as in MediaWiki
_ENTITY = re.compile(r"&#?\w{1,40};")
# Links without markup inside need no parser; they are the great majority
_LINK = re.compile(r"\[\[([^\[\]{}|<>\n]+)(?:\|([^\[\]{}|<>\n]+))?\]\]")
_MARKUP = re.compile(r"\[|''|://|<|\{")
_RESIDUE = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|\|\||^[|!]|-\{|<!--|</?[a-z][^<>]*>",
    re.IGNORECASE | re.MULTILINE,
)
# A paragraph with more openings than this is left out: parsing it could take minutes
MAX_OPENINGS = 400
# Marks where something was cut, so that quotes around it still pair; not allowed in XML
_CUT = "\ufffe"
_QUOTES = re.compile("''+|" + _CUT)
_LINE_START = re.compile(r"(?:^|\n)[ \t:*#]*\Z")


class Plain(NamedTuple):
    """The text of a page.

    Attributes:
        paragraphs: paragraphs and list items as plain text without line breaks.
        residue: how many paragraphs were left out because markup remained in them.
        unclosed: how many templates, tables, comments and dropped elements were never closed.
    """

    paragraphs: list[str]
    residue: int
    unclosed: int


def hidden_prefixes(namespaces: Mapping[int, str]) -> frozenset[str]:
    """Lower-case prefixes of links that show no text (media, files, categories).

    `namespaces` are those of the wiki by number, since their names are localised.
    """
    names = {"media", "file", "image", "category"}
    names.update(namespaces.get(number, "").lower() for number in (-2, 6, 14))
    return frozenset(names - {""})


def plain_text(wikitext: str, hidden: frozenset[str] = hidden_prefixes({})) -> Plain:
    """Turn the wikitext of a page into paragraphs; headings are dropped (BASQUE-1).

    `hidden` comes from `hidden_prefixes`. Link labels, titles of external links, and bold and
    italic text stay; list items become paragraphs.
    """
    text, unclosed = cut(wikitext, hidden)
    paragraphs, residue = [], 0
    for source in _paragraph_sources(text):
        shown = _inline(source, hidden)
        if shown is None or _RESIDUE.search(shown):
            residue += 1
        elif shown := " ".join(_ENTITY.sub(_unescape, _MAGIC_WORD.sub("", shown)).split()):
            paragraphs.append(shown)
    return Plain(paragraphs, residue, unclosed)


def _unescape(entity: re.Match) -> str:
    return html.unescape(entity[0])


def _paragraph_sources(text: str) -> Iterable[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.strip(_CUT + " \t")
        start = _START.match(line)
        if not line or start or _is_heading(line):
            if lines:
                yield "\n".join(lines)
                lines = []
            if start:
                yield line[start.end() :]
        else:
            lines.append(line)
    if lines:
        yield "\n".join(lines)


def _is_heading(line: str) -> bool:
    return len(line) > 2 and line[0] == line[-1] == "="


def _inline(source: str, hidden: frozenset[str]) -> str | None:
    """Resolve links and quotes; None if a link never closes or parsing would take too long."""
    source = _LINK.sub(lambda link: _link_text(link[1], link[2], hidden), source)
    openings = len(_MARKUP.findall(source))
    if not openings:
        return source.replace(_CUT, "")
    if openings > MAX_OPENINGS or source.count("[[") != source.count("]]"):
        return None
    return _QUOTES.sub("", "".join(_shown(mwparserfromhell.parse(source).nodes, hidden)))


def _link_text(target: str, label: str | None, hidden: frozenset[str]) -> str:
    return "" if _hides(target, hidden) else label or target.removeprefix(":")


def _shown(nodes: Iterable, hidden: frozenset[str]) -> Iterable[str]:
    for node in nodes:
        if isinstance(node, Text | HTMLEntity):
            yield str(node)
        elif isinstance(node, Wikilink):
            if not _hides(str(node.title), hidden):
                label = node.text if node.text is not None and node.text.nodes else node.title
                yield "".join(_shown(label.nodes, hidden)).removeprefix(":")
        elif isinstance(node, ExternalLink):
            if node.brackets and node.title is not None:
                yield from _shown(node.title.nodes, hidden)
        elif isinstance(node, Tag) and node.contents is not None:
            yield from _shown(node.contents.nodes, hidden)


def _hides(target: str, hidden: frozenset[str]) -> bool:
    prefix, colon, _ = target.partition(":")
    if not colon or not prefix:
        return False
    name = prefix.strip().replace("_", " ")
    return name.lower() in hidden or bool(_LANGUAGE.fullmatch(name) or _FILE.search(target.strip()))


class _Scan:
    """One pass over the tokens of a page: a stack of open constructs, and the spans to cut."""

    def __init__(self, text: str, hidden: frozenset[str]) -> None:
        self.text, self.hidden = text, hidden
        self.stack: list[tuple[str, int]] = []
        self.open = {"{{": 0, "{|": 0, "[[": 0}
        self.spans: list[tuple[int, int, str]] = []
        self.unclosed = 0
        self.never_ends: set[str] = set()

    def push(self, kind: str, start: int) -> None:
        self.stack.append((kind, start))
        self.open[kind] += 1

    def close(self, kind: str) -> int | None:
        """Pop the innermost open construct of this kind and all inside it; return its start."""
        if not self.open[kind]:
            return None
        while True:
            top, start = self.stack.pop()
            self.open[top] -= 1
            if top == kind:
                return start

    def drop(self, start: int, end: int, instead: str = _CUT) -> None:
        """Cut a span; it replaces the spans inside it."""
        while self.spans and self.spans[-1][0] >= start:
            self.spans.pop()
        self.spans.append((start, end, instead))

    def element(self, token: re.Match) -> int:
        """Handle a tag of DROPPED or `nowiki`; return the position to continue from."""
        name, start, end = token["dropped"].lower(), token.start(), token.end()
        if token[0].startswith("</") or token[0].endswith("/>"):
            self.drop(start, end)
            return end
        close = None
        if name not in self.never_ends:
            close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self.text, end)
        if close is None:
            self.never_ends.add(name)
            self.unclosed += 1
            self.drop(start, end)
            return end
        if name != "nowiki" or "\n" in self.text[end : close.start()]:
            self.drop(start, close.end())
        return close.end()

    def comment(self, start: int) -> int:
        end = self.text.find("-->", start)
        if end < 0:  # as in MediaWiki, the comment runs to the end of the page
            self.unclosed += 1
            end = len(self.text)
        self.drop(start, end + 3, "")
        return end + 3

    def bracket(self, token: re.Match) -> None:
        kind, start, end = token[0], token.start(), token.end()
        if kind[:2] == "{{":
            for _ in range(len(kind) // 2):
                self.push("{{", start)
        elif kind[:2] == "}}":
            for _ in range(len(kind) // 2):
                if (opened := self.close("{{")) is not None:
                    self.drop(opened, end)
        elif kind == "[[":
            self.push("[[", start)
        elif kind == "]]":
            # A link closes only if everything opened inside it has closed
            opened = self.close("[[") if self.stack and self.stack[-1][0] == "[[" else None
            if opened is not None and self.hides(opened, end):
                self.drop(opened, end)
        elif _LINE_START.search(self.text, max(0, start - 16), start):
            if kind == "{|":
                self.push("{|", start)
            elif (opened := self.close("{|")) is not None:
                self.drop(opened, end, "\n\n")

    def hides(self, start: int, end: int) -> bool:
        return _hides(
            self.text[start + 2 : min(end - 2, start + 512)].partition("|")[0], self.hidden
        )


def cut(wikitext: str, hidden: frozenset[str]) -> tuple[str, int]:
    """Cut everything but running text, in time linear in the length.

    Cuts comments, templates, tables, elements of DROPPED, links to `hidden` prefixes and the tags
    of other elements. A closing mark closes the innermost opening of its kind.

    Returns:
        The remaining wikitext, and the number of constructs that were never closed.
    """
    scan = _Scan(wikitext, hidden)
    position = 0
    while token := _TOKEN.search(wikitext, position):
        if token[0] == "<!--":
            position = scan.comment(token.start())
        elif token["dropped"]:
            position = scan.element(token)
        elif token["block"] or token["inline"]:
            scan.drop(*token.span(), "\n\n" if token["block"] else "")
            position = token.end()
        else:
            scan.bracket(token)
            position = token.end()
    kept: list[str] = []
    position = 0
    for start, end, instead in scan.spans:
        kept += wikitext[position:start], instead
        position = end
    kept.append(wikitext[position:])
    unclosed = scan.unclosed + scan.open["{{"] + scan.open["{|"]
    return "".join(kept), unclosed

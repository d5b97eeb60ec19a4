"""The constructs of a page of wikitext: what to cut, what to put in, and what is missing.

One linear scan over the brackets and tags of a page. Where they begin and end is as in MediaWiki's
Preprocessor_Hash.php, Parser.php (links) and Sanitizer.php (tags of HTML).

A hole is something that a reader sees and whose text no rule knows: a template, a formula, an image
in a line. It is marked until its sentence is dropped.
"""

import re

from kasu.corpora.wiki.names import WikiNames, key
from kasu.corpora.wiki.templates import Templates

# Marks where something was cut, so that quotes around it still pair; not allowed in XML
CUT = "\ufffe"
ADDRESS = "<address>"  # the name of a hole where a web address stands
# Marks a hole: the number of its name stands between two of these; not allowed in XML
HOLE = "\uffff"

# Extension tags, removed with their content, which is not parsed: it ends at the first end tag
INVISIBLE = (
    "includeonly|indicator|inputbox|mapframe|ref|references|section|templatedata|templatestyles"
)
SHOWN = "ce|chem|hiero|maplink|math|score"  # no text, but seen in the midst of it
FRAMED = "categorytree|gallery|graph|imagemap|pre|source|syntaxhighlight|timeline"
# Elements of HTML removed with their content, besides tables, which nest
DROPPED = "h[1-6]"
# Elements whose tags are removed and whose content stays; those in BLOCK end a paragraph
BLOCK = "blockquote|br|center|dd|div|dl|dt|hr|li|ol|p|poem|td|th|tr|ul"
INLINE = (
    "abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|nobr|noinclude|onlyinclude|"
    "q|rb|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
# The name of an extension's tag ends at white space, ">" or "/>"; of HTML's, also at "/"
_TOKEN = re.compile(
    rf"<!--|<(?P<extension>nowiki|{INVISIBLE}|{SHOWN}|{FRAMED})(?=\s|/?>)"
    rf"|</?(?:(?P<table>table)|(?P<dropped>{DROPPED})|(?P<block>{BLOCK})|(?P<inline>{INLINE}))"
    r"(?=[\t\n\v />])[^<>]*>"
    r"|\{\{+|\{\||\}\}+|\|\}(?!\})|\[\[|\]\]",
    re.IGNORECASE,
)
# An element that is hidden, or a reading above its word (ruby), if it holds no other tag
_UNSEEN = re.compile(
    r"<(r[pt](?=[\s>])|\w+(?=\s[^<>]*\bdisplay\s*:\s*none\b))[^<>]*>[^<>]*</\1\s*>",
    re.IGNORECASE,
)
_SHOWN = frozenset(SHOWN.split("|"))
FORMULAS = frozenset(f"<{name}>" for name in _SHOWN)
"""The names of holes of formulas and the like."""
_FRAMED = frozenset(FRAMED.split("|"))
_FILE = re.compile(
    r"\.(?:djvu|gif|jpe?g|mp[34]|og[agv]|opus|pdf|png|svg|tiff?|wav|web[mp])$", re.IGNORECASE
)
_SIZE = re.compile(r"([0-9]*)(?:x([0-9]+))?\s*[^\W\d_]+")
ICON = 60  # pixels; a larger image does not stand in a line of text
MAX_DEPTH = 20  # of templates in arguments of templates that are shown
# The longest stretch looked at for the name of a template or the target of a link
LONGEST = 512
_LITERAL = str.maketrans({mark: f"&#{ord(mark)};" for mark in "[]{}|'<>=!-_"} | {"\n": " "})
_LINE_START = re.compile(r"(?:^|\n)[ \t:*#;]*\Z")

Span = tuple[int, int, str, "list[Span] | None"]
"""Start, end, what to put in, and the spans in the arguments of a template."""


def hides(names: WikiNames, target: str) -> bool:
    """Return whether a link to this target shows nothing as text where it stands.

    A name of a file in an unknown namespace is also that of a file: aliases differ by wiki.
    """
    if ":" not in target and "%" not in target and "&" not in target:
        return False  # most links; `names` need not be asked
    if names.hides(target):
        return True
    prefix, colon, name = target.partition(":")
    is_file = colon and prefix and ":" not in name and _FILE.search(name.strip())
    return bool(is_file) and key(prefix) not in names.numbers


class Scan:
    """One pass over the tokens of a page: a stack of open constructs, and the spans to replace.

    Attributes:
        holes: what the holes of `text` lack, by number: names of templates and functions, `<tag>`
            of formulas and scores, `[[…]]` of images, ADDRESS.
        unclosed: how many templates, tables, comments and extension tags were never closed.
    """

    def __init__(self, wikitext: str, templates: Templates, title: str) -> None:
        self.wikitext, self.templates, self.title = wikitext, templates, title
        self.stack: list[tuple[str, int]] = []
        self.open = {"{{": 0, "{|": 0, "[[": 0, "<table": 0}
        self.spans: list[Span] = []
        self.holes: list[str] = []
        self.unclosed = 0
        self.never_ends: set[str] = set()
        self._run()
        self.unclosed += self.open["{{"] + self.open["{|"] + self.open["<table"]

    def _run(self) -> None:
        position = 0
        # Each token moves the position forwards, so one pass is linear in the page
        while token := _TOKEN.search(self.wikitext, position):
            group = token.lastgroup
            if group is None:
                position = self.bracket(token)
            elif group == "extension":
                position = self.extension(token)
            elif group == "table":
                position = self.table(token)
            elif group == "dropped":
                position = self.dropped(token)
            else:
                unseen = _UNSEEN.match(self.wikitext, token.start())
                start, position = (unseen or token).span()
                self.drop(start, position, "\n\n" if group == "block" else CUT if unseen else "")

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

    def drop(self, start: int, end: int, instead: str = CUT) -> list[Span]:
        """Replace a span; return the spans inside it, which go with it."""
        # Spans are in order. Those that begin inside the new one are at the end of the list
        first = len(self.spans)
        if not first or self.spans[-1][0] < start:
            self.spans.append((start, end, instead, None))
            return []
        while first and self.spans[first - 1][0] >= start:
            first -= 1
        inner = self.spans[first:]
        self.spans[first:] = [(start, end, instead, None)]
        return inner

    def element(self, name: str, start: int, end: int, instead: str) -> int:
        """Drop an element whose start tag ends at `end`; return the position to continue from."""
        # The end tag is searched for once: if there is none, none follows a later start tag either
        close = None
        if name not in self.never_ends:
            close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self.wikitext, end)
        if close is None:
            self.never_ends.add(name)
            self.unclosed += 1
            self.drop(start, end)
            return end
        if name == "nowiki":
            instead = _literal(self.wikitext[end : close.start()])
        self.drop(start, close.end(), instead)
        return close.end()

    def extension(self, token: re.Match) -> int:
        """Handle the start tag of an extension, which ends at the first `>`, also in quotes."""
        name, start = token["extension"].lower(), token.start()
        end = -1 if ">" in self.never_ends else self.wikitext.find(">", token.end())
        if end < 0:
            self.never_ends.add(">")
            return token.end()
        tag = self.wikitext[start : end + 1] if name in _FRAMED else ""
        if self.wikitext[end - 1] == "/":
            self.drop(start, end + 1)
            return end + 1
        # A framed formula is a block of its own; others stand in their line
        framed = name in _FRAMED and " inline" not in tag
        shown = name in _SHOWN or name in _FRAMED
        return self.element(
            name, start, end + 1, "\n\n" if framed else f"<{name}>" if shown else CUT
        )

    def table(self, token: re.Match) -> int:
        """Handle a tag of a table: drop it, and with an end tag all since the table's start."""
        start, end = token.span()
        is_end = token[0].startswith("</")
        if is_end and (opened := self.close("<table")) is not None:
            self.drop(opened, end, "\n\n")
            return end
        if not is_end and not token[0].endswith("/>"):
            self.push("<table", start)
        self.drop(start, end)
        return end

    def dropped(self, token: re.Match) -> int:
        if token[0].startswith("</") or token[0].endswith("/>"):
            self.drop(*token.span())
            return token.end()
        return self.element(token["dropped"].lower(), *token.span(), "\n\n")

    def comment(self, start: int) -> int:
        end = self.wikitext.find("-->", start)
        if end < 0:  # as in MediaWiki, the comment runs to the end of the page
            self.unclosed += 1
            end = len(self.wikitext)
        end += 3
        alone = self.wikitext[max(0, start - 1) : start] in ("", "\n")
        if alone and self.wikitext[end : end + 1] == "\n":
            end += 1  # as in MediaWiki, the whole line goes
        self.drop(start, end, "")
        return end

    def bracket(self, token: re.Match) -> int:
        kind, start, end = token[0], token.start(), token.end()
        if kind == "<!--":
            return self.comment(start)
        if kind[:2] == "{{":
            for pair in range(len(kind) // 2):
                self.push("{{", start + 2 * pair)
        elif kind[:2] == "}}":
            self.templates_end(start, end)
        elif kind == "[[":
            self.push("[[", start)
        elif kind == "]]":
            # A link closes only if everything opened inside it has closed
            opened = self.close("[[") if self.stack and self.stack[-1][0] == "[[" else None
            if opened is not None:
                end = self.link(opened, end)
        elif _LINE_START.search(self.wikitext, max(0, start - 16), start):
            if kind == "{|":
                self.push("{|", start)
            elif (opened := self.close("{|")) is not None:
                self.drop(opened, end, "\n\n")
        return end

    def templates_end(self, start: int, end: int) -> None:
        """Close as many templates as there are pairs of braces; an odd one goes with the last."""
        pairs = (end - start) // 2
        for pair in range(1, pairs + 1):
            if (opened := self.close("{{")) is not None:
                stop = end if pair == pairs else start + 2 * pair
                # The span keeps those inside it: they are filled in with the call
                inner = self.drop(opened, stop, "{{")
                self.spans[-1] = (opened, stop, "{{", inner)

    def link(self, start: int, end: int) -> int:
        """Drop a link if it shows nothing as text; return the position to continue from."""
        target = self.wikitext[start + 2 : min(end - 2, start + LONGEST)]
        if ":" in target or "%" in target or "&" in target:
            target = target.partition("|")[0]
            if hides(self.templates.names, target):
                end += self.third_bracket(start, end)
                self.drop(start, end, "[[…]]" if _FILE.search(target.strip()) else CUT)
        return end

    def third_bracket(self, start: int, end: int) -> int:
        """Return 1 if the link goes on to a third `]`, since a `[` stands in its label (T1500)."""
        if self.wikitext[end : end + 1] != "]":
            return 0
        opening = self.wikitext.rfind("[", max(start + 2, end - LONGEST), end)
        return int(opening > 0 and self.wikitext[opening - 1] != "[")

    def text(self) -> str:
        """Return the page with its spans replaced."""
        return self._text(0, len(self.wikitext), self.spans, 0)

    def _text(self, start: int, end: int, spans: list[Span], depth: int) -> str:
        kept: list[str] = []
        # `fresh`: so far, the line holds nothing but templates
        position, fresh = start, not depth
        for begin, stop, instead, inner in spans:
            piece = self.wikitext[position:begin]
            # A line break in the text before the span starts a new line
            if fresh or (not depth and "\n" in piece):
                fresh = not piece[piece.rfind("\n") + 1 :].strip(" \t")
            if inner is not None:
                instead = self._template(begin, stop, inner, depth, fresh)
            elif instead == "[[…]]":
                # At the start of a paragraph or a list item, an image stands beside the text
                beside = fresh or _LINE_START.search(self.wikitext, max(0, begin - 16), begin)
                in_line = not beside and self._is_icon(begin, stop)
                instead = self.hole(instead) if in_line else CUT
            elif instead[:1] == "<":
                instead = self.hole(instead)
            kept += piece, instead
            if instead and instead[0] not in (CUT, HOLE):
                fresh = instead[-1] == "\n" and not depth
            position = stop
        kept.append(self.wikitext[position:end])
        return "".join(kept)

    def _template(
        self, start: int, stop: int, inner: list[Span], depth: int, starts_line: bool
    ) -> str:
        """Return what to put in for a template."""
        # The name stands before the first template inside, or is made by it
        end = min(stop - 2, start + LONGEST)
        head = self.wikitext[start + 2 : inner[0][0] if inner and inner[0][0] < end else end]
        call = None
        if inner and "|" not in head and depth < MAX_DEPTH:
            call = self._text(start + 2, stop - 2, inner, depth + 1)
            head = call
        found = self.templates.find(head)
        if found.rule is not None and depth < MAX_DEPTH:
            # A rule without parts shows nothing, whatever the arguments
            if not found.rule:
                return CUT
            if call is None:
                call = self._text(start + 2, stop - 2, inner, depth + 1)
            if (shown := self.templates.fill(found, call, self.title)) is not None:
                return shown or CUT
        # Infoboxes and their kind: a block whose arguments have lines of their own
        if starts_line and self.wikitext.find("\n", start, stop) >= 0:
            return "\n\n"
        return self.hole(found.name)

    def hole(self, name: str) -> str:
        """Note what is missing; return the mark to put in its place."""
        self.holes.append(name)
        return f"{HOLE}{len(self.holes) - 1}{HOLE}"

    def _is_icon(self, start: int, stop: int) -> bool:
        """Return whether an image stands in its line: it is small, or has no place and caption."""
        options = [
            option.strip() for option in self.wikitext[start:stop].rstrip("]").split("|")[1:]
        ]
        sizes = [
            size for option in options if (size := _SIZE.fullmatch(option)) and any(size.groups())
        ]
        pixels = [int(size[1] or size[2]) for size in sizes]
        return min(pixels, default=ICON + 1) <= ICON or len(sizes) + sum(
            "=" in option for option in options
        ) == len(options)


def _literal(text: str) -> str:
    """Escape text so that it means nothing as wikitext; entities stay, as in MediaWiki."""
    text = text.translate(_LITERAL)
    return f"&#{ord(text[0])};{text[1:]}" if text[:1] in {"*", "#", ":", ";"} else text

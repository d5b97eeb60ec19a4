"""What templates and parser functions show in running text, as far as their arguments tell.

A rule says what a template shows: nothing at all (an empty rule), or a pattern such as
`{1:number} {3|2}`, in which braces stand for arguments. What no rule knows is a hole in its
sentence. `resources/mediawiki/templates.tsv` has rules by wiki; a config extends them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.paths import own
from kasu.corpora.wiki.names import WikiNames
from kasu.corpora.wiki.template_rules import PATTERN, Call, Rule, fill, parse_rule, upper_first
from kasu.files.tables import read_tsv

TABLE = own("resources/mediawiki/templates.tsv")
# The variables and functions of MediaWiki whose text follows from page and arguments
FUNCTIONS = {
    "!": "&#124;",
    "=": "&#61;",
    "defaultsort": "",
    "displaytitle": "",
    "formatnum": "{!2}{1:number}",
    "fullpagename": "{:title}",
    "lc": "{1:lower}",
    "lcfirst": "{1:lower first}",
    "noexternallanglinks": "",
    "pagename": "{:title}",
    "shortdesc": "",
    "uc": "{1:upper}",
    "ucfirst": "{1:upper first}",
}
_ARGUMENT = re.compile(r"\[\[|\]\]|\|")


class ResolvedCall(NamedTuple):
    """What a call means: its name, its rule (None if unknown), and whether it is a function."""

    name: str
    rule: Rule | None
    is_function: bool


FUNCTION_RULES = {name: parse_rule(pattern) for name, pattern in FUNCTIONS.items()}


def normal_name(name: str) -> str:
    """Return a template's name as MediaWiki compares it: `_` is a blank, the first letter upper."""
    return upper_first(" ".join(name.replace("_", " ").split()))


@dataclass(frozen=True)
class Templates:
    """The rules of a wiki.

    Attributes:
        language: code of the wiki's language, for numbers.
        names: the wiki's names of functions and of the namespace of templates.
        rules: what a template shows, by its normal name; None if that is unknown.
    """

    language: str
    names: WikiNames
    rules: Mapping[str, Rule | None]

    def find(self, head: str) -> ResolvedCall:
        """Return what a call means whose source between the braces begins with `head`.

        `head` goes at least to the first bar, or to the end.
        """
        head, bar, _ = head.partition("|")
        head = head.strip("\ufffe \t\n")
        prefix, colon, first = head.partition(":")
        # Without a colon it can be a variable, which has no arguments
        function = None if bar and not colon else self.names.function(prefix.strip())
        if function is not None:
            if function in ("tag", "#tag") and first.strip().lower() == "ref":
                return ResolvedCall("#tag:ref", (), True)
            return ResolvedCall(prefix + colon, FUNCTION_RULES.get(function), True)
        if colon and prefix.strip().lower() in self.names.template_prefixes:
            head = first
        name = normal_name(head)
        return ResolvedCall(name, self.rules.get(name), False)

    def fill(self, found: ResolvedCall, call: str, title: str) -> str | None:
        """Return the wikitext that a call shows on the page `title`; None if it is unknown.

        `call` is the source between the braces, without other templates.
        """
        _, _, rest = call.partition(":" if found.is_function else "|")
        arguments = _arguments(rest) if rest else {}
        return fill(found.rule or (), Call(self.language, title, arguments))


def _arguments(source: str) -> dict[str, str]:
    """Return arguments by name or number, without those that are blank."""
    arguments: dict[str, str] = {}
    number = 0
    for argument in _split(source):
        name, equals, value = argument.partition("=")
        # An equals sign within a link does not name an argument
        if equals and "[[" not in name:
            name, value = name.strip(), value.strip()
        else:
            number += 1
            name, value = str(number), argument
        arguments[name] = value
    return {name: value for name, value in arguments.items() if value.strip("\ufffe \t\n")}


def _split(source: str) -> list[str]:
    """Split at bars outside links."""
    parts, start, depth = [], 0, 0
    for token in _ARGUMENT.finditer(source):
        if token[0] == "|":
            if not depth:
                parts.append(source[start : token.start()])
                start = token.end()
        else:
            depth = max(0, depth + (1 if token[0] == "[[" else -1))
    return [*parts, source[start:]]


def read_templates(
    language: str, names: WikiNames, extra: Mapping[str, str | None] | None = None
) -> Templates:
    """Read the rules for all wikis and for a language's; add `extra`; the last one wins.

    Raises:
        KasuError: a rule of the table is no pattern.
    """
    rules: dict[str, Rule | None] = {}
    rows = read_tsv(TABLE, ("wiki", "names", "shown"))
    # Rules for all wikis first, so that a language's own rule replaces them
    for wiki in ("", language):
        for row in rows:
            if wiki in row["wiki"].split("|"):
                rule = parse_shown(row["shown"], f"{TABLE}: {row['names']}")
                rules |= dict.fromkeys(map(normal_name, row["names"].split("|")), rule)
    for name, shown in (extra or {}).items():
        rules[normal_name(name)] = (
            None if shown is None else parse_shown(shown, f"template {name!r}")
        )
    return Templates(language, names, rules)


def parse_shown(pattern: str, where: str) -> Rule:
    """Parse a pattern of a table or a config.

    Raises:
        KasuError: it is none.
    """
    try:
        return parse_rule(pattern)
    except ValueError as error:
        raise KasuError(where, repr(pattern), PATTERN) from error

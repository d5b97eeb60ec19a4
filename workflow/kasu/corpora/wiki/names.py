"""The names that a wiki gives to namespaces, redirects, behaviour switches and parser functions.

MediaWiki has them in English and in the wiki's language. `resources/mediawiki/names.tsv` holds
those of all its languages (`tools/update_wiki_names.py` writes it), and a dump names its own
namespaces.
"""

import html
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from types import MappingProxyType
from urllib.parse import unquote

from kasu.base.paths import own
from kasu.files.tables import read_tsv
from kasu.job.run import log

COLUMNS = ("language", "kind", "word", "case", "names")
TABLE = own("resources/mediawiki/names.tsv")
ENGLISH = "en"
FILE, TEMPLATE, CATEGORY = 6, 10, 14

# Marks of direction, which slip into copied titles and which MediaWiki takes out
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e]+")
_BLANKS = re.compile("[ _\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_LINK = r"\[\[[^\n\[\]{}|<>]+(?:\|[^\n]*?)?\]\]"

Row = Mapping[str, str]


@dataclass(frozen=True)
class WikiNames:
    """The names of a wiki.

    Attributes:
        numbers: the number of each namespace that a name or alias stands for, by `key` of it.
        hidden: keys of the prefixes of links that show nothing where they stand.
        switches: a behaviour switch such as `__NOTOC__`, anywhere in wikitext.
        redirect: the start of the wikitext of a redirect, in the words of any language.
        functions: the English name of parser functions and variables by each of their names, in
            lower case unless case matters. `function` looks one up.
        template_prefixes: keys of the names of the namespace of templates.
        has_variants: whether the wiki converts between scripts or spellings: `-{as it is}-`.
    """

    numbers: Mapping[str, int]
    hidden: frozenset[str]
    switches: re.Pattern[str]
    redirect: re.Pattern[str]
    functions: Mapping[str, str]
    template_prefixes: frozenset[str]
    has_variants: bool

    def hides(self, target: str) -> bool:
        """Return whether a link to this target shows nothing where it stands.

        Links to categories and files do not, nor do those to the same page in other languages;
        links to sister projects and other sites do, and all that begin with a colon.
        """
        prefix, colon, _ = decode(target).partition(":")
        return bool(colon) and key(prefix) in self.hidden

    def shown(self, target: str) -> str:
        """Return what a link without a label shows: its target without a colon at the start."""
        return decode(target).lstrip(" ").removeprefix(":")

    def function(self, name: str) -> str | None:
        """Return the English name, in lower case, of a parser function or variable, or None.

        `name` is what stands before the first colon, such as `#if`; a template has such a name
        only in another case.
        """
        return self.functions.get(name) or self.functions.get(name.lower())

    def number_of(self, title: str) -> int:
        """Return the namespace number that a title names; 0, of articles, if it names none."""
        prefix, colon, _ = title.partition(":")
        return self.numbers.get(key(prefix), 0) if colon else 0


def key(name: str) -> str:
    """Return a name of a namespace or wiki as MediaWiki compares it, whatever its case.

    Underscores are blanks, and any number of them is one.
    """
    if not name.isalnum():
        name = _BLANKS.sub(" ", _DIRECTION.sub("", name)).strip(" ")
    return name.lower()


def decode(target: str) -> str:
    """Return the target of a link without percent signs and entities for letters.

    Bytes that are no letter stay as they are; MediaWiki takes such a link for no link.
    """
    if "%" in target:
        try:
            target = unquote(target, errors="strict")
        except UnicodeDecodeError:
            return target
    return html.unescape(target) if "&" in target else target


def wiki_names(
    language: str,
    namespaces: Mapping[int, str] = MappingProxyType({}),
    site_language: str = "",
    prefix: str = "",
) -> WikiNames:
    """Return the names of a wiki in `language`, whose dump may say more.

    Names in English, in the language, in the languages that MediaWiki falls back to for it, and in
    the variants that it is written in all count; so do those of the dump's own language, which may
    be another. Where a namespace of the dump has a name of another use, the dump is right. If
    MediaWiki knows neither language, the log says that only English names count.

    Args:
        language: the code of the language: of ISO 639, of MediaWiki, or of the wiki.
        namespaces: names of the wiki's namespaces by number, as the dump has them.
        site_language: the code of the wiki's language in the dump.
        prefix: the prefix of links to this wiki from others, which hides nothing here.
    """
    codes = {code: _resolve(code) for code in (language, site_language) if code}
    if not any(codes.values()):
        log.warning("MediaWiki has no names in %r: only English ones count", language)
    rows = list(_rows(codes.values()))
    numbers = {key(name): int(row["word"]) for row, name in _named(rows, "namespace")}
    # The dump's own names of namespaces replace those of the table
    numbers |= {key(name): number for number, name in namespaces.items() if name}
    # In all languages: no article begins with such a word and a link, so foreign redirects count
    redirects = _named(chain.from_iterable(_table().values()), "redirect")
    # A link to the wiki itself shows its text. The prefix counts only in a dump of this language
    local = {key(prefix)} if codes.get(site_language) == codes.get(language) else set()
    links = frozenset(name for _, name in _named(_table()[""], "languages")) - local
    return WikiNames(
        numbers=numbers,
        hidden=_of(numbers, FILE, CATEGORY) | (links - numbers.keys()),
        switches=re.compile(_any(_named(rows, "switch"))),
        redirect=re.compile(rf"\s*(?:{_any(redirects)})\s*(?::\s*)?{_LINK}"),
        functions={
            name if row["case"] else name.lower(): row["word"]
            for row, name in _named(rows, "function")
        },
        template_prefixes=_of(numbers, TEMPLATE),
        has_variants=any(_codes(code, "variants") for code in codes.values() if code),
    )


def _of(numbers: Mapping[str, int], *wanted: int) -> frozenset[str]:
    return frozenset(name for name, number in numbers.items() if number in wanted)


def _named(rows: Iterable[Row], kind: str) -> Iterator[tuple[Row, str]]:
    for row in rows:
        if row["kind"] == kind:
            for name in row["names"].split("|"):
                yield row, name


def _any(names: Iterable[tuple[Row, str]]) -> str:
    """Return a regular expression for any of these names, each with its own rule of case.

    Each begins with a plain character, which lets the search skip text without that character.
    """
    forms = {name: f"{re.escape(name[0])}{_cased(row, name[1:])}" for row, name in names}
    return "|".join(forms[name] for name in sorted(forms, key=lambda name: (-len(name), name)))


def _cased(row: Row, text: str) -> str:
    return re.escape(text) if row["case"] else f"(?i:{re.escape(text)})"


@cache
def _table() -> dict[str, list[Row]]:
    """Return the rows of the table by language."""
    table: dict[str, list[Row]] = {}
    for row in read_tsv(TABLE, COLUMNS):
        table.setdefault(row["language"], []).append(row)
    return table


def _codes(language: str, *kinds: str) -> list[str]:
    rows = _table().get(language, [])
    return [name for kind in kinds for _, name in _named(rows, kind)]


def _resolve(code: str) -> str | None:
    """Return MediaWiki's code of a language, without subtags it does not know, or None."""
    code = code.lower()
    # Cut subtags from the right until MediaWiki knows the code
    while code:
        if meant := _codes(code, "code"):
            return meant[0]
        if code in _table() or code in _codes("", "languages"):
            return code
        code = code.rpartition("-")[0]
    return None


def _rows(languages: Collection[str | None]) -> Iterator[Row]:
    """Return the rows of these languages, their fallbacks and variants; English comes last.

    So an English name keeps its meaning, as in MediaWiki.
    """
    known = [language for language in languages if language]
    known += [code for language in known for code in _codes(language, "fallback", "variants")]
    for code in [*(code for code in dict.fromkeys(known) if code != ENGLISH), ENGLISH]:
        yield from _table().get(code, [])

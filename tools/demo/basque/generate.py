"""Write the demo's Basque dump, minimal pairs and treebank: `python tools/demo/basque/generate.py`.

The output is the same every time. Articles and redirects come first, then the pages that a reader
of articles must skip.
"""

import argparse
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from articles import SEED, Article, write_articles
from lexicon import DEMO
from others import BROKEN, NAMESPACES, OTHERS, STUBS, redirects
from pairs import PAIRS, Pair, write_pairs
from treebank import SPLITS, TREEBANK, conllu, path_of
from wikitext import Markup

DUMP = DEMO / "euwiki-demo-pages-articles.xml"
_VERSION = "0.11"


@dataclass(frozen=True)
class Page:
    """A page of the dump; `target` is the title that a redirect leads to."""

    title: str
    namespace: int
    text: str
    target: str = ""
    model: str = "wikitext"


def pages(articles: list[Article]) -> Iterator[Page]:
    """All pages, in order of their ids."""
    markup = Markup(SEED)
    for article in articles:
        yield Page(article.title, 0, markup.page(article))
    for title, target in redirects(articles):
        yield Page(title, 0, f"#BIRZUZENDU [[{target}]]", target)
    for title, text in STUBS.items():
        yield Page(title, 0, text)
    yield Page(*BROKEN)
    for namespace, title, text in OTHERS:
        model = "Scribunto" if namespace == 828 else "wikitext"
        yield Page(f"{NAMESPACES[namespace]}:{title}", namespace, text, model=model)


def _siteinfo() -> str:
    """The header of the dump: the wiki and its namespaces."""
    names = "".join(
        f'      <namespace key="{key}" case="first-letter"'
        + (f">{name}</namespace>\n" if name else " />\n")
        for key, name in NAMESPACES.items()
    )
    return (
        "  <siteinfo>\n    <sitename>Wikipedia</sitename>\n    <dbname>euwiki</dbname>\n"
        "    <base>https://eu.wikipedia.org/wiki/Azala</base>\n"
        "    <generator>Kasu demo</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{names}    </namespaces>\n  </siteinfo>\n"
    )


def _page_xml(page: Page, number: int) -> str:
    """A page with a revision whose metadata follow from the number of the page."""
    data = page.text.encode()
    digest = int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest(), "big")
    redirect = f'    <redirect title="{escape(page.target)}" />\n' if page.target else ""
    origin = "text/plain" if page.model == "Scribunto" else "text/x-wiki"
    day = f"{2010 + number % 14}-{number % 12 + 1:02}-{number % 28 + 1:02}T12:00:00Z"
    comment = "      <comment>idatzi</comment>\n" if number % 3 == 0 else ""
    parent = f"      <parentid>{5000 + number}</parentid>\n" if number % 2 else ""
    return (
        f"  <page>\n    <title>{escape(page.title)}</title>\n    <ns>{page.namespace}</ns>\n"
        f"    <id>{number}</id>\n{redirect}    <revision>\n      <id>{9000 + number}</id>\n"
        f"{parent}      <timestamp>{day}</timestamp>\n      <contributor>\n"
        "        <username>Kasu</username>\n        <id>1</id>\n      </contributor>\n"
        f"{comment}      <model>{page.model}</model>\n      <format>{origin}</format>\n"
        f'      <text bytes="{len(data)}" sha1="{_base36(digest)}" xml:space="preserve">'
        f"{escape(page.text, {chr(34): '&quot;'})}</text>\n"
        f"      <sha1>{_base36(digest)}</sha1>\n    </revision>\n  </page>\n"
    )


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits.rjust(31, "0")


def dump(articles: list[Article]) -> str:
    """The whole dump as text."""
    schema = f"http://www.mediawiki.org/xml/export-{_VERSION}"
    head = (
        f'<mediawiki xmlns="{schema}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{schema}/ {schema}.xsd" version="{_VERSION}" xml:lang="eu">\n'
    )
    body = "".join(_page_xml(page, number) for number, page in enumerate(pages(articles), 1))
    return head + _siteinfo() + body + "</mediawiki>\n"


def json_lines(pairs: Iterable[Pair]) -> str:
    """The minimal pairs as text, one per line."""
    return "".join(f"{pair.line()}\n" for pair in pairs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", nargs="?", type=Path, default=DUMP, help="the dump")
    parser.add_argument("--pairs", type=Path, default=PAIRS, help="the minimal pairs")
    parser.add_argument("--treebank", type=Path, default=TREEBANK, help="the treebank's folder")
    given = parser.parse_args()
    articles = write_articles()
    given.output.write_text(dump(articles), encoding="utf-8")
    given.pairs.write_text(json_lines(write_pairs(articles)), encoding="utf-8")
    given.treebank.mkdir(exist_ok=True)
    for split in SPLITS:
        (given.treebank / path_of(split)).write_text(conllu(articles, split), encoding="utf-8")

"""Wikitext to paragraphs, and the fast route checked against a plain one."""

import bz2
import lzma
import re

import mwparserfromhell
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mwparserfromhell.nodes import Comment, ExternalLink, Heading, Tag, Wikilink

from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.scan import hides
from kasu.corpora.wiki.templates import read_templates
from kasu.corpora.wiki.wikitext import MAX_OPENINGS, MISSING, plain_text

NAMES = wiki_names("eu", {6: "Fitxategi", 14: "Kategoria", 0: ""})
BASQUE = read_templates("eu", NAMES, {"t": "", "c": ""})


def paragraphs(wikitext):
    """The paragraphs, with `?` for a hole."""
    found = plain_text(wikitext, BASQUE).paragraphs
    return [paragraph.replace(MISSING, "?") for paragraph in found]


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("[[Alemania]]ko '''hiriburua''' da.", ["Alemaniako hiriburua da."]),
        ("[[Elba (ibaia)|Elba]] ''ibaia'' da.", ["Elba ibaia da."]),
        ("Ura{{erref|{{a|b}}}} da<ref name=x>{{c}}</ref><ref name=y />.", ["Ura da."]),
        ("Bat.<!-- ez\n\nez --> Bi.", ["Bat. Bi."]),
        ("{| class=x\n| gela || {{a\n|}}\n|}\nTestua.", ["Testua."]),
        ("{|\n|\n{|\n| barruan\n|}\n| kanpoan\n|}\nTestua.", ["Testua."]),
        ("[[Fitxategi:a.jpg|thumb|[[Ura]] ''da'']]Testua.", ["Testua."]),
        ("[[File:a.jpg|thumb|bat]]Testua. [[Irudi:b.svg]]", ["Testua. ?"]),
        ("Testua.\n[[Kategoria:Hiriak]]\n[[fr:Ville]]\n[[Category:A]]", ["Testua."]),
        ("[[:Kategoria:Hiriak]] ikusi.", ["Kategoria:Hiriak ikusi."]),
        ("== Izenburua ==\nBat\nbi.\n\nHiru.\n=== B ===", ["Bat bi.", "Hiru."]),
        ("; Ori: mendia.\n; Ur\n: edan\n*; a:b: c", ["Ori", "mendia.", "Ur", "edan", "a", "b: c"]),
        (";[[Wikt:b]]\n; [[A:b|''Ori'']] http://a.eus : da", ["Wikt:b", "Ori ?", "da"]),
        ("* Bat; bi: hiru.", ["Bat; bi: hiru."]),
        (
            "Bat.\n for x\n  do\nBi\n{{t}} da.\n\n if\n end\nHiru",
            ["Bat.", "for x do", "Bi da.", "if end", "Hiru"],
        ),
        ("Bat<br> bi\nhiru.", ["Bat", "bi hiru."]),
        ("===\nBat\n=bi=\n==\n= hiru", ["Bat", "== = hiru"]),
        ("Hau:\n* bat\n** bi\n# hiru\nlau", ["Hau:", "bat", "bi", "hiru", "lau"]),
        ("Bat.\n----\nBi.\n----- Hiru.\n--- a----b", ["Bat.", "Bi.", "Hiru.", "--- a----b"]),
        ("[http://a.eus Webgunea] da, [http://b.eus] ere. http://c.eus", ["Webgunea da, ere. ?"]),
        ("a&nbsp;b &lt;ref&gt; &amp; c", ["a b <ref> & c"]),
        ("H<sub>2</sub>O <math>x^2</math> <span style='a'>da</span>.", ["H2O ? da."]),
        ("Bat.<br />Bi.<div>Hiru.</div>", ["Bat.", "Bi.", "Hiru."]),
        ("__TOC__ Testua. __NOTOC__", ["Testua."]),
        ("<nowiki>a b</nowiki> da.", ["a b da."]),
        ("<gallery>\na.jpg|Bat\n</gallery>Testua.", ["Testua."]),
        ("l'''Italia'' da", ["l'Italia da"]),
        ("ura [''{{lang|la}}'', '''''ur'''''] da", ["ura [?, ur] da"]),
        ("''Bat.<br>Bi.''", ["Bat.", "Bi."]),
    ],
)
def test_visible_text_stays(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("The ''Iliad'' and the ''Odyssey''", "The Iliad and the Odyssey"),
        ("''Ilias'' l'''Odissea''", "Ilias l'Odissea"),
        (": * ''Iliad''", "Iliad"),
        ("''Iliad", "Iliad"),
    ],
)
def test_quotes_are_no_text(wikitext, expected):
    assert paragraphs(wikitext) == [expected]


@pytest.mark.parametrize(
    ("wikitext", "unclosed"),
    [
        ("{{a|b", 1),
        ("{{a|{{b}}", 1),
        ("{|\n| a", 1),
        ("<table><table>a</table>", 1),
        ("a <ref>b", 1),
        ("a <!-- b", 1),
        ("a }} |} --> </ref> b", 0),
        ("{{a|[[b}}", 0),
    ],
)
def test_constructs_that_never_close_are_counted(wikitext, unclosed):
    assert plain_text(wikitext, BASQUE).unclosed == unclosed


@pytest.mark.parametrize(
    "source",
    [
        "a <ref[1]> b",
        "a <foo>c</foo> b",
        "a </ref> b",
        "a [[b",
        "a }} b",
        "| gela || bi",
        "a <foo> b",
        "-{a}-",
        "a __ZER_DA__ b",
    ],
)
def test_a_paragraph_with_markup_left_is_counted_and_dropped(source):
    assert plain_text(f"Bat.\n\n{source}\n\nBi.", BASQUE)[:3] == (["Bat.", "Bi."], 1, 0)


def test_text_that_no_variant_converts_is_shown():
    serbian = read_templates("sr", wiki_names("sr"))
    text = (
        "Ово је -{''Microsoft''}- и -{[[Zeit|die Zeit]]}-.\n\n-{sr-ec:а; sr-el:a}- б.\n\n-{T|а}- б."
    )
    assert plain_text(text, serbian)[:2] == (["Ово је Microsoft и die Zeit."], 2)


def test_a_paragraph_too_expensive_to_parse_is_dropped():
    assert plain_text("<x " * (MAX_OPENINGS + 1), BASQUE)[:3] == ([], 1, 0)


@pytest.mark.parametrize("mark", ["{{a|", "[[a|", "[http://a ", "<b>", "<ref>", "''a'''b ", "<!--"])
def test_ten_thousand_openings_terminate(mark):
    assert plain_text(mark * 10_000, BASQUE).paragraphs in ([], ["a'b " * 9_999 + "a'b"])


WORD = st.sampled_from(
    ["ura", "[[etxe|etxea]]", "'''mendia'''", "[[ibai]]a", "[http://a.eus lana]"]
)
SHOWN = re.compile(r"\[\[(?:\w+\|)?(\w+)\]\]|\[\S+ (\w+)\]|'''")
FRAMES = st.sampled_from(
    ["{{{{t|{}}}}}", "<ref>{{{{c|{}}}}}</ref>", "\n{{|\n| {}\n|}}\n", "[[File:a|{}]]", "<!--{}-->"]
)


def framed(inner):
    return st.builds(lambda frame, parts: frame.format("".join(parts)), FRAMES, inner)


PLAIN = st.lists(st.sampled_from(["bat", "| a = b", "[[c]]", "<br>"]), max_size=3)
HIDDEN = st.recursive(framed(PLAIN), lambda hidden: framed(st.lists(hidden, max_size=3)))
HIDDEN = HIDDEN.filter(lambda text: text.count("<!--") < 2 and text.count("<ref") < 2)


@given(st.lists(st.tuples(WORD, HIDDEN), min_size=1, max_size=6))
@settings(max_examples=150)
def test_hidden_constructs_leave_no_trace(pairs):
    text = plain_text(" ".join(word + junk for word, junk in pairs), BASQUE)
    shown = [SHOWN.sub(r"\1\2", word) for word, _ in pairs]
    assert " ".join(text.paragraphs).split() == shown


@given(st.text(alphabet="{}[]|<>'!-=ref/ \nab", max_size=80))
def test_any_text_ends_without_markup(wikitext):
    for paragraph in plain_text(wikitext, BASQUE).paragraphs:
        assert not re.search(r"\{\{|\}\}|\[\[|\]\]|<ref>", paragraph)


def plain_route(wikitext):
    """The text by one parse of the whole page, to check the fast route."""
    return plain_text("".join(shown(mwparserfromhell.parse(wikitext).nodes)), BASQUE)


def shown(nodes):
    for node in nodes:
        if isinstance(node, Heading):
            yield "\n\n"
        elif isinstance(node, Tag):
            yield from tag(node)
        elif isinstance(node, Wikilink):
            if not hides(NAMES, str(node.title)):
                label = node.text if node.text is not None and node.text.nodes else node.title
                yield "".join(shown(label.nodes)).removeprefix(":")
        elif isinstance(node, ExternalLink):
            if not node.brackets:
                yield str(node)
            elif node.title is not None:
                yield from shown(node.title.nodes)
        elif not isinstance(node, Comment):
            yield str(node)


def tag(node):
    name = str(node.tag).lower()
    if node.wiki_markup in ("*", "#", ":", ";"):
        yield str(node.wiki_markup)
    elif name in ("table", "br", "hr"):
        yield "\n\n"
    elif name not in ("ref", "references", "gallery", "math", "pre", "syntaxhighlight", "source"):
        block = "\n\n" if name in ("div", "center", "p", "blockquote", "li", "ul", "ol") else ""
        contents = node.contents.nodes if node.contents is not None else []
        yield from (block, *shown(contents), block)


def pages(xml):
    for title, text in re.findall(r"<title>(.*?)</title>.*?<text[^>]*>(.*?)</text>", xml, re.S):
        yield (
            title,
            text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", '"')
            .replace("&amp;", "&"),
        )


@pytest.mark.real
@pytest.mark.parametrize(
    ("path", "least"),
    [
        ("ltg/smallwiki-latest-pages-articles.xml.xz", 0.99),
        ("minidumps/eu/wiki.xml.bz2", 0.99),
        ("minidumps/fr/wiki.xml.bz2", 0.99),
        ("minidumps/ka/wiki.xml.bz2", 0.99),
    ],
)
def test_fast_and_plain_route_agree_on_real_pages(mirror, path, least):
    opener = lzma.open if path.endswith("xz") else bz2.open
    xml = opener(mirror / "wikipedia" / path, "rt", encoding="utf-8").read()
    equal = total = 0
    for title, text in pages(xml):
        if ":" not in title and not text.startswith("#"):
            fast = plain_text(text, BASQUE).paragraphs
            plain = plain_route(text).paragraphs
            total += max(len(fast), len(plain))
            equal += sum(paragraph in plain for paragraph in fast)
    assert equal / total >= least

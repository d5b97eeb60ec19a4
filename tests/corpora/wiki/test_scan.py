"""Where constructs begin and end, as MediaWiki's parser has it."""

import pytest

from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.templates import read_templates
from kasu.corpora.wiki.wikitext import plain_text

ENGLISH = read_templates("en", wiki_names("en", {6: "File", 14: "Category"}))


def paragraphs(wikitext):
    return plain_text(wikitext, ENGLISH).paragraphs


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("One<ref>a</ref> two.", ["One two."]),
        ("One<REF\nname=a>b</Ref > two.", ["One two."]),
        ("One<ref name=a/> two.<ref\tname=b />", ["One two."]),
        ("One<ref/> two.", ["One two."]),
        # An extension's tag ends at the first ">", also in quotes
        ('One<ref name="a>b">c</ref> two.', ["One two."]),
        ('One<ref name="<b>">c</ref> two.', ["One two."]),
        ('One<ref name="a/>b"/> two.', ['Oneb"/> two.']),
        # The name must end; else it is text, and its paragraph is left out
        ("One<ref[a]/ref> two.\n\nThree.<ref>a</ref> Four.", ["Three. Four."]),
        ("One<refs>a</ref> two.\n\nThree.", ["Three."]),
        ("One<ref/a>b</ref> two.\n\nThree.", ["Three."]),
        ("One<span[a]>b</span> two.\n\nThree.", ["Three."]),
        ("One<b2>b</b2> two.\n\nThree.", ["Three."]),
        ("Two < three <ref", ["Two < three <ref"]),
        # Tags of HTML
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です。", ["漢字です。"]),
        ("O<rt>a<b>b</b></rt>ne <rt>two.", ["Oabne two."]),
        (
            "One<span style='color:red; Display: none'>a</span> t<b\nstyle=display:none>b</b >wo.",
            ["One two."],
        ),
        (
            "<div style='display:none;'>a</div>One<span style='display:nonesuch'>b</span>.",
            ["Oneb."],
        ),
        ("One<br/>two<BR />three", ["One", "two", "three"]),
        ("O<span\nclass='a'>n</span>e<b/>.", ["One."]),
        ("One<small/x>two</small>.", ["Onetwo."]),
        ("One<table a=b><tr><td>a</table>two <table/>three</table >.", ["One", "two three."]),
        ("<table>a<TABLE>b</table><td>c</td>{|\n|}</table>One.", ["One."]),
        ("<table><!-- </table> --><ref></table></ref>a</table>One.", ["One."]),
        ("{{cn|<table>}}One</table>.", ["One."]),
    ],
)
def test_tags(wikitext, expected):
    found = plain_text(wikitext, ENGLISH)
    assert (found.paragraphs, found.unclosed) == (expected, 0)


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("a <nowiki>[[b]] {{c}} ''d'' <ref></nowiki> e", ["a [[b]] {{c}} ''d'' <ref> e"]),
        ("<nowiki>* a\nb</nowiki> &amp; <nowiki>&lt;</nowiki>", ["* a b & <"]),
        ("[[House]]<nowiki/>s", ["Houses"]),
        ("<nowiki>__NOTOC__</nowiki> a", ["__NOTOC__ a"]),
    ],
)
def test_nowiki_is_text(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("[[File:a.jpg|thumb|From [http://a.org here]]]One.", ["One."]),
        ("[[File:a.jpg|thumb|See [[a]] and [http://a.org here]]]One.", ["One."]),
        ("[[File:a.jpg|thumb|A [b] c]]One.", ["One."]),
        ("[[File:a.jpg|thumb|A [b]]]One.", ["One."]),
        ("[[File:a.jpg|thumb|[[a|b]]]]One.", ["One."]),
        ("[[File:a.jpg|thumb|[[a|b [c]]]]]One.", ["One."]),
        ("The [[House|house [b]]] is.", ["The house [b] is."]),
        ("[[[House]]] is.", ["[House] is."]),
    ],
)
def test_three_brackets_at_the_end_of_a_link(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("One\n<!-- a -->\ntwo.", ["One two."]),
        ("One <!-- a --> two.<!-- b", []),
        ("<!-- a -->\n* One", ["One"]),
        ("A {{small|{b}}} c.", ["A {b} c."]),
        ("A {{small|b{{small|c}}}} d.", ["A bc d."]),
        ("A {{{{cn}}small|b}} c.", ["A b c."]),
        ("A __NOINDEX__ b __init__ c.", ["A b __init__ c."]),
    ],
)
def test_comments_braces_and_switches(wikitext, expected):
    found = plain_text(wikitext, ENGLISH)
    assert (found.paragraphs if not found.unclosed else []) == expected

"""What a reader sees but nobody knows the text of, and what is left beside things cut."""

import re

import pytest

from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.templates import read_templates
from kasu.corpora.wiki.wikitext import MISSING, plain_text

NAMES = wiki_names("eu", {6: "Fitxategi", 14: "Kategoria", 0: ""})
BASQUE = read_templates("eu", NAMES, {"t": ""})


def paragraphs(wikitext):
    """The paragraphs, with `?` for a hole."""
    found = plain_text(wikitext, BASQUE).paragraphs
    return [paragraph.replace(MISSING, "?") for paragraph in found]


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("{{Mendi infotaula\n| izena = Ori\n}}Ori mendia da.", ["Ori mendia da."]),
        ("Bat da.\n{{zer}}\nBi dira.", ["Bat da.", "Bi dira."]),
        ("Mendiak:\n{{zer}}\nBi dira.", ["Mendiak:", "Bi dira."]),
        ("{{zer|a}} {{zer|b}}\n'''Ori''' mendia da.", ["Ori mendia da."]),
        ("{{zer}}{{mota\n|a}}Ori da.", ["Ori da."]),
        ("* {{liburua|a}}\n* Bat {{liburua|b}}\n:{{liburua|c}}", ["Bat ?"]),
        ("* {{liburua\n|a\n}} Bat", ["? Bat"]),
        ("== {{zer}} ==\nBat da.", ["Bat da."]),
    ],
)
def test_what_stands_on_lines_of_its_own_is_no_hole(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Mendi\n{{zer}}\nhandia da.", ["Mendi ? handia da."]),
        ("Mendi,\n{{zer}}\n{{t}}\nOri, da.", ["Mendi, ? Ori, da."]),
        ("Mendi {{zer}}\n{{zer}}\nOri da.", ["Mendi ? ? Ori da."]),
        ("{{zer}}\nhandia da.", ["? handia da."]),
        ("Mendi\n{{t}}\nhandia da.", ["Mendi handia da."]),
        ("Mendi\n<!-- a -->\nhandia da.", ["Mendi handia da."]),
        ("Mendiak\n{{t}}\nBi dira.", ["Mendiak", "Bi dira."]),
        ("Mendi\n\n{{zer}}\n\nhandia da.", ["Mendi", "handia da."]),
    ],
)
def test_a_sentence_goes_on_after_a_line_of_its_own(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Bat da.{{zer}} Bi dira.{{zer}}", ["Bat da. Bi dira."]),
        ("«Bat da!»{{zer}}{{zer}} Bi.", ["«Bat da!» Bi."]),
        ("Ura da.<ref>a</ref>{{zer}}", ["Ura da."]),
        ("山です。{{zer}} 川", ["山です。 川"]),
        ("K. a.{{zer}} Bat. Bat da. {{zer}} da.", ["K. a.? Bat. Bat da. ? da."]),
        ("Bat zen.{{zer}} bat. Bat da.{{zer}}Bi.", ["Bat zen.? bat. Bat da.?Bi."]),
        ("1990.{{zer}} Urtea.", ["1990.? Urtea."]),
    ],
)
def test_right_after_the_end_of_a_sentence_stands_a_note(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Bat {{zer|{{w|Ori}}}} da.", ["Bat ? da."]),
        ("Bat {{nowrap|a {{zer}} b}} da.", ["Bat a ? b da."]),
        ("Bat {{nowrap|a {{small|{{lang|fr|b}}}}}} da.", ["Bat a b da."]),
        ("Bat {{lang|{{zer}}|b}} da.", ["Bat b da."]),
        ("Bat {{ {{zer}}|b}} da.", ["Bat ? da."]),
        ("Bat {{{1|b}}} eta {{{{w|a}}|b}} da.", ["Bat ? eta ? da."]),
        ("[[Ori|Ori {{zer}}]] da, [[Ori|{{w|Mendi}}]] ere.", ["Ori ? da, Mendi ere."]),
        ("[[{{zer}}]] da.", ["? da."]),
        ("{|\n| {{zer}}\n|}\nBat {{zer|\n{|\n| a\n|}\n}} da.", ["Bat ? da."]),
        ("Bat {{#if:a|{{w|b}}}}, {{lc:{{w|Ñ}}}} da.", ["Bat ?, ñ da."]),
        ("Bat{{#tag:ref|a}} eta {{#tag:math|a}} da.", ["Bat eta ? da."]),
    ],
)
def test_templates_in_templates_and_links(wikitext, expected):
    assert paragraphs(wikitext) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Bat <chem>H2</chem> eta <score>c</score> da.", ["Bat ? eta ? da."]),
        ("<math>x</math> da. <syntaxhighlight inline>x</syntaxhighlight>", ["? da. ?"]),
        ("Hizkia [[Fitxategi:a.svg|20px]] da.", ["Hizkia ? da."]),
        ("Hizkia [[Fitxategi:a.svg|alt=a]] da.", ["Hizkia ? da."]),
        ("Hizkia [[Fitxategi:a.svg|x30px|Oharra]] da.", ["Hizkia ? da."]),
        ("Hau [[Fitxategi:a.jpg|left|200px]] da.", ["Hau da."]),
        ("Hau [[Fitxategi:a.jpg|thumb|Oharra]] da.", ["Hau da."]),
        ("* [[Fitxategi:a.svg|20px]] Kuba\n[[Fitxategi:b.svg|9px]] Ori", ["Kuba", "Ori"]),
        ("[[Irudia:c.svg|mini|Bat]]Ori. [[Media:a.ogg|Entzun]].", ["Ori. Entzun."]),
        ("Bat<gallery>\na.jpg\n</gallery>Bi<pre>x</pre>Hiru", ["Bat", "Bi", "Hiru"]),
    ],
)
def test_formulas_and_images_in_a_line_are_holes(wikitext, expected):
    assert paragraphs(wikitext) == expected


def test_holes_are_named_in_the_order_of_the_text():
    text = "{{zer}}\n\nBat {{bi_bi|a}} <math>x</math> {{#if:a|b}} [[File:a.png|9px]] {{zer}} da."
    assert plain_text(text, BASQUE).holes == ["Bi bi", "<math>", "#if:", "[[…]]", "Zer"]


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Ori ({{t|oɾi}}) mendia da.", ["Ori mendia da."]),
        ("Ori ({{t|a}}; {{t|b}}, {{lang|fr|Orhy}}) da.", ["Ori (Orhy) da."]),
        ("Ori ({{lang|fr|Orhy}}, {{t|a}}) da [{{t}}].", ["Ori (Orhy) da."]),
        ("山（{{t|a}}）は", ["山は"]),
        ("Ori, {{t}}, da {{t}}.", ["Ori, da."]),
        ("Bat {{t}}, bi {{t}}{{t}},{{t}} hiru, {{t}}.", ["Bat, bi, hiru."]),
        ("Bat {{t}},{{t}},{{t}} bi", ["Bat, bi"]),
        ("f() eta ( ) da {{t}} hau.", ["f() eta ( ) da hau."]),
        ("Ori,{{t}}. Bat ;{{t}} bi", ["Ori. Bat ; bi"]),
        ("Ori ({{argitu}}) da.", ["Ori da."]),
        ("Bat (''{{t}}'') da [{{zer}}].", ["Bat da [?]."]),
        (
            "Ori [http://a.eus]. Ori ([http://a.eus]) da, [http://a.eus], bat.",
            ["Ori. Ori da, bat."],
        ),
        ("Ori [http://a.eus] [http://b.eus], (a, ''[http://a.eus]'') da.", ["Ori, (a) da."]),
        ("Ori <ref>a</ref> <ref>b</ref>.", ["Ori."]),
    ],
)
def test_brackets_and_commas_with_nothing_left_go(wikitext, expected):
    assert paragraphs(wikitext) == expected


def test_brackets_with_nothing_left_are_counted():
    found = plain_text("Bat ({{t}}) da (<ref>a</ref>), f().", BASQUE)
    assert (found.brackets, found.asides) == (2, 0)


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("''Ori'' ({{zer|a}}; [[1900|1900.]]) mendia da.", ["Ori mendia da."]),
        ("Ori ({{zer}}), mendia (bat) da ({{zer}}).", ["Ori, mendia (bat) da."]),
        ("Ori (a ({{zer}}) b) da (a (b) {{zer}}) (c).", ["Ori (a b) da (c)."]),
        ("山（{{zer}}、a）は（b）川", ["山は（b）川"]),
        ("({{zer}}) Ori da. (Ikus {{zer}}.) Bat da.", ["Ori da. Bat da."]),
        ("Ori ([[Fitxategi:a.svg|9px]] a) da (http://a.eus).", ["Ori da."]),
        ("Ori ({{t}}; {{zer}}) da{{t}} ({{zer}}) eta.", ["Ori da eta."]),
        # In a word, with formulas, or where more than an aside can stand
        ("f({{zer}}) da (a {{zer}})z.", ["f(?) da (a ?)z."]),
        ("Bikotea (<math>0</math>, {{zer}}) da (a (<math>b</math>) {{zer}}).", None),
        ("Hauek: ({{zer}}) eta a, ({{zer}}).", ["Hauek: (?) eta a, (?)."]),
        ("a) Ori {{zer}} (b {{zer}} da. （c {{zer}}) d）", None),
    ],
)
def test_an_aside_with_text_missing_goes(wikitext, expected):
    if expected is None:
        expected = [re.sub("<math>.*?</math>|{{.*?}}", "?", wikitext)]
    assert paragraphs(wikitext) == expected


def test_asides_are_counted_and_their_holes_are_not():
    found = plain_text("Bat ({{zer}} (a {{zer}})) da (b {{zer}}) {{bi}}.", BASQUE)
    assert (found.paragraphs, found.asides) == ([f"Bat da {MISSING}."], 2)
    assert found.holes == ["Bi"]


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Masa hau da\n:<math>m</math>\nBat da.", ["Masa hau da ?", "Bat da."]),
        ("Masa hau da:\n\n:<math>m</math>.\n\nBat da.", ["Masa hau da: ?.", "Bat da."]),
        ("Masa da\n<math>m</math>\n\nnon m", ["Masa da ? non m"]),
        ("Masa,\n:<math>a</math>,\n:<math>b</math>\n''eta'' da.", ["Masa, ?, ? eta da."]),
        ("Bat da.\n:<math>m</math>\nnon m masa da.", ["Bat da.", "? non m masa da."]),
        ("Bat da.\n:<math>m</math>\nBi dira.", ["Bat da.", "Bi dira."]),
        ("Bat:\n<score>c</score>", ["Bat: ?"]),
        ("* Bat\n== Bi ==\n:<math>m</math>\nHiru.", ["Bat", "Hiru."]),
        ("<math>m</math>\n\nBat da.", ["Bat da."]),
        ("Bat\n:{{zer}}\nBi dira.", ["Bat", "Bi dira."]),
    ],
)
def test_a_formula_on_a_line_of_its_own_belongs_to_its_sentence(wikitext, expected):
    assert paragraphs(wikitext) == expected

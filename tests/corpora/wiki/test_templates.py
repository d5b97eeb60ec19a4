"""What templates and functions show, by the rules of a table and of a config."""

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.templates import TABLE, normal_name, parse_rule, read_templates
from kasu.files.tables import read_tsv


def shown(call, language="fr", title="Titre", **rules):
    templates = read_templates(language, wiki_names(language, {10: "Modèle"}), rules)
    found = templates.find(call)
    return None if found.rule is None else templates.fill(found, call, title)


@pytest.mark.parametrize(
    ("pattern", "call", "expected"),
    [
        ("", "x|a", ""),
        ("mot", "x", "mot"),
        ("{1}", "x|a|b", "a"),
        ("{1}", "x", None),
        ("{1}", "x|", None),
        ("{3|2}", "x|a|b", "b"),
        ("{3|2}", "x|a|b|c", "c"),
        ("{nom|1}", "x|a| nom = b ", "b"),
        ("{2|}.", "x|a", "."),
        ('{1}{2|"e"}', "x|V", "Ve"),
        ('{1}{2|"e"}', "x|I|er", "Ier"),
        ("{1}{ 2|}", "x|a|b", "a b"),
        ("{1}{ 2|}", "x|a", "a"),
        ("{1}{!2}", "x|a|b", None),
        ("{1}{!2}", "x|a|", "a"),
        ("{1}", "x|[[a|b]]|c", "[[a|b]]"),
        ("{1}", "x|a |b", "a "),
        ("{1}", "x|1=a=b", "a&#61;b"),
        ("{1}", "x|[[a=b]]", "[[a&#61;b]]"),
        ("{2}", "x|k=v|a|b", "b"),
        ("{1}", "x|a|1=b", "b"),
        ("{1:upper}{1:lower}{1:upper first}{1:lower first}", "x|éA", "ÉAéaÉAéA"),
        ("{1:quantity} m", "x|2500", "2 500 m"),
        ("{1:quantity} m", "x|haut", None),
        ("{:title}", "x", "Titre"),
    ],
)
def test_patterns(pattern, call, expected):
    assert shown(call, x=pattern) == expected


@pytest.mark.parametrize(
    "call", ["Mon_mot|a", "mon mot|a", " Mon  mot |a", "Modèle:mon mot|a", "template: mon_mot|a"]
)
def test_names_are_compared_as_mediawiki_does(call):
    assert shown(call, **{"mon mot": "{1}"}) == "a"


def test_other_names_are_other_templates():
    assert shown("Mon Mot|a", **{"mon mot": "{1}"}) is None
    assert shown("Autre:mon mot|a", **{"mon mot": "{1}"}) is None


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("lc:ÉTÉ", "été"),
        ("UC: été", " ÉTÉ"),
        ("ucfirst:été", "Été"),
        ("lcfirst:ÉTÉ", "éTÉ"),
        ("formatnum:12345.5", "12 345,5"),
        ("formatnum:12 345|R", None),
        ("formatnum:beaucoup", None),
        ("PAGENAME", "Titre"),
        ("NOMPAGE", "Titre"),
        ("DEFAULTSORT:Été", ""),
        ("!", "&#124;"),
        ("=", "&#61;"),
        ("#if:a|b|c", None),
        ("CURRENTYEAR", None),
        ("lc|ÉTÉ", None),
        ("PAGENAME|ÉTÉ", None),
        ("#tag:ref|a", ""),
    ],
)
def test_functions_and_variables(call, expected):
    assert shown(call) == expected


@pytest.mark.parametrize(
    ("language", "call", "expected"),
    [
        ("en", "lang|la|ius", "ius"),
        ("en", "lang-pl|dom", "Polish: dom"),
        ("en", "lang-pl|dom|translation=a", None),
        ("en", "as of|1999|lc=y", None),
        ("en", "USS|Missouri|BB-63", None),
        ("en", "((", "&#123;&#123;"),
        ("en", "clarify|date=May 2001|reason=a", ""),
        ("en", "clarify|text=word", None),
        ("en", "citation needed span|a word|date=May 2001", "a word"),
        ("en", "visible anchor|a|b|text=c", "c"),
        ("en", "transl|ar|ALA|kitāb", "kitāb"),
        ("en", "Chem|H|2|O", "H2O"),
        ("en", "coord|1|N|2|W|display=title", ""),
        ("en", "coord|1|N|2|W|display=inline,title", None),
        ("en", "coord|1|N|2|W", None),
        ("en", "flag|Peru|1825", None),
        ("en", "IPA|[ti]", None),
        ("it", "cn|parola|data=2001", "parola"),
        ("sv", "när|ord", None),
        ("sv", "när", ""),
        ("fr", "formatnum|4500", "4 500"),
        ("ka", "lang|la|ius", "ius"),
        ("ka", "convert|5|km", None),
        ("fr", "lang|de|texte=Wort", "Wort"),
        ("fr", "unité|4500|km|2", "4 500 km2"),
        ("fr", "unité|4|km|h|-1", None),
        ("fr", "date|3|juin|1870", "3 juin 1870"),
        ("fr", "s-|XV", "XVe siècle"),
        ("fr", "1er", "1er"),
        ("fr", "1er|mai", "1er mai"),
        ("fr", "1er|mai|2001", None),
        ("fr", "n°|5", "no 5"),
        ("fr", "e", "e"),
        ("fr", "e|siècle", None),
        ("ru", "lang-de|Wort", "нем. Wort"),
        ("de", '"|Wort', "„Wort“"),
        ("de", '"|Wort|Quelle', None),
        ("de", "Coordinate|article=DMS|NS=1|EW=2", ""),
        ("de", "Coordinate|text=DMS|NS=1|EW=2", None),
        ("es", "coord|1|2", None),
        ("eu", "koord|1|2|display=Title", ""),
        ("eu", "koord|1|2", None),
        ("eu", "erreferentzia behar|data=2020", ""),
    ],
)
def test_the_table_has_the_commonest_templates(language, call, expected):
    assert shown(call, language) == expected


def test_a_config_comes_before_the_table():
    assert shown("unité|4|km", unité="{1}{2}") == "4km"
    assert shown("unité|4|km", unité=None) is None


@pytest.mark.parametrize("pattern", ["{", "{1", "a}", "{}", "{1:loud}", "{|a}", "{{1}}"])
def test_a_rule_that_is_no_pattern_is_one_line(pattern):
    with pytest.raises(KasuError) as error:
        shown("x", x=pattern)
    assert str(error.value) == (
        f"template 'x': {pattern!r}; expected text with arguments in braces, such as {{1}} or "
        "{text|2}"
    )


def test_no_wiki_has_two_rules_for_a_name():
    seen = set()
    for row in read_tsv(TABLE, ("wiki", "names", "shown")):
        parse_rule(row["shown"])
        for wiki in row["wiki"].split("|"):
            for name in map(normal_name, row["names"].split("|")):
                assert (wiki, name) not in seen
                seen.add((wiki, name))

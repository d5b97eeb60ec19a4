"""Names of namespaces, redirects, behaviour switches and parser functions in many languages."""

import logging
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.corpora.wiki import names as module
from kasu.corpora.wiki.names import COLUMNS, TABLE, key, wiki_names
from kasu.files.tables import read_tsv

ROWS = read_tsv(TABLE, COLUMNS)
CODES = {row["language"] for row in ROWS}
LINKED = next(row["names"].split("|") for row in ROWS if row["kind"] == "languages")


@pytest.mark.parametrize(
    ("language", "target"),
    [
        ("ar", "تصنيف:أنهار"),
        ("ar", "صورة:جسر.jpg"),
        ("az", "Şəkil:Körpü.jpg"),
        ("el", "Κατηγορία:Ποτάμια"),
        ("es", "Imagen:Puente.png"),
        ("eu", "Irudi:Zubia.jpg"),
        ("fr", "Image:Pont.jpg"),
        ("he", "קטגוריה:נהרות"),
        ("hi", "श्रेणी:नदियाँ"),
        ("ka", "კატეგორია:მდინარეები"),
        ("ka", "სურათი:ხიდი.jpg"),
        ("no", "Bilde:Bru.jpg"),
        ("ru", "Изображение:Мост.jpg"),
        ("sr", "Категорија:Реке"),
        ("sr", "Kategorija:Reke"),
        ("sr", "Slika:Most.jpg"),
        ("tr", "Resim:Köprü.jpg"),
        ("vls", "Afbeelding:Brugge.jpg"),
        ("zh", "图像:桥.jpg"),
        ("zh", "檔案:橋.jpg"),
        ("de", "File:Brücke.jpg"),
        ("de", "Category:Flüsse"),
    ],
)
def test_categories_and_files_are_hidden_by_every_name(language, target):
    names = wiki_names(language)
    assert names.hides(target)
    assert not names.hides(":" + target)


@pytest.mark.parametrize(
    "target",
    (
        "kategorie:Fluss",
        "KATEGORIE:Fluss",
        " Kategorie : Fluss",
        "_Kategorie__:Fluss",
        "\u200eKategorie:Fluss",
        "Kategorie\xa0:Fluss",
        "Kategorie&#58;Fluss",
        "K%61tegorie:Fluss",
    ),
)
def test_prefixes_compare_as_in_mediawiki(target):
    assert wiki_names("de").hides(target)


@pytest.mark.parametrize("target", ["Thể_loại:Sông", "thể  loại:Sông", "THỂ LOẠI : Sông"])
def test_a_blank_in_a_name_is_an_underscore(target):
    assert wiki_names("vi").hides(target)
    assert not wiki_names("vi").hides("Thểloại:Sông")


def test_turkish_letters_have_no_lower_case_of_their_own_in_names():
    # MediaWiki lower-cases names by Unicode in all languages: İ is i with a dot above
    names = wiki_names("tr")
    assert names.hides("KATEGORI:Nehirler")
    assert not names.hides("KATEGORİ:Nehirler")


@pytest.mark.parametrize(
    "target",
    [
        "de:Fluss",
        "fr:",
        "DE:Fluss",
        "be-x-old:Рака",
        "zh-min-nan:Hô",
        "simple:River",
        "nb:Elv",
        "zh-yue:河",
        "pt-br:Rio",
        "roa-rup:Arâu",
        "als:Fluss",
        "gsw:Fluss",
    ],
)
def test_the_same_page_in_another_language_is_hidden(target):
    assert wiki_names("eu").hides(target)
    assert not wiki_names("eu").hides(":" + target)


@pytest.mark.parametrize(
    "target",
    (
        "wikt:river",
        "s:Ode to a River",
        "commons:File:River.jpg",
        "q:Rivers",
        "arxiv:1706.03762",
        "pmid:123",
        "w:River",
        "m:Help",
        "species:Salmo",
        "d:Q4022",
        "wp:River",
        "cz:Řeka",
        "Media:A.ogg",
        "%C3:River",
        "River",
        ":River",
        "",
        ":",
        "2001: A Space Odyssey",
        "MOS:COMMA",
        "Luz: A Film",
        "De",
        "Category",
        "Cate gory:Rivers",
    ),
)
def test_other_links_show_their_label(target):
    assert not wiki_names("en").hides(target)


def test_links_to_the_wiki_itself_are_shown():
    names = wiki_names("eu", site_language="eu", prefix="eu")
    assert not names.hides("eu:Ibai")
    assert not names.hides("eu:Kategoria:Ibaiak")
    assert names.hides("fr:Rivière")


def test_simple_english_links_to_english_are_hidden():
    names = wiki_names("en", site_language="en", prefix="simple")
    assert names.hides("en:River")
    assert not names.hides("simple:River")


def test_the_address_of_a_dump_in_another_language_says_nothing():
    assert wiki_names("ka", site_language="en", prefix="en").hides("en:River")


@pytest.mark.parametrize("written", [("gsw", "als"), ("nb", "no"), ("be-tarask", "be-x-old")])
def test_two_codes_of_one_language_agree(written):
    code, prefix = written
    assert not wiki_names(prefix, site_language=code, prefix=prefix).hides(f"{prefix}:X")


def test_names_of_both_languages_count_if_dump_and_config_differ():
    names = wiki_names("ka", {6: "File", 14: "Category"}, site_language="fr")
    assert [names.hides(f"{name}:A") for name in ("კატეგორია", "Catégorie", "Fichier")] == [
        True
    ] * 3
    assert not names.hides("Kategorie:A")


def test_names_of_the_dump_are_right():
    names = wiki_names("eu", {0: "", 4: "De", 100: "Irudi", 14: "Saila"})
    assert not names.hides("de:Ibaiak")
    assert not names.hides("Irudi:Ibaiak")
    assert names.hides("saila:Ibaiak")
    assert names.hides("Kategoria:Ibaiak")


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("River", "River"),
        (":de:Fluss", "de:Fluss"),
        (" :Category:Rivers", "Category:Rivers"),
        ("wikt:river", "wikt:river"),
        ("Caf%C3%A9", "Café"),
        ("100%", "100%"),
        ("%C3", "%C3"),
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("a_b", "a_b"),
        ("::x", ":x"),
    ],
)
def test_a_link_without_label_shows_its_target(target, shown):
    assert wiki_names("en").shown(target) == shown


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("ar", "__لاتحريرقسم__"),
        ("de", "__KEIN_INHALTSVERZEICHNIS__"),
        ("es", "__SIN_TDC__"),
        ("he", "__ללא_תוכן_עניינים__"),
        ("hi", "__विषय_सूची_हीन__"),
        ("ja", "＿＿目次非表示＿＿"),
        ("ru", "__БЕЗ_ОГЛАВЛЕНИЯ__"),
        ("sr", "__BEZ_SADRŽAJA__"),
        ("sr", "__БЕЗ_САДРЖАЈА__"),
        ("tr", "__İÇİNDEKİLERYOK__"),
        ("zh", "__无目录__"),
        ("zh", "__無目錄__"),
        ("fr", "__NOTOC__"),
        ("fr", "__notoc__"),
        ("de", "__keininhaltsverzeichnis__"),
        ("en", "__EXPECTED_UNCONNECTED_PAGE__"),
    ],
)
def test_switches_in_english_and_the_language_of_the_wiki(language, word):
    assert wiki_names(language).switches.sub("", f"a{word}b") == "ab"


@pytest.mark.parametrize("word", ["__init__", "__NOTHING__", "__index__", "NOTOC", "__OHNEINDEX__"])
def test_what_is_no_switch_stays(word):
    assert not wiki_names("fr").switches.search(word)


def test_longer_switches_come_first():
    assert wiki_names("sv").switches.sub("", "a__INTEINDEXERA__b") == "ab"


@pytest.mark.parametrize(
    "wikitext",
    [
        "#REDIRECT [[River]]",
        "#redirect[[River]]",
        "\n #Redirect : [[River#Mouth|the mouth]] {{R to section}}",
        "#BIRZUZENDU [[Ibai]]",
        "#पुनर्प्रेषित [[नदी]]",
        "#رجوع_مکرر[[دریا]]",
        "#تحويل: [[نهر]]",
        "#הפניה [[נהר]]",
        "#გადამისამართება [[მდინარე]]",
        "#PREUSMERI [[Reka]]",
        "#重定向 [[河流]]",
        "#重新導向 [[河流]]",
        "#yönlendirme [[Nehir]]",
        "＃転送 [[川]]",
    ],
)
@pytest.mark.parametrize("language", ["eu", "zh", "xyz"])
def test_redirects_in_any_language(language, wikitext):
    assert wiki_names(language).redirect.match(wikitext)


@pytest.mark.parametrize(
    "wikitext",
    (
        "# [[River]]",
        "#First [[River]]",
        "#REDIRECT River",
        "#REDIRECT [[River",
        "REDIRECT [[River]]",
        "A\n#REDIRECT [[River]]",
        "#REDIRECT [[]]",
        "#REDIRECT [[a\nb]]",
        "#REDIRECT: see [[River]]",
    ),
)
def test_what_is_no_redirect(wikitext):
    assert not wiki_names("en").redirect.match(wikitext)


@pytest.mark.parametrize(
    ("language", "name", "english"),
    [
        ("eu", "formatnum", "formatnum"),
        ("fr", "FORMATNUM", "formatnum"),
        ("fr", "CLEDETRI", "defaultsort"),
        ("fr", "cledetri", None),
        ("ru", "#если", "if"),
        ("ar", "#لو", "if"),
        ("he", "#תנאי", "if"),
        ("es", "NOMBREDEPAGINA", "pagename"),
        ("de", "SEITENNAME", "pagename"),
        ("de", "Seitenname", None),
        ("de", "#IF", "if"),
        ("de", "if", None),
        ("de", "!", "!"),
        ("sv", "SEITENNAME", None),
    ],
)
def test_functions_have_an_english_name(language, name, english):
    assert wiki_names(language).function(name) == english


@pytest.mark.parametrize(
    ("language", "name"),
    [("eu", "txantiloi"), ("zh", "模板"), ("tr", "şablon"), ("hi", "साँचा"), ("ka", "template")],
)
def test_names_of_templates(language, name):
    assert name in wiki_names(language).template_prefixes


def test_the_namespace_of_a_title():
    names = wiki_names("sr", {0: "", 1: "Разговор", 10: "Шаблон"})
    titles = ["Река", "Разговор:Река", "Шаблон:Река", "Slika:Река.jpg", "Река: филм", ":Шаблон:А"]
    assert [names.number_of(title) for title in titles] == [0, 1, 10, 6, 0, 0]


@pytest.mark.parametrize("languages", [("xyz", ""), ("xyz", "qqq")])
def test_a_wiki_in_an_unknown_language_has_english_names(caplog, languages):
    names = wiki_names(languages[0], {14: "Zork"}, site_language=languages[1])
    assert [names.hides(f"{name}:A") for name in ("zork", "category", "de", "Kategorie")] == (
        [True, True, True, False]
    )
    assert [record.message for record in caplog.records] == [
        "MediaWiki has no names in 'xyz': only English ones count"
    ]


@pytest.mark.parametrize("code", ["eu", "EU", "simple", "aa", "zh-classical", "sr-Latn-RS"])
def test_no_word_about_known_languages(caplog, code):
    caplog.set_level(logging.INFO)
    wiki_names(code)
    wiki_names("xyz", site_language=code)
    assert not caplog.records


def test_workers_can_be_given_names():
    names = wiki_names("ka")
    assert pickle.loads(pickle.dumps(names)) == names


@given(
    st.sampled_from(sorted(CODES - {""})), st.sampled_from([" ", "_", "__ ", "\u3000", "\u200f"])
)
def test_blanks_around_names_and_case_never_matter(language, blank):
    names = wiki_names(language)
    for name in names.hidden:
        assert names.hides(f"{blank}{name.replace(' ', '_')}{blank}:A")
        assert key(key(name)) == name
        assert not names.hides(f":{name}:A")


def test_the_table_is_sorted_and_says_everything_once():
    rows = [[row[column] for column in COLUMNS] for row in ROWS]
    assert rows == sorted(rows)
    places = [row[:3] for row in rows]
    assert len(places) == len({tuple(place) for place in places})
    for row in rows:
        names = row[4].split("|")
        assert all(names)
        assert len(names) == len(set(names))


def test_the_table_has_the_kinds_and_words_that_are_read():
    assert {row["kind"] for row in ROWS} == {
        *(
            "code",
            "fallback",
            "function",
            "languages",
            "namespace",
            "redirect",
            "switch",
            "variants",
        )
    }
    assert {row["case"] for row in ROWS} == {"", "case"}
    namespaces = {row["word"] for row in ROWS if row["kind"] == "namespace"}
    assert namespaces == {"-2", "6", "10", "14"}


def test_every_code_that_stands_for_another_leads_to_names():
    for row in ROWS:
        if row["kind"] in {"code", "fallback", "variants"}:
            assert set(row["names"].split("|")) <= CODES
    for code in LINKED:
        assert module._resolve(code)


def test_english_has_every_word():
    english = {row["word"] for row in ROWS if row["language"] == "en"}
    for row in ROWS:
        assert (
            row["kind"] in {"code", "fallback", "languages", "variants"} or row["word"] in english
        )

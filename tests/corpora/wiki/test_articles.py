"""Articles of a dump to sentences, with counts and drops."""

import bz2
import shutil

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.wiki import dump as dump_module
from kasu.corpora.wiki.articles import extract_articles
from kasu.files.tables import read_parquet, read_tsv

HEADER = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="eu">\n'
    "<siteinfo><namespaces>"
    '<namespace key="0" /><namespace key="6">Fitxategi</namespace>'
    '<namespace key="14">Kategoria</namespace>'
    "</namespaces></siteinfo>\n"
)
END = "</mediawiki>\n"
PATTERNS = {"asteroid": r"^[^.]*\basteroide", "year": r"^\d+\. urtea"}


def page(number, title, text, namespace=0, redirect=""):
    return (
        f"<page><title>{title}</title><ns>{namespace}</ns><id>{number}</id>{redirect}"
        f"<revision><id>9</id><text>{text}</text></revision></page>\n"
    )


PAGES = [
    page(1, "Ura", "'''Ura''' [[likido]]a da.{{erref}} XX. mendean ere bai.\n\n== A ==\n* Bat da."),
    page(2, "Kategoria:Ura", "Ez.", namespace=14),
    page(3, "Ur", "#BIRZUZENDU [[Ura]]", redirect='<redirect title="Ura" />'),
    page(4, "Uretan", "#birzuzendu [[Ura]]"),
    page(5, "2004 XR", "2004 XR ASTEROIDE bat da. Txikia da."),
    page(6, "Hautsia", "Hau {{ez da ixten."),
    page(7, "Hutsa", "{{txantiloia}}"),
    page(8, "Sua", "Sua [[Fitxategi:a.jpg|thumb|ez]]beroa da. ...\n\na || b"),
]


@pytest.fixture
def out(tmp_path):
    """The paths of sentences, counts and drops."""
    return [tmp_path / "out" / name for name in ("sentences.parquet", "counts.tsv", "drops.tsv")]


def write(path, *pages):
    path.write_text(HEADER + "".join(pages) + END)
    return path


def extract(dump, out, **options):
    options = {"source": "euwiki", "language": "eu", "patterns": PATTERNS} | options
    extract_articles(dump, *out, **options)
    return read_parquet(out[0]).to_pylist()


def fails(dump, out, **options):
    with pytest.raises(KasuError) as error:
        extract(dump, out, **options)
    assert not out[0].parent.exists() or list(out[0].parent.iterdir()) == []
    return str(error.value).replace(str(dump), "DUMP")


def table(path, key):
    return {row[key]: int(row["count"]) for row in read_tsv(path)}


def test_articles_become_sentences(tmp_path, out):
    rows = extract(write(tmp_path / "a.xml", *PAGES), out)
    assert [(row["sentence_id"], row["article"], row["text"]) for row in rows] == [
        ("euwiki:1:1", "Ura", "Ura likidoa da."),
        ("euwiki:1:2", "Ura", "XX. mendean ere bai."),
        ("euwiki:1:3", "Ura", "Bat da."),
        ("euwiki:8:1", "Sua", "Sua beroa da."),
    ]


def test_steps_and_drops_are_counted(tmp_path, out):
    extract(write(tmp_path / "a.xml", *PAGES), out)
    assert table(out[1], "step") == {
        "pages": 8,
        "articles": 5,
        "kept articles": 2,
        "sentences": 4,
        "words": 12,
    }
    assert table(out[2], "reason") == {
        "bot:asteroid": 1,
        "broken wikitext": 1,
        "empty": 1,
        "namespace:14": 1,
        "paragraph: markup residue": 1,
        "redirect": 2,
        "sentence: no word": 1,
    }


def texts_and_drops(path, out, *sentences, **options):
    """The sentences and drops of a page with this text."""
    rows = extract(write(path, page(1, "Ori", " ".join(sentences))), out, **options)
    return [row["text"] for row in rows], table(out[2], "reason")


@pytest.mark.parametrize(
    ("hole", "reason"),
    [
        ("{{zer|a}}", "a template without known text"),
        ("{{#if:a|b}}", "a template without known text"),
        ("&lt;math&gt;x&lt;/math&gt;", "a formula, score or the like"),
        ("[[Fitxategi:a.svg|20px]]", "an image in the line"),
    ],
)
def test_a_sentence_with_a_hole_is_a_counted_drop(tmp_path, out, hole, reason):
    text = ("Ori mendia da.", f"Hau {hole} mendia da.", f"{hole} da hori.", "Bat da.")
    texts, drops = texts_and_drops(tmp_path / "a.xml", out, *text)
    assert texts == ["Ori mendia da.", "Bat da."]
    assert drops == {f"sentence: {reason}": 2}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ori XX. {{zer}} da. Bat da.", ["Bat da."]),
        ("Ori 3. {{zer}} da. Bat da.", ["Bat da."]),
        ("Ori J. {{zer}} da. Bat da.", ["Bat da."]),
        ("Ori da? {{zer}} da. Bat da.", ["Ori da?", "Bat da."]),
        ("Ori {{zer}}. Bat da.", ["Bat da."]),
        ("Ori {{zer}} mendia K. a. 3. urtean da. Bat da.", ["Bat da."]),
        ("{{unitatea|4500|m}} dira. Bat da.", ["4.500 m dira.", "Bat da."]),
    ],
)
def test_no_part_of_a_sentence_with_a_hole_stays(tmp_path, out, text, expected):
    assert texts_and_drops(tmp_path / "a.xml", out, text)[0] == expected


def test_what_has_no_word_but_holes_is_no_sentence(tmp_path, out):
    texts, drops = texts_and_drops(tmp_path / "a.xml", out, "Bat da.\n* «{{zer}}».\n* {{zer}}.")
    assert (texts, drops) == (["Bat da."], {"sentence: no word": 1})


def test_an_article_without_a_whole_sentence_is_a_counted_drop(tmp_path, out):
    texts, drops = texts_and_drops(tmp_path / "a.xml", out, "Hau {{zer}} da.")
    assert texts == []
    assert drops == {"no whole sentence": 1, "sentence: a template without known text": 1}


@pytest.mark.parametrize("text", ["2004 {{zer}} asteroidea da. Bi.", "{{zer}} ASTEROIDE. Bi."])
def test_bots_are_told_by_the_first_sentence_with_its_holes(tmp_path, out, text):
    assert texts_and_drops(tmp_path / "a.xml", out, text) == ([], {"bot:asteroid": 1})


def test_empty_brackets_are_counted(tmp_path, out):
    text = "Ori ({{coord|1|display=title}}) mendia da."
    texts, drops = texts_and_drops(tmp_path / "a.xml", out, text)
    assert (texts, drops) == (["Ori mendia da."], {"brackets: nothing left in them": 1})


def test_brackets_with_text_missing_are_counted(tmp_path, out):
    text = "Ori (''Orhy'' {{zer}}) mendia (a {{zer}}) da. Bat {{zer}} (b {{zer}})."
    texts, drops = texts_and_drops(tmp_path / "a.xml", out, text)
    assert texts == ["Ori mendia da."]
    assert drops == {
        "brackets: text missing in them": 3,
        "sentence: a template without known text": 1,
    }


def test_a_sentence_with_a_bare_address_is_a_counted_drop(tmp_path, out):
    text = "Hau http://a.eus/b da. Bat da."
    assert texts_and_drops(tmp_path / "a.xml", out, text) == (
        ["Bat da."],
        {"sentence: a web address": 1},
    )


def test_a_config_says_what_templates_show(tmp_path, out):
    text = "Ori {{zer|handia}} da. Bi {{urte}}."
    rules = {"zer": "{1}", "urte": ""}
    assert texts_and_drops(tmp_path / "a.xml", out, text, templates=rules) == (
        ["Ori handia da.", "Bi."],
        {},
    )


def test_the_log_names_the_commonest_templates_without_known_text(tmp_path, out, caplog):
    text = [f"Hau {{{{a{n:02}}}}} da." for n in range(12)] + ["Hau {{a05}} eta {{a05}} da."]
    with caplog.at_level("INFO"):
        texts_and_drops(tmp_path / "a.xml", out, *text, "Hau {{a07}} da.", "{{a07}} ere.")
    names = "A07 3, A05 2, A00 1, A01 1, A02 1, A03 1, A04 1, A06 1, A08 1, A09 1"
    line = "a.xml: sentences dropped for templates without known text (wikipedia.templates): "
    assert line + names in caplog.messages


def test_templates_are_counted_over_all_blocks(tmp_path, out, caplog, monkeypatch):
    monkeypatch.setattr(dump_module, "BLOCK", 300)
    pages = (page(n, f"T{n}", f"Hau {{{{zer}}}} {n} da.") for n in range(50))
    with caplog.at_level("INFO"):
        extract(write(tmp_path / "a.xml", *pages), out)
    assert any(message.endswith(": Zer 50") for message in caplog.messages)


def test_without_ns_the_namespace_comes_from_the_title(tmp_path, out):
    pages = "".join(PAGES[:2]).replace("<ns>0</ns>", "").replace("<ns>14</ns>", "")
    extract(write(tmp_path / "a.xml", pages), out)
    assert table(out[2], "reason") == {"namespace:14": 1}


def test_two_workers_write_the_same_bytes(tmp_path, out, monkeypatch):
    monkeypatch.setattr(dump_module, "BLOCK", 300)
    path = write(tmp_path / "a.xml", *(page(n, f"T{n}", f"Hau {n} da.") for n in range(50)))
    extract(path, out, workers=1)
    one = [file.read_bytes() for file in out]
    extract(path, out, workers=2)
    assert [file.read_bytes() for file in out] == one
    assert table(out[1], "step")["sentences"] == 50


def test_a_dump_of_only_redirects_gives_no_sentence(tmp_path, out):
    assert extract(write(tmp_path / "a.xml", PAGES[2]), out) == []
    assert table(out[1], "step")["articles"] == 0


def test_an_empty_dump_is_refused(tmp_path, out):
    line = "DUMP: no page; expected a dump with articles"
    assert fails(write(tmp_path / "a.xml"), out) == line


def test_a_dump_without_end_is_refused(tmp_path, out):
    path = write(tmp_path / "a.xml", *PAGES)
    path.write_text(path.read_text().removesuffix(END))
    line = "DUMP: cut off: no </mediawiki> at the end; expected a whole dump"
    assert fails(path, out) == line


def test_pages_after_the_end_are_refused(tmp_path, out, monkeypatch):
    monkeypatch.setattr(dump_module, "COMPRESSED_BLOCK", 10)
    streams = [HEADER, PAGES[0] + END, PAGES[7] + END]
    path = tmp_path / "a.xml.bz2"
    path.write_bytes(b"".join(bz2.compress(stream.encode()) for stream in streams))
    assert fails(path, out) == "DUMP: pages after </mediawiki>; expected one dump"


def test_too_many_broken_articles_end_the_run(tmp_path, out):
    path = write(tmp_path / "a.xml", PAGES[0], PAGES[5], PAGES[5].replace("Hautsia", "B"))
    assert fails(path, out) == (
        "DUMP: unclosed wikitext in 2 of 3 articles, the first 'Hautsia'; "
        "expected at most a share of 0.01"
    )


def test_one_broken_article_does_not_end_the_run(tmp_path, out):
    extract(write(tmp_path / "a.xml", PAGES[0], PAGES[5]), out)
    assert table(out[2], "reason") == {"broken wikitext": 1}


def test_a_bad_bot_pattern_is_named(tmp_path, out):
    path = write(tmp_path / "a.xml", *PAGES)
    assert (
        fails(path, out, patterns={"x": "("}) == "regular expression '(': missing ) at position 1"
    )


def test_too_small_a_disk_is_refused_at_once(tmp_path, out, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 9, 0))
    line = fails(write(tmp_path / "a.xml", *PAGES), out)
    assert line == f"{out[0].parent}: 0 MiB free; expected about 0 MiB"


@pytest.mark.real
@pytest.mark.parametrize(
    ("path", "pages", "articles", "redirects"),
    [
        (
            "en/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2",
            206,
            106,
            100,
        ),
        ("en/tinywiki-latest-pages-articles.xml.xz", 8, 7, 1),
        ("ltg/smallwiki-latest-pages-articles.xml.xz", 2_004, 903, 195),
    ],
)
def test_real_dumps(mirror, out, path, pages, articles, redirects):
    extract(mirror / "wikipedia" / path, out, patterns={})
    steps, drops = table(out[1], "step"), table(out[2], "reason")
    assert (steps["pages"], steps["articles"]) == (pages, articles)
    assert drops.get("redirect", 0) == redirects


@pytest.mark.real
def test_all_mini_dumps(mirror, out, monkeypatch):
    def in_this_process(function, items, workers):  # 122 pools would take most of the time
        return map(function, items)

    monkeypatch.setattr("kasu.corpora.wiki.articles.ordered_map", in_this_process)
    totals = [0, 0, 0]
    dumps = sorted((mirror / "wikipedia/minidumps").glob("*/wiki.xml.bz2"))
    for path in dumps:
        extract(path, out, language=path.parent.name, patterns={})
        steps = table(out[1], "step")
        for index, step in enumerate(("pages", "articles", "kept articles")):
            totals[index] += steps[step]
    assert (len(dumps), *totals) == (122, 159, 155, 155)

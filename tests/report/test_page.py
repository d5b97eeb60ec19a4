"""The page: self-contained, escaped, complete, and the same bytes every time."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from kasu.base.errors import KasuError
from kasu.figures.comparison import draw_comparison
from kasu.files.seals import seal
from kasu.files.tables import write_counts, write_drops, write_text, write_tsv
from kasu.report.on_record import OnRecord, Tally
from kasu.report.page import build_page
from kasu.results.comparison import TABLE
from kasu.results.study import Data, StudyReport
from kasu.results.warnings.table import ResultWarning, write_warnings

ROW = {
    "paper": "basque2018", "table": "footnote 6", "system": "unidirectional LSTM",
    "condition": "Base|dative", "metric": "accuracy", "unit": "percent",
    "variant": "paper", "ours": 0.9786,
    "low": 0.97, "high": 0.99, "n": 12345, "runs": 3, "published": 0.982, "printed": "98.2",
    "difference": 0.9786 - 0.982, "note": "from <b>the net</b>",
}  # fmt: skip
ROWS = [
    ROW,
    ROW | {"seed": 1, "ours": 0.9777, "runs": 1},
    ROW
    | {"system": "majority", "ours": 0.9, "published": None, "printed": None, "difference": None},
    ROW | {"condition": "Single verb|dative", "ours": None, "low": None, "high": None},
]


TABLE_FILE = "agreement/tables/footnote_6.tsv"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The figure of the rows, as SVG and PDF, in a folder."""
    folder = tmp_path_factory.mktemp("drawn")
    write_tsv(folder / "t.tsv", ROWS, TABLE)
    draw_comparison(folder / "t.tsv", folder / "t.svg", "Footnote 6")
    return folder


@pytest.fixture
def inputs(tmp_path, drawn):
    """The arguments of `build_page` for a page with one of everything."""
    files = {name: str(tmp_path / name) for name in ("t.svg", "t.rst", "c.tsv", "d.tsv")}
    write_tsv(tmp_path / TABLE_FILE, ROWS, TABLE)
    for name in ("t.svg", "t.pdf"):
        shutil.copy(drawn / name, tmp_path)
    write_text(files["t.rst"], "What *this* shows.\n\n.. raw:: html\n\n   <script>1</script>\n")
    write_counts(files["c.tsv"], {"articles": 2004})
    write_drops(files["d.tsv"], {"bot:<i>species</i>": 7})
    write_tsv(
        tmp_path / "claims.tsv",
        [
            {"claim": "Datives are missed.", "about": "ours", "result": "fails"},
            {"claim": "Printed sums are right.", "about": "print", "result": "fails"},
            {"claim": "Most are.", "about": "print", "result": "holds"},
        ],
        ("claim", "about", "result"),
    )
    write_text(
        tmp_path / "x.lock",
        json.dumps({"bytes": 28216512, "sha256": "389c", "verified": "unverified"}),
    )
    return {
        "studies": [
            StudyReport(
                name="agreement",
                title="Agreement: who is told?",
                citation="Ravfogel & al.",
                paper="basque2018",
                printed={"footnote_6": "footnote 6"},
                captions={"footnote_6": files["t.rst"]},
                figures={"footnote_6": files["t.svg"]},
                counts={"basque": files["c.tsv"]},
                drops={"basque": files["d.tsv"]},
                details={"Claims of the paper": str(tmp_path / "claims.tsv")},
                defaults={"": ["paper"]},
                data=Data.PAPER,
            )
        ],
        "sources": [{"name": "euwiki", "licence": "CC BY-SA", "lock": str(tmp_path / "x.lock")}],
        "config": {"summary": "A trial.", "results": str(tmp_path), "wikis": ["démo"]},
        "versions": {"torch": "2.13.0"},
        "dictionaries": ["eu.bin"],
    }


@pytest.fixture
def page(inputs, tmp_path):
    build_page(tmp_path / "index.html", **inputs)
    return (tmp_path / "index.html").read_text(encoding="utf-8")


class Elements(HTMLParser):
    """Collect what a test asks about; complain about elements that do not close."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, html):
        super().__init__()
        self.open, self.ids, self.targets, self.loaded, self.tags = [], [], [], [], set()
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name == "src" or (name == "href" and tag == "link"):
                self.loaded.append(value)
            elif name in ("href", "xlink:href"):
                self.targets.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_loads_nothing(page):
    elements = Elements(page)
    assert elements.loaded == []
    assert not elements.tags & {"script", "iframe", "link", "img"}
    assert "@import" not in page and "@font-face" not in page


def test_the_page_forbids_scripts_and_loads(page):
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    head = page[: page.index("<title>")]
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in head


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<b onload='x'>&amp;", "&lt;b onload=&#39;x&#39;&gt;&amp;amp;"),
        ("exe\u202etxt", r"exe\u202etxt"),
        ("\x1b[31m\x00", r"\x1b[31m\x00"),
        ("{{ 7 * 7 }} $x$ `a`_ |b|", "{{ 7 * 7 }} $x$ `a`_ |b|"),
        ("x" * 10_000, "x" * 10_000),
        ("שלום 漢", "שלום 漢"),
    ],
)
def test_a_name_is_shown_as_it_is(inputs, tmp_path, name, shown):
    write_tsv(tmp_path / TABLE_FILE, [ROW | {"system": name, "note": f"1 {name}"}], TABLE)
    write_drops(tmp_path / "d.tsv", {f"2 {name}": 1})
    inputs["sources"][0] |= {"name": f"3 {name}", "licence": f"4 {name}", "citation": f"5 {name}"}
    inputs["config"] |= {"summary": f"6 {name}"}
    inputs["versions"] = {f"7 {name}": f"8 {name}"}
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert f'<td class="name">{shown}, variant paper</td>' in page
    for number in range(1, 9):
        assert f">{number} {shown}</" in page


def test_a_dictionary_is_shown_with_the_hash_that_was_read(inputs, tmp_path):
    inputs["inputs"] = [str(tmp_path / "c.tsv")]
    seal(tmp_path / "c.tsv", {"eu.bin": "1" * 64})
    build_page(tmp_path / "index.html", **inputs)
    row = f"<tr><td>sha256 of eu.bin</td><td>{'1' * 64}</td></tr>"
    assert row in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_config_keeps_its_lines_alone(inputs, tmp_path):
    inputs["config"] |= {"note": "a\u202eb"}
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "- démo\nnote: a\\u202eb\n</pre>" in page


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("a?b#c.tsv", "a%3Fb%23c.tsv"),
        ("100%.tsv", "100%25.tsv"),
        ("a b'\"<.tsv", "a%20b%27%22%3C.tsv"),
        ("javascript:a.tsv", "javascript%3Aa.tsv"),
        ("\udcff.tsv", "%FF.tsv"),
    ],
)
def test_a_link_leads_to_a_file_of_any_name(inputs, tmp_path, monkeypatch, name, link):
    [study] = inputs["studies"]
    write_tsv(tmp_path / name, [{"a": 1, "b": 2}, {"a": 2, "b": 3}], ("a", "b"))
    inputs["studies"] = [replace(study, details={"More": str(tmp_path / name)})]
    monkeypatch.setattr("kasu.report.page.LISTED", 1)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert f'2 rows, in <a href="{link}">{link}</a>.' in page


def test_every_link_leads_to_one_place_of_the_page_or_to_a_file_beside_it(page, tmp_path):
    elements = Elements(page)
    assert len(elements.ids) == len(set(elements.ids))
    places = {target[1:] for target in elements.targets if target.startswith("#")}
    assert places <= set(elements.ids)
    files = sorted({target for target in elements.targets if not target.startswith("#")})
    assert files == [TABLE_FILE, "claims.tsv", "t.pdf", "t.svg"]
    assert all((tmp_path / file).is_file() for file in files)


def test_a_figure_of_an_older_run_has_no_pdf_to_link(inputs, tmp_path):
    (tmp_path / "t.pdf").unlink()
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="t.svg"' in page and "t.pdf" not in page


def test_no_heading_skips_a_level(page):
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels[0] == 1 and set(levels) == {1, 2, 3, 4}
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_table_scrolls_in_a_frame_that_has_a_name(page):
    frame = re.compile(
        r'<div class="scroll" role="region" aria-label="[^"]+" tabindex="0">\s*<(?:table|pre)>'
    )
    assert len(frame.findall(page)) == page.count("<table") + page.count("<pre") > 5


def test_the_first_table_with_a_figure_of_ours_is_open_and_all_else_is_folded(inputs, tmp_path):
    [study] = inputs["studies"]
    names = ("before", "footnote_6", "after")
    for name, rows in zip(names, (ROWS[3:], ROWS, ROWS), strict=True):
        write_tsv(tmp_path / f"agreement/tables/{name}.tsv", rows, TABLE)
    inputs["studies"] = [replace(study, printed=dict.fromkeys(names, "x"), figures={})]
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<details[^>]* open>.*?<h3 id=\"([^\"]+)", page, re.DOTALL) == [
        "agreement-footnote_6-heading"
    ]
    for heading in ("Claims of the paper", "Counts and drops", "Sources", "Versions"):
        assert f'<details class="part">\n<summary><h3>{heading}</h3>' in page


@pytest.mark.parametrize(
    ("rows", "data", "share"),
    [
        (ROWS, Data.PAPER, "1 of 2 published figures have one of ours next to them: 1 agrees."),
        (ROWS, Data.DEMO, "2 printed figures, 2 of ours"),
        (ROWS[3:], Data.DEMO, "1 printed figure, 0 of ours"),
    ],
)
def test_a_folded_table_says_how_much_of_it_ran(inputs, tmp_path, rows, data, share):
    inputs["studies"] = [replace(inputs["studies"][0], data=data)]
    write_tsv(tmp_path / TABLE_FILE, rows, TABLE)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    heading = page[page.index('<h3 id="agreement-footnote_6-heading">') :]
    assert heading.partition("</summary>")[0].endswith(f'<span class="soft">{share}</span>')


def test_a_long_table_is_folded_and_a_very_long_one_is_linked(inputs, tmp_path, monkeypatch):
    monkeypatch.setattr("kasu.report.page.FOLDED", 1)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<summary>2 rows</summary>" in page
    monkeypatch.setattr("kasu.report.page.LISTED", 1)
    build_page(tmp_path / "report" / "index.html", **inputs)
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert f'All rows: 2, in <a href="../{TABLE_FILE}">../{TABLE_FILE}</a>.' in page


def test_two_tables_of_one_figure_keep_their_ids_apart(inputs, tmp_path):
    [study] = inputs["studies"]
    shutil.copy(tmp_path / TABLE_FILE, tmp_path / "agreement/tables/again.tsv")
    figures = {**study.figures, "again": study.figures["footnote_6"]}
    again = replace(study, printed={**study.printed, "again": "again"}, figures=figures)
    inputs["studies"] = [again]
    build_page(tmp_path / "index.html", **inputs)
    ids = Elements((tmp_path / "index.html").read_text(encoding="utf-8")).ids
    assert len(ids) == len(set(ids))


def test_equal_inputs_give_equal_bytes(inputs, page, tmp_path):
    build_page(tmp_path / "again.html", **inputs)
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_warnings_stand_before_the_tables_of_the_study(inputs, tmp_path):
    write_warnings(tmp_path / "w.tsv", [ResultWarning("bilstm", "gives <b>one</b> answer", "base")])
    (study,) = inputs["studies"]
    inputs["studies"] = [replace(study, warnings=str(tmp_path / "w.tsv"))]
    build_page(tmp_path / "page.html", **inputs)
    text = (tmp_path / "page.html").read_text("utf-8")
    line = "<li>bilstm: gives &lt;b&gt;one&lt;/b&gt; answer (base)</li>"
    assert text.index(line) < text.index('id="agreement-footnote_6"')


def test_a_study_without_warnings_shows_no_list_of_them(inputs, tmp_path, page):
    assert "agreement-warnings" not in page
    write_warnings(tmp_path / "w.tsv", [])
    (study,) = inputs["studies"]
    inputs["studies"] = [replace(study, warnings=str(tmp_path / "w.tsv"))]
    build_page(tmp_path / "page.html", **inputs)
    assert "agreement-warnings" not in (tmp_path / "page.html").read_text("utf-8")


def test_text_of_others_is_escaped(page):
    assert "from &lt;b&gt;the net&lt;/b&gt;" in page
    assert "bot:&lt;i&gt;species&lt;/i&gt;" in page
    assert "<script>1" not in page


@pytest.mark.parametrize(
    "text",
    [
        "Footnote 6, ours next to published",
        "1 of 2 published figures have one of ours next to them: 1 agrees.",
        "<em>this</em>",
        ">98.2<",
        ">97.9<",  # 97.86, half up
        "97.0–99.0",
        ">−0.3<",
        ">12,345<",
        "unidirectional LSTM, variant paper, seed 1",
        "Datives are missed.",
        ">2,004<",
        ">unverified<",
        ">28,216,512<",
        "démo",
        ">2.13.0<",
    ],
)
def test_the_page_shows(page, text):
    assert text in page


@pytest.mark.parametrize(
    "text",
    [
        "<strong>1</strong> of 2 published figures have one of ours next to them.",
        '<a href="#agreement-footnote_6">Footnote 6</a> <span class="state agrees">agrees, '
        '<span class="count">1 of 2</span></span>',
        '<a href="#agreement-claims-of-the-paper">Claims</a> about our figures: fails 1</p>',
        ">Claims</a> about print alone: holds 1, fails 1</p>",
        "Agreement, Footnote 6 agrees: 1 of 1 figures",
        "Agreement: 1 of 1 claims about our figures fail",
        "Agreement: 1 of 2 claims about print alone fail",
    ],
)
def test_the_first_screen_says_how_much_is_reproduced(page, text):
    assert text in page


def test_a_table_that_differs_says_why(inputs, tmp_path):
    rows = [ROW | {"ours": 0.5, "low": 0.49, "high": 0.51, "difference": 0.5 - 0.982}]
    write_tsv(tmp_path / TABLE_FILE, rows, TABLE)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    why = "unidirectional LSTM, Base, dative, accuracy: 98.2 printed, ours 50.0"
    assert f"1 of 1 differ; furthest: {why}" in page
    assert "Agreement, Footnote 6 differs: 1 of 1 figures" in page


def test_a_table_hardly_run_has_no_verdict(inputs, tmp_path):
    rows = [*ROWS, ROW | {"condition": "c", "ours": None}]
    write_tsv(tmp_path / TABLE_FILE, rows, TABLE)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    chip = '<span class="state in_part">run in part, <span class="count">1 of 3</span></span>'
    assert f'Footnote 6</a> {chip}<span class="why">1 agrees</span>' in page
    assert f">Footnote 6 {chip}</h3>" in page
    assert 'class="state agrees">agrees</span></td>' in page  # of the row itself
    assert "Read first" in page and "Footnote 6 agrees" not in page
    # No colour of a verdict: the plain chip is grey
    style = page[: page.index("</style>")]
    assert ".in_kind {" in style and ".in_part" not in style


def test_a_figure_of_another_variant_earns_the_table_no_word(inputs, tmp_path):
    [study] = inputs["studies"]
    inputs["studies"] = [replace(study, defaults={"": ["released"]})]
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "0 of 2 published figures have one of ours next to them; 1 has one by another" in page
    assert '>Footnote 6 <span class="state not_run">not run' in page


def test_a_printed_figure_without_ours_beside_it_is_not_run(inputs, tmp_path, page):
    assert ">not run<" not in page  # its condition has none of ours: its part has no such column
    write_tsv(tmp_path / TABLE_FILE, [ROW, ROWS[3] | {"condition": ROW["condition"]}], TABLE)
    build_page(tmp_path / "index.html", **inputs)
    assert ">not run<" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_interval_over_seeds_has_a_column_of_its_own(inputs, tmp_path, page):
    assert "Over seeds</th>" not in page
    seeds = {"seeds_mean": 0.9786, "seeds_low": 0.9702, "seeds_high": 0.987}
    write_tsv(tmp_path / TABLE_FILE, [ROW | seeds], TABLE)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    cells = '<td class="number">97.0–99.0</td><td class="number">97.9 (97.0–98.7)</td>'
    assert "Over seeds</th>" in page
    assert cells in page


@pytest.fixture
def on(inputs, tmp_path):
    """Builds the page of a run on other data than the paper's."""

    def build(data, **options):
        inputs["studies"] = [replace(study, data=data) for study in inputs["studies"]]
        build_page(tmp_path / "index.html", **inputs, **options)
        page = (tmp_path / "index.html").read_text(encoding="utf-8")
        Elements(page)
        return page

    return build


def test_the_demos_data_reproduce_nothing(on):
    page = on(Data.DEMO)
    assert '<a href="#agreement">Agreement</a>: the demo&#39;s data, invented for it' in page
    assert "your data" not in page[: page.index("<dl")]
    assert "published figures have one of ours" not in page
    assert "Read first" not in page and ">fails 1<" not in page
    shown = page[page.index('id="agreement"') :]
    assert 'class="state agrees"' not in shown and "not run at this scale" not in shown


APART = {"published": None, "printed": None, "difference": None}


def test_the_users_figures_come_first_and_print_is_folded(inputs, on, tmp_path):
    [study] = inputs["studies"]
    theirs = [ROW | {"ours": None, "low": None, "high": None, "variant": None}]
    write_tsv(tmp_path / TABLE_FILE, [row | APART for row in ROWS[:3]] + theirs, TABLE)
    write_tsv(tmp_path / "agreement/tables/table_1.tsv", theirs, TABLE)
    printed = {"table_1": "Table 1", **study.printed}
    inputs["studies"] = [replace(study, printed=printed)]
    page = on(Data.YOURS)
    assert "<strong>2</strong> figures of your data." in page
    assert 'Footnote 6</a> <span class="state yours">your data</span></li>' in page
    assert "<summary>1 with printed figures alone</summary>" in page
    shown = page[page.index('id="agreement"') :]
    assert '>Footnote 6 <span class="state yours">your data</span></h3>' in shown
    # Ours, then what the paper prints, then the tables that the run has nothing of
    assert "<h1>Kasu: your data</h1>" in page
    places = [
        shown.index(text)
        for text in (
            ">97.9<",
            "<summary>What the paper prints of its own data: 1 row</summary>",
            '<th scope="col" class="number">Published</th>',
            "<summary>1 table with printed figures alone</summary>",
            'id="agreement-table_1"',
        )
    ]
    assert places == sorted(places)
    assert "not run" not in page.replace(page[page.index('id="words"') : page.index("</dl>")], "")
    assert "Difference" not in shown and "published figures have one of ours" not in page


def test_a_study_of_the_users_data_comes_first(inputs, tmp_path):
    (study,) = inputs["studies"]
    mine = replace(study, name="mine", title="Mine: why?", printed={}, data=Data.YOURS)
    inputs["studies"] = [study, mine]
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index('href="#mine"') < page.index('href="#agreement"')
    assert "No scores yet: what was built is below." in page


def test_data_of_which_the_folder_says_nothing_are_not_judged(on):
    page = on(Data.UNKNOWN)
    assert "Agreement</a>: the folder does not say whose data these are" in page
    assert 'class="state agrees"' not in page[page.index('id="agreement"') :]


def test_claims_that_are_untestable_are_a_count_that_opens(inputs, on, tmp_path):
    claims = [
        {"claim": "Datives are missed.", "about": "ours", "result": "holds"},
        {"claim": "Ergatives are not.", "about": "ours", "result": "untestable here"},
        {"claim": "Absolutives are.", "about": "ours", "result": "untestable here"},
    ]
    write_tsv(tmp_path / "claims.tsv", claims, ("claim", "about", "result"))
    page = on(Data.PAPER)
    shown = page[page.index("Claims of the paper</h3>") :]
    folded = shown.index("<summary>2 claims are untestable here</summary>")
    assert shown.index("Datives are missed.") < folded < shown.index("Ergatives are not.")
    assert "holds 1, untestable here 2" in page
    write_tsv(tmp_path / "claims.tsv", claims[1:2], ("claim", "about", "result"))
    page = on(Data.PAPER)
    shown = page[page.index("Claims of the paper</h3>") :]
    assert "<summary>1 claim is untestable here</summary>" in shown
    assert "<table>" not in shown[: shown.index("1 claim is")]


def test_claims_about_print_alone_are_folded_beside_figures_of_the_users_data(on):
    page = on(Data.YOURS)
    shown = page[page.index('id="agreement-claims-of-the-paper"') :]
    folded = shown.index("<summary>2 claims are about print alone</summary>")
    assert shown.index("Datives are missed.") < folded < shown.index("Most are.")


def test_the_page_says_which_kasu_made_it(inputs, page, on):
    assert "made by Kasu" not in page
    inputs["versions"]["kasu"] = "0.9, commit 1234567+"
    assert "made by Kasu 0.9, commit 1234567+.</p>" in on(Data.PAPER)


def test_a_page_of_a_folder_that_says_nothing_of_its_run_has_no_versions_and_no_config(inputs, on):
    inputs["config"] = {"summary": "", "results": inputs["config"]["results"]}
    inputs |= {"versions": {}, "dictionaries": []}
    page = on(Data.UNKNOWN, notices=["Two files are <missing>."])
    assert "Versions</h3>" not in page and "Config as used" not in page
    assert "<p>Two files are &lt;missing&gt;.</p>" in page


@pytest.fixture
def record():
    """What is on record of the study: three of 1,148 figures, one claim."""
    words = Counter({"agrees": 1, "differs": 2})
    figures = Tally("agreement", "", 1148, words, {"long": 1, "real": 2}, ["c2", "c1"])
    table = Tally("agreement", "Table <4>", 20, words, {"long": 1, "real": 2}, ["c2", "c1"])
    claims = Tally("agreement", "claims", 1, Counter(holds=1), {"real": 1}, ["c1"])
    commands = {"long": "snakemake agreement <long>", "real": "snakemake agreement real"}
    return [OnRecord("agreement", "Agreement", "R. & al.", figures, [table, claims], commands)]


@pytest.fixture
def first_screen(on, record):
    """Builds the page with the record; returns it as far as the first study, blanks as one."""

    def build(data=Data.PAPER):
        page = on(data, record=record)
        return " ".join(page[page.index("</nav>") : page.index(' id="agreement"')].split())

    return build


@pytest.mark.parametrize(
    "text",
    [
        '<strong class="count">3</strong> of 1,148 printed figures have one of ours on record',
        '<span class="count">3 <span class="soft">of 1,148</span></span>',
        '<span class="state agrees">1 agrees</span> <span class="state differs">2 differs</span>',
        '<span class="soft scale">long, real <code>c2</code></span>',
        '<td>Table &lt;4&gt;</td><td class="number">3 of 20</td>',
        "<td>long 1, real 2</td>",
        '<td>c2 <span class="soft">+1</span></td>',
        '<span class="state ">1 holds</span>',
        "<em>long</em> again: <code>snakemake agreement &lt;long&gt;</code>",
        "<em>real</em> again: <code>snakemake agreement real</code>",
    ],
)
def test_the_first_screen_shows_the_record(first_screen, text):
    assert text in first_screen()


def test_the_record_stands_before_the_run(first_screen):
    page = first_screen()
    assert page.index('id="record"') < page.index('id="summary"') < page.index("A trial.")
    assert 'Below: <a href="#summary">this run</a>' in page


def test_a_run_on_the_demos_data_opens_on_the_record(first_screen):
    page = first_screen(Data.DEMO)
    assert "The run of this page is on other data, invented for the demo or your own" in page
    assert "2 differs" in page and "not run at this scale" not in page[: page.index("<dl")]


def test_a_run_on_the_users_data_opens_on_it(on, record):
    page = on(Data.YOURS, record=record)
    assert page.index('href="#summary"') < page.index('href="#record"')
    assert page.index('href="#record"') < page.index('href="#provenance"')
    assert page.index('id="summary"') < page.index('id="record"') < page.index('id="provenance"')


def test_figures_of_unknown_data_are_not_said_to_be_of_other_data(on, record):
    page = on(Data.UNKNOWN, record=record)
    assert "the folder does not say whose data these are" in page
    assert "is on other data" not in page and "reproduce none of the paper" not in page


def test_a_run_partly_on_other_data_says_which_part(inputs, tmp_path, record):
    (study,) = inputs["studies"]
    demo = replace(study, name="mine", title="Mine: why?", printed={}, data=Data.DEMO)
    inputs["studies"] = [study, demo]
    build_page(tmp_path / "index.html", **inputs, record=record)
    page = " ".join((tmp_path / "index.html").read_text(encoding="utf-8").split())
    assert "The run of this page, as to Mine, is on other data, invented for the demo" in page


def test_nothing_on_record_is_said(first_screen, record):
    empty = Tally("agreement", "", 7, Counter(), {}, [])
    record[:] = [replace(record[0], figures=empty, tables=[], commands={})]
    assert '<span class="soft">nothing on record yet</span>' in first_screen()


def test_tables_that_did_not_run_are_folded(inputs, tmp_path):
    write_tsv(tmp_path / TABLE_FILE, ROWS[3:], TABLE)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<details><summary>1 not run at this scale</summary>" in page


def test_a_page_without_a_record_has_none(page):
    assert 'id="record"' not in page and 'href="#record"' not in page


def test_the_page_has_no_wall_clock(page):
    assert "2026" not in page


def test_a_study_may_lack_all_but_its_tables(inputs, tmp_path):
    [study] = inputs["studies"]
    kept = {key: getattr(study, key) for key in ("name", "title", "citation", "paper", "printed")}
    inputs["studies"] = [StudyReport(**kept, captions={})]
    build_page(tmp_path / "index.html", **inputs)
    assert "Counts and drops" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_no_drops_are_said_to_be_none(inputs, tmp_path):
    write_drops(inputs["studies"][0].drops["basque"], {})
    build_page(tmp_path / "index.html", **inputs)
    assert "Nothing was left out." in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [TABLE_FILE, "t.svg", "t.rst", "c.tsv", "d.tsv", "claims.tsv"])
def test_a_missing_input_is_one_line_and_no_page(inputs, tmp_path, name):
    (tmp_path / name).unlink()
    with pytest.raises(KasuError, match=rf"{name}: no such file; expected an input of the report"):
        build_page(tmp_path / "index.html", **inputs)
    assert not (tmp_path / "index.html").exists()


def test_a_figure_that_is_no_svg_is_refused(inputs, tmp_path):
    (tmp_path / "t.svg").write_text("<html>")
    with pytest.raises(KasuError, match=r"t\.svg: no <svg> element; expected a figure in SVG"):
        build_page(tmp_path / "index.html", **inputs)


def test_a_caption_reads_no_file(inputs, tmp_path):
    (tmp_path / "secret.txt").write_text("of another file")
    write_text(tmp_path / "t.rst", f".. include:: {tmp_path / 'secret.txt'}\n")
    build_page(tmp_path / "index.html", **inputs)
    assert "of another file" not in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "rule", ["within 2 points of the printed", "wider than 30 points", "share is below 5 %"]
)
def test_the_page_states_the_bounds_of_its_words(page, rule):
    assert rule in page


def test_a_table_that_agrees_names_no_reason_where_one_figure_differs(inputs, tmp_path):
    rows = [ROW | {"condition": f"Base|{number}"} for number in range(19)]
    rows.append(ROW | {"ours": 0.5, "low": 0.49, "high": 0.51, "difference": 0.5 - 0.982})
    write_tsv(tmp_path / TABLE_FILE, rows, TABLE)
    build_page(tmp_path / "index.html", **inputs)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Agreement, Footnote 6 agrees: 19 of 20 figures" in page
    assert "furthest:" not in page

"""The page: self-contained, escaped, complete, and the same bytes every time."""

import re
import shutil
from dataclasses import replace
from itertools import pairwise

import pytest

from kasu.base.errors import KasuError
from kasu.files.seals import seal
from kasu.files.tables import write_drops, write_text, write_tsv
from kasu.report.page import build_page
from kasu.results.comparison import TABLE
from kasu.results.study import Data, StudyReport
from kasu.results.warnings.table import ResultWarning, write_warnings


def test_the_page_loads_nothing(page, elements):
    found = elements(page)
    assert found.loaded == []
    assert not found.tags & {"script", "iframe", "link", "img"}
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
def test_a_name_is_shown_as_it_is(inputs, tmp_path, name, shown, build, table_rows, write_rows):
    write_rows([table_rows[0] | {"system": name, "note": f"1 {name}"}])
    write_drops(tmp_path / "d.tsv", {f"2 {name}": 1})
    inputs["sources"][0] |= {"name": f"3 {name}", "licence": f"4 {name}", "citation": f"5 {name}"}
    inputs["config"] |= {"summary": f"6 {name}"}
    inputs["versions"] = {f"7 {name}": f"8 {name}"}
    page = build()
    assert f'<td class="name">{shown}, variant paper</td>' in page
    for number in range(1, 9):
        assert f">{number} {shown}</" in page


@pytest.mark.parametrize("name", ["007", "2024", "0.05000001", "0.99996"])
def test_a_name_that_looks_like_a_number_stays_as_it_is(inputs, tmp_path, build, name):
    (study,) = inputs["studies"]
    write_tsv(tmp_path / "m.tsv", [{"system": name, "value": "0.05000001", "n": 2024}],
              ("system", "value", "n"))  # fmt: skip
    inputs["studies"] = [replace(study, details={"More": str(tmp_path / "m.tsv")})]
    write_drops(tmp_path / "d.tsv", {name: 2024})
    page = build()
    cells = '<td class="number">0.05</td><td class="number">2,024</td></tr>'
    assert f"<tr><td>{name}</td>{cells}" in page
    assert f'<tr><td>{name}</td><td class="number">2,024</td></tr>' in page


def test_a_dictionary_is_shown_with_the_hash_that_was_read(inputs, tmp_path, build):
    inputs["inputs"] = [str(tmp_path / "c.tsv")]
    seal(tmp_path / "c.tsv", {"eu.bin": "1" * 64})
    row = f"<tr><td>sha256 of eu.bin</td><td>{'1' * 64}</td></tr>"
    assert row in build()


def test_the_config_keeps_its_lines_alone(inputs, build):
    inputs["config"] |= {"note": "a\u202eb"}
    page = build()
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
def test_a_link_leads_to_a_file_of_any_name(inputs, tmp_path, monkeypatch, name, link, build):
    [study] = inputs["studies"]
    write_tsv(tmp_path / name, [{"a": 1, "b": 2}, {"a": 2, "b": 3}], ("a", "b"))
    inputs["studies"] = [replace(study, details={"More": str(tmp_path / name)})]
    monkeypatch.setattr("kasu.report.page.LISTED", 1)
    page = build()
    assert f'2 rows, in <a href="{link}">{link}</a>.' in page


def test_every_link_leads_to_one_place_of_the_page_or_to_a_file_beside_it(page, tmp_path, elements):
    found = elements(page)
    assert len(found.ids) == len(set(found.ids))
    places = {target[1:] for target in found.targets if target.startswith("#")}
    assert places <= set(found.ids)
    files = sorted({target for target in found.targets if not target.startswith("#")})
    assert files == ["agreement/tables/footnote_6.tsv", "claims.tsv", "t.pdf", "t.svg"]
    assert all((tmp_path / file).is_file() for file in files)


def test_a_figure_of_an_older_run_has_no_pdf_to_link(tmp_path, build):
    (tmp_path / "t.pdf").unlink()
    page = build()
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


def test_the_first_table_with_a_figure_of_ours_is_open_and_all_else_is_folded(
    inputs, tmp_path, build, table_rows
):
    [study] = inputs["studies"]
    names = ("before", "footnote_6", "after")
    for name, rows in zip(names, (table_rows[3:], table_rows, table_rows), strict=True):
        write_tsv(tmp_path / f"agreement/tables/{name}.tsv", rows, TABLE)
    inputs["studies"] = [replace(study, printed=dict.fromkeys(names, "x"), figures={})]
    page = build()
    assert re.findall(r"<details[^>]* open>.*?<h3 id=\"([^\"]+)", page, re.DOTALL) == [
        "agreement-footnote_6-heading"
    ]
    for heading in ("Claims of the paper", "Counts and drops", "Sources", "Versions"):
        assert f'<details class="part">\n<summary><h3>{heading}</h3>' in page


@pytest.mark.parametrize(
    ("first", "data", "share"),
    [
        (0, Data.PAPER, "1 of 2 published figures have one of ours next to them: 1 agrees."),
        (0, Data.DEMO, "2 printed figures, 2 of ours"),
        (3, Data.DEMO, "1 printed figure, 0 of ours"),
    ],
)
def test_a_folded_table_says_how_much_of_it_ran(
    inputs, first, data, share, build, table_rows, write_rows
):
    inputs["studies"] = [replace(inputs["studies"][0], data=data)]
    write_rows(table_rows[first:])
    page = build()
    heading = page[page.index('<h3 id="agreement-footnote_6-heading">') :]
    assert heading.partition("</summary>")[0].endswith(f'<span class="soft">{share}</span>')


def test_a_long_table_is_folded_and_a_very_long_one_is_linked(inputs, tmp_path, monkeypatch, build):
    monkeypatch.setattr("kasu.report.page.FOLDED", 1)
    page = build()
    assert "<summary>2 rows</summary>" in page
    monkeypatch.setattr("kasu.report.page.LISTED", 1)
    build_page(tmp_path / "report" / "index.html", **inputs)
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    file = "../agreement/tables/footnote_6.tsv"
    assert f'All rows: 2, in <a href="{file}">{file}</a>.' in page


def test_two_tables_of_one_figure_keep_their_ids_apart(inputs, tmp_path, build, elements):
    [study] = inputs["studies"]
    shutil.copy(
        tmp_path / "agreement/tables/footnote_6.tsv", tmp_path / "agreement/tables/again.tsv"
    )
    figures = {**study.figures, "again": study.figures["footnote_6"]}
    again = replace(study, printed={**study.printed, "again": "again"}, figures=figures)
    inputs["studies"] = [again]
    ids = elements(build()).ids
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


def test_the_page_has_no_wall_clock(page):
    assert "2026" not in page


def test_a_study_may_lack_all_but_its_tables(inputs, build):
    [study] = inputs["studies"]
    kept = {key: getattr(study, key) for key in ("name", "title", "citation", "paper", "printed")}
    inputs["studies"] = [StudyReport(**kept, captions={})]
    assert "Counts and drops" not in build()


def test_no_drops_are_said_to_be_none(inputs, build):
    write_drops(inputs["studies"][0].drops["basque"], {})
    assert "Nothing was left out." in build()


@pytest.mark.parametrize(
    "name", ["footnote_6.tsv", "t.svg", "t.rst", "c.tsv", "d.tsv", "claims.tsv"]
)
def test_a_missing_input_is_one_line_and_no_page(inputs, tmp_path, name):
    next(tmp_path.rglob(name)).unlink()
    with pytest.raises(KasuError, match=rf"{name}: no such file; expected an input of the report"):
        build_page(tmp_path / "index.html", **inputs)
    assert not (tmp_path / "index.html").exists()


def test_a_figure_that_is_no_svg_is_refused(inputs, tmp_path):
    (tmp_path / "t.svg").write_text("<html>")
    with pytest.raises(KasuError, match=r"t\.svg: no <svg> element; expected a figure in SVG"):
        build_page(tmp_path / "index.html", **inputs)


def test_a_caption_reads_no_file(tmp_path, build):
    (tmp_path / "secret.txt").write_text("of another file")
    write_text(tmp_path / "t.rst", f".. include:: {tmp_path / 'secret.txt'}\n")
    assert "of another file" not in build()

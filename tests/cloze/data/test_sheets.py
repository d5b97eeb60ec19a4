"""The page for annotators: everything in one file, nothing of a sentence is markup."""

import json
import re
import shutil
import subprocess

import pytest

from kasu.cloze.data.annotations import (
    SHEET,
    make_item,
    read_annotations,
    read_cell,
    sheet_rows,
)
from kasu.cloze.data.sentences import Word
from kasu.cloze.data.sheets import write_sheet
from kasu.corpora.paradigms.unimorph import ParadigmCell, Paradigms
from kasu.files.tables import read_tsv

WORDS = [Word('"</script><b>', "x", "PUNCT"), Word("dogs", "dog", "N;PL")]


@pytest.fixture
def item():
    cells = [ParadigmCell("dog", "dog", "N;SG"), ParadigmCell("dog", "dogs", "N;PL")]
    return make_item("s1", WORDS, 1, Paradigms(cells))


@pytest.fixture
def page(item, tmp_path):
    write_sheet(tmp_path, [item], "english")
    return (tmp_path / "sheet.html").read_text()


def test_the_table_is_a_sheet_that_can_be_read_back(item, page, tmp_path):
    rows = read_tsv(tmp_path / "sheet.tsv", SHEET)
    assert rows[0]["sentence"] == '"""</script><b> ___"'
    read = [{name: read_cell(cell) for name, cell in row.items()} for row in rows]
    assert read == list(sheet_rows([item]))
    assert read_annotations(tmp_path / "sheet.tsv", [item]) == {"s1:2": {"dogs"}}


def test_the_page_holds_the_items(page):
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page)
    assert json.loads(data[1]) == [
        {
            "item": "s1:2",
            "sentence": '"</script><b> ___',
            "lemma": "dog",
            "forms": [
                {"form": "dogs", "features": "N;PL", "original": True},
                {"form": "dog", "features": "N;SG", "original": False},
            ],
        }
    ]
    assert f"const columns = {json.dumps(list(SHEET))};" in page


def test_the_page_asks_for_no_other_file(page):
    assert not re.search(r"(src|href)=|@import|https?:", page)


def test_answers_are_kept_apart_for_other_items(item, page, tmp_path):
    other = item._replace(id="s2:2")
    write_sheet(tmp_path / "other", [other], "english")
    keys = [
        re.search(r"const key = (.*);", text)[1]
        for text in (page, (tmp_path / "other/sheet.html").read_text())
    ]
    assert keys[0] != keys[1]


BROWSER = """
const page = [];
function element(tag) {
  return { tag, classList: { toggle() {} }, addEventListener(_, done) { this.done = done },
    appendChild(child) { page.push(child); return child }, click() { this.done?.() } };
}
const named = { data: element("script"), items: element("main"), state: element("span"),
  save: element("button") };
named.data.textContent = DATA;
globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.document = { getElementById: id => named[id], createElement: element };
globalThis.Blob = class { constructor([text]) { this.text = text } };
let saved;
URL.createObjectURL = blob => { saved = blob.text };
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no node to run the page's script")
def test_what_the_page_saves_are_lines_of_the_table(tmp_path):
    """A form is marked and the item is done; the page shows what would not be seen."""
    forms = ["dogs", "-ak", '"Bai"', "a;=1", "exe\u202etxt"]
    cells = [ParadigmCell("dog", form, "N;SG") for form in forms]
    item = make_item("=s1", WORDS, 1, Paradigms(cells))
    write_sheet(tmp_path, [item], "english")
    page = (tmp_path / "sheet.html").read_text()
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page)[1]
    code = re.findall("<script>(.*?)</script>", page, re.DOTALL)[-1]
    act = """
    const boxes = page.filter(each => each.tag == "input");
    for (const at of [1, boxes.length - 1]) { boxes[at].checked = true; boxes[at].done() }
    named.save.done();
    const texts = page.filter(each => each.tag == "bdi").map(each => each.textContent);
    process.stdout.write(JSON.stringify([saved, texts]));
    """
    script = BROWSER.replace("DATA", json.dumps(data)) + code.replace('"use strict";', "") + act
    answer = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    saved, texts = json.loads(answer.stdout)
    lines = (tmp_path / "sheet.tsv").read_text().splitlines()
    assert saved.splitlines() == [*lines[:2], lines[2][:-2] + '"x"', *lines[3:]]
    assert texts == ["dogs", "-ak", '"Bai"', "a;=1", r"exe\u202etxt", "done"]
    (tmp_path / "back.tsv").write_text(saved)
    assert read_annotations(tmp_path / "back.tsv", [item]) == {"=s1:2": {"dogs", "-ak"}}


def test_the_page_has_the_cells_of_the_table(page, tmp_path):
    cells = json.loads(re.search(r"const cells = (.*);", page)[1])
    lines = [
        "\t".join([common, form, mark])
        for (common, forms) in cells
        for form, mark in zip(forms, ['"x"', '""'], strict=True)
    ]
    assert lines == (tmp_path / "sheet.tsv").read_text().splitlines()[1:]

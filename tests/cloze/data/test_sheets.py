"""The page for annotators: everything in one file, nothing of a sentence is markup."""

import json
import re

import pytest

from kasu.base.tables import read_tsv
from kasu.cloze.data.annotations import SHEET, make_item, read_annotations, sheet_rows
from kasu.cloze.data.sentences import Word
from kasu.cloze.data.sheets import write_sheet
from kasu.corpora.unimorph import Cell, Paradigms

WORDS = [Word('"</script><b>', "x", "PUNCT"), Word("dogs", "dog", "N;PL")]


@pytest.fixture
def item():
    cells = [Cell("dog", "dog", "N;SG"), Cell("dog", "dogs", "N;PL")]
    return make_item("s1", WORDS, 1, Paradigms(cells))


@pytest.fixture
def page(item, tmp_path):
    write_sheet(tmp_path, [item], "english")
    return (tmp_path / "sheet.html").read_text()


def test_the_table_is_a_sheet_that_can_be_read_back(item, page, tmp_path):
    assert read_tsv(tmp_path / "sheet.tsv", SHEET) == list(sheet_rows([item]))
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

"""A page with one of everything."""

import copy
import json
import shutil
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from kasu.figures.comparison import draw_comparison
from kasu.files.tables import write_counts, write_drops, write_text, write_tsv
from kasu.report.page import build_page
from kasu.results.comparison import TABLE
from kasu.results.study import Data, StudyReport

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
def build(inputs, tmp_path):
    """Builds the page and returns it; all its elements close."""

    def run(**options):
        build_page(tmp_path / "index.html", **inputs, **options)
        page = (tmp_path / "index.html").read_text(encoding="utf-8")
        Elements(page)
        return page

    return run


@pytest.fixture
def page(build):
    return build()


@pytest.fixture
def on(inputs, build):
    """Builds the page of a run on other data than the paper's."""

    def run(data, **options):
        inputs["studies"] = [replace(study, data=data) for study in inputs["studies"]]
        return build(**options)

    return run


@pytest.fixture
def table_rows():
    """The rows of the table, to be changed."""
    return copy.deepcopy(ROWS)


@pytest.fixture
def write_rows(tmp_path):
    """Writes the table anew."""
    return lambda rows: write_tsv(tmp_path / TABLE_FILE, rows, TABLE)


@pytest.fixture
def elements():
    """What a page holds, by kind."""
    return Elements

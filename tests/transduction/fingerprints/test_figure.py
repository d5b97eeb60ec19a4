"""The figure of fingerprints: a line per row of the table, and the same bytes every time."""

import warnings

import defusedxml.ElementTree

from kasu.files.tables import write_tsv
from kasu.transduction.fingerprints import figure
from kasu.transduction.fingerprints.figure import draw_fingerprints
from kasu.transduction.fingerprints.tables import DIFFERENCES, FINGERPRINTS

KEY = {"system": "uzh-single", "variant": "released", "setting": "low", "column": "uzh-01"}
ROW = KEY | {
    "languages": 2, "difference": 0.01, "low": -0.01, "high": 0.03, "expected": 0, "margin": 0.02,
    "verdict": "consistent",
}  # fmt: skip
ALONE = {
    "system": "racai-01", "setting": "high", "column": "racai-01", "languages": 1,
    "difference": 0.05, "expected": 0, "verdict": "uninformative",
}  # fmt: skip


def draw(folder, *rows):
    folder.mkdir(exist_ok=True)
    cells = [
        {name: row.get(name) for name in KEY} | {"language": f"l{n}", "difference": 0.01 * n}
        for row in rows
        for n in range(row["languages"])
    ]
    write_tsv(folder / "t.tsv", rows, FINGERPRINTS)
    write_tsv(folder / "d.tsv", cells, DIFFERENCES)
    draw_fingerprints(folder / "t.tsv", folder / "d.tsv", folder / "f.svg")
    return (folder / "f.svg").read_text(encoding="utf-8")


def labels(svg):
    return {line.strip(" <!->\n") for line in svg.splitlines() if line.strip().startswith("<!--")}


def test_each_row_is_a_line_with_its_verdict(tmp_path):
    svg = draw(tmp_path, ROW, ALONE)
    assert {
        "uzh-single released / uzh-01, low",
        "2 languages: consistent",
        "racai-01, high",
        "1 language: uninformative",
    } <= labels(svg)
    assert defusedxml.ElementTree.fromstring(svg).tag.endswith("svg")


def test_a_row_without_margin_or_interval_has_no_band_and_no_bar(tmp_path):
    with_both, without = (draw(tmp_path / n, row) for n, row in (("a", ROW), ("b", ALONE)))
    assert with_both.count("FillBetweenPolyCollection") == 1
    assert without.count("FillBetweenPolyCollection") == 0


def test_without_rows_it_says_so(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "no system of this run has a published column beside it" in labels(draw(tmp_path))


def test_the_same_bytes_twice(tmp_path):
    assert draw(tmp_path / "a", ROW, ALONE) == draw(tmp_path / "b", ROW, ALONE)


def test_each_line_has_the_dots_of_its_own_languages(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(figure, "_draw_line", lambda axis, y, row, points: drawn.append(points))
    # Two rows of one name, over other languages
    draw(tmp_path, ROW, ROW | {"languages": 3}, ALONE)
    assert drawn == [[0, 1], [0, 1, 2], [0]]

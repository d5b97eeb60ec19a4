"""The figure: what it draws, and the same bytes every time."""

import defusedxml.ElementTree
import pytest

from kasu.base.errors import KasuError
from kasu.figures.comparison import draw_comparison
from kasu.files.tables import write_tsv
from kasu.results.comparison import TABLE

ROW = {
    "paper": "basque2018", "table": "Table 4", "system": "BiLSTM", "condition": "Base|dative",
    "metric": "accuracy", "unit": "percent", "variant": "paper",
    "ours": 0.95, "low": 0.94, "high": 0.96,
    "published": 0.98, "printed": "98.0",
}  # fmt: skip
NULL = ROW | {"system": "majority", "ours": 0.9, "published": None, "printed": None}
NOT_RUN = ROW | {
    "condition": "No -ak|dative", "variant": None, "ours": None, "low": None, "high": None
}  # fmt: skip


def draw(folder, rows, title="A title & more"):
    write_tsv(folder / "t.tsv", rows, TABLE)
    draw_comparison(folder / "t.tsv", folder / "t.svg", title)
    return (folder / "t.svg").read_text(encoding="utf-8")


def test_equal_tables_give_equal_bytes(tmp_path):
    (tmp_path / "again").mkdir()
    assert draw(tmp_path, [ROW, NULL]) == draw(tmp_path / "again", [ROW, NULL])


def test_a_pdf_of_the_same_bytes_each_time_stands_beside_the_figure(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        draw(tmp_path / folder, [ROW, NULL])
    drawn, again = ((tmp_path / folder / "t.pdf").read_bytes() for folder in ("a", "b"))
    assert drawn == again
    assert drawn.startswith(b"%PDF-") and drawn.rstrip().endswith(b"%%EOF")
    assert b"Date" not in drawn and b"Matplotlib" not in drawn


def test_a_tall_panel_has_its_scale_at_both_ends(tmp_path):
    lines = [ROW | {"condition": f"Base|{number}"} for number in range(13)]
    low = draw(tmp_path, lines[:12])
    tall = draw(tmp_path, lines)
    assert (low.count("<!-- accuracy, % -->"), tall.count("<!-- accuracy, % -->")) == (1, 2)
    ticks = "<!-- 98.0 -->"
    assert (low.count(ticks), tall.count(ticks)) == (1, 2)


def test_the_figure_is_whole_xml_with_text_as_paths(tmp_path):
    svg = draw(tmp_path, [ROW, NULL])
    assert defusedxml.ElementTree.fromstring(svg).tag.endswith("svg")
    assert "<text" not in svg


def test_ink_takes_the_colour_of_the_page(tmp_path):
    svg = draw(tmp_path, [ROW])
    assert "currentColor" in svg and "#010203" not in svg


def test_the_figure_holds_no_time_and_no_address_to_load(tmp_path):
    svg = draw(tmp_path, [ROW])
    assert "<dc:date" not in svg and "<image" not in svg and 'href="http' not in svg


def labels(svg):
    return {line.strip() for line in svg.splitlines() if line.strip().startswith("<!--")}


def test_only_conditions_of_ours_are_drawn(tmp_path):
    assert "<!-- No -ak · dative -->" not in labels(draw(tmp_path, [ROW, NOT_RUN]))


def test_only_metrics_of_ours_are_drawn(tmp_path):
    not_run = NOT_RUN | {"condition": "Base|dative", "metric": "recall"}
    drawn = labels(draw(tmp_path, [ROW, not_run]))
    assert "<!-- accuracy, % -->" in drawn and "<!-- recall, % -->" not in drawn


def test_figures_of_ours_in_no_printed_metric_are_drawn(tmp_path):
    f1 = NULL | {"metric": "f1"}
    assert "<!-- f1, % -->" in labels(draw(tmp_path, [NOT_RUN, f1]))


def test_without_ours_the_published_figures_are_drawn(tmp_path):
    drawn = labels(draw(tmp_path, [NOT_RUN]))
    assert "<!-- No -ak · dative -->" in drawn
    assert "<!-- published -->" in drawn


def test_figures_of_ours_beside_no_published_one_are_drawn_by_themselves(tmp_path):
    alone = {"condition": "Base|subject", "published": None, "printed": None}
    further = NULL | alone | {"metric": "precision"}
    drawn = labels(draw(tmp_path, [ROW | alone, NULL | alone, further, NOT_RUN]))
    assert {
        "<!-- BiLSTM: Base · subject -->", "<!-- majority: Base · subject -->",
        "<!-- accuracy, % -->", "<!-- ours, paper -->",
    } <= drawn  # fmt: skip
    assert not {"<!-- published -->", "<!-- precision, % -->"} & drawn


def test_every_kind_of_mark_is_in_the_legend(tmp_path):
    released = ROW | {"variant": "released"}
    assert {
        "<!-- published -->", "<!-- ours, paper -->", "<!-- ours, released -->",
        "<!-- majority -->",
    } <= labels(draw(tmp_path, [ROW, released, NULL]))  # fmt: skip


def test_figures_of_the_users_data_are_drawn_without_the_printed_ones(tmp_path):
    apart = {"published": None, "printed": None, "difference": None}
    mine = [ROW | apart, NULL | apart]
    theirs = ROW | {"ours": None, "low": None, "high": None}
    svg = draw(tmp_path, [*mine, theirs])
    assert "<!-- published -->" not in svg
    assert f"<!-- {ROW['system']}: {ROW['condition'].replace('|', ' · ')} -->" in svg
    assert f"<!-- {NULL['system']}: " in svg


def test_a_table_that_cannot_be_read_leaves_no_figure(tmp_path):
    with pytest.raises(KasuError):
        draw(tmp_path, [])
    assert not [*tmp_path.glob("t.[sp]*")]

"""Figure 9: what it draws, and the same bytes every time."""

import defusedxml.ElementTree
import pytest

from kasu.base.errors import KasuError
from kasu.blm.evaluation.figures import _read_panels, draw_errors
from kasu.blm.evaluation.scores import ERRORS
from kasu.files.tables import write_tsv


def row(train: str, test: str, label: str, share: object, reference: object, **changes) -> dict:
    cells = {"variant": "released", "regime": "allTrain", "train": train, "test": test}
    cells |= {"model": "FFNN", "label": label, "share": share, "reference": reference}
    return dict.fromkeys(ERRORS) | cells | changes


ROWS = [
    row("type_I", "type_I", "N2_alter", 0.1, 0.1),
    row("type_II", "type_I", "N2_alter", 0.3, 0.1),
    row("type_III", "type_I", "N2_alter", 0.05, 0.1),
    row("type_II", "type_II", "N2_alter", 0.2, 0.2),
    row("type_II", "type_II", "mis_num", 0.0, 0.0),
]


def draw(folder, rows, regime="allTrain"):
    write_tsv(folder / "t.tsv", rows, ERRORS)
    draw_errors(folder / "t.tsv", folder / "t.svg", "Errors & more", regime)
    return (folder / "t.svg").read_text(encoding="utf-8")


def comments(svg):
    return {line.strip()[4:-3].strip() for line in svg.splitlines() if "<!--" in line}


def test_equal_tables_give_equal_bytes(tmp_path):
    (tmp_path / "again").mkdir()
    assert draw(tmp_path, ROWS) == draw(tmp_path / "again", ROWS)


def test_the_figure_is_whole_xml_with_text_as_paths_and_ink_of_the_page(tmp_path):
    svg = draw(tmp_path, ROWS)
    assert defusedxml.ElementTree.fromstring(svg).tag.endswith("svg")
    assert "<text" not in svg and "<dc:date" not in svg and 'href="http' not in svg
    assert "currentColor" in svg and "#010203" not in svg


def test_panels_labels_and_legend(tmp_path):
    assert {
        "tested on type I", "tested on type II", "N2 alter", "mis num", "errors, %",
        "trained on the test's type", "more errors", "fewer errors", "trained on type III",
    } <= comments(draw(tmp_path, ROWS))  # fmt: skip


def test_bars_stand_on_the_reference_of_their_own_test(tmp_path):
    write_tsv(tmp_path / "t.tsv", ROWS, ERRORS)
    panels = _read_panels(tmp_path / "t.tsv", "allTrain")
    assert panels["FFNN, released", "type_I"]["N2_alter"] == {
        "type_I": (0.1, 0.1), "type_II": (0.3, 0.1), "type_III": (0.05, 0.1),
    }  # fmt: skip


def test_other_regimes_and_heuristics_are_left_out(tmp_path):
    other = row("type_I", "type_III", "N2_alter", 0.5, 0.5, regime="sameTrain")
    heuristic = row("", "type_III", "N2_alter", 0.5, None, model="random")
    assert draw(tmp_path, [*ROWS, other, heuristic]) == draw(tmp_path, ROWS)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([], r"t\.tsv: no error share of allTrain with a reference; expected one or more"),
        ([row("type_I", "type_I", "x", "many", 1)], r"t\.tsv:2: 'many', '1'; expected share and"),
    ],
)
def test_a_table_that_cannot_be_drawn_leaves_no_figure(tmp_path, rows, line):
    with pytest.raises(KasuError, match=line):
        draw(tmp_path, rows)
    assert not (tmp_path / "t.svg").exists()

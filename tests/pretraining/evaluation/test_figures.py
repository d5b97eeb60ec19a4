"""Drawn learning curves: reproducible SVG, and tables that cannot be drawn."""

import re
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_tsv
from kasu.pretraining.evaluation.curves import CURVES
from kasu.pretraining.evaluation.figures import draw_curves


def write_table(path: Path, *rows: tuple) -> Path:
    write_tsv(path, (dict(zip(CURVES, row, strict=True)) for row in rows), CURVES)
    return path


def table(folder: Path) -> Path:
    rows = [
        ("Figure 1", panel, "accuracy", "accuracy", epoch, 0.5, 0.4, 0.6, 0.45)
        for panel in ("BERT4L-eu5M", "BERT8L-eu5M")
        for epoch in (1, 2, 4, 128)
    ]
    rows.append(("Figure 1", "BERT8L-eu5M", "train loss", "loss", 1, 1.0, None, None, None))
    rows.append(("Figure 1", "BERT8L-eu5M", "train loss", "loss", 2, 0.0, None, None, None))
    rows.append(("Figure 1", "BERT8L-eu5M", "accuracy", "accuracy", 256, None, None, None, 0.9))
    return write_table(folder / "curves.tsv", *rows)


def test_drawing_depends_on_the_table_alone(tmp_path):
    drawn = []
    for name in ("a.svg", "b.svg"):
        draw_curves(table(tmp_path), tmp_path / name, "Figure 1", "Figure 1")
        drawn.append((tmp_path / name).read_text())
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith("<?xml") and not re.search(r"nan|inf", drawn[0])


@pytest.mark.parametrize(
    ("row", "name", "message"),
    [
        (("Figure 1", "p", "l", "accuracy", "x", 0, 0, 0, 0), "Figure 1", r"curves\.tsv:2: .*'x'"),
        (("Figure 1", "p", "l", "accuracy", 0, 0, 0, 0, 0), "Figure 1", "epoch 0; expected 1"),
        (("Figure 1", "p", "l", "accuracy", 1, 0, 0, 0, 0), "Figure 2", "no curve of Figure 2"),
    ],
)
def test_tables_that_cannot_be_drawn(tmp_path, row, name, message):
    with pytest.raises(KasuError, match=message):
        draw_curves(write_table(tmp_path / "curves.tsv", row), tmp_path / "f.svg", "t", name)

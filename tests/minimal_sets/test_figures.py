"""Figure 3: what it draws, and the same bytes every time."""

import defusedxml.ElementTree
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_tsv
from kasu.minimal_sets.evaluation.scores import PROBABILITIES
from kasu.minimal_sets.figures import _read_panels, draw_probabilities
from kasu.minimal_sets.pairs.figure import draw_pair_scores
from kasu.minimal_sets.pairs.tables import SCORES

ROWS = [
    dict.fromkeys(PROBABILITIES)
    | dict(zip(PROBABILITIES[:7], ("released", "word", "toy", *cells), strict=True))
    for cells in (("A", "nom", False, 0.1), ("A", "erg", True, 0.3), ("B", "nom", False, 0.2),
                  ("B", "erg", True, 0.5))
]  # fmt: skip


def draw(folder, rows, variant="released"):
    write_tsv(folder / "t.tsv", rows, PROBABILITIES)
    draw_probabilities(folder / "t.tsv", folder / "t.svg", "Figure 3 & more", variant)
    return (folder / "t.svg").read_text(encoding="utf-8")


def test_each_system_is_a_point(tmp_path):
    draw(tmp_path, ROWS)
    panels, right = _read_panels(tmp_path / "t.tsv", "released", ())
    assert panels == {"toy": {"nom": [0.1, 0.2], "erg": [0.3, 0.5]}}
    assert right == {"toy": "erg"}
    assert _read_panels(tmp_path / "t.tsv", "released", ["B"])[0]["toy"]["nom"] == [0.2]


def test_without_a_model_that_scores_forms_there_is_no_figure(tmp_path):
    with pytest.raises(KasuError, match="no model scores forms: all are causal"):
        draw(tmp_path, ROWS, None)


def test_equal_tables_give_equal_bytes(tmp_path):
    (tmp_path / "again").mkdir()
    assert draw(tmp_path, ROWS) == draw(tmp_path / "again", ROWS)


def test_it_is_svg_with_its_title(tmp_path):
    svg = draw(tmp_path, ROWS)
    assert defusedxml.ElementTree.fromstring(svg).tag.endswith("svg")
    assert "Figure 3 &amp; more" in svg or "<!-- Figure 3 & more -->" in svg


def test_sentence_level_is_left_out(tmp_path):
    with pytest.raises(KasuError, match="no probability at word level of released"):
        draw(tmp_path, [row | {"level": "sentence", "mean_probability": None} for row in ROWS])


def test_what_is_no_number_is_refused(tmp_path):
    with pytest.raises(KasuError, match="expected a number"):
        draw(tmp_path, [ROWS[0] | {"mean_probability": "high"}])


def test_pairs_by_attractors_and_distance(tmp_path):
    rows = [
        dict.fromkeys(SCORES)
        | {"set": name, "phenomenon": phenomenon, "by": by, "group": group, "system": system,
           "share": 0.5, "low": 0.4, "high": 0.6, "pairs": pairs}
        for name, phenomenon, pairs in (("many", "all", 10), ("few", "all", 9),
                                        ("part", "SV-#", 10))
        for by, group in (("", ""), ("attractors", "0"), ("attractors", "1 or more"),
                          ("distance", "2–3"))
        for system in ("nearest noun", "gpt")
    ]  # fmt: skip
    write_tsv(tmp_path / "t.tsv", rows, SCORES)
    draw_pair_scores(tmp_path / "t.tsv", tmp_path / "t.svg")
    drawn = (tmp_path / "t.svg").read_text("utf-8")
    shown = ("many", "few", "part", "0", "1+", "2–3", "nearest noun", "gpt")
    assert [f"<!-- {text} -->" in drawn for text in shown] == [True, False, False, *[True] * 5]
    write_tsv(tmp_path / "t.tsv", [], SCORES)
    draw_pair_scores(tmp_path / "t.tsv", tmp_path / "t.svg")
    assert (tmp_path / "t.pdf").is_file()

"""Names in figures: shown as they are, whatever they hold."""

import re
import warnings

import defusedxml.ElementTree
import pytest
from matplotlib.figure import Figure

from kasu.figures.style import figure_style, legend_entries, write_figure


def draw(path, name):
    """A figure with a name in its title, at an axis and in its legend; its labels."""
    with figure_style("names"):
        drawing = Figure(figsize=(4, 3), layout="constrained")
        drawing.suptitle(name)
        axis = drawing.subplots()
        axis.plot([0, 1], [0, 1], label=f"{name} 1")
        axis.errorbar([0], [0], yerr=[[0], [1]], label=f"{name} 2")
        axis.set_yticks([0, 1], [f"{name} 3", "b"])
        entries = legend_entries([axis])
        drawing.legend(entries.values(), entries, loc="outside lower center")
        write_figure(drawing, path)
    svg = path.read_text(encoding="utf-8")
    assert defusedxml.ElementTree.fromstring(svg).tag.endswith("svg")
    return [
        comment.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        for comment in re.findall("<!-- (.*?) -->", svg)
    ], svg


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("$\\frac{1}$", "$\\frac{1}$"),  # of which TeX makes an error
        ("a $x^2$ b", "a $x^2$ b"),
        ("5 $", "5 $"),
        ("<b onload='x'>&amp;", "<b onload='x'>&amp;"),
        ("{0} %s \\n", "{0} %s \\n"),
        ("_mine", "_mine"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\x00b", r"a\x00b"),
        ("exe\u202etxt", r"exe\u202etxt"),
        ("a\ufffe", r"a\ufffe"),
        ("שלום", "שלום"),
    ],
)
def test_a_name_is_shown_as_it_is(tmp_path, name, shown):
    labels, _ = draw(tmp_path / "a.svg", name)
    assert {shown, f"{shown} 1", f"{shown} 2", f"{shown} 3"} <= set(labels)


@pytest.mark.parametrize(
    ("name", "shown"), [("$x$", "$x$"), ("k\u202elm", r"k\u202elm"), ("\x1b[1m", r"\x1b[1m")]
)
def test_it_is_drawn_letter_by_letter(tmp_path, name, shown):
    _, svg = draw(tmp_path / "a.svg", name)
    # DejaVu Sans numbers its letters as ASCII does, from 29 lower
    glyphs = re.findall(r'href="#DejaVuSans-([0-9a-f]+)"', svg)
    drawn = "".join(chr(29 + int(glyph, 16)) for glyph in glyphs)
    assert drawn.count(shown) == 4


def test_letters_that_the_font_lacks_are_boxes_and_a_warning(tmp_path):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        labels, _ = draw(tmp_path / "a.svg", "漢")
    assert "漢" in labels
    assert {"6F22" in str(each.message) for each in said} == {True}


def test_a_drawing_that_cannot_be_finished_leaves_neither_file(tmp_path, monkeypatch):
    finish = Figure.savefig

    def fail_in_pdf(drawing, part, format, **options):
        finish(drawing, part, format=format, **options)
        if format == "pdf":
            raise OSError("no space left")

    monkeypatch.setattr(Figure, "savefig", fail_in_pdf)
    with pytest.raises(OSError, match="no space left"):
        write_figure(Figure(), tmp_path / "a.svg")
    assert [*tmp_path.iterdir()] == []


def test_lines_without_a_name_are_no_entry():
    axis = Figure().subplots()
    axis.plot([0], [0])
    axis.errorbar([0], [0], yerr=[[1], [1]])
    axis.axhline(1, label="published")
    assert list(legend_entries([axis])) == ["published"]

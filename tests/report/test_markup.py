"""Figures and captions on the page: what draws and marks up text passes, all else is one line."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from kasu.base.errors import KasuError
from kasu.figures.style import figure_style, write_figure
from kasu.report.markup import inline_caption, inline_svg, split_caption

ROOT = Path(__file__).resolve().parents[2]
SVG = (
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" '
    'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">{}</svg>'
)
SHAPES = "one of svg, style, pattern, path, use, g, defs, clipPath, rect"


def figure(folder, content):
    (folder / "f.svg").write_text(SVG.format(content))
    return inline_svg(folder / "f.svg", "t")


def caption(folder, text):
    (folder / "c.rst").write_text(text, encoding="utf-8")
    return inline_caption(folder / "c.rst", "t")


def test_a_figure_becomes_an_element_with_ids_of_its_own(tmp_path):
    content = (
        '<defs><clipPath id="c"><rect x="0"/></clipPath><path id="p" d="M 0 0"/></defs>'
        '<use xlink:href="#p" style="fill: none" clip-path="url(#c)"/>'
    )
    assert figure(tmp_path, content) == (
        '<svg viewBox="0 0 1 1" role="img" aria-labelledby="t-figure">'
        '<defs><clipPath id="t-c"><rect x="0" /></clipPath><path id="t-p" d="M 0 0" /></defs>'
        '<use href="#t-p" style="fill: none" clip-path="url(#t-c)" /></svg>'
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<script>a()</script>", f"an element <script>; expected {SHAPES}"),
        ("<foreignObject/>", f"an element <foreignObject>; expected {SHAPES}"),
        ('<a href="javascript:a()"/>', f"an element <a>; expected {SHAPES}"),
        ('<image href="https://e.example/x.png"/>', f"an element <image>; expected {SHAPES}"),
        ("<g><animate/></g>", f"an element <animate>; expected {SHAPES}"),
        ("<style>@import 'https://e.example';</style>", f"an element <style>; expected {SHAPES}"),
        ("<style>*{display: none}</style>", f"an element <style>; expected {SHAPES}"),
        (
            '<p xmlns="http://www.w3.org/1999/xhtml"/>',
            f"an element <{{http://www.w3.org/1999/xhtml}}p>; expected {SHAPES}",
        ),
        ('<g onload="a()"/>', "onload='a()' of <g>; expected shapes and text alone"),
        (
            '<use xlink:href="https://e.example/x#a"/>',
            "href='https://e.example/x#a' of <use>; "
            "expected a place within the file, or https:// in a caption",
        ),
        (
            '<path style="fill: url(x)"/>',
            "style='fill: url(x)' of <path>; expected a style without addresses",
        ),
        (
            '<path style="fill: u\\72l(//e.example)"/>',
            "style='fill: u\\\\72l(//e.example)' of <path>; expected a style without addresses",
        ),
        (
            '<g clip-path="URL(x)"/>',
            "clip-path='URL(x)' of <g>; expected a style without addresses",
        ),
        (
            "<g>",
            "unreadable markup (mismatched tag: line 1, column 127); "
            "expected well-formed, no entity",
        ),
        (
            "<g>\x1b</g>",
            "unreadable markup (not well-formed (invalid token): line 1, column 125); "
            "expected well-formed, no entity",
        ),
    ],
)
def test_a_figure_that_does_more_than_draw_is_one_line(tmp_path, content, message):
    with pytest.raises(KasuError) as raised:
        figure(tmp_path, content)
    assert str(raised.value) == f"{tmp_path}/f.svg: {message}"


@pytest.mark.parametrize(
    ("start", "end"), [('<!DOCTYPE svg [<!ENTITY x "y">]>', ""), ("", "<script>a()</script>")]
)
def test_entities_and_what_follows_a_figure_are_one_line(tmp_path, start, end):
    svg = SVG.format("").removeprefix('<?xml version="1.0"?>')
    (tmp_path / "f.svg").write_text(start + svg + end)
    with pytest.raises(KasuError, match=r"f\.svg: unreadable markup \(.*\); expected well-formed"):
        inline_svg(tmp_path / "f.svg", "t")


@pytest.mark.parametrize(
    "hidden",
    [
        "<!--><script>a()</script>-->",  # HTML ends this comment at its first >
        "<?x ><script>a()</script>?>",  # and this instruction
        "<g><![CDATA[<script>a()</script>]]></g>",
    ],
)
def test_markup_that_only_html_sees_is_gone(tmp_path, hidden):
    assert "<script" not in figure(tmp_path, hidden)


def test_what_matplotlib_draws_passes(tmp_path):
    with figure_style("x"):
        drawing = Figure()
        drawing.suptitle("--> <script>")
        axis = drawing.subplots()
        axis.bar([1, 2], [1, 2], hatch="//")
        axis.fill_between([0, 1], [0, 1])
        axis.plot([0, 1], "--", marker="D")
        write_figure(drawing, tmp_path / "f.svg")
    assert "script" not in inline_svg(tmp_path / "f.svg", "t")


@pytest.mark.parametrize("path", sorted((ROOT / "workflow/report").glob("*.rst")), ids=str)
def test_each_caption_passes_and_holds_nothing_of_a_run(path):
    text = path.read_text(encoding="utf-8")
    # Snakemake's own report would read names in it as reStructuredText, with raw HTML
    assert path.name == "caption.rst" or "{{" not in text
    assert inline_caption(path, "t").startswith("<div><p>")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a *b* ``c``", '<p>a <em>b</em> <span class="docutils literal">c</span></p>'),
        ("<b> & |x|", "<p>&lt;b&gt; &amp; |x|</p>"),
        ("exe\u202etxt", r"<p>exe\u202etxt</p>"),
        (
            "`x <https://e.example/?a=1&b=2>`_",
            '<p><a class="reference external" href="https://e.example/?a=1&amp;b=2">x</a></p>',
        ),
        (".. raw:: html\n\n   <script>a()</script>", ""),
        (".. include:: /etc/passwd", ""),
        (".. csv-table::\n   :file: /etc/passwd", ""),
    ],
)
def test_a_caption_is_text(tmp_path, text, html):
    assert caption(tmp_path, text).replace("\n", "") == f"<div>{html}</div>"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`x <javascript:a()>`_", "href='javascript:a()' of <a>"),
        ("`x <data:text/html,a>`_", "href='data:text/html,a' of <a>"),
        (".. image:: https://e.example/x.png", "an element <img>"),
        (".. |x| image:: y.svg\n\n|x|", "an element <img>"),
        (".. figure:: x.png\n   :target: javascript:a()", "an element <figure>"),
    ],
)
def test_a_caption_that_is_more_is_one_line(tmp_path, text, found):
    with pytest.raises(KasuError) as raised:
        caption(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path}/c.rst: {found}; expected ")


@pytest.mark.parametrize(
    ("text", "lead", "more"),
    [
        ("a *b*", "<p>a <em>b</em></p>", ""),
        ("a\n\nb\n\nc", "<p>a</p>", "<p>b</p><p>c</p>"),
        # What begins with no paragraph stays whole, whatever it holds
        ("* a\n\n  b", "<ul><li><p>a</p><p>b</p></li></ul>", ""),
        ("", "", ""),
    ],
)
def test_a_caption_is_divided_after_its_first_paragraph(tmp_path, text, lead, more):
    found = [each.replace("\n", "") for each in split_caption(caption(tmp_path, text))]
    assert found == [f"<div>{lead}</div>", f"<div>{more}</div>" if more else ""]

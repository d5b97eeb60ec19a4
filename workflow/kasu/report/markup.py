"""Figures and captions as markup of the page: only what draws and what marks up text passes."""

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, tostring

import defusedxml.ElementTree
from defusedxml import DefusedXmlException
from docutils.core import publish_parts

from kasu.base.errors import KasuError
from kasu.base.visible import visible

Allowed = Mapping[str, frozenset[str]]
"""The attributes that each element may have, beside `id`."""

_PLACE = frozenset({"x", "y", "width", "height", "transform", "clip-path", "style", "fill"})
SVG: Allowed = {
    "svg": frozenset({"width", "height", "viewBox", "version"}),
    "style": frozenset({"type"}),
    "pattern": _PLACE | {"patternUnits"},
    "path": _PLACE | {"d"},
    "use": _PLACE | {"href"},
    **dict.fromkeys(("g", "defs", "clipPath", "rect"), _PLACE),
}
"""What matplotlib draws with."""

TEXT: Allowed = {
    **dict.fromkeys(
        ("div", "p", "span", "em", "strong", "cite", "sub", "sup", "code", "ul", "ol", "li", "dl",
         "dt", "dd", "blockquote"),
        frozenset({"class"}),
    ),
    "a": frozenset({"class", "href"}),
}  # fmt: skip
"""What docutils marks up text with."""

_NAMESPACE = re.compile(r"\{http://www\.w3\.org/(2000/svg|1999/xlink)\}")
_RULE = "*{stroke-linejoin: round; stroke-linecap: butt}"  # matplotlib's: others may hide the page
_TARGET = re.compile(r"(?<=^#)|(?<=url\(#)")  # where the name of an id begins
# No strings, escapes and rules of `@`, and no addresses but `url(#…)`
_STYLE = re.compile(r"(?:(?!url\((?!#))[\w\s#%.,:;()*+-])*", re.IGNORECASE)


def inline_svg(path: Path, anchor: str) -> str:
    """Return an SVG as an element of the page, labelled by its caption `<anchor>-figure`.

    Raises:
        KasuError: it is not well-formed, or has more than shapes in their styles: scripts, links,
            images, text, or addresses outside of it.
    """
    text = path.read_text(encoding="utf-8")
    if "<svg" not in text:
        raise KasuError(path, "no <svg> element", "a figure in SVG")
    root = _parse(text, path)
    _make_own(root, path, SVG, anchor)
    root.attrib |= {"role": "img", "aria-labelledby": f"{anchor}-figure"}
    return tostring(root, encoding="unicode")


def inline_caption(path: Path, anchor: str) -> str:
    """Turn a caption in reStructuredText into HTML, without raw HTML and files that it names.

    Raises:
        KasuError: it has more than text and links to `https://`, as an image.
    """
    safe = {"raw_enabled": False, "file_insertion_enabled": False, "report_level": 5}
    text = path.read_text(encoding="utf-8")
    html = publish_parts(text, writer="html5", settings_overrides=safe)["fragment"]
    root = _parse("<div>" + visible(html, kept="\n") + "</div>", path)
    _make_own(root, path, TEXT, anchor)
    # To HTML, `<p/>` begins a paragraph
    return tostring(root, encoding="unicode", short_empty_elements=False)


def split_caption(caption: str) -> tuple[str, str]:
    """Divide a caption, as HTML, after its first paragraph; the second part may be empty.

    A caption that begins with something else stays whole.
    """
    root = defusedxml.ElementTree.fromstring(caption)
    if not len(root) or root[0].tag != "p":
        return caption, ""
    lead = Element("div")
    lead.append(root[0])
    root.remove(root[0])
    lead[0].tail = None
    more = tostring(root, encoding="unicode", short_empty_elements=False) if len(root) else ""
    return tostring(lead, encoding="unicode", short_empty_elements=False), more


def _parse(text: str, path: Path) -> Element:
    try:
        return defusedxml.ElementTree.fromstring(text)
    except (ParseError, DefusedXmlException) as error:
        reason = str(error).splitlines()[0]
        raise KasuError(path, f"unreadable markup ({reason})", "well-formed, no entity") from error


def _make_own(root: Element, path: Path, allowed: Allowed, anchor: str) -> None:
    """Check all elements, and let their ids begin with the anchor, which keeps them unique.

    The tree has lost comments and instructions, which end elsewhere in HTML than in XML.
    """
    for element in root.iter():
        element.tag = _NAMESPACE.sub("", element.tag)
        if element.tag not in allowed or (element.tag == "style" and element.text != _RULE):
            raise KasuError(path, f"an element <{element.tag}>", f"one of {', '.join(allowed)}")
        given = {_NAMESPACE.sub("", name): value for name, value in element.items()}
        element.attrib.clear()
        for name, value in given.items():
            found = f"{name}={value[:60]!r} of <{element.tag}>"
            if name not in allowed[element.tag] | {"id"}:
                raise KasuError(path, found, "shapes and text alone")
            if name in ("style", "fill", "clip-path") and not _STYLE.fullmatch(value):
                raise KasuError(path, found, "a style without addresses")
            if name == "href" and not _leads_well(value, allowed):
                raise KasuError(path, found, "a place within the file, or https:// in a caption")
            element.set(name, re.sub(r"^(?=.)" if name == "id" else _TARGET, f"{anchor}-", value))


def _leads_well(link: str, allowed: Allowed) -> bool:
    return link.startswith("#") or (allowed is TEXT and link.startswith("https://"))

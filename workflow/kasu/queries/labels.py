"""The parts of an edge label, as in Grew's configurations `ud` and `sud` (its library conll 1.19).

`comp:aux@tense` is 1=comp, 2=aux, deep=tense. In UD no label has `$` or `@`, so one rule serves
both. Edges are those of the basic tree, so no label has the part `enhanced`.
"""

from functools import lru_cache

# What follows a mark, in the order in which they are looked for
EXTENSIONS = (("2", ":"), ("subsem", "$"), ("deep", "@"), ("type", "/"))
PARTS = ("1", *(name for name, _ in EXTENSIONS))
SPANS = ("length", "delta")  # features of an edge that are numbers: the distance of its ends
EDGE_FEATURES = ("label", *PARTS, *SPANS)
ENHANCED = "enhanced"  # a part, and
ENHANCED_PREFIX = "E:"  # how it shows in the label
BASIC = "edges are those of the basic tree"


@lru_cache(1 << 14)
def label_parts(label: str) -> dict[str, str]:
    """Return the parts of a label by name; an empty label has none. Calls share the result."""
    parts, name = {}, "1"
    for following, mark in EXTENSIONS:
        part, found, rest = label.partition(mark)
        if found:
            parts[name] = part
            name, label = following, rest
    return parts | {name: label} if label or parts else parts


def label_part(label: str, name: str) -> str | None:
    """Return a feature of a label: `label`, the whole, or one of PARTS."""
    return label if name == "label" else label_parts(label).get(name)

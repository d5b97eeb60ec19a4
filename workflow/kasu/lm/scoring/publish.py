"""Accuracies and comparisons for a paper: LaTeX tables, and the sources that were used."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from kasu.base.visible import visible
from kasu.lm.scoring.accuracy import ALL, UNTRAINED, Accuracy
from kasu.lm.scoring.clusters import SAYS
from kasu.lm.scoring.compare import MCNEMAR, Comparison, System

SOURCES = Path(__file__).with_name("sources.bib")
_KEYWORDS = re.compile(r",\n\s*keywords\s*= \{(.*)\}")
# Of TeX; a backslash first, since the others bring some
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def latex(
    accuracies: Mapping[System, Sequence[Accuracy]], comparisons: Sequence[Comparison]
) -> str:
    """Return two tables: accuracies in per cent by group, and differences over all items.

    A comment says what items share, if they do.
    """
    lines = ["% \\usepackage{booktabs}"]
    lines += dict.fromkeys(
        f"% {SAYS.format(escape(row.cluster))}"
        for row in chain.from_iterable(accuracies.values())
        if row.cluster
    )
    lines += [*_accuracies(accuracies), ""]
    if comparisons:
        lines += [*_comparisons(comparisons), ""]
    return "\n".join(lines)


def _accuracies(accuracies: Mapping[System, Sequence[Accuracy]]) -> Iterator[str]:
    cells: dict[str | None, dict[System, str]] = {}
    for system, rows in accuracies.items():
        for row in rows:
            shown = "--"
            if row.accuracy is not None and row.low is not None and row.high is not None:
                shown = f"{_percent(row.accuracy)} ({_percent(row.low)}--{_percent(row.high)})"
            cells.setdefault(row.group, {})[system] = shown
    yield f"\\begin{{tabular}}{{l{'r' * len(accuracies)}}}"
    yield "\\toprule"
    yield " & ".join(["Items", *(escape(str(system)) for system in accuracies)]) + r" \\"
    yield "\\midrule"
    for group, by_system in cells.items():
        name = escape(ALL if group is None else group)
        yield " & ".join([name, *(by_system.get(each, "--") for each in accuracies)]) + r" \\"
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _comparisons(comparisons: Sequence[Comparison]) -> Iterator[str]:
    yield "\\begin{tabular}{llrrrr}"
    yield "\\toprule"
    yield r"A & B & Items & A $-$ B & $p$ & $p$ (Holm) \\"
    yield "\\midrule"
    for each in comparisons:
        if each.group is None:
            ends = f"{_signed(each.low)} to {_signed(each.high)}"
            numbers = [f"{each.items}", f"{_signed(each.difference)} ({ends})"]
            p = [_p(each.p), _p(each.holm_p)]
            yield " & ".join([escape(str(each.a)), escape(str(each.b)), *numbers, *p]) + r" \\"
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _signed(difference: float) -> str:
    return f"${100 * difference:+.1f}$"


def _p(value: float) -> str:
    return "$<0.001$" if value < 0.001 else f"{value:.3f}"


def escape(text: str) -> str:
    """Return a text as LaTeX prints it."""
    return "".join(_SPECIAL.get(each, each) for each in visible(text))


def bibtex(
    accuracies: Collection[System], comparisons: Sequence[Comparison], *, covariates: bool = False
) -> str:
    """Return the entries of SOURCES for the definitions and tests that were used, and Kasu's."""
    used = {"scores", "wilson"} | ({"covariates"} if covariates else set())
    used |= {system.definition.removesuffix(UNTRAINED) for system in accuracies}
    if comparisons:
        used.add("holm")
    if any(each.test == MCNEMAR for each in comparisons):
        used.add("mcnemar")
    found = []
    for entry in SOURCES.read_text(encoding="utf-8").strip().split("\n\n"):
        (words,) = _KEYWORDS.findall(entry)
        if used & set(words.split(", ")):
            found.append(_KEYWORDS.sub("", entry) + "\n")
    return "\n".join(found)

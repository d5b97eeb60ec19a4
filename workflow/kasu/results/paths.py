"""Paths of outputs, as rules write them: `<results>/agreement/datasets/{corpus}/train.parquet`."""

from collections.abc import Mapping
from pathlib import Path

RESULTS = "<results>"
PATHS = {
    "scores": "<results>/{study}/scores.parquet",
    "table": "<results>/{study}/tables/{table}.tsv",
    "figure": "<results>/{study}/figures/{table}.svg",
    "pdf": "<results>/{study}/figures/{table}.pdf",
    "examples": "<results>/{study}/examples.tsv",
    "warnings": "<results>/{study}/warnings.tsv",
    "report": "<results>/report/index.html",
}
"""The outputs that every study has, and the report."""


def pdf_of(figure: str | Path) -> Path:
    """Return the PDF that stands beside the SVG of a figure."""
    return Path(figure).with_suffix(".pdf")


class Paths:
    """The outputs of a part of the workflow, and those that every study has.

    Args:
        patterns: the outputs of its rules by name, under RESULTS, with wildcards in braces. A rule
            writes the same string, perhaps with words in place of wildcards.
        results: the folder that RESULTS stands for.
        study: the value of the wildcard `study`; empty if the part is not a study.
    """

    def __init__(self, patterns: Mapping[str, str], results: str, study: str = "") -> None:
        self.patterns, self.results, self.study = {**PATHS, **patterns}, results, study

    def __call__(self, name: str, /, **wildcards: object) -> str:
        """Return the path of an output, for the values of all its wildcards."""
        path = self.patterns[name].removeprefix(RESULTS)
        return f"{self.results}{path.format(**{'study': self.study, **wildcards})}"

"""Kasu in a notebook: what the commands do, as functions that return frames of pandas.

A frame has the columns of the file that the command writes. Errors are a KasuError with the line
that the command prints. Nothing is written but to the places that are named, and temporary files
elsewhere; warnings go to Python's logging, under the name `kasu`.
"""

import kasu.inflect as inflect
from kasu.base.errors import KasuError
from kasu.library.benchmarks import audit, export, score
from kasu.library.measured import record
from kasu.library.treebanks import build_set, query

__all__ = [
    "KasuError", "audit", "build_set", "export", "inflect", "query", "record", "score",
]  # fmt: skip

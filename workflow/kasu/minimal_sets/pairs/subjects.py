"""A subject as a controller: its value of a feature, and what stands between it and its target."""

from kasu.minimal_sets.data.validation import may_be
from kasu.queries.graph import Graph

NOMINAL = ("NOUN", "PROPN", "PRON")
LAYER = "__subj"
"""The layer of the subject where a verb agrees with several arguments: `Number[subj]`."""


def value_of(graph: Graph, at: int, feature: str) -> str | None:
    """Return the value of a noun or pronoun; nouns are third person; None if it states none."""
    stated = graph.column(feature)[at]
    if stated is None and feature == "Person" and graph.column("upos")[at] in ("NOUN", "PROPN"):
        return "3"
    return stated


def order(subject: int, target: int) -> str:
    """Return SV if the subject comes first, else VS."""
    return "SV" if subject < target else "VS"


def count_attractors(graph: Graph, subject: int, target: int, feature: str, right: str) -> int:
    """Count the nouns and pronouns between subject and target whose value is another.

    The word next to the target counts too.
    """
    first, last = sorted((subject, target))
    values = (_nominal_value(graph, at, feature) for at in range(first + 1, last))
    return sum(value is not None and not may_be({feature: value}, feature, right)
               for value in values)  # fmt: skip


def nearest_value(graph: Graph, target: int, feature: str) -> str | None:
    """Return the value of the last noun or pronoun before a target that has one, or None."""
    values = (_nominal_value(graph, at, feature) for at in range(target - 1, 0, -1))
    return next((value for value in values if value is not None), None)


def _nominal_value(graph: Graph, at: int, feature: str) -> str | None:
    return value_of(graph, at, feature) if graph.column("upos")[at] in NOMINAL else None

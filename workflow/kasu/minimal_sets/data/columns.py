"""The columns of a minimal set, built or released."""

from collections.abc import Sequence

import pyarrow as pa

from kasu.minimal_sets.data.paper import LANGUAGE
from kasu.sources.cards import as_text

_PAPER = (
    "Gallagher & Heyer (2026). Targeted Syntactic Evaluation of Language Models on Georgian Case "
    "Alignment. LoResLM. "
)

_BEFORE = {
    "item_id": (pa.string(), "set, sentence and target, stable"),
    "set": (pa.string(), "name of the set"),
    "sentence_id": (pa.string(), "of the treebank"),
    "match": (pa.int32(), "number of the match in its sentence, from 1"),
    "matches": (pa.int32(), "how many matches the sentence has"),
    "masked": (pa.string(), "the text, [MASK] in place of the target"),
    "grammatical": (pa.string(), "the right value, lower case"),
}
_AFTER = {
    "source_of_forms": (pa.string(), "for each value, where its form is from"),
    "target": (pa.int32(), "position of the target among the words, from 1"),
    "upos": (pa.string(), "part of speech of the target"),
    "lemma": (pa.string(), "lemma of the target"),
    "features": (pa.string(), "features of the target, as in the treebank"),
    "concord": (pa.int32(), "dependents of the target that show the right value too"),
    "aspect": (pa.string(), "of the verb"),
    "tense": (pa.string(), "of the verb"),
    "licence": (pa.string(), "of the sentence"),
    "note": (pa.string(), "what is known to be wrong with the item"),
}


def columns(values: Sequence[str]) -> dict[str, tuple[pa.DataType, str]]:
    """Return type and meaning by column; each value has a column `form_...`."""
    forms = {
        f"form_{v.lower()}": (pa.string(), f"the target with the value {as_text(v)}")
        for v in values
    }
    return _BEFORE | forms | _AFTER


def schema(values: Sequence[str]) -> pa.Schema:
    """Return the schema of a set with these values."""
    return pa.schema([(name, kind) for name, (kind, _) in columns(values).items()])


def meanings(values: Sequence[str]) -> dict[str, str]:
    """Return the meaning of each column, for the card."""
    return {name: meaning for name, (_, meaning) in columns(values).items()}


def citation(language: str) -> str:
    """Return what to cite for a set; the paper is about Georgian alone."""
    return f"{_PAPER if language == LANGUAGE else ''}Treebanks: see the sources."

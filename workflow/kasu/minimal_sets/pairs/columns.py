"""The columns of a set of agreement pairs; an item is a pair."""

from collections.abc import Mapping

import pyarrow as pa

from kasu.minimal_sets.pairs.design import RIGHT, WRONG

_COLUMNS = {
    "item_id": (pa.string(), "set, sentence, target and wrong value, stable"),
    "set": (pa.string(), "name of the set"),
    "treebank": (pa.string(), "the file of the sentence"),
    "sentence_id": (pa.string(), "file and sentence of the treebank"),
    "phenomenon": (
        pa.string(),
        "SV: a verb or auxiliary, SP: a participle; # number, P person, G gender",
    ),
    "condition": (pa.string(), "right value, wrong value, order and kind of target"),
    "right_value": (pa.string(), "of the feature, of the right form"),
    "wrong_value": (pa.string(), "of the feature, of the wrong form"),
    "order": (pa.string(), "SV: the subject comes first; VS: the target does"),
    "kind": (pa.string(), "of the target: verb, auxiliary or participle"),
    "sen": (pa.string(), "the sentence"),
    "wrong_sen": (pa.string(), "the sentence with the wrong form"),
    "masked": (pa.string(), "the text, [MASK] in place of the target"),
    "grammatical": (pa.string(), f"which form is right: {RIGHT}, always"),
    f"form_{RIGHT}": (pa.string(), "the target"),
    f"form_{WRONG}": (pa.string(), "the target with the wrong value"),
    "source_of_forms": (
        pa.string(),
        "of the wrong form: treebank or unimorph, with all features of the target; or closest, "
        "the closest of the treebank's where no word has these",
    ),
    "controller": (pa.string(), "the subject that the target agrees with"),
    "distance": (pa.int32(), "words from the subject to the target, 1 if they are neighbours"),
    "attractors": (pa.int32(), "nouns and pronouns between both whose value is another"),
    "nearest": (pa.string(), "value of the last noun or pronoun before the target that has one"),
    "right_tokens": (pa.int32(), "how often the treebanks have the right form"),
    "wrong_tokens": (pa.int32(), "how often they have the wrong form"),
    "target": (pa.int32(), "position of the target among the words, from 1"),
    "upos": (pa.string(), "part of speech of the target"),
    "lemma": (pa.string(), "lemma of the target"),
    "features": (pa.string(), "features of the target, as in the treebank"),
    "tense": (pa.string(), "of the target"),
    "aspect": (pa.string(), "of the target"),
    "certainty": (pa.string(), "by MultiBLiMP's rules: whether the language agrees, + ~ or ?"),
    "licence": (pa.string(), "of the sentence"),
}
SCHEMA = pa.schema([(name, kind) for name, (kind, _) in _COLUMNS.items()])
MEANINGS = {name: meaning for name, (_, meaning) in _COLUMNS.items()}

AGREEMENT = (
    "set", "feature", "kind", "value", "order", "subjects", "agree", "share", "low", "high", "kept",
)  # fmt: skip
"""Does the language agree at all? Of `subjects` with a value, in an order, the targets of `agree`
have it too; `share` with Wilson's interval. What is not `kept` makes no items."""
POOL = ("phenomenon", "sen", "wrong_sen")
"""The different pairs by MultiBLiMP's rules before their draw; none by Kasu's."""
PHENOMENA = {"#": "Number", "P": "Person", "G": "Gender"}
KINDS = {"verb": "SV", "auxiliary": "SV", "participle": "SP"}


def of_each(name: str, drops: Mapping[str, int]) -> dict[str, int]:
    """Return drops with the feature or the phenomenon whose pairs they are before each reason."""
    return {f"{name}: {reason}": count for reason, count in drops.items()}


def phenomenon(kind: str, feature: str) -> str:
    """Return the name of a phenomenon: SV-# for the number of a verb."""
    letter = next(sign for sign, name in PHENOMENA.items() if name == feature)
    return f"{KINDS[kind]}-{letter}"

"""Which sentences of minimal sets a model has seen in training."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from kasu.corpora.texts.sentences import mask, words
from kasu.lm.pretraining.texts import read_texts
from kasu.lm.scoring.items import FORM, MASK


def find_seen(
    sets: Iterable[Iterable[Mapping]], texts: Iterable[str | Path]
) -> set[tuple[str, str]]:
    """Find the items whose right sentence stands in a text, as (set, item_id).

    Sentences are compared word by word, with names and digits masked as for near copies (S-16).
    Texts are streamed: memory grows with the sets alone.

    Raises:
        KasuError: a text cannot be read.
    """
    items: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for item in (item for each in sets for item in each):
        sentence = item["masked"].replace(MASK, item[f"{FORM}{item['grammatical']}"])
        items.setdefault(_key(sentence), []).append((item["set"], item["item_id"]))
    found: set[tuple[str, str]] = set()
    for text in texts:
        for sentence in read_texts(text):
            # Items that are found are not looked for again
            found.update(items.pop(_key(sentence), ()))
    return found


def _key(sentence: str) -> tuple[str, ...]:
    return tuple(words(mask(sentence)))

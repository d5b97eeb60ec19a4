"""The targets of a split as items: what a system may learn from, and what it is asked."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path

import numpy as np

from kasu.cloze.data.names import split_setting
from kasu.cloze.data.sentences import HIDDEN, Seen, Sentence, see
from kasu.transduction.items import Context, Item, Token, read_tags


def read_split(path: Path, setting: str, split: str) -> list[Item]:
    """Read the items of a split in a setting; `split` is train, dev or test.

    Raises:
        KasuError: as `read_dataset`.
    """
    return read_items(path, split_setting(setting)[0], covered=split != "train")


def read_items(path: str | Path, track: str, *, covered: bool) -> list[Item]:
    """Read the targets of a split with their sentences, as a track shows them.

    Args:
        covered: whether forms and features of targets are hidden in the sentences, as in dev and
            test. The items themselves have their form in either case.

    Raises:
        KasuError: as `read_dataset`.
    """
    # Imported here, since reading the config must not cost pyarrow, and families import this module
    from kasu.cloze.data.datasets import read_dataset

    return [item for words in read_dataset(path) for item in _items(words, track, covered=covered)]


def sentences_of(items: Iterable[Item]) -> list[list[Item]]:
    """Group items by sentence; items of one sentence follow each other and share its tokens."""
    groups = groupby(items, key=lambda item: item.context and id(item.context.tokens))
    return [[*group] for _, group in groups]


def hold_out(items: Iterable[Item], tenth: int) -> tuple[list[Item], list[Item]]:
    """Divide items into items to learn and a held-out tenth of the sentences.

    `tenth` 0 is the first tenth.
    """
    sentences = sentences_of(items)
    first, last = (number * len(sentences) // 10 for number in (tenth, tenth + 1))
    kept = sentences[:first] + sentences[last:]
    return [*chain.from_iterable(kept)], [*chain.from_iterable(sentences[first:last])]


def draw_sentences(items: Iterable[Item], most: int, seed: int) -> list[Item]:
    """Return the items of `most` sentences, drawn at random, in their order; or all of them."""
    sentences = sentences_of(items)
    if len(sentences) > most:
        drawn = np.random.default_rng(seed).choice(len(sentences), most, replace=False)
        sentences = [sentences[place] for place in sorted(drawn)]
    return [*chain.from_iterable(sentences)]


def every_word(items: Iterable[Item], *, tagged: bool) -> list[Item]:
    """Return items for every word of the sentences of items, whose hidden forms are filled in.

    Args:
        tagged: if not, the other words have no lemma, and items are only of the words that are
            given.
    """
    found: list[Item] = []
    for sentence in sentences_of(items):
        tokens = [*sentence[0].context.tokens] if sentence[0].context else []
        for item in sentence:
            if item.context and item.target:
                place = item.context.place
                tokens[place] = tokens[place]._replace(form="".join(item.target))
        if tagged and tokens:
            found += (
                Item(
                    HIDDEN if token.lemma is None else token.lemma,
                    token.tags,
                    token.form,
                    Context(tokens, place),
                )
                for place, token in enumerate(tokens)
                if token.form
            )
        else:
            found += (
                item._replace(context=item.context and item.context._replace(tokens=tokens))
                for item in sentence
            )
    return found


def _items(words: Sentence, track: str, *, covered: bool) -> Iterator[Item]:
    seen = [see(word, track, covered=covered) for word in words]
    # Shared by all targets of the sentence
    tokens = [_token(each) for each in seen]
    for place, word in enumerate(words):
        if word.target:
            tags = tokens[place].tags
            yield Item(word.lemma or "", tags, word.form, Context(tokens, place))


def _token(seen: Seen) -> Token:
    return Token(seen.form, seen.lemma, read_tags(seen.features or ""))

"""The targets of a split as items: what a system may learn from, and what it is asked."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path

from kasu.cloze.data.names import split_setting
from kasu.cloze.data.sentences import Seen, Sentence, see
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

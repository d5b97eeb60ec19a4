"""A small treebank of sentences of the demo: the words that the grammar marks, and no more.

Arguments are nouns with case and number, verbs that agree are auxiliaries; other words have the
part of speech X. The first verb is the root, and everything hangs below it.
"""

import re
from collections.abc import Iterator, Sequence

from articles import Article
from grammar import Sentence
from lexicon import DEMO

TREEBANK = DEMO / "basque"
# Of so many sentences in a row, these are in a split; the rest is left out
SPLITS = {"train": range(4), "dev": range(4, 6), "test": range(6, 8)}
EVERY = 40
CASES = {"E": "Erg", "A": "Abs", "D": "Dat"}
EDGES = {"E": "nsubj", "A": "obj", "D": "iobj"}
NUMBERS = {"sg": "|Number=Sing", "pl": "|Number=Plur"}
WORD = re.compile(r"[\w-]+|[^\w\s]")


def path_of(split: str) -> str:
    """The name of a split's file below TREEBANK."""
    return f"eu_demo-ud-{split}.conllu"


def conllu(articles: Sequence[Article], split: str) -> str:
    """The sentences of a split as CoNLL-U."""
    sentences = [sentence for article in articles for sentence in article.sentences()]
    chosen = (each for at, each in enumerate(sentences) if at % EVERY in SPLITS[split])
    return "".join(_block(each, f"{split}-{at}") for at, each in enumerate(chosen, 1))


def _block(sentence: Sentence, name: str) -> str:
    words = WORD.findall(sentence.text)
    verbs = {clause.verb for clause in sentence.clauses}
    root = next((at for at, word in enumerate(words, 1) if word in verbs), 1)
    lines = [f"# sent_id = {name}", f"# text = {sentence.text}"]
    for at, (word, cells) in enumerate(_cells(sentence, words, verbs), 1):
        upos, feats, edge = cells
        head, edge = (0, "root") if at == root else (root, edge)
        space = "_" if _space_follows(sentence.text, words, at) else "SpaceAfter=No"
        lines.append(f"{at}\t{word}\t_\t{upos}\t_\t{feats}\t{head}\t{edge}\t_\t{space}")
    return "\n".join(lines) + "\n\n"


def _cells(
    sentence: Sentence, words: Sequence[str], verbs: set[str]
) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield each word with its part of speech, features and edge."""
    arguments = {
        argument.form.lower(): argument
        for clause in sentence.clauses
        for argument in clause.arguments
        if argument.mark in NUMBERS
    }
    for word in words:
        if not word[0].isalnum():
            yield word, ("PUNCT", "_", "punct")
        elif word in verbs:
            yield word, ("AUX", "_", "aux")
        elif argument := arguments.get(word.lower()):
            features = f"Case={CASES[argument.slot]}{NUMBERS[argument.mark]}"
            yield word, ("NOUN", features, EDGES[argument.slot])
        else:
            yield word, ("X", "_", "dep")


def _space_follows(text: str, words: Sequence[str], count: int) -> bool:
    """Whether a blank follows the first `count` words of a text."""
    rest = text
    for word in words[:count]:
        rest = rest.lstrip().removeprefix(word)
    return rest.startswith(" ")

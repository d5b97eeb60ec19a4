"""Files and sentences of a toy language, and what a family answers for it."""

import pytest

from kasu.cloze.data.sentences import Word
from kasu.cloze.families import FAMILIES
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session


@pytest.fixture
def answer(tmp_path):
    """Train a family without members of its own; give its best forms for lemmata asked for."""

    def run(family: str, train: list[tuple[str, str]], *lemmata: str) -> list[str]:
        learnt = [Item(lemma, (), form) for lemma, form in train]
        asked = [Item(lemma, ()) for lemma in lemmata]
        data = Data("en", "track1-low", learnt, learnt[:1], asked)
        found = FAMILIES.load(family).train(data, [Run()], {}, Session(tmp_path))[Run()]
        assert len(found.dev) == len(learnt[:1])
        return ["".join(answer.forms[0]) for answer in found.test]

    return run


@pytest.fixture
def sentences() -> list[list[Word]]:
    """Three targets: one with two forms that fit, one written with a capital."""
    return [
        [Word("The", "the", "DT"), Word("dogs", "dog", None, ("dogs", "dog"))],
        [Word("Barking", "bark", None, ("Barking",)), Word("dogs", "dog", "N;PL")],
        [Word("Dog", "dog", None, ("Dog",))],
    ]


@pytest.fixture
def written(tmp_path):
    """Write texts by name; give their paths."""

    def write(**texts):
        paths = {name: tmp_path / name for name in texts}
        for name, text in texts.items():
            paths[name].write_text(text)
        return paths

    return write


@pytest.fixture
def conllu(tmp_path):
    """Write sentences of words `form lemma UPOS FEATS` as CoNLL-U; a sentence is a list of them."""

    def write(name: str, *sentences: list[str]):
        path = tmp_path / name
        with path.open("w") as file:
            for number, words in enumerate(sentences, 1):
                file.write(f"# sent_id = {path.stem}-{number}\n")
                for at, word in enumerate(words, 1):
                    form, lemma, upos, feats = word.split(" ")
                    relation = "root" if at == 1 else "dep"
                    cells = (at, form, lemma, upos, "_", feats, int(at > 1), relation, "_", "_")
                    file.write("\t".join(map(str, cells)) + "\n")
                file.write("\n")
        return path

    return write

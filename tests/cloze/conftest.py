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

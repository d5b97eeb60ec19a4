"""A toy language in which the word before decides on the suffix."""

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kasu.cloze.families import FAMILIES
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data, Run, Session

DETERMINERS = {"one": "SG", "two": "PL"}
SUFFIXES = {"one": "a", "two": "ak"}


def sentence(determiner: str, lemma: str, track: str, *, covered: bool = False) -> Item:
    """An item between a determiner and a full stop."""
    number, form = DETERMINERS[determiner], lemma + SUFFIXES[determiner]
    full = track == "track1"
    tags = ("N", number) if full and not covered else ()
    tokens = [
        Token(determiner, determiner if full else None, ("DET", number) if full else ()),
        Token(None if covered else form, lemma, tags),
        Token(".", "." if full else None, ("PUNCT",) if full else ()),
    ]
    return Item(lemma, tags, form, Context(tokens, 1))


@pytest.fixture
def share_right(tmp_path: Path) -> Callable[..., float]:
    """Train a member of a family on 57 sentences; the share of right forms in 7 others."""
    pairs = [
        ("".join(letters), determiner)
        for letters in product("bdkm", "aeou", "ln")
        for determiner in DETERMINERS
    ]
    random.Random(1).shuffle(pairs)

    def trained(
        family: str, options: dict[str, Any], track: str = "track1", variant: str | None = None
    ) -> float:
        train = [sentence(determiner, lemma, track) for lemma, determiner in pairs[7:]]
        test = [sentence(other, lemma, track, covered=True) for lemma, other in pairs[:7]]
        asked = [item._replace(target=None) for item in test]
        data = Data("toy", f"{track}-medium", train, train[:7], asked)
        run = Run(variant, 1)
        answers: Any = FAMILIES.load(family).train(data, [run], options, Session(tmp_path))[run]
        pairs_of_forms = zip(answers.test, test, strict=True)
        return sum(answer.forms[0] == item.target for answer, item in pairs_of_forms) / len(test)

    return trained

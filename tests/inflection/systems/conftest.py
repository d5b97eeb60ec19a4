"""A toy language of two suffixes, for families to learn."""

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kasu.inflection.families import FAMILIES
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session


@pytest.fixture
def share_right(tmp_path: Path) -> Callable[..., float]:
    """Train a member of a family on 60 pairs; the share of right forms of other lemmata."""
    lemmas = ["".join(letters) for letters in product("bdkm", "aeo", "lnr")]
    items = [
        Item(lemma, tags, lemma + end)
        for lemma in lemmas
        for tags, end in ((("N", "SG"), "a"), (("N", "PL"), "ak"))
    ]
    random.Random(1).shuffle(items)
    train, held_out = items[:60], items[60:]
    asked = [item._replace(target=None) for item in held_out]

    def trained(
        family: str, options: dict[str, Any], variant: str | None = None, setting: str = "low"
    ) -> float:
        data = Data("toy", setting, train, held_out[:6], asked)
        run = Run(variant, 1)
        answers: Any = FAMILIES.load(family).train(data, [run], options, Session(tmp_path))[run]
        pairs = zip(answers.test, held_out, strict=True)
        return sum(answer.forms[0] == item.target for answer, item in pairs) / len(held_out)

    return trained

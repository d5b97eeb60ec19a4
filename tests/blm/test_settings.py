"""What the schema of the section `blm` cannot say."""

import pytest

from kasu.base.errors import KasuError
from kasu.blm.settings import check_settings


def settings(built: list[str], **answers: str) -> dict:
    variants = [{"name": name, "answers": kind} for name, kind in answers.items()]
    return {"variant": built, "training": {"variants": variants}}


def test_variants_of_answer_sets_that_are_built_pass():
    check_settings(settings(["released", "paper"], one="released", two="released", three="paper"))


def test_two_variants_of_one_name_are_one_line():
    twice = settings(["paper"], one="paper")
    twice["training"]["variants"] *= 2
    with pytest.raises(
        KasuError, match=r"training\.variants: 'one' twice; expected each name once"
    ):
        check_settings(twice)


def test_answer_sets_that_are_not_built_are_one_line():
    with pytest.raises(KasuError, match=r"'two' answers 'paper'; expected some of .*: released"):
        check_settings(settings(["released"], one="released", two="paper"))

"""Claims of the overview paper: on its own printed figures, and on ours."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from kasu.results.published import rounded
from kasu.results.verdicts import About, Claim, judge_claims

ABSENT = "no cell of ours in a language of the task"

Key = TypeVar("Key")


def judge_task(paper: str, of_print: Iterable[Claim], of_ours: Iterable[Claim]) -> list[dict]:
    """Judge claims on printed figures and claims on ours; return rows of CLAIMS."""
    printed = (replace(claim, about=About.PRINT) for claim in of_print)
    return judge_claims(paper, [*printed, *of_ours])


def largest(values: Mapping[Key, float]) -> Key:
    """Return the key of the largest value, the first of equals."""
    return max(values, key=lambda key: values[key])


def percent(value: float, digits: int = 2) -> Decimal:
    """Return a share as the paper prints it."""
    return rounded(value, digits, percent=True)

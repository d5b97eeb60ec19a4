"""Examples as the page shows them: an item, and who gave which answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kasu.results.examples import RIGHT, Answer, Example, read_examples

FOLDED = 4
"""An item with more lines of text opens at a click."""


@dataclass(frozen=True)
class Given:
    """One answer, and the systems that gave it."""

    text: str
    result: str
    systems: Sequence[str]


@dataclass(frozen=True)
class ShownOption:
    """An option, with its scores and with those that chose it."""

    name: str
    text: str
    right: bool
    scores: Sequence[tuple[str, str]]
    given: Sequence[Given]


@dataclass(frozen=True)
class ShownQuestion:
    """A question with its right answer, and the answers given."""

    name: str
    gold: str
    given: Sequence[Given]


@dataclass(frozen=True)
class Shown:
    """An example on the page.

    Attributes:
        result: of the system that items are drawn by; empty if none answered.
        other: answers that are none of the options.
        folded: whether it opens at a click.
    """

    item: str
    group: str
    language: str
    result: str
    texts: Sequence[tuple[str, str]]
    options: Sequence[ShownOption]
    other: Sequence[Given]
    questions: Sequence[ShownQuestion]
    folded: bool


@dataclass(frozen=True)
class Examples:
    """The examples of a study, and how they were drawn."""

    notes: Sequence[str]
    shown: Sequence[Shown]


def show_examples(path: str | Path) -> Examples:
    """Read the examples of a study; raises as `read_examples`."""
    notes, examples = read_examples(path)
    return Examples(notes, [_show(example) for example in examples])


def _show(example: Example) -> Shown:
    names = {option.name for option in example.options}
    return Shown(
        item=example.item,
        group=example.group,
        language=example.language,
        result=_result(example.answers),
        texts=example.texts,
        options=[
            ShownOption(
                option.name,
                option.text,
                option.right,
                [
                    (system, f"{score:.2f}".replace("-", "−"))
                    for (system, name), score in example.scores.items()
                    if name == option.name
                ],
                _gather(each for each in example.answers if each.text == option.name),
            )
            for option in example.options
        ],
        other=_gather(each for each in example.answers if each.text not in names),
        questions=[
            ShownQuestion(
                name, gold, _gather(each for each in example.answers if each.question == name)
            )
            for name, gold in example.gold
        ],
        folded=len(example.texts) > FOLDED,
    )


def _result(answers: Sequence[Answer]) -> str:
    """Return the result of the first system: right if all its answers are."""
    main = [each.result for each in answers if each.system == answers[0].system]
    return next((result for result in main if result != RIGHT), RIGHT) if main else ""


def _gather(answers: Iterable[Answer]) -> list[Given]:
    """Group equal answers, in the order of their first system."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in answers:
        found.setdefault((each.text, each.result), []).append(each.system)
    return [Given(text, result, systems) for (text, result), systems in found.items()]

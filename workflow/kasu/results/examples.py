"""Examples: ten items of a study with what systems answered, drawn by a rule and not by hand.

A mean says how often a system is right, but not whether the items ask what they should.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.base.visible import visible
from kasu.files.tables import read_tsv, write_tsv
from kasu.job.run import seed_of
from kasu.results.statistics import worth

COUNT = 10
UNIT = "Scores beside options are log probabilities, in nats."
"""The note of examples whose scores are of language models."""
GAP = "[…]"
RIGHT, WRONG, TIE = "right", "wrong", "tie"

TEXT, GOLD, OPTION, SCORE, ANSWER, NOTE = "text", "gold", "option", "score", "answer", "note"
EXAMPLES = (
    "number", "item", "group", "language", "part", "name", "text", "system", "score", "result",
)  # fmt: skip
"""One part of one example per row; examples are numbered from 1, and a note has no number.

`part` is `note` (how items were drawn, or why there is none), `text` (what is shown of the item),
`gold` (the right answer to a question), `option` (one of those to choose from), `score` (that of an
option, from one system) or `answer` (of one system). `name` is the heading of a text, a question or
an option; the `text` of an answer to an item with options is the name of one, and a tie has several
answers. `result` is `right`, `wrong`, `tie` or another word of the study; of an option, `right` or
empty. `language` is the code of the item's language."""


class Option(NamedTuple):
    """One of the answers that an item offers."""

    name: str
    text: str
    right: bool


class Answer(NamedTuple):
    """The answer of a system to one of the item's questions, and whether it is right."""

    system: str
    text: str
    result: str
    question: str = ""


@dataclass(frozen=True)
class Example:
    """An item with answers.

    Attributes:
        item: its name in the datasets.
        group: what kind of item it is.
        language: code of the language that it is in; empty if not known.
        texts: what is asked, line by line, each with a heading or none.
        gold: the right answers, by question; none where there are options.
        options: the answers to choose from; none where the answer is free.
        scores: what a system gives an option, by system and name of the option.
        answers: the system that items were drawn by comes first.
    """

    item: str
    group: str
    language: str = ""
    texts: Sequence[tuple[str, str]] = ()
    gold: Sequence[tuple[str, str]] = ()
    options: Sequence[Option] = ()
    scores: Mapping[tuple[str, str], float] = field(default_factory=dict)
    answers: Sequence[Answer] = ()


class Candidate(NamedTuple):
    """An item that may be drawn; `key` names it among all of the study."""

    result: str
    group: str
    key: tuple[str | int, ...]


class Drawn(NamedTuple):
    """The items drawn, in the order in which they are shown, and how many have each result."""

    items: list[Candidate]
    totals: Mapping[str, int]


def draw(candidates: Iterable[Candidate], seed: int, count: int = COUNT) -> Drawn:
    """Draw items by a hash of their names: results take turns, and so do groups.

    Which of two items of a group comes first depends on neither the order of the candidates nor
    the items of other groups. Memory grows with groups, not with items.
    """
    # For each result and group, keep the items with the smallest hashes: no others can be needed
    kept: dict[tuple[str, str], list[tuple[int, Candidate]]] = {}
    totals: Counter[str] = Counter()
    for each in candidates:
        totals[each.result] += 1
        heap = kept.setdefault((each.result, each.group), [])
        entry = (-seed_of(seed, *each.key), each)
        if len(heap) < count:
            heappush(heap, entry)
        else:
            heappushpop(heap, entry)
    # Results take turns; each gives an item of the group that was drawn from least
    waiting: dict[str, list[tuple[int, Candidate]]] = {}
    for (result, _), heap in kept.items():
        waiting.setdefault(result, []).extend((-number, each) for number, each in heap)
    turns = sorted(waiting, key=lambda result: (result != RIGHT, result != WRONG, result))
    used: Counter[str] = Counter()
    drawn: list[Candidate] = []
    while len(drawn) < count and any(waiting.values()):
        for result in turns:
            if waiting[result] and len(drawn) < count:
                chosen = min(waiting[result], key=lambda entry: (used[entry[1].group], entry))
                waiting[result].remove(chosen)
                used[chosen[1].group] += 1
                drawn.append(chosen[1])
    return Drawn(drawn, {result: totals[result] for result in turns})


def describe_draw(drawn: Drawn, system: str, what: str) -> str:
    """Say how items were drawn, in a sentence or two.

    Args:
        system: the system by whose answers items were drawn; empty if there are none.
        what: what the items are, in the plural.
    """
    total, shown = sum(drawn.totals.values()), len(drawn.items)
    if not total:
        return f"No example: there are no {what}."
    some = f"All {total} {what}" if 1 < total == shown else f"{shown} of {total:,} {what}"
    if not system:
        return f"{some}, drawn by a hash of their names; groups take turns. No system answered."
    counted = Counter(each.result for each in drawn.items)
    results = " and ".join(f"{counted[result]} {result}" for result in drawn.totals)
    if shown == total:
        return f"{some}: {results}, as {system} answers."
    return (
        f"{some}: {results}, as {system} answers. A hash of their names draws them; results and "
        "groups take turns, so the tables alone tell what share is right."
    )


def among(column: str, values: Sequence[str | int]) -> pc.Expression:
    """Return a filter for `read_parquet` that keeps the rows of these items."""
    kind = pa.int32() if values and isinstance(values[0], int) else pa.string()
    return pc.field(column).isin(pa.array(values, kind))


def choose(
    system: str, scores: Mapping[str, float], right: str, *, ties_are_wrong: bool = False
) -> list[Answer]:
    """Return the options to which a system gives its highest score; several if they share it.

    Args:
        scores: the score of each option, by name.
        right: the right option.
        ties_are_wrong: whether ties are wrong, as in some papers; else they are ties.
    """
    names, values = [*scores], [*scores.values()]
    counts = float(worth([values], names.index(right))[0])
    result = RIGHT if counts == 1 else TIE if counts and not ties_are_wrong else WRONG
    return [Answer(system, name, result) for name in names if scores[name] == max(values)]


def write_examples(
    path: str | Path, notes: Iterable[str], examples: Iterable[Example] = ()
) -> None:
    """Write notes and examples (EXAMPLES), with escapes for what a table cannot hold."""
    rows: list[dict[str, object]] = [{"part": NOTE, "text": note} for note in notes]
    for number, example in enumerate(examples, 1):
        about = {
            "number": number,
            "item": example.item,
            "group": example.group,
            "language": example.language,
        }
        rows += [about | part for part in _parts(example)]
    write_tsv(
        path,
        (
            {name: visible(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
            for row in rows
        ),
        EXAMPLES,
    )


def _parts(example: Example) -> Iterator[dict[str, object]]:
    for name, text in example.texts:
        yield {"part": TEXT, "name": name, "text": text}
    for name, text in example.gold:
        yield {"part": GOLD, "name": name, "text": text}
    for option in example.options:
        result = RIGHT if option.right else ""
        yield {"part": OPTION, "name": option.name, "text": option.text, "result": result}
    for (system, name), score in example.scores.items():
        yield {"part": SCORE, "name": name, "system": system, "score": score}
    for answer in example.answers:
        yield {
            "part": ANSWER,
            "name": answer.question,
            "text": answer.text,
            "system": answer.system,
            "result": answer.result,
        }


def read_examples(path: str | Path) -> tuple[list[str], list[Example]]:
    """Read the notes and examples that `write_examples` wrote.

    Raises:
        KasuError: the file is missing or no such table, or has an unknown part or a score that is
            no number.
    """
    rows = read_tsv(path, EXAMPLES)
    notes = [row["text"] for row in rows if row["part"] == NOTE]
    shown = [row for row in rows if row["part"] != NOTE]
    return notes, [_read(path, list(part)) for _, part in groupby(shown, lambda row: row["number"])]


def _read(path: str | Path, rows: Sequence[Mapping[str, str]]) -> Example:
    parts: dict[str, list[Mapping[str, str]]] = {
        part: [] for part in (TEXT, GOLD, OPTION, SCORE, ANSWER)
    }
    for row in rows:
        if row["part"] not in parts:
            raise KasuError(path, f"the part {row['part']!r}", ", ".join(parts))
        parts[row["part"]].append(row)
    try:
        scores = {(row["system"], row["name"]): float(row["score"]) for row in parts[SCORE]}
    except ValueError as error:
        raise KasuError(path, f"a score ({error})", "a number") from error
    return Example(
        item=rows[0]["item"],
        group=rows[0]["group"],
        language=rows[0]["language"],
        texts=tuple((row["name"], row["text"]) for row in parts[TEXT]),
        gold=tuple((row["name"], row["text"]) for row in parts[GOLD]),
        options=tuple(
            Option(row["name"], row["text"], row["result"] == RIGHT) for row in parts[OPTION]
        ),
        scores=scores,
        answers=tuple(
            Answer(row["system"], row["text"], row["result"], row["name"]) for row in parts[ANSWER]
        ),
    )

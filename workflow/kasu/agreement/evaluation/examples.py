"""Examples of verb number prediction: sentences, the hidden verb, and what systems answered."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from kasu.agreement.data.tasks import SYSTEMS, VERB_NUMBER
from kasu.files.tables import ParquetReader, read_parquet
from kasu.results.examples import (
    GAP,
    RIGHT,
    WRONG,
    Answer,
    Candidate,
    Example,
    among,
    describe_draw,
    draw,
    write_examples,
)

NONE = "No example: no system of this run predicts the number of verbs."
_COLUMNS = ["variant", "seed", "item_id", "slot", "gold", "prediction"]

Slots = list[tuple[str, str, str]]
"""Slot, right number and answered number."""


class _Asked(NamedTuple):
    """A corpus, and what systems answered in its test set.

    Attributes:
        prefix: of its groups and keys; empty for a single corpus.
        test: the test set.
        predictions: by system.
    """

    prefix: tuple[str, ...]
    language: str
    test: str
    predictions: Mapping[str, str]


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    corpora: Sequence[Mapping[str, Any]],
    seed: int,
) -> None:
    """Draw test sentences by the answers of the main network (EXAMPLES); corpora take turns.

    The main system is the last of `SYSTEMS` (kasu.agreement.data.tasks) that ran: the paper's
    BiLSTM, if it did. The first variant and seed of every system count. A sentence is right if all
    its arguments are; sentences are grouped by their corpus and the arguments that the verb marks.

    Args:
        files: `test`, the test set of each corpus, and `predictions`, those of each of its systems
            under `base`, corpus by corpus.
        corpora: the `name`, `language` (a code) and `systems` of each, in the same order.
        seed: of the draw.
    """
    given = iter(files["predictions"])
    asked = [
        _Asked(
            (each["name"],) if len(corpora) > 1 else (),
            each["language"],
            test,
            dict(zip(each["systems"], islice(given, len(each["systems"])), strict=True)),
        )
        for each, test in zip(corpora, files["test"], strict=True)
    ]
    systems = reversed(SYSTEMS[VERB_NUMBER])
    ran = [system for system in systems if any(system in each.predictions for each in asked)]
    if not ran:
        write_examples(out, [NONE])
        return
    main, *_ = ran
    asked = [each for each in asked if main in each.predictions]
    drawn = draw(
        (
            _candidate(item, each.prefix)
            for each in asked
            for item in _first_run(_stream(each.predictions[main]))
        ),
        seed,
    )
    shown = {
        key: example
        for each in asked
        for key, example in _show(
            each, drawn.items, [name for name in ran if name in each.predictions]
        )
    }
    examples = [shown[each.key] for each in drawn.items]
    write_examples(out, [describe_draw(drawn, main, "test sentences")], examples)


def _show(
    asked: _Asked, drawn: Sequence[Candidate], systems: Sequence[str]
) -> Iterator[tuple[tuple[str | int, ...], Example]]:
    """Yield the examples of a corpus by their keys.

    Args:
        asked: the corpus.
        drawn: the items of all corpora.
        systems: those of all corpora, the main one first.
    """
    systems = [system for system in systems if system in asked.predictions]
    own = [each for each in drawn if each.key[:-1] == asked.prefix]
    names = [str(each.key[-1]) for each in own]
    chosen = among("item_id", names)
    answered = {
        system: dict(
            _first_run(read_parquet(asked.predictions[system], _COLUMNS, chosen).to_pylist())
        )
        for system in systems
    }
    test = read_parquet(asked.test, ["item_id", "tokens", "lemmas", "target"], chosen)
    sentences = {row["item_id"]: row for row in test.to_pylist()}
    for each, name in zip(own, names, strict=True):
        yield (
            each.key,
            Example(
                name,
                each.group,
                asked.language,
                texts=_texts(sentences[name]),
                gold=[(slot, gold) for slot, gold, _ in answered[systems[0]][name]],
                answers=[
                    Answer(system, given, RIGHT if given == gold else WRONG, slot)
                    for system in systems
                    for slot, gold, given in answered[system].get(name, ())
                ],
            ),
        )


def _stream(path: str) -> Iterator[dict]:
    for batch in ParquetReader(path).batches(columns=_COLUMNS):
        yield from batch.to_pylist()


def _first_run(rows: Iterable[dict]) -> Iterator[tuple[str, Slots]]:
    """Return the answers of the first variant and seed by item; they come first in a file."""
    run = itemgetter("variant", "seed")
    _, first = next(groupby(rows, run), (None, ()))
    for name, slots in groupby(first, itemgetter("item_id")):
        yield name, [(row["slot"], row["gold"], row["prediction"]) for row in slots]


def _candidate(item: tuple[str, Slots], prefix: tuple[str, ...]) -> Candidate:
    name, slots = item
    right = all(gold == given for _, gold, given in slots)
    marked = [slot for slot, gold, _ in slots if gold != "none"]
    group = ", ".join([*prefix, *(marked or ["no argument"])])
    return Candidate(RIGHT if right else WRONG, group, (*prefix, name))


def _texts(row: Mapping) -> list[tuple[str, str]]:
    tokens, target = list(row["tokens"]), row["target"]
    verb, lemma = tokens[target], row["lemmas"][target]
    tokens[target] = GAP
    return [("", " ".join(tokens)), ("verb", f"{verb} ({lemma})")]

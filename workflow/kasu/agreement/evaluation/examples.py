"""Examples of verb number prediction: sentences, the hidden verb, and what systems answered."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

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

NONE = "No example: no system of this run predicts the number of verbs in the main corpus."
_COLUMNS = ["variant", "seed", "item_id", "slot", "gold", "prediction"]

Slots = list[tuple[str, str, str]]
"""Slot, right number and answered number."""


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    systems: Sequence[str],
    language: str,
    seed: int,
) -> None:
    """Draw test sentences of the main corpus by the answers of its main network (EXAMPLES).

    The main system is the last of `SYSTEMS` (kasu.agreement.data.tasks) that ran: the paper's
    BiLSTM, if it did. The first variant and seed of every system count. A sentence is right if all
    its arguments are; sentences are grouped by the arguments that the verb marks.

    Args:
        files: `test`, the test set, and `predictions`, those of each system under `base`.
        systems: their names, in the same order.
        language: code of the corpus's language.
        seed: of the draw.
    """
    paths = dict(zip(systems, files["predictions"], strict=True))
    ran = [system for system in reversed(SYSTEMS[VERB_NUMBER]) if system in paths]
    if not ran:
        write_examples(out, [NONE])
        return
    main, *_ = ran
    drawn = draw(map(_candidate, _first_run(_stream(paths[main]))), seed)
    names = [str(name) for each in drawn.items for name in each.key]
    chosen = among("item_id", names)
    answered = {
        system: dict(_first_run(read_parquet(paths[system], _COLUMNS, chosen).to_pylist()))
        for system in ran
    }
    test = read_parquet(files["test"][0], ["item_id", "tokens", "lemmas", "target"], chosen)
    sentences = {row["item_id"]: row for row in test.to_pylist()}
    examples = [
        Example(
            name,
            each.group,
            language,
            texts=_texts(sentences[name]),
            gold=[(slot, gold) for slot, gold, _ in answered[main][name]],
            answers=[
                Answer(system, given, RIGHT if given == gold else WRONG, slot)
                for system in ran
                for slot, gold, given in answered[system].get(name, ())
            ],
        )
        for each, name in zip(drawn.items, names, strict=True)
    ]
    write_examples(out, [describe_draw(drawn, main, "test sentences")], examples)


def _stream(path: str) -> Iterator[dict]:
    for batch in ParquetReader(path).batches(columns=_COLUMNS):
        yield from batch.to_pylist()


def _first_run(rows: Iterable[dict]) -> Iterator[tuple[str, Slots]]:
    """Return the answers of the first variant and seed by item; they come first in a file."""
    run = itemgetter("variant", "seed")
    _, first = next(groupby(rows, run), (None, ()))
    for name, slots in groupby(first, itemgetter("item_id")):
        yield name, [(row["slot"], row["gold"], row["prediction"]) for row in slots]


def _candidate(item: tuple[str, Slots]) -> Candidate:
    name, slots = item
    right = all(gold == given for _, gold, given in slots)
    marked = [slot for slot, gold, _ in slots if gold != "none"]
    return Candidate(RIGHT if right else WRONG, ", ".join(marked) or "no argument", (name,))


def _texts(row: Mapping) -> list[tuple[str, str]]:
    tokens, target = list(row["tokens"]), row["target"]
    verb, lemma = tokens[target], row["lemmas"][target]
    tokens[target] = GAP
    return [("", " ".join(tokens)), ("verb", f"{verb} ({lemma})")]

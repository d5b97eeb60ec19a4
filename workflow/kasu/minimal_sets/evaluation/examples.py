"""Examples of minimal sets: masked sentences, the score of each form, and which form won."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

from kasu.files.tables import ParquetReader, read_parquet
from kasu.lm.models.definitions import WORD
from kasu.lm.scoring.items import FORM, MASK
from kasu.minimal_sets.data.paper import RELEASED
from kasu.results.examples import (
    GAP,
    UNIT,
    Answer,
    Candidate,
    Example,
    Option,
    among,
    choose,
    describe_draw,
    draw,
    write_examples,
)

NULL = "shortest form"
MAIN = "the first model of a set"
_ITEM = ("set", "item_id")
_COLUMNS = [
    *_ITEM, "system", "definition", "level", "value", "grammatical", "log_probability",
]  # fmt: skip

Forms = list[dict]
"""The rows of PREDICTIONS of one item, one system and one definition."""


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    definitions: Sequence[str],
    languages: Mapping[str, str],
    seed: int,
) -> None:
    """Draw items by the answers of the first model that scores their set (EXAMPLES).

    Models have the order of the config; released results come last, and of these the first system
    at word level. Of a model counts the first definition of a score that the config asks for. Items
    are grouped by set. The null beside the models takes the shortest form. Where no set is scored,
    items are shown without answers.

    Args:
        files: `sets`, all datasets, and `predictions`, one file per model.
        definitions: of each file of predictions.
        languages: code of the language of each set.
        seed: of the draw.
    """
    scored = list(zip(files["predictions"], definitions, strict=True))
    drawn = draw(_candidates(scored) if scored else _unanswered(files["sets"]), seed)
    items = among("item_id", [each.key[1] for each in drawn.items])
    answered: dict[tuple, list[Forms]] = {}
    for path, definition in scored:
        rows = read_parquet(path, _COLUMNS, items).to_pylist()
        for forms in _measured(rows, definition):
            answered.setdefault(_key(forms), []).append(forms)
    asked: dict[tuple, dict] = {
        (row["set"], row["item_id"]): row
        for path in files["sets"]
        for row in read_parquet(path, filters=items).to_pylist()
    }
    examples = [
        _example(asked[each.key], answered.get(each.key, []), languages[each.group])
        for each in drawn.items
    ]
    note = describe_draw(drawn, MAIN if scored else "", "items of minimal sets")
    write_examples(out, [note, UNIT] if answered else [note], examples)


def _candidates(scored: Iterable[tuple[str, str]]) -> Iterator[Candidate]:
    """Yield the items of every set by the answers of the first model that scores it."""
    taken: set[str] = set()
    for path, definition in scored:
        batches = ParquetReader(path).batches(columns=_COLUMNS)
        rows = chain.from_iterable(batch.to_pylist() for batch in batches)
        seen = set()
        for (name, item), systems in groupby(_measured(rows, definition), _key):
            seen.add(name)
            if name not in taken:
                yield Candidate(_answers(next(systems))[0].result, name, (name, item))
        taken |= seen


def _unanswered(sets: Iterable[str]) -> Iterator[Candidate]:
    for path in sets:
        for batch in ParquetReader(path).batches(columns=_ITEM):
            for row in batch.to_pylist():
                yield Candidate("", row["set"], (row["set"], row["item_id"]))


def _measured(rows: Iterable[dict], definition: str) -> Iterator[Forms]:
    """Read the forms of each item and system by a definition; of released results, at word level.

    A file has the forms of an item together, and within an item the forms of each system.
    """
    level = (WORD,) if definition == RELEASED else ()
    kept = (
        row
        for row in rows
        if row["definition"] == definition and row["level"] in (level or (row["level"],))
    )
    for _, forms in groupby(kept, itemgetter(*_ITEM, "system")):
        yield list(forms)


def _key(forms: Forms) -> tuple[str, str]:
    return forms[0]["set"], forms[0]["item_id"]


def _answers(forms: Forms) -> list[Answer]:
    scores = {row["value"]: row["log_probability"] for row in forms}
    (right,) = (row["value"] for row in forms if row["grammatical"])
    # As the paper counts its own results (GEO-10)
    strict = forms[0]["definition"] == RELEASED
    return choose(forms[0]["system"], scores, right, ties_are_wrong=strict)


def _example(item: Mapping, answered: Sequence[Forms], language: str) -> Example:
    right = item["grammatical"]
    forms = {name.removeprefix(FORM): text for name, text in item.items() if _is_form(name, text)}
    shortest = {value: -float(len(form)) for value, form in forms.items()}
    return Example(
        item["item_id"],
        item["set"],
        language,
        texts=[("", item["masked"].replace(MASK, GAP))],
        options=[Option(value, form, value == right) for value, form in forms.items()],
        scores={
            (row["system"], row["value"]): row["log_probability"]
            for row in (answered[0] if answered else ())
        },
        answers=[
            *chain.from_iterable(map(_answers, answered)),
            *(choose(NULL, shortest, right) if answered else ()),
        ],
    )


def _is_form(name: str, text: object) -> bool:
    return name.startswith(FORM) and isinstance(text, str)

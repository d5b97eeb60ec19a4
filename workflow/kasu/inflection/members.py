"""The file of members: their n-best answers for dev and test, and their accuracy on dev."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet
from kasu.inflection.families import Answer, Answers, Member

MEMBERS = pa.schema(
    [
        ("family", pa.string()),
        ("setting", pa.string()),
        ("language", pa.string()),
        ("split", pa.string()),
        ("member", pa.string()),
        ("item", pa.int32()),
        ("rank", pa.int32()),
        ("gold", pa.string()),
        ("prediction", pa.string()),
        ("score", pa.float64()),
        ("dev_accuracy", pa.float64()),
    ]
)
"""One row per answer. `item` is the row number of the item in its split, from 0; `rank` counts a
member's answers to an item from 1, best first; `gold` is the right form. `score` is null if the
family has none, `dev_accuracy` if the language has no dev set. Sorted by language, split, member,
item and rank."""

SPLITS = ("dev", "test")

FAILURES = ("family", "setting", "members", "language", "reason")
"""The table next to it: one row per language whose data are at fault. `members` are separated by
blanks."""


def members_table(
    family: str,
    setting: str,
    language: str,
    gold: Mapping[str, Sequence[str]],
    answers: Mapping[str, Answers],
) -> pa.Table:
    """The rows of one language.

    Args:
        gold: right forms by split, `dev` and `test`.
        answers: answers by member.

    Raises:
        ValueError: a member has not exactly one answer per item, or an empty one.
    """
    tables = [MEMBERS.empty_table()]
    for split in SPLITS:
        for member in sorted(answers):
            given: Sequence[Answer] = getattr(answers[member], split)
            who = f"{family}, {setting}, {language}, member {member!r}"
            if len(given) != len(gold[split]) or not all(answer.forms for answer in given):
                answered = sum(bool(answer.forms) for answer in given)
                raise ValueError(f"{who}: {answered} answers for {len(gold[split])} {split} items")
            rows = [
                (item, rank, right, form, answer.scores[rank - 1] if answer.scores else None)
                for item, (right, answer) in enumerate(zip(gold[split], given, strict=True))
                for rank, form in enumerate(answer.forms, start=1)
            ]
            items, ranks, golds, forms, scores = zip(*rows, strict=True) if rows else ((),) * 5
            named = {
                "family": [family] * len(rows),
                "setting": [setting] * len(rows),
                "language": [language] * len(rows),
                "split": [split] * len(rows),
                "member": [member] * len(rows),
                "item": items,
                "rank": ranks,
                "gold": golds,
                "prediction": forms,
                "score": scores,
                "dev_accuracy": [_accuracy(gold["dev"], answers[member].dev)] * len(rows),
            }
            tables.append(pa.table({name: list(named[name]) for name in MEMBERS.names}, MEMBERS))
    return pa.concat_tables(tables)


def _accuracy(gold: Sequence[str], answers: Sequence[Answer]) -> float | None:
    if not gold:
        return None
    right = sum(form == answer.forms[0] for form, answer in zip(gold, answers, strict=True))
    return right / len(gold)


class Trained(NamedTuple):
    """The members of a family in one language by name, with the right forms of its test items."""

    language: str
    gold: list[str]
    members: dict[str, Member]


def read_members(paths: Sequence[str | Path]) -> Iterator[Trained]:
    """Read files of one family and setting, language by language, sorted by name.

    The members of a language may be spread over several files.

    Raises:
        KasuError: a file is unreadable, items are missing, or the members of a language were
            tested on different items.
    """
    tables = [read_parquet(path, MEMBERS.names) for path in paths]
    found = {name for table in tables for name in _distinct(table, "language")}
    for language in sorted(found):
        members: dict[str, Member] = {}
        golds: list[list[str]] = []
        for path, table in zip(paths, tables, strict=True):
            rows = table.filter(pc.equal(table["language"], language))
            for name in _distinct(rows, "member"):
                own = rows.filter(pc.equal(rows["member"], name))
                (dev, _), (test, gold) = (
                    _answers(own.filter(pc.equal(own["split"], split)), f"{path}: {language}")
                    for split in SPLITS
                )
                members[name] = Member(dev, test, own["dev_accuracy"][0].as_py())
                golds.append(gold)
        if any(gold != golds[0] for gold in golds):
            raise KasuError(paths[0], f"members of {language} differ in test items", "the same")
        yield Trained(language, golds[0], members)


def _distinct(table: pa.Table, column: str) -> list[str]:
    return pc.unique(table[column]).to_pylist()


def _answers(rows: pa.Table, where: str) -> tuple[list[Answer], list[str]]:
    """The answers to the items of a split in their order, and the right forms."""
    columns = (rows[name].to_pylist() for name in ("item", "gold", "prediction", "score"))
    forms: list[list[str]] = []
    scores: list[list[float]] = []
    golds: list[str] = []
    for item, gold, form, score in zip(*columns, strict=True):
        if item == len(golds):
            forms.append([])
            scores.append([])
            golds.append(gold)
        elif item != len(golds) - 1:
            raise KasuError(where, f"item {item} after item {len(golds) - 1}", "every item")
        forms[item].append(form)
        if score is not None:
            scores[item].append(score)
    return [Answer(*answer) for answer in zip(forms, scores, strict=True)], golds

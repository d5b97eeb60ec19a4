"""The file of members: their n-best answers for dev and test, and their accuracy on dev."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet
from kasu.transduction.items import Answer
from kasu.transduction.members.families import Answers, Member, Run

MEMBERS = pa.schema(
    [
        ("family", pa.string()),
        ("setting", pa.string()),
        ("language", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
        ("split", pa.string()),
        ("item", pa.int32()),
        ("rank", pa.int32()),
        ("gold", pa.string()),
        ("prediction", pa.string()),
        ("score", pa.float64()),
        ("dev_accuracy", pa.float64()),
    ]
)
"""One row per answer. Variant and seed name the member; either is null where it has none. `item` is
the row number of the item in its split, from 0; `rank` counts a member's answers to an item from 1,
best first; `gold` is the right form. `score` is null if the family has none, `dev_accuracy` if the
language has no dev set. Sorted by language, variant, seed, split, item and rank."""

SPLITS = ("dev", "test")

FAILURES = ("family", "setting", "members", "language", "reason")
"""The table beside a file of members: one row per member that could not be trained, or per language
whose data are at fault. `members` are separated by blanks."""


def in_order(run: Run) -> tuple[str, int]:
    """Return the key by which members are sorted."""
    return run.variant or "", run.seed or 0


def name_of(run: Run) -> str:
    """Return the name of a member in texts and file names: `released-3`, `3` or `released`."""
    return "-".join(str(part) for part in run if part is not None) or "all"


def run_of(name: str) -> Run:
    """Return the member that `name_of` gives this name."""
    variant, _, seed = name.rpartition("-")
    if seed.isdigit():
        return Run(variant or None, int(seed))
    return Run(None if name == "all" else name)


def member_table(
    family: str,
    setting: str,
    language: str,
    run: Run,
    gold: Mapping[str, Sequence[str]],
    answers: Answers,
    fold: Callable[[str], str] = str,
) -> pa.Table:
    """Return the rows of one member in one language.

    Args:
        gold: right forms by split, `dev` and `test`.
        fold: two forms count as equal if this maps them to the same text; accuracy on dev uses it.

    Raises:
        ValueError: there is not exactly one answer per item, or an empty one.
        KasuError: an answer is one text and no list of forms.
    """
    tables = []
    accuracy: float | None = None
    for split in SPLITS:
        given: Sequence[Answer] = getattr(answers, split)
        if len(given) != len(gold[split]) or not all(answer.forms for answer in given):
            who = f"{family}, {setting}, {language}, member {name_of(run)}"
            answered = sum(bool(answer.forms) for answer in given)
            raise ValueError(f"{who}: {answered} answers for {len(gold[split])} {split} items")
        for answer in given:
            if isinstance(answer.forms, str):  # its characters would be the forms
                who, found = f"system {family}", f"Answer({answer.forms!r})"
                raise KasuError(who, found, f"a list of forms, Answer([{answer.forms!r}])")
        if split == "dev":
            accuracy = _accuracy(gold["dev"], given, fold)
        rows = [
            (item, rank, right, form, answer.scores[rank - 1] if answer.scores else None)
            for item, (right, answer) in enumerate(zip(gold[split], given, strict=True))
            for rank, form in enumerate(answer.forms, start=1)
        ]
        items, ranks, golds, forms, scores = zip(*rows, strict=True) if rows else ((),) * 5
        same = {
            "family": family, "setting": setting, "language": language, "variant": run.variant,
            "seed": run.seed, "split": split, "dev_accuracy": accuracy,
        }  # fmt: skip
        named = {name: [value] * len(rows) for name, value in same.items()} | {
            "item": items, "rank": ranks, "gold": golds, "prediction": forms, "score": scores,
        }  # fmt: skip
        tables.append(pa.table({name: list(named[name]) for name in MEMBERS.names}, MEMBERS))
    return pa.concat_tables(tables)


def _accuracy(
    gold: Sequence[str], answers: Sequence[Answer], fold: Callable[[str], str]
) -> float | None:
    if not gold:
        return None
    pairs = zip(gold, answers, strict=True)
    right = sum(fold(form) == fold(answer.forms[0]) for form, answer in pairs)
    return right / len(gold)


def rows_of(table: pa.Table, run: Run) -> pa.Table:
    """Return the rows of one member in a table of MEMBERS."""
    for name, value in run._asdict().items():
        column = table[name]
        table = table.filter(pc.is_null(column) if value is None else pc.equal(column, value))
    return table


def runs_in(table: pa.Table) -> list[Run]:
    """List the members in a table of MEMBERS, sorted."""
    found = table.group_by(Run._fields).aggregate([]).to_pylist()
    return sorted((Run(**row) for row in found), key=in_order)


class Trained(NamedTuple):
    """The members of a family in one language, with the right forms of its test items."""

    language: str
    gold: list[str]
    members: dict[Run, Member]


def read_members(paths: Sequence[str | Path]) -> Iterator[Trained]:
    """Read files of one family and setting, language by language, sorted by name.

    The members of a language may be spread over several files. Memory holds one language.

    Raises:
        KasuError: a file is unreadable, items are missing, or the members of a language were
            tested on different items.
    """
    held: dict[str, list[str | Path]] = {}
    for path in paths:
        for language in pc.unique(read_parquet(path, ["language"])["language"]).to_pylist():
            held.setdefault(language, []).append(path)
    for language in sorted(held):
        members: dict[Run, Member] = {}
        golds: list[list[str]] = []
        for path in held[language]:
            rows = read_parquet(path, MEMBERS.names, [("language", "=", language)])
            for run in runs_in(rows):
                own = rows_of(rows, run)
                (dev, _), (test, gold) = (
                    _answers(own.filter(pc.equal(own["split"], split)), f"{path}: {language}")
                    for split in SPLITS
                )
                members[run] = Member(dev, test, own["dev_accuracy"][0].as_py())
                golds.append(gold)
        if any(gold != golds[0] for gold in golds):
            where = held[language][0]
            raise KasuError(where, f"members of {language} differ in test items", "the same")
        members = {run: members[run] for run in sorted(members, key=in_order)}
        yield Trained(language, golds[0], members)


def _answers(rows: pa.Table, where: str) -> tuple[list[Answer], list[str]]:
    """Return the answers to the items of a split in their order, and the right forms."""
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

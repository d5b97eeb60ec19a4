"""The tables of models that are compared, printed and written."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from kasu.base.visible import as_text, visible
from kasu.files.tables import write_tsv
from kasu.job.run import log
from kasu.lm.scoring.accuracy import ALL, COLUMNS, Accuracy, accuracy_lines, accuracy_objects
from kasu.lm.scoring.clusters import shown_columns
from kasu.lm.scoring.compare import Comparison, System, Verdicts, flips
from kasu.lm.scoring.covariates import Effect

COMPARED = (
    "model_a", "definition_a", "model_b", "definition_b", *Comparison._fields[2:],
)  # fmt: skip

EFFECTS = ("model", "definition", *Effect._fields[1:])


def write_tables(
    tables: Mapping[str, Path],
    rows: Mapping[System, Sequence[Accuracy]],
    comparisons: Sequence[Comparison],
    judged: Mapping[System, Verdicts],
) -> None:
    """Write accuracies, comparisons and the items on which systems disagree, each to its file."""
    columns = shown_columns(COLUMNS, chain.from_iterable(rows.values()))
    found: list[dict[str, object]] = [
        {"model": system.model, **{name: getattr(row, name) for name in columns}}
        for system, of_system in rows.items()
        for row in of_system
    ]
    flipped: list[dict[str, object]] = [
        {"item_id": item, "group": group, **dict(zip(map(str, judged), worths, strict=True))}
        for item, group, worths in flips(judged)
    ]
    log.info("items on which models or definitions disagree: %s", f"{len(flipped):,}")
    compared = list(map(_compared, comparisons))
    write_tsv(tables["accuracies"], map(_safe, found), ["model", *columns])
    write_tsv(tables["comparisons"], map(_safe, compared), shown_columns(COMPARED, comparisons))
    write_tsv(tables["flips"], map(_safe, flipped), ["item_id", "group", *map(str, judged)])


def _safe(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row without cells that break a table or run in a spreadsheet."""
    return {
        name: as_text(visible(cell)) if isinstance(cell, str) else cell
        for name, cell in row.items()
    }


def _compared(each: Comparison) -> dict[str, object]:
    a, b, *rest = each
    values = (a.model, a.definition, b.model, b.definition, *rest)
    row = dict(zip(COMPARED, values, strict=True))
    return {name: row[name] for name in shown_columns(COMPARED, [each])}


def printed(
    rows: Mapping[System, Sequence[Accuracy]],
    comparisons: Sequence[Comparison],
    as_json: bool,
    *,
    several: bool,
) -> Iterator[str]:
    """Yield the tables, or objects of JSON; of several models each row says of which."""
    if not several:
        found = [row for of_system in rows.values() for row in of_system]
        yield from accuracy_objects(found) if as_json else accuracy_lines(found)
        return
    for number, (system, of_system) in enumerate(rows.items()):
        if as_json:
            for line in accuracy_objects(of_system):
                yield json.dumps({"model": system.model} | json.loads(line), ensure_ascii=False)
        else:
            header, *lines = accuracy_lines(of_system)
            yield from [f"model\t{header}"] * (not number)
            yield from (f"{visible(system.model)}\t{line}" for line in lines)
    compared = map(_compared, comparisons)
    if as_json:
        yield from (json.dumps(row, ensure_ascii=False) for row in compared)
        return
    yield ""
    yield "\t".join(shown_columns(COMPARED, comparisons))
    for row in compared:
        row["group"] = ALL if row["group"] is None else row["group"]
        for name in ("accuracy_a", "accuracy_b", "difference", "low", "high"):
            row[name] = f"{100 * row[name]:.1f}"  # type: ignore[operator]
        for name in ("p", "holm_p"):
            row[name] = f"{row[name]:.2g}"
        yield "\t".join(visible(str(cell)) for cell in row.values())


def effect_lines(effects: Sequence[Effect], *, as_json: bool) -> Iterator[str]:
    """Yield the table of covariates, or objects of JSON; nothing without an effect."""
    rows: list[dict[str, object]] = [
        dict(zip(EFFECTS, (*each.system, *each[1:]), strict=True)) for each in effects
    ]
    if as_json:
        yield from (json.dumps(row, ensure_ascii=False) for row in rows)
        return
    if rows:
        yield from ["", "\t".join(EFFECTS)]
    shown = {"sd": ".3g", "odds": ".2f", "low": ".2f", "high": ".2f", "p": ".2g"}
    for row in rows:
        row |= {name: format(row[name], shown[name]) for name in shown if row[name] is not None}
        yield "\t".join("" if cell is None else visible(str(cell)) for cell in row.values())

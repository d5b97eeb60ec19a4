"""Minimal pairs from JSON lines: BL2MP, BLiMP, or your own (BL2MP-1).

An item is identified by its line number, so parallel files (a segmented version) share item ids.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.corpora.texts.json_lines import objects
from kasu.corpora.texts.sentences import mask, normalise
from kasu.files.tables import write_counts, write_drops, write_parquet

_TEXT = pa.string()
PAIRS = pa.schema(
    [(name, _TEXT) for name in ("item_id", "sentence_good", "sentence_bad", "type", "level")]
    + [("source_id", _TEXT), ("licence", _TEXT)]
)
"""One row per pair. `type` and `level` are null if the file has none. Pairs whose good sentences
are equal once names and digits are masked (near copies) share a `source_id`, the unit of
bootstraps."""
REORDERED = pa.schema([*PAIRS, ("sentence_good_reorder", _TEXT), ("sentence_bad_reorder", _TEXT)])
"""PAIRS with a second word order of each pair (BL2MP-7)."""
FIELDS = {
    "good": "sentence_good",
    "bad": "sentence_bad",
    "type": "type",
    "level": "level",
    "good_reorder": "",
    "bad_reorder": "",
}
"""The fields of BL2MP; an empty name marks a field that the file lacks."""
_REORDER = ("good_reorder", "bad_reorder")
_SENTENCES = ("good", "bad", *_REORDER)


def make_pairs(
    path: str | Path,
    pairs: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    fields: Mapping[str, str] = FIELDS,
    types: Mapping[str, str] | None = None,
    levels: Mapping[str, str] | None = None,
    licence: str = "",
) -> None:
    """Read pairs; write PAIRS (REORDERED if there is a second order), counts and drops.

    Pairs with equal or empty halves are dropped (BL2MP-6), in the second order too.

    Args:
        fields: the file's name for each key of FIELDS; a missing key is called as in BL2MP.
        types, levels: from a type or level of the file to its name here; an unlisted value is an
            error. Without them all values are kept as they are.

    Raises:
        KasuError: no pairs, invalid JSON, a field that is not a string, an unlisted type or level,
            no field for the good or the bad half, or only one of the two reordered halves.
    """
    names = _names(fields)
    allowed = {"type": types, "level": levels}
    counted: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    rows = []
    for number, item in objects(path):
        counted["lines"] += 1
        row = _row(f"{path}:{number}", item, names, allowed)
        if (reason := _useless(row, names)) is not None:
            dropped[reason] += 1
            continue
        kind = " ".join(filter(None, (row["type"], row["level"])))
        counted[f"pairs {kind}".strip()] += 1
        rows.append({"item_id": str(number), **row, "licence": licence or None})
    if not rows:
        raise KasuError(path, f"no pair in {counted['lines']} lines", "at least one")
    counted["pairs in all"] = len(rows)
    counted["repeated pairs"] = len(rows) - len(
        {(row["sentence_good"], row["sentence_bad"]) for row in rows}
    )
    counted["source sentences"] = len({row["source_id"] for row in rows})
    reordered = all(names[key] for key in _REORDER)
    write_parquet(pairs, rows, REORDERED if reordered else PAIRS)
    write_counts(counts, {key: counted[key] for key in sorted(counted)})
    write_drops(drops, dropped)


def _names(fields: Mapping[str, str]) -> dict[str, str]:
    """Return FIELDS with the user's names, checked."""
    names = FIELDS | dict(fields)
    if unknown := sorted(names.keys() - FIELDS):
        raise KasuError("fields", f"{unknown[0]!r}", ", ".join(FIELDS))
    if unnamed := [key for key in ("good", "bad") if not names[key]]:
        raise KasuError(f"fields, {unnamed[0]}", "no name", "a field of the file")
    if bool(names["good_reorder"]) != bool(names["bad_reorder"]):
        raise KasuError("fields", "one half of the other order", " and ".join(_REORDER))
    return names


def _row(
    where: str,
    item: Mapping[str, object],
    names: Mapping[str, str],
    allowed: Mapping[str, Mapping[str, str] | None],
) -> dict[str, str | None]:
    """Return the columns of a pair, without `item_id` and `licence`."""
    row: dict[str, str | None] = {}
    for key, name in names.items():
        if not name:
            row[_column(key)] = None
            continue
        value = item.get(name)
        if not isinstance(value, str):
            raise KasuError(f"{where}, field {name!r}", _shown(item, name), "a string")
        value = normalise(value)
        if (listed := allowed.get(key)) is not None:
            if value not in listed:
                raise KasuError(f"{where}, {key}", repr(value), ", ".join(map(repr, listed)))
            value = listed[value]
        row[_column(key)] = value
    digest = hashlib.blake2b(mask(row["sentence_good"] or "").encode(), digest_size=8)
    return row | {"source_id": digest.hexdigest()}


def _column(key: str) -> str:
    return key if key in ("type", "level") else f"sentence_{key}"


def _shown(item: Mapping[str, object], name: str) -> str:
    return "missing" if name not in item else repr(item[name])[:60]


def _useless(row: Mapping[str, str | None], names: Mapping[str, str]) -> str | None:
    """Return why a pair is dropped; None if it is kept."""
    if not all(row[_column(key)] for key, name in names.items() if name and key in _SENTENCES):
        return "an empty sentence"
    if row["sentence_good"] == row["sentence_bad"]:
        return "equal halves"
    again = row["sentence_good_reorder"]
    if again is not None and again == row["sentence_bad_reorder"]:
        return "equal halves in the other order"
    return None

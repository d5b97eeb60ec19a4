"""What the sets contain: Tables 1 and 2 and Figure 1 of the paper, and details."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.tables import DROPS, ParquetReader, read_tsv, write_tsv
from kasu.lm.scoring.items import FORM
from kasu.minimal_sets.data.paper import SCHEME
from kasu.minimal_sets.models.predictions import read_items

DESCRIPTION = (
    "set", "right", "values", "tests", "sentences", "sentences_elsewhere", "pronouns",
    "equal_forms", "tense", "aspect",
)  # fmt: skip
"""One row per set. `sentences_elsewhere` counts sentences that serve other sets too; `pronouns`
counts targets that the paper calls nouns (GEO-2), empty where the part of speech is not recorded;
`equal_forms` counts items with two equal forms (GEO-5); `tense` and `aspect` count verbs (S-12)."""

SCHEME_COLUMNS = ("alignment", "screeve", "subject", "object", "sets", "tests", "tense", "aspect")
"""Table 1 (Figure 1), with tense and aspect of the verbs in the sets built here."""


def describe_sets(
    items: Mapping[str, str | Path],
    drops: Mapping[str, str | Path],
    sets: str | Path,
    scheme: str | Path | None,
    counterparts: Mapping[str, str],
    may_be_empty: Collection[str] = (),
) -> None:
    """Write DESCRIPTION of the sets, and the scheme of Georgian cases with the verbs of the sets.

    Args:
        items: set -> its parquet, with any values.
        drops: set -> its table of matches left out.
        sets, scheme: the tables to write; no scheme if None.
        counterparts: set built here -> the set of the paper that it corresponds to.
        may_be_empty: sets of languages that may not have what is asked for.

    Raises:
        KasuError: a file is not a minimal set; no set has an item that should.
    """
    by_set = {name: read_items(path) for name, path in items.items()}
    if not any(by_set.values()) and by_set.keys() > set(may_be_empty):
        why = "; ".join(f"{name}: {_why_empty(path)}" for name, path in drops.items())
        expected = "one or more; logs of the sets say more"
        raise KasuError("minimal sets", f"no item ({why})", expected)
    values = {
        name: [
            column.removeprefix(FORM)
            for column in ParquetReader(path).schema.names
            if column.startswith(FORM)
        ]
        for name, path in items.items()
    }
    write_tsv(sets, [_describe(name, by_set, values[name]) for name in by_set], DESCRIPTION)
    if scheme is not None:
        write_tsv(scheme, list_scheme(by_set, counterparts), SCHEME_COLUMNS)


def _why_empty(drops: str | Path) -> str:
    found = ((row["reason"], int(row["count"])) for row in read_tsv(drops, DROPS))
    largest = sorted(found, key=lambda pair: -pair[1])
    return ", ".join(f"{reason} {count:,}" for reason, count in largest) or "no match"


def _describe(name: str, by_set: Mapping[str, list[dict]], values: Sequence[str]) -> dict:
    rows = by_set[name]
    sentences = {row["sentence_id"] for row in rows}
    elsewhere = {row["sentence_id"] for other in by_set if other != name for row in by_set[other]}
    tagged = any(row.get("upos") for row in rows)
    return {
        "set": name,
        "right": _tally(row["grammatical"] for row in rows),
        "values": " ".join(values),
        "tests": len(rows),
        "sentences": len(sentences),
        "sentences_elsewhere": len(sentences & elsewhere),
        "pronouns": sum(row["upos"] == "PRON" for row in rows) if tagged else None,
        "equal_forms": sum(
            len({row[FORM + value] for value in values}) < len(values) for row in rows
        ),
        "tense": _tally(row.get("tense") for row in rows),
        "aspect": _tally(row.get("aspect") for row in rows),
    }


def _tally(values: Iterable[str | None]) -> str | None:
    """Count values, the most frequent first: `Imp 13; none 2`. None if no value is recorded."""
    counts = Counter(value or "none" for value in values)
    if counts.keys() <= {"none"}:
        return None
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return "; ".join(f"{value} {count}" for value, count in ordered)


def list_scheme(by_set: Mapping[str, list[dict]], counterparts: Mapping[str, str]) -> list[dict]:
    """Return rows of SCHEME_COLUMNS; verbs are those of built sets where there are any (S-12)."""
    rows = []
    for alignment in SCHEME:
        released = [row for name in alignment.sets for row in by_set.get(name, ())]
        built = [
            row
            for name, items in by_set.items()
            if counterparts.get(name) in alignment.sets
            for row in items
        ]
        # The released sets do not record their verbs
        verbs = built or released
        rows.append(
            alignment._asdict() | {
                "sets": " ".join(alignment.sets),
                "tests": len(released) or None,
                "tense": _tally(row.get("tense") for row in verbs),
                "aspect": _tally(row.get("aspect") for row in verbs),
            }
        )  # fmt: skip
    return rows

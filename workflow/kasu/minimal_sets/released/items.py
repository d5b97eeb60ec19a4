"""The released minimal sets of Georgian as datasets (GEO-5), and what a built set has of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kasu.base.cards import write_card
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv, write_counts, write_drops, write_parquet
from kasu.corpora.treebank import read_treebank
from kasu.lm.scoring.items import MASK
from kasu.minimal_sets.data.masked_sentence import mask_word
from kasu.minimal_sets.data.sets import CITATION, columns, schema
from kasu.minimal_sets.released.paper import CASES
from kasu.minimal_sets.released.results import name_released, read_rows

REQUIRED = ("sentence_id", "match_id", "masked_text")
RIGHT, WRONG = "form_grammatical_", "form_ungrammatical_"
VALUES = tuple(case.capitalize() for case in CASES)
FORMS_EQUAL = "forms equal"


def build_released(
    items: str | Path,
    folder: str | Path,
    *,
    licence: str,
    language: str,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write a released set with the schema of built ones: items.parquet, card, counts, drops.

    Nothing is dropped. An item two of whose forms are equal, as in two of the seven sets, stays
    and says so in `note`. The released `match_id` is the position of the target.

    Args:
        items: a released file of results by item (CSV; its name says the set), or a TSV with
            the column `set`; both with REQUIRED, one `form_grammatical_...` and two
            `form_ungrammatical_...`.
        licence: of the items.

    Raises:
        KasuError: another file; a text without exactly one mask; a sentence that stands twice.
    """
    rows = read_released(items, licence)
    folder = Path(folder)
    write_parquet(folder / "items.parquet", rows, schema(VALUES))
    noted = Counter(row["note"].partition(":")[0] for row in rows if row["note"])
    write_counts(folder / "counts.tsv", {"items": len(rows), FORMS_EQUAL: noted[FORMS_EQUAL]})
    write_drops(folder / "drops.tsv", {})
    write_card(
        folder / "README.md",
        title=f"Minimal sets, {rows[0]['set']} (released)",
        summary="Sentences with a mask, and a form for each case, as the authors released them.",
        language=language,
        sources=sources,
        counts={"items": len(rows)},
        columns={name: meaning for name, (_, meaning) in columns(VALUES).items()},
        citation=CITATION,
    )


def read_released(path: str | Path, licence: str) -> list[dict[str, object]]:
    """The items of a released set as rows of `kasu.minimal_sets.data.sets.schema`.

    Raises:
        KasuError: as build_released.
    """
    read = _read(Path(path))
    if not read:
        raise KasuError(path, "no items", "at least one")
    forms = _form_columns(path, read[0][1])
    rows = [_row(f"{path}:{line}", row, forms, licence) for line, row in read]
    for key in ("set", "sentence_id"):
        counted = Counter(row[key] for row in rows)
        if key == "set" and len(counted) > 1:
            raise KasuError(path, f"sets {', '.join(sorted(counted))}", "one set")
        if key == "sentence_id" and (again := [k for k, n in counted.items() if n > 1]):
            raise KasuError(path, f"sentence {again[0]} more than once", "each once")
    return rows


def _read(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Rows by column, each with its line."""
    if path.suffix != ".csv":
        return list(enumerate(read_tsv(path, ("set", *REQUIRED)), 2))
    named = name_released(path.name)
    header, rows = read_rows(path)
    if missing := [name for name in REQUIRED if name not in header]:
        raise KasuError(f"{path}:1", f"no column {missing[0]!r}", ", ".join(REQUIRED))
    return [(line, row | {"set": named.set}) for line, row in rows]


def _form_columns(path: str | Path, row: Mapping[str, str]) -> dict[str, str]:
    """The column of each value, that of the right one first."""
    found = {
        name.removeprefix(prefix): name
        for prefix in (RIGHT, WRONG)
        for name in row
        if name.startswith(prefix)
    }
    if sorted(found) != sorted(CASES) or sum(name.startswith(RIGHT) for name in row) != 1:
        expected = f"one {RIGHT}... and two {WRONG}..., of {', '.join(CASES)}"
        raise KasuError(f"{path}:1", f"columns {', '.join(row)}", expected)
    return found


def _row(
    where: str, row: Mapping[str, str], forms: Mapping[str, str], licence: str
) -> dict[str, object]:
    if (masks := row["masked_text"].count(MASK)) != 1:
        raise KasuError(where, f"{masks} {MASK}", "exactly one")
    if not row["match_id"].isdecimal():
        raise KasuError(where, f"match_id {row['match_id']!r}", "the position of a word")
    values: dict[str, list[str]] = {}
    for value in CASES:
        values.setdefault(row[forms[value]], []).append(value)
    equal = next((", ".join(same) for same in values.values() if len(same) > 1), None)
    target = int(row["match_id"])
    empty = dict.fromkeys(name for name, _ in columns(VALUES).items())
    return empty | {
        "item_id": f"{row['set']}:{row['sentence_id']}:{target}",
        "set": row["set"],
        "sentence_id": row["sentence_id"],
        "masked": row["masked_text"],
        "grammatical": next(iter(forms)),
        **{f"form_{value}": row[forms[value]] for value in CASES},
        "source_of_forms": "released",
        "target": target,
        "licence": licence,
        "note": f"{FORMS_EQUAL}: {equal}" if equal else None,
    }


def count_overlap(
    built: str | Path, released: str | Path, treebanks: Iterable[str | Path]
) -> dict[str, int]:
    """How many released items a built set has, step by step; each step is part of the one above.

    A released item can only be found if the treebanks have its sentence, and as it was then: the
    same text with the same right form at the target.

    Args:
        built, released: items.parquet of a built and of the released set.
        treebanks: what the built set was built from.
    """
    ours = {(row["sentence_id"], row["target"]): row for row in read_parquet(built).to_pylist()}
    theirs = read_parquet(released).to_pylist()
    wanted = {row["sentence_id"] for row in theirs}
    sentences = {
        sentence.sentence_id: sentence
        for treebank in treebanks
        for sentence in read_treebank(treebank)
        if sentence.sentence_id in wanted
    }
    here = [row for row in theirs if row["sentence_id"] in sentences]
    as_then = [row for row in here if _unchanged(row, sentences[row["sentence_id"]])]
    same = [row for row in as_then if (row["sentence_id"], row["target"]) in ours]
    forms = [f"form_{value}" for value in CASES]
    all_same = [
        row
        for row in same
        if all(row[form] == ours[row["sentence_id"], row["target"]].get(form) for form in forms)
    ]
    return {
        "released items": len(theirs),
        "sentence in the treebanks": len(here),
        "text and right form unchanged": len(as_then),
        "same target": len(same),
        "same forms": len(all_same),
    }


def compare_with_released(
    built: str | Path, released: str | Path, treebanks: Iterable[str | Path], overlap: str | Path
) -> None:
    """Write `count_overlap` as a table of steps and counts."""
    write_counts(overlap, count_overlap(built, released, treebanks))


def _unchanged(row: Mapping[str, object], sentence) -> bool:
    if row["target"] > len(sentence.words):
        return False
    right = row[f"form_{row['grammatical']}"]
    masked, _ = mask_word(sentence, row["target"])
    return masked == row["masked"] and sentence.words[row["target"] - 1].form == right

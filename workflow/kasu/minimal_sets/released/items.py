"""The released minimal sets of Georgian as datasets (GEO-5), and their overlap with built sets."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import Sentence, read_treebank
from kasu.files.tables import read_parquet, read_tsv, write_counts, write_drops, write_parquet
from kasu.lm.scoring.items import MASK
from kasu.minimal_sets.data.columns import citation, columns, meanings, schema
from kasu.minimal_sets.data.masked_sentence import mask_word
from kasu.minimal_sets.data.paper import CASES
from kasu.minimal_sets.data.validation import FORMS_EQUAL
from kasu.minimal_sets.released.results import name_released, read_rows
from kasu.sources.cards import write_card

REQUIRED = ("sentence_id", "match_id", "masked_text")
RIGHT, WRONG = "form_grammatical_", "form_ungrammatical_"
VALUES = tuple(case.capitalize() for case in CASES)


class ReleasedItem(NamedTuple):
    """A released item.

    target: position of the target among the words, from 1; the released `match_id`.
    grammatical: the right case.
    forms: case -> form.
    """

    set: str
    sentence_id: str
    target: int
    masked: str
    grammatical: str
    forms: dict[str, str]

    @property
    def equal_cases(self) -> str | None:
        """The first cases that share a form, joined by commas; None if all forms differ."""
        cases: dict[str, list[str]] = {}
        for case, form in self.forms.items():
            cases.setdefault(form, []).append(case)
        return next((", ".join(same) for same in cases.values() if len(same) > 1), None)

    def row(self, licence: str) -> dict[str, object]:
        """Build a row of `kasu.minimal_sets.data.columns.schema`."""
        return dict.fromkeys(columns(VALUES)) | {
            "item_id": f"{self.set}:{self.sentence_id}:{self.target}",
            "set": self.set,
            "sentence_id": self.sentence_id,
            "masked": self.masked,
            "grammatical": self.grammatical,
            **{f"form_{case}": form for case, form in self.forms.items()},
            "source_of_forms": "released",
            "target": self.target,
            "licence": licence,
            "note": f"{FORMS_EQUAL}: {self.equal_cases}" if self.equal_cases else None,
        }


def build_released(
    items: str | Path,
    folder: str | Path,
    *,
    licence: str,
    language: str,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write a released set with the schema of built ones: items.parquet, card, counts, drops.

    Nothing is dropped. Items with two equal forms, which two of the seven sets have, stay and are
    noted.

    Args:
        items: a released file of results by item (CSV, named after its set), or a TSV with the
            column `set`; both with the columns REQUIRED, one `form_grammatical_...` and two
            `form_ungrammatical_...`.
        licence: of the items.

    Raises:
        KasuError: other columns; a text without exactly one mask; a sentence that occurs twice.
    """
    found = read_released(items)
    folder = Path(folder)
    write_parquet(folder / "items.parquet", [item.row(licence) for item in found], schema(VALUES))
    equal = sum(item.equal_cases is not None for item in found)
    write_counts(folder / "counts.tsv", {"items": len(found), FORMS_EQUAL: equal})
    write_drops(folder / "drops.tsv", {})
    write_card(
        folder / "README.md",
        title=f"Minimal sets, {found[0].set} (released)",
        summary="Sentences with a mask, and a form for each case, as the authors released them.",
        header={"language": [language], "task_categories": ["fill-mask"]},
        sources=sources,
        splits=["items"],
        columns=meanings(VALUES),
        citation=citation(language),
    )


def read_released(path: str | Path) -> list[ReleasedItem]:
    """Read the items of a released set.

    Raises:
        KasuError: as build_released.
    """
    rows = _read(Path(path))
    if not rows:
        raise KasuError(path, "no items", "at least one")
    forms = _form_columns(path, rows[0][1])
    items = [_parse(f"{path}:{line}", row, forms) for line, row in rows]
    sets = sorted({item.set for item in items})
    if len(sets) > 1:
        raise KasuError(path, f"sets {', '.join(sets)}", "one set")
    sentences = Counter(item.sentence_id for item in items)
    if repeated := [sentence for sentence, count in sentences.items() if count > 1]:
        raise KasuError(path, f"sentence {repeated[0]} more than once", "each once")
    return items


def _read(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Read the line number of each row, and its cells by column."""
    if path.suffix != ".csv":
        return list(enumerate(read_tsv(path, ("set", *REQUIRED)), 2))
    named = name_released(path.name)
    header, rows = read_rows(path)
    if missing := [name for name in REQUIRED if name not in header]:
        raise KasuError(f"{path}:1", f"no column {missing[0]!r}", ", ".join(REQUIRED))
    return [(line, row | {"set": named.set}) for line, row in rows]


def _form_columns(path: str | Path, row: Mapping[str, str]) -> dict[str, str]:
    """Return the column of forms of each case, the right case first."""
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


def _parse(where: str, row: Mapping[str, str], forms: Mapping[str, str]) -> ReleasedItem:
    if (masks := row["masked_text"].count(MASK)) != 1:
        raise KasuError(where, f"{masks} {MASK}", "exactly one")
    if not row["match_id"].isdecimal():
        raise KasuError(where, f"match_id {row['match_id']!r}", "the position of a word")
    return ReleasedItem(
        row["set"],
        row["sentence_id"],
        int(row["match_id"]),
        row["masked_text"],
        grammatical=next(iter(forms)),
        forms={case: row[forms[case]] for case in CASES},
    )


def count_overlap(
    built: str | Path, released: str | Path, treebanks: Iterable[str | Path]
) -> dict[str, int]:
    """Count the released items that a built set contains, in steps, each part of the one before.

    A released item can only be found if the treebanks still have its sentence unchanged: the same
    text, with the same right form at the target.

    Args:
        built, released: items.parquet of the built and of the released set.
        treebanks: those of the built set.
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
    present = [row for row in theirs if row["sentence_id"] in sentences]
    unchanged = [row for row in present if _is_unchanged(row, sentences[row["sentence_id"]])]
    matched = [row for row in unchanged if (row["sentence_id"], row["target"]) in ours]
    forms = [f"form_{case}" for case in CASES]
    same_forms = [
        row
        for row in matched
        if all(row[form] == ours[row["sentence_id"], row["target"]].get(form) for form in forms)
    ]
    return {
        "released items": len(theirs),
        "sentence in the treebanks": len(present),
        "text and right form unchanged": len(unchanged),
        "same target": len(matched),
        "same forms": len(same_forms),
    }


def compare_with_released(
    built: str | Path, released: str | Path, treebanks: Iterable[str | Path], overlap: str | Path
) -> None:
    """Write `count_overlap` as a table of steps and counts."""
    write_counts(overlap, count_overlap(built, released, treebanks))


def _is_unchanged(row: Mapping, sentence: Sentence) -> bool:
    """Return whether the sentence still has the text and the right form of a released item."""
    words, target = sentence.words, row["target"]
    if target > len(words):
        return False
    masked, _ = mask_word(sentence, target)
    return masked == row["masked"] and words[target - 1].form == row[f"form_{row['grammatical']}"]

"""What scoring in bfloat16 changes: scores, and which verdicts.

    python tools/precision.py FOLDER MODEL DEFINITION,... ITEMS...

Items are pairs or sets. A verdict is whether the right sentence or form has the highest score.
FOLDER gets precision.tsv, a row per file and definition, and precision_changed.tsv, a row per
verdict that changes, with its margins: by how many nats the right one is ahead of the best of the
others.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.package import commit
from kasu.base.paths import expect_no_input
from kasu.files.tables import read_parquet, write_tsv
from kasu.lm import PRECISIONS
from kasu.lm.scoring.accuracy import right_and_wrong
from kasu.lm.scoring.items import item_name, read_rows
from kasu.lm.scoring.score import Scoring, score_file

SUMMARY = (
    "commit", "model", "items", "definition", "verdicts", "right_float32", "right_bfloat16",
    "changed", "texts", "mean_nat", "furthest_nat",
)  # fmt: skip
CHANGED = ("commit", "model", "items", "definition", "item_id", "float32", "bfloat16")

Scores = dict[tuple[str, str], dict[str, float]]


def score(model: Path, items: Path, definitions: tuple[str, ...], dtype: str) -> Scores:
    """The scores of the columns of each definition and item."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scoring = Scoring(definitions, dtype=dtype, device="cpu", too_long="drop")
        scores = folder / "scores.parquet"
        score_file(model, items, scores, folder / "drops.tsv", folder / "work", scoring)
        found: Scores = {}
        for row in read_parquet(scores).to_pylist():
            texts = found.setdefault((row["definition"], row["item_id"]), {})
            texts[row["column"]] = row["log_probability"]
        return found


def margin(row: Mapping[str, object], texts: Mapping[str, float]) -> float:
    """By how much the right text of an item is ahead of the best of the wrong ones."""
    right, wrong = right_and_wrong(row, texts)
    if right is None:
        raise KasuError("items", "none that says what is right", "pairs or sets")
    return texts[right] - max(texts[column] for column in wrong)


def compare(
    model: Path, items: Path, definitions: tuple[str, ...]
) -> Iterator[tuple[dict, list[dict]]]:
    """Yield, for each definition, its row of SUMMARY and its rows of CHANGED."""
    rows = {item_name(row, number): row for number, row in enumerate(read_rows(items), 1)}
    both = [score(model, items, definitions, dtype) for dtype in PRECISIONS]
    for definition in definitions:
        where = {
            "commit": commit(), "model": "/".join(model.parts[-4:]),
            "items": "/".join(items.parts[-2:]), "definition": definition,
        }  # fmt: skip
        asked = [key for key in both[0] if key[0] == definition]
        margins = [[margin(rows[key[1]], scores[key]) for key in asked] for scores in both]
        apart = [
            abs(both[0][key][column] - both[1][key][column])
            for key in asked
            for column in both[0][key]
        ]
        changed = [
            where | {"item_id": item, "float32": round(one, 4), "bfloat16": round(other, 4)}
            for (_, item), one, other in zip(asked, *margins, strict=True)
            if (one > 0) != (other > 0)
        ]
        summary = where | {
            "verdicts": len(asked),
            "right_float32": sum(each > 0 for each in margins[0]),
            "right_bfloat16": sum(each > 0 for each in margins[1]),
            "changed": len(changed), "texts": len(apart),
            "mean_nat": round(sum(apart) / len(apart), 4), "furthest_nat": round(max(apart), 4),
        }  # fmt: skip
        yield summary, changed


def main(folder: str, model: str, definitions: str, *items: str) -> None:
    """Write both tables."""
    tables = Path(folder) / "precision.tsv", Path(folder) / "precision_changed.tsv"
    for table in tables:
        expect_no_input(table, model, *items)
    summaries, listed = [], []
    for file in items:
        for summary, changed in compare(Path(model), Path(file), tuple(definitions.split(","))):
            print("\t".join(str(summary[name]) for name in SUMMARY), flush=True)
            summaries.append(summary)
            listed += changed
    write_tsv(tables[0], summaries, SUMMARY)
    write_tsv(tables[1], listed, CHANGED)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: python tools/precision.py FOLDER MODEL DEFINITION,... ITEMS...")
    main(*sys.argv[1:])

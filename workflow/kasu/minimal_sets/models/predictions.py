"""Log probabilities of the forms of minimal sets: the file that evaluation reads."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.files.tables import DROPS, read_parquet, write_parquet
from kasu.lm.models.definitions import DEFINITIONS, SENTENCE, WORD
from kasu.lm.scoring.items import FORM

SET_DROPS = ("set", *DROPS)
"""How many items of each set were left out, by reason."""

# Sorted by set, item_id, definition, value
PREDICTIONS = pa.schema(
    [
        ("set", pa.string()),
        ("item_id", pa.string()),
        ("sentence_id", pa.string()),
        ("tense", pa.string()),  # of the verb; null where not recorded
        ("aspect", pa.string()),
        ("seen", pa.bool_()),  # the right sentence in training; null where the text is not known
        ("system", pa.string()),
        ("definition", pa.string()),  # of kasu.lm.models.definitions, or RELEASED
        ("variant", pa.string()),
        ("level", pa.string()),  # word or sentence
        ("value", pa.string()),  # of the feature, in lower case: nom
        ("grammatical", pa.bool_()),  # whether this is the right form
        ("form", pa.string()),
        ("log_probability", pa.float64()),  # natural logarithm
        ("tokens", pa.int32()),  # of the form at word level, of the sentence at sentence level
        ("scored", pa.int32()),  # tokens in the sum
        ("form_tokens", pa.int32()),  # of the form; null where the tokenizer is not available
        ("sentence_tokens", pa.int32()),  # of the sentence with the form; null likewise
        ("words", pa.int32()),  # of the scored text, separated by white space
        ("characters", pa.int32()),
        ("bytes", pa.int32()),
        ("vocabulary", pa.int32()),
    ]
)
"""The score that a model gives a form: one row per item, form and definition."""

TOKENS = pa.schema(
    [
        ("system", pa.string()),
        ("set", pa.string()),
        ("sentence_id", pa.string()),
        ("item_id", pa.string()),
        ("value", pa.string()),
        ("form_tokens", pa.int32()),
        ("sentence_tokens", pa.int32()),
    ]
)
"""Number of tokens of a form, and of its masked sentence, `[MASK]` as plain text (GEO-16)."""

_ITEM = ("set", "item_id", "sentence_id", "masked", "grammatical")
_COUNTS = ("tokens", "scored", "words", "characters", "bytes", "vocabulary")
_SCORE = ["item_id", "column", "definition", "log_probability", "unit", *_COUNTS]


def list_predictions(
    items: str | Path,
    scores: str | Path,
    system: str,
    seen: Collection[tuple[str, str]] | None = None,
) -> list[dict]:
    """Return rows of PREDICTIONS from a minimal set and the scores of its forms.

    Bits become nats. The variant of a row is its definition. `sentence_tokens` counts the sentence
    with the form in place of the mask, and is known only if it was scored at sentence level.

    Args:
        items: a parquet of a minimal set.
        scores: a parquet of `kasu.lm.scoring.score.SCORES`: one model, any definitions.
        system: the name of the model in tables.
        seen: (set, item_id) of the items seen in training; None where that is not known.

    Raises:
        KasuError: a column is missing, or a score is of an item or form outside the set.
    """
    known = {item["item_id"]: item for item in read_items(items)}
    table = read_parquet(scores, _SCORE).to_pylist()
    counted: dict[tuple, int] = {}
    for row in table:
        level = _level(scores, row["definition"])
        counted.setdefault((row["item_id"], row["column"], level), row["tokens"])
    rows = []
    for row in table:
        item, column = known.get(row["item_id"]), row["column"]
        if item is None or column not in item:
            found = f"a score of {row['item_id']}, {column}"
            raise KasuError(scores, found, f"items and forms of {items}")
        rows.append(
            _form(item, column.removeprefix(FORM))
            | {key: row[key] for key in _COUNTS}
            | {
                "seen": None if seen is None else (item["set"], item["item_id"]) in seen,
                "system": system,
                "definition": row["definition"],
                "variant": row["definition"],
                "level": _level(scores, row["definition"]),
                "log_probability": row["log_probability"]
                * (math.log(2) if row["unit"] == "bit" else 1),
                "form_tokens": counted.get((row["item_id"], column, WORD)),
                "sentence_tokens": counted.get((row["item_id"], column, SENTENCE)),
            }
        )
    return rows


def add_tokens(rows: Iterable[dict], tokens: Sequence[str | Path]) -> None:
    """Add the counts of TOKENS to rows of PREDICTIONS, joined by sentence.

    This is for the authors' sets, in which a sentence has one item.
    """
    counts = {}
    for path in tokens:
        for row in read_parquet(path, TOKENS.names).to_pylist():
            counts[row["system"], row["set"], row["sentence_id"], row["value"]] = row
    for row in rows:
        if count := counts.get((row["system"], row["set"], row["sentence_id"], row["value"])):
            row |= {key: count[key] for key in ("form_tokens", "sentence_tokens")}
            # At word level the form alone is scored
            if row["level"] == WORD:
                row |= dict.fromkeys(("tokens", "scored"), count["form_tokens"])


def _level(path: str | Path, definition: str) -> str:
    if definition not in DEFINITIONS:
        raise KasuError(path, f"the definition {definition!r}", ", ".join(DEFINITIONS))
    return DEFINITIONS[definition].level


def read_items(path: str | Path) -> list[dict]:
    """Read the rows of a minimal set, whatever its values.

    Raises:
        KasuError: a column that every set has is missing, or an item lacks its right form.
    """
    table = read_parquet(path)
    if missing := [column for column in _ITEM if column not in table.column_names]:
        raise KasuError(path, f"no column {missing[0]!r}", ", ".join(_ITEM))
    rows = table.to_pylist()
    for row in rows:
        if not row.get(f"{FORM}{row['grammatical']}"):
            where = f"{path}: item {row['item_id']}"
            raise KasuError(where, f"no form of its right value {row['grammatical']!r}")
    return rows


def _form(item: Mapping, value: str) -> dict:
    return {
        "set": item["set"],
        "item_id": item["item_id"],
        "sentence_id": item["sentence_id"],
        "tense": item.get("tense"),
        "aspect": item.get("aspect"),
        "value": value,
        "grammatical": value == item["grammatical"],
        "form": item[f"{FORM}{value}"],
    }


def write_predictions(path: str | Path, rows: Iterable[Mapping]) -> None:
    """Write rows of PREDICTIONS, sorted."""
    columns = ("set", "item_id", "definition", "level", "system", "value")
    write_parquet(path, sorted(rows, key=lambda row: [row[key] for key in columns]), PREDICTIONS)

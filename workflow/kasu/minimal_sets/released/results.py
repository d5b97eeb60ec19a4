"""The authors' released results by item as predictions, without a model (GEO-7 to GEO-9)."""

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.lm.models.definitions import WORD
from kasu.lm.scoring.items import MASK
from kasu.minimal_sets.data.paper import FILE_SETS, FILE_SYSTEMS, RELEASED, VOCABULARIES
from kasu.minimal_sets.models.predictions import (
    PREDICTIONS,
    add_tokens,
    read_items,
    write_predictions,
)


class Released(NamedTuple):
    """What the name of a released file says; `kind` is mlm or ntp (next-token prediction)."""

    kind: str
    system: str
    set: str
    level: str


_NAME = re.compile(rf"(mlm|ntp)-(.+?)-({'|'.join(FILE_SETS)})-(word|sentence)-level\.csv")
_RIGHT = re.compile(r"form_grammatical_([a-z]+)")
_WRONG = re.compile(r"form_ungrammatical_([a-z]+)")


def name_released(name: str) -> Released:
    """Parse the name of a released file.

    Raises:
        KasuError: it does not follow the authors' scheme.
    """
    match = _NAME.fullmatch(name)
    if not match:
        raise KasuError(name, "a name of another kind", "{mlm|ntp}-MODEL-SET-LEVEL-level.csv")
    kind, model, code, level = match.groups()
    return Released(kind, FILE_SYSTEMS.get(model, model), FILE_SETS[code], level)


def predict_released(
    results: Iterable[str | Path],
    predictions: str | Path,
    *,
    items: Sequence[str | Path] = (),
    tokens: Sequence[str | Path] = (),
) -> None:
    """Write PREDICTIONS from the authors' results by item (GEO-7 to GEO-9).

    At word level the files hold probabilities; at sentence level sums of logarithms, to base e for
    encoders and to base 2 for decoders.

    Args:
        results: files of the authors' `results/full`, of any sets.
        items: parquets of the released sets, for item_id, tense and aspect.
        tokens: parquets of TOKENS, of any tokenizers and sets.

    Raises:
        KasuError: no file; a file with another name or other columns, or with a cell that is not
            a probability.
    """
    files = sorted(map(Path, results))
    if not files:
        raise KasuError("released results", "no file", "one or more")
    known = {(row["set"], row["sentence_id"]): row for path in items for row in read_items(path)}
    rows = []
    for file in files:
        for row in read_released(file):
            item = known.get((row["set"], row["sentence_id"]), {})
            row |= {key: item[key] for key in ("item_id", "tense", "aspect") if item.get(key)}
            rows.append(row)
    add_tokens(rows, tokens)
    write_predictions(predictions, rows)


def read_released(path: str | Path) -> Iterator[dict]:
    """Yield rows of PREDICTIONS from one released file, the forms of an item together."""
    path = Path(path)
    named = name_released(path.name)
    header, rows = read_rows(path)
    right, *wrong = _values(path, header)
    for line, row in rows:
        for value in (right, *wrong):
            yield _released_form(path, line, named, row, value, right)


def read_rows(path: str | Path) -> tuple[Sequence[str], list[tuple[int, dict[str, str]]]]:
    """Return the columns of a released file, and line number and cells by column of each row.

    Raises:
        KasuError: the file is not comma-separated text, or a row has too few or too many cells.
    """
    rows = []
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            for row in reader:
                if None in row or None in row.values():
                    raise KasuError(f"{path}:{reader.line_num}", "wrong number of cells")
                rows.append((reader.line_num, row))
            return reader.fieldnames or [], rows
    except (UnicodeDecodeError, csv.Error) as error:
        raise KasuError(path, str(error).splitlines()[0], "comma-separated text") from error


def _values(path: Path, header: Sequence[str]) -> list[str]:
    """Return the values whose forms a file has, the right one first."""
    right = [match[1] for name in header if (match := _RIGHT.fullmatch(name))]
    wrong = [match[1] for name in header if (match := _WRONG.fullmatch(name))]
    needed = ["sentence_id", "masked_text"]
    needed += [f"p_form_grammatical_{value}" for value in right]
    needed += [f"p_form_ungrammatical_{value}" for value in wrong]
    missing = [name for name in needed if name not in header]
    if len(right) != 1 or not wrong or missing:
        found = f"no column {missing[0]!r}" if missing else f"{len(right)} right forms"
        raise KasuError(f"{path}:1", found, "one right form, wrong ones, a probability each")
    return right + wrong


def _released_form(
    path: Path, line: int, named: Released, row: Mapping[str, str], value: str, right: str
) -> dict:
    column = f"form_{'' if value == right else 'un'}grammatical_{value}"
    form, where = row[column], f"{path}:{line}, p_{column}"
    at_word = named.level == WORD
    text = form if at_word else row["masked_text"].replace(MASK, form)
    return {
        **dict.fromkeys(PREDICTIONS.names),
        "set": named.set,
        "item_id": f"{named.set}-{row['sentence_id']}",
        "sentence_id": row["sentence_id"],
        "system": named.system,
        "definition": RELEASED,
        "variant": RELEASED,
        "level": named.level,
        "value": value,
        "grammatical": value == right,
        "form": form,
        "log_probability": _nats(where, row[f"p_{column}"], at_word, named.kind),
        "words": len(text.split()),
        "characters": len(text),
        "bytes": len(text.encode("utf-8")),
        "vocabulary": VOCABULARIES.get(named.system),
    }


def _nats(where: str, text: str, at_word: bool, kind: str) -> float:
    """Read a natural logarithm from a cell: a probability, or a logarithm to base e or (ntp) 2."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if at_word and 0 < number <= 1:
        return math.log(number)
    if not at_word and -math.inf < number <= 0:
        return number * (math.log(2) if kind == "ntp" else 1)
    raise KasuError(where, repr(text), "a probability" if at_word else "its logarithm")

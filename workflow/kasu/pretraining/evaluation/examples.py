"""Examples of minimal pairs: the right and the wrong sentence, and their scores."""

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path

from kasu.files.tables import read_parquet
from kasu.results.examples import (
    UNIT,
    Candidate,
    Example,
    Option,
    among,
    choose,
    describe_draw,
    draw,
    write_examples,
)

GOOD, BAD = "sentence_good", "sentence_bad"
NAMES = {GOOD: "good", BAD: "bad"}
"""What an example calls the two sentences of a pair."""
_SCORES = ["item_id", "column", "log_probability", "tokens"]

Halves = dict[str, tuple[float, int]]
"""The log probability of each half of a pair that is scored, and its tokens."""


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    systems: Sequence[str],
    language: str,
    seed: int,
) -> None:
    """Draw pairs of the main set by the scores of one model (EXAMPLES); groups are types.

    A pair can be drawn if both halves have scores by the model and the same number of tokens
    (`kasu.pretraining.data.filters`). The other pairs are counted.

    Args:
        files: `pairs`, the main set, and `scores`, one file per system, the main one first.
        systems: their names.
        language: code of the pairs' language.
        seed: of the draw.
    """
    read = read_parquet(files["pairs"][0], ["item_id", GOOD, BAD, "type", "level"])
    pairs = {row["item_id"]: row for row in read.to_pylist()}
    main, scores = systems[0], _halves(files["scores"][0])
    kept = [name for name in pairs if _counts(scores.get(name, {}))]
    drawn = draw(
        (
            Candidate(_answers(main, scores[name])[0].result, _group(pairs[name]), (name,))
            for name in kept
        ),
        seed,
    )
    names = [str(name) for each in drawn.items for name in each.key]
    by_system = {
        system: _halves(path, names) for system, path in zip(systems, files["scores"], strict=True)
    }
    notes = [describe_draw(drawn, main, "pairs whose sentences have the same number of tokens")]
    if kept:
        notes.append(UNIT)
    if left := len(pairs) - len(kept):
        notes.append(
            f"Left out: {left:,} of {len(pairs):,} pairs, whose sentences have different numbers "
            f"of tokens for {main}, or no score."
        )
    examples = [
        Example(
            name,
            each.group,
            language,
            options=[Option(NAMES[half], pairs[name][half], half == GOOD) for half in NAMES],
            scores={(main, NAMES[half]): value for half, (value, _) in scores[name].items()},
            answers=[
                answer
                for system, found in by_system.items()
                if len(found.get(name, {})) == len(NAMES)
                for answer in _answers(system, found[name])
            ],
        )
        for each, name in zip(drawn.items, names, strict=True)
    ]
    write_examples(out, notes, examples)


def _halves(path: str, names: Sequence[str] | None = None) -> dict[str, Halves]:
    """Return the scores of each pair, or of some, in the first word order."""
    chosen = among("column", [*NAMES])
    if names is not None:
        chosen &= among("item_id", names)
    found: dict[str, Halves] = {}
    for row in read_parquet(path, _SCORES, chosen).to_pylist():
        value = row["log_probability"], row["tokens"]
        if value[0] is not None and not isnan(value[0]):
            found.setdefault(row["item_id"], {})[row["column"]] = value
    return found


def _counts(halves: Halves) -> bool:
    lengths = [tokens for _, tokens in halves.values()]
    return len(lengths) == len(NAMES) and lengths[0] == lengths[1] > 0


def _answers(system: str, halves: Halves) -> list:
    return choose(system, {NAMES[half]: halves[half][0] for half in NAMES}, NAMES[GOOD])


def _group(pair: Mapping[str, str | None]) -> str:
    return ", ".join(filter(None, (pair["type"], pair["level"])))

"""Test items drawn by the answers of one submission, and all submissions' answers to them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from kasu.files.tables import ParquetReader, read_parquet
from kasu.results.examples import RIGHT, WRONG, Answer, Candidate, Drawn, among, draw

_COLUMNS = ["language", "variant", "seed", "item", "gold", "prediction"]

Place = tuple[str, str, int]
"""Setting, language and item: the number of its row in the test set."""
Judge = Callable[[str, str, str], bool]
"""A function of the language, the right form and the prediction that says whether that is right."""


def draw_answers(
    predictions: Mapping[tuple[str, str], str], judge: Judge, nulls: Collection[str], seed: int
) -> tuple[Drawn, str, dict[Place, list[Answer]]]:
    """Draw by the first submission of the config that is right anywhere; nulls count as the last.

    If none is right, draw by the first that answered: to a system that is never right, all items
    look alike. Of every submission and language only the first variant and seed count. Items are
    grouped by language and setting.

    Args:
        predictions: files of PREDICTIONS by system and setting.
        nulls: names of systems.
        seed: seed of the draw.

    Returns:
        The items, the submission that they are drawn by, and by item the answers, its own first.
    """
    systems = sorted(
        dict.fromkeys(system for system, _ in predictions), key=lambda name: name in nulls
    )
    drawn, main = Drawn([], {}), systems[0] if systems else ""
    for system in systems:
        taken = draw(_candidates(system, predictions, judge), seed)
        if not drawn.items or RIGHT in taken.totals:
            drawn, main = taken, system
        if RIGHT in drawn.totals:
            break
    places = {(str(s), str(name), int(item)): None for s, name, item in map(_key, drawn.items)}
    found: dict[Place, list[Answer]] = {place: [] for place in places}
    for system in sorted(systems, key=lambda name: name != main):
        for (name, setting), path in predictions.items():
            if name == system:
                for row in _first_runs(_chosen(path, setting, places)):
                    place = setting, row["language"], row["item"]
                    if place in found:
                        right = judge(row["language"], row["gold"], row["prediction"])
                        result = RIGHT if right else WRONG
                        found[place].append(Answer(system, row["prediction"], result))
    return drawn, main, found


def _key(candidate: Candidate) -> tuple[str | int, ...]:
    return candidate.key


def _candidates(
    main: str, predictions: Mapping[tuple[str, str], str], judge: Judge
) -> Iterator[Candidate]:
    for (system, setting), path in predictions.items():
        if system != main:
            continue
        batches = ParquetReader(path).batches(columns=_COLUMNS)
        for row in _first_runs(row for batch in batches for row in batch.to_pylist()):
            right = judge(row["language"], row["gold"], row["prediction"])
            key = (setting, row["language"], row["item"])
            yield Candidate(RIGHT if right else WRONG, f"{row['language']}, {setting}", key)


def _first_runs(rows: Iterable[dict]) -> Iterator[dict]:
    """Yield the rows of the first variant and seed of each language; a file has them together."""
    run = itemgetter("variant", "seed")
    for _, of_language in groupby(rows, itemgetter("language")):
        _, first = next(groupby(of_language, run))
        yield from first


def _chosen(path: str, setting: str, places: Iterable[Place]) -> list[dict]:
    """Read the rows of some items, and perhaps of others with the same numbers."""
    here = [(name, item) for where, name, item in places if where == setting]
    languages, items = [name for name, _ in here], [item for _, item in here]
    chosen = among("language", languages) & among("item", items)
    return read_parquet(path, _COLUMNS, chosen).to_pylist() if here else []

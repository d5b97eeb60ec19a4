"""Scores of minimal sets: Table 3, its nulls, the averages of the text, by tense and aspect."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from kasu.base.scores import SCORES
from kasu.base.tables import write_parquet, write_tsv
from kasu.minimal_sets.evaluation.cells import (
    Cell,
    Cells,
    Group,
    Key,
    interval,
    mean_over_cells,
    paper_groups,
    read_cells,
    several,
)  # fmt: skip
from kasu.minimal_sets.evaluation.claims import CLAIMS, judge_claims
from kasu.minimal_sets.evaluation.nulls import nulls
from kasu.minimal_sets.evaluation.preferences import (
    PREFERENCES,
    list_preferences,
    printed_preferences,
)  # fmt: skip
from kasu.minimal_sets.evaluation.tokenisation import (
    CORRELATIONS,
    list_correlations,
    printed_tokenisation,
)
from kasu.minimal_sets.evaluation.verdicts import COMPARISONS, FLIPS, compare, list_flips
from kasu.minimal_sets.models.predictions import read_items
from kasu.minimal_sets.released.paper import CASES, ENCODERS, PAPER, RELEASED, SETS, STUDY
from kasu.minimal_sets.released.statistics import count_cases

PROBABILITIES = (
    "variant", "level", "set", "system", "value", "grammatical", "mean_probability",
    "mean_log_probability", "n",
)  # fmt: skip
"""Figure 3: what a system gives the forms with one value. `mean_probability` is a mean of
probabilities at word level, empty at sentence level; logarithms are natural."""


def score_study(
    predictions: Sequence[str | Path],
    scores: str | Path,
    comparisons: str | Path,
    preferences: str | Path,
    correlations: str | Path,
    flips: str | Path,
    probabilities: str | Path,
    claims: str | Path,
    *,
    seed: int,
    notes: Mapping[str, str] | None = None,
    statistics: str | Path | None = None,
    collections: Mapping[str, str] | None = None,
    counterparts: Mapping[str | Path, str] | None = None,
) -> None:
    """Write SCORES and the six tables of the study.

    Args:
        predictions: parquet files of PREDICTIONS, of any systems, sets and definitions.
        seed: of bootstraps and permutations.
        notes: by system, what stands beside its accuracy: how it was trained.
        statistics: `stats.xml` of the paper's treebank, for what it counts there.
        collections: set -> its collection; figures over several sets are of one collection.
        counterparts: parquet of a set built here -> the set of the paper that it answers to.

    Raises:
        KasuError: an item of a system lacks a form or its right one.
    """
    cells = read_cells(predictions, collections)
    compared, preferred = compare(cells, seed), list_preferences(cells, seed)
    correlated, groups = list_correlations(cells, seed), list(paper_groups(cells))
    items: dict[str, list[dict]] = {}
    for path, name in (counterparts or {}).items():
        items.setdefault(name, []).extend(read_items(path))
    rows = score(cells, seed, notes or {})
    for group in groups:
        rows += score_text(group, seed)
    if statistics:
        rows += [_EMPTY | row for row in count_cases(statistics)]
    columns = ("table", "system", "condition", "metric", "variant")
    rows.sort(key=lambda row: [row[column] or "" for column in columns])
    write_parquet(scores, rows, SCORES)
    write_tsv(comparisons, compared, COMPARISONS)
    write_tsv(preferences, preferred, PREFERENCES)
    write_tsv(correlations, correlated, CORRELATIONS)
    write_tsv(flips, list_flips(cells), FLIPS)
    write_tsv(probabilities, list_probabilities(cells), PROBABILITIES)
    write_tsv(claims, judge_claims(groups, seed, items), CLAIMS)


_EMPTY = dict.fromkeys(SCORES.names) | {"study": STUDY, "paper": PAPER}


def _row(key: Key, **cells: object) -> dict:
    named = {"table": "Table 3", "system": key.system, "condition": key.condition}
    return _EMPTY | named | {"variant": key.variant} | cells


def score(cells: Cells, seed: int, notes: Mapping[str, str]) -> list[dict]:
    """Rows of SCORES: accuracy by cell, pairwise, by tense and aspect, over sets; nulls; sizes."""
    rows = []
    for key, cell in cells.items():
        rows += _score_cell(key, cell, seed, notes.get(key.system, ""))
        rows += _by_feature(key, cell, seed)
    for key, cell, solved in nulls(cells):
        low = high = None
        if key.system != "chance":
            low, high = interval(solved, cell.sentences, seed)
        shown = {"value": float(solved.mean()), "low": low, "high": high, "n": len(cell)}
        rows.append(_row(key, metric="accuracy", note="null", **shown))
    return rows + list(_over_sets(cells, seed)) + list(_count_items(cells))


def _share(hits: np.ndarray, sentences: np.ndarray, seed: int) -> dict:
    low, high = interval(hits, sentences, seed)
    return {"value": float(hits.mean()), "low": low, "high": high, "n": len(hits), "runs": 1}


def _score_cell(key: Key, cell: Cell, seed: int, note: str) -> Iterator[dict]:
    accuracy = _share(cell.correct, cell.sentences, seed)
    yield _row(key, metric="accuracy", note=_note(key, cell, accuracy["value"], note), **accuracy)
    for at, value in enumerate(cell.values):
        others = cell.right != at
        if others.any():
            above = cell.of_right(cell.scores) > cell.scores[:, at]
            pairwise = _share(above[others], cell.sentences[others], seed)
            yield _row(key, metric=f"accuracy_over_{value}", **pairwise)
    yield _row(key, metric="ties", value=cell.ties, n=len(cell), runs=1)


def _note(key: Key, cell: Cell, accuracy: float, note: str) -> str | None:
    notes = [note] if note else []
    if key.variant == RELEASED and round(accuracy, 2) != accuracy:
        notes.append(f"released code rounds it to {accuracy:.2f}")
    if cell.ties:
        notes.append(f"ties for the first place, counted wrong: {cell.ties}")
    if cell.untrained:
        notes.append("untrained head: the form with fewest tokens wins (GEO-17)")
    return "; ".join(notes) or None


def _by_feature(key: Key, cell: Cell, seed: int) -> Iterator[dict]:
    """Accuracy by tense and by aspect of the verb (S-12)."""
    for name in ("tense", "aspect"):
        found = getattr(cell, name)
        for value in sorted(set(found) - {""}):
            here = found == value
            share = _share(cell.correct[here], cell.sentences[here], seed)
            condition = f"{key.condition}|{name}={value}"
            yield _row(key, table="tense and aspect", metric="accuracy", **share) | {
                "condition": condition
            }


def _over_sets(cells: Cells, seed: int) -> Iterator[dict]:
    """Accuracy over a collection's sets of the same values, and over those of one right value."""
    gathered: dict[Key, list[Cell]] = {}
    for key, cell in cells.items():
        for case in dict.fromkeys((None, cell.case())):
            name = several(cell.collection, cell.values, case)
            gathered.setdefault(key._replace(set=name), []).append(cell)
    for key, mine in gathered.items():
        if len(mine) > 1:
            correct = np.concatenate([cell.correct for cell in mine])
            sentences = np.concatenate([cell.sentences for cell in mine])
            note = f"items of {len(mine)} sets; one sentence may serve several"
            yield _row(key, metric="accuracy", note=note, **_share(correct, sentences, seed))


def _count_items(cells: Cells) -> Iterator[dict]:
    """Table 2: the most items that a system has of each set; in all, if all of the paper's are."""
    sizes: dict[str, dict[str, int]] = {}
    for key, cell in cells.items():
        of_variant = sizes.setdefault(key.variant, {})
        of_variant[key.set] = max(of_variant.get(key.set, 0), len(cell))
    for variant, of_sets in sizes.items():
        if SETS.keys() <= of_sets.keys():
            of_sets["total"] = sum(of_sets[name] for name in SETS)
        for name, size in of_sets.items():
            yield _EMPTY | {
                "table": "Table 2", "system": name, "condition": "", "metric": "tests",
                "value": size, "variant": variant,
            }  # fmt: skip


def list_probabilities(cells: Cells) -> list[dict]:
    """Rows of PROBABILITIES: means over the items of a set (GEO-14)."""
    rows = []
    for key, cell in cells.items():
        for at, value in enumerate(cell.values):
            scores = cell.scores[:, at]
            rows.append(
                key._asdict() | {
                    "value": value,
                    "grammatical": value == cell.case(),
                    "mean_probability": np.exp(scores).mean() if key.level == "word" else None,
                    "mean_log_probability": scores.mean(),
                    "n": len(cell),
                }
            )  # fmt: skip
    return rows


# The figures of the text


def score_text(group: Group, seed: int) -> list[dict]:
    """Rows of SCORES for the text of section 7; none of an average that lacks a set or a system."""
    rows = []
    for case in CASES:
        if group.complete(case):
            rows += _averages(group, case, seed)
    rows += [
        {"table": "section 7.3", "system": f"{len(ENCODERS)} encoders"} | row
        for row in printed_preferences(group, seed)
    ]
    rows += [{"table": "section 7.4"} | row for row in printed_tokenisation(group, seed)]
    return [_EMPTY | {"variant": group.variant, "runs": 1} | row for row in rows]


def _averages(group: Group, case: str, seed: int) -> Iterator[dict]:
    cells = group.of_case(case)
    named = {"condition": f"{group.level}-level|{case}", "n": sum(map(len, cells.values()))}
    accuracies = [(cell.correct, cell.sentences) for cell in cells.values()]
    rounded = np.mean([round(100 * hits.mean()) for hits, _ in accuracies])
    note = f"mean of {len(cells)} cells; of the rounded ones {rounded:.2f} %"
    mean = _mean(accuracies, seed) | {"system": "all models", "metric": "mean_accuracy"}
    yield named | mean | {"table": "section 7", "note": note}
    if case == "dat":  # printed twice, with other figures
        yield named | mean | {"table": "section 7.1", "note": note}
    if group.level == "word":
        of_encoders = named | {"table": "section 7.1", "system": f"{len(ENCODERS)} encoders"}
        for metric, note, forms in (
            ("mean_probability_all_three_forms", "right and wrong forms alike", False),
            ("mean_probability_right_form", "the right form alone", True),
        ):
            given = [
                (_probability(cell, right_alone=forms), cell.sentences) for cell in cells.values()
            ]
            yield of_encoders | _mean(given, seed) | {"metric": metric, "note": note}


def _probability(cell: Cell, *, right_alone: bool) -> np.ndarray:
    probabilities = np.exp(cell.scores)
    return cell.of_right(probabilities) if right_alone else probabilities.mean(axis=1)


def _mean(cells: list[tuple[np.ndarray, np.ndarray]], seed: int) -> dict:
    return dict(zip(("value", "low", "high"), mean_over_cells(cells, seed), strict=True))

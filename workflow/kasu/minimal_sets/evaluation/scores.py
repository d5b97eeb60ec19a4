"""Scores: Table 3 and its nulls, Table 2, averages of the text, accuracy by feature."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kasu.files.tables import write_parquet, write_tsv
from kasu.minimal_sets.data.paper import CASES, ENCODERS, PAPER, RELEASED, SETS, STUDY
from kasu.minimal_sets.evaluation.cells import (
    Cell,
    Cells,
    Key,
    interval,
    mean_over_cells,
    name_pool,
    read_cells,
)
from kasu.minimal_sets.evaluation.claims import judge_claims
from kasu.minimal_sets.evaluation.comparisons import COMPARISONS, FLIPS, compare, list_flips
from kasu.minimal_sets.evaluation.groups import Group, paper_groups
from kasu.minimal_sets.evaluation.heads import Head, untrained_heads
from kasu.minimal_sets.evaluation.nulls import nulls
from kasu.minimal_sets.evaluation.preferences import (
    PREFERENCES,
    list_preferences,
    printed_preferences,
)
from kasu.minimal_sets.evaluation.tokenisation import (
    CORRELATIONS,
    list_correlations,
    printed_tokenisation,
)
from kasu.minimal_sets.models.predictions import read_items
from kasu.minimal_sets.released.statistics import count_cases
from kasu.results.comparison import TIES_WRONG
from kasu.results.published import rounded
from kasu.results.scores import CLAIMS, SCORES, tied, ties_wrong

PROBABILITIES = (
    "variant", "level", "set", "system", "value", "grammatical", "mean_probability",
    "mean_log_probability", "n",
)  # fmt: skip
"""Figure 3: mean probability (at word level, else empty) and mean natural log probability of the
forms with one value."""


FEATURES = {"tense": "tense and aspect", "aspect": "tense and aspect", "seen": "seen in training"}
"""Feature of an item -> the table of accuracies by its values."""


@dataclass(frozen=True)
class Outputs:
    """The files that `score_study` writes: SCORES as parquet, the others as TSV."""

    scores: str | Path
    comparisons: str | Path
    preferences: str | Path
    correlations: str | Path
    flips: str | Path
    probabilities: str | Path
    claims: str | Path


def score_study(
    predictions: Sequence[str | Path],
    outputs: Outputs,
    *,
    seed: int,
    built: Sequence[str | Path] = (),
    counterparts: Mapping[str, str] | None = None,
    collections: Mapping[str, str] | None = None,
    statistics: str | Path | None = None,
) -> None:
    """Write SCORES and the six tables of the study.

    Args:
        predictions: parquet files of PREDICTIONS, with any systems, sets and definitions.
        seed: of bootstraps and permutations.
        built: items.parquet of the sets in `counterparts`.
        counterparts: set built here -> the set of the paper that it corresponds to.
        collections: set -> its collection; only sets of the same collection are pooled.
        statistics: `stats.xml` of the paper's treebank, for its own counts.

    Raises:
        KasuError: an item of a system lacks a form or its right one.
    """
    cells = read_cells(predictions, collections)
    groups = list(paper_groups(cells))
    rows = score(cells, seed)
    for group in groups:
        rows += score_text(group, seed)
    if statistics:
        rows += [_EMPTY | row for row in count_cases(statistics)]
    columns = ("table", "system", "condition", "metric", "variant")
    rows.sort(key=lambda row: [row[column] or "" for column in columns])
    items = _by_paper_set(built, counterparts or {})
    write_parquet(outputs.scores, rows, SCORES)
    write_tsv(outputs.comparisons, compare(cells, seed), COMPARISONS)
    write_tsv(outputs.preferences, list_preferences(cells, seed), PREFERENCES)
    write_tsv(outputs.correlations, list_correlations(cells, seed), CORRELATIONS)
    write_tsv(outputs.flips, list_flips(cells), FLIPS)
    write_tsv(outputs.probabilities, list_probabilities(cells), PROBABILITIES)
    write_tsv(outputs.claims, judge_claims(groups, seed, items), CLAIMS)


def _by_paper_set(
    built: Sequence[str | Path], counterparts: Mapping[str, str]
) -> dict[str, list[dict]]:
    """Set of the paper -> items of the sets built here that correspond to it."""
    items: dict[str, list[dict]] = {}
    for path in built:
        for item in read_items(path):
            items.setdefault(counterparts[item["set"]], []).append(item)
    return items


_BY_PAPER = "a tie is wrong, as in the paper"
_EMPTY = dict.fromkeys(SCORES.names) | {"study": STUDY, "paper": PAPER}


def _row(key: Key, **cells: object) -> dict:
    named = {"table": "Table 3", "system": key.system, "condition": key.condition}
    return _EMPTY | named | {"variant": key.variant} | cells


def score(cells: Cells, seed: int) -> list[dict]:
    """Return rows of SCORES that need no printed figure.

    Accuracy by cell, against each wrong form, by feature, and over sets; nulls; Table 2.
    """
    rows: list[dict] = []
    heads = untrained_heads(cells)
    for key, cell in cells.items():
        rows += _score_cell(key, cell, heads.get(Head.of(key), False), seed)
        rows += _by_feature(key, cell, seed)
    for key, cell, solved in nulls(cells):
        low = high = None
        if key.system != "chance":
            low, high = interval(solved, cell.sentences, seed)
        shown = {"value": float(solved.mean()), "low": low, "high": high, "n": len(cell)}
        rows.append(_row(key, metric="accuracy", note="null", **shown))
        if key.system != "chance":
            rows.append(_ties(key, int(tied(solved).sum()), len(cell)))
            rows += _null_by_paper(key, cell, solved, cells, seed)
    return rows + list(_over_sets(cells, seed)) + list(_count_items(cells))


def _null_by_paper(
    key: Key, cell: Cell, solved: np.ndarray, cells: Cells, seed: int
) -> Iterator[dict]:
    """A null with ties by the paper's rule, for each variant by that rule of what it stands beside.

    Args:
        cell: with the null's items.
        solved: (items) what each counts for.
    """
    variants = {
        other.variant if model.released else TIES_WRONG
        for other, model in cells.items()
        if (other.level, other.set) == (key.level, key.set) and (model.released or model.ties)
    }
    if tied(solved).any():
        by_paper = _share(ties_wrong(solved), cell.sentences, seed)
        for variant in sorted(variants):
            named = {"variant": variant, "note": f"null; {_BY_PAPER}"}
            yield _row(key, metric="accuracy") | by_paper | {"runs": None} | named


def _share(hits: np.ndarray, sentences: np.ndarray, seed: int) -> dict:
    low, high = interval(hits, sentences, seed)
    return {"value": float(hits.mean()), "low": low, "high": high, "n": len(hits), "runs": 1}


def _score_cell(key: Key, cell: Cell, untrained: bool, seed: int) -> Iterator[dict]:
    accuracy = _share(cell.correct, cell.sentences, seed)
    note = _note(key, cell, accuracy["value"], untrained)
    yield _row(key, metric="accuracy", note=note, **accuracy)
    if cell.ties and not cell.released:
        by_paper = _share(ties_wrong(cell.correct), cell.sentences, seed)
        variant = {"variant": f"{key.variant}; {TIES_WRONG}"}
        yield _row(key, metric="accuracy", note=_BY_PAPER, **by_paper) | variant
    for at, value in enumerate(cell.values):
        others = cell.right != at
        if others.any():
            above = cell.above(cell.of_right(cell.scores), cell.scores[:, at])
            pairwise = _share(above[others], cell.sentences[others], seed)
            yield _row(key, metric=f"accuracy_over_{value}", **pairwise)
    yield _ties(key, cell.ties, len(cell)) | {"runs": 1}


def _ties(key: Key, count: int, n: int) -> dict:
    return _row(key, metric="ties", value=count, n=n)


def _note(key: Key, cell: Cell, accuracy: float, untrained: bool) -> str | None:
    notes = []
    if key.variant == RELEASED and round(accuracy, 2) != accuracy:
        notes.append(f"released code rounds it to {accuracy:.2f}")
    if cell.ties:
        worth = "wrong" if cell.released else "as a guess among equals"
        notes.append(f"ties for the first place, counted {worth}: {cell.ties}")
    notes += _seen(cell.correct, cell.seen)
    if untrained:
        notes.append("untrained head: the form with fewest tokens wins (GEO-17)")
    return "; ".join(notes) or None


def _seen(correct: np.ndarray, seen: np.ndarray) -> Iterator[str]:
    """How many items are of sentences that the model was trained on, and accuracy without them."""
    known = seen == "yes"
    if known.any():
        without = ""
        if not known.all():
            without = f"; {rounded(correct[~known].mean(), 1, percent=True)} % without them"
        yield f"from sentences trained on: {known.sum()} of {len(known)} items{without}"


def _by_feature(key: Key, cell: Cell, seed: int) -> Iterator[dict]:
    """Accuracy by tense and aspect of the verb (S-12), and by whether a sentence was trained on."""
    for name, table in FEATURES.items():
        recorded = getattr(cell, name)
        for value in sorted(set(recorded) - {""}):
            chosen = recorded == value
            share = _share(cell.correct[chosen], cell.sentences[chosen], seed)
            condition = f"{key.condition}|{name}={value}"
            yield _row(key, table=table, metric="accuracy", **share) | {"condition": condition}


def _over_sets(cells: Cells, seed: int) -> Iterator[dict]:
    """Accuracy over each pool of sets: with the same values, and with one right value."""
    pools: dict[Key, list[Cell]] = {}
    for key, cell in cells.items():
        for case in dict.fromkeys((None, cell.case())):
            name = name_pool(cell.collection, cell.values, case)
            pools.setdefault(key._replace(set=name), []).append(cell)
    for key, pooled in pools.items():
        if len(pooled) > 1:
            correct = np.concatenate([cell.correct for cell in pooled])
            sentences = np.concatenate([cell.sentences for cell in pooled])
            notes = [f"items of {len(pooled)} sets; one sentence may serve several"]
            notes += _seen(correct, np.concatenate([cell.seen for cell in pooled]))
            share = _share(correct, sentences, seed)
            yield _row(key, metric="accuracy", note="; ".join(notes), **share)


def _count_items(cells: Cells) -> Iterator[dict]:
    """Table 2: the most items of each set that a system scored; the total if no set is missing."""
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
    """Return rows of PROBABILITIES: means over the items of a set (GEO-14)."""
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
    """Return rows of SCORES for the text of section 7, without averages that lack a cell."""
    rows: list[dict] = []
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
    whole = [float(rounded(hits.mean(), 0, percent=True)) for hits, _ in accuracies]
    average = rounded(float(np.mean(whole)), 2)
    note = f"mean of {len(cells)} cells; of the rounded ones {average} %"
    mean = _mean(accuracies, seed) | {"system": "all models", "metric": "mean_accuracy"}
    yield named | mean | {"table": "section 7", "note": note}
    if case == "dat":  # printed again in section 7.1, with other figures
        yield named | mean | {"table": "section 7.1", "note": note}
    if group.level == "word":
        of_encoders = named | {"table": "section 7.1", "system": f"{len(ENCODERS)} encoders"}
        for metric, note, right_alone in (
            ("mean_probability_all_three_forms", "right and wrong forms alike", False),
            ("mean_probability_right_form", "the right form alone", True),
        ):
            probabilities = [
                (_probability(cell, right_alone=right_alone), cell.sentences)
                for cell in cells.values()
            ]
            yield of_encoders | _mean(probabilities, seed) | {"metric": metric, "note": note}


def _probability(cell: Cell, *, right_alone: bool) -> np.ndarray:
    """(items) Probability of the right form, or the mean over all forms."""
    probabilities = np.exp(cell.scores)
    return cell.of_right(probabilities) if right_alone else probabilities.mean(axis=1)


def _mean(cells: list[tuple[np.ndarray, np.ndarray]], seed: int) -> dict:
    return dict(zip(("value", "low", "high"), mean_over_cells(cells, seed), strict=True))

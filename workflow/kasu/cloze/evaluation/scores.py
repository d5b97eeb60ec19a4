"""Scores of systems by language, means over languages, the best of each language, and sizes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kasu.cloze.data.datasets import read_dataset
from kasu.cloze.data.names import PAPER, SETTINGS, SPLITS
from kasu.cloze.data.sentences import Word, has_plausible, targets
from kasu.cloze.evaluation.claims import test_claims
from kasu.cloze.evaluation.made import TABLE as MADE_TABLE
from kasu.cloze.evaluation.made import figures
from kasu.cloze.evaluation.printed import (
    BEST,
    BEST_ACCURACY,
    BY_LANGUAGE,
    MEANS,
    ORIGINAL,
    OUTSIDE,
    PART,
    PLAUSIBLE,
    RUN,
    TARGETS,
    TOKENS,
    Printed,
    condition,
    read_printed,
)
from kasu.cloze.evaluation.scorer import judge
from kasu.files.tables import read_tsv, write_parquet, write_tsv
from kasu.results.published import PublishedFiles
from kasu.results.scores import (
    CLAIMS,
    SCORES,
    cluster_bootstrap,
    mean_over,
    share_interval,
    with_all_seeds,
)
from kasu.transduction.members.families import Run
from kasu.transduction.members.predictions import (
    MISSING,
    Predicted,
    Submitted,
    check_complete,
    read_predictions,
    survey,
)
from kasu.transduction.task.settings import SIZES

STUDY = "cloze"
NULL = "frequent"

_EMPTY = {
    "study": STUDY, "paper": PAPER, "value": None, "low": None, "high": None, "n": None,
    "runs": None, "variant": None, "seed": None, "note": None,
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """The test items of a language in a setting, with the forms of each system.

    Attributes:
        annotated: whether plausible forms were annotated.
        outputs: by system, then by variant and seed.
        code: of the language, for lower case.
    """

    setting: str
    language: str
    items: Sequence[Word]
    annotated: bool
    outputs: Mapping[str, Mapping[Run, Predicted]]
    code: str = ""


def score_study(
    predictions: Sequence[str | Path],
    missing: Sequence[str | Path],
    datasets: Mapping[str, str | Path],
    published: PublishedFiles,
    out: Mapping[str, str | Path],
    *,
    submitted: Mapping[str, Mapping[str, Collection[str]]],
    released: Collection[str],
    made: Collection[str] = (),
    codes: Mapping[str, str],
    seed: int,
) -> None:
    """Score all systems in all languages that they have predictions for.

    Args:
        predictions: files of PREDICTIONS, one per system and setting.
        missing: tables of MISSING, likewise.
        datasets: the folder of each language's dataset.
        published: the published figures.
        out: files to write: `scores` (SCORES), `claims` (CLAIMS) and `failures` (MISSING).
        submitted: the languages that each system should have, by setting.
        released: the languages whose dataset is the released one.
        made: those whose dataset is made from a treebank.
        codes: of the language of each dataset.
        seed: seed of the bootstrap.

    Raises:
        KasuError: a file cannot be read, or a system lacks a language that did not fail.
    """
    printed = read_printed(published)
    found = survey(predictions)
    failed = [row for path in missing for row in read_tsv(path, MISSING)]
    rows: list[dict] = []
    for name, folder in datasets.items():
        # The user's own dataset must not be compared with the paper's figures for that language
        clashes = name in printed.languages and name not in released
        shown = f"{name} (own data)" if clashes else name
        sentences = {split: read_dataset(Path(folder) / f"{split}.parquet") for split in SPLITS}
        rows += size_rows(shown, sentences)
        rows += made_rows(shown, folder) if name in made else []
        items, annotated = targets(sentences["test"]), has_plausible(sentences["test"])
        for setting in SETTINGS:
            systems = [each for each in submitted if name in submitted[each].get(setting, ())]
            check_complete(setting, name, systems, found, failed)
            outputs = _read_outputs(found, setting, name, [word.form for word in items])
            rows += score_cell(Cell(setting, shown, items, annotated, outputs, codes[name]), seed)
    rows += [*mean_rows(rows, printed), *best_rows(rows, printed)]
    columns = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is not None, row[column]) for column in columns])
    write_parquet(out["scores"], rows, SCORES)
    write_tsv(out["claims"], test_claims(rows, printed), CLAIMS)
    write_tsv(out["failures"], sorted(failed, key=lambda row: [*row.values()]), MISSING)


def _read_outputs(
    found: Iterable[Submitted], setting: str, language: str, gold: Sequence[str]
) -> dict[str, dict[Run, Predicted]]:
    return {
        each.system: read_predictions(each.path, language, gold)
        for each in found
        if each.setting == setting and language in each.languages
    }


# By language


def score_cell(cell: Cell, seed: int) -> list[dict]:
    """Rows of SCORES for a language in a setting."""
    rows = []
    for system, outputs in cell.outputs.items():
        variants: dict[str | None, dict[int | None, Predicted]] = {}
        for run, predicted in outputs.items():
            variants.setdefault(run.variant, {})[run.seed] = predicted
        for variant, by_seed in variants.items():
            parts = {None: list(by_seed.values())} if len(by_seed) > 1 else {}
            for drawn, runs in (parts | {each: [by_seed[each]] for each in by_seed}).items():
                key = {"system": system, "variant": variant, "seed": drawn, "table": BY_LANGUAGE}
                rows += [_EMPTY | key | row for row in _score(cell, runs, seed)]
    return rows


def measure(
    items: Sequence[Word], forms: Sequence[str], annotated: bool, code: str = ""
) -> dict[tuple[str, str], np.ndarray]:
    """The outcome of each guess by forms and metric, arrays of shape (items,)."""
    gold = [word.plausible for word in items]
    folded, exact = (judge(gold, forms, fold=fold, language=code) for fold in (True, False))
    found = {
        (ORIGINAL, "accuracy"): folded.original,
        (ORIGINAL, "exact_accuracy"): exact.original,
        (ORIGINAL, "levenshtein"): folded.distance,
    }
    return found | ({(PLAUSIBLE, "accuracy"): folded.plausible} if annotated else {})


def _score(cell: Cell, runs: Sequence[Predicted], seed: int) -> Iterator[dict]:
    measured = [measure(cell.items, run.forms, cell.annotated, cell.code) for run in runs]
    # Guesses for one lemma are no independent items
    lemmas = np.tile([word.lemma or "" for word in cell.items], len(runs))
    for forms, metric in measured[0]:
        outcomes = [each[forms, metric] for each in measured]
        values = np.concatenate(outcomes)
        low: float | None
        high: float | None
        low = high = None
        if metric != "levenshtein":
            low, high = share_interval(values, np.ones(len(values), bool), lemmas, seed=seed)
        elif np.ptp(values):  # the interval of a constant would have no width
            low, high = cluster_bootstrap(values, lemmas, seed=seed)
        yield {
            "condition": condition(cell.setting, forms, cell.language), "metric": metric,
            "value": float(values.mean()), "low": low, "high": high, "n": len(cell.items),
            "runs": sum(run.members for run in runs),
        }  # fmt: skip


# Means over languages (Table 11), the best of each language (Table 12), sizes (Tables 4 and 5)


def mean_rows(rows: Iterable[Mapping], printed: Printed) -> list[dict]:
    """Means over the languages of the paper, and separately over any others.

    The mean over the paper's languages stands beside the printed one only if it has all of them;
    plausible forms were annotated in all but one. Languages are fixed: they are not resampled.
    """
    groups: dict[tuple, dict[int | None, dict[str, Mapping]]] = {}
    for row in rows:
        if row["table"] == BY_LANGUAGE:
            where, _, language = row["condition"].rpartition("|")
            key = (where, row["system"], row["metric"], row["variant"])
            groups.setdefault(key, {}).setdefault(row["seed"], {})[language] = row
    found = []
    for (where, system, metric, variant), seeds in groups.items():
        theirs = _averaged(where, printed)
        for drawn, by_language in with_all_seeds(seeds).items():
            ours = [name for name in theirs if name in by_language]
            others = [name for name in by_language if name not in theirs]
            parts = ((ours, "" if ours == theirs else PART), (others, OUTSIDE))
            for names, part in parts:
                if names:
                    found.append(
                        _EMPTY
                        | mean_over([by_language[name] for name in names])
                        | {"system": system, "variant": variant, "seed": drawn, "metric": metric}
                        | {"table": MEANS if metric == "accuracy" else BY_LANGUAGE}
                        | {"condition": f"{where}|{part}".rstrip("|")}
                    )
    return found


def _averaged(where: str, printed: Printed) -> list[str]:
    """The languages of a printed mean."""
    best = printed.best(*_setting_and_forms(where))
    return [name for name in printed.languages if name in best]


def _setting_and_forms(where: str) -> tuple[str, str]:
    """What a condition without a language is of."""
    track, forms, size = where.split("|")
    return f"{track}-{size}", forms


def best_rows(rows: Iterable[Mapping], printed: Printed) -> list[dict]:
    """The best system run for each language and setting; the first of equals.

    It stands beside the printed one only where all systems that the paper chose from have run: the
    best of a few is another figure. Each system counts with all seeds of its first variant, the
    default; the null not at all.
    """
    over_seeds: dict[tuple, Mapping] = {}
    for row in rows:
        if (row["table"], row["metric"]) == (BY_LANGUAGE, "accuracy") and row["system"] != NULL:
            key = (row["condition"], row["system"], row["variant"])
            if key not in over_seeds or row["runs"] > over_seeds[key]["runs"]:
                over_seeds[key] = row
    cells: dict[str, dict[str, Mapping]] = {}
    for (where, system, _), row in over_seeds.items():
        cells.setdefault(where, {}).setdefault(system, row)
    found = []
    for cell, ran in cells.items():
        where, _, language = cell.rpartition("|")
        setting, forms = _setting_and_forms(where)
        chosen_from = printed.means(setting, forms)
        if language in printed.best(setting, forms) and not ran.keys() >= chosen_from.keys():
            where = f"{where}|{RUN}"
        best = max(ran.values(), key=lambda row: row["value"])
        kept = {key: best[key] for key in ("value", "low", "high", "n", "runs")}
        named = {"system": language, "condition": where, "metric": BEST_ACCURACY, "table": BEST}
        ours = f"{best['system']} ({best['variant']})" if best["variant"] else best["system"]
        found.append(_EMPTY | kept | named | {"note": f"ours: {ours}"})
    return found


def made_rows(name: str, folder: str | Path) -> list[dict]:
    """The figures of a dataset that is made from a treebank."""
    return [
        _EMPTY
        | {"table": MADE_TABLE, "system": name, "condition": where, "metric": metric}
        | {"value": value, "n": n}
        for where, metric, value, n in figures(folder)
    ]


def size_rows(language: str, splits: Mapping[str, Sequence[Sequence[Word]]]) -> list[dict]:
    """The number of tokens in each split of a language, and of targets in dev and test."""
    found: list[dict] = []
    for split, sentences in splits.items():
        if sentences:
            place = f"train_{split}" if split in SIZES else split
            counted = [(TOKENS, "tokens", sum(map(len, sentences)))]
            if split not in SIZES:
                counted.append((TARGETS, "target_lemmata", len(targets(sentences))))
            found += [
                {"table": table, "system": language, "condition": place, "metric": metric}
                | {"value": value}
                for table, metric, value in counted
            ]
    test = targets(splits["test"])
    most = max((len(word.plausible) for word in test), default=0)
    found.append(
        {"table": TARGETS, "system": language, "condition": "test", "value": most}
        | {"metric": "most_plausible_forms"}
    )
    return [_EMPTY | row for row in found]

"""Scores of systems by language, means over languages, the best of each language, and sizes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from kasu.cloze.data.datasets import read_dataset
from kasu.cloze.data.names import FREQUENT, MADE_TABLE, PAPER, SETTINGS, SPLITS
from kasu.cloze.data.sentences import Word, has_plausible, targets
from kasu.cloze.evaluation.claims import test_claims
from kasu.cloze.evaluation.made import figures
from kasu.cloze.evaluation.printed import (
    BEST,
    BEST_ACCURACY,
    BY_LANGUAGE,
    MEANS,
    ORIGINAL,
    PLAUSIBLE,
    TARGETS,
    TOKENS,
    Printed,
    condition,
    read_printed,
)
from kasu.cloze.evaluation.scorer import judge
from kasu.files.tables import write_tsv
from kasu.results.published import PublishedFiles
from kasu.results.scores import CLAIMS, Score, mean_score, write_scores
from kasu.transduction.members.families import Run
from kasu.transduction.members.predictions import (
    Predicted,
    check_complete,
    read_predictions,
    survey,
)
from kasu.transduction.task.places import OUTSIDE, PART, RUN
from kasu.transduction.task.scores import (
    all_and_each,
    best_of,
    by_place,
    name_best,
    over_seeds,
    read_failures,
    score_distance,
    score_share,
    shown_name,
    write_failures,
)
from kasu.transduction.task.settings import SIZES

STUDY = "cloze"

NAMED = Score(STUDY, PAPER)


@dataclass(frozen=True)
class LanguageResults:
    """The test items of a language in a setting, with the forms of each system.

    Attributes:
        annotated: whether plausible forms were annotated.
        outputs: predictions by system, then by variant and seed.
        code: the code of the language, for lower case.
        files: the file of predictions of each system.
    """

    setting: str
    language: str
    items: Sequence[Word]
    annotated: bool
    outputs: Mapping[str, Mapping[Run, Predicted]]
    code: str = ""
    files: Mapping[str, str | Path] = field(default_factory=dict)


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
        made: the languages whose dataset is made from a treebank.
        codes: the code of each dataset's language.
        seed: seed of the bootstrap.

    Raises:
        KasuError: a file cannot be read, or a system lacks a language that did not fail.
    """
    printed = read_printed(published)
    found = survey(predictions)
    failed = read_failures(missing)
    scores: list[Score] = []
    for name, folder in datasets.items():
        shown = shown_name(name, released, printed.languages)
        sentences = {split: read_dataset(Path(folder) / f"{split}.parquet") for split in SPLITS}
        scores += size_scores(shown, sentences)
        scores += made_scores(shown, folder) if name in made else []
        items, annotated = targets(sentences["test"]), has_plausible(sentences["test"])
        for setting in SETTINGS:
            systems = [each for each in submitted if name in submitted[each].get(setting, ())]
            check_complete(setting, name, systems, found, failed)
            files = {
                each.system: each.path
                for each in found
                if each.setting == setting and name in each.languages
            }
            gold = [word.form for word in items]
            outputs = {system: read_predictions(path, name, gold) for system, path in files.items()}
            scores += score_language(
                LanguageResults(setting, shown, items, annotated, outputs, codes[name], files),
                seed,
            )
    scores += [*mean_scores(scores, printed), *best_scores(scores, printed)]
    write_scores(out["scores"], scores)
    write_tsv(out["claims"], test_claims(scores, printed), CLAIMS)
    write_failures(out["failures"], failed)


# By language


def score_language(results: LanguageResults, seed: int) -> list[Score]:
    """Score a language in a setting; `seed` is the seed of the bootstrap."""
    scores: list[Score] = []
    for system, outputs in results.outputs.items():
        variants: dict[str | None, dict[int | None, Predicted]] = {}
        for run, predicted in outputs.items():
            variants.setdefault(run.variant, {})[run.seed] = predicted
        named = replace(
            NAMED, table=BY_LANGUAGE, system=system, predictions=results.files.get(system)
        )
        for variant, by_seed in variants.items():
            for drawn, runs in all_and_each(by_seed):
                one = replace(named, variant=variant, seed=drawn)
                scores += _score(one, results, runs, seed)
    return scores


def measure(
    items: Sequence[Word], forms: Sequence[str], annotated: bool, code: str = ""
) -> dict[tuple[str, str], np.ndarray]:
    """Return the outcome of each guess by forms and metric, arrays of shape (items,)."""
    gold = [word.plausible for word in items]
    folded, exact = (judge(gold, forms, fold=fold, language=code) for fold in (True, False))
    found = {
        (ORIGINAL, "accuracy"): folded.original,
        (ORIGINAL, "exact_accuracy"): exact.original,
        (ORIGINAL, "levenshtein"): folded.distance,
    }
    return found | ({(PLAUSIBLE, "accuracy"): folded.plausible} if annotated else {})


def _score(
    named: Score, results: LanguageResults, runs: Sequence[Predicted], seed: int
) -> Iterator[Score]:
    measured = [measure(results.items, run.forms, results.annotated, results.code) for run in runs]
    lemmata = [word.lemma or "" for word in results.items]
    for forms, metric in measured[0]:
        one = replace(
            named,
            condition=condition(results.setting, forms, results.language),
            metric=metric,
            runs=sum(run.members for run in runs),
        )
        outcomes = [each[forms, metric] for each in measured]
        score = score_distance if metric == "levenshtein" else score_share
        yield score(one, outcomes, lemmata, seed)


# Means over languages (Table 11), the best of each language (Table 12), sizes (Tables 4 and 5)


def mean_scores(scores: Iterable[Score], printed: Printed) -> list[Score]:
    """Average over the languages of the paper, and separately over any others.

    The mean over the paper's languages stands beside the printed one only if it has all of them;
    plausible forms were annotated in all but one. Languages are fixed: they are not resampled.
    """
    found = []
    for (where, _, metric, _), seeds in by_place(scores, _place_of).items():
        theirs = _averaged(where, printed)
        for drawn, by_language in seeds.items():
            ours = [name for name in theirs if name in by_language]
            others = [name for name in by_language if name not in theirs]
            parts = ((ours, "" if ours == theirs else PART), (others, OUTSIDE))
            for names, part in parts:
                if names:
                    found.append(
                        replace(
                            mean_score([by_language[name] for name in names]),
                            table=MEANS if metric == "accuracy" else BY_LANGUAGE,
                            condition=f"{where}|{part}".rstrip("|"),
                            seed=drawn,
                        )
                    )
    return found


def _place_of(score: Score) -> tuple[str, str] | None:
    """Return the condition of a score without its language, and the language."""
    where, _, language = score.condition.rpartition("|")
    return (where, language) if score.table == BY_LANGUAGE else None


def _averaged(where: str, printed: Printed) -> list[str]:
    """List the languages of a printed mean."""
    best = printed.best(*_setting_and_forms(where))
    return [name for name in printed.languages if name in best]


def _setting_and_forms(where: str) -> tuple[str, str]:
    """Return the setting and the forms of a condition without a language."""
    track, forms, size = where.split("|")
    return f"{track}-{size}", forms


def best_scores(scores: Iterable[Score], printed: Printed) -> list[Score]:
    """Return the best system run for each language and setting; the first of equals.

    It stands beside the printed one only where all systems that the paper chose from have run: the
    best of a few is another figure. Each system counts with all its seeds; the null not at all.
    """
    accuracies = over_seeds(
        score
        for score in scores
        if (score.table, score.metric) == (BY_LANGUAGE, "accuracy") and score.system != FREQUENT
    )
    found = []
    for cell, (best, ran) in best_of(accuracies).items():
        where, _, language = cell.rpartition("|")
        setting, forms = _setting_and_forms(where)
        chosen_from = printed.means(setting, forms)
        if language in printed.best(setting, forms) and not ran >= chosen_from.keys():
            where = f"{where}|{RUN}"
        named = replace(NAMED, table=BEST, system=language, condition=where, metric=BEST_ACCURACY)
        found.append(name_best(best, named))
    return found


def made_scores(name: str, folder: str | Path) -> list[Score]:
    """Return the scores of a dataset that is made from a treebank."""
    named = replace(NAMED, table=MADE_TABLE, system=name)
    return [
        replace(named, condition=where, metric=metric, value=value, n=n)
        for where, metric, value, n in figures(folder)
    ]


def size_scores(language: str, splits: Mapping[str, Sequence[Sequence[Word]]]) -> list[Score]:
    """Count the tokens in each split of a language, and the targets in dev and test."""
    named = replace(NAMED, system=language)
    found: list[Score] = []
    for split, sentences in splits.items():
        if sentences:
            place = f"train_{split}" if split in SIZES else split
            counted = [(TOKENS, "tokens", sum(map(len, sentences)))]
            if split not in SIZES:
                counted.append((TARGETS, "target_lemmata", len(targets(sentences))))
            found += [
                replace(named, table=table, condition=place, metric=metric, value=value)
                for table, metric, value in counted
            ]
    test = targets(splits["test"])
    most = max((len(word.plausible) for word in test), default=0)
    metric = "most_plausible_forms"
    return [*found, replace(named, table=TARGETS, condition="test", metric=metric, value=most)]

"""Scores of systems, null and oracles by language, means over languages, and derived tables."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from kasu.files.tables import read_parquet, write_tsv
from kasu.inflection.data.triples import PAPER, SETTINGS, SPLITS
from kasu.inflection.evaluation.claims import test_claims
from kasu.inflection.evaluation.means import fewer_members, mean_scores, text_read
from kasu.inflection.evaluation.outcomes import (
    ENSEMBLE,
    Guesses,
    LanguageResults,
    Output,
    read_results,
)
from kasu.inflection.evaluation.pairs import COMPARISONS, COPY, POWER, compare, power_rows
from kasu.inflection.evaluation.printed import Printed, cell_of, read_printed
from kasu.results.differences import ALPHA
from kasu.results.published import PublishedFiles
from kasu.results.scores import CLAIMS, Score, write_scores
from kasu.results.statistics import mcnemar
from kasu.transduction.fingerprints.fingerprint import PublishedMembers
from kasu.transduction.members.predictions import check_complete, held, survey
from kasu.transduction.task.places import RUN
from kasu.transduction.task.scores import (
    all_and_each,
    best_of,
    name_best,
    over_seeds,
    read_failures,
    score_distance,
    score_share,
    shown_name,
    write_failures,
)

STUDY = "inflection"
NOT_RECOMPUTABLE = "not recomputable: needs every submission's output"
CURVES = ("language", "system", "variant", *SETTINGS)

NAMED = Score(STUDY, PAPER)


def score_study(
    predictions: Sequence[str | Path],
    missing: Sequence[str | Path],
    datasets: Mapping[str, str | Path],
    published: PublishedFiles,
    out: Mapping[str, str | Path],
    *,
    submitted: Mapping[str, Mapping[str, Collection[str]]],
    published_members: PublishedMembers,
    texts: Mapping[str, str],
    released: Collection[str],
    seed: int,
) -> None:
    """Score all systems in all languages that they have predictions for.

    Args:
        predictions: files of PREDICTIONS, one per system and setting.
        missing: tables of MISSING, likewise.
        datasets: the folder of each language's dataset.
        published: the published figures.
        out: files to write: `scores` (SCORES), `comparisons`, `claims`, `learning_curves`
            (CURVES), `power` and `failures` (MISSING).
        submitted: the languages that each system should have, by setting.
        texts: the setting whose forms a system read as text, of those that did.
        released: the languages whose dataset is the released one.
        seed: seed of the bootstrap.

    Raises:
        KasuError: a file cannot be read, or a system lacks a language that did not fail.
    """
    printed = read_printed(published)
    found = survey(predictions)
    failed = read_failures(missing)
    known = {name for setting in SETTINGS for name in printed.languages(setting)}
    names = {name: shown_name(name, released, known) for name in datasets}
    scores: list[Score] = []
    results: list[LanguageResults] = []
    for name, folder in datasets.items():
        scores += count_scores(
            names[name], {split: Path(folder) / f"{split}.parquet" for split in SPLITS}, printed
        )
    for setting, (name, folder) in product(SETTINGS, datasets.items()):
        systems = [each for each in submitted if name in submitted[each].get(setting, ())]
        if not systems:
            continue
        train, test = (Path(folder) / f"{split}.parquet" for split in (setting, "test"))
        found_here = read_results(setting, name, train, test, found)
        if found_here is None:
            continue
        check_complete(setting, name, systems, found, failed)
        if found_here.outputs:
            results.append(replace(found_here, language=names[name]))
            files = {each.system: each.path for each in found if each.setting == setting}
            scores += score_language(results[-1], printed, seed, published_members, files, texts)
    lost = {
        (row["system"], row["setting"], names[row["language"]])
        for row in failed
        if (row["system"], row["setting"], row["language"]) not in held(found)
    }
    means = mean_scores(scores, printed, lost, published_members, texts)
    scores += [*means, *best_scores(scores, printed)]
    write_scores(out["scores"], scores)
    write_tsv(out["comparisons"], compare(results, seed), COMPARISONS)
    write_tsv(out["claims"], test_claims(scores, printed), CLAIMS)
    write_tsv(out["learning_curves"], curves(scores), CURVES)
    write_tsv(out["power"], power_rows(results), POWER)
    write_failures(out["failures"], failed)


# By language (Tables 13 to 19)


def score_language(
    results: LanguageResults,
    printed: Printed,
    seed: int,
    published_members: PublishedMembers | None = None,
    files: Mapping[str, str | Path] | None = None,
    texts: Mapping[str, str] | None = None,
) -> list[Score]:
    """Score a language in a setting: systems, the null, the oracles.

    Args:
        seed: seed of the bootstrap.
        files: the file of predictions of each system.
        texts: as of `score_study`.
    """
    scores: list[Score] = []
    published = published_members or {}
    here = replace(NAMED, condition=results.condition)
    for system, variant, by_seed in results.systems():
        several = published.get(system, {}).get(results.setting, 0)
        named = replace(
            here,
            table=_table(system, results.setting, printed),
            system=system,
            variant=variant,
            predictions=(files or {}).get(system),
        )
        for run, runs in all_and_each(by_seed):
            notes = fewer_members([each.members for each in runs], several)
            notes += text_read(system, texts)
            flags = _flags(results, (system, variant, run)) if len(runs) == 1 else ()
            drawn = replace(named, seed=run, runs=sum(each.members for each in runs))
            noted = replace(drawn, note="; ".join([*notes, *flags]) or None)
            scores.append(_accuracy(noted, results, [each.right for each in runs], seed))
            noted = replace(drawn, note="; ".join(notes) or None)
            scores.append(_levenshtein(noted, results, runs, seed))
    scores += _oracles(here, results, printed, seed)
    # The null belongs in every table that has one of our systems
    tables = dict.fromkeys(printed.table(system, results.setting) for system, *_ in results.outputs)
    for table in tables:
        null = replace(here, table=table, system=COPY, runs=1)
        scores.append(_accuracy(null, results, [results.copied.right], seed))
        scores.append(_levenshtein(null, results, [results.copied], seed))
    return scores


def _table(system: str, setting: str, printed: Printed) -> str:
    return printed.table("oracle-e" if system == ENSEMBLE else system, setting)


def _oracles(here: Score, results: LanguageResults, printed: Printed, seed: int) -> Iterator[Score]:
    def named(system: str, **columns: Any) -> Score:
        table = _table(system, results.setting, printed)
        return replace(here, table=table, system=system, metric="accuracy", **columns)

    yield _accuracy(named("oracle-fc", runs=1), results, [results.known], seed)
    if results.different > 1:  # of one system, oracle-e would be that system
        ensemble = named(ENSEMBLE, runs=1, note=f"over the {results.different} systems run")
        yield _accuracy(ensemble, results, [results.ensemble()], seed)
    if printed.value("oracle-e", results.setting, results.language) is not None:
        yield named("oracle-e", note=NOT_RECOMPUTABLE)


def _accuracy(
    named: Score, results: LanguageResults, runs: Sequence[np.ndarray], seed: int
) -> Score:
    return score_share(replace(named, metric="accuracy"), runs, results.lemma, seed)


def _levenshtein(
    named: Score, results: LanguageResults, runs: Sequence[Guesses], seed: int
) -> Score:
    distances = [run.distance for run in runs]
    return score_distance(replace(named, metric="levenshtein"), distances, results.lemma, seed)


def _flags(results: LanguageResults, output: Output) -> Iterator[str]:
    """Yield the sign tests of the appendix; against oracle-e only if two different systems ran."""
    right = results.outputs[output].right
    if right.mean() > results.known.mean() and mcnemar(right, results.known) < ALPHA:
        yield "† better than oracle-fc"
    if results.different > 1 and mcnemar(right, results.ensemble(output)) >= ALPHA:
        yield f"‡ not different from oracle-e over the {results.different} systems run"


# The best system of a language (Tables 9 and 10), learning curves, counts (Tables 2 and 3)


def _systems_over_seeds(scores: Iterable[Score]) -> list[Score]:
    """Return the accuracies of systems by language over all seeds, without nulls and oracles."""
    nulls = (COPY, ENSEMBLE, "oracle-fc")
    return over_seeds(
        score
        for score in scores
        if cell_of(score.condition)
        and score.metric == "accuracy"
        and score.value is not None
        and score.system not in nulls
    )


def best_scores(scores: Iterable[Score], printed: Printed) -> list[Score]:
    """Return the best system run for each language and setting; the first of equals.

    It stands beside the printed one only where all systems that the paper chose from have run: the
    best of a few is another figure.
    """
    found = []
    for condition, (best, ran) in best_of(_systems_over_seeds(scores)).items():
        setting, _, language = condition.partition("|")
        whole = ran >= set(printed.competitors(setting, language))
        named = replace(
            NAMED,
            table=printed.summary_table("best_accuracy", language, setting),
            system=language,
            condition=setting if whole else f"{setting}|{RUN}",
            metric="best_accuracy",
        )
        found.append(name_best(best, named))
    return found


def curves(scores: Iterable[Score]) -> list[dict]:
    """Return accuracy from low to high, one row per language, system and variant (CURVES)."""
    found: dict[tuple, dict] = {}
    for score in _systems_over_seeds(scores):
        setting, _, language = score.condition.partition("|")
        key = (language, score.system, score.variant or "")
        named = {"language": language, "system": score.system, "variant": score.variant}
        found.setdefault(key, named | dict.fromkeys(SETTINGS))[setting] = score.value
    return [found[key] for key in sorted(found)]


def count_scores(language: str, splits: Mapping[str, str | Path], printed: Printed) -> list[Score]:
    """Count the lemmata and forms in each split of a language."""
    table = printed.summary_table("lemmata", language, "test")
    named = replace(NAMED, table=table, system=language)
    found = []
    for split, path in splits.items():
        lemmas = read_parquet(path, ["lemma"])["lemma"]
        if len(lemmas):
            sizes = {"lemmata": len(lemmas.unique()), "forms": len(lemmas)}
            found += [
                replace(named, condition=split, metric=metric, value=size)
                for metric, size in sizes.items()
            ]
    if printed.value(language, "total", metric="forms") is not None:
        note = "not recomputable from the released samples"
        for metric in ("lemmata", "forms"):
            found.append(replace(named, condition="total", metric=metric, note=note))
    return found

"""Scores: Table 3 and its nulls, Table 2, averages of the text, accuracy by feature."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from kasu.files.tables import write_tsv
from kasu.minimal_sets.data.paper import CASES, ENCODERS, PAPER, RELEASED, SETS, STUDY
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
from kasu.minimal_sets.evaluation.scored_sets import (
    ModelOnSet,
    ScoredSet,
    ScoredSets,
    interval,
    mean_over_sets,
    name_pool,
    read_scored_sets,
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
from kasu.results.scores import CLAIMS, Score, write_scores
from kasu.results.statistics import tied, ties_wrong

PROBABILITIES = (
    "variant", "level", "set", "system", "value", "grammatical", "mean_probability",
    "mean_log_probability", "n",
)  # fmt: skip
"""Figure 3: mean probability (at word level, else empty) and mean natural log probability of the
forms with one value."""


FEATURES = {"tense": "tense and aspect", "aspect": "tense and aspect", "seen": "seen in training"}
"""Feature of an item -> the table of accuracies by its values."""


@dataclass(frozen=True)
class StudyTables:
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
    outputs: StudyTables,
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
    sets = read_scored_sets(predictions, collections)
    groups = list(paper_groups(sets))
    rows = score(sets, seed)
    for group in groups:
        rows += score_text(group, seed)
    if statistics:
        rows += count_cases(statistics)
    items = _by_paper_set(built, counterparts or {})
    write_scores(outputs.scores, rows)
    write_tsv(outputs.comparisons, compare(sets, seed), COMPARISONS)
    write_tsv(outputs.preferences, list_preferences(sets, seed), PREFERENCES)
    write_tsv(outputs.correlations, list_correlations(sets, seed), CORRELATIONS)
    write_tsv(outputs.flips, list_flips(sets), FLIPS)
    write_tsv(outputs.probabilities, list_probabilities(sets), PROBABILITIES)
    write_tsv(outputs.claims, judge_claims(groups, seed, items), CLAIMS)


def _by_paper_set(
    built: Sequence[str | Path], counterparts: Mapping[str, str]
) -> dict[str, list[dict]]:
    """Return the items of the sets built here, by the set of the paper that each corresponds to."""
    items: dict[str, list[dict]] = {}
    for path in built:
        for item in read_items(path):
            items.setdefault(counterparts[item["set"]], []).append(item)
    return items


_BY_PAPER = "a tie is wrong, as in the paper"


def _named(key: ModelOnSet, scored: ScoredSet) -> Score:
    """Return a score of Table 3 that has no figure yet."""
    return Score(
        STUDY,
        PAPER,
        table="Table 3",
        system=key.system,
        condition=key.condition,
        variant=key.variant,
        predictions=scored.predictions,
    )


def score(sets: ScoredSets, seed: int) -> list[Score]:
    """Return the scores that need no printed figure.

    Accuracy by set, against each wrong form, by feature, and over sets; nulls; Table 2.
    """
    rows: list[Score] = []
    heads = untrained_heads(sets)
    for key, scored in sets.items():
        rows += _score_set(key, scored, heads.get(Head.of(key), False), seed)
        rows += _by_feature(key, scored, seed)
    for key, scored, solved in nulls(sets):
        rows += _score_null(key, scored, solved, sets, seed)
    return rows + list(_over_sets(sets, seed)) + list(_count_items(sets))


def _score_null(
    key: ModelOnSet, scored: ScoredSet, solved: np.ndarray, sets: ScoredSets, seed: int
) -> Iterator[Score]:
    """Yield the accuracy of a null and its ties, and its accuracy by the paper's rule.

    Args:
        scored: has the null's items.
        solved: (items) what each item counts for.
        sets: all scored sets. By the paper's rule, the null comes once for each of their variants
            with figures by that rule.
    """
    null = replace(_named(key, scored), note="null")
    accuracy = replace(_share(null, solved, scored.sentences, seed), runs=None)
    if key.system == "chance":
        # It is known, not measured
        yield replace(accuracy, low=None, high=None)
        return
    yield accuracy
    yield _ties(_named(key, scored), int(tied(solved).sum()), len(scored))
    variants = {
        other.variant if model.released else TIES_WRONG
        for other, model in sets.items()
        if (other.level, other.set) == (key.level, key.set) and (model.released or model.ties)
    }
    if tied(solved).any():
        by_paper = replace(
            _share(null, ties_wrong(solved), scored.sentences, seed),
            runs=None,
            note=f"null; {_BY_PAPER}",
        )
        for variant in sorted(variants):
            yield replace(by_paper, variant=variant)


def _share(named: Score, hits: np.ndarray, sentences: np.ndarray, seed: int) -> Score:
    """Score an accuracy, by what each item counts for (items)."""
    low, high = interval(hits, sentences, seed)
    return replace(
        named, metric="accuracy", value=float(hits.mean()), low=low, high=high, n=len(hits), runs=1
    )


def _score_set(key: ModelOnSet, scored: ScoredSet, untrained: bool, seed: int) -> Iterator[Score]:
    named = _named(key, scored)
    accuracy = _share(named, scored.correct, scored.sentences, seed)
    yield replace(accuracy, note=_note(key, scored, untrained))
    if scored.ties and not scored.released:
        variant = f"{key.variant}; {TIES_WRONG}"
        by_paper = _share(named, ties_wrong(scored.correct), scored.sentences, seed)
        yield replace(by_paper, variant=variant, note=_BY_PAPER)
    for at, value in enumerate(scored.values):
        others = scored.right != at
        if others.any():
            above = scored.above(scored.of_right(scored.scores), scored.scores[:, at])
            pairwise = _share(named, above[others], scored.sentences[others], seed)
            yield replace(pairwise, metric=f"accuracy_over_{value}")
    yield replace(_ties(named, scored.ties, len(scored)), runs=1)


def _ties(named: Score, count: int, n: int) -> Score:
    return replace(named, metric="ties", value=count, n=n)


def _note(key: ModelOnSet, scored: ScoredSet, untrained: bool) -> str | None:
    accuracy, notes = float(scored.correct.mean()), []
    if key.variant == RELEASED and round(accuracy, 2) != accuracy:
        notes.append(f"released code rounds it to {accuracy:.2f}")
    if scored.ties:
        worth = "wrong" if scored.released else "as a guess among equals"
        notes.append(f"ties for the first place, counted {worth}: {scored.ties}")
    notes += _seen(scored.correct, scored.seen)
    if untrained:
        notes.append("untrained head: the form with fewest tokens wins (GEO-17)")
    return "; ".join(notes) or None


def _seen(correct: np.ndarray, seen: np.ndarray) -> Iterator[str]:
    """Say how many items are of sentences that were trained on, and the accuracy without them."""
    known = seen == "yes"
    if known.any():
        without = ""
        if not known.all():
            without = f"; {rounded(correct[~known].mean(), 1, percent=True)} % without them"
        yield f"from sentences trained on: {known.sum()} of {len(known)} items{without}"


def _by_feature(key: ModelOnSet, scored: ScoredSet, seed: int) -> Iterator[Score]:
    """Yield accuracy by tense and aspect of the verb (S-12), and by `seen` in training."""
    for name, table in FEATURES.items():
        recorded = getattr(scored, name)
        for value in sorted(set(recorded) - {""}):
            chosen = recorded == value
            share = _share(
                _named(key, scored),
                scored.correct[chosen],
                scored.sentences[chosen],
                seed,
            )
            yield replace(share, table=table, condition=f"{key.condition}|{name}={value}")


def _over_sets(sets: ScoredSets, seed: int) -> Iterator[Score]:
    """Yield accuracy over each pool of sets: with the same values, and with one right value."""
    pools: dict[ModelOnSet, list[ScoredSet]] = {}
    for key, scored in sets.items():
        for case in dict.fromkeys((None, scored.case())):
            name = name_pool(scored.collection, scored.values, case)
            pools.setdefault(key._replace(set=name), []).append(scored)
    for key, pooled in pools.items():
        if len(pooled) > 1:
            correct = np.concatenate([scored.correct for scored in pooled])
            sentences = np.concatenate([scored.sentences for scored in pooled])
            notes = [f"items of {len(pooled)} sets; one sentence may serve several"]
            notes += _seen(correct, np.concatenate([scored.seen for scored in pooled]))
            share = _share(_named(key, pooled[0]), correct, sentences, seed)
            yield replace(share, note="; ".join(notes))


def _count_items(sets: ScoredSets) -> Iterator[Score]:
    """Yield Table 2: the most items of each set that a system scored, and the total of all."""
    sizes: dict[str, dict[str, int]] = {}
    for key, scored in sets.items():
        of_variant = sizes.setdefault(key.variant, {})
        of_variant[key.set] = max(of_variant.get(key.set, 0), len(scored))
    for variant, of_sets in sizes.items():
        if SETS.keys() <= of_sets.keys():
            of_sets["total"] = sum(of_sets[name] for name in SETS)
        for name, size in of_sets.items():
            yield Score(STUDY, PAPER, "Table 2", name, "", "tests", size, variant=variant)


def list_probabilities(sets: ScoredSets) -> list[dict]:
    """Return rows of PROBABILITIES: means over the items of a set (GEO-14)."""
    rows = []
    for key, scored in sets.items():
        for at, value in enumerate(scored.values):
            scores = scored.scores[:, at]
            rows.append(
                key._asdict() | {
                    "value": value,
                    "grammatical": value == scored.case(),
                    "mean_probability": np.exp(scores).mean() if key.level == "word" else None,
                    "mean_log_probability": scores.mean(),
                    "n": len(scored),
                }
            )  # fmt: skip
    return rows


# The figures of the text


def score_text(group: Group, seed: int) -> list[Score]:
    """Return the scores of the text of section 7, without averages that lack a set."""
    named = Score(STUDY, PAPER, variant=group.variant, runs=1)
    rows: list[Score] = []
    for case in CASES:
        if group.complete(case):
            rows += _averages(group, case, named, seed)
    encoders = replace(named, table="section 7.3", system=f"{len(ENCODERS)} encoders")
    rows += printed_preferences(group, encoders, seed)
    rows += printed_tokenisation(group, replace(named, table="section 7.4"), seed)
    return rows


def _averages(group: Group, case: str, named: Score, seed: int) -> Iterator[Score]:
    sets = group.of_case(case)
    named = replace(named, condition=f"{group.level}-level|{case}", n=sum(map(len, sets.values())))
    accuracies = [(scored.correct, scored.sentences) for scored in sets.values()]
    whole = [float(rounded(hits.mean(), 0, percent=True)) for hits, _ in accuracies]
    average = rounded(float(np.mean(whole)), 2)
    value, low, high = mean_over_sets(accuracies, seed)
    mean = replace(
        named,
        table="section 7",
        system="all models",
        metric="mean_accuracy",
        value=value,
        low=low,
        high=high,
        note=f"mean of {len(sets)} cells; of the rounded ones {average} %",
    )
    yield mean
    if case == "dat":  # printed again in section 7.1, with other figures
        yield replace(mean, table="section 7.1")
    if group.level == "word":
        for metric, note, right_alone in (
            ("mean_probability_all_three_forms", "right and wrong forms alike", False),
            ("mean_probability_right_form", "the right form alone", True),
        ):
            probabilities = [
                (_probability(scored, right_alone=right_alone), scored.sentences)
                for scored in sets.values()
            ]
            value, low, high = mean_over_sets(probabilities, seed)
            yield replace(
                named,
                table="section 7.1",
                system=f"{len(ENCODERS)} encoders",
                metric=metric,
                value=value,
                low=low,
                high=high,
                note=note,
            )


def _probability(scored: ScoredSet, *, right_alone: bool) -> np.ndarray:
    """Return (items) probability of the right form, or the mean over all forms."""
    probabilities = np.exp(scored.scores)
    return scored.of_right(probabilities) if right_alone else probabilities.mean(axis=1)

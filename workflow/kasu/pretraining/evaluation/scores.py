"""Scores of the study: accuracies by checkpoint, type, level and word order; losses; counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from kasu.files.tables import read_parquet, write_tsv
from kasu.pretraining.data.filters import Orders, judge_orders
from kasu.pretraining.data.names import (
    FURTHER,
    LAST_EPOCH,
    ORDER_RULES,
    PAPER,
    TWIN,
    parse_pretrained,
    parse_system,
)
from kasu.pretraining.evaluation.comparisons import COMPARISONS, common_kept, compare
from kasu.pretraining.evaluation.differences import CHANCE
from kasu.pretraining.evaluation.pair_results import CheckpointOnPairs, Checkpoints, PairResults
from kasu.pretraining.models.histories import LOSSES, History, Losses, mean_history
from kasu.results.comparison import TIES_WRONG
from kasu.results.scores import Score, write_scores
from kasu.results.statistics import tied, ties_wrong

STUDY = "pretraining"
# Tables 5 to 19 have one system each, ordered by layers and budget
_SYSTEMS = [f"BERT{layers}L-eu{words}" for layers in (4, 8, 12) for words in ("5M", "25M", "125M")]
_OWN = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS, 5)}
_ORDERS = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS[3:6], 14)}
_TWINS = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS[3:6], 17)}
# The checkpoint whose accuracies by type section 5.2 prints
_IN_TEXT = CheckpointOnPairs("BERT8L-eu5M", "", False, 1024)
# The epochs at which section 5.4 prints the cost of a second order (notes of published figures)
_GAP_EPOCHS = dict(zip(_ORDERS, (1024, 1024, 512), strict=True))
_TYPE_NAMES = {"E1": "E1 declension", "E2": "E2 verb", "E3": "E3 structure and order"}


def score_study(
    checkpoints: Checkpoints,
    losses: Losses,
    scores: str | Path,
    comparisons: str | Path,
    *,
    seed: int,
    pairs: str | Path | None = None,
    parameters: Mapping[str, int] | None = None,
) -> None:
    """Write SCORES and COMPARISONS of the study.

    Intervals resample near copies together (`source_id` of the pairs). All other pairs count as
    independent: those of BL2MP come from different sentences.

    Args:
        seed: of bootstraps and permutations.
        pairs: the main set, counted for Table 1.
        parameters: number of weights by system.
    """
    rows = [Score(STUDY, PAPER, "Table 4", "chance", "all", "accuracy", CHANCE)]
    for key, results in checkpoints.items():
        rows += (
            _score_orders(key, results, seed) if key.reordered else _score_pairs(key, results, seed)
        )
    rows += [
        *_table_4(checkpoints, seed),
        *_twins(checkpoints, seed),
        *_text_figures(checkpoints, seed),
    ]
    rows += [*_losses(checkpoints, losses), *_parameters(parameters or {})]
    rows += count_pairs(pairs) if pairs else []
    write_scores(scores, rows)
    write_tsv(comparisons, compare(checkpoints, seed), COMPARISONS)


def _table_of(key: CheckpointOnPairs) -> str:
    """Return the table of a row; further sets have their own, apart from the published figures."""
    if key.of_further_set:
        return FURTHER + key.variant
    return "Table 4" if key.epoch is None else _OWN.get(key.system, "Figure 1")


def _score_pairs(key: CheckpointOnPairs, results: PairResults, seed: int) -> Iterator[Score]:
    """Yield accuracy and kept pairs: over all pairs, by type, by level, and by both."""
    whole = _table_of(key)
    yield from _accuracies(whole, key, results, key.condition, _all_pairs(results), seed)
    parts: list[tuple[str, dict[str, str]]] = []
    parts += [("Figure 4", {"type": kind}) for kind in results.values("type")]
    parts += [("Figure 2", {"level": level}) for level in results.values("level")]
    parts += [
        ("Figure 4", {"type": kind, "level": level})
        for kind in results.values("type")
        for level in results.values("level")
    ]
    for figure, part in parts:
        inside = np.logical_and.reduce([results.where(*item) for item in part.items()])
        shown = ";".join(f"{column}={value}" for column, value in part.items())
        table = whole if key.epoch is None or key.of_further_set else figure
        condition = shown if key.epoch is None else f"{key.condition};{shown}"
        yield from _accuracies(table, key, results, condition, inside, seed)
        if key == _IN_TEXT and part.keys() == {"type"}:
            yield from _accuracies("section 5.2", key, results, condition, inside, seed)


def _all_pairs(results: PairResults) -> np.ndarray:
    return np.ones(results.kept.shape[1], bool)


def _accuracies(
    table: str,
    key: CheckpointOnPairs,
    results: PairResults,
    condition: str,
    inside: np.ndarray,
    seed: int,
) -> Iterator[Score]:
    """Yield accuracy, kept pairs and ties over all seeds, and for each if there are several.

    If `inside` is all pairs, also yield the accuracy on pairs that the length filter leaves out. Of
    a model, yield too how often it prefers the sentence with fewer characters, as one would that
    has learnt nothing else, and its accuracy where both have as many. Accuracies over all seeds
    pool their pairs; counts and shares of pairs are means of the seeds.

    In the paper a tie is wrong (BL2MP-6). A model or null with ties also gets its accuracy by that
    rule, under the variant TIES_WRONG, to stand beside the printed one.

    Args:
        inside: (pairs) whether to score each.
    """
    printed = not table.startswith(FURTHER)
    several = len(results.seeds) > 1
    groups = [(slice(None), None if several else results.seeds[0])]
    if several:
        groups += [(slice(run, run + 1), run_seed) for run, run_seed in enumerate(results.seeds)]
    for runs, run_seed in groups:
        kept, solved = results.kept[runs] & inside, results.solved[runs]
        per_token = np.array([run.per_token for run in results.runs])[runs]
        count = len(kept)
        own = key.variant or None
        file = results.predictions[runs][0]
        named = Score(
            STUDY, PAPER, table, key.system, condition,
            runs=count, variant=own, seed=run_seed, predictions=file,
        )  # fmt: skip
        measures = [("accuracy", own, solved, kept)]
        if printed and (tied(results.solved) & results.kept & inside).any():
            by_paper = "; ".join(filter(None, (own, TIES_WRONG)))
            measures.append(("accuracy", by_paper, ties_wrong(solved), kept))
        if inside.all():
            left_out = (results.scored & ~results.kept)[runs]
            measures.append(("accuracy_dropped", own, solved, left_out))
            measures.append(("accuracy_dropped_per_token", own, per_token, left_out))
            if not results.null:
                shorter = np.where(results.excess < 0, solved, 1 - solved)
                alike = kept & (results.excess == 0)
                measures.append(("shorter_preferred", own, shorter, kept & (results.excess != 0)))
                measures.append(("accuracy_equal_characters", own, solved, alike))
        for metric, variant, hits, trials in measures:
            value, low, high = results.share(hits, trials, seed)
            if value is not None:
                yield replace(
                    named, metric=metric, value=value, low=low, high=high,
                    n=round(trials.sum() / count), variant=variant, note=_pooled(count),
                )  # fmt: skip
        n, taken = int(inside.sum()), (results.scored[runs] & inside).sum() / count
        numbers = [
            ("kept", kept.sum() / count, n),
            ("ties", (tied(solved) & kept).sum() / count, n),
        ]
        if taken:  # a share of the pairs with scores: the paper's models take every sentence
            numbers.append(("discarded_share", 1 - kept.sum() / count / taken, round(taken)))
        if inside.all():
            numbers.append(("too_long_share", 1 - taken / n, n))
        for metric, number, of in numbers:
            yield replace(named, metric=metric, value=number, n=of, note=_averaged(count))


def _pooled(seeds: int) -> str | None:
    """Return the note of a share over several seeds."""
    return f"pairs of {seeds} seeds pooled" if seeds > 1 else None


def _averaged(seeds: int) -> str | None:
    """Return the note of a mean over several seeds."""
    return f"mean of {seeds} seeds" if seeds > 1 else None


def _score_orders(key: CheckpointOnPairs, results: PairResults, seed: int) -> Iterator[Score]:
    """Yield Tables 14-16: the original order, and both orders, on the same pairs (BL2MP-7)."""
    table = _ORDERS.get(key.system, "Figure 3")
    for rule in ORDER_RULES:
        kept, single, both = _orders(results, rule)
        named = Score(
            STUDY, PAPER, table, key.system, key.condition,
            runs=len(kept), variant=rule, predictions=results.predictions[0],
        )  # fmt: skip
        for metric, hits in (("accuracy_single_order", single), ("accuracy_two_orders", both)):
            value, low, high = results.share(hits, kept, seed)
            if value is not None:
                yield replace(
                    named, metric=metric, value=value, low=low, high=high,
                    n=round(kept.sum() / len(kept)), note=_pooled(len(kept)),
                )  # fmt: skip


def _orders(results: PairResults, rule: str) -> Orders:
    """Judge each run in two word orders; every array is (runs, pairs)."""
    judged = [
        judge_orders(*orders, rule) for orders in zip(results.runs, results.reordered, strict=True)
    ]
    return Orders(*map(np.array, zip(*judged, strict=True)))


def by_epoch(
    checkpoints: Checkpoints, *, reordered: bool = False
) -> dict[tuple[str, str], list[CheckpointOnPairs]]:
    """Return the keys of each system and variant, in order of epoch."""
    keys: dict[tuple[str, str], list[CheckpointOnPairs]] = {}
    for key in checkpoints:
        if key.reordered == reordered:
            keys.setdefault((key.system, key.variant), []).append(key)
    return keys


def _table_4(checkpoints: Checkpoints, seed: int) -> Iterator[Score]:
    """Yield the best and the last checkpoint of each system, and all on the pairs that all keep.

    The paper prints the best checkpoint (91.5 for BERT8L-eu25M, whose last has 91.4). A further set
    of pairs gets the same rows in its own table.
    """
    sets: dict[str, Checkpoints] = {}
    for (system, variant), keys in by_epoch(checkpoints).items():
        if system.endswith(TWIN):
            continue
        sets.setdefault(variant, {})[keys[-1]] = checkpoints[keys[-1]]
        if keys[-1].epoch is None:
            continue
        best = max(keys, key=lambda key: checkpoints[key].accuracy)
        for name, key in (("best epoch", best), (LAST_EPOCH, keys[-1])):
            table, shown = _table_of(key._replace(epoch=None)), key._replace(variant=name)
            yield from _accuracies(
                table, shown, checkpoints[key], "all", _all_pairs(checkpoints[key]), seed
            )
    for of_set in sets.values():
        for key, results, common in common_kept(of_set):
            label = LAST_EPOCH if key.epoch is not None else key.variant or None
            table = _table_of(key._replace(epoch=None))
            named = Score(STUDY, PAPER, table, key.system, "all", variant=label)
            yield _score_common(named, results, common, seed)


def _score_common(named: Score, results: PairResults, common: np.ndarray, seed: int) -> Score:
    """Score accuracy on the pairs (pairs) that all compared systems keep."""
    trials = np.broadcast_to(common, results.solved.shape)
    value, low, high = results.share(results.solved, trials, seed)
    return replace(
        named,
        metric="accuracy_common",
        value=value,
        low=low,
        high=high,
        n=int(common.sum()),
        runs=len(trials),
        note="; ".join(filter(None, (named.note, _pooled(len(trials))))) or None,
        predictions=results.predictions[0],
    )


def _twins(checkpoints: Checkpoints, seed: int) -> Iterator[Score]:
    """Yield Tables 17-19: a model and its twin, by their own filters and on what both keep."""
    shown = set()
    for key, results in checkpoints.items():
        base = key._replace(system=key.system.removesuffix(TWIN), variant="")
        if key.reordered or not key.system.endswith(TWIN) or base not in checkpoints:
            continue
        table = _TWINS.get(base.system, "Figure 4")
        both = {base: checkpoints[base], key: results}
        for member in both:
            # A model has several twins, one per segmentation, but its own rows come once
            if key.epoch is not None and member not in shown:
                shown.add(member)
                inside = _all_pairs(checkpoints[member])
                yield from _accuracies(
                    table, member, checkpoints[member], key.condition, inside, seed
                )
        for member, own, common in common_kept(both):
            named = Score(
                STUDY, PAPER, table, member.system, key.condition,
                variant=key.variant or None, note="pairs that both tokenizers keep",
            )  # fmt: skip
            yield _score_common(named, own, common, seed)


def _text_figures(checkpoints: Checkpoints, seed: int) -> Iterator[Score]:
    """Yield sections 5.1 and 5.4: the shares of pairs left out, the cost of a second word order.

    The shares stand beside print only if all of the paper's models have run. The cost is measured
    at the epoch that the paper prints, or at the last.
    """
    own = {
        system: checkpoints[keys[-1]]
        for (system, variant), keys in by_epoch(checkpoints).items()
        if (model := parse_system(system))
        and not (model.twin or variant or checkpoints[keys[-1]].null)
        if checkpoints[keys[-1]].scored.any()
    }
    shares = {
        "discarded_share": [
            1 - results.kept.sum() / results.scored.sum() for results in own.values()
        ],
        "too_long_share": [1 - results.scored.mean() for results in own.values()],
    }
    where = "all" if own.keys() >= _OWN.keys() else "of the models run"
    note = f"mean of {len(own)} models, each at its last epoch, without twins"
    for metric, of_models in shares.items() if own else ():
        mean = float(np.mean(of_models))
        yield Score(
            STUDY, PAPER, "section 5.1", "all own models", where, metric, mean,
            runs=len(own), note=note,
        )  # fmt: skip
    for (system, _), keys in by_epoch(checkpoints, reordered=True).items():
        key = next((key for key in keys if key.epoch == _GAP_EPOCHS.get(system)), keys[-1])
        results = checkpoints[key]
        for rule in ORDER_RULES:
            kept, single, both = _orders(results, rule)
            gap, low, high = results.share(single - both, kept, seed)
            if gap is None:
                continue
            notes = filter(None, (key.condition, "single minus both", _pooled(len(kept))))
            yield Score(
                STUDY, PAPER, "section 5.4", system, "two orders minus one order", "accuracy_gap",
                gap, low, high, n=round(kept.sum() / len(kept)), runs=len(kept), variant=rule,
                note="; ".join(notes), predictions=results.predictions[0],
            )  # fmt: skip


def _losses(checkpoints: Checkpoints, losses: Losses) -> Iterator[Score]:
    """Yield the losses of each seed at the scored epochs, and their means over several seeds."""
    for system, by_seed in losses.items():
        scored = {
            key.epoch
            for key in checkpoints
            if key.system == system and not key.reordered and key.epoch is not None
        }
        shown: list[tuple[int | None, int, History]] = [
            (seed, 1, history) for seed, history in by_seed.items()
        ]
        if len(by_seed) > 1:
            shown.append((None, len(by_seed), mean_history([*by_seed.values()])))
        for seed, runs, history in shown:
            for epoch in sorted(scored & history.keys()):
                table = _table_of(CheckpointOnPairs(system, "", False, epoch))
                for metric in LOSSES:
                    yield Score(
                        STUDY, PAPER, table, system, f"epoch={epoch}", metric,
                        history[epoch][metric], runs=runs, seed=seed, note=_averaged(runs),
                    )  # fmt: skip


def _parameters(weights: Mapping[str, int]) -> Iterator[Score]:
    """Yield section 4.2: the number of weights of each model, as trained on its largest text.

    It depends on the size of the vocabulary. A large text yields all the pieces asked for, like the
    paper's 50,000; a small one may yield fewer. Twins have other words and do not count.
    """
    largest: dict[str, str] = {}
    for system in sorted(weights, key=lambda system: parse_pretrained(system).words):
        model = parse_pretrained(system)
        if not model.twin:
            largest[model.model] = system
    for name, system in largest.items():
        millions = weights[system] / 1e6
        yield Score(
            STUDY, PAPER, "section 4.2", name, "", "parameters_M", millions, note=f"of {system}"
        )


def count_pairs(pairs: str | Path) -> list[Score]:
    """Count pairs by type and level: Table 1."""
    columns = read_parquet(pairs, ["type", "level"]).to_pydict()
    counts = Counter(zip(*columns.values(), strict=True))
    checkpoints = [
        (_TYPE_NAMES.get(kind, kind or "all"), level or "all", count)
        for (kind, level), count in counts.items()
    ]
    return [
        Score(STUDY, PAPER, "Table 1", kind, level, "pairs", count)
        for kind, level, count in [*checkpoints, ("total", "all", counts.total())]
    ]

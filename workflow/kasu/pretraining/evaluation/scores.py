"""Scores of the study: accuracies by checkpoint, type, level and word order; losses; counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from kasu.files.tables import read_parquet, write_parquet, write_tsv
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
from kasu.pretraining.evaluation.cells import Cell, Cells, Key
from kasu.pretraining.evaluation.comparisons import COMPARISONS, common_kept, compare
from kasu.pretraining.evaluation.differences import CHANCE
from kasu.pretraining.models.histories import LOSSES, History, Losses, mean_history
from kasu.results.comparison import TIES_WRONG
from kasu.results.scores import SCORES, tied, ties_wrong

STUDY = "pretraining"
# Tables 5 to 19 have one system each, ordered by layers and budget
_SYSTEMS = [f"BERT{layers}L-eu{words}" for layers in (4, 8, 12) for words in ("5M", "25M", "125M")]
_OWN = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS, 5)}
_ORDERS = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS[3:6], 14)}
_TWINS = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS[3:6], 17)}
# The checkpoint whose accuracies by type section 5.2 prints
_IN_TEXT = Key("BERT8L-eu5M", "", False, 1024)
# The epochs at which section 5.4 prints the cost of a second order (notes of published figures)
_GAP_EPOCHS = dict(zip(_ORDERS, (1024, 1024, 512), strict=True))
_TYPE_NAMES = {"E1": "E1 declension", "E2": "E2 verb", "E3": "E3 structure and order"}


def score_study(
    cells: Cells,
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
    rows = [_row("Table 4", "chance", "all", "accuracy", CHANCE)]
    for key, cell in cells.items():
        rows += _score_orders(key, cell, seed) if key.reordered else _score_cell(key, cell, seed)
    rows += [*_table_4(cells, seed), *_twins(cells, seed), *_text_figures(cells, seed)]
    rows += [*_losses(cells, losses), *_parameters(parameters or {})]
    rows += count_pairs(pairs) if pairs else []
    sorting = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is None, row[column]) for column in sorting])
    write_parquet(scores, rows, SCORES)
    write_tsv(comparisons, compare(cells, seed), COMPARISONS)


def _row(
    table: str, system: str, condition: str, metric: str, value: float | None, **more: object
) -> dict[str, object]:
    empty = dict.fromkeys(("low", "high", "n", "runs", "variant", "seed", "note"))
    row = {"study": STUDY, "paper": PAPER, "table": table, "system": system}
    return row | {"condition": condition, "metric": metric, "value": value} | empty | more


def _table_of(key: Key) -> str:
    """The table of a row; further sets have their own, apart from the published figures."""
    if key.of_further_set:
        return FURTHER + key.variant
    return "Table 4" if key.epoch is None else _OWN.get(key.system, "Figure 1")


def _score_cell(key: Key, cell: Cell, seed: int) -> Iterator[dict]:
    """Accuracy and kept pairs: over all pairs, by type, by level, and by both."""
    whole = _table_of(key)
    yield from _accuracies(whole, key, cell, key.condition, _all_pairs(cell), seed)
    parts: list[tuple[str, dict[str, str]]] = []
    parts += [("Figure 4", {"type": kind}) for kind in cell.values("type")]
    parts += [("Figure 2", {"level": level}) for level in cell.values("level")]
    parts += [
        ("Figure 4", {"type": kind, "level": level})
        for kind in cell.values("type")
        for level in cell.values("level")
    ]
    for figure, part in parts:
        inside = np.logical_and.reduce([cell.where(*item) for item in part.items()])
        shown = ";".join(f"{column}={value}" for column, value in part.items())
        table = whole if key.epoch is None or key.of_further_set else figure
        condition = shown if key.epoch is None else f"{key.condition};{shown}"
        yield from _accuracies(table, key, cell, condition, inside, seed)
        if key == _IN_TEXT and part.keys() == {"type"}:
            yield from _accuracies("section 5.2", key, cell, condition, inside, seed)


def _all_pairs(cell: Cell) -> np.ndarray:
    return np.ones(cell.kept.shape[1], bool)


def _accuracies(
    table: str, key: Key, cell: Cell, condition: str, inside: np.ndarray, seed: int
) -> Iterator[dict]:
    """Accuracy, kept pairs and ties over all seeds, and for each if there are several.

    Over all pairs also the accuracy on those that the length filter leaves out, how often a model
    prefers the sentence with fewer characters, and its accuracy where both have as many: a model
    that has learnt nothing else prefers the shorter one. Accuracies over all seeds pool their
    pairs; counts and shares of pairs are means of the seeds.

    In the paper a tie is wrong (BL2MP-6). Where a model has ties, its accuracy comes by that rule
    too, under the variant TIES_WRONG, to stand beside the printed one; and so it does for a null.

    Args:
        inside: (pairs) those to score.
    """
    printed = not table.startswith(FURTHER)
    several = len(cell.seeds) > 1
    groups = [(slice(None), None if several else cell.seeds[0])]
    if several:
        groups += [(slice(run, run + 1), run_seed) for run, run_seed in enumerate(cell.seeds)]
    for runs, run_seed in groups:
        kept, solved = cell.kept[runs] & inside, cell.solved[runs]
        per_token = np.array([run.per_token for run in cell.runs])[runs]
        count = len(kept)
        own = key.variant or None
        columns = {"runs": count, "variant": own, "seed": run_seed}
        measures = [("accuracy", own, solved, kept)]
        if printed and (tied(cell.solved) & cell.kept & inside).any():
            by_paper = "; ".join(filter(None, (own, TIES_WRONG)))
            measures.append(("accuracy", by_paper, ties_wrong(solved), kept))
        if inside.all():
            left_out = (cell.scored & ~cell.kept)[runs]
            measures.append(("accuracy_dropped", own, solved, left_out))
            measures.append(("accuracy_dropped_per_token", own, per_token, left_out))
            if not cell.null:
                shorter = np.where(cell.excess < 0, solved, 1 - solved)
                alike = kept & (cell.excess == 0)
                measures.append(("shorter_preferred", own, shorter, kept & (cell.excess != 0)))
                measures.append(("accuracy_equal_characters", own, solved, alike))
        for metric, variant, hits, trials in measures:
            value, low, high = cell.share(hits, trials, seed)
            interval = {"low": low, "high": high, "n": round(trials.sum() / count)}
            if value is not None:
                more = columns | interval | {"variant": variant, "note": _pooled(count)}
                yield _row(table, key.system, condition, metric, value, **more)
        n, taken = int(inside.sum()), (cell.scored[runs] & inside).sum() / count
        numbers = [
            ("kept", kept.sum() / count, n),
            ("ties", (tied(solved) & kept).sum() / count, n),
        ]
        if taken:  # a share of the pairs with scores: the paper's models take every sentence
            numbers.append(("discarded_share", 1 - kept.sum() / count / taken, round(taken)))
        if inside.all():
            numbers.append(("too_long_share", 1 - taken / n, n))
        for metric, number, of in numbers:
            more = {"n": of, "note": _averaged(count)}
            yield _row(table, key.system, condition, metric, number, **more, **columns)


def _pooled(seeds: int) -> str | None:
    """The note of a share over several seeds."""
    return f"pairs of {seeds} seeds pooled" if seeds > 1 else None


def _averaged(seeds: int) -> str | None:
    """The note of a mean over several seeds."""
    return f"mean of {seeds} seeds" if seeds > 1 else None


def _score_orders(key: Key, cell: Cell, seed: int) -> Iterator[dict]:
    """Tables 14-16: the original order, and both orders, on the same pairs (BL2MP-7)."""
    table = _ORDERS.get(key.system, "Figure 3")
    for rule in ORDER_RULES:
        kept, single, both = _orders(cell, rule)
        columns = {"runs": len(kept), "variant": rule}
        for metric, hits in (("accuracy_single_order", single), ("accuracy_two_orders", both)):
            value, low, high = cell.share(hits, kept, seed)
            if value is None:
                continue
            interval = {"low": low, "high": high, "n": round(kept.sum() / len(kept))}
            more = interval | columns | {"note": _pooled(len(kept))}
            yield _row(table, key.system, key.condition, metric, value, **more)


def _orders(cell: Cell, rule: str) -> Orders:
    """Every array is (runs, pairs)."""
    judged = [judge_orders(*orders, rule) for orders in zip(cell.runs, cell.reordered, strict=True)]
    return Orders(*map(np.array, zip(*judged, strict=True)))


def by_epoch(cells: Cells, *, reordered: bool = False) -> dict[tuple[str, str], list[Key]]:
    """The keys of each system and variant, in order of epoch."""
    keys: dict[tuple[str, str], list[Key]] = {}
    for key in cells:
        if key.reordered == reordered:
            keys.setdefault((key.system, key.variant), []).append(key)
    return keys


def _table_4(cells: Cells, seed: int) -> Iterator[dict]:
    """The best and the last checkpoint of each system, and all systems on the pairs that all keep.

    The paper prints the best checkpoint (91.5 for BERT8L-eu25M, whose last has 91.4). A further set
    of pairs gets the same rows in its own table.
    """
    sets: dict[str, Cells] = {}
    for (system, variant), keys in by_epoch(cells).items():
        if system.endswith(TWIN):
            continue
        sets.setdefault(variant, {})[keys[-1]] = cells[keys[-1]]
        if keys[-1].epoch is None:
            continue
        best = max(keys, key=lambda key: cells[key].accuracy)
        for name, key in (("best epoch", best), (LAST_EPOCH, keys[-1])):
            table, shown = _table_of(key._replace(epoch=None)), key._replace(variant=name)
            yield from _accuracies(table, shown, cells[key], "all", _all_pairs(cells[key]), seed)
    for cells_of_set in sets.values():
        for key, cell, common in common_kept(cells_of_set):
            label = LAST_EPOCH if key.epoch is not None else key.variant or None
            table = _table_of(key._replace(epoch=None))
            yield _common_row(table, key, "all", cell, common, seed, variant=label)


def _common_row(
    table: str,
    key: Key,
    condition: str,
    cell: Cell,
    common: np.ndarray,
    seed: int,
    **more: object,
) -> dict[str, object]:
    """Accuracy on the pairs (pairs) that all compared systems keep."""
    trials = np.broadcast_to(common, cell.solved.shape)
    value, low, high = cell.share(cell.solved, trials, seed)
    columns = {"low": low, "high": high, "n": int(common.sum()), "runs": len(trials)} | more
    notes = filter(None, (more.get("note"), _pooled(len(trials))))
    columns["note"] = "; ".join(map(str, notes)) or None
    return _row(table, key.system, condition, "accuracy_common", value, **columns)


def _twins(cells: Cells, seed: int) -> Iterator[dict]:
    """Tables 17-19: a model and its twin, by their own filters and on what both keep (S-14)."""
    shown = set()
    for key, cell in cells.items():
        base = key._replace(system=key.system.removesuffix(TWIN), variant="")
        if key.reordered or not key.system.endswith(TWIN) or base not in cells:
            continue
        table = _TWINS.get(base.system, "Figure 4")
        both = {base: cells[base], key: cell}
        for member in both:
            # A model has several twins, one per segmentation, but its own rows come once
            if key.epoch is not None and member not in shown:
                shown.add(member)
                inside = _all_pairs(cells[member])
                yield from _accuracies(table, member, cells[member], key.condition, inside, seed)
        more = {"variant": key.variant or None, "note": "pairs that both tokenizers keep"}
        for member, member_cell, common in common_kept(both):
            yield _common_row(table, member, key.condition, member_cell, common, seed, **more)


def _text_figures(cells: Cells, seed: int) -> Iterator[dict]:
    """Sections 5.1 and 5.4: the shares of pairs left out, and the cost of a second word order.

    The shares stand beside print only if all of the paper's models have run. The cost is measured
    at the epoch that the paper prints, or at the last.
    """
    own = {
        system: cells[keys[-1]]
        for (system, variant), keys in by_epoch(cells).items()
        if (model := parse_system(system)) and not (model.twin or variant or cells[keys[-1]].null)
        if cells[keys[-1]].scored.any()
    }
    shares = {
        "discarded_share": [1 - cell.kept.sum() / cell.scored.sum() for cell in own.values()],
        "too_long_share": [1 - cell.scored.mean() for cell in own.values()],
    }
    where = "all" if own.keys() >= _OWN.keys() else "of the models run"
    note = f"mean of {len(own)} models, each at its last epoch, without twins"
    for metric, of_models in shares.items() if own else ():
        more = {"runs": len(own), "note": note}
        mean = float(np.mean(of_models))
        yield _row("section 5.1", "all own models", where, metric, mean, **more)
    for (system, _), keys in by_epoch(cells, reordered=True).items():
        key = next((key for key in keys if key.epoch == _GAP_EPOCHS.get(system)), keys[-1])
        cell = cells[key]
        for rule in ORDER_RULES:
            kept, single, both = _orders(cell, rule)
            gap, low, high = cell.share(single - both, kept, seed)
            if gap is None:
                continue
            yield _row(
                "section 5.4", system, "two orders minus one order", "accuracy_gap", gap,
                low=low, high=high, n=round(kept.sum() / len(kept)), runs=len(kept), variant=rule,
                note="; ".join(
                    filter(None, (key.condition, "single minus both", _pooled(len(kept))))
                ),
            )  # fmt: skip


def _losses(cells: Cells, losses: Losses) -> Iterator[dict]:
    """The losses of each seed at the scored epochs, and their means if there are several seeds."""
    for system, by_seed in losses.items():
        scored = {
            key.epoch
            for key in cells
            if key.system == system and not key.reordered and key.epoch is not None
        }
        shown: list[tuple[int | None, int, History]] = [
            (seed, 1, history) for seed, history in by_seed.items()
        ]
        if len(by_seed) > 1:
            shown.append((None, len(by_seed), mean_history([*by_seed.values()])))
        for seed, runs, history in shown:
            for epoch in sorted(scored & history.keys()):
                table = _table_of(Key(system, "", False, epoch))
                more = {"seed": seed, "runs": runs, "note": _averaged(runs)}
                for metric in LOSSES:
                    value, condition = history[epoch][metric], f"epoch={epoch}"
                    yield _row(table, system, condition, metric, value, **more)


def _parameters(weights: Mapping[str, int]) -> Iterator[dict]:
    """Section 4.2: the number of weights of each model, as trained on its largest text.

    It depends on the size of the vocabulary. A large text yields all the pieces asked for, like the
    paper's 50,000; a small one may yield fewer. Twins have other words and do not count.
    """
    largest: dict[str, str] = {}
    for system in sorted(weights, key=lambda system: parse_pretrained(system).words):
        model = parse_pretrained(system)
        if not model.twin:
            largest[model.model] = system
    for name, system in largest.items():
        note = f"of {system}"
        yield _row("section 4.2", name, "", "parameters_M", weights[system] / 1e6, note=note)


def count_pairs(pairs: str | Path) -> list[dict]:
    """Table 1: pairs by type and level."""
    columns = read_parquet(pairs, ["type", "level"]).to_pydict()
    counts = Counter(zip(*columns.values(), strict=True))
    rows = [
        _row("Table 1", _TYPE_NAMES.get(kind, kind or "all"), level or "all", "pairs", count)
        for (kind, level), count in counts.items()
    ]
    return [*rows, _row("Table 1", "total", "all", "pairs", counts.total())]

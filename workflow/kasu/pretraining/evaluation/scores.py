"""Scores of BL2MP: accuracies by checkpoint, type, level and word order, losses, counts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from kasu.base.scores import SCORES
from kasu.base.tables import read_parquet, write_parquet, write_tsv
from kasu.pretraining.data.filters import ORDER_RULES, judge_orders
from kasu.pretraining.evaluation.cells import (
    FURTHER,
    TWIN,
    Cell,
    Cells,
    Key,
    Run,
    parse_system,
    read_cells,
)
from kasu.pretraining.evaluation.claims import CLAIMS, judge_claims
from kasu.pretraining.evaluation.comparisons import COMPARISONS, common_kept, compare
from kasu.pretraining.models.histories import LOSSES, History, mean_history, read_history

STUDY, PAPER = "pretraining", "bl2mp2024"
# Tables 5-13, 14-16 and 17-19 hold one system each, by layers and budget
_SYSTEMS = [f"BERT{layers}L-eu{words}" for layers in (4, 8, 12) for words in ("5M", "25M", "125M")]
_OWN = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS, 5)}
_ORDERS = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS[3:6], 14)}
_TWINS = {system: f"Table {number}" for number, system in enumerate(_SYSTEMS[3:6], 17)}
# Section 5.2 prints the accuracies by type of this checkpoint
_IN_TEXT = Key("BERT8L-eu5M", "", False, 1024)
# Section 5.4 prints what a second word order costs at these (notes of the published figures)
_GAP_EPOCHS = dict(zip(_ORDERS, (1024, 1024, 512), strict=True))
_TYPE_NAMES = {"E1": "E1 declension", "E2": "E2 verb", "E3": "E3 structure and order"}
_CHANCE = 0.5


def score_study(
    runs: Sequence[Run],
    scores: str | Path,
    comparisons: str | Path,
    claims: str | Path,
    *,
    seed: int,
    pairs: str | Path | None = None,
    histories: Mapping[str, Mapping[int, str | Path]] | None = None,
    parameters: Mapping[str, int] | None = None,
) -> None:
    """Write SCORES, COMPARISONS and CLAIMS of the study.

    Intervals resample near copies together (`source_id` of the pairs); all other pairs are taken
    as independent, for BL2MP's come from different sentences.

    Args:
        runs: what was scored.
        seed: of bootstraps and permutations.
        pairs: the main set, whose pairs are counted for Table 1.
        histories: by system and seed, a TSV with a row a checkpoint.
        parameters: by system, how many weights it has.

    Raises:
        KasuError: `read_cells` says when; a history lacks a column or holds no numbers.
    """
    cells = read_cells(runs)
    losses = {
        system: {seed: read_history(path) for seed, path in of_seeds.items()}
        for system, of_seeds in (histories or {}).items()
    }
    rows = [_row("Table 4", "chance", "all", "accuracy", _CHANCE)]
    for key, cell in cells.items():
        rows += _score_orders(key, cell, seed) if key.reordered else _score_cell(key, cell, seed)
    rows += [*_table_4(cells, seed), *_twins(cells, seed), *_text_figures(cells, seed)]
    rows += [*_losses(cells, losses), *_parameters(parameters or {})]
    rows += count_pairs(pairs) if pairs else []
    sorting = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is None, row[column]) for column in sorting])
    write_parquet(scores, rows, SCORES)
    write_tsv(comparisons, compare(cells, seed), COMPARISONS)
    means = {system: mean_history([*of_seeds.values()]) for system, of_seeds in losses.items()}
    write_tsv(claims, judge_claims(cells, means, seed), CLAIMS)


def _row(
    table: str, system: str, condition: str, metric: str, value: float | None, **more: object
) -> dict[str, object]:
    empty = dict.fromkeys(("low", "high", "n", "runs", "variant", "seed", "note"))
    named = {"study": STUDY, "paper": PAPER, "table": table, "system": system}
    return named | {"condition": condition, "metric": metric, "value": value} | empty | more


def _table_of(key: Key) -> str:
    """Where a row is shown; a further set never beside the printed figures of BL2MP."""
    if key.of_further_set:
        return FURTHER + key.variant
    return "Table 4" if key.epoch is None else _OWN.get(key.system, "Figure 1")


def _score_cell(key: Key, cell: Cell, seed: int) -> Iterator[dict]:
    """Accuracy and what the filter keeps: over all pairs, by type, by level, by both."""
    whole = _table_of(key)
    yield from _accuracies(whole, key, cell, key.condition, _everywhere(cell), seed)
    parts = [("Figure 4", (("type", kind),)) for kind in cell.values("type")]
    parts += [("Figure 2", (("level", level),)) for level in cell.values("level")]
    parts += [
        ("Figure 4", (("type", kind), ("level", level)))
        for kind in cell.values("type")
        for level in cell.values("level")
    ]
    for figure, chosen in parts:
        inside = np.logical_and.reduce([cell.where(*each) for each in chosen])
        named = ";".join(f"{column}={value}" for column, value in chosen)
        table = whole if key.epoch is None or key.of_further_set else figure
        condition = named if key.epoch is None else f"{key.condition};{named}"
        yield from _accuracies(table, key, cell, condition, inside, seed)
        if key == _IN_TEXT and [name for name, _ in chosen] == ["type"]:
            yield from _accuracies("section 5.2", key, cell, condition, inside, seed)


def _everywhere(cell: Cell) -> np.ndarray:
    return np.ones(cell.kept.shape[1], bool)


def _accuracies(
    table: str, key: Key, cell: Cell, condition: str, inside: np.ndarray, seed: int
) -> Iterator[dict]:
    """Over all seeds and for each: accuracy, kept, ties; accuracy of those left out for length."""
    places = [(slice(None), None if len(cell.seeds) > 1 else cell.seeds[0])]
    if len(cell.seeds) > 1:
        places += [(slice(at, at + 1), name) for at, name in enumerate(cell.seeds)]
    for place, name in places:
        kept, solved = cell.kept[place] & inside, cell.solved[place]
        tied = np.array([run.tied for run in cell.runs])[place]
        per_token = np.array([run.per_token for run in cell.runs])[place]
        count = len(kept)
        of_runs = {"runs": count, "variant": key.variant or None, "seed": name}
        measures = [("accuracy", solved, kept)]
        if inside.all():
            out = (cell.scored & ~cell.kept)[place]
            measures.append(("accuracy_dropped", solved, out))
            measures.append(("accuracy_dropped_per_token", per_token, out))
        for metric, hits, trials in measures:
            value, low, high = cell.share(hits, trials, seed)
            measured = {"low": low, "high": high, "n": round(trials.sum() / count)} | of_runs
            if value is not None:
                yield _row(table, key.system, condition, metric, value, **measured)
        n = int(inside.sum())
        for metric, value in (
            ("kept", kept.sum() / count),
            ("discarded_share", 1 - kept.sum() / count / n if n else None),
            ("ties", (tied & kept).sum() / count),
        ):
            if value is not None:
                yield _row(table, key.system, condition, metric, value, n=n, **of_runs)


def _score_orders(key: Key, cell: Cell, seed: int) -> Iterator[dict]:
    """Tables 14-16: the original order, and both orders, on the same pairs (BL2MP-7)."""
    table = _ORDERS.get(key.system, "Figure 3")
    for rule in ORDER_RULES:
        kept, both = _orders(cell, rule)
        of_runs = {"runs": len(kept), "variant": rule}
        for metric, hits in (("accuracy_single_order", cell.solved), ("accuracy_two_orders", both)):
            value, low, high = cell.share(hits, kept, seed)
            if value is None:
                continue
            n = round(kept.sum() / len(kept))
            measured = {"low": low, "high": high, "n": n} | of_runs
            yield _row(table, key.system, key.condition, metric, value, **measured)


def _orders(cell: Cell, rule: str) -> tuple[np.ndarray, np.ndarray]:
    judged = [judge_orders(*each, rule) for each in zip(cell.runs, cell.others, strict=True)]
    return np.array([kept for kept, _ in judged]), np.array([both for _, both in judged])


def by_epoch(cells: Cells, *, reordered: bool = False) -> dict[tuple[str, str], list[Key]]:
    """By system and variant, the keys in order of epoch."""
    found: dict[tuple[str, str], list[Key]] = {}
    for key in cells:
        if key.reordered == reordered:
            found.setdefault((key.system, key.variant), []).append(key)
    return found


def _table_4(cells: Cells, seed: int) -> Iterator[dict]:
    """Systems with checkpoints at their best and their last; all on the pairs that all keep.

    The paper prints the best checkpoint (91.5 for BERT8L-eu25M, whose last has 91.4). A further set
    of pairs has the like in its own table.
    """
    sets: dict[str, Cells] = {}
    for (system, variant), keys in by_epoch(cells).items():
        if system.endswith(TWIN):
            continue
        sets.setdefault(variant, {})[keys[-1]] = cells[keys[-1]]
        if keys[-1].epoch is None:
            continue
        best = max(keys, key=lambda key: cells[key].accuracy)
        for name, key in (("best epoch", best), ("last epoch", keys[-1])):
            table, named = _table_of(key._replace(epoch=None)), key._replace(variant=name)
            yield from _accuracies(table, named, cells[key], "all", _everywhere(cells[key]), seed)
    for key, cell, common in (each for of_set in sets.values() for each in common_kept(of_set)):
        trials = np.broadcast_to(common, cell.solved.shape)
        value, low, high = cell.share(cell.solved, trials, seed)
        variant = "last epoch" if key.epoch is not None else key.variant or None
        more = {"low": low, "high": high, "n": int(common.sum()), "runs": len(trials)}
        table = _table_of(key._replace(epoch=None))
        yield _row(table, key.system, "all", "accuracy_common", value, variant=variant, **more)


def _twins(cells: Cells, seed: int) -> Iterator[dict]:
    """Tables 17-19: a model and its twin, each by its own filter and on what both keep (S-14)."""
    shown = set()
    for key, cell in cells.items():
        base = key._replace(system=key.system.removesuffix(TWIN), variant="")
        if key.reordered or not key.system.endswith(TWIN) or base not in cells:
            continue
        table = _TWINS.get(base.system, "Figure 4")
        both = {base: cells[base], key: cell}
        for each in both:
            if key.epoch is not None and each not in shown:
                shown.add(each)
                inside = _everywhere(cells[each])
                yield from _accuracies(table, each, cells[each], key.condition, inside, seed)
        for each, mine, common in common_kept(both):
            value, low, high = mine.share(
                mine.solved, np.broadcast_to(common, mine.solved.shape), seed
            )
            more = {"low": low, "high": high, "n": int(common.sum()), "runs": len(mine.runs)}
            named = {"variant": key.variant or None, "note": "pairs that both tokenizers keep"}
            yield _row(table, each.system, key.condition, "accuracy_common", value, **named, **more)


def _text_figures(cells: Cells, seed: int) -> Iterator[dict]:
    """Sections 5.1 and 5.4: the share left out, and what a second word order costs.

    The cost is that of the epoch printed, else of the last.
    """
    own = [
        1 - cells[keys[-1]].kept.mean()
        for (system, variant), keys in by_epoch(cells).items()
        if (named := parse_system(system)) and not (named.twin or variant or cells[keys[-1]].null)
    ]
    if own:
        share = float(np.mean(own))
        yield _row("section 5.1", "all own models", "all", "discarded_share", share, runs=len(own))
    for (system, _), keys in by_epoch(cells, reordered=True).items():
        key = next((key for key in keys if key.epoch == _GAP_EPOCHS.get(system)), keys[-1])
        cell = cells[key]
        for rule in ORDER_RULES:
            kept, both = _orders(cell, rule)
            gap, low, high = cell.share(cell.solved & ~both, kept, seed)
            if gap is None:
                continue
            yield _row(
                "section 5.4", system, "two orders minus one order", "accuracy_gap", gap,
                low=low, high=high, n=round(kept.sum() / len(kept)), runs=len(kept), variant=rule,
                note=f"{key.condition}; single minus both",
            )  # fmt: skip


def _losses(cells: Cells, losses: Mapping[str, Mapping[int, History]]) -> Iterator[dict]:
    """The losses of each seed at the epochs scored, and their means where there are several."""
    for system, of_seeds in losses.items():
        scored = {key.epoch for key in cells if key.system == system and not key.reordered}
        shown: dict[int | None, History] = dict(of_seeds)
        if len(of_seeds) > 1:
            shown[None] = mean_history([*of_seeds.values()])
        for seed, history in shown.items():
            more = {"seed": seed, "runs": len(of_seeds) if seed is None else 1}
            for epoch in sorted(scored & history.keys()):
                table = _table_of(Key(system, "", False, epoch))
                for metric in LOSSES:
                    value = history[epoch][metric]
                    yield _row(table, system, f"epoch={epoch}", metric, value, **more)


def _parameters(weights: Mapping[str, int]) -> Iterator[dict]:
    """Section 4.2: the weights of each model, of its largest text.

    Weights differ by vocabulary alone. A large text gives all pieces that are asked for, as the
    paper's 50,000; a small one may give fewer, and twins, which have other words, do not count.
    """
    largest: dict[str, str] = {}
    plain = [system for system in weights if not parse_system(system).twin]
    for system in sorted(plain, key=lambda system: parse_system(system).words):
        largest[parse_system(system).model] = system
    for model, system in largest.items():
        more = {"note": f"of {system}"}
        yield _row("section 4.2", model, "", "parameters_M", weights[system] / 1e6, **more)


def count_pairs(pairs: str | Path) -> list[dict]:
    """Table 1: pairs by type and level."""
    columns = read_parquet(pairs, ["type", "level"]).to_pydict()
    cells = Counter(zip(*columns.values(), strict=True))
    rows = [
        _row("Table 1", _TYPE_NAMES.get(kind, kind or "all"), level or "all", "pairs", count)
        for (kind, level), count in cells.items()
    ]
    return [*rows, _row("Table 1", "total", "all", "pairs", cells.total())]

"""The curves of Figures 1 to 4: accuracies and losses by epoch, ours and published."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kasu.base.published import Published, read_published
from kasu.base.tables import read_parquet, write_tsv
from kasu.pretraining.evaluation.cells import FURTHER, TWIN, parse_system

CURVES = ("figure", "panel", "line", "kind", "epoch", "value", "low", "high", "published")
"""A point a row. `kind` is accuracy (a fraction of 1) or loss (from 0, its least over the epochs,
to 1, its greatest). `value` or `published` may be empty."""
PAPER = "bl2mp2024"
ACCURACY, LOSS = "accuracy", "loss"
_LOSSES = {"train_loss": "train loss", "dev_loss": "dev loss"}
_ORDERS = {"accuracy_single_order": "one order", "accuracy_two_orders": "both orders"}
_BOTH = ", twins"
# What a curve is called: figure, panel, line, kind
_Name = tuple[str, str, str, str]
_Point = tuple[float | None, float | None, float | None]
_Curves = dict[_Name, dict[int, _Point]]


def write_curves(scores: str | Path, published: str | Path, curves: str | Path) -> None:
    """Write CURVES from the study's SCORES and the folder of published figures.

    Figure 1 has a panel a model, Figure 2 its levels, Figure 3 its word orders, Figure 4 its types
    and, in panels named `twins`, the model beside its lemmatised twin. A figure has the panels of
    the systems that were scored. Further sets of pairs are in none, for the figures are of BL2MP.
    """
    rows = read_parquet(scores).to_pylist()
    # Of several rows for one point the one over most seeds counts
    ours = _collect(sorted(rows, key=lambda row: row["runs"] or 0))
    theirs = _collect(_as_row(figure) for figure in read_published(published))
    named = {(name[0], name[1]) for name in ours}
    lines = []
    names = ours.keys() | {name for name in theirs if name[:2] in named}
    for name in sorted(names, key=_place_of):
        mine, printed = ours.get(name, {}), theirs.get(name, {})
        if name[3] == LOSS:
            mine, printed = _normalise(mine), _normalise(printed)
        for epoch in sorted(mine.keys() | printed.keys()):
            value, low, high = mine.get(epoch, (None, None, None))
            point = (epoch, value, low, high, printed.get(epoch, (None,))[0])
            lines.append(dict(zip(CURVES, (*name, *point), strict=True)))
    write_tsv(curves, lines, CURVES)


def _place_of(name: _Name) -> tuple:
    """Models, then their twins, then both; each by layers and budget, as the paper has them."""
    figure, panel, line, kind = name
    model = parse_system(panel.removesuffix(_BOTH))
    group = (panel.endswith(_BOTH), model.twin)
    return figure, group, model.layers, model.words, panel, line, kind


def _as_row(figure: Published) -> dict[str, object]:
    return vars(figure) | {"low": None, "high": None, "variant": None}


def _collect(rows: Iterable[Mapping]) -> _Curves:
    curves: _Curves = {}
    for row in rows:
        if row["paper"] != PAPER or row["value"] is None:
            continue
        for name, epoch in _places(row):
            curves.setdefault(name, {})[epoch] = (row["value"], row["low"], row["high"])
    return curves


def _places(row: Mapping) -> Iterator[tuple[_Name, int]]:
    """The curves that a row is a point of."""
    named = parse_system(row["system"])
    parts = dict(part.partition("=")[::2] for part in row["condition"].split(";"))
    further = row["table"].startswith(FURTHER)
    if named is None or further or not parts.get("epoch", "").isdigit():
        return
    epoch, metric, system = int(parts.pop("epoch")), row["metric"], row["system"]
    segmentation = f", {row['variant']}" if row["variant"] else ""
    if metric in _LOSSES and not parts:
        for figure in ("Figure 1", "Figure 2", "Figure 4"):
            if not named.twin or figure == "Figure 4":
                yield (figure, system, _LOSSES[metric], LOSS), epoch
    elif metric in _ORDERS:
        yield ("Figure 3", system, _ORDERS[metric] + segmentation, ACCURACY), epoch
    elif metric != "accuracy":
        return
    elif not parts:
        line = ("lemmatised" if named.twin else "text") + segmentation
        yield ("Figure 4", system.removesuffix(TWIN) + _BOTH, line, ACCURACY), epoch
        if not named.twin:
            yield ("Figure 1", system, "accuracy" + segmentation, ACCURACY), epoch
    elif parts.keys() == {"level"} and not named.twin:
        yield ("Figure 2", system, f"level {parts['level']}{segmentation}", ACCURACY), epoch
    elif parts.keys() == {"type"}:
        yield ("Figure 4", system, f"{parts['type']}{segmentation}", ACCURACY), epoch


def _normalise(points: Mapping[int, _Point]) -> dict[int, _Point]:
    """Min-max over the epochs, as the paper's grey lines are; a flat curve lies at 0."""
    values = [value for value, _, _ in points.values()]
    least, span = min(values, default=0.0), max(values, default=0.0) - min(values, default=0.0)
    return {
        epoch: ((value - least) / span if span else 0.0, None, None)
        for epoch, (value, _, _) in points.items()
    }

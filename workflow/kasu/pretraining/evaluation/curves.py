"""Learning curves of Figures 1 to 4: accuracies and losses by epoch, ours and published."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kasu.files.tables import read_parquet, write_tsv
from kasu.pretraining.data.names import FURTHER, PAPER, TWIN, parse_pretrained, parse_system
from kasu.results.comparison import TIES_WRONG
from kasu.results.published import Published, PublishedFiles, read_published

CURVES = ("figure", "panel", "line", "kind", "epoch", "value", "low", "high", "published")
"""One row per point. `kind` is accuracy (a fraction of 1) or loss (scaled from 0, its lowest over
the epochs, to 1, its highest). `value` or `published` may be empty."""
ACCURACY, LOSS = "accuracy", "loss"
_LOSSES = {"train_loss": "train loss", "dev_loss": "dev loss"}
_ORDERS = {"accuracy_single_order": "one order", "accuracy_two_orders": "both orders"}
# Ends the name of a panel with a model and its twin
_TWINS = ", twins"


class _Curve(NamedTuple):
    figure: str
    panel: str
    line: str
    kind: str


class _Point(NamedTuple):
    value: float
    low: float | None
    high: float | None


_Points = dict[int, _Point]
"""By epoch."""


def write_curves(scores: str | Path, published: PublishedFiles, curves: str | Path) -> None:
    """Write CURVES from the study's SCORES and the published figures.

    Every figure has one panel per model that was scored: Figure 1 its accuracy, Figure 2 its
    levels, Figure 3 its word orders, Figure 4 its types and, in a further panel, the model next to
    its lemmatised twin. Further sets of pairs are left out, since the figures are about BL2MP.
    """
    rows = read_parquet(scores).to_pylist()
    # Later rows replace earlier ones: of several rows for a point, keep that over the most seeds
    ours = _collect(sorted(rows, key=lambda row: row["runs"] or 0))
    theirs = _collect(_as_row(figure) for figure in read_published(published))
    panels = {(curve.figure, curve.panel) for curve in ours}
    shown = ours.keys() | {curve for curve in theirs if (curve.figure, curve.panel) in panels}
    lines = []
    for curve in sorted(shown, key=_place_of):
        mine, printed = ours.get(curve, {}), theirs.get(curve, {})
        if curve.kind == LOSS:
            mine, printed = _normalise(mine), _normalise(printed)
        for epoch in sorted(mine.keys() | printed.keys()):
            point = mine.get(epoch, (None, None, None))
            published_value = printed[epoch].value if epoch in printed else None
            lines.append(dict(zip(CURVES, (*curve, epoch, *point, published_value), strict=True)))
    write_tsv(curves, lines, CURVES)


def _place_of(curve: _Curve) -> tuple:
    """Return the sort key: models, twins, then both; each by layers and budget, as in the paper."""
    model = parse_pretrained(curve.panel.removesuffix(_TWINS))
    group = (curve.panel.endswith(_TWINS), model.twin)
    return curve.figure, group, model.layers, model.words, curve.panel, curve.line, curve.kind


def _as_row(figure: Published) -> dict[str, object]:
    return vars(figure) | {"low": None, "high": None, "variant": None}


def _collect(rows: Iterable[Mapping]) -> dict[_Curve, _Points]:
    curves: dict[_Curve, _Points] = {}
    for row in rows:
        if row["paper"] != PAPER or row["value"] is None:
            continue
        for curve, epoch in _curves_of(row):
            curves.setdefault(curve, {})[epoch] = _Point(row["value"], row["low"], row["high"])
    return curves


def _curves_of(row: Mapping) -> Iterator[tuple[_Curve, int]]:
    """Yield the curves, with the epoch, on which a row is a point."""
    model = parse_system(row["system"])
    # `epoch=4;type=E1` as a map
    parts = dict(part.partition("=")[::2] for part in row["condition"].split(";"))
    further = row["table"].startswith(FURTHER)
    by_paper = (row["variant"] or "").endswith(TIES_WRONG)  # drawn by our rule alone
    if model is None or further or by_paper or not parts.get("epoch", "").isdigit():
        return
    epoch, metric, system = int(parts.pop("epoch")), row["metric"], row["system"]
    variant = f", {row['variant']}" if row["variant"] else ""
    if metric in _LOSSES and not parts:
        for figure in ("Figure 1", "Figure 2", "Figure 4"):
            if not model.twin or figure == "Figure 4":
                yield _Curve(figure, system, _LOSSES[metric], LOSS), epoch
    elif metric in _ORDERS:
        yield _Curve("Figure 3", system, _ORDERS[metric] + variant, ACCURACY), epoch
    elif metric != "accuracy":
        return
    elif not parts:
        line = ("lemmatised" if model.twin else "text") + variant
        yield _Curve("Figure 4", system.removesuffix(TWIN) + _TWINS, line, ACCURACY), epoch
        if not model.twin:
            yield _Curve("Figure 1", system, "accuracy" + variant, ACCURACY), epoch
    elif parts.keys() == {"level"} and not model.twin:
        yield _Curve("Figure 2", system, f"level {parts['level']}{variant}", ACCURACY), epoch
    elif parts.keys() == {"type"}:
        yield _Curve("Figure 4", system, f"{parts['type']}{variant}", ACCURACY), epoch


def _normalise(points: _Points) -> _Points:
    """Scale from 0 to 1 over the epochs, like the paper's grey lines; a flat curve is at 0."""
    values = [point.value for point in points.values()]
    lowest, span = min(values, default=0.0), max(values, default=0.0) - min(values, default=0.0)
    return {
        epoch: _Point((point.value - lowest) / span if span else 0.0, None, None)
        for epoch, point in points.items()
    }

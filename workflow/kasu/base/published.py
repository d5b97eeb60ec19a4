"""The figures that the papers print, under one key, and the tables that set ours beside them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.tables import read_tsv

LONG = ("paper", "table", "system", "condition", "metric", "value", "note")
PER_LANGUAGE = (
    "setting", "source_table", "language", "system", "accuracy", "levenshtein", "flags"
)  # fmt: skip

# Papers that print shares of items as percentages; BLM-AgrF prints fractions of 1.
_PERCENT_PAPERS = {"basque2018", "bl2mp2024", "georgian2026", "sigmorphon2018"}
# A metric is a share of items when one of these words stands in its name ...
_SHARE_WORDS = {"accuracy", "recall", "precision", "f1", "share"}
# ... except counts that a share is made of, and a share that its paper prints as a fraction.
_AS_PRINTED = {"recall_n_gold", "precision_n_predicted", "discarded_share"}


@dataclass(frozen=True)
class Published:
    """One printed figure.

    `value` is a fraction of 1 where the paper prints a percentage, the number itself for counts,
    distances and losses, and None where nothing or no single number is printed. `printed` is the
    text as the paper has it, empty where it has none (`note` says why).
    """

    paper: str
    table: str
    system: str
    condition: str
    metric: str
    value: float | None
    printed: str
    note: str

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What a score must share to stand beside this figure."""
        return self.paper, self.table, self.system, self.condition, self.metric


def in_percent(paper: str, metric: str) -> bool:
    """Whether `paper` prints `metric` (or would print it, for metrics of ours) in percent."""
    return (
        paper in _PERCENT_PAPERS
        and metric not in _AS_PRINTED
        and not _SHARE_WORDS.isdisjoint(metric.split("_"))
    )


def file_slug(table: str) -> str:
    """The name of a table in a path: `Table 4` -> `table_4`."""
    return table.lower().replace(" ", "_")


def read_published(folder: str | Path) -> list[Published]:
    """Read every `*.tsv` of `folder`, in order of file name and line.

    Languages and systems of the shared task are spelt as the registry spells them: lower case,
    hyphens between words. One language of its task 1 has the condition `<setting>|<language>`.

    Raises:
        KasuError: there is no file, a file has neither of the two headers, or two figures have
            one key.
    """
    files = sorted(Path(folder).glob("*.tsv"))
    if not files:
        raise KasuError(folder, "no published figures", "*.tsv")
    figures = {}
    for file in files:
        for figure in _read(file):
            if figure.key in figures:
                raise KasuError(file, f"a second figure for {'; '.join(figure.key)}", "one")
            figures[figure.key] = figure
    return list(figures.values())


def _read(file: Path) -> Iterator[Published]:
    rows = read_tsv(file)
    header = tuple(rows[0]) if rows else ()
    shapes: dict[tuple[str, ...], Callable] = {LONG: _from_long, PER_LANGUAGE: _from_per_language}
    if header not in shapes:
        raise KasuError(f"{file}:1", f"the header {' '.join(header)!r}", f"{' '.join(LONG)!r}")
    for row in rows:
        yield from shapes[header](row)


def _from_long(row: Mapping[str, str]) -> Iterator[Published]:
    system = row["system"]
    if row["paper"] == "sigmorphon2018":
        system = _registry_name(system)
    yield _figure(
        row["paper"], row["table"], system, row["condition"], row["metric"], row["value"],
        row["note"],
    )  # fmt: skip


def _from_per_language(row: Mapping[str, str]) -> Iterator[Published]:
    for metric in ("accuracy", "levenshtein"):
        yield _figure(
            "sigmorphon2018",
            f"Table {row['source_table']}",
            _registry_name(row["system"]),
            f"{row['setting']}|{_registry_name(row['language'])}",
            metric,
            row[metric],
            row["flags"],
        )


def _registry_name(name: str) -> str:
    return name.lower().replace(" ", "-").replace("_", "-")


def _figure(
    paper: str, table: str, system: str, condition: str, metric: str, printed: str, note: str
) -> Published:
    try:
        value = float(printed)
    except ValueError:
        value = None
    if value is not None and in_percent(paper, metric):
        value = float(f"{printed}e-2")  # the nearest double of the printed decimal
    return Published(paper, table, system, condition, metric, value, printed, note)


TABLE = (
    "paper", "table", "system", "condition", "metric", "variant", "seed", "ours", "low", "high",
    "n", "runs", "published", "printed", "difference", "note",
)  # fmt: skip
"""The columns of `<study>/tables/<table>.tsv`. `difference` is ours minus published."""


def beside(
    scores: Iterable[Mapping[str, object]],
    published: Iterable[Published],
    paper: str,
    table: str,
) -> list[dict[str, object]]:
    """Set our scores beside the figures of one printed table, or of a table of our own.

    The paper's figures stand in the paper's order, each with every score of ours that shares its
    key (by variant, then seed, the row over all seeds first), or with empty `ours`. Scores
    without a figure (nulls, further metrics) follow the last row of their condition and metric,
    else of their condition, else the end.

    Args:
        scores: rows of SCORES; those of other tables are passed over.

    Raises:
        KasuError: neither the paper nor the scores have such a table.
    """
    figures = [figure for figure in published if (figure.paper, figure.table) == (paper, table)]
    ours: dict[tuple, list] = {}
    for row in scores:
        if (row["paper"], row["table"]) == (paper, table):
            ours.setdefault((row["system"], row["condition"], row["metric"]), []).append(row)
    if not figures and not ours:
        raise KasuError("published figures", f"no {table!r} of {paper!r}", "a table it prints")
    rows = []
    for figure in figures:
        matching = ours.pop(figure.key[2:], [])
        rows += [_row(score, figure) for score in sorted(matching, key=_within)] or [
            _row({}, figure)
        ]
    for matching in ours.values():
        extra = [_row(score, None) for score in sorted(matching, key=_within)]
        at = _after(rows, extra[0])
        rows[at:at] = extra
    return rows


def _within(score: Mapping[str, object]) -> tuple:
    seed = score["seed"]
    return score["variant"] or "", seed is not None, seed or 0


def _after(rows: list[dict], row: dict) -> int:
    for keys in (("condition", "metric"), ("condition",)):
        for at in range(len(rows), 0, -1):
            if all(rows[at - 1][key] == row[key] for key in keys):
                return at
    return len(rows)


def _row(score: Mapping[str, object], figure: Published | None) -> dict[str, object]:
    value, theirs = score.get("value"), figure.value if figure else None
    named = vars(figure) if figure else score
    notes = (score.get("note"), figure.note if figure else None)
    return {
        **{key: named[key] for key in TABLE[:5]},
        **{key: score.get(key) for key in ("variant", "seed", "low", "high", "n", "runs")},
        "ours": value,
        "published": theirs,
        "printed": figure.printed if figure else None,
        "difference": None if value is None or theirs is None else value - theirs,
        "note": "; ".join(note for note in notes if note) or None,
    }

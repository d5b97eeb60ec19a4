"""Record the figures of a run in resources/measured, and check what the documents state of them.

    python tools/measured.py results/real --why "the encoder is pooled by mean"

reads the tables of every study in a folder of results. `figures/<study>.tsv` gets a row for each
figure (a verdict on a claim is one too) that is new, gone, or no longer shows the digits recorded
for it. Runs are deterministic: a figure changes because something else did, and its row says why
(`--why`, or by hand), else a test fails. Words of figures follow from the rows: each recording
judges them anew. `runs.tsv` gets a row per study, with the processor: a run
is recorded on the machine that ran it. Figures of trained networks that change without `--why`
between two processors get `another processor` as their reason; those of data and of systems without
a network are the same on any.

`stated.tsv` says which figures the documents state. `text` is as in the document, with holes:
`{value}`, `{low}` and `{high}` are those of one figure; `{cells}` and `{equal}` count the figures
with a printed one beside them, and those that show its digits; `{verdict}` is the word of one, and
the name of a word, as `{agrees_in_kind}`, counts those that have it. A `*` in a key matches
anything. Fingerprints are the table `fingerprints`.

    python tools/measured.py --judge

judges all newest figures by the rules of the code as it is, writes their words into the files and
prints those that changed. A changed rule needs no run.

    python tools/measured.py --restate

writes the newest figures into the documents and prints what they stated before. What the text
says about a figure, a person has to read again.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from by_language import record_languages
from judging import words

from kasu.base.errors import KasuError
from kasu.base.package import commit
from kasu.files.parts import write_text
from kasu.files.tables import read_tsv, write_tsv
from kasu.records.files import CLAIMS as CLAIMS_TABLE
from kasu.records.files import (
    KEY,
    MEASURED,
    PRINT_CLAIMS,
    VALUES,
    Figure,
    Key,
    key,
    newest,
    states,
)
from kasu.records.provenance import processor
from kasu.report.display import display
from kasu.results.comparison import TABLE, headline, read_comparison
from kasu.results.published import (
    COUNT,
    FRACTION,
    PERCENT,
    column_digits,
    digits_in,
    is_bare,
    parse,
    shows,
)
from kasu.results.scores import CLAIMS
from kasu.results.verdicts import About

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "resources" / "measured"
RUNS = ("study", "config", "commit", "processor", "figures", "changed")
# Whose figures are the same on any processor, with whatever has the unit COUNT
EXACT_TABLES = {"made from treebanks"}
EXACT_SYSTEMS = {
    "agreement": {"corpus", "lemma", "lexicon", "majority", "ngram", "prior"},
    "blm": {"copy_unseen", "frequency", "medoid", "oracle", "parallelogram", "random", "sameTrain"},
    "cloze": {"copy-bl", "frequent"},
    "inflection": {"baseline", "copy", "oracle-fc", "ua-01"},
    "minimal_sets": {"chance", "shortest form"},
}
NO_WORD = "no word"
STATED = ("document", "text", "study", *KEY)
SINGLE = {"value", "low", "high", "verdict"}  # holes of one figure; others count several
NUMBER = r"−?\d[\d,]*(?:\.\d+)?"


def figures(folder: Path, config: str) -> Iterator[Figure]:
    """The figures and verdicts in the tables of a study, as rows of MEASURED."""
    empty = dict.fromkeys(MEASURED, "") | {"config": config}
    for path in sorted((folder / "tables").glob("*.tsv")):
        with path.open(encoding="utf-8") as file:
            if tuple(file.readline().rstrip("\n").split("\t")) != TABLE:
                continue
        for row in headline(read_comparison(path)):
            cells = {name: getattr(row, name) or "" for name in ("variant", "unit", "printed")}
            cells |= {name: getattr(row, name) for name in KEY[1:5]}
            cells |= {name: _whole(getattr(row, name)) for name in ("seed", "n", "runs")}
            ours = {"value": row.ours, "low": row.low, "high": row.high}
            digits = _whole if row.unit == COUNT else _decimal
            yield empty | cells | {name: digits(value) for name, value in ours.items()}
    for claim in read_tsv(folder / "tables" / "claims.tsv", CLAIMS):
        about = PRINT_CLAIMS if claim["about"] == About.PRINT else CLAIMS_TABLE
        names = {"table": about, "system": claim["test"], "condition": claim["claim"]}
        verdict = {"verdict": claim["result"], "evidence": claim["evidence"]}
        yield empty | names | {"metric": "verdict", "variant": claim["variant"]} | verdict


def _whole(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _decimal(value: float | None) -> str:
    return "" if value is None or value != value else f"{value:.6f}"


def changed(old: Figure, new: Figure) -> bool:
    """Whether a figure, its interval or its number of items no longer shows the old digits.

    Of a claim, whether its verdict is another. An empty cell of the old row says nothing, except
    that the figure or claim itself was gone.
    """
    if states(old) != states(new):
        return True
    columns = VALUES if old["value"] else ("verdict",)
    return any(old[column] and _differs(old[column], new[column]) for column in columns)


def _differs(old: str, new: str) -> bool:
    try:
        unit = 10.0 ** -len(old.partition(".")[2])
        return not abs(float(new) - float(old)) <= 0.5 * unit * (1 + 1e-6)
    except ValueError:  # a verdict on a claim, or an interval that is gone
        return old != new


def record(results: Path, store: Path, at: str, where: str, why: str = "") -> list[str]:
    """Append what a run changed to the records of its studies.

    Args:
        results: the folder of results; it has the name of its config.
        store: as resources/measured.
        at: the commit that ran.
        where: the processor.
        why: the reason of the changes; by default, another processor than that of the last run of
            the study, where that may be one.

    Returns:
        One line per changed figure or word.

    Raises:
        KasuError: no study has tables, or there is no config of that name.
    """
    studies = sorted(path.parent.parent for path in results.glob("*/tables/claims.tsv"))
    if not studies:
        raise KasuError(results, "no tables of a study", "<study>/tables/claims.tsv")
    lines = []
    runs = _read(store / "runs.tsv", RUNS)
    for folder in studies:
        path = store / "figures" / f"{folder.name}.tsv"
        rows = _read(path, MEASURED)
        last = newest(rows)
        found = {key(row): row for row in figures(folder, results.name)}
        count = len(found)
        for name in last:
            if name not in found and name[0] == results.name:
                gone = dict.fromkeys(MEASURED, "") | dict(zip(KEY, name, strict=True))
                found[name] = gone
        moved = [name for name in found if name in last and changed(last[name], found[name])]
        lines += [_line(folder.name, last[name], found[name]) for name in moved]
        reasons = dict.fromkeys((name for name in found if name not in last), "")
        # Verdicts that were recorded without their evidence
        reasons |= {
            name: ""
            for name in found
            if name in last and found[name]["evidence"] and not last[name]["evidence"]
        }
        other = _other_processor(runs, folder.name, results.name, where)
        for name in moved:
            reasons[name] = why or (other if _trained(folder.name, found[name]) else "")
        rows += [found[name] | {"commit": at, "why": reasons[name]} for name in reasons]
        # What is new had no word, which is no change
        lines += [line for line, old in judge_anew(folder.name, rows).items() if old]
        write_tsv(path, rows, MEASURED)
        cells = (folder.name, results.name, at, where, str(count), str(len(moved)))
        runs.append(dict(zip(RUNS, cells, strict=True)))
    write_tsv(store / "runs.tsv", runs, RUNS)
    return lines


def judge_anew(study: str, rows: Sequence[Figure]) -> dict[str, str]:
    """Give the newest rows of a study the words of their figures.

    Returns:
        A line per row with another word than before, and that word.
    """
    last = newest(rows)
    found = words(study, last.values())
    changes = {}
    for name, row in last.items():
        old, new = row["verdict"], found.get(name, "")
        if row["value"] and old != new:
            changes[f"{_name(study, row)}: {old or NO_WORD} -> {new or NO_WORD}"] = old
            row["verdict"] = new
    return changes


def judge_store(store: Path, mend: bool = False) -> list[str]:
    """One line per figure on record whose word is not that of the rules.

    Args:
        store: as resources/measured.
        mend: write the right words.
    """
    lines: list[str] = []
    for path in sorted((store / "figures").glob("*.tsv")):
        rows = read_tsv(path, MEASURED)
        changes = judge_anew(path.stem, rows)
        if mend and changes:
            write_tsv(path, rows, MEASURED)
        lines += changes
    return lines


def _other_processor(runs: list[Figure], study: str, config: str, where: str) -> str:
    """The reason that the last run of a study was on another processor; empty if it was not."""
    known = [row["processor"] for row in runs if (row["study"], row["config"]) == (study, config)]
    last = known[-1] if known else ""  # runs of long ago do not say
    return f"another processor: {where}, before {last}" if last and last != where else ""


def _trained(study: str, figure: Figure) -> bool:
    """Whether a figure may rest on trained networks, so on the processor."""
    exact = figure["system"] in EXACT_SYSTEMS.get(study, ()) or figure["table"] in EXACT_TABLES
    return not exact and figure["unit"] != COUNT


def _read(path: Path, columns: tuple[str, ...]) -> list[Figure]:
    return read_tsv(path, columns) if path.exists() else []


def _line(study: str, old: Figure, new: Figure) -> str:
    return f"{_name(study, old)}: {_shown(old)} -> {_shown(new)}"


def _name(study: str, row: Figure) -> str:
    return f"{study}, {', '.join(filter(None, key(row)))}"


def _shown(row: Figure) -> str:
    interval = f" ({row['low']}–{row['high']})" if row["low"] else ""
    return f"{row['value'] or row['verdict'] or 'gone'}{interval}"


def unexplained(store: Path) -> list[str]:
    """One line per changed figure whose row does not say why."""
    lines = []
    for path in sorted((store / "figures").glob("*.tsv")):
        last: dict[Key, Figure] = {}
        for number, row in enumerate(read_tsv(path, MEASURED), start=2):
            old = last.get(key(row))
            if old and changed(old, row) and not row["why"].strip():
                lines.append(f"{path.name}:{number}: {_line(path.stem, old, row)}: says no why")
            last[key(row)] = row
    return lines


def misstated(root: Path, mend: bool = False) -> list[str]:
    """One line per figure that a document states otherwise than it was last measured.

    Args:
        root: the root of the project.
        mend: write the measured figures into the documents.
    """
    store = root / "resources" / "measured"
    lines = []
    for number, entry in enumerate(read_tsv(store / "stated.tsv", STATED), start=2):
        rows = _last_measured(store, entry)
        path = root / entry["document"]
        text = path.read_text("utf-8")
        found = re.search(pattern(entry["text"]), text)
        if not found:
            lines.append(f"stated.tsv:{number}: {entry['document']} has no {entry['text']!r}")
            continue
        name = ", ".join(filter(None, (entry["study"], *key(entry))))
        holes = found.groupdict()
        if holes.keys() & SINGLE and len(rows) != 1:
            lines.append(f"stated.tsv:{number}: {len(rows)} figures are {name}; expected one")
            continue
        measured = {hole: _fill(hole, rows, stated) for hole, stated in holes.items()}
        where = f"{entry['document']}: {name}"
        lines += [
            f"{where}, {hole}: states {stated}, measured {measured[hole]}"
            for hole, stated in holes.items()
            if stated != measured[hole]
        ]
        if mend and measured != holes:
            mended = entry["text"].format(**measured)
            write_text(path, text[: found.start()] + mended + text[found.end() :])
    return lines


def _last_measured(store: Path, entry: Mapping[str, str]) -> list[Figure]:
    """The newest rows of the figures that an entry of STATED is about."""
    rows = _read(store / "figures" / f"{entry['study']}.tsv", MEASURED)
    return [
        row for name, row in newest(rows).items() if row["value"] and _matches(name, key(entry))
    ]


def pattern(text: str) -> str:
    """The text of a statement as a regular expression, its holes as named groups."""
    kinds = {"verdict": "[a-z ]+"}
    escaped = re.escape(text)
    return re.sub(
        r"\\{(\w+)\\}", lambda hole: f"(?P<{hole[1]}>{kinds.get(hole[1], NUMBER)})", escaped
    )


def _matches(name: Key, wanted: Key) -> bool:
    pairs = zip(name, wanted, strict=True)
    return all(cell == part or fnmatchcase(cell, part) for cell, part in pairs)


def _fill(hole: str, rows: list[Figure], stated: str) -> str:
    """What stands in a hole; documents state shares in percent, with decimals as they like."""
    if hole in ("cells", "equal"):
        printed = [row for row in rows if row["printed"]]
        columns = column_digits((_column(row), row["printed"]) for row in printed)
        equal = [row for row in printed if _equals(row, columns[_column(row)])]
        return f"{len(printed if hole == 'cells' else equal):,}"
    if hole not in SINGLE:
        return f"{sum(row['verdict'] == hole.replace('_', ' ') for row in rows):,}"
    if hole == "verdict":
        return rows[0][hole]
    return _show(rows[0][hole], stated, rows[0]["unit"] in (PERCENT, FRACTION))


def _column(row: Figure) -> tuple[str, str]:
    return row["table"], row["metric"]


def _equals(row: Figure, column: int) -> bool:
    published, digits = parse(row["printed"], row["unit"]), digits_in(column, row["printed"])
    if published is None or is_bare(row["printed"], digits):
        return False
    return shows(float(row["value"]), published, digits, percent=row["unit"] == PERCENT)


def _show(cell: str, like: str, percent: bool) -> str:
    """A cell with as many decimals as another text has."""
    return display(float(cell) if cell else None, len(like.partition(".")[2]), percent)


def main() -> None:
    """Record a run, or write the figures into the documents; print what changed."""
    parser = argparse.ArgumentParser(description="Record the figures of a run.")
    parser.add_argument(
        "results", type=Path, nargs="?", help="a folder of results, as results/real"
    )
    parser.add_argument("--why", default="", help="why figures changed")
    restate = "write the newest figures into the documents"
    parser.add_argument("--restate", action="store_true", help=restate)
    judge = "write the words of all newest figures anew, by the rules of the code"
    parser.add_argument("--judge", action="store_true", help=judge)
    arguments = parser.parse_args()
    if not (arguments.results or arguments.restate or arguments.judge):
        parser.error("nothing to do: name a folder of results, --judge or --restate")
    try:
        if arguments.results:
            results, at = arguments.results.resolve(), commit()
            lines = record(results, STORE, at, processor(), arguments.why)
            lines.append(f"changed: {len(lines)}")
            by_study = record_languages(results, STORE, at)
            lines += [f"{study} by language: {changed}" for study, changed in by_study.items()]
            print("\n".join(lines))
        if arguments.judge:
            print("\n".join(judge_store(STORE, mend=True)))
        if arguments.restate:
            print("\n".join(misstated(ROOT, mend=True)))
    except KasuError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()

"""What an audit prints and writes: lines for the terminal, a TSV, a JSON and an HTML page."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kasu.audits.audit import Audit
from kasu.audits.data.findings import CHECKS, FORM, LEAK, MODEL, NULL, POWER, Finding
from kasu.base.visible import as_text, visible
from kasu.files.tables import write_text, write_tsv
from kasu.lm.scoring.accuracy import ALL

PRINTED = ("check", "name", "group", "items", "found", "percent", "low", "high", "says")
TABLE = (
    "check", "name", "group", "items", "found", "share", "low", "high", "ties", "flaw", "says",
)  # fmt: skip
FILES = ("audit.tsv", "audit.json", "audit.html")
HEADINGS = {
    FORM: ("Form", "Faults that need no model to be seen. Three examples of each."),
    NULL: ("Nulls", "What chooses without knowing what is tested, and how often it is right."),
    MODEL: ("Models", "How far beyond the best null, and on the items where that null is wrong."),
    LEAK: ("Leaks", "Items that stand in the text or among the training items."),
    POWER: (
        "Power",
        "The smallest difference in accuracy between two models that McNemar's test finds in 80 %"
        " of such sets, in points.",
    ),
}


def audit_lines(audit: Audit) -> Iterator[str]:
    """Yield a tab-separated line, after a header, for each finding of all items; in per cent.

    Findings of a phenomenon have one if they are flaws.
    """
    yield "\t".join(PRINTED)
    for each in audit.findings:
        if each.group is None or each.flaw:
            group = ALL if each.group is None else each.group
            found = "" if each.found is None else f"{each.found}"
            shares = map(percent, (each.share, each.low, each.high))
            cells = [each.check, each.name, group, f"{each.items}", found, *shares, each.says]
            yield "\t".join(map(visible, cells))


def percent(share: float | None) -> str:
    """Return a share in per cent with one digit; empty if there is none."""
    return "" if share is None else f"{100 * share:.1f}"


def to_json(audit: Audit) -> str:
    """Return the audit as JSON, with shares of 1 and examples."""
    facts = describe(audit) | {"findings": [asdict(each) for each in audit.findings]}
    return json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def describe(audit: Audit) -> dict[str, object]:
    """Return what was audited, and the best null."""
    benchmark = audit.benchmark
    return {
        "file": benchmark.path.name,
        "form": benchmark.form,
        "items": len(benchmark),
        "options": len(benchmark.columns),
        "chance": benchmark.chance,
        "by": benchmark.by,
        "phenomena": len(benchmark.groups),
        "cluster": benchmark.cluster,
        "clusters": int(benchmark.clusters.max()) + 1,
        "best_null": audit.best_null.name,
        "best_null_share": audit.best_null.share,
    }


def write_audit(folder: str | Path, audit: Audit) -> None:
    """Write FILES; cells of the table that a spreadsheet would run are quoted."""
    table, as_json, page = (Path(folder, name) for name in FILES)
    write_tsv(table, map(to_row, audit.findings), TABLE)
    write_text(as_json, to_json(audit))
    write_text(page, render(audit))


def to_row(finding: Finding) -> dict[str, object]:
    """Return a row of the table; a cell that a spreadsheet would run is quoted."""
    row = {name: getattr(finding, name) for name in TABLE}
    return {
        name: as_text(visible(value)) if isinstance(value, str) else value
        for name, value in row.items()
    } | {"flaw": int(finding.flaw)}


def render(audit: Audit) -> str:
    """Return the page; whatever comes from data is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["percent"] = percent
    checks = {check: [each for each in audit.findings if each.check == check] for check in CHECKS}
    return environment.get_template("audit.html.j2").render(
        facts=describe(audit),
        checks={
            HEADINGS[check]: ([each for each in of if each.group is None], _by_group(of))
            for check, of in checks.items()
            if of
        },
        # Phenomena often have too few items
        flaws=[
            each
            for each in audit.findings
            if each.flaw and (each.group is None or each.check != POWER)
        ],
    )


def _by_group(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    groups: dict[str, list[Finding]] = {}
    for each in findings:
        if each.group is not None:
            groups.setdefault(each.group, []).append(each)
    return groups

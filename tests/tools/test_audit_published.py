"""The audits of published sets: recorded as they are, and stated in the guide as recorded."""

import re
from pathlib import Path

from audit_published import COLUMNS, OUT, rows_of

from kasu.files.tables import read_tsv, write_tsv

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "audit.md"


def percent(share):
    return f"{100 * float(share):.1f}"


def test_the_guide_states_what_is_recorded():
    recorded = [row for row in read_tsv(OUT) if row["check"] == "null" and not row["group"]]
    best = {row["set"]: row for row in recorded if row["says"].startswith("best of")}
    table = re.search(r"\| set \|.*\n\|[-|]+\n((\|.*\n)+)", GUIDE.read_text(encoding="utf-8"))[1]
    stated = [[cell.strip() for cell in line.split("|")[1:5]] for line in table.splitlines()]
    assert stated == [
        [name, f"{int(row['items']):,}", row["name"],
         f"{percent(row['share'])} ({percent(row['low'])}–{percent(row['high'])})"]
        for name, row in best.items()
    ]  # fmt: skip


def test_no_item_is_recorded():
    assert {row["check"] for row in read_tsv(OUT)} == {"form", "null", "power"}
    assert max(len(cell) for row in read_tsv(OUT) for cell in row.values()) < 90


def test_an_audit_of_the_mirror_finds_the_same(mirror, tmp_path):
    write_tsv(tmp_path / "audits.tsv", rows_of(mirror), COLUMNS)
    assert (tmp_path / "audits.tsv").read_text() == OUT.read_text()

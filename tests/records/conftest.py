"""A small record: a few printed figures, and what was measured of them."""

from pathlib import Path

import pytest

from kasu.files.tables import write_tsv
from kasu.records.files import FINGERPRINT, MEASURED
from kasu.results.published import PUBLISHED

BASQUE = {"paper": "basque2018", "metric": "accuracy", "unit": "percent"}
TASK = {"paper": "sigmorphon2018", "metric": "accuracy", "unit": "percent"}
PRINTED = [
    BASQUE | {"table": "Table 10", "system": "BiLSTM", "condition": "all", "value": "50.0"},
    BASQUE | {"table": "Table 4", "system": "BiLSTM", "condition": "Base|dative", "value": "98.2"},
    BASQUE | {"table": "Table 4", "system": "LSTM", "condition": "Base|dative", "value": "97.0"},
    BASQUE | {"table": "Table 4", "system": "LSTM", "condition": "Base|ergative", "value": "–"},
    BASQUE | {"table": "section 5", "system": "LSTM", "condition": "all", "value": "12.5"},
    TASK | {"table": "Table 15", "system": "uzh-01", "condition": "low|basque", "value": "10.00"},
    TASK | {"table": "Table 15", "system": "uzh-01", "condition": "low|latin", "value": "20.00"},
    TASK | {"table": "by language", "system": "uzh", "condition": "track1|original|low|de",
            "value": "42.00"},
]  # fmt: skip
MEMBERS = ("config", "system", "setting", "language", "variant", "seed", "accuracy", "commit")


@pytest.fixture
def published(tmp_path) -> Path:
    """A folder as resources/published."""
    for paper in {row["paper"] for row in PRINTED}:
        rows = [dict.fromkeys(PUBLISHED, "") | row for row in PRINTED if row["paper"] == paper]
        write_tsv(tmp_path / "published" / f"{paper}.tsv", rows, PUBLISHED)
    return tmp_path / "published"


@pytest.fixture
def store(tmp_path) -> Path:
    """A folder as resources/measured, without any figure yet."""
    (tmp_path / "measured" / "figures").mkdir(parents=True)
    return tmp_path / "measured"


@pytest.fixture
def measure(store):
    """Record figures of a study; each is the last row of its file."""
    found: dict[str, list[dict[str, str]]] = {}

    def add(study: str = "agreement", **cells: str) -> None:
        row = {"config": "real", "table": "Table 4", "system": "BiLSTM", "metric": "accuracy"}
        row |= {"condition": "Base|dative", "variant": "paper", "unit": "percent", "commit": "c1"}
        found.setdefault(study, []).append(dict.fromkeys(MEASURED, "") | row | cells)
        write_tsv(store / "figures" / f"{study}.tsv", found[study], MEASURED)

    return add


@pytest.fixture
def members(store):
    """Record members of systems by language."""

    def add(study: str, *rows: dict[str, str]) -> None:
        known = {"config": "systems", "system": "uzh-01", "setting": "low", "language": "basque"}
        full = [dict.fromkeys(MEMBERS, "") | known | {"commit": "m1"} | row for row in rows]
        write_tsv(store / f"{study}.tsv", full, MEMBERS)

    return add


@pytest.fixture
def fingerprint(store):
    """Record one fingerprint of inflection."""

    def add(**cells: str) -> None:
        row = {"study": "inflection", "config": "systems", "system": "uzh-01", "setting": "low"}
        row |= {"column": "uzh-01", "languages": "12", "verdict": "agrees", "commit": "f1"}
        row |= {"difference": "0.01", "low": "-0.01", "high": "0.03", "reason": "within 2 points"}
        write_tsv(
            store / "fingerprints.tsv", [dict.fromkeys(FINGERPRINT, "") | row | cells], FINGERPRINT
        )

    return add

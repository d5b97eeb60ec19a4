"""The organisers' statements on their datasets, by hand and on the released ones."""

import re
from collections import Counter
from pathlib import Path

import pytest

from kasu.base.tables import read_tsv
from kasu.inflection.data.properties import (
    check_properties,
    properties_of,
    write_properties,
)
from kasu.inflection.data.triples import SPLITS, Triple, read_triples, write_dataset

RELEASED = re.compile(r"([a-z-]+?)-(?:train-)?(low|medium|high|dev|test)")


def triples(start: int, stop: int) -> list[Triple]:
    return [Triple(f"l{i}", f"f{i}", "N") for i in range(start, stop)]


def dataset(**changed: list[Triple]) -> dict[str, list[Triple]]:
    splits = {"low": triples(0, 100), "medium": triples(0, 300), "high": []}
    return {**splits, "dev": triples(300, 350), "test": triples(350, 400), **changed}


def holds(splits: dict[str, list[Triple]], counts: dict[str, int] | None = None) -> list:
    return [found.holds for found in properties_of(splits, counts)]


def test_a_dataset_with_every_property():
    falling = {f"f{i}": 400 - i for i in range(400)}
    assert holds(dataset(), falling) == [True] * 6


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"low": triples(1, 101)}, [False, True, True, True]),
        ({"dev": triples(299, 349)}, [True, False, True, True]),
        ({"dev": triples(300, 340)}, [True, True, False, True]),
        ({"test": [*triples(350, 399), Triple("l350", "other", "N")]}, [True, True, True, False]),
        ({"medium": [], "low": triples(0, 61)}, [None, True, True, True]),
    ],
)
def test_a_dataset_that_lacks_a_property(changed, expected):
    assert holds(dataset(**changed))[:4] == expected


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (None, [None, None]),
        ({f"f{i}": 0 for i in range(400)}, [None, None]),
        ({f"f{i}": i for i in range(400)}, [False, False]),
        ({f"f{i}": i % 7 for i in range(400)}, [False, False]),
    ],
)
def test_frequency_is_a_tendency_or_untestable(counts, expected):
    assert holds(dataset(), counts)[4:] == expected


def test_evidence_is_stated(tmp_path):
    write_dataset(tmp_path / "d", dataset(), {}, language="tiny", sources=[])
    words = tmp_path / "list"
    words.write_text("".join(f"f{i} {400 - i}\n" for i in range(200)), encoding="utf-8")
    found = check_properties(tmp_path / "d", words)
    assert [row.evidence for row in found[:4]] == [
        "low in medium",
        "train and dev share 0; train and test share 0; dev and test share 0",
        "low 100, medium 300, high 0, dev 50, test 50",
        "train 0 again, dev 0 again, test 0 again",
    ]
    assert found[4].evidence.startswith("200 of 300 forms in the list, rho -0.98")
    assert [row.evidence for row in check_properties(tmp_path / "d")[4:]] == [
        "no list of word counts"
    ] * 2


def test_one_row_per_language_and_property(tmp_path):
    write_dataset(tmp_path / "d", dataset(), {}, language="tiny", sources=[])
    write_properties(tmp_path / "p.tsv", {"tiny": tmp_path / "d"}, {"tiny": None})
    rows = read_tsv(tmp_path / "p.tsv", ("language", "property", "holds", "evidence"))
    assert [row["language"] for row in rows] == ["tiny"] * 6
    assert rows[0]["evidence"] == "low in medium"


@pytest.fixture(scope="module")
def released(mirror) -> dict[str, dict[str, Path]]:
    files: dict[str, dict[str, Path]] = {}
    for folder in ("all", "surprise"):
        for path in sorted((mirror / "sigmorphon2018" / "task1" / folder).iterdir()):
            if match := RELEASED.fullmatch(path.name):
                files.setdefault(match[1], {})[match[2]] = path
    return {name: found for name, found in files.items() if "low" in found}


@pytest.mark.real
def test_every_released_language(released):
    found = Counter()
    for files in released.values():
        splits = {split: read_triples(files[split]) if split in files else [] for split in SPLITS}
        found[tuple(holds(splits)[:4])] += 1
    # Telugu has a single training set
    assert found == {(True, True, True, True): 93, (None, True, True, True): 1}

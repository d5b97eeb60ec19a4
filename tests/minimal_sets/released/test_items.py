"""The released items as a dataset, and their overlap with built sets."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv
from kasu.lm.scoring.items import read_items
from kasu.minimal_sets.released.items import (
    build_released,
    compare_with_released,
    count_overlap,
    read_released,
)

HEAD = "set\tsentence_id\tmatch_id\tmasked_text\tform_grammatical_erg\tform_ungrammatical_nom"
HEAD += "\tform_ungrammatical_dat\n"
ATE = "child\tate\t1\t[MASK] ვაშლი შეჭამა.\tბავშვმა\tბავშვი\tბავშვს\n"
ERRORS = {"transitive-nom-dat-obj": 1, "transitive-dat-nom-subj": 1}
SIZES = {"intransitive-nom-subj": 70}


def released(tmp_path: Path, *lines: str, head: str = HEAD) -> Path:
    path = tmp_path / "child.tsv"
    path.write_text(head + "".join(lines), encoding="utf-8")
    folder = tmp_path / "released"
    build_released(path, folder, licence="CC BY-SA 4.0", language="kat", sources=[])
    return folder


def counts(folder: Path) -> dict[str, int]:
    return {row["step"]: int(row["count"]) for row in read_tsv(folder / "counts.tsv")}


def test_a_released_item_has_the_schema_of_built_ones(build, tmp_path):
    theirs = read_parquet(released(tmp_path, ATE) / "items.parquet")
    ours = read_parquet(build() / "items.parquet")
    assert theirs.schema == ours.schema
    (row,) = theirs.to_pylist()
    assert {name: value for name, value in row.items() if value is not None} == {
        "item_id": "child:ate:1",
        "set": "child",
        "sentence_id": "ate",
        "masked": "[MASK] ვაშლი შეჭამა.",
        "grammatical": "erg",
        "form_nom": "ბავშვი",
        "form_dat": "ბავშვს",
        "form_erg": "ბავშვმა",
        "source_of_forms": "released",
        "target": 1,
        "licence": "CC BY-SA 4.0",
    }


def test_an_item_with_equal_forms_is_kept_and_noted(tmp_path):
    folder = released(tmp_path, ATE, ATE.replace("ate", "eaten").replace("ბავშვი", "ბავშვმა"))
    notes = [row["note"] for row in read_parquet(folder / "items.parquet").to_pylist()]
    assert notes == [None, "forms equal: nom, erg"]
    assert counts(folder) == {"items": 2, "forms equal": 1}


@pytest.mark.parametrize(
    "line, message",
    [
        (ATE.replace("[MASK]", ""), r"child.tsv:2: 0 \[MASK\]; expected exactly one"),
        (ATE.replace("ვაშლი", "[MASK]"), r"child.tsv:2: 2 \[MASK\]"),
        (ATE + ATE.replace("\t1", "\t2"), "sentence ate more than once"),
        (ATE.replace("\t1", "\tx"), "child.tsv:2: match_id 'x'"),
        (ATE + ATE.replace("child", "dog").replace("ate", "eats"), "sets child, dog"),
        ("", "no items"),
    ],
)
def test_bad_items(tmp_path, line, message):
    with pytest.raises(KasuError, match=message):
        released(tmp_path, line)


def test_other_columns(tmp_path):
    with pytest.raises(KasuError, match=r"child.tsv:1: columns set, .*expected one form_gramm"):
        released(tmp_path, ATE, head=HEAD.replace("ungrammatical_nom", "ungrammatical_abs"))


@pytest.mark.parametrize(
    "line, found",
    [
        (ATE, (1, 1, 1, 1, 1)),
        (ATE.replace("ბავშვს", "ბავშვსა"), (1, 1, 1, 1, 0)),
        (ATE.replace("ate\t1\t[MASK] ვაშლი", "ate\t2\tბავშვმა [MASK]"), (1, 1, 0, 0, 0)),
        (ATE.replace("შეჭამა", "ჭამა"), (1, 1, 0, 0, 0)),
        (ATE.replace("ate\t1", "ate\t9"), (1, 1, 0, 0, 0)),
        (ATE.replace("ate\t1", "sang\t1"), (1, 0, 0, 0, 0)),
    ],
)
def test_overlap(build, treebank, tmp_path, line, found):
    theirs = released(tmp_path, line) / "items.parquet"
    steps = count_overlap(build() / "items.parquet", theirs, [treebank])
    assert tuple(steps.values()) == found


def test_overlap_as_a_table(build, treebank, tmp_path):
    theirs = released(tmp_path, ATE) / "items.parquet"
    table = tmp_path / "overlap.tsv"
    compare_with_released(build() / "items.parquet", theirs, [treebank], table)
    assert read_tsv(table)[-1] == {"step": "same forms", "count": "1"}


@pytest.mark.real
def test_the_released_sets(mirror, tmp_path):
    files = sorted((mirror / "papers/georgian-case-alignment/items").glob("*.tsv"))
    assert len(files) >= 5
    for path in files:
        folder = tmp_path / path.stem
        build_released(path, folder, licence="x", language="kat", sources=[])
        assert counts(folder) == {
            "items": SIZES.get(path.stem, 50),
            "forms equal": ERRORS.get(path.stem, 0),
        }
        assert len(read_items(folder / "items.parquet")) == 3 * SIZES.get(path.stem, 50)


@pytest.mark.real
def test_results_by_item_hold_the_same_items_as_the_extracted_files(mirror):
    folder = mirror / "papers" / "georgian-case-alignment"
    results = folder / "results" / "full" / "mlm-mBERT-S3-DAT-word-level.csv"
    extracted = folder / "items" / "transitive-dat-nom-subj.tsv"
    assert read_released(results) == read_released(extracted)

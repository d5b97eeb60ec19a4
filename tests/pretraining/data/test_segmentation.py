"""Agreement of two segmentations: equal sentences, and the kinds of difference."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_parquet
from kasu.pretraining.data.pairs import PAIRS
from kasu.pretraining.data.segmentation import compare_segmentations, differences


def write_pairs(path: Path, *pairs: tuple[str, str, str]) -> Path:
    names = ("item_id", "sentence_good", "sentence_bad")
    rows = [dict.fromkeys(PAIRS.names) | dict(zip(names, pair, strict=True)) for pair in pairs]
    write_parquet(path, rows, PAIRS)
    return path


@pytest.mark.parametrize(
    ("ours", "released", "kinds"),
    [
        ("ate an dago", "ate an dago", []),
        ("ni en ate a", "ni ren ate a", ["another stem or suffix"]),
        ("txoko bat", "txo ko bat", ["split there only"]),
        ("gauza a da", "gauza da", ["split here only, with another stem or suffix"]),
        ("on a da", "ona da", ["split here only"]),
        ("haiei da", "haiek ei da", ["split there only, with another stem or suffix"]),
    ],
)
def test_kinds_of_difference(ours, released, kinds):
    assert list(differences(ours.split(), released.split())) == kinds


def test_agreement_on_common_pairs(tmp_path):
    ours = write_pairs(tmp_path / "a", ("1", "Ona da !", "On a da ."), ("2", "x", "y"))
    released = write_pairs(tmp_path / "b", ("1", "Ona da", "Ona da ."), ("3", "x", "y"))
    compare_segmentations(ours, released, tmp_path / "agreement.tsv")
    rows = {row["measure"]: row for row in read_tsv(tmp_path / "agreement.tsv")}
    assert rows["equal sentences"]["share"] == "0.0000"
    assert rows["equal sentences but for exclamation marks"]["share"] == "0.5000"
    assert rows["split here only"]["count"] == "1"


def test_nothing_in_common(tmp_path):
    ours = write_pairs(tmp_path / "a", ("1", "x", "y"))
    released = write_pairs(tmp_path / "b", ("2", "x", "y"))
    with pytest.raises(KasuError, match="no pair of"):
        compare_segmentations(ours, released, tmp_path / "agreement.tsv")


def test_counts_and_shares_of_agreement(tmp_path):
    ours = write_pairs(
        tmp_path / "a", ("1", "a b c", "d e"), ("2", "a ! b", "x y"), ("4", "on a", "on a da")
    )
    released = write_pairs(
        tmp_path / "b", ("1", "a b c", "d f"), ("2", "a b", "x z"), ("4", "ona", "ona da")
    )
    compare_segmentations(ours, released, tmp_path / "agreement.tsv")
    assert [tuple(row.values()) for row in read_tsv(tmp_path / "agreement.tsv")] == [
        ("equal sentences", "1", "6", "0.1667"),
        ("equal sentences but for exclamation marks", "2", "6", "0.3333"),
        ("another stem or suffix", "2", "4", "0.5000"),
        ("split here only", "2", "4", "0.5000"),
    ]

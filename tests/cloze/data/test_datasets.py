"""Datasets: what is kept, counted and refused."""

import pytest
import yaml

from kasu.base.errors import KasuError
from kasu.cloze.data.datasets import SENTENCES, read_dataset, read_splits
from kasu.cloze.data.sentences import read_training, read_uncovered
from kasu.files.tables import read_parquet, read_tsv

# Figures 1 and 2 of the overview
TRAINING = "The\tthe\tDT\ndogs\tdog\tN;PL\nare\tbe\tAUX;PRES;3PL\nbarking\tbark\tV;V.PTCP\n"
UNCOVERED = "The\tthe\tDT\ndogs/dog\tdog\t_\nare\tbe\tAUX;PRES;3PL\n\nYes\tyes\tINTJ\n\n"
COVERED = UNCOVERED.replace("dogs/dog", "_")
COVERED_2 = "The\t_\t_\n_\tdog\t_\nare\t_\t_\n\nYes\t_\t_\n\n"
TRAINING_2 = "The\t_\t_\ndogs\tdog\t_\nare\t_\t_\nbarking\tbark\t_\n"

ENTRIES = {"low": TRAINING, "dev": UNCOVERED, "test": UNCOVERED}
SHOWN = {
    "low_track2": TRAINING_2,
    "dev_track1": COVERED,
    "dev_track2": COVERED_2,
    "test_track1": COVERED,
    "test_track2": COVERED_2,
}


def test_a_dataset_keeps_the_sentences(written, tmp_path):
    paths = written(**ENTRIES, **SHOWN)
    read_splits(paths, tmp_path / "out", language="en", sources=[])
    assert read_dataset(tmp_path / "out/low.parquet") == read_training(paths["low"])
    assert read_dataset(tmp_path / "out/test.parquet") == read_uncovered(paths["test"])
    assert read_dataset(tmp_path / "out/medium.parquet") == []
    rows = read_parquet(tmp_path / "out/test.parquet").to_pylist()
    assert list(rows[1].values()) == [0, 1, "dogs", "dog", None, True, ["dogs", "dog"]]
    assert list(rows[1]) == SENTENCES.names
    counts = {row["step"]: row["count"] for row in read_tsv(tmp_path / "out/counts.tsv")}
    assert counts["test: sentences"] == "2"
    assert counts["test: sentences without a target"] == "1"
    assert counts["test: tokens"] == "4"
    assert counts["test: targets"] == "1"
    assert counts["test: targets with further plausible forms"] == "1"
    assert counts["high: tokens"] == "0"
    assert "| test | 4 |" in (tmp_path / "out/README.md").read_text()
    assert read_tsv(tmp_path / "out/drops.tsv") == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dev", "dataset en: no dev file; expected low, medium, high, dev, test"),
        ("low", "dataset en: no training file"),
    ],
)
def test_a_dataset_needs_its_files(written, tmp_path, name, message):
    paths = written(**ENTRIES)
    del paths[name]
    with pytest.raises(KasuError, match=message):
        read_splits(paths, tmp_path / "out", language="en", sources=[])


def test_each_file_that_participants_saw_is_checked(written, tmp_path):
    for name in SHOWN:
        paths = written(**ENTRIES, **SHOWN | {name: SHOWN[name].replace("dog", "cat")})
        with pytest.raises(KasuError, match=name):
            read_splits(paths, tmp_path / "out", language="en", sources=[])


@pytest.mark.parametrize(("given", "code"), [({"code": "ka"}, "ka"), ({}, "und")])
def test_the_card_has_the_code_of_the_language_and_not_its_name(written, tmp_path, given, code):
    read_splits(written(**ENTRIES), tmp_path, language="georgian-demo", sources=[], **given)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(card.split("---\n")[1])["language"] == [code]

"""What systems did in a language: by hand, and what is known on the released test sets."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kasu.inflection.data.triples import SETTINGS, TRIPLES, Triple, read_triples
from kasu.inflection.evaluation.outcomes import LanguageResults, read_results
from kasu.transduction.members.families import Run
from kasu.transduction.members.predictions import Predicted, survey, write_predictions


def read(toy, folder: Path, train: list[Triple], runs: dict) -> LanguageResults | None:
    gold = [triple.form for triple in toy.test]
    predicted = {Run(*run): Predicted(forms) for run, forms in runs.items()}
    write_predictions(folder / "p.parquet", "a", "low", {"x": (gold, predicted)})
    paths = [toy.write(folder / f"{n}.parquet", t) for n, t in (("t", train), ("e", toy.test))]
    return read_results("low", "x", *paths, survey([folder / "p.parquet"]))


def test_cell_by_hand(tmp_path, toy):
    cell = read(toy, tmp_path, toy.train, {("v", 1): ["kasua", "kasua", "mutil", "etxak"]})
    assert cell.condition == "low|x"
    assert cell.known.tolist() == [True, True, False, True]
    assert cell.lemma.tolist() == [1, 1, 2, 0]
    assert cell.outputs["a", "v", 1].right.tolist() == [True, False, True, False]
    assert cell.outputs["a", "v", 1].distance.tolist() == [0, 1, 0, 1]
    assert cell.copied.right.tolist() == [False, False, True, False]
    assert cell.copied.distance.tolist() == [1, 2, 0, 2]


def test_a_language_without_the_setting_has_no_cell(tmp_path, toy):
    assert read(toy, tmp_path, [], {}) is None


def write_released(path: Path, released: Path) -> Path:
    columns = zip(*read_triples(released), strict=True)
    table = pa.table(dict(zip(TRIPLES.names, columns, strict=True)), TRIPLES)
    pq.write_table(table, path)
    return path


@pytest.mark.real
def test_oracle_fc_is_the_published_one_in_every_cell(mirror, tmp_path, printed):
    cells = 0
    for test in sorted((mirror / "sigmorphon2018" / "task1").glob("*/*-test")):
        language = test.name.removesuffix("-test")
        trains = [test.with_name(f"{language}-train-{setting}") for setting in SETTINGS]
        if language.endswith("-covered") or not trains[0].exists():
            continue
        items = write_released(tmp_path / "test.parquet", test)
        for setting, train in zip(SETTINGS, trains, strict=True):
            if train.exists():
                cell = read_results(
                    setting, language, write_released(tmp_path / "t.parquet", train), items
                )
                assert cell.known.mean() == printed.value("oracle-fc", setting, language)
                cells += 1
    assert cells == 264

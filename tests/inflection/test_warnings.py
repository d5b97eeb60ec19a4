"""Warnings of inflection: lemmata come from the test set of each language."""

from kasu.files.tables import write_parquet
from kasu.inflection.data.triples import TRIPLES
from kasu.inflection.warnings import find_warnings
from kasu.results.warnings.table import ResultWarning
from kasu.transduction.members.predictions import PREDICTIONS


def test_answers_are_compared_with_the_lemmata_of_the_test_set(tmp_path):
    items = [{"lemma": f"a{n}", "form": f"a{n}s", "features": "N;PL"} for n in range(20)]
    write_parquet(tmp_path / "welsh" / "test.parquet", items, TRIPLES)
    write_parquet(tmp_path / "welsh" / "low.parquet", [], TRIPLES)
    rows = [
        {"system": "uzh", "setting": "low", "language": "welsh", "members": 1, "variant": None}
        | {"seed": 1, "item": at, "gold": item["form"], "prediction": item["lemma"]}
        for at, item in enumerate(items)
    ]
    write_parquet(tmp_path / "low.parquet", rows, PREDICTIONS)
    found = find_warnings(
        {"predictions": [str(tmp_path / "low.parquet")]},
        submitted=[("uzh", "low")],
        datasets={"welsh": str(tmp_path / "welsh")},
    )
    assert list(found) == [
        ResultWarning(
            "uzh",
            "answers as copying the lemma does in 99% of the items or more",
            "low, welsh, 20 items, seed 1",
        )
    ]


def test_test_items_that_stand_in_the_training_set_too(tmp_path):
    items = [{"lemma": f"a{n}", "form": f"a{n}s", "features": "N;PL"} for n in range(20)]
    write_parquet(tmp_path / "welsh" / "test.parquet", items, TRIPLES)
    write_parquet(tmp_path / "welsh" / "low.parquet", items[:12], TRIPLES)
    write_parquet(tmp_path / "low.parquet", [], PREDICTIONS)
    (found,) = find_warnings(
        {"predictions": [str(tmp_path / "low.parquet")]},
        submitted=[("uzh", "low")],
        datasets={"welsh": str(tmp_path / "welsh")},
    )
    assert (found.system, found.where) == ("test set", "low, welsh, 12 of 20 items")

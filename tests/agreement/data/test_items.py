import pytest

from kasu.agreement.data.items import count_tokens, gold_numbers, read_items, sentences_of
from kasu.agreement.data.transforms import Condition, Sentence
from kasu.base.errors import KasuError

BASE = Condition("base")

ITEM = {
    "item_id": "1",
    "sentence_id": "1",
    "cluster": "c",
    "tokens": ["gizona", "da"],
    "lemmas": ["gizon", "izan"],
    "stems": ["gizon", "da"],
    "suffixes": ["-a", "none"],
    "finite": [False, True],
    "target": 1,
    "ergative": "none",
    "absolutive": "singular",
    "dative": "plural",
}


def test_only_items_of_the_variant_are_read(tmp_path, write_dataset):
    items = read_items(write_dataset(tmp_path / "d.parquet", [ITEM]), "paper", BASE)
    assert list(sentences_of(items)) == [
        Sentence(
            ["gizona", "da"], ["gizon", "da"], ["gizon", "izan"], ["-a", "none"], [False, True], 1
        )
    ]
    assert count_tokens(items).tolist() == [2]
    assert gold_numbers(items, "d").tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("target", [-1, 2])
def test_a_target_outside_its_sentence_ends_in_one_line(tmp_path, write_dataset, target):
    path = write_dataset(tmp_path / "d.parquet", [{**ITEM, "target": target}])
    with pytest.raises(KasuError, match="target of 1 outside its sentence; expected a position"):
        read_items(path, "paper", BASE)


def test_an_unknown_label_ends_in_one_line(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [{**ITEM, "dative": "dual"}])
    line = "label 'dual' of dative; expected none or singular or plural"
    with pytest.raises(KasuError, match=line):
        gold_numbers(read_items(path, "paper", BASE), path)


def test_a_variant_without_items_ends_in_one_line(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [ITEM], ["released"])
    with pytest.raises(KasuError, match="no sentence of variant 'paper'; expected one or more"):
        read_items(path, "paper", BASE)


def test_only_sentences_of_the_condition_are_read(tmp_path, write_dataset):
    two = {**ITEM, "item_id": "2", "finite": [True, True]}
    path = write_dataset(tmp_path / "d.parquet", [two, ITEM])
    assert read_items(path, "paper", Condition("single_verb"))["item_id"].to_pylist() == ["1"]


def test_a_condition_without_items_ends_in_one_line(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [{**ITEM, "finite": [True, True]}])
    line = "no sentence that is single_verb and no_ak; expected one or more"
    with pytest.raises(KasuError, match=line):
        read_items(path, "paper", Condition("single_verb+no_ak"))
